/* figures.c - figures of several nodes, added up. See figures.h.
 * SPDX-License-Identifier: MIT */
#include "cluster/figures.h"

#include "base/mem.h"

#include <stdbool.h>
#include <string.h>

#define DEPTH 4 /* of nested objects; nodes send no more */

static bool is_one_of(const char *key, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(key, names[i]) == 0)
            return true;
    return false;
}

static bool is_mean(const char *key)
{
    static const char *const names[] = {"mean_relevance", "relevant_threshold", "cpu",
                                        "store",          "threshold",          "R"};

    return is_one_of(key, names, ARRAY_LEN(names));
}

/* Periods overlapped; bounds of the population are those of all nodes. */
static bool is_most(const char *key)
{
    static const char *const names[] = {"seconds", "left", "low", "high", "cap", "round"};

    return is_one_of(key, names, ARRAY_LEN(names));
}

static json_t *sum(const char *key, const json_t *a, const json_t *b, double wa, double wb)
{
    double x = json_number_value(a), y = json_number_value(b);

    if (is_mean(key))
        return json_real(wa + wb > 0 ? (x * wa + y * wb) / (wa + wb) : (x + y) / 2);
    if (is_most(key))
        return json_real(x > y ? x : y);
    if (json_is_integer(a) && json_is_integer(b) && x + y < 9e15 && x + y > -9e15)
        return json_integer(json_integer_value(a) + json_integer_value(b));
    return json_real(x + y);
}

static void add(json_t *a, json_t *b, double wa, double wb, int depth)
{
    const char *key;
    json_t *value;

    json_object_foreach(b, key, value)
    {
        json_t *before = json_object_get(a, key);

        if (before == NULL || json_is_null(before))
            (void)json_object_set(a, key, value);
        else if (json_is_number(before) && json_is_number(value))
            (void)json_object_set_new(a, key, sum(key, before, value, wa, wb));
        else if (json_is_object(before) && json_is_object(value) && depth < DEPTH)
            add(before, value, wa, wb, depth + 1);
    }
}

void figures_add(json_t *a, json_t *b, double wa, double wb)
{
    add(a, b, wa, wb, 0);
}
