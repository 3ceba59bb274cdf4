/* shingle.h - has the visible text of a page changed?
 *
 * In: the visible text of a page, blocks separated by newlines. Out: a set of hashes, one for
 * every run of SHINGLE_WORDS words inside a block (Broder 1997). Two sets of one URL show
 * whether a reader would notice a change.
 *
 * Words that readers do not care about make no shingle: words with a digit in them (counters,
 * dates, times, version numbers), names of months, days and time zones next to such a word, and
 * version-control stamps ("$Id: … $"). Blocks shorter than SHINGLE_BLOCK words (menus, buttons,
 * cells) are one weak shingle, of which many must change. The order of blocks does not matter,
 * but the number of repetitions does.
 *
 * docs/change.md measures how well this works on a real site.
 *
 * Limits: a text of more than LIMIT_SHINGLES shingles is represented by those with the smallest
 * hashes (a fair sample). Words are runs of letters and of bytes beyond ASCII; where text is
 * written without spaces, they are those of text/words/unspaced.h. Names of months are English.
 */
#pragma once

#include "base/str.h"
#include <stddef.h>
#include <stdint.h>

#define SHINGLE_WORDS 3 /* of a shingle */
#define SHINGLE_BLOCK 4 /* words: a shorter block is weak */

/* Ascending, each once. The lowest bit is set in a strong shingle. */
struct shingles {
    uint32_t count;
    uint32_t below; /* larger ones are not kept; UINT32_MAX: all are here */
    uint32_t items[];
};

/* Makes the shingles of a text. Free them with free(). */
struct shingles *shingles_of(struct str text);
size_t shingles_bytes(const struct shingles *s);

/* How two texts differ. */
struct shingle_difference {
    uint32_t fresh, fresh_weak; /* in the new one only */
    uint32_t gone, gone_weak;   /* in the old one only */
};

struct shingle_difference shingles_compare(const struct shingles *old, const struct shingles *new);

/* Has the visible text changed? */
bool shingles_changed(const struct shingles *old, const struct shingles *new);

/* Returns the end of a version-control stamp that begins with the '$' at `at`, or 0. It is
 * "$Word:", then neither '$' nor an end of line, then "$". *ret_word is where its name ends. */
size_t stamp_end(struct str text, size_t at, size_t *ret_word);

/* Returns 64 bits that are nearly the same for nearly the same sequence of terms; 0 for none.
 * Terms that are 0 do not count.
 *
 * Each pair of neighbouring words votes on every bit (Charikar 2002; pairs rather than words, so
 * that two texts on one subject stay apart). Two unrelated texts differ in about 32 bits; a text of
 * 1,400 words differs in about two if five of them change. */
uint64_t simhash_of(const uint32_t *ids, size_t n);
