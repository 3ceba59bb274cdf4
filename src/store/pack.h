/* pack.h - replies deflated and digested for the archive, on the thread where they arrived.
 *
 * In: a reply, or the HTML that a document was read as. Out: the block of its WARC record as a
 * deflate stream, with the digest of the payload. What is missing of the record is its header,
 * which needs the number of the page: the writer puts that in front as it is
 * (write/warc_write.h), so that it compresses and digests nothing but small records.
 *
 * A packer belongs to one thread.
 */
#pragma once

#include "flow.h"

struct packer;
struct sha1;

/* `level` of deflate, 1..12. NULL: there is no such level. */
struct packer *packer_new(int level);
void packer_free(struct packer *p);

/* The header block of a reply as the archive keeps it, with exactly one empty line at its end
 * (store/archive.h has the rules). Lent until the next call. */
struct str packer_head(struct packer *p, const struct reply *reply);

/* A reply, header block and body, or a text. free() it; NULL: it is larger than a record may
 * be. */
struct packed *packer_reply(struct packer *p, const struct reply *reply);
struct packed *packer_text(struct packer *p, struct str text);

/* Packs what the archive will hold of an arrival, as far as that can be known yet. */
void packer_arrival(struct packer *p, struct arrival *a);

/* For the digests of small records. Lent. */
struct sha1 *packer_sha1(const struct packer *p);
