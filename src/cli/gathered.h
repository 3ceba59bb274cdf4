/* gathered.h - the answers of all nodes of a crawl, as one.
 *
 *   top, search    the best rows of all, each URL once, ranked again
 *   stats          sums; means are weighed by pages; of texts the first
 *   tree           the trees of all nodes, one after the other
 *   explain, show  the answer of the node that has the page, else of the one that knows most
 *   conversations  those of all nodes by time, numbered as question_number() says
 *
 * Answers come from other machines: what is not JSON of the expected form is left out and counted.
 * A page's `sure` is what its own node says: over the bus pages are not judged together, as a merge
 * does (crawl/merged.h). A search ranks by scores of several indexes.
 */
#pragma once

#include "cluster/book.h"
#include "cluster/question.h"

#include <jansson.h>

struct gathered {
    enum question_kind kind;
    bool talks;              /* conversations are asked for */
    const struct book *book; /* says which node is at which place; NULL: all at the first */
    uint32_t n;              /* rows that are wanted; 0: all */
    uint32_t nodes;          /* whose answers were taken */
    uint32_t broken;         /* answers that were not */
    char error[300];         /* what one of these said; empty: nothing */
    json_t *all;             /* NULL: none yet */
    double pages;            /* stats: of those that were added */
};

void gathered_init(struct gathered *g, const struct question *q);
void gathered_add(struct gathered *g, struct str answer);
/* Puts the rows into their order. g->all is then the answer; NULL: nobody knows anything. */
void gathered_end(struct gathered *g);
void gathered_free(struct gathered *g);

/* Any JSON for people: rows as a table, objects as lines; a text as it is, but for what a terminal
 * would take for commands. */
void gathered_text(const struct gathered *g, struct buf *out);
