/* fuzz_units.c - durations and sizes, and what is shown of them.
 * SPDX-License-Identifier: MIT */
#include "base/units.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = {(const char *)data, size};
    char shown[UNITS_TEXT];
    uint64_t bytes;
    int64_t us;

    if (size > 1000)
        return 0;
    if (units_duration(text, &us) == ST_OK &&
        (us < 0 || strlen(units_show_duration(us, shown)) == 0))
        __builtin_trap(); /* a duration is never negative */
    if (units_size(text, &bytes) == ST_OK && strlen(units_show_size(bytes, shown)) == 0)
        __builtin_trap();
    return 0;
}
