/* mem.h - small allocations that abort when memory is out.
 *
 * For what we size ourselves. Anything whose size the network controls goes
 * through a struct buf or an arena, which have a ceiling and can say no.
 */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stddef.h>

void *mem_alloc(size_t size) __attribute__((returns_nonnull, malloc));
void *mem_zero(size_t count, size_t size) __attribute__((returns_nonnull, malloc));
void *mem_resize(void *old, size_t count, size_t size) __attribute__((returns_nonnull));

/* Makes room for one more item in a growing array of `*cap` items. */
void *mem_grow(void *old, size_t used, size_t *cap, size_t size) __attribute__((returns_nonnull));

#define MEM_NEW(type)              ((type *)mem_zero(1, sizeof(type)))
#define MEM_GROW(array, used, cap) ((array) = mem_grow((array), (used), (cap), sizeof *(array)))
#define ARRAY_LEN(a)               (sizeof(a) / sizeof *(a))

#endif
