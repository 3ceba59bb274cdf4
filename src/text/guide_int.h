/* guide_int.h - the inside of a guide, for guide.c and guide_train.c. */
#pragma once

#include "base/map.h"
#include "base/parts.h"
#include "base/rng.h"
#include "text/estimate.h"
#include "text/guide.h"

/* A page that is remembered. */
struct guide_page {
    struct term *terms; /* id: the place of the term */
    uint32_t nterms;
    uint32_t page; /* the caller's number */
    bool is_seed;
    bool is_out; /* it matches none of the topic's patterns */
    float seed;  /* its weight as a start page */
    float p;
    float *x; /* its vector, as long as terms, and x x; only in a training */
    double square;
};

/* What was last looked up for a term. */
struct guide_found {
    uint32_t key;      /* term ^ guide.round */
    uint32_t place;    /* MAP_NONE: it has none */
    float dot, square; /* idf w, idf^2; w is 0 if it has no place */
};

#define GUIDE_FOUND  16384
#define GUIDE_TOKENS 32768

/* The term of a word in a URL: the same few words occur in all URLs. */
struct guide_token {
    uint64_t hash; /* of the word as it is written; 0: nothing */
    uint32_t term; /* 0: a stop word */
};

struct guide {
    const struct topic *topic;
    struct guide_config config;
    struct map places;         /* salted id -> place of the term */
    uint32_t *ids;             /* by place */
    float *idf, *w;            /* by place */
    size_t nterms, room;       /* places in use; allocated */
    struct guide_found *found; /* by the low bits of a term: most words soon come again */
    uint32_t round;            /* from 1 to GUIDE_FOUND - 1; entries of other rounds are outdated */
    double bias;               /* trained */
    double scale;              /* untrained: a page with this cosine is certain */
    double pivot;              /* length of a usual page; 0: all are scaled to the same length */
    bool is_trained;           /* w and bias come from a training; otherwise w is w0 */
    bool has_examples;         /* of both kinds */
    struct platt platt;        /* used with examples */
    struct df_table *df;       /* held; idf comes from it, unless is_idf_old */
    bool is_idf_old;
    bool is_fresh; /* w uses this idf and all start pages so far */
    struct guide_page *pages;
    size_t npages, pages_cap, nseeds;
    struct guide_page *marks; /* the user's; seed: 1 for the topic, 0 against it */
    size_t nmarks, marks_cap;
    uint64_t seen, train_at; /* pages so far; pages at which a training is due */
    uint32_t trainings;
    struct rng rng;
    struct term *terms; /* of the page that is judged */
    size_t terms_room;
    struct stemmer *stemmer;    /* for URLs; NULL: none was read so far */
    struct guide_token *tokens; /* by the low bits of the hash */
    double *dots, *squares;     /* of guide_read(): sums over the first i words */
    size_t nwords, words_room;
    uint32_t first;                            /* of the text's words */
    struct parts changed_terms, changed_pages; /* since they were last saved; a page is a part */
    size_t awaited_terms, awaited_pages;       /* while parts are loaded */
};

#define GUIDE_PULL  4.0 /* length of w0 */
#define GUIDE_FIRST 8   /* pages before the first training */
#define GUIDE_TERMS 1000
#define GUIDE_SEEDS 10 /* start pages that join example pages: each needs a training of its own */

/* From now on terms are weighed by this table. Before a training, w changes with it. */
void guide_use(struct guide *g, const struct df_table *df);
/* Stores the terms of a page as places in the newly allocated p->terms. */
void guide_keep_terms(struct guide *g, struct guide_page *p, const struct term *terms, size_t n);
uint32_t guide_place(struct guide *g, uint32_t term);
/* What the weights of a page of this length are divided by. */
double guide_length(const struct guide *g, double length);
/* Marks all terms and pages to be saved again. */
void guide_touch_all(struct guide *g);
/* Takes idf from the current table. */
void guide_renew_idf(struct guide *g);
/* Must be called when w or the table has changed. */
void guide_forget_found(struct guide *g);
double guide_label(const struct guide *g, const struct guide_page *p, double dot);
double guide_scaled(const struct guide *g, double dot);

/* Computes w0, scale and the weights of the start pages from the words and the start pages. */
void guide_begin(struct guide *g);
/* Computes w, bias and platt from the topic's example pages, the user's marks and the start pages,
 * and the weights of these. */
void guide_train_on_examples(struct guide *g);
