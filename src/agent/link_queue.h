/* link_queue.h - URLs that wait for a visit, best score first.
 *
 * A URL waits at most once; if it is found again on another page, the scores of its parents
 * are joined. Links of equal score leave in order of arrival, so results do not depend on
 * the layout. With a ceiling, the worst link leaves when a better one comes.
 *
 * If the engine has hosts (model.h, late choices), links are kept by host: each host has a
 * heap with its best link on top. The engine is told of the best link (link_queue_wishes),
 * and asks for it when the host may be asked. Otherwise all links are in the heap of host
 * 0. With a ceiling there is a second heap, with the worst link of all on top. Adding a URL
 * that waits and keeps its score costs two memory accesses. Links of equal score cost no
 * more than a list: first in, first out.
 *
 * A waiting link takes 13 bytes (link_items.h): 8 in its host's heap, 4 for its place there, and
 * half a byte for its turn.
 */
#pragma once

#include "agent/model.h"
#include "agent/link_items.h"
#include "base/buf.h"
#include "base/heap.h"
#include "base/parts.h"

/* How the scores of several parents become one, in the order of the models' option `parents`. */
enum parents { PARENTS_MAX, PARENTS_MEAN, PARENTS_FIRST };
#define PARENTS_CHOICES "max|mean|first"

struct link_mean;
struct score_ranks;

struct link_queue {
    const struct model_ctx *ctx; /* knows the hosts; NULL: all links are of host 0 */
    struct link_items *hosts;    /* by number */
    size_t nhosts;
    struct link_places places;
    uint32_t *changed; /* hosts whose best link the engine does not know yet */
    size_t nchanged, changed_cap;
    struct heap worst; /* all links, the worst first; only with a ceiling */
    struct heap_index worst_at;
    struct score_ranks *ranks; /* only by host, and where scores differ */
    double only;               /* without ranks: the key of all links */
    size_t count;
    size_t max;              /* ceiling; 0: none */
    uint64_t seq;            /* arrivals so far */
    uint64_t found, taken;   /* URLs that were queued, and URLs that were chosen */
    uint32_t page;           /* link_queue_page() so far; 0: every link has a page of its own */
    struct link_mean *means; /* by URL; only with PARENTS_MEAN */
    size_t means_cap;
    enum parents parents;
    bool in_parts;      /* it is saved in parts */
    bool coarse;        /* the parts that are loaded have PARTS_ROWS links, not PARTS_FINE */
    struct parts dirty; /* parts that changed since they were saved, by URL */
    size_t awaited;     /* links expected while parts are loaded */
};

/* With `ctx`, links are kept by its hosts; with NULL, in one heap. */
void link_queue_init(struct link_queue *q, const struct model_ctx *ctx, size_t max,
                     enum parents parents);
void link_queue_clear(struct link_queue *q); /* frees everything */

/* Links added from now on are on one page: those to the same URL count as one parent, with
 * the best of their scores. */
static inline void link_queue_page(struct link_queue *q)
{
    q->page++;
}

/* Adds a URL, or joins its score with the one it has. Returns the URL that had to leave for
 * it, or 0. That may be the URL itself, also if the engine has no host for it. A score that
 * is not a number counts as 0. */
uint32_t link_queue_add(struct link_queue *q, uint32_t url, double score);

/* Gives a URL this score, whatever it had. With `as_new` it counts as just arrived, after links of
 * equal score. Returns the same as link_queue_add(). Not for PARENTS_MEAN. */
uint32_t link_queue_set(struct link_queue *q, uint32_t url, double score, bool as_new);

static inline bool link_queue_has(const struct link_queue *q, uint32_t url)
{
    return heap_has(&q->places.at, url);
}

/* Gives a waiting link: id is its URL, key its negated score. Returns false if it does not wait. */
bool link_queue_find(const struct link_queue *q, uint32_t url, struct heap_item *ret);

/* The i-th link of host 0, which has all links if they are not kept by host: the best first, the
 * others in no particular order. */
struct heap_item link_queue_nth(const struct link_queue *q, size_t i);

/* The best link of a host; its id is 0 if there is none. */
struct heap_item link_queue_best(const struct link_queue *q, uint32_t host);

/* Gives the best links of a host, in order, at most LINK_QUEUE_FRONT. Returns how many. */
#define LINK_QUEUE_FRONT 16
size_t link_queue_front(const struct link_queue *q, uint32_t host, struct heap_item *ret,
                        size_t max);

/* Returns the best links of all hosts, in no particular order: as many classes of scores as
 * have at most `most` links in total, where scores within 0.8 % of each other are one
 * class. The caller frees them. */
uint32_t *link_queue_best_of_all(const struct link_queue *q, size_t most, size_t *ret_count);

/* Takes a waiting link out. Returns its score. */
double link_queue_pick(struct link_queue *q, uint32_t url);

/* Takes the best link of a host. Returns false if the host has none. */
bool link_queue_take(struct link_queue *q, uint32_t host, uint32_t *ret_url, double *ret_score);

/* Takes all links out, the best first; the caller frees them. */
struct heap_item *link_queue_drain(struct link_queue *q, size_t *ret_count);

/* Tells the engine the best link of every host where it has changed. */
void link_queue_wishes(struct link_queue *q);

/* Gives the next of these hosts, for models that tell the engine more. Returns false
 * if none is left. */
bool link_queue_changed(struct link_queue *q, uint32_t *ret_host);

/* The score below which no link is worth a visit while `left` more pages are wanted.
 * Suppose that pages go on to bring as many links as so far. Then a share w of the links
 * that will wait is wanted, and a share a of all links since the first page. The bound is
 * the score of the best (w a)^(e/2) of the waiting links, where e is patience / (1 -
 * patience): all of them for 0, the wanted share for 1/2, only the best for 1. With w
 * alone, the bound would be too low for the first pages and too high for the last ones. */
float link_queue_bound(const struct link_queue *q, uint64_t left, double patience);

/* The same where scores are probabilities. A link that is likely enough to pay off is worth a
 * visit even if better ones wait at other hosts: it must be among the best R/10 links, where R
 * pages are left, and have a score of at least patience^4 (0.24 for 0.7). On generated worlds
 * with many hosts, a model with distinct scores takes a third of the time for the same recall,
 * and loses little if pages are scarce. */
#define SURE_PART  10
#define SURE_POWER 4
float link_queue_sure_bound(const struct link_queue *q, uint64_t left, double patience);

/* Queues saved by versions that chose ahead can be loaded, too. Models of those versions saved more
 * before the queue: is the next item a queue in the present format? */
bool link_queue_is_next(struct cursor from);
void link_queue_save(const struct link_queue *q, struct buf *out);
enum status link_queue_load(struct link_queue *q, struct cursor *from) MUST_USE;

/* Saves and loads the queue in parts (model_ops.parts). Then link_queue_save() saves
 * only the figures. */
void link_queue_save_parts(struct link_queue *q, struct buf *out);
enum status link_queue_load_part(struct link_queue *q, uint32_t number,
                                 struct cursor *from) MUST_USE;
enum status link_queue_loaded(struct link_queue *q) MUST_USE;
