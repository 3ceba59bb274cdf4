/* weblog.h - good starting URLs, the best first, and how paths change their values.
 *
 * The weblog of Palotai, Farkas and Lorincz, algorithms 1 and 6. After a path, the value
 * of every URL on it is the sum of the gains from its own step to the path's end:
 *
 *     steps      A    B    C          the weblog before    B 40   X 10
 *     profit    -3  100   -1          and after            A 96   B 0.7*40 + 0.3*99 = 57.7
 *     from here 96   99   -1                               X 10   C -1
 *
 * New URLs get the sum, known ones move towards it by beta. Entries are in descending
 * order of value; among equal ones the older comes first. There are never more than `max`;
 * the rest is forgotten. Thread: the mind only.
 */
#pragma once

#include "agent/change_rate.h"
#include "base/buf.h"
#include "base/rng.h"

#define WEBLOG_MAX 1000 /* entries at most, even if more are asked for */

struct weblog_entry {
    uint32_t url;
    uint32_t failures; /* consecutive visits that failed */
    double value;
    int64_t seen_at;         /* when its page was last looked at; 0: not yet */
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
    double gain;    /* the gain at this step */
    bool revisited; /* set by the update: the weblog had it */
};

void weblog_init(struct weblog *w, size_t max);
void weblog_clear(struct weblog *w);

struct weblog_entry *weblog_find(const struct weblog *w, uint32_t url); /* NULL: not in it */
/* Inserts a URL at its rank. Returns false if it is in already, or ranks too low. */
bool weblog_add(struct weblog *w, uint32_t url, double value);
void weblog_remove(struct weblog *w, uint32_t url);

/* Algorithm 1, after a path is over. Without steps it does nothing. */
void weblog_update(struct weblog *w, struct weblog_step *steps, size_t count, double beta);

/* Adds a gain at the last of these steps that arrived after the update: the sum of every step was
 * too small by this gain. URLs no longer in the weblog are not added. */
void weblog_late(struct weblog *w, const struct weblog_step *steps, size_t count, double gain,
                 double beta);

/* The page of a URL was looked at: had it changed since the last look? Does nothing if the
 * weblog does not have the URL. */
void weblog_looked(struct weblog *w, uint32_t url, int64_t now, bool changed);

/* How many of the first `size` URLs there are: paths begin there. */
size_t weblog_starts(const struct weblog *w, size_t size);
/* Draws one of the first `starts`, all equally likely, or in proportion to their estimated rates of
 * change; pages not seen yet count as changing once a day. */
size_t weblog_draw(const struct weblog *w, size_t starts, bool by_rate, struct rng *r);

/* Algorithm 6: half of the entries, drawn at random, move to the (empty) child; of an odd number,
 * the smaller half. With fewer than two, the child gets a copy. */
void weblog_split(struct weblog *w, struct weblog *child, struct rng *r);
void weblog_copy(const struct weblog *w, struct weblog *to);

void weblog_save(const struct weblog *w, struct buf *out);
enum status weblog_load(struct weblog *w, struct cursor *from) MUST_USE; /* after weblog_init() */
