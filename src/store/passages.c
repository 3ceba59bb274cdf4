/* passages.c - the main text of a page, as the database keeps it.
 * SPDX-License-Identifier: MIT */
#include "store/passages.h"

#define KIND_BITS    3
#define PASSAGE_MOST 10 /* bytes of one passage: two numbers of 35 bits */

static char *put(char *out, uint64_t n)
{
    for (; n >= 128; n >>= 7)
        *out++ = (char)(n | 128);
    *out++ = (char)n;
    return out;
}

void passages_write(const struct page *page, struct buf *out)
{
    char *begin = buf_room(out, (size_t)page->nmain * PASSAGE_MOST), *to = begin;
    uint32_t at = 0;

    for (uint32_t i = 0; begin && i < page->nmain; i++) {
        const struct passage *m = &page->main[i];

        if (m->len == 0) /* taken out again */
            continue;
        to = put(to, m->off - at);
        to = put(to, (uint64_t)m->len << KIND_BITS | m->kind);
        at = m->off + m->len;
    }
    out->len += begin ? (size_t)(to - begin) : 0;
}

static bool take(struct str *rest, uint64_t *ret)
{
    uint64_t n = 0;

    for (unsigned i = 0; i < rest->len && i < 5; i++) {
        unsigned char c = (unsigned char)rest->ptr[i];

        n |= (uint64_t)(c & 127) << 7 * i;
        if (c < 128) {
            *rest = str_sub(*rest, i + 1, rest->len);
            *ret = n;
            return true;
        }
    }
    return false;
}

bool passages_next(struct passages *p, struct passage *ret)
{
    uint64_t gap, size, kind;

    if (!take(&p->rest, &gap) || !take(&p->rest, &size))
        return false;
    kind = size & ((1u << KIND_BITS) - 1);
    size >>= KIND_BITS;
    if (kind >= PASSAGE_KINDS || gap > p->total - p->at || size > p->total - p->at - gap)
        return false;
    *ret = (struct passage){(uint32_t)(p->at + gap), (uint32_t)size, (uint8_t)kind};
    p->at += gap + size;
    return true;
}

void passages_add(struct str packed, struct str text, struct buf *out)
{
    struct passages p = passages_of(packed, text.len);
    struct passage m;

    for (bool first = true; passages_next(&p, &m); first = false) {
        if (!first)
            buf_add_char(out, '\n');
        buf_add_str(out, str_sub(text, m.off, m.off + m.len));
    }
}

void passages_add_rest(struct str packed, struct str text, struct buf *out)
{
    struct passages p = passages_of(packed, text.len);
    struct passage m;
    size_t at = 0;

    for (; passages_next(&p, &m); at = p.at) {
        buf_add_str(out, str_sub(text, at, m.off));
        buf_add_char(out, '\n');
    }
    buf_add_str(out, str_sub(text, at, text.len));
}
