/* tar.h - reading tar archives, one entry at a time, from any source of bytes.
 *
 * ustar, GNU (long names) and pax (path, size) forms; sizes in octal or base
 * 256. Input is hostile: headers must have their checksum, names end at
 * LIMIT_TAR_NAME, extra headers at LIMIT_TAR_EXTRA. Nothing is ever written to
 * a disk: a name is data.
 *
 *     struct tar *t = tar_new(stream_next, stream);
 *     while ((st = tar_next(t, &e)) == ST_OK)
 *         if (e.is_file)
 *             st = tar_read(t, &bytes);
 */
#pragma once

#include "base/buf.h"

struct tar;

struct tar_entry {
    struct str name; /* as written, "./" in front left out; until the next call */
    uint64_t size;   /* bytes */
    bool is_file;    /* a regular one: no folder, link or device */
};

/* The next bytes, lent until the next call; empty at the end. */
typedef enum status tar_source_fn(void *ctx, struct str *ret_chunk);

struct tar *tar_new(tar_source_fn *source, void *ctx);
void tar_free(struct tar *t);

/* The next entry. ST_MISSING behind the last; ST_CORRUPT: what comes is no tar
 * header, or the archive was cut (its end mark is missing). */
enum status tar_next(struct tar *t, struct tar_entry *ret) MUST_USE;

/* Appends the bytes of the entry just met; once an entry. ST_LIMIT: more than
 * the buffer takes (the next entry can still be read). */
enum status tar_read(struct tar *t, struct buf *out) MUST_USE;
