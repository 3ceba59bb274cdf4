/* keys.c - numbers of 64-bit keys. SPDX-License-Identifier: MIT */
#include "base/keys.h"

#include "base/mem.h"

#include <stdlib.h>

#define TAG_BITS   4
#define TAG_MASK   ((1u << TAG_BITS) - 1)
#define FIRST_SIZE 16

void keys_free(struct keys *k)
{
    for (size_t i = 0; k->parts && i < KEYS_PARTS; i++)
        free(k->parts[i].slots);
    for (size_t i = 0; i < k->nblocks; i++)
        free(k->blocks[i]);
    free(k->parts);
    free(k->blocks);
    *k = (struct keys){0};
}

static struct key48 *key_at(const struct keys *k, uint32_t number)
{
    return &k->blocks[number / KEYS_BLOCK][number % KEYS_BLOCK];
}

static uint64_t key_get(const struct key48 *key)
{
    return key->part[0] | (uint64_t)key->part[1] << 16 | (uint64_t)key->part[2] << 32;
}

static void key_put(struct key48 *to, uint64_t key)
{
    for (int i = 0; i < 3; i++)
        to->part[i] = (uint16_t)(key >> 16 * i);
}

static uint64_t low(uint64_t key)
{
    return key & ((UINT64_C(1) << 48) - 1);
}

/* Of the bits that are kept. Its high bits are the place, its low ones the tag. */
static uint32_t mixed(uint64_t key)
{
    return (uint32_t)(low(key) ^ low(key) >> 24);
}

static uint32_t place_of(const struct keys_part *p, uint64_t key)
{
    return (uint32_t)((uint64_t)mixed(key) * p->size >> 32);
}

/* The slot of the key, or the free one where it belongs. */
static uint32_t *slot_of(const struct keys *k, const struct keys_part *p, uint64_t key)
{
    uint32_t at = place_of(p, key), tag = mixed(key) & TAG_MASK;

    while (p->slots[at] != 0 && ((p->slots[at] & TAG_MASK) != tag ||
                                 key_get(key_at(k, p->slots[at] >> TAG_BITS)) != low(key)))
        at = at + 1 < p->size ? at + 1 : 0;
    return &p->slots[at];
}

static struct keys_part *part_of(const struct keys *k, uint64_t key)
{
    return &k->parts[key >> 56];
}

uint32_t keys_find(const struct keys *k, uint64_t key)
{
    const struct keys_part *p = k->parts ? part_of(k, key) : NULL;

    return p && p->size > 0 ? *slot_of(k, p, key) >> TAG_BITS : 0;
}

void keys_near(const struct keys *k, uint64_t key)
{
    const struct keys_part *p = k->parts ? part_of(k, key) : NULL;

    if (p && p->size > 0)
        __builtin_prefetch(&p->slots[place_of(p, key)]);
}

uint32_t keys_nearer(const struct keys *k, uint64_t key)
{
    const struct keys_part *p = k->parts ? part_of(k, key) : NULL;
    uint32_t at = p && p->size > 0 ? place_of(p, key) : 0, tag = mixed(key) & TAG_MASK;

    if (p == NULL || p->size == 0)
        return 0;
    while (p->slots[at] != 0 && (p->slots[at] & TAG_MASK) != tag)
        at = at + 1 < p->size ? at + 1 : 0;
    if (p->slots[at] != 0)
        __builtin_prefetch(key_at(k, p->slots[at] >> TAG_BITS));
    return p->slots[at] >> TAG_BITS;
}

static void part_grow(struct keys *k, struct keys_part *p)
{
    struct keys_part old = *p;

    p->size = old.size < FIRST_SIZE ? FIRST_SIZE : old.size + old.size / 6;
    p->slots = mem_zero(p->size, sizeof *p->slots);
    k->slots += p->size - old.size;
    for (uint32_t i = 0; i < old.size; i++) {
        uint32_t at;

        if (old.slots[i] == 0)
            continue;
        at = place_of(p, key_get(key_at(k, old.slots[i] >> TAG_BITS)));
        while (p->slots[at] != 0) /* all are different */
            at = at + 1 < p->size ? at + 1 : 0;
        p->slots[at] = old.slots[i];
    }
    free(old.slots);
}

static void blocks_reach(struct keys *k, uint32_t number)
{
    while (k->nblocks <= number / KEYS_BLOCK) {
        MEM_GROW(k->blocks, k->nblocks, &k->blocks_cap);
        k->blocks[k->nblocks++] = mem_alloc(KEYS_BLOCK * sizeof **k->blocks);
    }
}

void keys_add(struct keys *k, uint64_t key, uint32_t number)
{
    struct keys_part *p;

    if (k->parts == NULL)
        k->parts = mem_zero(KEYS_PARTS, sizeof *k->parts);
    p = part_of(k, key);
    if ((uint64_t)(p->count + 1) * 7 > (uint64_t)p->size * 6)
        part_grow(k, p);
    blocks_reach(k, number);
    key_put(key_at(k, number), key);
    *slot_of(k, p, key) = number << TAG_BITS | (mixed(key) & TAG_MASK);
    p->count++;
}

size_t keys_bytes(const struct keys *k)
{
    return (k->parts ? KEYS_PARTS * sizeof *k->parts : 0) + k->slots * sizeof(uint32_t) +
           k->nblocks * KEYS_BLOCK * sizeof **k->blocks + k->blocks_cap * sizeof *k->blocks;
}
