/* simhash.h - 64 bits of a text, nearly the same for nearly the same text.
 *
 * Each pair of neighbouring words votes on every bit (Charikar 2002; pairs
 * rather than words so that two texts on one subject stay apart). Two unrelated
 * texts differ in about 32 bits; a text of 1,400 words with five of them changed
 * in about two.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Of a sequence of terms. 0 for none: nothing can be said of an empty text. */
uint64_t simhash_of(const uint32_t *ids, size_t n);

/* In how many bits two hashes differ, 0 to 64. */
static inline int simhash_distance(uint64_t a, uint64_t b)
{
    return __builtin_popcountll(a ^ b);
}
