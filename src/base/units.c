/* units.c - durations, sizes and rates as people write them.
 * SPDX-License-Identifier: MIT */
#include "base/units.h"

#include "base/mem.h"

#include <math.h>
#include <stdio.h>

struct unit {
    const char *name;
    double factor;
};

static const struct unit duration_units[] = {
    {"", 1e6},   {"us", 1},     {"ms", 1e3},   {"s", 1e6},     {"sec", 1e6},
    {"m", 60e6}, {"min", 60e6}, {"h", 3600e6}, {"d", 86400e6}, {"w", 604800e6},
};

static const struct unit size_units[] = {
    {"", 1},         {"b", 1},        {"k", 1e3},      {"kb", 1e3},     {"m", 1e6},
    {"mb", 1e6},     {"g", 1e9},      {"gb", 1e9},     {"t", 1e12},     {"tb", 1e12},
    {"ki", 0x1p10},  {"kib", 0x1p10}, {"mi", 0x1p20},  {"mib", 0x1p20}, {"gi", 0x1p30},
    {"gib", 0x1p30}, {"ti", 0x1p40},  {"tib", 0x1p40},
};

/* Reads "<number><unit>", scaled by the unit's factor. Returns a value below 0 if it
 * is not that. */
static double read_scaled(struct str text, const struct unit *units, size_t n)
{
    size_t digits = 0;
    struct str unit;
    double value;

    text = str_trim(text);
    while (digits < text.len && (ascii_is_digit(text.ptr[digits]) || text.ptr[digits] == '.'))
        digits++;
    unit = str_trim(str_sub(text, digits, text.len));
    if (!str_to_double(str_sub(text, 0, digits), &value))
        return -1;
    for (size_t i = 0; i < n; i++)
        if (str_eq_i(unit, str_of(units[i].name)))
            return value * units[i].factor;
    return -1;
}

enum status units_duration(struct str text, int64_t *ret_us)
{
    double us = read_scaled(text, duration_units, ARRAY_LEN(duration_units));

    if (us < 0 || us > 1e15)
        return status_fail(ST_USAGE, "'%.*s' is no duration (write 10s, 5m, 1.5h, 250ms)",
                           STR_ARG(text));
    *ret_us = (int64_t)llround(us);
    return ST_OK;
}

enum status units_size(struct str text, uint64_t *ret_bytes)
{
    double bytes = read_scaled(text, size_units, ARRAY_LEN(size_units));

    if (bytes < 0 || bytes > 1e18)
        return status_fail(ST_USAGE, "'%.*s' is no size (write 500k, 2M, 1Gi)", STR_ARG(text));
    *ret_bytes = (uint64_t)llround(bytes);
    return ST_OK;
}

const char *units_show_duration(int64_t us, char ret[UNITS_TEXT])
{
    double s = (double)us / 1e6;

    if (s < 1)
        (void)snprintf(ret, UNITS_TEXT, "%.0f ms", s * 1e3);
    else if (s < 60)
        (void)snprintf(ret, UNITS_TEXT, "%.1f s", s);
    else if (s < 3600)
        (void)snprintf(ret, UNITS_TEXT, "%d min %d s", (int)(s / 60), (int)fmod(s, 60));
    else
        (void)snprintf(ret, UNITS_TEXT, "%.0f h %d min", floor(s / 3600), (int)fmod(s / 60, 60));
    return ret;
}

const char *units_show_size(uint64_t bytes, char ret[UNITS_TEXT])
{
    static const char *const names[] = {"B", "kB", "MB", "GB", "TB", "PB"};
    double v = (double)bytes;
    size_t i = 0;

    for (; v >= 1000 && i + 1 < ARRAY_LEN(names); i++)
        v /= 1000;
    (void)snprintf(ret, UNITS_TEXT, i ? "%.1f %s" : "%.0f %s", v, names[i]);
    return ret;
}
