/* decode.h - gzip, deflate, brotli and zstd behind one bounded sink.
 *
 * `encoding` is the Content-Encoding field: a list, applied last to first, at
 * most LIMIT_ENCODINGS. The output never exceeds LIMIT_DECODED, nor, once it
 * is past 1 MiB, LIMIT_DECODED_RATIO times the input. A truncated stream
 * gives what could be decoded, and sets *ret_cut. Returns DROP_NONE;
 * DROP_ENCODING if the encoding is unknown, or broken from the start;
 * DROP_SIZE for a decompression bomb.
 */
#pragma once

#include "flow.h"

/* Appends to `out`. An empty or "identity" encoding copies nothing: then *ret is `raw` itself;
 * otherwise it is buf_str(out). */
enum drop decode_body(struct str raw, struct str encoding, struct buf *out, struct str *ret,
                      bool *ret_cut);
