/* dups.c - pages that repeat an earlier one, to the byte or nearly.
 *
 * Among several originals within reach the nearest wins, then the oldest, so
 * that the answer does not depend on the order of the chains. Limit: a band
 * shared by more than LIMIT_DUP_SCAN originals is looked through only so far.
 * SPDX-License-Identifier: MIT */
#include "frontier/dups.h"

#include "base/bits.h"
#include "base/limits.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#define BAND_VALUES 65536

void dups_init(struct dups *d)
{
    memset(d, 0, sizeof *d);
    map_init(&d->exact);
}

void dups_free(struct dups *d)
{
    for (int b = 0; b < DUPS_BANDS; b++)
        free(d->heads[b]);
    free(d->all);
    map_free(&d->exact);
    dups_init(d);
}

static uint32_t band(uint64_t simhash, int b)
{
    return (uint32_t)(simhash >> (16 * b)) & 0xffff;
}

static uint32_t near_find(const struct dups *d, uint64_t simhash)
{
    uint32_t page = 0;
    int least = DUPS_DISTANCE + 1;

    for (int b = 0; b < DUPS_BANDS && d->heads[b] != NULL; b++) {
        uint32_t at = d->heads[b][band(simhash, b)];

        for (int n = 0; at != 0 && n < LIMIT_DUP_SCAN; n++, at = d->all[at - 1].next[b]) {
            const struct dup *it = &d->all[at - 1];
            int bits = (int)bits_count(it->simhash ^ simhash);

            if (bits < least || (bits == least && page != 0 && it->page < page)) {
                least = bits;
                page = it->page;
            }
        }
    }
    return page;
}

static void near_add(struct dups *d, uint32_t page, uint64_t simhash)
{
    struct dup *it;

    MEM_GROW(d->all, d->count, &d->cap);
    it = &d->all[d->count++];
    it->simhash = simhash;
    it->page = page;
    for (int b = 0; b < DUPS_BANDS; b++) {
        if (d->heads[b] == NULL)
            d->heads[b] = mem_zero(BAND_VALUES, sizeof *d->heads[b]);
        it->next[b] = d->heads[b][band(simhash, b)];
        d->heads[b][band(simhash, b)] = (uint32_t)d->count;
    }
}

uint32_t dups_add(struct dups *d, uint32_t page, uint64_t payload_hash, uint64_t simhash,
                  uint32_t words, bool *ret_exact)
{
    bool is_new;
    uint32_t *first = map_at(&d->exact, payload_hash, page, &is_new);
    uint32_t original = *first;

    *ret_exact = !is_new && original != page;
    if (*ret_exact)
        return original;
    if (words < LIMIT_DUP_WORDS)
        return 0;
    original = near_find(d, simhash);
    if (original == page)
        return 0;
    if (original == 0)
        near_add(d, page, simhash);
    return original;
}

size_t dups_bytes(const struct dups *d)
{
    size_t heads = d->heads[0] ? DUPS_BANDS * BAND_VALUES * sizeof(uint32_t) : 0;

    return map_bytes(&d->exact) + d->cap * sizeof *d->all + heads;
}
