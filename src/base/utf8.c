/* utf8.c - UTF-8, one code point at a time. SPDX-License-Identifier: MIT */
#include "base/utf8.h"

/* Gives the length of a sequence and the range of its second byte, by its first byte (Unicode table
 * 3-7). Returns false if no longer sequence begins with it. */
static bool lead(unsigned char c, size_t *len, unsigned char *low, unsigned char *high)
{
    *low = 0x80;
    *high = 0xbf;
    if (c >= 0xc2 && c <= 0xdf) {
        *len = 2;
    } else if (c >= 0xe0 && c <= 0xef) {
        *len = 3;
        if (c == 0xe0)
            *low = 0xa0;
        if (c == 0xed)
            *high = 0x9f;
    } else if (c >= 0xf0 && c <= 0xf4) {
        *len = 4;
        if (c == 0xf0)
            *low = 0x90;
        if (c == 0xf4)
            *high = 0x8f;
    } else {
        return false;
    }
    return true;
}

uint32_t utf8_next(struct str s, size_t *at)
{
    const unsigned char *p = (const unsigned char *)s.ptr;
    unsigned char c = p[(*at)++], low, high;
    uint32_t cp;
    size_t len;

    if (c < 0x80)
        return c;
    if (!lead(c, &len, &low, &high))
        return UTF8_BAD;
    cp = c & (0x7fu >> len);
    for (size_t i = 1; i < len; i++) {
        if (*at >= s.len || p[*at] < low || p[*at] > high)
            return UTF8_BAD;
        cp = cp << 6 | (p[(*at)++] & 0x3fu);
        low = 0x80;
        high = 0xbf;
    }
    return cp;
}

size_t utf8_put(uint32_t cp, char ret[4])
{
    if (cp > 0x10ffff || (cp >= 0xd800 && cp <= 0xdfff))
        cp = UTF8_BAD;
    if (cp < 0x80) {
        ret[0] = (char)cp;
        return 1;
    }
    if (cp < 0x800) {
        ret[0] = (char)(0xc0 | cp >> 6);
        ret[1] = (char)(0x80 | (cp & 0x3f));
        return 2;
    }
    if (cp < 0x10000) {
        ret[0] = (char)(0xe0 | cp >> 12);
        ret[1] = (char)(0x80 | (cp >> 6 & 0x3f));
        ret[2] = (char)(0x80 | (cp & 0x3f));
        return 3;
    }
    ret[0] = (char)(0xf0 | cp >> 18);
    ret[1] = (char)(0x80 | (cp >> 12 & 0x3f));
    ret[2] = (char)(0x80 | (cp >> 6 & 0x3f));
    ret[3] = (char)(0x80 | (cp & 0x3f));
    return 4;
}

bool utf8_is_valid(struct str s)
{
    for (size_t i = 0; i < s.len;) {
        size_t from = i;

        if ((unsigned char)s.ptr[i] < 0x80)
            i++;
        else if (utf8_next(s, &i) == UTF8_BAD &&
                 (i - from != 3 || memcmp(s.ptr + from, "\xef\xbf\xbd", 3) != 0))
            return false;
    }
    return true;
}

bool utf8_is_control(uint32_t cp)
{
    return cp < 0x20 || (cp >= 0x7f && cp < 0xa0) || cp == 0x61c || cp == 0x200e || cp == 0x200f ||
           (cp >= 0x2028 && cp <= 0x202e) || (cp >= 0x2066 && cp <= 0x2069);
}

size_t utf8_add_safe(struct buf *out, struct str text, size_t width)
{
    size_t columns = 0;

    for (size_t at = 0; at < text.len && columns < width; columns++) {
        size_t from = at;
        uint32_t cp = utf8_next(text, &at);

        if (columns + 1 == width && at < text.len)
            buf_add_z(out, "\xe2\x80\xa6"); /* an ellipsis */
        else if (utf8_is_control(cp) || cp == UTF8_BAD)
            buf_add_char(out, cp == '\n' || cp == '\t' ? ' ' : '?');
        else
            buf_add(out, text.ptr + from, at - from);
    }
    return columns;
}

size_t utf8_columns(struct str text)
{
    size_t n = 0;

    for (size_t i = 0; i < text.len; i++)
        n += ((unsigned char)text.ptr[i] & 0xc0) != 0x80;
    return n;
}
