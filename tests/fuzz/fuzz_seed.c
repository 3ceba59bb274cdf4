/* A place to start, as people write it: what is taken is a URL of ours, and is taken again.
 * SPDX-License-Identifier: MIT */
#include "crawl/start/seed.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct text_list once = {0}, twice = {0};

    if (seed_read((struct str){(const char *)data, size}, &once) == ST_OK) {
        struct str url = str_of(once.count == 1 ? once.items[0] : "");

        if (!str_starts(url, STR("http://")) && !str_starts(url, STR("https://")))
            abort();
        if (seed_read(url, &twice) != ST_OK || !str_eq(url, str_of(twice.items[0])))
            abort();
    } else if (once.count > 0) {
        abort();
    }
    text_list_free(&once);
    text_list_free(&twice);
    return 0;
}
