/* unicode.c - character classes and lower case, from generated tables.
 *
 * Workload: a class for every character beyond ASCII of every page; lower case
 * only for words that are not in the stem cache. So classes take two loads, and
 * lower case a binary search of some 180 runs.
 * SPDX-License-Identifier: MIT */
#include "text/words/unicode.h"

#include "base/mem.h"
#include "base/utf8.h"

/* Code points first, first + step, … last are upper case; lower = upper + delta. */
struct lower_run {
    uint32_t first, last;
    uint32_t step;
    int32_t delta;
};

#include "text/words/unicode_table.h"

#define BLOCK_BITS 7 /* code points of a block: 1 << BLOCK_BITS */

enum char_class unicode_class(uint32_t cp)
{
    uint32_t at;
    uint8_t pair;

    if (cp >= UNICODE_END)
        return CHAR_OTHER;
    at = (uint32_t)class_index[cp >> BLOCK_BITS] << BLOCK_BITS | (cp & ((1u << BLOCK_BITS) - 1));
    pair = class_blocks[at / 2];
    return (enum char_class)(at & 1 ? pair >> 4 : pair & 15);
}

uint32_t unicode_lower(uint32_t cp)
{
    size_t low = 0, high = ARRAY_LEN(lower_runs);

    if (cp < 0x80)
        return cp >= 'A' && cp <= 'Z' ? cp + 32 : cp;
    while (low < high) { /* the first run that ends at or after cp */
        size_t mid = (low + high) / 2;

        if (lower_runs[mid].last < cp)
            low = mid + 1;
        else
            high = mid;
    }
    if (low == ARRAY_LEN(lower_runs) || cp < lower_runs[low].first ||
        (cp - lower_runs[low].first) % lower_runs[low].step != 0)
        return cp;
    return (uint32_t)((int32_t)cp + lower_runs[low].delta);
}

enum status unicode_lower_text(struct str text, struct buf *out)
{
    size_t i = 0;

    while (i < text.len) {
        size_t from = i;
        char *room, bytes[4];

        while (i < text.len && (unsigned char)text.ptr[i] < 0x80)
            i++;
        room = buf_room(out, i - from);
        if (room == NULL)
            return ST_LIMIT;
        for (size_t k = 0; k < i - from; k++)
            room[k] = ascii_lower(text.ptr[from + k]);
        out->len += i - from;
        if (i < text.len) {
            size_t n = utf8_put(unicode_lower(utf8_next(text, &i)), bytes);

            buf_add(out, bytes, n);
        }
    }
    return out->full ? ST_LIMIT : ST_OK;
}
