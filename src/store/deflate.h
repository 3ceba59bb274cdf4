/* deflate.h - compresses a buffer into a deflate stream (RFC 1951), in one call.
 *
 * At level 1, which the archive uses, ISA-L does it where it is built in (meson option `isal`): it
 * takes half the time of libdeflate, and the stream is 5 % longer. Other levels, and builds without
 * it, use libdeflate. A reader of the stream need not know which one wrote it.
 *
 * A deflater belongs to one thread and takes some 300 KB.
 */
#pragma once

#include "base/str.h"

struct deflater;

/* `level` is 1..12. Returns NULL for any other level. */
struct deflater *deflater_new(int level);
void deflater_free(struct deflater *d); /* NULL is fine */

/* Returns the largest size that the stream of a text of this length can have. */
size_t deflater_bound(const struct deflater *d, size_t len);
/* Returns how many bytes of `out` were written; 0 if `room` is too small. */
size_t deflater_run(struct deflater *d, struct str text, char *out, size_t room);
