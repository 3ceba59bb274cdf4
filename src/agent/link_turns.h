/* link_turns.h - in which turn each waiting link came, in half a byte a URL.
 *
 * The turn decides between links of equal score: the first comes first. New URLs are numbered as
 * pages name them, and begin to wait in the same order, so most turns can be counted instead of
 * kept: a block of TURNS_BLOCK URLs has the turn of its first URL, and a bit for each URL that came
 * right after the one before it. The turns of others, such as a URL that waits again, are in a
 * short list. Where the list would be long, as in a model that gives links new turns, the turns of
 * TURNS_CHUNK URLs become a plain array of 8 bytes each.
 *
 * Turns are at most HEAP_SEQS. Zeroed is empty.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define TURNS_BLOCK  14u
#define TURNS_BLOCKS 256u
#define TURNS_CHUNK  (TURNS_BLOCK * TURNS_BLOCKS) /* URLs */

struct turns_chunk;

struct link_turns {
    struct turns_chunk **chunks; /* by URL; NULL: none of its URLs had a turn */
    size_t count;
};

void link_turns_clear(struct link_turns *t);

void link_turns_set(struct link_turns *t, uint32_t url, uint64_t turn);
/* The URL waits no more: its turn need not be kept. */
void link_turns_drop(struct link_turns *t, uint32_t url);
/* The turn of a URL that has one. */
uint64_t link_turns_get(const struct link_turns *t, uint32_t url);
