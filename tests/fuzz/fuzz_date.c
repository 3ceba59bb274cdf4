/* Any text as a date: what is one lies between 1970 and 2200, and what is written
 * of it in ISO 8601 is the same moment. SPDX-License-Identifier: MIT */
#include "base/clock.h"
#include "parse/date.h"

#include <stdlib.h>

static void check(bool is_date, int64_t us)
{
    char text[CLOCK_TEXT];
    int64_t again;

    if (!is_date)
        return;
    if (us < 0 || us > INT64_C(7258204800) * US_PER_S) /* some hours into 2200 by zones */
        abort();
    clock_format(us, 6, text);
    if (text[0] == '2' && text[1] == '2')
        return;
    if (!date_iso(str_of(text), &again) || again != us)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str s = {(const char *)data, size};
    int64_t us = 0;

    check(date_http(s, &us), us);
    check(date_iso(s, &us), us);
    check(date_any(s, &us), us);
    check(date_in_url(s, &us), us);
    return 0;
}
