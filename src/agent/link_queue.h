/* link_queue.h - URLs that wait for a visit, best score first.
 *
 * A URL waits at most once; when it is found again on another page, the scores
 * of its parents are joined. Ties leave in order of arrival, so results do not
 * depend on the layout. With a ceiling, the worst leaves when a better comes.
 *
 * Two index heaps over one array of slots: the best on top of one; with a
 * ceiling, the worst on top of the other. About 40 bytes a URL, O(log n).
 */
#ifndef AGENT_LINK_QUEUE_H
#define AGENT_LINK_QUEUE_H

#include "base/buf.h"
#include "base/map.h"

/* How the scores of several parents become one. Same order as the models'
 * option `parents`. */
enum parents { PARENTS_MAX, PARENTS_MEAN, PARENTS_FIRST };
#define PARENTS_CHOICES "max|mean|first"

struct link_slot;

struct link_queue {
    struct link_slot *slots; /* in no order; free ones at the end */
    uint32_t *best, *worst;  /* heaps of slot numbers */
    size_t count, cap;
    size_t max;       /* ceiling; 0: none */
    uint64_t seq;     /* arrivals so far */
    struct map where; /* URL -> slot */
    enum parents parents;
};

void link_queue_init(struct link_queue *q, size_t max, enum parents parents);
void link_queue_clear(struct link_queue *q); /* frees everything */

/* Adds a URL, or joins its score with the one it has. Returns the URL that had
 * to leave for it (perhaps itself), or 0. */
uint32_t link_queue_add(struct link_queue *q, uint32_t url, double score);

/* Takes the best. False when empty. */
bool link_queue_take(struct link_queue *q, uint32_t *ret_url, double *ret_score);

void link_queue_save(const struct link_queue *q, struct buf *out);
enum status link_queue_load(struct link_queue *q, struct cursor *from) MUST_USE;

#endif
