/* The HTTP request parser of the served world: whatever comes, it reads no byte
 * outside its input, and a request that is ready stays ready when more follows.
 * SPDX-License-Identifier: MIT */
#include "sim/serve/http.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *copy = malloc(size + 1); /* its own block: a byte too far is seen */
    struct str in = {copy, size};
    struct http_request r;
    size_t used = 0;

    if (size)
        memcpy(copy, data, size);
    if (http_parse(in, &r, &used) == HTTP_READY) {
        size_t again = 0;

        if (used > size || r.path.len == 0 || r.path.ptr[0] != '/')
            abort();
        if (http_parse(str_sub(in, 0, used), &r, &again) != HTTP_READY || again != used)
            abort();
        (void)http_tag_matches(r.if_none_match, STR("\"x\""));
    }
    free(copy);
    return 0;
}
