/* fuzz_snapshot.c - messages of a snapshot, and batches, as another node may send them. A chunk that
 * is taken can be written again, to the byte; and whatever a log says, its snapshot is whole.
 * SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "cluster/fold.h"

#include <stdlib.h>

static void read_again(struct str bytes, const struct snapshot_head *head)
{
    struct cursor from = {.rest = bytes};
    struct buf out = BUF_INIT(2 * LIMIT_BATCH);
    struct batch_item item;

    snapshot_open(&from);
    snapshot_begin(&out, head);
    for (uint32_t i = 0; i < head->count; i++) {
        batch_next(&from, &item);
        if (from.bad)
            abort();
        batch_put(&out, &item);
    }
    if (from.rest.len > 0 || out.len != bytes.len)
        abort();
    buf_free(&out);
}

static void put_on_shelf(void *shelf, struct str message)
{
    snapshot_shelf_take(shelf, UINT64_MAX, message);
}

static bool is_same(const struct snapshot *a, const struct snapshot *b)
{
    if (b == NULL || a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (!str_eq(a->chunks[i], b->chunks[i]))
            return false;
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cursor from = {.rest = {(const char *)data, size}};
    struct fold *log = fold_new(), *back = fold_new();
    struct snapshot_shelf came = {0}, written = {0}, again = {0};
    struct snapshot_head head;
    const struct snapshot *s;

    while (from.rest.len > 0 && !from.bad) {
        struct str message = cursor_str(&from);

        if (snapshot_check(message, &head) == ST_OK)
            read_again(message, &head);
        snapshot_shelf_take(&came, UINT64_MAX, message);
        fold_take(log, message);
    }
    (void)snapshot_shelf_best(&came);
    head = (struct snapshot_head){.id = 1, .upto = 1};
    if (fold_write(log, &head, 0, put_on_shelf, &written) == ST_OK) {
        s = snapshot_shelf_best(&written);
        if (s == NULL)
            abort();
        for (size_t i = 0; i < s->count; i++)
            fold_take(back, s->chunks[i]);
        if (fold_write(back, &head, 0, put_on_shelf, &again) != ST_OK ||
            !is_same(s, snapshot_shelf_best(&again)))
            abort();
    }
    snapshot_shelf_clear(&came);
    snapshot_shelf_clear(&written);
    snapshot_shelf_clear(&again);
    fold_free(log);
    fold_free(back);
    return 0;
}
