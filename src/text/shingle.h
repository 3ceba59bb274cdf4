/* shingle.h - is the visible text of a page another one?
 *
 * In: the visible text of a page, blocks separated by newlines. Out: a set of
 * hashes, one for every run of SHINGLE_WORDS words inside a block (Broder 1997).
 * Two sets of one URL say whether a reader would find something else there.
 *
 * What no reader comes for makes no shingle: words with a digit in them (counters,
 * dates, times, numbers of versions), names of months, days and time zones beside
 * such a word, version-control stamps ("$Id: … $"). Blocks shorter than
 * SHINGLE_BLOCK words (menus, buttons, cells) are one weak shingle, of which many
 * must change. The order of blocks says nothing, but how often a thing is said does.
 *
 * How well that goes on a real site is measured in docs/change.md.
 *
 * Limits: a text of more than LIMIT_SHINGLES shingles is known by those with the
 * smallest hashes (a fair sample). Words are runs of letters and of bytes beyond
 * ASCII; where text is written without spaces, they are those of text/words/unspaced.h. Names of
 * months are English.
 */
#pragma once

#include "base/str.h"
#include <stddef.h>
#include <stdint.h>

#define SHINGLE_WORDS 3 /* of a shingle */
#define SHINGLE_BLOCK 4 /* words: a block of fewer is weak */

/* Ascending, each once. The lowest bit says that it is a strong one. */
struct shingles {
    uint32_t count;
    uint32_t below; /* those above are not kept; UINT32_MAX: all are here */
    uint32_t items[];
};

/* Free it with free(). */
struct shingles *shingles_of(struct str text);
size_t shingles_bytes(const struct shingles *s);

/* How two texts differ. */
struct shingle_difference {
    uint32_t fresh, fresh_weak; /* in the new one only */
    uint32_t gone, gone_weak;   /* in the old one only */
};

struct shingle_difference shingles_compare(const struct shingles *old, const struct shingles *new);

/* Is it another visible text? */
bool shingles_changed(const struct shingles *old, const struct shingles *new);

/* The end of a version-control stamp that begins with the '$' at `at`, or 0: "$Word:", no '$' and
 * no end of the line, "$". *ret_word is where its name ends. */
size_t stamp_end(struct str text, size_t at, size_t *ret_word);

/* 64 bits of a sequence of terms, nearly the same for nearly the same text; 0 for none. Terms
 * that are 0 do not count.
 *
 * Each pair of neighbouring words votes on every bit (Charikar 2002; pairs rather than
 * words so that two texts on one subject stay apart). Two unrelated texts differ in
 * about 32 bits; a text of 1,400 words with five of them changed in about two. */
uint64_t simhash_of(const uint32_t *ids, size_t n);
