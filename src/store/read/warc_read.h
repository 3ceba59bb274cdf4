/* warc_read.h - reading WARC files of any origin, one record at a time.
 *
 * Plain files and gzip files (one member a record, several records a member,
 * or the whole file in one member). Input is hostile: every length is checked,
 * headers are bounded by LIMIT_WARC_HEADER, blocks kept by LIMIT_WARC_RECORD
 * (longer ones are cut and say so), and what is passed over unread by
 * LIMIT_WARC_SKIP. Nothing of it is trusted further than its own bytes.
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
    uint64_t length;                         /* bytes to the next one; 0: it shares its member */
    bool gzip;
    bool cut; /* block holds less than content_length */
};

enum status warc_open(const char *path, struct warc_reader **ret) MUST_USE;
/* Reads from a descriptor or an open stream that can seek; takes it. */
enum status warc_open_fd(int fd, struct warc_reader **ret) MUST_USE;
enum status warc_open_file(FILE *f, struct warc_reader **ret) MUST_USE;
void warc_close(struct warc_reader *r);

/* The next record. ST_MISSING at the end; ST_CORRUPT where what comes is no
 * record: warc_resync() finds the next one. *ret is a new record: free it. */
enum status warc_next(struct warc_reader *r, struct warc_record *ret) MUST_USE;

/* The record that begins at `offset`. */
enum status warc_at(struct warc_reader *r, uint64_t offset, struct warc_record *ret) MUST_USE;

/* Looks for the next beginning of a record behind the last one that was tried.
 * ST_MISSING: there is none. */
enum status warc_resync(struct warc_reader *r) MUST_USE;

void warc_record_free(struct warc_record *rec);

/* A named field of the header, trimmed; empty where absent. */
struct str warc_field(const struct warc_record *rec, struct str name);

/* Splits the block of a response or revisit into HTTP header block (its empty
 * line included) and payload. False where it has no status line. */
bool warc_http(const struct warc_record *rec, int *ret_status, struct str *ret_head,
               struct str *ret_payload);
