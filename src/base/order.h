/* order.h - an order for qsort() and bsearch() in one line.
 *
 *     ORDER(by_time, struct capture, UP(at) ?: UP(number))
 *
 * defines by_time(), which compares two captures: the earlier one comes first; if both have the
 * same time, the one with the smaller number.
 */
#pragma once

#define ORDER(name, type, ...)                    \
    static int name(const void *a, const void *b) \
    {                                             \
        const type *x = a, *y = b;                \
                                                  \
        return __VA_ARGS__;                       \
    }

/* UP puts the smaller member first, DOWN the larger one. UP_VALUE: the smaller of two numbers. */
#define UP(member)   ((x->member > y->member) - (x->member < y->member))
#define DOWN(member) ((x->member < y->member) - (x->member > y->member))
#define UP_VALUE     ((*x > *y) - (*x < *y))
