/* The dashboard's checks of a request: lines are URL, Host, Origin, method.
 * SPDX-License-Identifier: MIT */
#include "dash/dash_int.h"
#include "dash/guard.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct dash d;
    struct str rest = {(const char *)data, size}, url = {NULL, 0}, host = {NULL, 0};
    struct str origin = {NULL, 0};
    struct call c = {.dash = &d};
    char *path;

    if (d.crawls.items[0] == NULL)
        (void)crawls_add(&d.crawls, "/nowhere");
    (void)str_cut(&rest, '\n', &url);
    (void)str_cut(&rest, '\n', &host);
    (void)str_cut(&rest, '\n', &origin);
    if (guard_origin("::1", 80, origin) && !str_starts(origin, STR("http://")))
        abort();
    (void)guard_host("127.0.0.1", 8400, host);
    (void)guard_token("0123456789abcdef", origin);
    if (!guard_url(url))
        return 0;
    path = str_dup(str_sub(url, 0, str_find_char(url, '?', 0)));
    if (route_find(&d, size % 2 ? "POST" : "GET", str_of(path), &c) == ST_OK && c.route == NULL)
        abort();
    free(path);
    return 0;
}
