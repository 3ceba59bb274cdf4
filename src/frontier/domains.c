/* domains.c - registrable domains, and what their pages made us keep.
 * SPDX-License-Identifier: MIT */
#include "frontier/domains.h"

#include "base/hash.h"
#include "base/mem.h"
#include "frontier/scope.h"

#include <stdlib.h>

void domains_init(struct domains *d)
{
    *d = (struct domains){0};
    map_init(&d->by_name);
}

void domains_free(struct domains *d)
{
    free(d->items);
    map_free(&d->by_name);
    domains_init(d);
}

uint32_t domains_get(struct domains *d, struct str host)
{
    uint64_t key = hash_str(scope_site(host)); /* two that collide share a budget */
    uint32_t id = map_get(&d->by_name, key);

    if (id != MAP_NONE)
        return id;
    MEM_GROW(d->items, d->count, &d->cap);
    d->items[d->count++] = (struct domain){0};
    map_set(&d->by_name, key, (uint32_t)d->count);
    return (uint32_t)d->count;
}

size_t domains_bytes(const struct domains *d)
{
    return d->cap * sizeof *d->items + map_bytes(&d->by_name);
}
