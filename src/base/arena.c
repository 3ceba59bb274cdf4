/* arena.c - memory that is freed all at once. SPDX-License-Identifier: MIT */
#include "base/arena.h"

#include "base/mem.h"
#include "base/poison.h"

#include <stdlib.h>

#define BLOCK_FIRST   (16 * 1024)
#define BLOCK_LARGEST (1024 * 1024)
#define ALIGN         16
#define GAP           (POISON_WORKS ? ALIGN : 0) /* between two allocations: finds overruns */

struct arena_block {
    struct arena_block *older;
    size_t size; /* bytes of data */
    _Alignas(ALIGN) char data[];
};

static size_t round_up(size_t n)
{
    return (n + ALIGN - 1) & ~(size_t)(ALIGN - 1);
}

void arena_init(struct arena *a, size_t max)
{
    *a = (struct arena){.max = max};
}

void arena_free(struct arena *a)
{
    struct arena_block *b = a->blocks, *older;

    for (; b != NULL; b = older) {
        older = b->older;
        free(b);
    }
    arena_init(a, a->max);
}

void arena_reset(struct arena *a)
{
    struct arena_block *keep = a->blocks, *b, *older;

    if (keep == NULL) {
        arena_init(a, a->max);
        return;
    }
    for (b = keep->older; b != NULL; b = older) {
        older = b->older;
        free(b);
    }
    keep->older = NULL;
    poison(keep->data, keep->size);
    *a = (struct arena){
        .blocks = keep, .at = keep->data, .end = keep->data + keep->size, .max = a->max};
}

static bool arena_add_block(struct arena *a, size_t at_least)
{
    size_t size = a->blocks ? a->blocks->size * 2 : BLOCK_FIRST;
    struct arena_block *b;

    if (size > BLOCK_LARGEST)
        size = BLOCK_LARGEST;
    if (size < at_least)
        size = at_least;
    b = mem_try(NULL, sizeof *b + size);
    if (b == NULL)
        return false;
    b->older = a->blocks;
    b->size = size;
    a->blocks = b;
    a->at = b->data;
    a->end = b->data + size;
    poison(b->data, size);
    return true;
}

void *arena_alloc(struct arena *a, size_t size)
{
    size_t need = round_up(size ? size : 1);
    char *p;

    if (need < size || a->full || need > a->max - a->used) {
        a->full = true;
        return NULL;
    }
    if ((size_t)(a->end - a->at) < need + GAP && !arena_add_block(a, need + GAP)) {
        a->full = true;
        return NULL;
    }
    p = a->at;
    a->at += need + GAP;
    a->used += need;
    unpoison(p, size);
    return p;
}

void *arena_array(struct arena *a, size_t count, size_t size)
{
    size_t total;

    if (__builtin_mul_overflow(count, size, &total)) {
        a->full = true;
        return NULL;
    }
    return arena_alloc(a, total);
}

void *arena_grow(struct arena *a, void *old, size_t old_size, size_t new_size)
{
    size_t had = round_up(old_size ? old_size : 1), need = round_up(new_size);
    char *p = old;
    void *copy;

    if (old == NULL)
        return arena_alloc(a, new_size);
    if (need <= had) {
        unpoison(old, new_size > old_size ? new_size : old_size);
        return old;
    }
    if (p + had + GAP == a->at && need >= new_size && (size_t)(a->end - p) >= need + GAP &&
        need - had <= a->max - a->used) {
        a->at = p + need + GAP;
        a->used += need - had;
        unpoison(old, new_size);
        return old;
    }
    copy = arena_alloc(a, new_size);
    if (copy != NULL) {
        memcpy(copy, old, old_size);
        poison(old, had);
    }
    return copy;
}

void arena_trim(struct arena *a, void *last, size_t old_size, size_t new_size)
{
    size_t had = round_up(old_size ? old_size : 1);
    size_t need = round_up(new_size ? new_size : 1);
    char *p = last;

    if (p == NULL || new_size >= old_size)
        return;
    poison(p + new_size, had - new_size);
    if (need < had && p + had + GAP == a->at) {
        a->at = p + need + GAP;
        a->used -= had - need;
    }
}

struct str arena_str(struct arena *a, struct str s)
{
    char *copy = arena_alloc(a, s.len + 1);

    if (copy == NULL)
        return (struct str){NULL, 0};
    if (s.len)
        memcpy(copy, s.ptr, s.len);
    copy[s.len] = '\0';
    return (struct str){copy, s.len};
}
