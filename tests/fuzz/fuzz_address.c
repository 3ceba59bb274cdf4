/* Address text, and the guard's judgement of what it says. An address that was
 * read must be the same after being shown. SPDX-License-Identifier: MIT */
#include "fetch/guard.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct address a, again;
    char text[46];

    if (!address_parse((struct str){(const char *)data, size}, &a))
        return 0;
    (void)guard_refuses(&a);
    if (!address_parse(str_of(address_show(&a, text)), &again) || memcmp(&a, &again, sizeof a) != 0)
        abort();
    return 0;
}
