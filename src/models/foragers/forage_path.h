/* forage_path.h - a forager's path from a starting URL: its visits, and
 * where it could go next.
 *
 *     places   every URL met on this path, in the order they were met
 *                open     in the frontier: linked, looked at, not visited
 *                closed   visited, or not to be had
 *     steps    those visited, with what came in at each
 *
 * The best open place is the next step; of equals the one met first. If the weights do
 * not change, the value of a place is computed once and kept in a heap (fixed); if
 * they learn, all open places are valued again each time. Thread: the mind only.
 */
#pragma once

#include "models/foragers/forage_pages.h"
#include "models/foragers/td.h"
#include "models/foragers/weblog.h"
#include "base/heap.h"

struct forage_place {
    uint32_t url;
    uint32_t record; /* of forage_pages; held */
    float value;     /* fixed: the value at the last look */
    bool open;
};

struct forage_step {
    uint32_t url;
    double profit;  /* rewards and penalties */
    double rewards; /* rewards alone */
    bool learned;   /* the transition to it was learned; later gains are late */
    bool revisited; /* the weblog had it when the path ended */
};

struct forage_path {
    uint32_t id;      /* counted from 1 by its forager */
    struct map where; /* hash of a URL -> place */
    struct forage_place *places;
    size_t count, cap;
    size_t open;      /* how many of them are open */
    struct heap best; /* fixed: open places by value, and outdated entries */
    struct forage_step *steps;
    size_t nsteps, steps_cap;
    float *states; /* td_stride(k) for each step, as at that time */
    size_t states_cap;
};

void forage_path_init(struct forage_path *p);
void forage_path_clear(struct forage_path *p, struct forage_pages *pages); /* frees everything */
/* Begins a new path: nothing met, nothing visited. */
void forage_path_begin(struct forage_path *p, struct forage_pages *pages);

/* Ends a path: its steps are kept, its places are not. */
void forage_path_end(struct forage_path *p, struct forage_pages *pages);

/* Visits a URL: adds a step with the present state of its record, and closes its place. */
void forage_path_visit(struct forage_path *p, struct forage_pages *pages, uint32_t url);
const float *forage_path_state(const struct forage_path *p, const struct forage_pages *pages,
                               size_t step); /* counted from 0 */

/* Meets a link: it is open, unless it was met before. Returns false if it was, or if
 * `max` places were met. */
bool forage_path_meet(struct forage_path *p, struct forage_pages *pages, uint32_t url, size_t max);
/* Closes a place that is not available, or was visited under another URL. */
void forage_path_close(struct forage_path *p, uint32_t url);
/* Sets the value of an open place, for weights that do not change. */
void forage_path_value(struct forage_path *p, uint32_t url, float value);

/* Returns the best open place, or 0. */
uint32_t forage_path_best_fixed(struct forage_path *p);
uint32_t forage_path_best(const struct forage_path *p, const struct forage_pages *pages,
                          const struct td *td);

void forage_path_save(const struct forage_path *p, const struct forage_pages *pages,
                      struct buf *out);
/* Loads into an empty path; places without a record get one. It has at most max_steps
 * steps and max_places places. */
enum status forage_path_load(struct forage_path *p, struct forage_pages *pages, size_t max_steps,
                             size_t max_places, bool fixed, struct cursor *from) MUST_USE;
