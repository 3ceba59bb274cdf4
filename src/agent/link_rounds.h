/* link_rounds.h - a link queue that is emptied in rounds of n, for best-first models.
 *
 * n = 1: whenever there is room, the best link that waits, within the bound of
 * look_ahead.h. n > 1: the n best are taken, all of them visited, and only then the
 * next n are chosen, so that a round does not depend on the order in which its pages
 * arrive.
 */
#ifndef AGENT_LINK_ROUNDS_H
#define AGENT_LINK_ROUNDS_H

#include "agent/link_queue.h"
#include "flow.h"

struct link_rounds {
    struct link_queue queue;
    struct choice *round; /* the links of this round, n of them at most; NULL: not made */
    size_t n;
    size_t count, given; /* in the round; handed out so far */
    size_t open;         /* of the round: handed out, not answered */
};

void link_rounds_init(struct link_rounds *r, size_t n, size_t buffer, enum parents parents);
void link_rounds_clear(struct link_rounds *r); /* frees everything; fine when not made */

/* The next choice for `agent`. `delayed`: choices that wait for a host's delay, or 0
 * where they count as the others. False: nothing waits, or not yet. */
bool link_rounds_next(struct link_rounds *r, uint32_t agent, size_t delayed, struct choice *ret);

/* A choice was answered, by a page or by a failure. */
static inline void link_rounds_answered(struct link_rounds *r)
{
    r->open--;
}

void link_rounds_save(const struct link_rounds *r, struct buf *out);
enum status link_rounds_load(struct link_rounds *r, uint32_t agent, struct cursor *from) MUST_USE;

#endif
