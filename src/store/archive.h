/* archive.h - what was fetched, as WARC records.
 *
 * In: arrivals. Out, for each: a response (or revisit) record, the request as sent, and for pages a
 * metadata record. The records of one visit name each other with WARC-Concurrent-To. A document
 * that is not HTML also has a conversion record: the HTML that it was read as. Rules for the header
 * block (docs/schema.md):
 *   - as received, except that the chunking we removed is named so
 *     (X-Archive-Orig-Transfer-Encoding), and
 *   - a reply over HTTP/2 gets an HTTP/1.1 status line and WARC-Protocol: h2.
 * The payload stays in its content encoding.
 *
 * archive_read() reads a record back; any thread or process may call it.
 */
#pragma once

#include "flow.h"
#include "store/sha1.h"
#include "store/read/warc_read.h"
#include "store/write/warc_write.h"

struct archive;

/* What the record describes. It is part of the record's id. */
enum archive_kind { ARCHIVE_PAGE = 1, ARCHIVE_OUTCOME, ARCHIVE_RESOURCE };

/* An earlier record with the same payload. */
struct archive_original {
    struct str url;    /* its target */
    int64_t at;        /* its date */
    uint32_t page;     /* its number */
    struct str digest; /* of its payload */
};

struct archive_job {
    enum archive_kind kind;
    uint32_t number; /* page, outcome or resource */
    int64_t at;      /* when it was fetched */
    const struct arrival *arrival;
    const struct archive_original *original; /* NULL: none known */
    struct str metadata;                     /* warc-fields; empty: no such record */
};

/* Called when a write to the disk fails. Returns true to try again, false to give up. */
typedef bool archive_wait_fn(void *ctx, const char *text);

/* `seed` sets the record ids of this crawl apart from those of other crawls. */
enum status archive_new(const char *dir, const struct warc_options *options, uint64_t seed,
                        archive_wait_fn *wait, void *ctx, struct archive **ret) MUST_USE;
void archive_close(struct archive *a); /* archive_free() is a function of libarchive */
void archive_seed(struct archive *a, uint64_t seed); /* before the first record */
struct warc_writer *archive_writer(struct archive *a);

/* Writes the records of one visit. */
enum status archive_add(struct archive *a, const struct archive_job *job, struct warc_place *ret,
                        char ret_digest[SHA1_TEXT]) MUST_USE;

/* Syncs everything added so far to the disk. archive_end() also closes the file. */
enum status archive_sync(struct archive *a) MUST_USE;
enum status archive_end(struct archive *a) MUST_USE;

/* Opens a file of DIR/warc, which may come from somebody else (warc_file.h). */
enum status archive_open(const char *dir, struct str file, struct warc_reader **ret) MUST_USE;

/* Reads the record at this place of DIR/warc. Free it with warc_record_free(). */
enum status archive_read(const char *dir, struct str file, uint64_t offset,
                         struct warc_record *ret) MUST_USE;

/* Reads the HTML that the document at this place was read as. ST_MISSING if it was HTML itself. */
enum status archive_conversion(const char *dir, struct str file, uint64_t offset,
                               struct warc_record *ret) MUST_USE;

/* Removes files that a crash left behind: those begun after the last commit, those
 * of an interrupted `forget`, and those that a `forget` has replaced (table `garbage`).
 * Files that were being written get their final names. No writer may be active. */
struct sqlite3;
enum status archive_sweep(const char *dir, struct sqlite3 *db, uint32_t *ret_removed) MUST_USE;

/* Counts the pages whose records are lost because their file is gone or shorter than it was. Asks
 * for the size of each file. */
enum status archive_lost(const char *dir, struct sqlite3 *db, uint64_t *ret_pages) MUST_USE;
