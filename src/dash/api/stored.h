/* stored.h - the stored copy of a page, from the archive, as a browser may see it.
 *
 * The bytes are a stranger's. They go out under a policy that forbids scripts, requests
 * and our origin (REPLY_STORED), and only as one of a few types: HTML and plain text as
 * what they are, everything else as plain text. <link> and <meta>, which open connections
 * that no policy forbids (preconnect), are comments in HTML.
 */
#pragma once

#include "store/read/query.h"

struct stored {
    const char *type; /* what to call it; a constant */
};

/* Appends the payload, decoded. ST_MISSING: it was not archived. */
enum status stored_read(struct query *q, uint32_t page, struct buf *out,
                        struct stored *ret) MUST_USE;
