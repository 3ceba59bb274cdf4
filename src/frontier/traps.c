/* traps.c - URLs that look like part of an endless space.
 *
 * Repeats: for each period p the segments i and i+p are compared; a stretch of
 * p * LIMIT_PATH_REPEATS equal pairs means that a run of p segments stands there
 * once more than allowed. Heritrix's PathologicalPathFilter allows two; we allow
 * three, because dates and sizes repeat honestly.
 *
 * Calendars: most numbers in URLs are not dates (/thread/1234/5), so a year counts only
 * as part of a whole date (/2093/04/01, 2093-04-01), by the name of its parameter
 * (?year=2093&month=4, ?date=20930401), or with its month alone where the URL says what
 * it is (/calendar/2093/4). SPDX-License-Identifier: MIT */
#include "frontier/traps.h"

#include "base/limits.h"
#include "base/mem.h"

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

/* ---- calendars ----------------------------------------------------------- */

/* Returns the number in a text of `min` to `max` digits; -1 if it is not one. */
static int digits(struct str s, size_t min, size_t max)
{
    int n = 0;

    if (s.len < min || s.len > max)
        return -1;
    for (size_t i = 0; i < s.len; i++) {
        if (!ascii_is_digit(s.ptr[i]))
            return -1;
        n = n * 10 + (s.ptr[i] - '0');
    }
    return n;
}

static bool is_month(int n)
{
    return n >= 1 && n <= 12;
}

static bool is_day(int n)
{
    return n >= 1 && n <= 31;
}

static bool is_far(int year, int now)
{
    return year >= 0 && (year < now - LIMIT_YEARS_BEFORE || year > now + LIMIT_YEARS_AHEAD);
}

/* Words of URLs in which a number is likely a date. */
static const struct str calendar_words[] = {STR("calend"),  STR("kalend"), STR("event"),
                                            STR("agenda"),  STR("month"),  STR("archiv"),
                                            STR("schedul"), STR("/day/"),  STR("date")};

/* The first letters of these words, in both cases: most places of a URL need only this test. */
static const bool calendar_letters[256] = {
    ['c'] = true, ['C'] = true, ['k'] = true, ['K'] = true, ['e'] = true,
    ['E'] = true, ['a'] = true, ['A'] = true, ['m'] = true, ['M'] = true,
    ['s'] = true, ['S'] = true, ['/'] = true, ['d'] = true, ['D'] = true,
};

static bool has_calendar_word(struct str path)
{
    for (size_t i = 0; i < path.len; i++)
        for (size_t w = 0;
             calendar_letters[(unsigned char)path.ptr[i]] && w < ARRAY_LEN(calendar_words); w++)
            if (ascii_lower(path.ptr[i]) == calendar_words[w].ptr[0] &&
                str_starts_i(str_sub(path, i, path.len), calendar_words[w]))
                return true;
    return false;
}

/* Returns the year of "2093-04-01"; if `loosely`, also of "2093-04" and "20930401".
 * Otherwise -1. */
static int dated_word(struct str s, bool loosely)
{
    int year = digits(str_sub(s, 0, 4), 4, 4);
    bool dashed = s.len > 4 && (s.ptr[4] == '-' || s.ptr[4] == '_' || s.ptr[4] == '.');
    size_t at = dashed ? 5 : 4;
    struct str day = str_sub(s, at + 2, s.len);

    if (!dashed && !loosely)
        return -1;
    if (s.len < at + 2 || !is_month(digits(str_sub(s, at, at + 2), 2, 2)))
        return -1;
    if (day.len == 0) /* six digits alone can be any number */
        return dashed && loosely ? year : -1;
    if (dashed && day.ptr[0] != s.ptr[4])
        return -1;
    return is_day(digits(str_sub(day, dashed, day.len), 2, 2)) ? year : -1;
}

static bool path_is_far(struct str path, int now, bool loosely)
{
    struct str last[2] = {STR(""), STR("")}, segment; /* the two before */

    while (str_cut(&path, '/', &segment)) {
        if (is_far(dated_word(segment, loosely), now))
            return true;
        if (is_far(digits(last[0], 4, 4), now) && is_month(digits(last[1], 2, 2)) &&
            is_day(digits(segment, 2, 2)))
            return true;
        if (loosely && is_far(digits(last[1], 4, 4), now) && is_month(digits(segment, 1, 2)))
            return true;
        last[0] = last[1];
        last[1] = segment;
    }
    return false;
}

static bool query_is_far(struct str query, int now, bool loosely)
{
    int year = -1;
    bool month = false;
    struct str param;

    while (str_cut(&query, '&', &param)) {
        size_t eq = str_find_char(param, '=', 0);
        struct str name = str_sub(param, 0, eq);
        struct str value = eq == SIZE_MAX ? STR("") : str_sub(param, eq + 1, param.len);

        if (is_far(dated_word(value, loosely), now))
            return true;
        if (str_eq_i(name, STR("year")) || (loosely && str_eq_i(name, STR("y"))))
            year = digits(value, 1, 6);
        month |= str_eq_i(name, STR("month")) || str_eq_i(name, STR("mon")) ||
                 (loosely && str_eq_i(name, STR("m")));
    }
    return month && is_far(year, now);
}

/* Four digits in a row: without them a path has no year. */
static bool has_year(struct str path)
{
    int run = 0;

    for (size_t i = 0; i < path.len && run < 4; i++)
        run = ascii_is_digit(path.ptr[i]) ? run + 1 : 0;
    return run == 4;
}

bool trap_looks_endless(struct str path, int year)
{
    struct str whole = path, query = STR("");
    size_t at = str_find_char(path, '?', 0);
    bool loosely;

    if (path.len > LIMIT_PATH)
        return true;
    if (at != SIZE_MAX)
        query = str_sub(path, at + 1, path.len);
    path = str_sub(path, 0, at);
    if (path_is_endless(path) || query_is_endless(query))
        return true;
    if (year <= 0 || (query.len == 0 && !has_year(path)))
        return false;
    loosely = has_calendar_word(whole);
    return path_is_far(path, year, loosely) || query_is_far(query, year, loosely);
}
