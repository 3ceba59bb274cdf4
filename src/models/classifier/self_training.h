/* self_training.h - trains a classifier of pages on the topic's examples and on visited pages.
 *
 * If there are examples of both kinds, it learns from these, and from guesses: remembered
 * pages whose probability by the present classifier is at least `high` or at most `low`. It
 * takes the newest guesses, as many of one kind as of the other.
 *
 * Otherwise (words alone, or examples of one kind) the topic's own relevance is the teacher.
 * The most relevant fifth of the remembered pages are taken as positive examples, the least
 * relevant half as negative ones, and the classifier learns which other words go with them.
 *
 * Pages that the user marked are examples like the topic's own, and are never guesses. They
 * replace the teacher once there are SELF_TRAINING_LEAST of each kind.
 */
#pragma once

#include "agent/page_memory.h"
#include "text/classify.h"

struct topic;

struct self_training {
    struct classify_config config;
    double high, low;                     /* probabilities */
    const struct classify_example *marks; /* the user's; lent */
    size_t nmarks;
};

/* Does the topic have examples of both kinds? `t` may be NULL. */
bool self_training_has_examples(const struct topic *t);

#define SELF_TRAINING_LEAST 5
/* The same, or are there at least SELF_TRAINING_LEAST of each kind, with the marks? */
bool self_training_is_vouched(const struct self_training *how, const struct topic *t);

/* Returns a new classifier, or NULL if there is too little to learn from. `present` may be NULL.
 * idf is that of the table that the topic was trained with, or of the examples. */
struct classifier *self_train(const struct self_training *how, const struct topic *t,
                              const struct page_memory *memory, const struct classifier *present);

/* The table that self_train() uses, or NULL. */
const struct df_table *self_training_table(const struct topic *t);

/* ---- pages that the user marked ---- */

/* Examples, one for each URL, in the order of the first mark; if there are too many,
 * the oldest is dropped. Terms are copied. They are not part of a checkpoint: the
 * crawl reports the marks again. */

#define PAGE_MARKS_MOST 1000

struct marked_pages {
    struct classify_example *items; /* terms owned */
    uint32_t *urls;
    size_t count;
};

/* 1: relevant; 0: not; -1: the mark is removed. Returns true if the marks changed. */
bool page_marks_set(struct marked_pages *m, uint32_t url, const struct term *terms, size_t nterms,
                    int relevant);
void page_marks_clear(struct marked_pages *m); /* frees everything */
