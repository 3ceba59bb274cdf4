/* warc_read.h - reading WARC files of any origin, one record at a time.
 *
 * It reads plain files and gzip files (one member for each record, several records in a member, or
 * the whole file in one member). Input may be hostile: every length is checked. Headers are bounded
 * by LIMIT_WARC_HEADER, the blocks that are kept by LIMIT_WARC_RECORD (a longer block is cut and
 * marked so), and the bytes that are skipped by LIMIT_WARC_SKIP.
 *
 * A reader belongs to one thread.
 */
#pragma once

#include "base/buf.h"
#include "base/status.h"

#include <stdio.h>

struct warc_reader;

/* One record. All strings point into `header` and `block`. */
struct warc_record {
    struct buf header;  /* "WARC/1.1" to the empty line */
    struct buf block;   /* the content, at most LIMIT_WARC_RECORD of it */
    struct str version; /* "WARC/1.0" */
    struct str type;    /* "response" */
    struct str target;  /* WARC-Target-URI without < > */
    struct str date;    /* as written */
    struct str id;      /* WARC-Record-ID without < > */
    struct str content_type;
    struct str payload_digest, block_digest; /* "sha1:…" or empty */
    uint64_t content_length;                 /* as claimed */
    uint64_t offset;                         /* of the record, or of the gzip member it is in */
    uint64_t length;                         /* bytes to the next record; 0: it shares its member */
    bool gzip;
    bool cut; /* block holds less than content_length */
};

enum status warc_open(const char *path, struct warc_reader **ret) MUST_USE;
/* Opens a reader for a descriptor, or for an open stream that can seek, and takes ownership of
 * it. */
enum status warc_open_fd(int fd, struct warc_reader **ret) MUST_USE;
enum status warc_open_file(FILE *f, struct warc_reader **ret) MUST_USE;
void warc_close(struct warc_reader *r);

/* Reads the next record. ST_MISSING at the end; ST_CORRUPT if no record follows: warc_resync() then
 * finds the next one. *ret is a new record, to be freed. */
enum status warc_next(struct warc_reader *r, struct warc_record *ret) MUST_USE;

/* Reads the record that begins at `offset`. */
enum status warc_at(struct warc_reader *r, uint64_t offset, struct warc_record *ret) MUST_USE;

/* Looks for the next beginning of a record after the last one that was tried. ST_MISSING if there
 * is none. */
enum status warc_resync(struct warc_reader *r) MUST_USE;

void warc_record_free(struct warc_record *rec);

/* Returns a named field of the header, trimmed; empty if it is absent. */
struct str warc_field(const struct warc_record *rec, struct str name);

/* Splits the block of a response or revisit into HTTP header block (its empty
 * line included) and payload. Returns false if it has no status line. */
bool warc_http(const struct warc_record *rec, int *ret_status, struct str *ret_head,
               struct str *ret_payload);
