/* url_set.c - a set of URL numbers. SPDX-License-Identifier: MIT */
#include "agent/url_set.h"

#include "base/bits.h"
#include "base/limits.h"
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

/* Writes seven bits in each byte, the lowest first; the eighth bit says that more follow. */
static void gap_put(struct buf *out, uint32_t gap)
{
    for (; gap >= 128; gap >>= 7)
        buf_put_u8(out, (uint8_t)(gap | 128));
    buf_put_u8(out, (uint8_t)gap);
}

static uint32_t gap_get(struct cursor *from)
{
    uint64_t gap = 0;
    uint8_t byte;
    int shift = 0;

    do {
        byte = cursor_u8(from);
        gap |= (uint64_t)(byte & 127) << shift;
        shift += 7;
    } while (byte & 128 && shift <= 28);
    from->bad |= byte & 128 || gap > UINT32_MAX;
    return (uint32_t)gap;
}

void url_set_save(const struct url_set *s, struct buf *out)
{
    uint32_t last = 0, count = 0;

    for (size_t i = 0; i < s->words; i++)
        count += bits_count(s->bits[i]);
    buf_put_u32(out, count);
    for (size_t i = 0; i < s->words; i++)
        for (uint64_t rest = s->bits[i]; rest; rest &= rest - 1) {
            uint32_t url = (uint32_t)(i * 64) + (uint32_t)__builtin_ctzll(rest);

            gap_put(out, url - last);
            last = url;
        }
}

enum status url_set_load(struct url_set *s, struct cursor *from)
{
    uint32_t count = cursor_u32(from);
    uint64_t url = 0;

    for (uint32_t i = 0; i < count && !from->bad; i++) {
        uint32_t gap = gap_get(from);

        url += gap;
        from->bad |= url > LIMIT_URLS || (gap == 0 && i > 0);
        if (!from->bad)
            (void)url_set_add(s, (uint32_t)url);
    }
    return from->bad ? status_fail(ST_CORRUPT, "a saved set of numbers is damaged") : ST_OK;
}
