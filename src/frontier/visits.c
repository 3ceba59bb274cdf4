/* visits.c - the open visits. SPDX-License-Identifier: MIT */
#include "frontier/visits.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>

void visits_init(struct visits *v)
{
    memset(v, 0, sizeof *v);
    map_init(&v->by_url);
}

void visits_free(struct visits *v)
{
    free(v->all);
    map_free(&v->by_url);
    visits_init(v);
}

static uint32_t number_take(struct visits *v)
{
    uint32_t id = v->free;

    if (id != 0) {
        v->free = v->all[id].next;
        return id;
    }
    MEM_GROW(v->all, v->count + 1, &v->cap);
    return (uint32_t)++v->count;
}

uint32_t visits_add(struct visits *v, const struct choice *c, uint8_t hop, uint8_t attempt)
{
    uint32_t id = number_take(v);

    v->all[id] = (struct visit){.choice = *c, .prev = v->last, .hop = hop, .attempt = attempt};
    if (v->last)
        v->all[v->last].next = id;
    else
        v->first = id;
    v->last = id;
    v->open++;
    return id;
}

void visits_remove(struct visits *v, uint32_t id)
{
    struct visit *it = &v->all[id];

    if (it->flying)
        visits_land(v, id);
    if (it->prev)
        v->all[it->prev].next = it->next;
    else
        v->first = it->next;
    if (it->next)
        v->all[it->next].prev = it->prev;
    else
        v->last = it->prev;
    it->next = v->free;
    v->free = id;
    v->open--;
}

void visits_fly(struct visits *v, uint32_t id)
{
    v->all[id].flying = true;
    v->flying++;
    map_set(&v->by_url, hash_u64(v->all[id].choice.url), id);
}

void visits_land(struct visits *v, uint32_t id)
{
    v->all[id].flying = false;
    v->flying--;
    map_remove(&v->by_url, hash_u64(v->all[id].choice.url));
}

uint32_t visits_find(const struct visits *v, uint32_t url)
{
    uint32_t id = map_get(&v->by_url, hash_u64(url));

    return id == MAP_NONE ? 0 : id;
}

size_t visits_bytes(const struct visits *v)
{
    return v->cap * sizeof *v->all + map_bytes(&v->by_url);
}
