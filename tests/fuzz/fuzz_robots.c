/* The first line is a path, the rest a robots.txt, a kept block and a tag. What is
 * kept and restored answers the same. SPDX-License-Identifier: MIT */
#include "base/str.h"
#include "parse/robots/robots.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str rest = {(const char *)data, size}, path = STR("/");
    struct robots *r, *again;
    unsigned line, line_again;

    (void)str_cut(&rest, '\n', &path);
    r = robots_parse(rest, STR("brood"));
    again = robots_restore(robots_saved(r));
    if (again == NULL || robots_allows(r, path, &line) != robots_allows(again, path, &line_again) ||
        line != line_again || !robots_allows(r, STR("/robots.txt"), NULL))
        abort();
    for (unsigned i = 0; i < robots_sitemap_count(again); i++)
        if (!str_eq(robots_sitemap(r, i), robots_sitemap(again, i)))
            abort();
    robots_free(again);
    robots_free(r);
    r = robots_restore(rest);
    if (r != NULL)
        (void)robots_allows(r, path, NULL);
    robots_free(r);
    (void)robots_tag(rest, STR("brood"));
    return 0;
}
