/* mem.c - small allocations that abort when memory is out.
 * SPDX-License-Identifier: MIT */
#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>

static void die(void)
{
    fputs("brood: out of memory\n", stderr);
    abort();
}

void *mem_alloc(size_t size)
{
    void *p = malloc(size ? size : 1);

    if (p == NULL)
        die();
    return p;
}

void *mem_zero(size_t count, size_t size)
{
    void *p = calloc(count ? count : 1, size ? size : 1);

    if (p == NULL)
        die();
    return p;
}

void *mem_resize(void *old, size_t count, size_t size)
{
    void *p = reallocarray(old, count ? count : 1, size ? size : 1);

    if (p == NULL)
        die();
    return p;
}

void *mem_grow(void *old, size_t used, size_t *cap, size_t size)
{
    if (old != NULL && used < *cap)
        return old;
    *cap = *cap < 8 ? 8 : *cap + *cap / 2;
    if (*cap <= used)
        *cap = used + 1;
    return mem_resize(old, *cap, size);
}
