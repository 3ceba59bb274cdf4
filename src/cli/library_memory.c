/* library_memory.c - OpenSSL's memory, and C++'s.
 *
 * The program may replace C++'s operators new and delete, all of them or none; these are
 * their names for the linker (x86-64 and every other ABI where size_t is unsigned long).
 * SPDX-License-Identifier: MIT */
#include "cli/library_memory.h"

#include "base/mem.h"

#include <openssl/crypto.h>
#include <stdlib.h>

static void *ssl_alloc(size_t size, const char *file, int line)
{
    (void)file, (void)line;
    return mem_alloc(size);
}

static void *ssl_resize(void *old, size_t size, const char *file, int line)
{
    (void)file, (void)line;
    if (size > 0)
        return mem_resize(old, 1, size);
    free(old); /* as OpenSSL's own does it */
    return NULL;
}

static void ssl_free(void *old, const char *file, int line)
{
    (void)file, (void)line;
    free(old);
}

void library_memory(void)
{
    (void)CRYPTO_set_mem_functions(ssl_alloc, ssl_resize, ssl_free);
}

/* ---- C++ ----------------------------------------------------------------- */

void *_Znwm(size_t size);
void *_Znam(size_t size);
void _ZdlPv(void *old);
void _ZdaPv(void *old);
void _ZdlPvm(void *old, size_t size);
void _ZdaPvm(void *old, size_t size);

void *_Znwm(size_t size) /* operator new */
{
    return mem_alloc(size);
}

void *_Znam(size_t size) /* operator new[] */
{
    return mem_alloc(size);
}

void _ZdlPv(void *old) /* operator delete */
{
    free(old);
}

void _ZdaPv(void *old) /* operator delete[] */
{
    free(old);
}

void _ZdlPvm(void *old, size_t size)
{
    (void)size;
    free(old);
}

void _ZdaPvm(void *old, size_t size)
{
    (void)size;
    free(old);
}
