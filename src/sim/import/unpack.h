/* unpack.h - the files of a tar archive, plain, gzip'ed or zstd'ed, one at a time.
 *
 * The format of an archive is recognised by its first bytes, not by its name: ustar, GNU and pax; a
 * compressed file may have several members or frames in a row. Input may be hostile. Memory is
 * bounded: a chunk for each decoder, the window that zstd asks for (at most 2^27 bytes, libzstd's
 * default), and LIMIT_TAR_EXTRA for a header with all extensions for its entry. Nothing is ever
 * written to a disk, and no other program is started: names are only data.
 *
 *     enum status st = unpack_open("site.tar.zst", &u);
 *     while (st == ST_OK && (st = unpack_next(u, &e)) == ST_OK)
 *         if (e.is_file)
 *             st = unpack_read(u, &bytes);
 *     unpack_close(u);
 */
#pragma once

#include "base/buf.h"

struct unpack;

struct unpack_entry {
    struct str name;      /* as written, without a leading "./"; valid until the next call */
    bool is_file;         /* it is a regular file, not a folder, link or device */
    uint64_t done, total; /* bytes of the archive's file, for progress */
};

enum status unpack_open(const char *path, struct unpack **ret) MUST_USE;
void unpack_close(struct unpack *u);

/* Gets the next entry. ST_MISSING after the last one; ST_CORRUPT if no tar header follows, or the
 * archive was cut (its end mark is missing). */
enum status unpack_next(struct unpack *u, struct unpack_entry *ret) MUST_USE;

/* Appends the bytes of the current entry; at most one call for each entry. ST_LIMIT if the buffer
 * cannot take them (the next entry can still be read). */
enum status unpack_read(struct unpack *u, struct buf *out) MUST_USE;
