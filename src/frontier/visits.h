/* visits.h - the open visits: choices that were added and have not ended.
 *
 * It is a pool with a free list. A visit keeps its number from frontier_add()
 * to its end, waiting or under way. All visits are in one list, oldest first,
 * which is the order of a checkpoint.
 */
#pragma once

#include "base/map.h"
#include "flow.h"

/* The verdict of rules on a visit, made before the rules left memory (rules.c). */
enum said { SAID_NOTHING, SAID_YES, SAID_NO };

struct visit {
    struct choice choice;
    int64_t since;       /* when it began to wait */
    uint32_t prev, next; /* in the list of open visits; 0 at its ends */
    uint8_t hop;         /* redirects followed */
    uint8_t attempt;     /* tries that failed */
    bool flying;         /* under way */
    bool counts;         /* under way, and charged to the host's budget */
    uint8_t said;        /* enum said: by rules that have left memory */
};

struct visits {
    struct visit *all;          /* from 1 */
    size_t count, cap;          /* numbers used; allocated */
    uint32_t open;              /* visits in the list */
    uint32_t flying;            /* of these, under way */
    uint32_t first, last, free; /* ends of the list; free numbers by `next` */
    struct map by_url;          /* of those under way */
};

void visits_init(struct visits *v);
void visits_free(struct visits *v);

/* Adds a visit at the end of the list and returns its number. */
uint32_t visits_add(struct visits *v, const struct choice *c, uint8_t hop, uint8_t attempt);
void visits_remove(struct visits *v, uint32_t id);

static inline struct visit *visits_at(const struct visits *v, uint32_t id)
{
    return &v->all[id];
}

/* The visit is sent, and comes back. */
void visits_fly(struct visits *v, uint32_t id);
void visits_land(struct visits *v, uint32_t id);

/* The visit that is under way for a URL, or 0. */
uint32_t visits_find(const struct visits *v, uint32_t url);

size_t visits_bytes(const struct visits *v);
