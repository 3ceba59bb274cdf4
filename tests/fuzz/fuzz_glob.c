/* fuzz_glob.c - patterns against texts: the first line is the pattern.
 * SPDX-License-Identifier: MIT */
#include "base/str.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = {(const char *)data, size}, pattern;

    if (size > 4096 || !str_cut(&text, '\n', &pattern))
        return 0;
    (void)str_match(pattern, text);
    if (!str_match(STR("*"), text))
        __builtin_trap(); /* the star covers everything */
    return 0;
}
