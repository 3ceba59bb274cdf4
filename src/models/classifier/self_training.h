/* self_training.h - a classifier of pages from the topic's examples and what was seen since.
 *
 * With examples of both kinds: these, and as guesses those remembered pages whose
 * probability by the present classifier is at least `high` or at most `low`; as many
 * of one kind as of the other, the newest.
 *
 * Without (words alone, or examples of one kind): the topic's own relevance is the
 * teacher. Of the remembered pages the most relevant fifth are taken for positive
 * ones, the least relevant half for negative ones, and the classifier learns which
 * other words go with them.
 *
 * Pages the user marked are examples like the topic's own, and never guessed about.
 * They take the teacher's place once there are SELF_TRAINING_LEAST of either kind.
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
/* The same, or with the marks at least so many of either kind? */
bool self_training_is_vouched(const struct self_training *how, const struct topic *t);

/* A new classifier; NULL where there is too little to learn from. `present` may be
 * NULL. idf is that of the table the topic was trained with, or of the examples. */
struct classifier *self_train(const struct self_training *how, const struct topic *t,
                              const struct page_memory *memory, const struct classifier *present);

/* The table that self_train() uses; NULL: none. */
const struct df_table *self_training_table(const struct topic *t);

/* ---- pages that the user marked ---- */

/* Examples, one a URL, in the order of the first mark; when there are too many, the oldest
 * goes. Terms are copied. No part of a checkpoint: the crawl reports them again. */

#define PAGE_MARKS_MOST 1000

struct marked_pages {
    struct classify_example *items; /* terms owned */
    uint32_t *urls;
    size_t count;
};

/* 1 relevant, 0 not, -1: neither any more. True: the marks changed. */
bool page_marks_set(struct marked_pages *m, uint32_t url, const struct term *terms, size_t nterms,
                    int relevant);
void page_marks_clear(struct marked_pages *m); /* frees everything */
