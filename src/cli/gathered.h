/* gathered.h - combines the answers of all nodes of a crawl into one.
 *
 *   top, search    the best rows of all, each URL once, ranked again
 *   stats          sums; means are weighed by pages; of texts the first
 *   tree           the trees of all nodes, one after the other
 *   explain, show  the answer of the node that has the page, else of the one that knows most
 *   conversations  those of all nodes by time, numbered as question_number() says
 *
 * Answers come from other machines: parts that are not JSON of the expected form are left out and
 * counted. A page's `sure` comes from its own node: over the bus, pages are not judged together, as
 * they are in a merge (crawl/merged.h). A search ranks by scores of several indexes.
 */
#pragma once

#include "cluster/book.h"
#include "cluster/question.h"

#include <jansson.h>

struct gathered {
    enum question_kind kind;
    bool talks;              /* conversations are asked for */
    const struct book *book; /* the places of the nodes; NULL: all have the first */
    uint32_t n;              /* rows that are wanted; 0: all */
    uint32_t nodes;          /* nodes whose answers were used */
    uint32_t broken;         /* answers that were not used */
    char error[300];         /* the error in one of these; empty: none */
    json_t *all;             /* NULL: none yet */
    double pages;            /* stats: pages of the answers that were added */
};

void gathered_init(struct gathered *g, const struct question *q);
void gathered_add(struct gathered *g, struct str answer);
/* Sorts the rows. g->all is then the answer; NULL if no node had one. */
void gathered_end(struct gathered *g);
void gathered_free(struct gathered *g);

/* Appends the answer for people: rows as a table, objects as lines, a text as it is without control
 * characters. */
void gathered_text(const struct gathered *g, struct buf *out);
