/* Any text as a URL, alone and against a base: parts lie inside the href, and the
 * href parses to itself. The base is the input up to the first newline.
 * SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "parse/url.h"

#include <stdlib.h>

static void check(const struct url *u, struct arena *arena)
{
    struct url again;

    if (u->href.len > LIMIT_URL || u->host.len == 0 || u->path.len == 0 || u->path.ptr[0] != '/')
        abort();
    if (url_parse(u->href, NULL, arena, &again) != ST_OK || !str_eq(again.href, u->href) ||
        !str_eq(again.host, u->host) || !str_eq(again.path, u->path) ||
        !str_eq(again.query, u->query) || again.port != u->port)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str rest = {(const char *)data, size}, first;
    struct arena arena;
    struct url base, u;

    arena_init(&arena, MIB(1));
    if (url_parse(rest, NULL, &arena, &u) == ST_OK)
        check(&u, &arena);
    if (str_cut(&rest, '\n', &first) && url_parse(first, NULL, &arena, &base) == ST_OK &&
        url_parse(rest, &base, &arena, &u) == ST_OK)
        check(&u, &arena);
    arena_free(&arena);
    return 0;
}
