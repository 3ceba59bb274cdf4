/* nearest.c - did you mean …? SPDX-License-Identifier: MIT */
#include "base/nearest.h"

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

const char *nearest_name(struct str name, const char *(*nth)(const void *ctx, size_t i),
                         const void *ctx)
{
    const char *best = NULL, *candidate;
    size_t least = name.len < 4 ? 2 : 3; /* so far away it is no misspelling */

    for (size_t i = 0; (candidate = nth(ctx, i)) != NULL; i++) {
        size_t d = distance(name, str_of(candidate));

        if (d < least) {
            least = d;
            best = candidate;
        }
    }
    return best;
}
