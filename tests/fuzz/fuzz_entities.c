/* fuzz_entities.c - every '&' of a text, as text and as the value of an attribute.
 * SPDX-License-Identifier: MIT */
#include "base/utf8.h"
#include "parse/entities.h"

#include <stdlib.h>

static void check(const char *p, const char *end, bool in_attribute)
{
    char value[ENTITY_VALUE_MAX];
    size_t len = 0, taken = entity_decode(p, end, in_attribute, value, &len);

    if (taken == 0)
        return;
    if (taken > (size_t)(end - p) || len == 0 || len > sizeof value)
        abort();
    if (5 * len > 6 * (taken + 1)) /* with its '&'; page texts rely on it */
        abort();
    if (!utf8_is_valid((struct str){value, len}))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *copy = malloc(size + 1); /* its own block: a byte too far is seen */
    size_t n = 0;

    for (; n < size; n++)
        copy[n] = (char)data[n];
    for (size_t i = 0; i < n; i++) {
        if (copy[i] != '&')
            continue;
        check(copy + i + 1, copy + n, false);
        check(copy + i + 1, copy + n, true);
    }
    free(copy);
    return 0;
}
