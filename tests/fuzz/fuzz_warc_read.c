/* fuzz_warc_read.c - a WARC file of anybody, read from its beginning, behind
 * every damage, and at every place it named. SPDX-License-Identifier: MIT */
#include "store/read/warc_read.h"

#include <stdlib.h>

#define RECORDS 200

static void look_at(const struct warc_record *rec)
{
    struct str head, payload;
    int status;

    if (warc_http(rec, &status, &head, &payload) && head.len + payload.len != rec->block.len)
        abort();
    if (rec->block.len > rec->content_length)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct warc_reader *r = NULL;
    struct warc_record rec;
    uint64_t places[RECORDS];
    size_t n = 0;
    FILE *f = size ? fmemopen((void *)(uintptr_t)data, size, "rb") : NULL;

    if (f == NULL || warc_open_file(f, &r) != ST_OK)
        return 0;
    for (int i = 0; i < RECORDS; i++) {
        enum status st = warc_next(r, &rec);

        if (st == ST_OK) {
            look_at(&rec);
            if (rec.length && n < RECORDS)
                places[n++] = rec.offset;
            warc_record_free(&rec);
        } else if (st == ST_MISSING || warc_resync(r) != ST_OK) {
            break;
        }
    }
    /* A record that was read in order can be read by its place. */
    for (size_t i = 0; i < n; i++) {
        if (warc_at(r, places[i], &rec) != ST_OK)
            abort();
        warc_record_free(&rec);
    }
    warc_close(r);
    return 0;
}
