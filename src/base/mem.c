/* mem.c - small allocations that never return NULL.
 * SPDX-License-Identifier: MIT */
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void mem_out(void)
{
    static const char sentence[] = "brood: out of memory: what was committed is kept, 'brood "
                                   "resume DIR' goes on with a crawl\n";

    (void)!write(STDERR_FILENO, sentence, sizeof sentence - 1);
    _exit(EXIT_FAILURE);
}

void *mem_alloc(size_t size)
{
    void *p = malloc(size ? size : 1);

    if (p == NULL)
        mem_out();
    return p;
}

void *mem_zero(size_t count, size_t size)
{
    void *p = calloc(count ? count : 1, size ? size : 1);

    if (p == NULL)
        mem_out();
    return p;
}

void *mem_resize(void *old, size_t count, size_t size)
{
    void *p = reallocarray(old, count ? count : 1, size ? size : 1);

    if (p == NULL)
        mem_out();
    return p;
}

void *mem_try(void *old, size_t size)
{
    void *p = realloc(old, size ? size : 1);

    if (p == NULL && size < MEM_LARGE)
        mem_out();
    return p;
}

void mem_drop(void *pointer)
{
    void *memory;

    memcpy(&memory, pointer, sizeof memory);
    free(memory);
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
