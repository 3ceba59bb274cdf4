/* pack.h - compresses and digests replies for the archive, on the thread on which they arrived.
 *
 * In: a reply, or the HTML that a document was read as. Out: the block of its WARC record as a
 * deflate stream, with the digest of the payload. Only the header of the record is missing, because
 * it needs the number of the page. The writer puts it in front uncompressed (write/warc_write.h),
 * so the writer compresses and digests only small records.
 *
 * A packer belongs to one thread.
 */
#pragma once

#include "flow.h"

struct packer;
struct sha1;

/* `level` is that of deflate, 1..12. Returns NULL for any other level. */
struct packer *packer_new(int level);
void packer_free(struct packer *p);

/* The header block of a reply as the archive keeps it, with exactly one empty line at its end
 * (store/archive.h has the rules). Lent until the next call. */
struct str packer_head(struct packer *p, const struct reply *reply);

/* Packs a reply (header block and body), or a text. free() the result. Returns NULL if it is larger
 * than a record may be. */
struct packed *packer_reply(struct packer *p, const struct reply *reply);
struct packed *packer_text(struct packer *p, struct str text);

/* Packs what the archive will hold of an arrival, as far as that can be known yet. */
void packer_arrival(struct packer *p, struct arrival *a);

/* Returns the context for the digests of small records. It is lent. */
struct sha1 *packer_sha1(const struct packer *p);
