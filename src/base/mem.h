/* mem.h - small allocations that never return NULL.
 *
 * For what we size ourselves. Anything whose size the network controls goes
 * through a struct buf or an arena, which have a ceiling and can say no: they use
 * mem_try(), which alone may return NULL.
 *
 * When memory is out, the process ends with one sentence and exit code 1, from
 * whatever thread. Nothing is tidied up: that would need memory, and a crawl is
 * made to be killed at any moment. What it committed is kept; `brood resume`
 * fetches the rest again.
 */
#pragma once

#include <stddef.h>

void *mem_alloc(size_t size) __attribute__((returns_nonnull, malloc));
void *mem_zero(size_t count, size_t size) __attribute__((returns_nonnull, malloc));
void *mem_resize(void *old, size_t count, size_t size) __attribute__((returns_nonnull));

/* For a size that the network controls: NULL where memory is out and MEM_LARGE bytes or
 * more were asked for. Where not even a smaller block can be had, the process ends. */
void *mem_try(void *old, size_t size);
#define MEM_LARGE ((size_t)1 << 20)

/* Makes room for one more item in a growing array of `*cap` items. */
void *mem_grow(void *old, size_t used, size_t *cap, size_t size) __attribute__((returns_nonnull));

/* Ends the process as above, for a caller that has run out of memory elsewhere. */
void mem_out(void) __attribute__((noreturn));

/* A pointer whose memory is freed where its block ends, whatever it points to by then:
 * LOCAL_HEAP char *name = str_dup(text); It always has a first value, NULL at least. */
#define LOCAL_HEAP __attribute__((cleanup(mem_drop)))
void mem_drop(void *pointer); /* the address of the pointer */

#define MEM_NEW(type)              ((type *)mem_zero(1, sizeof(type)))
#define MEM_GROW(array, used, cap) ((array) = mem_grow((array), (used), (cap), sizeof *(array)))
#define ARRAY_LEN(a)               (sizeof(a) / sizeof *(a))
