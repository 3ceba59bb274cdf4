/* wrap_mem.c - every allocation of the process, ours and the libraries': what the
 * executable defines comes before ASan's, which still does the work.
 * SPDX-License-Identifier: MIT */
#include "inject.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const int no_memory[] = {ENOMEM, 0};

static inline __attribute__((always_inline)) bool fails(const char *name)
{
    int error = INJECT(KIND_MEMORY, name, no_memory);

    if (error)
        errno = error;
    return error != 0;
}

/* ASan's, which has them under these names too. */
void *__interceptor_malloc(size_t size);
void *__interceptor_calloc(size_t count, size_t size);
void *__interceptor_realloc(void *old, size_t size);
void *__interceptor_reallocarray(void *old, size_t count, size_t size);
char *__interceptor_strdup(const char *s);
char *__interceptor_strndup(const char *s, size_t n);
int __interceptor_posix_memalign(void **ret, size_t align, size_t size);

void *malloc(size_t size)
{
    return fails("malloc") ? NULL : __interceptor_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails("calloc") ? NULL : __interceptor_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return fails("realloc") ? NULL : __interceptor_realloc(old, size);
}

void *reallocarray(void *old, size_t count, size_t size)
{
    return fails("reallocarray") ? NULL : __interceptor_reallocarray(old, count, size);
}

char *strdup(const char *s)
{
    return fails("strdup") ? NULL : __interceptor_strdup(s);
}

char *strndup(const char *s, size_t n)
{
    return fails("strndup") ? NULL : __interceptor_strndup(s, n);
}

int posix_memalign(void **ret, size_t align, size_t size)
{
    return fails("posix_memalign") ? ENOMEM : __interceptor_posix_memalign(ret, align, size);
}
