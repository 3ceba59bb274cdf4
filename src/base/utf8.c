/* utf8.c - UTF-8, one code point at a time. SPDX-License-Identifier: MIT */
#include "base/utf8.h"

#include "base/mem.h"

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

/* ---- columns of a terminal ---------------------------------------------- */

struct code_range {
    uint32_t first, last;
};

/* East Asian wide and full-width characters, and pictures: two columns. */
static const struct code_range wide[] = {
    {0x1100, 0x115f},   {0x231a, 0x231b},   {0x2329, 0x232a},   {0x23e9, 0x23ec},
    {0x2614, 0x2615},   {0x26a1, 0x26a1},   {0x2705, 0x2705},   {0x274c, 0x274c},
    {0x2b50, 0x2b50},   {0x2e80, 0x303e},   {0x3041, 0x3098},   {0x309b, 0xa4cf},
    {0xa960, 0xa97c},   {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe10, 0xfe19},
    {0xfe30, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},   {0x16fe0, 0x1b2fb},
    {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x1fa70, 0x1faff},
    {0x20000, 0x3fffd},
};

/* Marks on the character before, and what is not seen: none. */
static const struct code_range no_width[] = {
    {0x300, 0x36f},   {0x483, 0x489},   {0x591, 0x5bd},   {0x5bf, 0x5bf},   {0x5c1, 0x5c2},
    {0x5c4, 0x5c5},   {0x5c7, 0x5c7},   {0x610, 0x61a},   {0x64b, 0x65f},   {0x670, 0x670},
    {0x6d6, 0x6dc},   {0x6df, 0x6e4},   {0x6e7, 0x6e8},   {0x6ea, 0x6ed},   {0x900, 0x902},
    {0x93a, 0x93a},   {0x93c, 0x93c},   {0x941, 0x948},   {0x94d, 0x94d},   {0x981, 0x981},
    {0x9bc, 0x9bc},   {0x9c1, 0x9c4},   {0x9cd, 0x9cd},   {0xa41, 0xa51},   {0xac1, 0xacd},
    {0xb82, 0xb82},   {0xbc0, 0xbc0},   {0xbcd, 0xbcd},   {0xc3e, 0xc40},   {0xc46, 0xc56},
    {0xccc, 0xccd},   {0xd41, 0xd44},   {0xd4d, 0xd4d},   {0xe31, 0xe31},   {0xe34, 0xe3a},
    {0xe47, 0xe4e},   {0xeb1, 0xeb1},   {0xeb4, 0xebc},   {0xec8, 0xecd},   {0x1ab0, 0x1aff},
    {0x1dc0, 0x1dff}, {0x200b, 0x200d}, {0x2060, 0x2060}, {0x20d0, 0x20ff}, {0x302a, 0x302d},
    {0x3099, 0x309a}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xfeff, 0xfeff}, {0xe0100, 0xe01ef},
};

static bool is_in(const struct code_range *ranges, size_t n, uint32_t cp)
{
    size_t low = 0;

    while (n > 0) { /* the first that does not end before it is among the n from `low` on */
        size_t half = n / 2;

        if (ranges[low + half].last < cp) {
            low += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    return ranges[low].first <= cp && cp <= ranges[low].last;
}

static size_t columns_of(uint32_t cp)
{
    if (cp < no_width[0].first)
        return 1;
    if (cp <= no_width[ARRAY_LEN(no_width) - 1].last && is_in(no_width, ARRAY_LEN(no_width), cp))
        return 0;
    return cp <= wide[ARRAY_LEN(wide) - 1].last && is_in(wide, ARRAY_LEN(wide), cp) ? 2 : 1;
}

size_t utf8_add_safe(struct buf *out, struct str text, size_t width)
{
    size_t columns = 0;

    for (size_t at = 0; at < text.len && width > 0;) {
        size_t from = at, n;
        uint32_t cp = utf8_next(text, &at);

        n = columns_of(cp);
        if (columns + n > width ||
            (n > 0 && columns + n == width && utf8_columns(str_sub(text, at, text.len)) > 0)) {
            buf_add_z(out, "\xe2\x80\xa6"); /* an ellipsis */
            return columns + 1;
        }
        columns += n;
        if (utf8_is_control(cp) || cp == UTF8_BAD)
            buf_add_char(out, cp == '\n' || cp == '\t' ? ' ' : '?');
        else
            buf_add(out, text.ptr + from, at - from);
    }
    return columns;
}

size_t utf8_columns(struct str text)
{
    size_t n = 0;

    for (size_t at = 0; at < text.len;)
        n += columns_of(utf8_next(text, &at));
    return n;
}
