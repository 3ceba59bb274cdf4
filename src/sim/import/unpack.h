/* unpack.h - the files of a tar archive, plain, gzip'ed or zstd'ed, one at a time.
 *
 * What an archive is, its first bytes say, not its name: ustar, GNU and pax
 * forms; a coding may be of several members or frames in a row.
 * Input is hostile. Memory is bounded: a chunk for each coding, the window
 * that zstd asks for (at most 2^27 bytes, libzstd's default), LIMIT_TAR_EXTRA for
 * a header with all that is said about its entry. Nothing is ever written to a
 * disk, and no other program is started: a name is data.
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
    struct str name;      /* as written, "./" in front left out; until the next call */
    bool is_file;         /* a regular one: no folder, link or device */
    uint64_t done, total; /* bytes of the archive's file, for progress */
};

enum status unpack_open(const char *path, struct unpack **ret) MUST_USE;
void unpack_close(struct unpack *u);

/* The next entry. ST_MISSING behind the last; ST_CORRUPT: what comes is no tar
 * header, or the archive was cut (its end mark is missing). */
enum status unpack_next(struct unpack *u, struct unpack_entry *ret) MUST_USE;

/* Appends the bytes of the entry just met; once an entry. ST_LIMIT: more than
 * the buffer takes (the next entry can still be read). */
enum status unpack_read(struct unpack *u, struct buf *out) MUST_USE;
