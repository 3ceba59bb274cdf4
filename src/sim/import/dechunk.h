/* dechunk.h - HTTP's chunked coding, undone.
 *
 * Archives of others keep a body as it came over the wire, its chunks too. */
#pragma once

#include "base/buf.h"

/* Appends the chunks' bytes to `out`. False where `raw` does not begin with a
 * chunk: then it is no chunked body, whatever its header says. *ret_cut: it
 * ends before its last chunk, or a later chunk is broken. */
bool dechunk(struct str raw, struct buf *out, bool *ret_cut);
