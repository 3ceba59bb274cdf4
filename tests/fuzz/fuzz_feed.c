/* Any bytes as a feed: nothing passes its ceiling. SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "parse/feed.h"
#include "parse/url.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena;
    struct url base;
    struct feed f;

    arena_init(&arena, MIB(16));
    if (url_parse(STR("http://example.org/a/feed.xml"), NULL, &arena, &base) != ST_OK)
        abort();
    if (feed_parse((struct str){(const char *)data, size}, STR(""), &base, &arena, &f) == ST_OK)
        for (uint32_t i = 0; i < f.count; i++) {
            const struct feed_entry *e = &f.entries[i];

            if (e->url.len > LIMIT_URL || e->title.len > LIMIT_TITLE ||
                e->text.len > LIMIT_FEED_TEXT || (e->url.len && e->url.ptr[0] != 'h'))
                abort();
        }
    arena_free(&arena);
    return 0;
}
