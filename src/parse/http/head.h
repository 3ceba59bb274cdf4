/* head.h - the header block of a reply, read in one pass.
 *
 * Sets the status and the header fields of a struct reply; the fields point
 * into reply->head. Fields that HTTP defines as lists (Content-Encoding, Link)
 * are joined by commas in the arena if they are repeated; X-Robots-Tag is
 * joined by newlines (a crawler's name in one of them must not apply to the
 * next). Joined fields have at most HEAD_JOINED bytes. Of other repeated fields
 * the last one counts. Lines that continue a field (obs-fold) are not read.
 */
#pragma once

#include "flow.h"

#define HEAD_JOINED KIB(8) /* a joined field grows no further */

struct head_facts {
    int64_t length;   /* Content-Length, or -1 if it is absent or not a number */
    unsigned cookies; /* Set-Cookie lines */
};

void head_read(struct reply *reply, struct arena *arena, struct head_facts *ret);

/* The status code of a status line ("HTTP/1.1 200 OK"), or 0 if it is not one. */
int head_status(struct str line);
