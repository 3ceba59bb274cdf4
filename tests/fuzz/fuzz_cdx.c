/* Any bytes as the index of a web archive: what it hands out is bounded, and comes from them.
 * SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "crawl/start/cdx.h"

#include <stdlib.h>

static void on_row(void *ctx, const struct cdx_row *row)
{
    if (row->url.len == 0 || row->url.len > LIMIT_URL || row->status < 0 || row->status > 999)
        abort();
    ++*(size_t *)ctx;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = {(const char *)data, size};
    size_t rows = 0;

    (void)cdx_is(text);
    if ((cdx_read(text, on_row, &rows) == ST_OK) != (rows > 0))
        abort();
    return 0;
}
