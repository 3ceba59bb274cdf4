/* fuzz_receipts.c - receipts of another node, as they lie on the bus: what is accepted makes sense,
 * can be written again byte by byte, and still says the same after it was merged.
 * SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "cluster/partition.h"
#include "cluster/receipts.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct buf out = BUF_INIT(LIMIT_RECEIPTS);
    struct receipts r = {0}, merged = {0};
    struct receipts_name name;

    if (receipts_load(&r, (struct str){(const char *)data, size}, &name) == ST_OK) {
        receipts_save(&r, name, &out);
        if (out.len != size || memcmp(out.data, data, size) != 0)
            abort();
        for (size_t i = 0; i < r.count; i++)
            receipts_add(&merged, &r.list[i]);
        receipts_merge(&merged);
        for (size_t i = 0; i < r.count && i < 100; i++)
            if (r.list[i].part >= PARTITIONS ||
                !receipts_have(&merged, r.list[i].part, r.list[i].sender, r.list[i].to))
                abort();
    }
    receipts_clear(&merged);
    receipts_clear(&r);
    buf_free(&out);
    return 0;
}
