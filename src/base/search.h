/* search.h - binary search by a condition instead of a comparison.
 *
 *     uint32_t i;
 *
 *     FIND_FIRST(i, 0, count, ids[i] >= wanted);
 *     return i < count && ids[i] == wanted;
 */
#pragma once

/* Sets `i`, an unsigned integer, to the first value in [from, to) for which the condition holds, or
 * to `to` if there is none. The condition is an expression of `i`. Once it holds, it must hold for
 * every larger value. */
#define FIND_FIRST(i, from, to, condition)                   \
    do {                                                     \
        __typeof__(i) find_low_ = (from), find_high_ = (to); \
                                                             \
        while (find_low_ < find_high_) {                     \
            (i) = find_low_ + (find_high_ - find_low_) / 2;  \
            if (condition)                                   \
                find_high_ = (i);                            \
            else                                             \
                find_low_ = (i) + 1;                         \
        }                                                    \
        (i) = find_low_;                                     \
    } while (0)
