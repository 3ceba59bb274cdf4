/* worth.h - how much the next page is worth, given all pages so far.
 *
 * Keeps the history of relevances and the energy function tuned to it: R is its
 * G / (G + C) quantile, the new page included. A page counts once.
 *
 * Cold start: until (G + C) / C pages are known, no quantile can separate one page from the
 * rest. Until then the step is at half the mean relevance of the seeds (COLD_STEP), or pages
 * are worth nothing (COLD_NOTHING).
 *
 * Several machines: each reports from time to time the distribution of its relevances
 * (WORTH_POINTS quantiles and the number of pages), and R is the quantile over all machines
 * together, slightly outdated; between two reported quantiles, relevances are assumed to be
 * evenly spread. balance=exact uses only a machine's own pages.
 *
 * Point masses: if R is the least or the greatest relevance of all, the step is used, and r <= R
 * pays C. Many pages have a relevance of exactly 0; if their share is more than G / (G + C),
 * energy must fall with any rule.
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

/* The pages of all machines together, as last reported. */
struct worth_spread {
    double R, least, greatest;
    uint64_t pages; /* 0: there are no others, or nothing was reported yet */
};

struct worth {
    struct worth_config config;
    struct rank *history;
    struct energy energy; /* the current function */
    double seeds;         /* sum of the relevances of the seeds … */
    uint32_t nseeds;      /* … that came */
    uint64_t pages;       /* in the history so far */
    uint64_t rewarded;    /* how many of these were worth more than 0 */
    uint64_t solve_at;    /* BALANCE_EXACT: R is computed again at this many pages */
    struct worth_spread all;
    double *values, *weights; /* scratch memory for computing R */
    size_t nvalues, values_cap, weights_cap;
};

void worth_init(struct worth *w, const struct worth_config *config);
void worth_clear(struct worth *w);

void worth_seed(struct worth *w, double relevance);
/* Adds a new page to the history, tunes the function, and returns the worth of the page. */
double worth_page(struct worth *w, double relevance);
/* The current worth of a page with that relevance. */
double worth_now(const struct worth *w, double relevance);

/* Writes what the other machines should know; reads what they wrote, each as a cursor_str(). */
void worth_say(const struct worth *w, struct buf *out);
void worth_hear(struct worth *w, struct cursor *said);

void worth_save(const struct worth *w, struct buf *out);
enum status worth_load(struct worth *w, struct cursor *from) MUST_USE;
