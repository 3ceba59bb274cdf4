/* workbench.c - which host is due, under the rules of host and address.
 *
 * Every change of a group ends in group_place(), the only function that decides
 * where the group belongs. All operations are O(log n).
 * SPDX-License-Identifier: MIT */
#include "frontier/workbench.h"

#include "base/hash.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

void workbench_init(struct workbench *w, uint32_t per_host, bool bursts)
{
    memset(w, 0, sizeof *w);
    w->per_host = per_host ? per_host : 1;
    w->bursts = bursts;
    w->ripe = INT64_MIN;
    map_init(&w->by_address);
}

void workbench_free(struct workbench *w)
{
    for (size_t i = 1; i <= w->ngroups; i++) {
        heap_free(&w->groups[i]->hosts);
        heap_free(&w->groups[i]->waiting);
        heap_free(&w->groups[i]->wishing);
        free(w->groups[i]);
    }
    free(w->groups);
    free(w->seats);
    map_free(&w->by_address);
    heap_free(&w->later);
    heap_free(&w->ready);
    heap_free(&w->wishing);
    heap_index_free(&w->later_at);
    heap_index_free(&w->ready_at);
    heap_index_free(&w->wishing_at);
    heap_index_free(&w->host_at);
    memset(w, 0, sizeof *w);
}

/* ---- groups ---- */

static bool address_eq(const struct address *a, const struct address *b)
{
    return a->family == b->family && memcmp(a->bytes, b->bytes, a->family == 4 ? 4 : 16) == 0;
}

static uint64_t address_key(const struct address *a)
{
    return hash_bytes(a->bytes, a->family == 4 ? 4 : 16) + a->family;
}

/* Returns the place of an address in the map; colliding keys are moved on. */
static uint64_t address_slot(const struct workbench *w, const struct address *a, uint32_t *ret)
{
    uint64_t key = address_key(a);

    while ((*ret = map_get(&w->by_address, key)) != MAP_NONE &&
           !address_eq(&w->groups[*ret]->address, a))
        key = hash_u64(key + 1);
    return key;
}

uint32_t workbench_find(const struct workbench *w, const struct address *a)
{
    uint32_t id = MAP_NONE;

    if (a->family != 0)
        address_slot(w, a, &id);
    return id == MAP_NONE ? 0 : id;
}

uint32_t workbench_group(struct workbench *w, const struct address *a)
{
    uint32_t id = MAP_NONE;
    uint64_t key = 0;

    if (a->family != 0)
        key = address_slot(w, a, &id);
    if (id != MAP_NONE)
        return id;
    MEM_GROW(w->groups, w->ngroups + 1, &w->groups_cap);
    id = (uint32_t)++w->ngroups;
    w->groups[id] = MEM_NEW(struct group);
    w->groups[id]->address = *a;
    if (a->family != 0)
        map_set(&w->by_address, key, id);
    return id;
}

const struct address *workbench_address(const struct workbench *w, uint32_t group)
{
    return &w->groups[group]->address;
}

static uint32_t most_of(const struct workbench *w, const struct group *g)
{
    return g->most > w->per_host ? g->most : w->per_host;
}

void workbench_widen(struct workbench *w, uint32_t group, uint32_t most)
{
    if (most > w->groups[group]->most)
        w->groups[group]->most = most;
}

static uint32_t group_due(const struct workbench *w, const struct group *g, uint32_t host)
{
    uint32_t room = most_of(w, g) - g->in_flight, waiting = w->seats[host].waiting;

    if (!w->bursts)
        return 1;
    return waiting < room ? waiting : room;
}

static void group_wish(struct workbench *w, struct group *g, uint32_t host)
{
    struct seat *s = &w->seats[host];

    heap_put(&g->wishing, &w->host_at, heap_item(-s->score, s->turn, host));
    s->wishing = true;
}

/* Wishes whose time has come are ordered by score from now on. */
static void group_ripen(struct workbench *w, struct group *g)
{
    const struct heap_item *first;

    while ((first = heap_peek(&g->waiting)) != NULL && first->key <= (double)w->ripe) {
        uint32_t host = first->id;

        heap_remove(&g->waiting, &w->host_at, host);
        group_wish(w, g, host);
    }
}

/* When time will change the place of the group; INFINITY: never. */
static double group_changes_at(const struct workbench *w, const struct group *g)
{
    const struct heap_item *host = heap_peek(&g->hosts), *wish = heap_peek(&g->waiting);
    double at = g->wishing.count && g->next_at > w->ripe ? (double)g->next_at : INFINITY;

    if (host && host->key < at)
        at = host->key;
    if (wish && wish->key < at)
        at = wish->key;
    return at < (double)g->next_at ? (double)g->next_at : at;
}

/* Puts the group where it belongs now. */
static void group_place(struct workbench *w, uint32_t id)
{
    struct group *g = w->groups[id];
    bool may = g->in_flight < most_of(w, g) && g->next_at <= w->ripe, ready, wishing;
    const struct heap_item *host, *wish;
    double at;

    w->due -= g->due;
    g->due = 0;
    group_ripen(w, g);
    host = heap_peek(&g->hosts);
    wish = heap_peek(&g->wishing);
    ready = may && host && host->key <= (double)w->ripe;
    wishing = may && wish && !ready;
    at = ready || g->in_flight >= most_of(w, g) ? INFINITY : group_changes_at(w, g);
    if (ready) {
        heap_set(&w->ready, &w->ready_at, id, -w->seats[host->id].score);
        g->due = group_due(w, g, host->id);
        w->due += g->due;
    } else {
        heap_remove(&w->ready, &w->ready_at, id);
    }
    if (wishing)
        heap_put(&w->wishing, &w->wishing_at, heap_item(wish->key, wish->seq, id));
    else
        heap_remove(&w->wishing, &w->wishing_at, id);
    if (at < INFINITY)
        heap_set(&w->later, &w->later_at, id, at);
    else
        heap_remove(&w->later, &w->later_at, id);
}

/* ---- hosts ---- */

static struct seat *seat_of(struct workbench *w, uint32_t host)
{
    size_t cap = w->seats_cap ? w->seats_cap : 64;

    if (host < w->seats_cap)
        return &w->seats[host];
    while (cap <= host)
        cap += cap / 2;
    w->seats = mem_resize(w->seats, cap, sizeof *w->seats);
    memset(w->seats + w->seats_cap, 0, (cap - w->seats_cap) * sizeof *w->seats);
    w->seats_cap = cap;
    return &w->seats[host];
}

/* Takes the host out of its group. */
static void seat_leave(struct workbench *w, uint32_t host)
{
    struct seat *s = &w->seats[host];
    struct group *g = w->groups[s->group];

    heap_remove(s->waiting ? &g->hosts : s->wishing ? &g->wishing : &g->waiting, &w->host_at, host);
    s->wishing = false;
}

void workbench_put(struct workbench *w, uint32_t host, int64_t at, struct seat seat)
{
    struct seat *old = seat_of(w, host);
    struct group *g = w->groups[seat.group];

    if (old->group != seat.group)
        workbench_remove(w, host);
    else if (old->waiting == 0 || seat.waiting == 0)
        seat_leave(w, host);
    *old = seat;
    if (seat.waiting == 0 && at <= w->ripe)
        group_wish(w, g, host);
    else
        heap_set(seat.waiting ? &g->hosts : &g->waiting, &w->host_at, host, (double)at);
    group_place(w, seat.group);
}

void workbench_remove(struct workbench *w, uint32_t host)
{
    struct seat *seat = seat_of(w, host);
    uint32_t group = seat->group;

    if (group == 0)
        return;
    seat_leave(w, host);
    seat->group = 0;
    group_place(w, group);
}

/* ---- requests ---- */

void workbench_start(struct workbench *w, uint32_t group, int64_t next_at)
{
    struct group *g = w->groups[group];

    g->in_flight++;
    if (next_at > g->next_at)
        g->next_at = next_at;
}

void workbench_finish(struct workbench *w, uint32_t group, int64_t next_at)
{
    struct group *g = w->groups[group];

    if (g->in_flight)
        g->in_flight--;
    if (next_at > g->next_at)
        g->next_at = next_at;
    group_place(w, group);
}

/* ---- time ---- */

void workbench_ripen(struct workbench *w, int64_t now)
{
    const struct heap_item *first;

    if (now > w->ripe)
        w->ripe = now;
    while ((first = heap_peek(&w->later)) != NULL && first->key <= (double)w->ripe)
        group_place(w, first->id);
}

uint32_t workbench_first(const struct workbench *w)
{
    const struct heap_item *first = heap_peek(&w->ready);

    return first ? heap_peek(&w->groups[first->id]->hosts)->id : 0;
}

uint32_t workbench_wishing(const struct workbench *w)
{
    const struct heap_item *first = heap_peek(&w->wishing);

    return first ? heap_peek(&w->groups[first->id]->wishing)->id : 0;
}

uint32_t workbench_due(const struct workbench *w, int64_t now, uint32_t max)
{
    if (w->due >= max)
        return max;
    return w->due + heap_until(&w->later, (double)now, max - w->due);
}

int64_t workbench_next(const struct workbench *w, bool no_ready, bool no_wishing)
{
    const struct heap_item *first = heap_peek(&w->later);

    if ((w->ready.count && !no_ready) || (w->wishing.count && !no_wishing))
        return w->ripe;
    return first ? (int64_t)first->key : INT64_MAX;
}

size_t workbench_bytes(const struct workbench *w)
{
    size_t n =
        w->groups_cap * sizeof *w->groups + w->ngroups * sizeof **w->groups +
        w->seats_cap * sizeof *w->seats + map_bytes(&w->by_address) +
        (w->later.cap + w->ready.cap + w->wishing.cap) * sizeof(struct heap_item) +
        (w->later_at.cap + w->ready_at.cap + w->wishing_at.cap + w->host_at.cap) * sizeof(uint32_t);

    return n + w->ngroups * sizeof(struct heap_item); /* at least one host for each */
}
