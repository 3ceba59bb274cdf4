/* map.c - a hash map from 64-bit keys to 32-bit values.
 * SPDX-License-Identifier: MIT */
#include "base/map.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS 16
#define MOST_SLOTS  ((size_t)1 << 17) /* of a map that is not split: 1.5 MB, moved in a few ms */
#define PART_SLOTS  (MOST_SLOTS * 2 / MAP_PARTS)
#define PART_BITS   8

void map_init(struct map *m)
{
    memset(m, 0, sizeof *m);
}

void map_free(struct map *m)
{
    for (size_t i = 0; m->parts && i < MAP_PARTS; i++)
        map_free(&m->parts[i]);
    free(m->parts);
    free(m->keys);
    free(m->values);
    map_init(m);
}

void map_clear(struct map *m)
{
    for (size_t i = 0; m->parts && i < MAP_PARTS; i++)
        map_clear(&m->parts[i]);
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

static struct map *part_of(const struct map *m, uint64_t key)
{
    return &m->parts[key >> (64 - PART_BITS)];
}

static void map_split(struct map *m)
{
    struct map whole = *m;

    *m = (struct map){.parts = mem_zero(MAP_PARTS, sizeof *m->parts),
                      .mask = MAP_PARTS * PART_SLOTS - 1};
    for (size_t i = 0; i < MAP_PARTS; i++)
        map_resize(&m->parts[i], PART_SLOTS);
    for (size_t i = 0; i <= whole.mask; i++)
        if (whole.values[i] != MAP_NONE)
            map_set(m, whole.keys[i], whole.values[i]);
    map_free(&whole);
}

uint32_t map_get(const struct map *m, uint64_t key)
{
    if (m->parts)
        m = part_of(m, key);
    return m->count ? m->values[map_slot(m, key)] : MAP_NONE;
}

/* Makes room for one more entry. */
static void map_reach(struct map *m)
{
    if (m->values == NULL)
        map_resize(m, FIRST_SLOTS);
    else if ((m->count + 1) * 4 > (m->mask + 1) * 3)
        map_resize(m, (m->mask + 1) * 2);
}

static uint32_t *slot_at(struct map *m, uint64_t key, uint32_t fresh, bool *ret_new)
{
    size_t i;

    map_reach(m);
    i = map_slot(m, key);
    *ret_new = m->values[i] == MAP_NONE;
    if (*ret_new) {
        m->keys[i] = key;
        m->values[i] = fresh;
        m->count++;
    }
    return &m->values[i];
}

uint32_t *map_at(struct map *m, uint64_t key, uint32_t fresh, bool *ret_new)
{
    uint32_t *ret;
    bool is_new;

    if (m->parts == NULL && (m->count + 1) * 4 > MOST_SLOTS * 3)
        map_split(m);
    if (m->parts) {
        struct map *part = part_of(m, key);
        size_t slots = part->mask;

        ret = slot_at(part, key, fresh, &is_new);
        m->mask += part->mask - slots;
        m->count += is_new;
    } else {
        ret = slot_at(m, key, fresh, &is_new);
    }
    if (ret_new)
        *ret_new = is_new;
    return ret;
}

void map_set(struct map *m, uint64_t key, uint32_t value)
{
    *map_at(m, key, value, NULL) = value;
}

bool map_remove(struct map *m, uint64_t key)
{
    size_t hole, i;

    if (m->parts && map_remove(part_of(m, key), key)) {
        m->count--;
        return true;
    }
    if (m->parts || m->count == 0)
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

void map_each(const struct map *m, map_fn *fn, void *ctx)
{
    for (size_t i = 0; m->parts && i < MAP_PARTS; i++)
        map_each(&m->parts[i], fn, ctx);
    for (size_t i = 0; m->values && i <= m->mask; i++)
        if (m->values[i] != MAP_NONE)
            fn(ctx, m->keys[i], m->values[i]);
}

size_t map_bytes(const struct map *m)
{
    return (m->values || m->parts ? m->mask + 1 : 0) * (sizeof *m->keys + sizeof *m->values);
}
