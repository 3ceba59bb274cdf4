/* weblog.h - URLs worth starting from, the best first, and how paths change them.
 *
 * The weblog of Palotai, Farkas and Lorincz, algorithms 1 and 6. After a path every
 * URL on it is worth what came in from its own step to the path's end:
 *
 *     steps      A    B    C          the weblog before    B 40   X 10
 *     profit    -3  100   -1          and after            A 96   B 0.7*40 + 0.3*99 = 57.7
 *     from here 96   99   -1                               X 10   C -1
 *
 * New URLs get the sum, known ones move towards it by beta. Descending by value; of
 * equals the one that came first stands first. Never more than `max`; what falls off
 * the end is forgotten. Thread: the mind only.
 */
#pragma once

#include "agent/change_rate.h"
#include "base/buf.h"
#include "base/rng.h"

#define WEBLOG_MAX 1000 /* entries at most, whatever is asked for */

struct weblog_entry {
    uint32_t url;
    uint32_t failures; /* visits in a row that came to nothing */
    double value;
    int64_t seen_at;         /* its page was last looked at; 0: not yet */
    struct change_seen seen; /* how often it had changed */
};

struct weblog {
    struct weblog_entry *entries; /* descending by value */
    size_t count, cap;
    size_t max; /* WEBLOG_SIZE */
};

/* A step of a path, for the update. */
struct weblog_step {
    uint32_t url;
    double gain;    /* what came in at this step */
    bool revisited; /* written by the update: the weblog had it */
};

void weblog_init(struct weblog *w, size_t max);
void weblog_clear(struct weblog *w);

struct weblog_entry *weblog_find(const struct weblog *w, uint32_t url); /* NULL: not in it */
/* Puts a URL in at its rank. False: it is in already, or ranks too low. */
bool weblog_add(struct weblog *w, uint32_t url, double value);
void weblog_remove(struct weblog *w, uint32_t url);

/* Algorithm 1, when a path is over. No steps: nothing happens. */
void weblog_update(struct weblog *w, struct weblog_step *steps, size_t count, double beta);

/* A gain at the last one of these steps that came after the update: the sum of
 * every one of them was too small by it. What is no longer in the weblog stays out. */
void weblog_late(struct weblog *w, const struct weblog_step *steps, size_t count, double gain,
                 double beta);

/* The page of a URL was looked at: had it changed since the last look? Nothing happens
 * where the weblog does not have it. */
void weblog_looked(struct weblog *w, uint32_t url, int64_t now, bool changed);

/* The first `size` URLs are where paths begin. */
size_t weblog_starts(const struct weblog *w, size_t size);
/* One of the first `starts`, each as likely as any, or in proportion to its estimated
 * rate of change; unknown ones as if they changed once a day. */
size_t weblog_draw(const struct weblog *w, size_t starts, bool by_rate, struct rng *r);

/* Algorithm 6: half of the entries, drawn at random, go to the (empty) child; of an
 * odd number the smaller half. Of fewer than two the child gets a copy. */
void weblog_split(struct weblog *w, struct weblog *child, struct rng *r);
void weblog_copy(const struct weblog *w, struct weblog *to);

void weblog_save(const struct weblog *w, struct buf *out);
enum status weblog_load(struct weblog *w, struct cursor *from) MUST_USE; /* after weblog_init() */
