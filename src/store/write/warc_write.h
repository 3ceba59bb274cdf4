/* warc_write.h - writes WARC/1.1 files: one gzip member for each record, rotated by size.
 *
 * In: records (header fields and a block in pieces). Out: files
 * brood-TIMESTAMP-SERIAL.warc.gz in DIR/warc (".open" behind it while it is
 * written, see warc_file.h), each starting with a warcinfo.
 *
 * Bytes are collected and written in large pieces; warc_flush() writes all of
 * them. A record's place is known as soon as it is added. A file begins with the first record that
 * needs it, so an empty crawl has no empty archive; its time stamp is that record's, so equal
 * events make equal archives.
 */
#pragma once

#include "base/buf.h"
#include "base/status.h"
#include "flow.h"

#include <stdbool.h>

struct warc_writer;

struct warc_options {
    int level;            /* of deflate, 1..12 */
    uint64_t size;        /* a file of at least this many bytes is followed by another */
    const char *software; /* for warcinfo; lent for the writer's life */
    const char *operator_, *robots;
};

/* Where a record lies. */
struct warc_place {
    uint32_t file;   /* number of the file; 0: nowhere */
    uint64_t offset; /* of its gzip member */
    uint64_t length; /* of its gzip member */
};

/* `dir` is the crawl's; DIR/warc is made where it is missing. */
enum status warc_writer_new(const char *dir, const struct warc_options *options,
                            struct warc_writer **ret) MUST_USE;
void warc_writer_free(struct warc_writer *w); /* what was not flushed is lost */

/* Goes on with file number `file`, which is cut to `length`. If it is shorter or missing, it is
 * left alone and a new one begins. ST_CORRUPT or ST_INVALID if it is not a file of an archive
 * (warc_file.h). */
enum status warc_writer_resume(struct warc_writer *w, uint32_t file, const char *name,
                               uint64_t length) MUST_USE;
uint64_t warc_cut(const struct warc_writer *w); /* bytes that it cut off */

/* Does the file being written still exist under its name? */
bool warc_is_there(const struct warc_writer *w);

/* One record. `fields` are header lines, each ended by CRLF, without version,
 * type, date, record id and length, which are added here. */
struct warc_new {
    const char *type;
    int64_t date;
    uint64_t id[2]; /* becomes the urn:uuid */
    struct str fields;
    const struct str *block; /* pieces */
    size_t nblock;
    bool plain;                  /* stored in its member, not deflated */
    const struct packed *packed; /* replaces the block if it is deflated already (store/pack.h) */
};

enum status warc_add(struct warc_writer *w, const struct warc_new *r,
                     struct warc_place *ret) MUST_USE;

/* Has the file reached its size? Asked between pages, so that the records of a
 * page stay together. */
bool warc_is_full(const struct warc_writer *w);

/* Syncs the file and gives it its final name; the next record begins another. */
enum status warc_end(struct warc_writer *w) MUST_USE;

/* Writes what is collected. On ST_IO everything that was not written is kept, so that the call can
 * be repeated. */
enum status warc_flush(struct warc_writer *w) MUST_USE;

/* Syncs the files and their names to the disk. After a failure it must not be repeated: the next
 * sync would succeed although the bytes are lost. */
enum status warc_sync(struct warc_writer *w) MUST_USE;

/* Returns the number of the file being written (0 before the first), its name, and its length with
 * the bytes that are not flushed yet. */
uint32_t warc_file(const struct warc_writer *w, const char **ret_name, uint64_t *ret_length);
