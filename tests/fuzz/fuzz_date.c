/* Any text as a date: what is one lies between 1970 and 2200 (in header fields, where a
 * cookie may last for ever, 9999), and what is written of it in ISO 8601 is the same moment.
 * SPDX-License-Identifier: MIT */
#include "base/os/clock.h"
#include "parse/date.h"

#include <stdlib.h>

#define AT_2200  INT64_C(7258204800) /* some hours later by zones */
#define AT_10000 INT64_C(253402387200)

static void check(bool is_date, int64_t us, int64_t last)
{
    char text[CLOCK_TEXT];
    int64_t again;

    if (!is_date)
        return;
    if (us < 0 || us > last * US_PER_S)
        abort();
    if (us >= INT64_C(7258118400) * US_PER_S) /* 2200: date_iso() reads none of these */
        return;
    clock_format(us, 6, text);
    if (!date_iso(str_of(text), &again) || again != us)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str s = {(const char *)data, size};
    int64_t us = 0;

    check(date_http(s, &us), us, AT_10000);
    check(date_iso(s, &us), us, AT_2200);
    check(date_any(s, &us), us, AT_2200);
    check(date_in_url(s, &us), us, AT_2200);
    return 0;
}
