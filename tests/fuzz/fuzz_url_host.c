/* Any bytes as a host: what comes out is a host that stays as it is.
 * SPDX-License-Identifier: MIT */
#include "base/str.h"
#include "parse/url_host.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char once[URL_HOST_MAX], twice[URL_HOST_MAX];
    size_t len = url_host_parse((struct str){(const char *)data, size}, once);

    if (len > 0 && (len >= URL_HOST_MAX || url_host_parse((struct str){once, len}, twice) != len ||
                    memcmp(once, twice, len) != 0))
        abort();
    return 0;
}
