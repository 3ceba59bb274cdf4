/* traps.c - URLs that look like part of an endless space.
 *
 * Repeats: for each period p the segments i and i+p are compared; a stretch of
 * p * LIMIT_PATH_REPEATS equal pairs means that a run of p segments stands there
 * once more than allowed. Heritrix's PathologicalPathFilter allows two; we allow
 * three, because dates and sizes repeat honestly. SPDX-License-Identifier: MIT */
#include "frontier/traps.h"

#include "base/limits.h"

static bool segments_repeat(const struct str *segments, size_t count)
{
    for (size_t period = 1; period * (LIMIT_PATH_REPEATS + 1) <= count; period++) {
        size_t equal = 0;

        for (size_t i = 0; i + period < count; i++) {
            equal = str_eq(segments[i], segments[i + period]) ? equal + 1 : 0;
            if (equal >= period * LIMIT_PATH_REPEATS)
                return true;
        }
    }
    return false;
}

static bool path_is_endless(struct str path)
{
    struct str segments[LIMIT_PATH_SEGMENTS], segment;
    size_t count = 0;

    while (str_cut(&path, '/', &segment)) {
        if (segment.len == 0 && count == 0)
            continue;
        if (count == LIMIT_PATH_SEGMENTS)
            return true;
        segments[count++] = segment;
    }
    return segments_repeat(segments, count);
}

static bool query_is_endless(struct str query)
{
    struct str names[LIMIT_QUERY_PARAMS], param;
    size_t count = 0;

    while (str_cut(&query, '&', &param)) {
        size_t same = 1, eq = str_find_char(param, '=', 0);

        if (count == LIMIT_QUERY_PARAMS)
            return true;
        names[count] = str_sub(param, 0, eq);
        for (size_t i = 0; i < count; i++)
            same += str_eq(names[i], names[count]);
        if (same > LIMIT_QUERY_SAME)
            return true;
        count++;
    }
    return false;
}

bool trap_looks_endless(struct str path)
{
    size_t query = str_find_char(path, '?', 0);

    if (path.len > LIMIT_PATH)
        return true;
    if (path_is_endless(str_sub(path, 0, query)))
        return true;
    return query != SIZE_MAX && query_is_endless(str_sub(path, query + 1, path.len));
}
