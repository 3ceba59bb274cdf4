/* str.c - strings as pointer and length. SPDX-License-Identifier: MIT */
#include "base/str.h"

#include "base/mem.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

static bool bytes_eq_i(const char *a, const char *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (ascii_lower(a[i]) != ascii_lower(b[i]))
            return false;
    return true;
}

bool str_eq_i(struct str a, struct str b)
{
    return a.len == b.len && bytes_eq_i(a.ptr, b.ptr, a.len);
}

bool str_starts(struct str s, struct str p)
{
    return s.len >= p.len && (p.len == 0 || memcmp(s.ptr, p.ptr, p.len) == 0);
}

bool str_starts_i(struct str s, struct str p)
{
    return s.len >= p.len && bytes_eq_i(s.ptr, p.ptr, p.len);
}

bool str_ends(struct str s, struct str suffix)
{
    return s.len >= suffix.len && str_eq(str_sub(s, s.len - suffix.len, s.len), suffix);
}

bool str_ends_i(struct str s, struct str suffix)
{
    return s.len >= suffix.len && str_eq_i(str_sub(s, s.len - suffix.len, s.len), suffix);
}

int str_cmp(struct str a, struct str b)
{
    size_t n = a.len < b.len ? a.len : b.len;
    int c = n ? memcmp(a.ptr, b.ptr, n) : 0;

    if (c != 0)
        return c < 0 ? -1 : 1;
    return a.len < b.len ? -1 : a.len > b.len;
}

size_t str_find_char(struct str s, char c, size_t from)
{
    const char *hit;

    if (from >= s.len)
        return SIZE_MAX;
    hit = memchr(s.ptr + from, c, s.len - from);
    return hit ? (size_t)(hit - s.ptr) : SIZE_MAX;
}

size_t str_find(struct str s, struct str what, size_t from)
{
    const char *hit;

    if (from > s.len || what.len > s.len - from)
        return SIZE_MAX;
    if (what.len == 0)
        return from;
    hit = memmem(s.ptr + from, s.len - from, what.ptr, what.len);
    return hit ? (size_t)(hit - s.ptr) : SIZE_MAX;
}

size_t str_find_i(struct str s, struct str what, size_t from)
{
    if (what.len > s.len)
        return SIZE_MAX;
    for (size_t i = from; i <= s.len - what.len; i++)
        if (bytes_eq_i(s.ptr + i, what.ptr, what.len))
            return i;
    return SIZE_MAX;
}

struct str str_sub(struct str s, size_t from, size_t to)
{
    if (to > s.len)
        to = s.len;
    if (from > to)
        from = to;
    return (struct str){from ? s.ptr + from : s.ptr, to - from};
}

struct str str_trim(struct str s)
{
    size_t from = 0, to = s.len;

    while (from < to && ascii_is_space(s.ptr[from]))
        from++;
    while (to > from && ascii_is_space(s.ptr[to - 1]))
        to--;
    return str_sub(s, from, to);
}

bool str_cut(struct str *s, char sep, struct str *ret_part)
{
    size_t at;

    if (s->ptr == NULL || s->len == 0)
        return false;
    at = str_find_char(*s, sep, 0);
    if (at == SIZE_MAX) {
        *ret_part = *s;
        *s = (struct str){NULL, 0};
    } else {
        *ret_part = str_sub(*s, 0, at);
        *s = str_sub(*s, at + 1, s->len);
    }
    return true;
}

bool str_to_u64(struct str s, uint64_t *ret)
{
    uint64_t n = 0;

    if (s.len == 0)
        return false;
    for (size_t i = 0; i < s.len; i++) {
        if (!ascii_is_digit(s.ptr[i]) || __builtin_mul_overflow(n, (uint64_t)10, &n) ||
            __builtin_add_overflow(n, (uint64_t)(s.ptr[i] - '0'), &n))
            return false;
    }
    *ret = n;
    return true;
}

bool str_to_double(struct str s, double *ret)
{
    char text[64], *end;
    double d;

    if (s.len == 0 || s.len >= sizeof text || ascii_is_space(s.ptr[0]))
        return false;
    memcpy(text, s.ptr, s.len);
    text[s.len] = '\0';
    errno = 0;
    d = strtod(text, &end);
    if (end != text + s.len || errno != 0 || !isfinite(d))
        return false;
    *ret = d;
    return true;
}

char *str_dup(struct str s)
{
    char *copy = mem_alloc(s.len + 1);

    if (s.len)
        memcpy(copy, s.ptr, s.len);
    copy[s.len] = '\0';
    return copy;
}
