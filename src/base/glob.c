/* glob.c - patterns with * and ?. SPDX-License-Identifier: MIT */
#include "base/glob.h"

static size_t char_bytes(struct str text, size_t at)
{
    size_t n = 1;

    while (at + n < text.len && ((unsigned char)text.ptr[at + n] & 0xc0) == 0x80)
        n++;
    return n;
}

bool glob_match(struct str pattern, struct str text)
{
    size_t p = 0, t = 0, star = SIZE_MAX, retry = 0;

    while (t < text.len) {
        if (p < pattern.len && pattern.ptr[p] == '*') {
            star = p++;
            retry = t;
        } else if (p < pattern.len && pattern.ptr[p] == '?') {
            t += char_bytes(text, t);
            p++;
        } else if (p < pattern.len && pattern.ptr[p] == text.ptr[t]) {
            p++;
            t++;
        } else if (star != SIZE_MAX) { /* let the last star take one more */
            p = star + 1;
            t = ++retry;
        } else {
            return false;
        }
    }
    while (p < pattern.len && pattern.ptr[p] == '*')
        p++;
    return p == pattern.len;
}
