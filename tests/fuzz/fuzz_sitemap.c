/* Any bytes as a sitemap: every entry is a URL. SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "parse/sitemap.h"
#include "parse/url.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena;
    struct url base;
    struct sitemap m;

    arena_init(&arena, MIB(16));
    if (url_parse(STR("http://example.org/sitemap.xml"), NULL, &arena, &base) != ST_OK)
        abort();
    if (sitemap_parse((struct str){(const char *)data, size}, &base, &arena, &m) == ST_OK)
        for (uint32_t i = 0; i < m.count; i++)
            if (!str_starts(m.entries[i].url, STR("http")) || m.entries[i].title.len > LIMIT_TITLE)
                abort();
    arena_free(&arena);
    return 0;
}
