/* Any bytes as a list of places to start: bookmarks, OPML, an index, lines. All that is taken is
 * a URL of ours, and each one once. SPDX-License-Identifier: MIT */
#include "crawl/start/places.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct text_list found = {0};
    struct places_wanted wanted = {.most = 50, .captures = size > 0 && data[size - 1] == 1};
    enum status st = places_of_text((struct str){(const char *)data, size}, "a", &wanted, &found);

    if ((st == ST_OK) != (found.count > 0) || found.count > 50)
        abort();
    for (size_t i = 0; i < found.count; i++)
        if (strncmp(found.items[i], "http://", 7) != 0 &&
            strncmp(found.items[i], "https://", 8) != 0)
            abort();
    for (size_t i = 1; i < found.count; i++)
        if (strcmp(found.items[i - 1], found.items[i]) == 0)
            abort();
    text_list_free(&found);
    return 0;
}
