/* worth.h - what the next page is worth, given all pages so far.
 *
 * Keeps the history of relevances and the energy function tuned to it: R is its
 * G / (G + C) quantile, the new page included. A page counts once.
 *
 * Cold start: until (G + C) / C pages are known no quantile can tell one page from
 * the rest. Until then the step stands at half the mean relevance of the seeds
 * (COLD_STEP), or pages are worth nothing (COLD_NOTHING).
 *
 * Several machines: each says from time to time how the relevances of its pages are spread
 * (WORTH_POINTS quantiles and their number), and R is the quantile over all machines together, as
 * of a moment ago; between two quantiles that were told, relevances are taken as evenly spread.
 * balance=exact is solved over the own pages alone.
 *
 * Point masses: where R is the least or the greatest relevance of all, the step is
 * used, and r <= R pays C. Many pages have relevance 0 exactly; when they are more
 * than G / (G + C) of all, energy must fall whatever the rule.
 */
#pragma once

#include "models/energy/energy.h"
#include "models/energy/rank.h"

enum cold { COLD_STEP, COLD_NOTHING };
#define COLD_CHOICES "step|nothing"

struct worth_config {
    double cost, gain;
    enum balance balance;
    enum printed lambda, sign;
    enum cold cold;
    enum rank_history history;
    double history_pages;
};

#define WORTH_POINTS 33

/* The pages of all machines together, as last told. */
struct worth_spread {
    double R, least, greatest;
    uint64_t pages; /* 0: there are no others, or nothing was told yet */
};

struct worth {
    struct worth_config config;
    struct rank *history;
    struct energy energy; /* of the moment */
    double seeds;         /* sum of the relevances of the seeds … */
    uint32_t nseeds;      /* … that came */
    uint64_t pages;       /* in the history so far */
    uint64_t rewarded;    /* of them, worth more than 0 */
    uint64_t solve_at;    /* BALANCE_EXACT: R is solved again at this many pages */
    struct worth_spread all;
    double *values, *weights; /* room for solving */
    size_t nvalues, values_cap, weights_cap;
};

void worth_init(struct worth *w, const struct worth_config *config);
void worth_clear(struct worth *w);

void worth_seed(struct worth *w, double relevance);
/* A new page: it joins the history, the function is tuned, and this is its worth. */
double worth_page(struct worth *w, double relevance);
/* What a page of that relevance is worth now. */
double worth_now(const struct worth *w, double relevance);

/* What the other machines should know; and what they said, each a cursor_str(). */
void worth_say(const struct worth *w, struct buf *out);
void worth_hear(struct worth *w, struct cursor *said);

void worth_save(const struct worth *w, struct buf *out);
enum status worth_load(struct worth *w, struct cursor *from) MUST_USE;
