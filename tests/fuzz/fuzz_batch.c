/* fuzz_batch.c - a message of another node: batches, and what a node says of itself. What is
 * taken can be written again, to the byte.
 * SPDX-License-Identifier: MIT */
#include "cluster/batch.h"
#include "cluster/lease.h"

#include <stdlib.h>

static void read_again(struct str bytes, const struct batch_head *head)
{
    struct cursor from = {.rest = bytes};
    struct buf out = BUF_INIT(1 << 20);
    struct batch_item item;
    struct batch b;

    batch_init(&b);
    batch_open(&from);
    for (uint32_t i = 0; i < head->count; i++) {
        batch_next(&from, &item);
        if (from.bad)
            abort();
        batch_add(&b, &item);
    }
    batch_take(&b, head->sender, head->number, &out);
    if (from.rest.len > 0 || out.len != bytes.len)
        abort();
    batch_clear(&b);
    buf_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str bytes = {(const char *)data, size};
    struct batch_head head;
    struct lease lease;

    if (batch_check(bytes, &head) == ST_OK)
        read_again(bytes, &head);
    (void)!lease_load(&lease, bytes);
    return 0;
}
