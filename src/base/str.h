/* str.h - strings as pointer and length.
 *
 * A `struct str` borrows bytes that it does not own; it need not end in
 * NUL, and may contain one. Passed by value. An empty string has len 0 and may
 * have any ptr, NULL included.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct str {
    const char *ptr;
    size_t len; /* bytes */
};

/* A literal as a struct str, also in initialisers. */
#define STR(literal) ((struct str){(literal), sizeof(literal) - 1})
/* For printf's "%.*s". */
#define STR_ARG(s)   (int)(s).len, (s).len ? (s).ptr : ""

static inline struct str str_of(const char *z)
{
    return (struct str){z, z ? strlen(z) : 0};
}

static inline bool str_eq(struct str a, struct str b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

static inline char ascii_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

static inline bool ascii_is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

static inline bool ascii_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool ascii_is_alpha(char c)
{
    return (unsigned char)((c | 32) - 'a') < 26;
}

/* The value of a hex digit, or -1. */
static inline int ascii_hex(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 32);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Equality, prefix and suffix; the _i forms ignore ASCII case. */
bool str_eq_i(struct str a, struct str b);
bool str_starts(struct str s, struct str prefix);
bool str_starts_i(struct str s, struct str prefix);
bool str_ends(struct str s, struct str suffix);
bool str_ends_i(struct str s, struct str suffix);

/* Compares by bytes; returns -1, 0 or 1. A prefix comes before the longer string. */
int str_cmp(struct str a, struct str b);

/* The first position of a byte or a string at or after `from`, or SIZE_MAX. */
size_t str_find_char(struct str s, char c, size_t from);
size_t str_find(struct str s, struct str what, size_t from);
size_t str_find_i(struct str s, struct str what, size_t from);

/* s[from, to); both are cut to the string's length. */
struct str str_sub(struct str s, size_t from, size_t to);

/* Returns the string without ASCII white space at both ends. */
struct str str_trim(struct str s);

/* Cuts the part up to `sep` off the front of *s (and the separator with it).
 * Returns false when nothing is left: while (str_cut(&rest, ',', &part)) ... */
bool str_cut(struct str *s, char sep, struct str *ret_part);

/* Reads a decimal number that is the whole string. Returns false for anything else. */
bool str_to_u64(struct str s, uint64_t *ret);
bool str_to_double(struct str s, double *ret);

/* A heap copy that ends in NUL. The caller frees it. */
char *str_dup(struct str s);

/* Does a pattern with * (any run) and ? (any one character) match the whole text? Takes at most
 * pattern x text steps. Bytes count, except that ? matches a whole UTF-8 sequence. */
bool str_match(struct str pattern, struct str text);

/* Returns the name nearest to a misspelt one, or NULL if none is near. nth() gives the i-th name,
 * and NULL after the last. */
const char *str_nearest(struct str name, const char *(*nth)(const void *ctx, size_t i),
                        const void *ctx);
