/* hosts.c - the hosts: who they are and how they stand with us.
 * SPDX-License-Identifier: MIT */
#include "frontier/hosts.h"

#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"
#include "frontier/scope.h"
#include "parse/robots/robots.h"

#include <stdlib.h>

#define NAMES_CHUNK KIB(64)

_Static_assert(NAMES_CHUNK > LIMIT_URL, "a name is part of a URL");

/* ---- domains ------------------------------------------------------------- */

static void domains_init(struct domains *d)
{
    *d = (struct domains){0};
    map_init(&d->by_name);
}

static void domains_free(struct domains *d)
{
    free(d->items);
    map_free(&d->by_name);
    domains_init(d);
}

static uint32_t domains_get(struct domains *d, struct str host)
{
    uint64_t key = hash_str(scope_site(host)); /* two sites whose hashes collide share a budget */
    uint32_t id = map_get(&d->by_name, key);

    if (id != MAP_NONE)
        return id;
    MEM_GROW(d->items, d->count, &d->cap);
    d->items[d->count++] = (struct domain){0};
    map_set(&d->by_name, key, (uint32_t)d->count);
    return (uint32_t)d->count;
}

static size_t domains_bytes(const struct domains *d)
{
    return d->cap * sizeof *d->items + map_bytes(&d->by_name);
}

/* ---- hosts --------------------------------------------------------------- */

void hosts_init(struct hosts *h)
{
    memset(h, 0, sizeof *h);
    map_init(&h->by_name);
    domains_init(&h->domains);
}

void host_errand_free(struct host *h)
{
    if (h->errand == NULL)
        return;
    if (h->asked == &h->errand->door)
        h->asked = NULL;
    free(h->errand->href);
    free(h->errand);
    h->errand = NULL;
}

void hosts_free(struct hosts *h)
{
    for (uint32_t id = 1; id <= h->count; id++) {
        struct host *it = hosts_at(h, id);

        heap_free(&it->queue);
        robots_free(it->robots);
        host_errand_free(it);
    }
    for (size_t i = 0; i < h->nblocks; i++)
        free(h->blocks[i]);
    for (size_t i = 0; i < h->nnames; i++)
        free(h->names[i]);
    free(h->blocks);
    free(h->names);
    map_free(&h->by_name);
    domains_free(&h->domains);
    hosts_init(h);
}

size_t host_name_split(struct str name, uint16_t *ret_port)
{
    size_t i = name.len;
    uint64_t port = 0;

    while (i > 0 && ascii_is_digit(name.ptr[i - 1]))
        i--;
    *ret_port = 0;
    if (i == 0 || i == name.len || name.ptr[i - 1] != ':' ||
        !str_to_u64(str_sub(name, i, name.len), &port) || port > UINT16_MAX)
        return name.len;
    *ret_port = (uint16_t)port;
    return i - 1;
}

static struct str name_keep(struct hosts *h, struct str name)
{
    size_t need = name.len + 1;
    char *to;

    if (h->nnames == 0 || NAMES_CHUNK - h->fill < need) {
        MEM_GROW(h->names, h->nnames, &h->names_cap);
        h->names[h->nnames++] = mem_alloc(NAMES_CHUNK);
        h->fill = 0;
    }
    to = h->names[h->nnames - 1] + h->fill;
    if (name.len)
        memcpy(to, name.ptr, name.len);
    to[name.len] = '\0';
    h->fill += need;
    return (struct str){to, name.len};
}

/* Returns the place of a name in the map; colliding keys are moved on. */
static uint64_t name_slot(const struct hosts *h, struct str name, uint32_t *ret)
{
    uint64_t key = hash_str(name);

    while ((*ret = map_get(&h->by_name, key)) != MAP_NONE && !str_eq(hosts_at(h, *ret)->name, name))
        key = hash_u64(key + 1);
    return key;
}

struct host *hosts_find(const struct hosts *h, struct str name)
{
    uint32_t id;

    (void)name_slot(h, name, &id);
    return id == MAP_NONE ? NULL : hosts_at(h, id);
}

struct host *hosts_get(struct hosts *h, struct str name)
{
    struct host *it;
    uint32_t id;
    uint64_t key = name_slot(h, name, &id);

    if (id != MAP_NONE)
        return hosts_at(h, id);
    if (h->count == h->nblocks * HOSTS_BLOCK) {
        MEM_GROW(h->blocks, h->nblocks, &h->blocks_cap);
        h->blocks[h->nblocks++] = mem_zero(HOSTS_BLOCK, sizeof(struct host));
    }
    it = hosts_at(h, ++h->count);
    it->id = h->count;
    it->name = name_keep(h, name);
    it->host_len = (uint16_t)host_name_split(it->name, &it->port);
    it->domain = domains_get(&h->domains, host_only(it));
    it->setting = host_settings_find(h->settings, it->name);
    map_set(&h->by_name, key, it->id);
    return it;
}

size_t hosts_bytes(const struct hosts *h)
{
    return h->nblocks * HOSTS_BLOCK * sizeof(struct host) + h->nnames * NAMES_CHUNK +
           map_bytes(&h->by_name) + domains_bytes(&h->domains);
}
