/* url_set.c - a set of URL numbers. SPDX-License-Identifier: MIT */
#include "agent/url_set.h"

#include "base/mem.h"

#include <stdlib.h>

void url_set_clear(struct url_set *s)
{
    free(s->bits);
    *s = (struct url_set){0};
}

bool url_set_add(struct url_set *s, uint32_t url)
{
    size_t at = url / 64;

    if (url_set_has(s, url))
        return false;
    if (at >= s->words) {
        size_t words = at + at / 2 + 64;

        s->bits = mem_resize(s->bits, words, sizeof *s->bits);
        memset(s->bits + s->words, 0, (words - s->words) * sizeof *s->bits);
        s->words = words;
    }
    s->bits[at] |= UINT64_C(1) << url % 64;
    return true;
}

void url_set_remove(struct url_set *s, uint32_t url)
{
    if (url / 64 < s->words)
        s->bits[url / 64] &= ~(UINT64_C(1) << url % 64);
}
