/* rows.c - rows that several nodes sent, in one order. See rows.h. SPDX-License-Identifier: MIT */
#include "cluster/rows.h"

#include "base/mem.h"
#include "base/order.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct sorted_row {
    json_t *json;
    const char *text;
    double number;
    size_t place;
};

ORDER(by_text, struct sorted_row, strcmp(x->text, y->text) ?: UP(place))
ORDER(by_number, struct sorted_row, DOWN(number) ?: UP(place))

void rows_sort(json_t *rows, const char *member, enum rows_order order)
{
    bool is_text = order == ROWS_OLDEST || order == ROWS_NEWEST;
    size_t count = json_array_size(rows);
    LOCAL_HEAP struct sorted_row *all = mem_zero(count + 1, sizeof *all);
    json_t *sorted = json_array(), *row;
    size_t i;

    json_array_foreach(rows, i, row)
    {
        const json_t *value = json_object_get(row, member);
        const char *text = json_string_value(value);
        double number = json_number_value(value);

        all[i] = (struct sorted_row){row, text ? text : "",
                                     order == ROWS_SMALLEST ? -number : number, i};
    }
    if (count > 1)
        qsort(all, count, sizeof *all, is_text ? by_text : by_number);
    for (i = 0; i < count; i++)
        (void)json_array_append(sorted, all[order == ROWS_NEWEST ? count - 1 - i : i].json);
    (void)json_array_clear(rows);
    (void)json_array_extend(rows, sorted);
    json_decref(sorted);
}

void rows_keep(json_t *rows, size_t from, size_t n)
{
    for (size_t i = json_array_size(rows); i > 0; i--)
        if (i - 1 < from || i - 1 - from >= n)
            (void)json_array_remove(rows, i - 1);
}

void rows_keep_last(json_t *rows, size_t n)
{
    size_t count = json_array_size(rows);

    rows_keep(rows, count > n ? count - n : 0, n);
}
