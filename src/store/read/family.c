/* family.c - the family tree of a crawl's agents, with the best find of each.
 * SPDX-License-Identifier: MIT */
#include "store/read/family.h"

#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/order.h"

#include <stdlib.h>

/* ---- reading ------------------------------------------------------------- */

uint32_t family_find(const struct family *f, uint32_t id)
{
    uint32_t place = map_get(&f->places, hash_u64(id));

    return place == MAP_NONE ? FAMILY_NONE : place;
}

static enum status keep_str(struct family *f, struct str *s)
{
    *s = arena_str(&f->strings, *s);
    return f->strings.full ? status_fail(ST_LIMIT, "there are too many agents for one tree")
                           : ST_OK;
}

static enum status add_agent(void *ctx, const struct query_agent *agent)
{
    struct family *f = ctx;
    struct family_member m = {.agent = *agent, .shown = true};

    TRY(keep_str(f, &m.agent.name));
    TRY(keep_str(f, &m.agent.kind));
    TRY(keep_str(f, &m.agent.death));
    MEM_GROW(f->members, f->count, &f->cap);
    f->members[f->count++] = m;
    return ST_OK;
}

static enum status add_find(void *ctx, uint32_t agent, uint32_t page, double rank)
{
    struct family *f = ctx;
    uint32_t i = family_find(f, agent);
    struct family_member *m = i == FAMILY_NONE ? NULL : &f->members[i];

    if (m && m->best_page == 0) {
        m->best_page = page;
        m->best = rank;
    }
    return ST_OK;
}

static int by_generation(const void *a, const void *b)
{
    const struct query_agent *x = &((const struct family_member *)a)->agent;
    const struct query_agent *y = &((const struct family_member *)b)->agent;

    if (x->generation != y->generation)
        return x->generation < y->generation ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

/* Gives every agent a place, and then a parent. */
static void place(struct family *f)
{
    if (f->count)
        qsort(f->members, f->count, sizeof *f->members, by_generation);
    for (uint32_t i = 0; i < f->count; i++)
        map_set(&f->places, hash_u64(f->members[i].agent.id), i);
    for (uint32_t i = 0; i < f->count; i++) {
        uint32_t of = f->members[i].agent.parent, at = of ? family_find(f, of) : FAMILY_NONE;

        f->members[i].parent = at < i ? at : FAMILY_NONE;
    }
}

/* Appends a member to its siblings. */
static void put_last(struct family *f, uint32_t i)
{
    struct family_member *m = &f->members[i];
    uint32_t *first = m->parent == FAMILY_NONE ? &f->first : &f->members[m->parent].first_child;
    uint32_t *last = m->parent == FAMILY_NONE ? &f->last : &f->members[m->parent].last_child;

    if (*first == FAMILY_NONE)
        *first = i;
    else
        f->members[*last].next_sibling = i;
    *last = i;
}

/* Parents come before their children: depths are computed in ascending order, sums in descending
 * order. */
static void tie(struct family *f)
{
    f->first = f->last = FAMILY_NONE;
    for (uint32_t i = 0; i < f->count; i++) {
        struct family_member *m = &f->members[i];

        m->first_child = m->last_child = m->next_sibling = FAMILY_NONE;
        m->depth = m->parent == FAMILY_NONE ? 0 : f->members[m->parent].depth + 1;
        m->descendants = 0;
        m->pages_below = 0;
        put_last(f, i);
    }
    for (uint32_t i = f->count; i-- > 0;) {
        const struct family_member *m = &f->members[i];

        if (m->parent == FAMILY_NONE)
            continue;
        f->members[m->parent].descendants += m->descendants + 1;
        f->members[m->parent].pages_below += m->pages_below + m->agent.pages;
    }
}

static void mark_away(void *ctx, uint32_t agent)
{
    const struct family *f = ctx;
    uint32_t place = family_find(f, agent);

    if (place != FAMILY_NONE)
        f->members[place].away = f->members[place].agent.died_at == 0;
}

enum status family_load(struct query *q, struct family *ret)
{
    enum status st;

    *ret = (struct family){.first = FAMILY_NONE, .last = FAMILY_NONE};
    arena_init(&ret->strings, LIMIT_FAMILY_NAMES);
    map_init(&ret->places);
    st = query_agents(q, add_agent, ret);
    if (st == ST_OK)
        place(ret);
    if (st == ST_OK)
        st = query_all_finds(q, add_find, ret);
    if (st == ST_OK)
        st = query_away(q, mark_away, ret);
    if (st == ST_OK)
        tie(ret);
    else
        family_clear(ret);
    return st;
}

void family_clear(struct family *f)
{
    free(f->members);
    map_free(&f->places);
    arena_free(&f->strings);
    *f = (struct family){.first = FAMILY_NONE, .last = FAMILY_NONE};
}

/* ---- shaping ------------------------------------------------------------- */

void family_show_living(struct family *f)
{
    for (uint32_t i = 0; i < f->count; i++)
        f->members[i].shown = f->members[i].agent.died_at == 0 && !f->members[i].away;
    for (uint32_t i = f->count; i-- > 0;)
        if (f->members[i].shown && f->members[i].parent != FAMILY_NONE)
            f->members[f->members[i].parent].shown = true;
}

/* A sibling, and how many pages it and its descendants fetched. */
struct branch {
    uint32_t member;
    uint64_t pages;
};

ORDER(by_size, struct branch, DOWN(pages) ?: UP(member))

static void show_some(struct family *f, uint32_t first, uint32_t n, struct branch *room)
{
    size_t count = 0;

    for (uint32_t i = first; i != FAMILY_NONE; i = f->members[i].next_sibling)
        room[count++] = (struct branch){i, f->members[i].agent.pages + f->members[i].pages_below};
    if (count > n)
        qsort(room, count, sizeof *room, by_size);
    for (size_t i = n; i < count; i++)
        f->members[room[i].member].shown = false;
}

void family_show_largest(struct family *f, uint32_t n)
{
    LOCAL_HEAP struct branch *room = mem_alloc((f->count + 1) * sizeof *room);

    show_some(f, f->first, n, room);
    for (uint32_t i = 0; i < f->count; i++)
        show_some(f, f->members[i].first_child, n, room);
}

void family_cut(struct family *f, uint32_t levels)
{
    for (uint32_t i = 0; i < f->count; i++)
        if (f->members[i].depth % levels == 0)
            f->members[i].parent = FAMILY_NONE;
    tie(f);
}

/* ---- walking ------------------------------------------------------------- */

/* The first of these siblings that is shown. */
static uint32_t shown_from(const struct family *f, uint32_t i)
{
    while (i != FAMILY_NONE && !f->members[i].shown)
        i = f->members[i].next_sibling;
    return i;
}

bool family_has_next(const struct family *f, const struct family_member *m)
{
    return shown_from(f, m->next_sibling) != FAMILY_NONE;
}

enum status family_walk(const struct family *f, uint32_t max_depth, family_fn *fn, void *ctx)
{
    uint32_t i = shown_from(f, f->first);
    enum status st = ST_OK;

    while (i != FAMILY_NONE && st == ST_OK) {
        const struct family_member *m = &f->members[i];
        uint32_t below = m->depth < max_depth ? shown_from(f, m->first_child) : FAMILY_NONE;

        st = fn(ctx, f, m, true);
        if (below != FAMILY_NONE) {
            i = below;
            continue;
        }
        if (st == ST_OK)
            st = fn(ctx, f, m, false);
        while (st == ST_OK && !family_has_next(f, &f->members[i]) &&
               f->members[i].parent != FAMILY_NONE) {
            i = f->members[i].parent;
            st = fn(ctx, f, &f->members[i], false);
        }
        i = shown_from(f, f->members[i].next_sibling);
    }
    return st;
}
