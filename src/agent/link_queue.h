/* link_queue.h - URLs that wait for a visit, best score first.
 *
 * A URL waits at most once; when it is found again on another page, the scores
 * of its parents are joined. Ties leave in order of arrival, so results do not
 * depend on the layout. With a ceiling, the worst leaves when a better comes.
 *
 * A heap with the best on top; with a ceiling a second one with the worst on
 * top. Adding a URL that waits and keeps its score costs two looks into memory.
 */
#pragma once

#include "agent/url_heap.h"
#include "base/buf.h"

/* How the scores of several parents become one. Same order as the models'
 * option `parents`. */
enum parents { PARENTS_MAX, PARENTS_MEAN, PARENTS_FIRST };
#define PARENTS_CHOICES "max|mean|first"

struct link_mean;

struct link_queue {
    struct url_heap best;
    struct url_heap worst; /* the same with every key negated; only with a ceiling */
    size_t count;
    size_t max;              /* ceiling; 0: none */
    uint64_t seq;            /* arrivals so far */
    uint32_t page;           /* link_queue_page() so far; 0: every link has a page of its own */
    struct link_mean *means; /* by URL; only with PARENTS_MEAN */
    size_t means_cap;
    enum parents parents;
};

void link_queue_init(struct link_queue *q, size_t max, enum parents parents);
void link_queue_clear(struct link_queue *q); /* frees everything */

/* Links added from now on stand on one page: those to the same URL are one parent,
 * with the best of their scores. */
static inline void link_queue_page(struct link_queue *q)
{
    q->page++;
}

/* Adds a URL, or joins its score with the one it has. Returns the URL that had
 * to leave for it (perhaps itself), or 0. */
uint32_t link_queue_add(struct link_queue *q, uint32_t url, double score);

/* Gives a URL this score, whatever it had; `anew`: as if it came just now, behind
 * its equals. Returns the same. Not with PARENTS_MEAN. */
uint32_t link_queue_set(struct link_queue *q, uint32_t url, double score, bool anew);

static inline bool link_queue_has(const struct link_queue *q, uint32_t url)
{
    return url_heap_find(&q->best, url) != NULL;
}

/* Takes the best. False when empty. */
bool link_queue_take(struct link_queue *q, uint32_t *ret_url, double *ret_score);

void link_queue_save(const struct link_queue *q, struct buf *out);
enum status link_queue_load(struct link_queue *q, struct cursor *from) MUST_USE;
