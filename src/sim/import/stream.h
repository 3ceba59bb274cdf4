/* stream.h - the bytes of a file, plain, gzip'ed or zstd'ed, chunk by chunk.
 *
 * What it is, its first bytes say, not its name. Memory is bounded: a chunk each
 * of input and output, and for zstd the window that the frame asks for, at most
 * 2^LIMIT_ZSTD_WINDOW bytes. Several members or frames in a row are one stream.
 */
#pragma once

#include "base/status.h"
#include "base/str.h"

struct stream;

enum status stream_open(const char *path, struct stream **ret) MUST_USE;
void stream_close(struct stream *s);

/* The next bytes, lent until the next call; empty at the end. ST_CORRUPT: the
 * coding is broken, or ends early. Fits tar_source_fn. */
enum status stream_next(void *stream, struct str *ret) MUST_USE;

/* Bytes of the file read so far, and all of them, for progress. */
uint64_t stream_done(const struct stream *s);
uint64_t stream_size(const struct stream *s);
