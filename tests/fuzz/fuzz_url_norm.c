/* Any text as a URL: its normal form is a URL whose normal form is itself, and can
 * be split. SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "parse/url_norm.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena;
    struct url u, again;
    struct str once, scheme, host, path;
    uint16_t port;

    arena_init(&arena, MIB(1));
    if (url_parse((struct str){(const char *)data, size}, NULL, &arena, &u) == ST_OK &&
        (once = url_norm(&u, &arena)).ptr != NULL) {
        if (url_parse(once, NULL, &arena, &again) != ST_OK ||
            !str_eq(url_norm(&again, &arena), once))
            abort();
        url_split(once, &scheme, &host, &port, &path);
        if (!str_eq(scheme, u.scheme) || port != u.port || !str_starts(host, u.host) ||
            path.len == 0)
            abort();
    }
    url_split((struct str){(const char *)data, size}, &scheme, &host, &port, &path);
    (void)url_key((struct str){(const char *)data, size});
    arena_free(&arena);
    return 0;
}
