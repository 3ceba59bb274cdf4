/* guard.c - checks which requests are accepted. See guard.h. SPDX-License-Identifier: MIT */
#include "dash/guard.h"

#include "base/limits.h"

#include <openssl/crypto.h>
#include <stdio.h>

/* name, or name:port. */
static bool is_named(struct str host, struct str name, uint16_t port)
{
    char text[8];

    if (!str_starts_i(host, name))
        return false;
    (void)snprintf(text, sizeof text, ":%u", port);
    host = str_sub(host, name.len, host.len);
    return host.len == 0 || str_eq(host, str_of(text));
}

bool guard_host(const char *bind, uint16_t port, struct str host)
{
    char bracketed[80];
    bool v6 = strchr(bind, ':') != NULL;

    bool every = strcmp(bind, "0.0.0.0") == 0 || strcmp(bind, "::") == 0;

    if (host.len == 0)
        return false;
    (void)snprintf(bracketed, sizeof bracketed, v6 ? "[%s]" : "%s", bind);
    return is_named(host, STR("127.0.0.1"), port) || is_named(host, STR("localhost"), port) ||
           is_named(host, STR("[::1]"), port) ||
           (!every && is_named(host, str_of(bracketed), port));
}

bool guard_fetch(struct str site, struct str mode, struct str dest)
{
    if (site.len == 0 || str_eq(site, STR("same-origin")) || str_eq(site, STR("none")))
        return true;
    return str_eq(mode, STR("navigate")) && str_eq(dest, STR("document"));
}

bool guard_origin(const char *bind, uint16_t port, struct str origin)
{
    return str_starts(origin, STR("http://")) &&
           guard_host(bind, port, str_sub(origin, strlen("http://"), origin.len));
}

bool guard_token(const char *token, struct str given)
{
    size_t len = strlen(token);

    return given.len == len && CRYPTO_memcmp(token, given.ptr, len) == 0;
}

bool guard_url(struct str url)
{
    size_t query = str_find_char(url, '?', 0);
    struct str path = str_sub(url, 0, query);

    if (url.len == 0 || url.len > LIMIT_DASH_URL || url.ptr[0] != '/')
        return false;
    for (size_t i = 0; i < url.len; i++)
        if (url.ptr[i] <= ' ' || url.ptr[i] > '~')
            return false;
    return str_find(path, STR("//"), 0) == SIZE_MAX && str_find_char(path, '%', 0) == SIZE_MAX &&
           str_find(path, STR(".."), 0) == SIZE_MAX && str_find(url, STR("%00"), 0) == SIZE_MAX;
}
