/* url_index.h - a number for every URL that has one: an array, since URLs
 * are counted from 1 without gaps. It takes 4 bytes for each URL up to
 * the highest one that is set. */
#pragma once

#include "base/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct url_index {
    uint32_t *value; /* by URL; 0: none */
    size_t cap;
};

static inline uint32_t url_index_get(const struct url_index *x, uint32_t url)
{
    return url < x->cap ? x->value[url] : 0;
}

static inline void url_index_set(struct url_index *x, uint32_t url, uint32_t value)
{
    if (url >= x->cap) {
        size_t cap = (size_t)url + url / 8 + 64;

        x->value = mem_resize(x->value, cap, sizeof *x->value);
        memset(x->value + x->cap, 0, (cap - x->cap) * sizeof *x->value);
        x->cap = cap;
    }
    x->value[url] = value;
}

static inline void url_index_clear(struct url_index *x)
{
    free(x->value);
    *x = (struct url_index){0};
}
