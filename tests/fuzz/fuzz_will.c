/* fuzz_will.c - a chunk of a node's will, as another node may have written it. What is taken can be
 * written again, to the byte. SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "cluster/will.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str bytes = {(const char *)data, size};
    struct cursor from = {.rest = bytes};
    struct buf out = BUF_INIT(2 * LIMIT_WILL);
    struct will_head head;
    struct will_item item;

    if (will_check(bytes, &head) == ST_OK) {
        will_open(&from);
        will_begin(&out, &head);
        for (uint32_t i = 0; i < head.count; i++) {
            will_next(&from, &item);
            if (from.bad)
                abort();
            will_put(&out, &item);
        }
        if (from.rest.len > 0 || out.len != size)
            abort();
    }
    buf_free(&out);
    return 0;
}
