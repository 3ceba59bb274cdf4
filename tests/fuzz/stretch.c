/* stretch.c - a long input out of a short one. SPDX-License-Identifier: MIT */
#include "stretch.h"

#include <stdio.h>
#include <string.h>

#define SHORTEST 16 /* bytes of the part that is repeated, where there are so many */

/* The end of a line, tag or word not far behind a place drawn, or that place. */
static size_t draw_joint(struct str s, struct rng *rng)
{
    size_t at = rng_below(rng, s.len + 1);

    for (size_t i = at; i < s.len && i < at + 200; i++)
        if (s.ptr[i] == '\n' || s.ptr[i] == '>' || s.ptr[i] == ' ')
            return i + 1;
    return at;
}

/* Writes a number over the letters and digits at `at`. */
static void put_number(char *part, size_t len, size_t at, size_t number)
{
    char digits[24];

    (void)snprintf(digits, sizeof digits, "%06zu", number);
    for (size_t i = 0; digits[i] && at + i < len; i++)
        if (ascii_is_digit(part[at + i]) || ascii_is_alpha(part[at + i]))
            part[at + i] = digits[i];
}

size_t stretch(struct str input, struct rng *rng, char *out, size_t len)
{
    size_t from = draw_joint(input, rng), to = draw_joint(input, rng), n = 0, number_at;
    struct str part;

    if (from > to) {
        size_t swap = from;
        from = to;
        to = swap;
    }
    if (to - from < SHORTEST)
        to = from + SHORTEST < input.len ? from + SHORTEST : input.len;
    part = str_sub(input, from, to);
    if (part.len == 0 || input.len + part.len > len)
        return 0;
    number_at = rng_below(rng, part.len);
    memcpy(out, input.ptr, from);
    n = from;
    for (size_t i = 0; n + part.len + (input.len - to) <= len; i++) {
        memcpy(out + n, part.ptr, part.len);
        put_number(out + n, part.len, number_at, i);
        n += part.len;
    }
    memcpy(out + n, input.ptr + to, input.len - to);
    return n + input.len - to;
}
