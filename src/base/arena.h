/* arena.h - memory that is freed all at once.
 *
 * A page owns an arena; everything parsed from it dies with it. Blocks grow from
 * 16 KiB; the bytes handed out never exceed `max` in total: an allocation that
 * would exceed it returns NULL and sets `full` for good. Memory is not zeroed, and
 * is aligned to 16 bytes. Under AddressSanitizer all memory that is not handed out
 * is poisoned (poison.h): it reports a read beyond an allocation, or of memory
 * that a reset took back.
 *
 * Workload: a few dozen to some thousand allocations a page, which are never freed
 * one by one. The same arena is reset for the next page.
 */
#pragma once

#include "base/str.h"

struct arena_block;

struct arena {
    struct arena_block *blocks; /* newest first */
    char *at, *end;             /* free part of the newest block */
    size_t used;                /* bytes handed out */
    size_t max;                 /* ceiling of used */
    bool full;                  /* an allocation was refused */
};

#define ARENA_INIT(ceiling) ((struct arena){.max = (ceiling)})

/* An arena that is freed where its block ends: LOCAL_ARENA arena = ARENA_INIT(MIB(1)); */
#define LOCAL_ARENA         __attribute__((cleanup(arena_free))) struct arena

void arena_init(struct arena *a, size_t max);
void arena_free(struct arena *a);  /* gives everything back; usable again */
void arena_reset(struct arena *a); /* forgets everything, keeps one block */

void *arena_alloc(struct arena *a, size_t size);
void *arena_array(struct arena *a, size_t count, size_t size); /* NULL on overflow */

/* Grows the last allocation of the arena in place where possible; otherwise copies it. */
void *arena_grow(struct arena *a, void *old, size_t old_size, size_t new_size);

/* Gives back the unused tail of the last allocation. */
void arena_trim(struct arena *a, void *last, size_t old_size, size_t new_size);

/* Returns a copy that ends in NUL, or {NULL, 0} if the arena is full. */
struct str arena_str(struct arena *a, struct str s);
