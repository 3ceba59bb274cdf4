/* map.c - a hash map from 64-bit keys to 32-bit values.
 * SPDX-License-Identifier: MIT */
#include "base/map.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS 16

void map_init(struct map *m)
{
    memset(m, 0, sizeof *m);
}

void map_free(struct map *m)
{
    free(m->keys);
    free(m->values);
    map_init(m);
}

void map_clear(struct map *m)
{
    if (m->values)
        memset(m->values, 0xff, (m->mask + 1) * sizeof *m->values);
    m->count = 0;
}

/* The slot that holds `key`, or the free one where it would go. */
static size_t map_slot(const struct map *m, uint64_t key)
{
    size_t i = (size_t)(key ^ key >> 32) & m->mask;

    while (m->values[i] != MAP_NONE && m->keys[i] != key)
        i = (i + 1) & m->mask;
    return i;
}

static void map_resize(struct map *m, size_t slots)
{
    struct map old = *m;

    m->keys = mem_alloc(slots * sizeof *m->keys);
    m->values = mem_alloc(slots * sizeof *m->values);
    memset(m->values, 0xff, slots * sizeof *m->values);
    m->mask = slots - 1;
    for (size_t i = 0; old.values != NULL && i <= old.mask; i++) {
        if (old.values[i] != MAP_NONE) {
            size_t at = map_slot(m, old.keys[i]);

            m->keys[at] = old.keys[i];
            m->values[at] = old.values[i];
        }
    }
    free(old.keys);
    free(old.values);
}

uint32_t map_get(const struct map *m, uint64_t key)
{
    return m->count ? m->values[map_slot(m, key)] : MAP_NONE;
}

uint32_t *map_at(struct map *m, uint64_t key, uint32_t fresh, bool *ret_new)
{
    size_t i;
    bool is_new;

    if (m->values == NULL)
        map_resize(m, FIRST_SLOTS);
    else if ((m->count + 1) * 4 > (m->mask + 1) * 3)
        map_resize(m, (m->mask + 1) * 2);
    i = map_slot(m, key);
    is_new = m->values[i] == MAP_NONE;
    if (is_new) {
        m->keys[i] = key;
        m->values[i] = fresh;
        m->count++;
    }
    if (ret_new)
        *ret_new = is_new;
    return &m->values[i];
}

void map_set(struct map *m, uint64_t key, uint32_t value)
{
    *map_at(m, key, value, NULL) = value;
}

bool map_remove(struct map *m, uint64_t key)
{
    size_t hole, i;

    if (m->count == 0)
        return false;
    hole = map_slot(m, key);
    if (m->values[hole] == MAP_NONE)
        return false;
    /* Shift back every entry that the hole would cut off from its home. */
    for (i = (hole + 1) & m->mask; m->values[i] != MAP_NONE; i = (i + 1) & m->mask) {
        size_t home = (size_t)(m->keys[i] ^ m->keys[i] >> 32) & m->mask;

        if (((i - home) & m->mask) >= ((i - hole) & m->mask)) {
            m->keys[hole] = m->keys[i];
            m->values[hole] = m->values[i];
            hole = i;
        }
    }
    m->values[hole] = MAP_NONE;
    m->count--;
    return true;
}

size_t map_bytes(const struct map *m)
{
    return m->values ? (m->mask + 1) * (sizeof *m->keys + sizeof *m->values) : 0;
}
