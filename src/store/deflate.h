/* deflate.h - turns bytes in one piece into a deflate stream (RFC 1951), in one call.
 *
 * At level 1, the archive's, ISA-L does it where it is built in (meson option `isal`): half the time
 * of libdeflate, and a stream that is 5 % longer. Other levels, and builds without it, take
 * libdeflate. Whoever reads the stream need not know.
 *
 * A deflater belongs to one thread and keeps some 300 KB.
 */
#pragma once

#include "base/str.h"

struct deflater;

/* `level` 1..12. NULL: there is no such level. */
struct deflater *deflater_new(int level);
void deflater_free(struct deflater *d); /* NULL is fine */

/* The most bytes that a text of this length can become. */
size_t deflater_bound(const struct deflater *d, size_t len);
/* Returns how many bytes of `out` are used; 0: `room` is too small. */
size_t deflater_run(struct deflater *d, struct str text, char *out, size_t room);
