/* map.h - a hash map from 64-bit keys to 32-bit values.
 *
 * Open addressing, linear probing, power-of-two sizes, at most 3/4 full. Keys are not hashed
 * here, so they must already be well mixed (hash_bytes(), or hash_u64() of a counter). The key 0
 * is allowed. map_remove() shifts later entries back, so there are no tombstones.
 *
 * A large map is split once into MAP_PARTS small ones, by the top bits of the keys. Each of them
 * grows on its own: no insertion has to move millions of entries, and there are never two copies
 * of all of them.
 *
 * Workload: the seen set, tens of lookups a page, 12 bytes a slot.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct map {
    uint64_t *keys;    /* NULL until the first entry */
    uint32_t *values;  /* MAP_NONE marks a free slot */
    size_t mask;       /* slots - 1; of all parts together */
    size_t count;      /* entries */
    struct map *parts; /* MAP_PARTS maps that hold the entries; NULL: the map is not split */
};

#define MAP_PARTS 256

#define MAP_NONE  UINT32_MAX /* not a legal value */

void map_init(struct map *m);
void map_free(struct map *m);
void map_clear(struct map *m); /* empties it, keeps the memory */

/* The value of `key`, or MAP_NONE. */
uint32_t map_get(const struct map *m, uint64_t key);

/* Sets the value of `key`, new or old. */
void map_set(struct map *m, uint64_t key, uint32_t value);

/* Returns the place of `key`'s value; a new entry starts as `fresh`. The pointer is valid until the
 * next addition. *ret_new may be NULL. */
uint32_t *map_at(struct map *m, uint64_t key, uint32_t fresh, bool *ret_new);

bool map_remove(struct map *m, uint64_t key);

/* Calls `fn` for every entry, in no particular order. */
typedef void map_fn(void *ctx, uint64_t key, uint32_t value);
void map_each(const struct map *m, map_fn *fn, void *ctx);

/* Bytes it occupies. */
size_t map_bytes(const struct map *m);
