/* glob.c - patterns with * and ?. SPDX-License-Identifier: MIT */
#include "base/glob.h"

static size_t char_bytes(struct str text, size_t at)
{
    size_t n = 1;

    while (at + n < text.len && ((unsigned char)text.ptr[at + n] & 0xc0) == 0x80)
        n++;
    return n;
}

/* The next place from `at` on where the text after a star may begin; skips most others. */
static size_t next_try(struct str pattern, size_t p, struct str text, size_t at)
{
    size_t found;

    if (p == pattern.len || pattern.ptr[p] == '*' || pattern.ptr[p] == '?')
        return at;
    found = str_find_char(text, pattern.ptr[p], at);
    return found == SIZE_MAX ? text.len : found;
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
        } else if (star != SIZE_MAX) { /* let the last star take more */
            p = star + 1;
            t = retry = next_try(pattern, p, text, retry + 1);
        } else {
            return false;
        }
    }
    while (p < pattern.len && pattern.ptr[p] == '*')
        p++;
    return p == pattern.len;
}
