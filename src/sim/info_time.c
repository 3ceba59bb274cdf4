/* info_time.c - how a world moves: changes, births, ends.
 *
 * In: a world with a window of time. Out: struct info_time. A version is a change
 * where its decoded payload differs from the one before, stamps of version
 * control masked (web_bare_hash(), as a simulated web judges it).
 *
 * Workload: once a call; every version of a page that has several is read: some
 * 10,000 a second.
 * SPDX-License-Identifier: MIT
 */
#include "base/os/clock.h"
#include "base/limits.h"
#include "base/mem.h"
#include "sim/archived.h"
#include "sim/info.h"
#include "sim/web/read.h"

#include <math.h>
#include <stdlib.h>

#define DAY ((double)US_PER_S * 86400)

/* What is known of a page so far, versions read in order of time. */
struct page_life {
    uint32_t versions; /* of the whole world */
    uint32_t seen;     /* of them */
    uint32_t changes;
    uint64_t last; /* bare hash of the last one seen */
    int64_t since; /* it is there since; INT64_MIN: it is not */
};

struct watcher {
    const struct world *world;
    struct archived answer;
    struct buf bare;
    struct arena memory;
    struct page_life *lives; /* by page */
    const struct world_end *ends;
    uint32_t nends, next_end;
    struct info_time *t;
};

/* The hash of a version's payload without stamps; 0 where it cannot be read. */
static uint64_t bare_hash(struct watcher *w, uint32_t version)
{
    struct str payload;

    arena_reset(&w->memory);
    if (archived_read(&w->answer, version, &w->memory) != ST_OK ||
        !archived_decode(&w->answer, &payload))
        return 0;
    return web_bare_hash(payload, &w->bare);
}

static int64_t inside(const struct info_time *t, int64_t at)
{
    return at < t->begin ? t->begin : at > t->end ? t->end : at;
}

static void stop_life(struct watcher *w, struct page_life *l, int64_t at)
{
    if (l->since != INT64_MIN)
        w->t->page_days += (double)(inside(w->t, at) - inside(w->t, l->since)) / DAY;
    l->since = INT64_MIN;
}

/* Ends up to a moment. */
static void pass_ends(struct watcher *w, int64_t until)
{
    for (; w->next_end < w->nends && w->ends[w->next_end].at <= until; w->next_end++) {
        const struct world_end *e = &w->ends[w->next_end];

        if (e->entry >= world_pages(w->world))
            continue;
        w->t->gone += w->lives[e->entry].since != INT64_MIN && e->at > w->t->begin;
        stop_life(w, &w->lives[e->entry], e->at);
    }
}

static void see(struct watcher *w, uint32_t version)
{
    const struct world_version *v = world_version(w->world, version);
    struct page_life *l = &w->lives[v->entry];
    uint64_t hash = l->versions > 1 ? bare_hash(w, version) : 0;

    pass_ends(w, v->at - 1);
    w->t->versions++;
    w->t->born += l->seen == 0 && v->at > w->t->begin;
    w->t->modified += l->seen > 0;
    l->changes += l->seen > 0 && hash != l->last;
    l->since = l->since == INT64_MIN ? v->at : l->since;
    l->last = hash;
    l->seen++;
}

static void sum_up(struct watcher *w)
{
    struct info_time *t = w->t;
    uint32_t pages = world_pages(w->world), still = 0;

    pass_ends(w, INT64_MAX);
    for (uint32_t i = 0; i < pages; i++) {
        stop_life(w, &w->lives[i], t->end);
        t->changes += w->lives[i].changes;
        still += w->lives[i].changes == 0;
    }
    t->changes_a_day = t->page_days > 0 ? t->changes / t->page_days : NAN;
    t->never_changing = pages ? (double)still / pages : NAN;
}

enum status info_time(const struct world *world, struct info_time *ret)
{
    struct info_time t = {.moves = false};
    struct watcher w = {.world = world, .t = &t};

    t.moves = world_moves(world, &t.begin, &t.end);
    *ret = (struct info_time){.moves = false};
    if (!t.moves)
        return ST_OK;
    archived_init(&w.answer, world);
    w.bare = BUF_INIT(LIMIT_DECODED);
    arena_init(&w.memory, MIB(1));
    w.lives = mem_zero((size_t)world_pages(world) + 1, sizeof *w.lives);
    w.ends = world_ends(world, &w.nends);
    for (uint32_t i = 0; i < world_pages(world); i++)
        w.lives[i].since = INT64_MIN;
    for (uint32_t v = 0; v < world_versions(world) && world_version(world, v)->page; v++)
        w.lives[world_version(world, v)->entry].versions++;
    for (uint32_t v = 0; v < world_versions(world) && world_version(world, v)->page; v++)
        see(&w, v);
    sum_up(&w);
    archived_clear(&w.answer);
    buf_free(&w.bare);
    arena_free(&w.memory);
    free(w.lives);
    *ret = t;
    return ST_OK;
}
