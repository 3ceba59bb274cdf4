/* timeline.c - the answers of a world that moves, at any moment.
 *
 * Versions of one entry stand together, in order of time; so do the moments at which
 * it disappeared. Workload: some requests a second, a few versions each, so the search begins at
 * the last one. SPDX-License-Identifier: MIT */
#include "sim/serve/timeline.h"

#include "base/mem.h"
#include "base/order.h"

#include <stdlib.h>

struct moment {
    int64_t at;
    uint32_t what; /* version, or index of the end */
};

/* Rows of moments: those of entry i are at [off[i], off[i + 1]). */
struct moment_rows {
    uint32_t *off;
    struct moment *items;
};

struct timeline {
    const struct world *world;
    const struct world_end *all_ends;
    int64_t begin, end;
    struct moment_rows versions, ends;
};

typedef bool moment_fn(const struct timeline *t, uint32_t i, uint32_t *ret_entry, int64_t *ret_at);

static bool version_moment(const struct timeline *t, uint32_t i, uint32_t *ret_entry,
                           int64_t *ret_at)
{
    const struct world_version *v = world_version(t->world, i);

    *ret_entry = v->entry;
    *ret_at = v->at;
    return v->page > 0;
}

static bool end_moment(const struct timeline *t, uint32_t i, uint32_t *ret_entry, int64_t *ret_at)
{
    *ret_entry = t->all_ends[i].entry;
    *ret_at = t->all_ends[i].at;
    return true;
}

ORDER(by_time, struct moment, UP(at) ?: UP(what))

static void rows_fill(struct moment_rows *r, const struct timeline *t, uint32_t count,
                      moment_fn *fn)
{
    uint32_t entries = world_count(t->world), entry;
    uint32_t *at;
    int64_t when;

    r->off = mem_zero((size_t)entries + 2, sizeof *r->off);
    r->items = mem_zero((size_t)count + 1, sizeof *r->items);
    for (uint32_t i = 0; i < count; i++)
        if (fn(t, i, &entry, &when))
            r->off[entry + 1]++;
    for (uint32_t e = 0; e < entries; e++)
        r->off[e + 1] += r->off[e];
    at = mem_zero((size_t)entries + 1, sizeof *at);
    for (uint32_t i = 0; i < count; i++)
        if (fn(t, i, &entry, &when))
            r->items[r->off[entry] + at[entry]++] = (struct moment){when, i};
    for (uint32_t e = 0; e < entries; e++)
        if (at[e] > 1)
            qsort(r->items + r->off[e], at[e], sizeof *r->items, by_time);
    free(at);
}

/* The last of an entry's row that lies not behind the moment; NULL: none. */
static const struct moment *last_until(const struct moment_rows *r, uint32_t entry, int64_t moment)
{
    for (uint32_t i = r->off[entry + 1]; i > r->off[entry]; i--)
        if (r->items[i - 1].at <= moment)
            return &r->items[i - 1];
    return NULL;
}

struct timeline *timeline_new(const struct world *w)
{
    struct timeline *t = MEM_NEW(struct timeline);
    uint32_t ends;

    t->world = w;
    if (!world_moves(w, &t->begin, &t->end)) {
        free(t);
        return NULL;
    }
    t->all_ends = world_ends(w, &ends);
    rows_fill(&t->versions, t, world_versions(w), version_moment);
    rows_fill(&t->ends, t, ends, end_moment);
    return t;
}

void timeline_free(struct timeline *t)
{
    if (t == NULL)
        return;
    free(t->versions.off);
    free(t->versions.items);
    free(t->ends.off);
    free(t->ends.items);
    free(t);
}

uint32_t timeline_at(const struct timeline *t, uint32_t entry, int64_t moment, int *ret_status)
{
    const struct world_entry *e = world_entry(t->world, entry);
    const struct moment *version, *end;

    *ret_status = e->status;
    if (e->page == 0)
        return e->version;
    version = last_until(&t->versions, entry, moment);
    end = last_until(&t->ends, entry, moment);
    if (version && (end == NULL || end->at < version->at))
        return version->what;
    *ret_status = end ? t->all_ends[end->what].status : 404;
    return WORLD_NONE;
}

int64_t timeline_moment(const struct timeline *t, int64_t passed, double speed)
{
    double moment = (double)t->begin + (double)passed * speed;

    return moment < (double)t->end ? (int64_t)moment : t->end;
}
