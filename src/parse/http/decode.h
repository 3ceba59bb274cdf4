/* decode.h - gzip, deflate, brotli and zstd behind one bounded sink.
 *
 * `encoding` is the Content-Encoding field: a list, applied last to first, at
 * most LIMIT_ENCODINGS. The output never passes LIMIT_DECODED, nor
 * LIMIT_DECODED_RATIO times the input once past 1 MiB. A truncated stream gives
 * what could be decoded and *ret_cut = true.
 * DROP_NONE; DROP_ENCODING: unknown or broken from the start; DROP_SIZE: bomb.
 */
#pragma once

#include "flow.h"

/* Appends to `out`. An empty or "identity" encoding copies nothing: *ret is
 * then `raw` itself; else it is buf_str(out). */
enum drop decode_body(struct str raw, struct str encoding, struct buf *out, struct str *ret,
                      bool *ret_cut);
