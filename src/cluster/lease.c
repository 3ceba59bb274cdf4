/* lease.c - writes and reads the bytes of leases. SPDX-License-Identifier: MIT */
#include "cluster/lease.h"

#include "base/fields.h"
#include "base/limits.h"

#include <stdio.h>
#include <string.h>

const struct field will_name_fields[] = {
    FIELD(U64, struct will_name, run),
    FIELD(U64, struct will_name, number),
    FIELD(U64, struct will_name, chunks),
    FIELD_END,
};

static const struct field lease_fields[] = {
    FIELD(U64, struct lease, run),
    FIELD(U64, struct lease, turn),
    FIELD(U64, struct lease, pages),
    FIELD(U64, struct lease, relevant),
    FIELD(U64, struct lease, urls),
    FIELD(U64, struct lease, outbox),
    FIELD(U64, struct lease, lost),
    FIELD(U64, struct lease, snapshots),
    FIELD(U64, struct lease, idle),
    FIELD(U64, struct lease, holds),
    FIELD(U64, struct lease, agents),
    FIELD(U64, struct lease, born),
    FIELD(U64, struct lease, died),
    FIELD(U64, struct lease, left),
    FIELD(U64, struct lease, came),
    FIELD(U64, struct lease, positions),
    FIELD(U64, struct lease, asks),
    FIELD_OF_PART(struct lease, ledger, ledger_fields),
    FIELD(REAL, struct lease, on_pages),
    FIELD_OF_PART(struct lease, will, will_name_fields),
    FIELD_END,
};

void lease_save(const struct lease *l, struct buf *out)
{
    fields_save(lease_fields, l, out);
    buf_put_str(out, str_of(l->host));
    buf_put_str(out, (struct str){l->sums, l->nsums});
}

enum status lease_load(struct lease *l, struct str bytes)
{
    struct cursor from = {.rest = bytes};
    struct lease read = {0};
    struct str host, sums;

    fields_load(lease_fields, &read, &from);
    host = cursor_str(&from);
    sums = cursor_str(&from);
    if (from.bad || from.rest.len > 0 || read.will.chunks > LIMIT_WILL_CHUNKS ||
        host.len >= LEASE_HOST || sums.len > LEASE_SUMS)
        return status_fail(ST_INVALID,
                           "the lease of a node is damaged, or from another version of brood");
    (void)snprintf(read.host, sizeof read.host, "%.*s", STR_ARG(host));
    read.nsums = (uint32_t)sums.len;
    if (sums.len)
        memcpy(read.sums, sums.ptr, sums.len);
    *l = read;
    return ST_OK;
}
