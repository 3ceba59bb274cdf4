/* alone.c - which pages of a web are like no other page of it.
 *
 * Six blocks of bits: of two simhashes at most three bits apart at least three
 * blocks are equal. So for each of the 20 ways to choose three blocks pages are
 * sorted by these, and only neighbours with all three equal are compared; a page
 * that was found to have company looks no further. Three blocks are 32 bits, so
 * that pages meet few others by chance, unlike in the 16 bits of dups.h, which
 * has to keep its tables while it goes. SPDX-License-Identifier: MIT */
#include "sim/web/alone.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#define BLOCKS 6

struct mark {
    uint64_t masked, hash;
    uint32_t at;
};

static const uint8_t block_from[BLOCKS + 1] = {0, 11, 22, 33, 44, 54, 64};

static uint64_t block_mask(unsigned block)
{
    unsigned from = block_from[block], bits = block_from[block + 1] - from;

    return ((UINT64_C(1) << bits) - 1) << from;
}

static int mark_cmp(const void *a, const void *b)
{
    const struct mark *x = a, *y = b;

    if (x->masked != y->masked)
        return x->masked < y->masked ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* Of marks with the same masked bits: pages near enough to each other. */
static void group_compare(const struct mark *group, size_t count, unsigned distance, bool *alone)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count && alone[group[i].at]; k++) {
            uint64_t differ = group[i].hash ^ group[k].hash;

            if (k != i && (unsigned)__builtin_popcountll(differ) <= distance)
                alone[group[i].at] = alone[group[k].at] = false;
        }
}

static void compare(struct mark *marks, const uint64_t *hashes, size_t count, uint64_t mask,
                    unsigned distance, bool *alone)
{
    size_t from = 0;

    for (size_t i = 0; i < count; i++)
        marks[i] = (struct mark){hashes[i] & mask, hashes[i], (uint32_t)i};
    qsort(marks, count, sizeof *marks, mark_cmp);
    for (size_t i = 1; i <= count; i++)
        if (i == count || marks[i].masked != marks[from].masked) {
            group_compare(marks + from, i - from, distance, alone);
            from = i;
        }
}

void alone_find(const uint64_t *simhashes, const uint64_t *payloads, size_t count, bool *ret)
{
    struct mark *marks = mem_zero(count + 1, sizeof *marks);

    memset(ret, true, count * sizeof *ret);
    compare(marks, payloads, count, UINT64_MAX, 0, ret);
    for (unsigned a = 0; a < BLOCKS; a++)
        for (unsigned b = a + 1; b < BLOCKS; b++)
            for (unsigned c = b + 1; c < BLOCKS; c++)
                compare(marks, simhashes, count, block_mask(a) | block_mask(b) | block_mask(c),
                        ALONE_DISTANCE, ret);
    free(marks);
}
