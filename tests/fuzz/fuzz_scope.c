/* Rules of any bytes and hosts of any bytes: scope_has() and host_settings_find() always answer,
 * and an excluded host stays excluded. SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "frontier/host_settings.h"
#include "frontier/scope.h"

#include <stdint.h>
#include <stdlib.h>

/* Lines: a, x, f, s, h and a text each: --scope, --exclude, --exclude-hosts, seed, --hosts.
 * Every other line is a URL to be asked about. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str rest = {(const char *)data, size}, line;
    struct scope *s = scope_new();
    struct host_settings hosts = {0};
    int asked = 0;

    while (str_cut(&rest, '\n', &line)) {
        struct str text = str_sub(line, 1, line.len);
        size_t slash;

        if (line.len == 0 || line.len > LIMIT_URL)
            continue;
        switch (line.ptr[0]) {
        case 'a':
            (void)!scope_allow(s, text);
            break;
        case 'x':
            (void)!scope_exclude(s, text);
            break;
        case 'f':
            (void)!scope_exclude_hosts(s, text);
            break;
        case 's':
            scope_seed(s, text);
            break;
        case 'h':
            if (hosts.count < 100)
                (void)!host_settings_add(&hosts, text);
            break;
        default:
            if (++asked > 100) /* each is compared with thousands of rules */
                break;
            slash = str_find_char(text, '/', 0);
            (void)scope_has(s, line, str_sub(text, 0, slash));
            (void)host_settings_find(&hosts, str_sub(text, 0, slash));
        }
    }
    (void)!scope_exclude_hosts(s, STR("always.excluded"));
    if (scope_has(s, STR("http://a.always.excluded/x"), STR("a.always.excluded")))
        abort();
    scope_free(s);
    host_settings_free(&hosts);
    return 0;
}
