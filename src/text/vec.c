/* vec.c - sparse vectors of terms.
 *
 * Workload: one vec_count() of about 800 ids a page and of 20 to 100 a link
 * context. Counting by radix sort needs no hash table, takes the same time for
 * any ids (outsiders choose them), and leaves the terms in order.
 * SPDX-License-Identifier: MIT */
#include "text/vec.h"

#include <math.h>
#include <string.h>

#define SMALL      48 /* with fewer, insertion sort is faster */
#define HEAPS      1024
#define HEAP_SHIFT 22
#define MOVES_MOST 64 /* of an id within its heap, on average */

/* Returns false, half done, if it takes more than `most` moves. */
static bool sort_small(uint32_t *ids, size_t n, size_t most)
{
    size_t moves = 0;

    for (size_t i = 1; i < n && moves <= most; i++) {
        uint32_t id = ids[i];
        size_t k = i;

        for (; k > 0 && ids[k - 1] > id; k--)
            ids[k] = ids[k - 1];
        ids[k] = id;
        moves += i - k;
    }
    return moves <= most;
}

/* One stable pass by the byte at `shift`; `at` is where each value starts. */
static void sort_pass(const uint32_t *from, size_t n, uint32_t *to, int shift, size_t *at)
{
    for (size_t i = 0; i < n; i++)
        to[at[from[i] >> shift & 255]++] = from[i];
}

static void sort_radix(uint32_t *ids, size_t n, uint32_t *scratch)
{
    size_t at[4][256] = {0};

    for (size_t i = 0; i < n; i++)
        for (int b = 0; b < 4; b++)
            at[b][ids[i] >> 8 * b & 255]++;
    for (int b = 0; b < 4; b++) {
        size_t sum = 0;

        for (int v = 0; v < 256; v++) {
            size_t count = at[b][v];

            at[b][v] = sum;
            sum += count;
        }
    }
    for (int b = 0; b < 4; b += 2) {
        sort_pass(ids, n, scratch, 8 * b, at[b]);
        sort_pass(scratch, n, ids, 8 * (b + 1), at[b + 1]);
    }
}

/* Ids are hashes: their highest bits divide them into heaps of one or two words, so that hardly any
 * sorting is left; equal ids need none. Returns false, and leaves `ids` alone, if much would be
 * left, because very many different ids are in one heap: somebody chose them so. */
static bool sort_heaps(uint32_t *ids, size_t n, uint32_t *scratch)
{
    uint16_t at[HEAPS + 1] = {0};

    for (size_t i = 0; i < n; i++)
        at[(ids[i] >> HEAP_SHIFT) + 1]++;
    for (size_t v = 0; v < HEAPS; v++)
        at[v + 1] = (uint16_t)(at[v + 1] + at[v]);
    for (size_t i = 0; i < n; i++)
        scratch[at[ids[i] >> HEAP_SHIFT]++] = ids[i];
    if (!sort_small(scratch, n, MOVES_MOST * n))
        return false;
    memcpy(ids, scratch, n * sizeof *ids);
    return true;
}

static void sort_ids(uint32_t *ids, size_t n, uint32_t *scratch)
{
    if (n > UINT16_MAX || !sort_heaps(ids, n, scratch))
        sort_radix(ids, n, scratch);
}

size_t vec_count(uint32_t *ids, size_t n, uint32_t *scratch, struct term *ret)
{
    size_t used = 0;

    if (n < SMALL)
        (void)sort_small(ids, n, SIZE_MAX);
    else
        sort_ids(ids, n, scratch);
    /* No branch in this loop, because nothing tells where a run of equal ids ends. */
    for (size_t i = 0; i < n; i++) {
        ret[used].id = ids[i];
        scratch[used] = (uint32_t)i + 1; /* the end of the run so far */
        used += i + 1 == n || ids[i + 1] != ids[i];
    }
    for (size_t i = used; i-- > 0;)
        ret[i].count = scratch[i] - (i ? scratch[i - 1] : 0);
    return used;
}

double vec_tf(uint32_t count)
{
    return count == 0 ? 0.0 : 1.0 + log((double)count);
}

uint32_t vec_find(const struct term *a, size_t na, uint32_t id)
{
    size_t low = 0, high = na;

    while (low < high) {
        size_t mid = (low + high) / 2;

        if (a[mid].id < id)
            low = mid + 1;
        else
            high = mid;
    }
    return low < na && a[low].id == id ? a[low].count : 0;
}

float vec_ratio(double dot, double aa, double bb)
{
    double r;

    if (!(dot > 0) || !(aa > 0) || !(bb > 0))
        return 0;
    r = dot / (sqrt(aa) * sqrt(bb));
    return r < 1 ? (float)r : 1;
}
