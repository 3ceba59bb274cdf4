/* forage_path.h - a forager's way from a starting URL: what it visited, and what it
 * could visit next.
 *
 *     places   every URL met on this path, in the order they were met
 *                open     in the frontier: linked, looked at, not visited
 *                closed   visited, or not to be had
 *     steps    those visited, with what came in at each
 *
 * The best open place is the next step; of equals the one met first. With weights that
 * do not change its value is computed once and kept in a heap (fixed); with weights
 * that learn all open ones are valued again each time. Thread: the mind only.
 */
#pragma once

#include "models/foragers/forage_pages.h"
#include "models/foragers/td.h"
#include "models/foragers/weblog.h"
#include "base/heap.h"

struct forage_place {
    uint32_t url;
    uint32_t record; /* of forage_pages; held */
    float value;     /* fixed: when it was looked at last */
    bool open;
};

struct forage_step {
    uint32_t url;
    double profit;  /* rewards and penalties */
    double rewards; /* rewards alone */
    bool learned;   /* the transition to it is; what comes in now is late */
    bool revisited; /* the weblog had it when the path was over */
};

struct forage_path {
    uint32_t id;      /* counted from 1 by its forager */
    struct map where; /* hash of a URL -> place */
    struct forage_place *places;
    size_t count, cap;
    size_t open;      /* of them */
    struct heap best; /* fixed: open places by value; outdated ones too */
    struct forage_step *steps;
    size_t nsteps, steps_cap;
    float *states; /* td_stride(k) a step, as it was then */
    size_t states_cap;
};

void forage_path_init(struct forage_path *p);
void forage_path_clear(struct forage_path *p, struct forage_pages *pages); /* frees everything */
/* A new path: nothing met, nothing visited. */
void forage_path_begin(struct forage_path *p, struct forage_pages *pages);

/* It is over: its steps are kept, its places are not. */
void forage_path_end(struct forage_path *p, struct forage_pages *pages);

/* It is visited: a step, with the state its record has now; its place is closed. */
void forage_path_visit(struct forage_path *p, struct forage_pages *pages, uint32_t url);
const float *forage_path_state(const struct forage_path *p, const struct forage_pages *pages,
                               size_t step); /* counted from 0 */

/* A link: open, unless it was met before. False: it was, or `max` places are met. */
bool forage_path_meet(struct forage_path *p, struct forage_pages *pages, uint32_t url, size_t max);
/* Not to be had, or visited under another name. */
void forage_path_close(struct forage_path *p, uint32_t url);
/* What an open place is worth to weights that stay as they are. */
void forage_path_value(struct forage_path *p, uint32_t url, float value);

/* The best open place; 0: none. */
uint32_t forage_path_best_fixed(struct forage_path *p);
uint32_t forage_path_best(const struct forage_path *p, const struct forage_pages *pages,
                          const struct td *td);

void forage_path_save(const struct forage_path *p, const struct forage_pages *pages,
                      struct buf *out);
/* Into an empty one; places without a record make one. `most` steps and places at most. */
enum status forage_path_load(struct forage_path *p, struct forage_pages *pages, size_t max_steps,
                             size_t max_places, bool fixed, struct cursor *from) MUST_USE;
