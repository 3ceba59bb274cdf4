/* keys.h - numbers of 64-bit keys: a hash map for millions of keys that are numbered from 1.
 *
 * A key is kept once, by its number, and a slot has the number and four bits of the key: 6 bytes a
 * key and 4 a slot, where a struct map has 12 a slot. Slots are in KEYS_PARTS tables by the top
 * bits of the keys. Each grows by a sixth when six sevenths of it are full, so that growing is
 * never long, and slots are 4.7 to 5.4 bytes a key. Nothing is removed.
 *
 * Only 56 bits of a key count: the choice of the table is 8 of them, and 48 are kept. In one of
 * 1,400 crawls with ten million keys, two keys have the same 56 bits, and thus the same number.
 *
 * Keys are taken as they are, so they must already be well mixed (hash_bytes(), hash_u64()).
 * Zeroed is empty.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define KEYS_PARTS 256
#define KEYS_MOST  ((UINT32_C(1) << 28) - 1) /* the highest number */

struct keys_part {
    uint32_t *slots;
    uint32_t size, count;
};

/* The low 48 bits of a key. */
struct key48 {
    uint16_t part[3];
};

struct keys {
    struct keys_part *parts; /* NULL until the first key */
    struct key48 **blocks;   /* of KEYS_BLOCK keys, by their numbers */
    size_t nblocks, blocks_cap;
    size_t slots; /* of all parts */
};

#define KEYS_BLOCK 4096u

void keys_free(struct keys *k); /* empty afterwards */

/* The number of a key; 0: it has none. */
uint32_t keys_find(const struct keys *k, uint64_t key);

/* Keys will be looked up: first keys_near() for all of them, then keys_nearer(), so that memory is
 * waited for once and not for each key. The latter returns the number that the key has if it has
 * one, most of the time. */
void keys_near(const struct keys *k, uint64_t key);
uint32_t keys_nearer(const struct keys *k, uint64_t key);

/* Gives a key that has none a number from 1 to KEYS_MOST that is free. The memory grows with the
 * highest number. */
void keys_add(struct keys *k, uint64_t key, uint32_t number);

/* Bytes it occupies. */
size_t keys_bytes(const struct keys *k);
