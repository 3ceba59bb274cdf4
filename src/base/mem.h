/* mem.h - small allocations that never return NULL.
 *
 * They are for sizes that we choose ourselves. Anything whose size the network
 * controls goes through a struct buf or an arena, which have a ceiling and can
 * refuse: they use mem_try(), the only one that may return NULL.
 *
 * When memory runs out, the process ends with one sentence and exit code 1, on
 * whichever thread that happens. Nothing is cleaned up: that would need memory,
 * and a crawl may be killed at any moment. What it committed is kept; `brood
 * resume` fetches the rest again.
 */
#pragma once

#include <stddef.h>

void *mem_alloc(size_t size) __attribute__((returns_nonnull, malloc));
void *mem_zero(size_t count, size_t size) __attribute__((returns_nonnull, malloc));
void *mem_resize(void *old, size_t count, size_t size) __attribute__((returns_nonnull));

/* For a size that the network controls: returns NULL if MEM_LARGE bytes or more were asked for and
 * there is no memory for them. If there is none for a smaller block, the process ends. */
void *mem_try(void *old, size_t size);
#define MEM_LARGE ((size_t)1 << 20)

/* Makes room for one more item in a growing array of `*cap` items. */
void *mem_grow(void *old, size_t used, size_t *cap, size_t size) __attribute__((returns_nonnull));

/* Ends the process as above, for a caller that has run out of memory elsewhere. */
void mem_out(void) __attribute__((noreturn));

/* A pointer whose memory is freed where its block ends, whatever it points to by then:
 * LOCAL_HEAP char *name = str_dup(text); It must be initialised, at least to NULL. */
#define LOCAL_HEAP __attribute__((cleanup(mem_drop)))
void mem_drop(void *pointer); /* takes the address of the pointer */

#define MEM_NEW(type)              ((type *)mem_zero(1, sizeof(type)))
#define MEM_GROW(array, used, cap) ((array) = mem_grow((array), (used), (cap), sizeof *(array)))
#define ARRAY_LEN(a)               (sizeof(a) / sizeof *(a))
