/* fuzz_tar.c - tar archives of anybody: every entry ends inside the input, names
 * and contents keep their ceilings. The input comes in chunks of odd sizes.
 * SPDX-License-Identifier: MIT */
#include "sim/import/tar.h"

#include "base/limits.h"

#include <stdlib.h>

struct source {
    struct str rest;
    size_t chunk;
};

static enum status next_chunk(void *ctx, struct str *ret)
{
    struct source *s = ctx;

    s->chunk = s->chunk % 1021 + 7;
    *ret = str_sub(s->rest, 0, s->chunk);
    s->rest = str_sub(s->rest, ret->len, s->rest.len);
    return ST_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct source s = {{(const char *)data, size}, 300};
    struct tar *t = tar_new(next_chunk, &s);
    struct buf bytes = BUF_INIT(100000);
    struct tar_entry e;
    enum status st = ST_OK;

    for (int i = 0; st == ST_OK && (st = tar_next(t, &e)) == ST_OK; i++) {
        if (e.name.len > LIMIT_TAR_NAME)
            abort();
        buf_clear(&bytes);
        if (i % 2 == 0 && tar_read(t, &bytes) == ST_OK && bytes.len != e.size)
            abort();
    }
    tar_free(t);
    buf_free(&bytes);
    return 0;
}
