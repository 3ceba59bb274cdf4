/* lease.c - leases to bytes and back. SPDX-License-Identifier: MIT */
#include "cluster/lease.h"

#include "base/fields.h"

#include <stdio.h>

static const struct field lease_fields[] = {
    FIELD(U64, struct lease, run),   FIELD(U64, struct lease, turn),
    FIELD(U64, struct lease, pages), FIELD(U64, struct lease, relevant),
    FIELD(U64, struct lease, urls),  FIELD(U64, struct lease, outbox),
    FIELD(U64, struct lease, lost),  FIELD(U64, struct lease, idle),
    FIELD(U64, struct lease, holds), FIELD_END,
};

void lease_save(const struct lease *l, struct buf *out)
{
    fields_save(lease_fields, l, out);
    buf_put_str(out, str_of(l->host));
}

enum status lease_load(struct lease *l, struct str bytes)
{
    struct cursor from = {.rest = bytes};
    struct lease read = {0};
    struct str host;

    fields_load(lease_fields, &read, &from);
    host = cursor_str(&from);
    if (from.bad || from.rest.len > 0 || host.len >= LEASE_HOST)
        return status_fail(ST_INVALID,
                           "the lease of a node is damaged, or from another version of brood");
    (void)snprintf(read.host, sizeof read.host, "%.*s", STR_ARG(host));
    *l = read;
    return ST_OK;
}
