/* fuzz_dechunk.c - chunked bodies: nothing is read outside the input, and what
 * comes out is never more than what went in. SPDX-License-Identifier: MIT */
#include "sim/import/import_int.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *copy = malloc(size + 1); /* its own block: a byte too far is seen */
    struct buf out = BUF_INIT(1 << 20);
    bool cut = false;

    if (size)
        memcpy(copy, data, size);
    if (!dechunk((struct str){copy, size}, &out, &cut) && (out.len || cut))
        abort();
    if (out.len > size)
        abort();
    buf_free(&out);
    free(copy);
    return 0;
}
