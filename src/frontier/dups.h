/* dups.h - pages that repeat an earlier one, to the byte or nearly.
 *
 * Exact repetitions are found by a map of payload hashes. Near duplicates have
 * two 64-bit simhashes that are at most three bits apart (Manku, Jain, Das
 * Sarma 2007), for texts of LIMIT_DUP_WORDS words or more. At least one of the
 * four 16-bit bands of such a pair is equal, so an entry is in four tables, one
 * for each band, and only its neighbours there are compared. Only originals are
 * kept: duplicates are not added, so families of near duplicates do not fill
 * the tables, and dup_of never chains.
 *
 * Workload: one call for each page; 28 bytes for each original, and the map.
 */
#pragma once

#include "base/map.h"

#define DUPS_BANDS    4
#define DUPS_DISTANCE 3 /* bits */

struct dup {
    uint64_t simhash;
    uint32_t page;
    uint32_t next[DUPS_BANDS]; /* 1 + the older entry with the same band; 0: none */
};

struct dups {
    struct map exact; /* payload hash -> page */
    struct dup *all;
    size_t count, cap;
    uint32_t *heads[DUPS_BANDS]; /* 1 + the newest entry, by band value */
};

void dups_init(struct dups *d);
void dups_free(struct dups *d);

/* Remembers a page; returns the original that it repeats, or 0. */
uint32_t dups_add(struct dups *d, uint32_t page, uint64_t payload_hash, uint64_t simhash,
                  uint32_t words, bool *ret_exact);

size_t dups_bytes(const struct dups *d);
