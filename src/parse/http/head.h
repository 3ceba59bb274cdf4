/* head.h - the header block of a reply, read in one pass.
 *
 * Sets status and the header fields of a struct reply from reply->head, where
 * they point to. Fields that HTTP defines as lists (Content-Encoding, Link) are
 * joined by commas in the arena when they stand more than once, X-Robots-Tag by
 * newlines (a crawler's name in one of them must not swallow the next), up to
 * HEAD_JOINED bytes; of the others the last one counts. Lines that continue a
 * field (obs-fold) are not read.
 */
#pragma once

#include "flow.h"

#define HEAD_JOINED KIB(8) /* a joined field grows no further */

struct head_facts {
    int64_t length;   /* Content-Length, -1 where there is none (or nonsense) */
    unsigned cookies; /* Set-Cookie lines */
};

void head_read(struct reply *reply, struct arena *arena, struct head_facts *ret);

/* The status code of a status line ("HTTP/1.1 200 OK"), 0 where it is none. */
int head_status(struct str line);
