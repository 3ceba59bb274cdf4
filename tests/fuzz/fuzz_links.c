/* fuzz_links.c - the stored links of a page, from a crawl that anybody made.
 * SPDX-License-Identifier: MIT */
#include "store/links.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str links = {(const char *)data, size};
    struct links_item item;
    size_t at = 0, before = 0;
    bool bad;

    while (links_next(links, &at, &item, &bad)) {
        if (bad || at <= before || at > size)
            abort();
        before = at;
    }
    if (at > size || (!bad && size > 0 && at != size))
        abort();
    return 0;
}
