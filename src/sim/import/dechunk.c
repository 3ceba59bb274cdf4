/* dechunk.c - HTTP's chunked coding, undone (RFC 9112 7.1): sizes in hex, each
 * on a line of its own, until one is 0. Extensions and trailers are passed over.
 * SPDX-License-Identifier: MIT */
#include "sim/import/dechunk.h"

#define SIZE_LINE 1024 /* bytes of a chunk's line; extensions are rare and short */

/* The line "1a2b;ext\r\n" at the front of *rest, cut off. */
static bool take_size(struct str *rest, size_t *ret)
{
    size_t end = str_find_char(str_sub(*rest, 0, SIZE_LINE), '\n', 0), i = 0, n = 0;

    if (end == SIZE_MAX)
        return false;
    for (; i < end && ascii_hex(rest->ptr[i]) >= 0; i++) {
        if (n >> 40)
            return false;
        n = n << 4 | (size_t)ascii_hex(rest->ptr[i]);
    }
    if (i == 0 || !strchr("; \t\r\n", rest->ptr[i]))
        return false;
    *rest = str_sub(*rest, end + 1, rest->len);
    *ret = n;
    return true;
}

bool dechunk(struct str raw, struct buf *out, bool *ret_cut)
{
    size_t size;
    bool begun = false;

    *ret_cut = false;
    while (take_size(&raw, &size)) {
        begun = true;
        if (size == 0)
            return true;
        buf_add_str(out, str_sub(raw, 0, size));
        if (size > raw.len || out->full) {
            *ret_cut = true;
            return true;
        }
        raw = str_sub(raw, size, raw.len);
        if (raw.len && raw.ptr[0] == '\r')
            raw = str_sub(raw, 1, raw.len);
        if (raw.len && raw.ptr[0] == '\n')
            raw = str_sub(raw, 1, raw.len);
    }
    *ret_cut = begun;
    return begun;
}
