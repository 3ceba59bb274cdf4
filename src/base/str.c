/* str.c - strings as pointer and length. SPDX-License-Identifier: MIT */
#include "base/str.h"

#include "base/look.h"
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

/* At which of sixteen places can the text begin? Compares its first and last byte only. */
static inline unsigned may_begin(const char *p, const char *last, look16 folds[2], look16 ends[2])
{
    return look_bits(
        (((look_at(p) | folds[0]) ^ ends[0]) | ((look_at(last) | folds[1]) ^ ends[1])) == 0);
}

static look16 each(char c)
{
    return (look16){0} + (unsigned char)c;
}

/* The bit that tells upper from lower case, if that byte is a letter; else 0. */
static look16 fold_of(char c)
{
    return each(ascii_is_alpha(c) ? 0x20 : 0);
}

/* Asks sixteen places at a time: most have neither the first byte nor the last. */
size_t str_find_i(struct str s, struct str what, size_t from)
{
    char first = what.len ? what.ptr[0] : 0, last = what.len ? what.ptr[what.len - 1] : 0;
    look16 folds[2] = {fold_of(first), fold_of(last)};
    look16 ends[2] = {each(ascii_lower(first)), each(ascii_lower(last))};
    size_t places;

    if (what.len > s.len)
        return SIZE_MAX;
    places = s.len - what.len + 1;
    for (size_t i = from; i < places; i++) {
        for (; what.len && i + LOOK <= places; i += LOOK) {
            const char *p = s.ptr + i;

            for (unsigned at = may_begin(p, p + what.len - 1, folds, ends); at; at &= at - 1)
                if (bytes_eq_i(p + __builtin_ctz(at), what.ptr, what.len))
                    return i + (size_t)__builtin_ctz(at);
        }
        if (i < places && bytes_eq_i(s.ptr + i, what.ptr, what.len))
            return i;
    }
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

static size_t char_bytes(struct str text, size_t at)
{
    size_t n = 1;

    while (at + n < text.len && ((unsigned char)text.ptr[at + n] & 0xc0) == 0x80)
        n++;
    return n;
}

/* The next place from `at` on where the text after a star may begin. Skips most other places. */
static size_t next_try(struct str pattern, size_t p, struct str text, size_t at)
{
    size_t found;

    if (p == pattern.len || pattern.ptr[p] == '*' || pattern.ptr[p] == '?')
        return at;
    found = str_find_char(text, pattern.ptr[p], at);
    return found == SIZE_MAX ? text.len : found;
}

bool str_match(struct str pattern, struct str text)
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

#define NAME_LONGEST 40

/* Edit distance (Levenshtein), for short names. */
static size_t distance(struct str a, struct str b)
{
    size_t row[NAME_LONGEST + 1];

    if (a.len > NAME_LONGEST || b.len > NAME_LONGEST)
        return NAME_LONGEST;
    for (size_t j = 0; j <= b.len; j++)
        row[j] = j;
    for (size_t i = 1; i <= a.len; i++) {
        size_t diagonal = row[0];

        row[0] = i;
        for (size_t j = 1; j <= b.len; j++) {
            size_t change = diagonal + (a.ptr[i - 1] != b.ptr[j - 1]);
            size_t add = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;

            diagonal = row[j];
            row[j] = change < add ? change : add;
        }
    }
    return row[b.len];
}

const char *str_nearest(struct str name, const char *(*nth)(const void *ctx, size_t i),
                        const void *ctx)
{
    const char *best = NULL, *candidate;
    size_t least = name.len < 4 ? 2 : 3; /* a name at this distance is no misspelling */

    for (size_t i = 0; (candidate = nth(ctx, i)) != NULL; i++) {
        size_t d = distance(name, str_of(candidate));

        if (d < least) {
            least = d;
            best = candidate;
        }
    }
    return best;
}
