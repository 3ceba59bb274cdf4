/* link_rounds.h - a link queue that is emptied in rounds of n, for best-first models.
 *
 * With n = 1, it always gives the best link of the host that may be asked. With n > 1,
 * the n best links of all are visited, and only then the next n are chosen, so that a
 * round does not depend on the order in which its pages arrive. The links that can be
 * visited now are in `ready`, by host; with n = 1 these are all links.
 */
#pragma once

#include "agent/link_queue.h"
#include "agent/model.h"

struct link_rounds {
    struct link_queue ready; /* by host; n > 1: of this round */
    struct link_queue all;   /* n > 1: links that wait for a later round */
    size_t n;                /* 0: not initialised */
    size_t open;             /* choices of the round that were not answered yet */
};

/* Rows of an option table that mean the same in every such model; `...` are .source
 * and, if needed, .unverified. */
#define ROUNDS_N(field, ...)                                                          \
    {                                                                                 \
        INT_OPTION("n", field, "N", "1", 1, 100000),                                  \
            .help = "links taken in one round; 1: always the best known", __VA_ARGS__ \
    }
#define ROUNDS_BUFFER(field, ...)                                                               \
    {                                                                                           \
        INT_OPTION("buffer", field, "N", "0", 0, 1e9),                                          \
            .help = "links that may wait; the lowest scores leave (0: no ceiling)", __VA_ARGS__ \
    }

/* Call it any number of times; only the first call has an effect. */
void link_rounds_init(struct model *m, struct link_rounds *r, int64_t n, int64_t buffer,
                      int parents);
void link_rounds_clear(struct link_rounds *r); /* frees everything; may be called before init */

/* Adds a link that was found. If another one leaves the queue for it, the engine is told. */
void link_rounds_add(struct model *m, struct link_rounds *r, uint32_t url, double score);

/* The queue of links that are not chosen yet. */
static inline struct link_queue *link_rounds_queue(struct link_rounds *r)
{
    return r->n > 1 ? &r->all : &r->ready;
}

/* Gives the next choice at a host for `agent`. Returns false if nothing waits there, or not yet. */
bool link_rounds_next(struct link_rounds *r, uint32_t host, uint32_t agent, struct choice *ret);

/* A choice was answered, by a page or by a failure. */
static inline void link_rounds_answered(struct link_rounds *r)
{
    r->open--;
}

/* For struct model_late. Begins a new round when the last one is over. */
void link_rounds_wishes(struct link_rounds *r);
float link_rounds_bound(const struct link_rounds *r, uint64_t left, double patience);

void link_rounds_save(const struct link_rounds *r, struct buf *out);
enum status link_rounds_load(struct link_rounds *r, struct cursor *from) MUST_USE;
