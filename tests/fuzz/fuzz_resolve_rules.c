/* --resolve rules, a rule a line. SPDX-License-Identifier: MIT */
#include "fetch/guard.h"
#include "fetch/dns.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = str_dup((struct str){(const char *)data, size});
    const char *const texts[] = {text, NULL};
    struct resolve_rules *rules;
    struct address a;
    uint16_t port;

    if (resolve_rules_new(texts, &rules) == ST_OK) {
        for (unsigned p = 1; p < 65536; p += p == 80 || p == 443 ? 1 : 79)
            if (resolve_rules_find(rules, STR("host.test"), (uint16_t)p, &a, &port) &&
                (port == 0 || a.family == 0))
                abort();
        resolve_rules_free(rules);
    }
    free(text);
    return 0;
}
