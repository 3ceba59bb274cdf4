/* link_queue.h - URLs that wait for a visit, best score first.
 *
 * A URL waits at most once; when it is found again on another page, the scores
 * of its parents are joined. Ties leave in order of arrival, so results do not
 * depend on the layout. With a ceiling, the worst leaves when a better comes.
 *
 * Links are kept by host where the engine knows hosts (model.h, late choices): a heap
 * a host with its best on top, which the engine gets to know (link_queue_wishes) and
 * which it asks for when that host may be asked. Otherwise all stand in the heap of
 * host 0. With a ceiling there is a second heap, with the worst of all on top. Adding a
 * URL that waits and keeps its score costs two looks into memory. Links of equal score cost
 * no more than a list: first in, first out.
 */
#pragma once

#include "agent/model.h"
#include "base/buf.h"
#include "base/heap.h"
#include "base/parts.h"

/* How the scores of several parents become one. Same order as the models'
 * option `parents`. */
enum parents { PARENTS_MAX, PARENTS_MEAN, PARENTS_FIRST };
#define PARENTS_CHOICES "max|mean|first"

struct link_mean;
struct host_links;
struct score_ranks;

struct link_queue {
    const struct model_ctx *ctx; /* whose hosts; NULL: all links are of host 0 */
    struct host_links *hosts;    /* by number */
    size_t nhosts;
    struct heap_index at; /* URL -> its place in its host's heap */
    uint32_t *changed;    /* hosts with another best link than the engine knows */
    size_t nchanged, changed_cap;
    struct heap worst; /* all links, the worst first; only with a ceiling */
    struct heap_index worst_at;
    struct score_ranks *ranks; /* only by host, and where scores differ */
    double only;               /* no ranks: the key of all */
    size_t count;
    size_t max;              /* ceiling; 0: none */
    uint64_t seq;            /* arrivals so far */
    uint64_t found, taken;   /* URLs that came to wait, and that were chosen */
    uint32_t page;           /* link_queue_page() so far; 0: every link has a page of its own */
    struct link_mean *means; /* by URL; only with PARENTS_MEAN */
    size_t means_cap;
    enum parents parents;
    bool in_parts;      /* it is saved in parts */
    struct parts dirty; /* parts that changed since, by URL */
    size_t awaited;     /* links, while parts are loaded */
};

/* `ctx`: links are kept by its hosts; NULL: in one heap. */
void link_queue_init(struct link_queue *q, const struct model_ctx *ctx, size_t max,
                     enum parents parents);
void link_queue_clear(struct link_queue *q); /* frees everything */

/* Links added from now on stand on one page: those to the same URL are one parent,
 * with the best of their scores. */
static inline void link_queue_page(struct link_queue *q)
{
    q->page++;
}

/* Adds a URL, or joins its score with the one it has. Returns the URL that had
 * to leave for it (perhaps itself: also where the engine has no host for it), or 0. A score
 * that is no number counts as 0. */
uint32_t link_queue_add(struct link_queue *q, uint32_t url, double score);

/* Gives a URL this score, whatever it had; `as_new`: as if it came just now, behind
 * its equals. Returns the same. Not with PARENTS_MEAN. */
uint32_t link_queue_set(struct link_queue *q, uint32_t url, double score, bool as_new);

static inline bool link_queue_has(const struct link_queue *q, uint32_t url)
{
    return heap_has(&q->at, url);
}

/* A link that waits: id is its URL, key its score negated. NULL: it does not. Lent until the
 * next change. */
const struct heap_item *link_queue_find(const struct link_queue *q, uint32_t url);

/* The heap of host 0: all links, where they are not kept by host. Lent. */
const struct heap *link_queue_heap(const struct link_queue *q);

/* The best of a host, as link_queue_find() gives it. */
const struct heap_item *link_queue_best(const struct link_queue *q, uint32_t host);

/* The best of a host, in order; at most LINK_QUEUE_FRONT. Returns how many. */
#define LINK_QUEUE_FRONT 16
size_t link_queue_front(const struct link_queue *q, uint32_t host, struct heap_item *ret,
                        size_t max);

/* The best of all hosts, in no order: those whose scores no more than `most` links have or exceed,
 * where scores within 0.8 % of each other are equal. The caller frees them. */
uint32_t *link_queue_best_of_all(const struct link_queue *q, size_t most, size_t *ret_count);

/* Takes a link that waits. Returns its score. */
double link_queue_pick(struct link_queue *q, uint32_t url);

/* Takes the best of a host. False: it has none. */
bool link_queue_take(struct link_queue *q, uint32_t host, uint32_t *ret_url, double *ret_score);

/* Takes all, the best first; the caller frees them. */
struct heap_item *link_queue_drain(struct link_queue *q, size_t *ret_count);

/* Gives the engine the best link of every host where it has changed. */
void link_queue_wishes(struct link_queue *q);

/* The next of these hosts, for models that have more to say of it; false: none is left. */
bool link_queue_changed(struct link_queue *q, uint32_t *ret_host);

/* The score below which nothing is worth a visit while `left` more pages are wanted. Of all
 * links that will be known by then, if a page goes on to bring as many as it did so far, a
 * share is wanted: of those that wait the part w, of all from the first page on the part a.
 * A link counts that is among the best (w a)^(e/2) of those that wait, where e is
 * patience / (1 - patience): all for 0, the wanted share for 1/2, only the best for 1. The
 * part w alone would make the first pages cheap and the last ones dear. */
float link_queue_bound(const struct link_queue *q, uint64_t left, double patience);

/* The same where scores are probabilities. A link that is likely enough to pay off is worth a
 * visit even if better ones wait at other hosts: it must be among the best R/10 links, where R
 * pages are left, and have a score of at least patience^4 (0.24 for 0.7). On made worlds of many
 * hosts, a model with sharp scores takes a third of the time for the same recall, and loses
 * little where pages are scarce. */
#define SURE_PART  10
#define SURE_POWER 4
float link_queue_sure_bound(const struct link_queue *q, uint64_t left, double patience);

/* Queues that were saved by versions that chose ahead can be loaded too. Models of those
 * versions saved more before the queue: is what comes next a queue as it is saved now? */
bool link_queue_is_next(struct cursor from);
void link_queue_save(const struct link_queue *q, struct buf *out);
enum status link_queue_load(struct link_queue *q, struct cursor *from) MUST_USE;

/* The same in parts (model_ops.parts): of what is saved then, link_queue_save() has only the
 * figures. */
void link_queue_save_parts(struct link_queue *q, struct buf *out);
enum status link_queue_load_part(struct link_queue *q, uint32_t number,
                                 struct cursor *from) MUST_USE;
enum status link_queue_loaded(const struct link_queue *q) MUST_USE;
