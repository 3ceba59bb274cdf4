/* rows.h - rows that several nodes sent, in one order.
 *
 * A row is a JSON object, or anything else that a stranger sent: what lacks the member counts as
 * an empty text, or as 0. Of rows that are equal, the one that came first stands first.
 */
#pragma once

#include <jansson.h>
#include <stddef.h>

enum rows_order {
    ROWS_OLDEST,   /* the member is a time as text, or another text */
    ROWS_NEWEST,   /* the opposite; of rows that are equal, the one that came last stands first */
    ROWS_LARGEST,  /* it is a number */
    ROWS_SMALLEST, /* the opposite */
};

void rows_sort(json_t *rows, const char *member, enum rows_order order);

/* Leaves `n` of them from one on, or the last `n`. */
void rows_keep(json_t *rows, size_t from, size_t n);
void rows_keep_last(json_t *rows, size_t n);
