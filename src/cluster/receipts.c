/* receipts.c - which batches were taken. They are in lists, because each partition has few senders.
 * SPDX-License-Identifier: MIT */
#include "cluster/receipts.h"

#include "base/fields.h"
#include "base/limits.h"
#include "base/mem.h"
#include "cluster/partition.h"

#include <stdlib.h>

#define VERSION    1
#define HEAD       21 /* bytes before the entries … */
#define ENTRY      36 /* … and of each */
#define ENTRY_MOST ((LIMIT_RECEIPTS - HEAD) / ENTRY)

static const struct field receipt_fields[] = {
    FIELD(U32, struct receipt, part),   FIELD(U64, struct receipt, token),
    FIELD(U64, struct receipt, sender), FIELD(U64, struct receipt, from),
    FIELD(U64, struct receipt, to),     FIELD_END,
};

void receipts_clear(struct receipts *r)
{
    free(r->list);
    *r = (struct receipts){0};
}

void receipts_move(struct receipts *to, struct receipts *from)
{
    receipts_clear(to);
    *to = *from;
    *from = (struct receipts){0};
}

void receipts_copy(struct receipts *to, const struct receipts *from)
{
    receipts_clear(to);
    for (size_t i = 0; i < from->count; i++)
        receipts_add(to, &from->list[i]);
    to->left_out = from->left_out;
}

void receipts_open(struct receipts *r, uint32_t part, uint64_t token)
{
    receipts_add(r, &(struct receipt){.part = part, .token = token});
}

bool receipts_have(const struct receipts *r, uint32_t part, uint64_t sender, uint64_t number)
{
    for (size_t i = 0; i < r->count; i++) {
        const struct receipt *e = &r->list[i];

        if (e->part == part && e->sender == sender && e->from <= number && number <= e->to)
            return true;
    }
    return false;
}

bool receipts_were_open(const struct receipts *r, uint32_t part, uint64_t token)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->list[i].part == part && r->list[i].token == token)
            return true;
    return false;
}

static int compare(const void *a, const void *b)
{
    const struct receipt *x = a, *y = b;
    uint64_t of_x[] = {x->part, x->token, x->sender, x->from};
    uint64_t of_y[] = {y->part, y->token, y->sender, y->from};

    for (size_t i = 0; i < ARRAY_LEN(of_x); i++)
        if (of_x[i] != of_y[i])
            return of_x[i] < of_y[i] ? -1 : 1;
    return 0;
}

void receipts_merge(struct receipts *r)
{
    size_t left = 0;

    if (r->count > 1)
        qsort(r->list, r->count, sizeof *r->list, compare);
    for (size_t i = 0; i < r->count; i++) {
        const struct receipt *e = &r->list[i];
        struct receipt *last = left ? &r->list[left - 1] : NULL;

        if (last && last->part == e->part && last->token == e->token && last->sender == e->sender &&
            e->from <= last->to + 1)
            last->to = e->to > last->to ? e->to : last->to;
        else
            r->list[left++] = *e;
    }
    r->count = left;
}

void receipts_add(struct receipts *r, const struct receipt *entry)
{
    if (r->count >= ENTRY_MOST && r->left_out == 0) /* once it is really full, merging is vain */
        receipts_merge(r);
    if (r->count >= ENTRY_MOST) {
        r->left_out++;
        return;
    }
    MEM_GROW(r->list, r->count, &r->cap);
    r->list[r->count++] = *entry;
}

void receipts_drop(struct receipts *r, uint32_t part)
{
    size_t left = 0;

    for (size_t i = 0; i < r->count; i++)
        if (r->list[i].part != part)
            r->list[left++] = r->list[i];
    r->count = left;
}

void receipts_add_part(struct receipts *r, const struct receipts *of, uint32_t part)
{
    for (size_t i = 0; i < of->count; i++)
        if (of->list[i].part == part)
            receipts_add(r, &of->list[i]);
}

void receipts_add_sender(struct receipts *r, const struct receipts *of, uint64_t sender)
{
    for (size_t i = 0; i < of->count; i++)
        if (of->list[i].sender == sender)
            receipts_add(r, &of->list[i]);
}

void receipts_save(const struct receipts *r, struct receipts_name name, struct buf *out)
{
    buf_put_u8(out, VERSION);
    buf_put_u64(out, name.of);
    buf_put_u64(out, name.number);
    fields_save_all(receipt_fields, r->list, r->count, sizeof *r->list, out);
}

static bool is_sane(const struct receipt *e)
{
    bool is_mark = e->sender == 0 && e->from == 0 && e->to == 0;

    return e->part < PARTITIONS && (is_mark || (e->sender && e->from && e->from <= e->to));
}

enum status receipts_load(struct receipts *r, struct str bytes, struct receipts_name *ret)
{
    struct cursor from = {.rest = bytes};
    struct receipts read = {0};
    bool is_good = cursor_u8(&from) == VERSION;
    uint32_t count;

    ret->of = cursor_u64(&from);
    ret->number = cursor_u64(&from);
    count = cursor_u32(&from);
    is_good &= count <= ENTRY_MOST && from.rest.len == (size_t)count * ENTRY;
    for (uint32_t i = 0; i < count && is_good; i++) {
        struct receipt e = {0};

        fields_load(receipt_fields, &e, &from);
        is_good = is_sane(&e);
        receipts_add(&read, &e);
    }
    for (size_t i = 0; i < read.count && is_good && !from.bad; i++)
        receipts_add(r, &read.list[i]);
    receipts_clear(&read);
    return is_good && !from.bad
               ? ST_OK
               : status_fail(ST_INVALID, "the receipts of a node are damaged, or from another "
                                         "version of brood");
}
