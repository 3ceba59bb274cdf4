/* link_rounds.h - a link queue that is emptied in rounds of n, for best-first models.
 *
 * n = 1: whenever there is room, the best link that waits, within the bound of
 * look_ahead.h. n > 1: the n best are taken, all of them visited, and only then the
 * next n are chosen, so that a round does not depend on the order in which its pages
 * arrive.
 */
#pragma once

#include "agent/link_queue.h"
#include "agent/model.h"

struct link_rounds {
    struct link_queue queue;
    struct choice *round; /* the links of this round, n of them at most; NULL: not made */
    size_t n;
    size_t count, given; /* in the round; handed out so far */
    size_t open;         /* of the round: handed out, not answered */
};

/* Rows of an option table that mean the same in every such model; `...`: .source, and
 * .unverified where it is so. */
#define ROUNDS_N(place, ...)                                                                       \
    {                                                                                              \
        .name = "n", .type = OPTION_INT, .metavar = "N", .fallback = "1", .min = 1, .max = 100000, \
        .help = "links taken in one round; 1: always the best known", .offset = (place),           \
        __VA_ARGS__                                                                                \
    }
#define ROUNDS_BUFFER(place, ...)                                                           \
    {                                                                                       \
        .name = "buffer", .type = OPTION_INT, .metavar = "N", .fallback = "0", .min = 0,    \
        .max = 1e9, .help = "links that may wait; the lowest scores leave (0: no ceiling)", \
        .offset = (place), __VA_ARGS__                                                      \
    }
#define ROUNDS_IDLE(place, ...)                                                                \
    {                                                                                          \
        .name = "idle", .type = OPTION_CHOICE, .fallback = "use", .choices = "use|wait",       \
        .help = "while the best hosts wait for their delay: use others, or wait for the best", \
        .offset = (place), __VA_ARGS__                                                         \
    }

enum idle { IDLE_USE, IDLE_WAIT }; /* the order of that row */

void link_rounds_init(struct link_rounds *r, size_t n, size_t buffer, enum parents parents);
void link_rounds_clear(struct link_rounds *r); /* frees everything; fine when not made */

/* A link found; the engine is told of the one that leaves the queue for it. */
void link_rounds_add(struct model *m, struct link_rounds *r, uint32_t url, double score);

/* The next choice for `agent`. False: nothing waits, or not yet. */
bool link_rounds_next(const struct model *m, struct link_rounds *r, uint32_t agent, int idle,
                      struct choice *ret);

/* A choice was answered, by a page or by a failure. */
static inline void link_rounds_answered(struct link_rounds *r)
{
    r->open--;
}

void link_rounds_save(const struct link_rounds *r, struct buf *out);
enum status link_rounds_load(struct link_rounds *r, uint32_t agent, struct cursor *from) MUST_USE;
