/* archive.c - writes what was fetched as WARC records.
 *
 * Record ids are made from the crawl's seed, the kind and the number of what
 * was fetched: a revisit can name its original without looking it up, and the
 * same events give the same bytes.
 *
 * A revisit is written only if the digest of the payload as sent is the same: equal pages that were
 * compressed differently are two responses.
 * SPDX-License-Identifier: MIT */
#include "store/archive.h"

#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/os/clock.h"
#include "base/os/dir.h"
#include "store/db.h"
#include "store/pack.h"
#include "store/warc_file.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define PROFILE "http://netpreserve.org/warc/1.1/revisit/"

enum record_part { PART_RESPONSE, PART_REQUEST, PART_METADATA, PART_CONVERSION };

struct archive {
    struct warc_writer *writer;
    struct packer *packer; /* of replies that come unpacked */
    uint64_t seed;
    struct buf fields; /* used again for every record */
    archive_wait_fn *wait;
    void *ctx;
};

enum status archive_new(const char *dir, const struct warc_options *options, uint64_t seed,
                        archive_wait_fn *wait, void *ctx, struct archive **ret)
{
    struct warc_writer *writer = NULL;
    struct packer *packer;

    TRY(warc_writer_new(dir, options, &writer));
    packer = packer_new(options->level);
    if (packer == NULL)
        mem_out();
    *ret = MEM_NEW(struct archive);
    **ret = (struct archive){.writer = writer,
                             .packer = packer,
                             .seed = seed,
                             .fields = BUF_INIT(KIB(64)),
                             .wait = wait,
                             .ctx = ctx};
    return ST_OK;
}

void archive_close(struct archive *a)
{
    if (a == NULL)
        return;
    warc_writer_free(a->writer);
    packer_free(a->packer);
    buf_free(&a->fields);
    free(a);
}

void archive_seed(struct archive *a, uint64_t seed)
{
    a->seed = seed;
}

struct warc_writer *archive_writer(struct archive *a)
{
    return a->writer;
}

/* ---- records ------------------------------------------------------------- */

static struct str without_end(struct str head)
{
    while (head.len && (head.ptr[head.len - 1] == '\n' || head.ptr[head.len - 1] == '\r'))
        head.len--;
    return head;
}

static void record_id(const struct archive *a, enum archive_kind kind, uint32_t number,
                      enum record_part part, uint64_t ret[2])
{
    ret[0] = a->seed;
    ret[1] = (uint64_t)number << 16 | (uint64_t)kind << 8 | part;
}

static enum status add(struct archive *a, const struct warc_new *record, struct warc_place *ret)
{
    enum status st;

    while ((st = warc_add(a->writer, record, ret)) == ST_IO)
        if (!a->wait(a->ctx, status_text()))
            break;
    return st;
}

/* Without printf, which takes several times as long: a page has eight such lines. */
static void field_of(struct archive *a, const char *name, const char *before, const char *value,
                     const char *after)
{
    buf_add_z(&a->fields, name);
    buf_add_z(&a->fields, ": ");
    buf_add_z(&a->fields, before);
    buf_add_z(&a->fields, value);
    buf_add_z(&a->fields, after);
    buf_add_z(&a->fields, "\r\n");
}

static void field_urn(struct archive *a, const char *name, const uint64_t id[2])
{
    char urn[HASH_URN];

    hash_urn(id, urn);
    field_of(a, name, "<", urn, ">");
}

/* A URL must not be able to add a header line. A parsed URL has no control characters, but those of
 * worlds and tests may. */
static void field_str(struct archive *a, const char *name, struct str value)
{
    size_t from = 0;

    buf_add_z(&a->fields, name);
    buf_add_z(&a->fields, ": ");
    for (size_t i = 0; i <= value.len; i++) {
        if (i < value.len && (unsigned char)value.ptr[i] >= ' ')
            continue;
        buf_add(&a->fields, value.ptr + from, i - from);
        from = i + 1;
    }
    buf_add_z(&a->fields, "\r\n");
}

static void field_address(struct archive *a, const struct address *peer)
{
    char text[INET6_ADDRSTRLEN];

    if (peer->family &&
        inet_ntop(peer->family == 4 ? AF_INET : AF_INET6, peer->bytes, text, sizeof text))
        field_of(a, "WARC-IP-Address", "", text, "");
}

static void fields_of_revisit(struct archive *a, const struct archive_original *original,
                              bool not_modified)
{
    char date[32];
    uint64_t id[2];

    record_id(a, ARCHIVE_PAGE, original->page, PART_RESPONSE, id);
    clock_format(original->at, 6, date);
    buf_addf(&a->fields, "WARC-Profile: " PROFILE "%s\r\n",
             not_modified ? "server-not-modified" : "identical-payload-digest");
    field_urn(a, "WARC-Refers-To", id);
    field_str(a, "WARC-Refers-To-Target-URI", original->url);
    buf_addf(&a->fields, "WARC-Refers-To-Date: %s\r\n", date);
}

static void fields_of_response(struct archive *a, const struct archive_job *job)
{
    const struct reply *reply = &job->arrival->reply;

    field_str(a, "WARC-Target-URI", job->arrival->request->href);
    buf_add_z(&a->fields, "Content-Type: application/http;msgtype=response\r\n");
    field_address(a, &reply->peer);
    if (reply->h2)
        buf_add_z(&a->fields, "WARC-Protocol: h2\r\n");
    if (reply->truncated)
        buf_add_z(&a->fields, "WARC-Truncated: length\r\n");
    else if (reply->skipped)
        buf_add_z(&a->fields, "WARC-Truncated: unspecified\r\n");
}

/* Writes a revisit, which repeats only the header block of the original. */
static enum status add_revisit(struct archive *a, const struct archive_job *job,
                               const uint64_t id[2], struct warc_place *ret, const char *digest)
{
    struct str head = packer_head(a->packer, &job->arrival->reply);
    char whole[SHA1_TEXT];

    fields_of_revisit(a, job->original, job->arrival->reply.status == 304);
    if (*digest)
        field_of(a, "WARC-Payload-Digest", "sha1:", digest, "");
    sha1_base32(packer_sha1(a->packer), &head, 1, whole);
    field_of(a, "WARC-Block-Digest", "sha1:", whole, "");
    return add(a,
               &(struct warc_new){.type = "revisit",
                                  .date = job->at,
                                  .id = {id[0], id[1]},
                                  .fields = buf_str(&a->fields),
                                  .block = &head,
                                  .nblock = 1},
               ret);
}

/* A response's payload is nearly all of its block: one digest is enough. */
static enum status add_packed(struct archive *a, const struct archive_job *job, const char *type,
                              const char *digest_name, const uint64_t id[2],
                              const struct packed *packed, struct warc_place *ret)
{
    if (packed == NULL)
        return status_fail(ST_LIMIT, "a WARC record is larger than %zu bytes",
                           (size_t)LIMIT_WARC_RECORD);
    field_of(a, digest_name, "sha1:", packed->digest, "");
    return add(a,
               &(struct warc_new){.type = type,
                                  .date = job->at,
                                  .id = {id[0], id[1]},
                                  .fields = buf_str(&a->fields),
                                  .packed = packed},
               ret);
}

static enum status add_response(struct archive *a, const struct archive_job *job,
                                const uint64_t id[2], struct warc_place *ret,
                                char digest[SHA1_TEXT])
{
    const struct reply *reply = &job->arrival->reply;
    const struct archive_original *original = job->original;
    const struct packed *packed = job->arrival->packed;
    struct packed *made = NULL;
    enum status st;

    buf_clear(&a->fields);
    fields_of_response(a, job);
    if (reply->status == 304 && original) {
        (void)snprintf(digest, SHA1_TEXT, "%.*s", STR_ARG(original->digest));
        return add_revisit(a, job, id, ret, digest);
    }
    if (packed == NULL)
        packed = made = packer_reply(a->packer, reply);
    if (packed)
        memcpy(digest, packed->digest, SHA1_TEXT);
    if (packed && original && reply->body.len && !reply->truncated &&
        str_eq(original->digest, str_of(digest)))
        st = add_revisit(a, job, id, ret, digest);
    else
        st = add_packed(a, job, "response", "WARC-Payload-Digest", id, packed, ret);
    free(made);
    return st;
}

/* The request as sent, and the metadata: small records beside the response.
 * Deflating them would cost 6 % of a page's time and save 7 % of its space. */
static enum status add_beside(struct archive *a, const struct archive_job *job,
                              enum record_part part, const uint64_t response[2])
{
    struct str block[2];
    struct warc_place place;
    char digest[SHA1_TEXT];
    uint64_t id[2];
    size_t n = 1;

    block[0] = job->metadata;
    if (part == PART_REQUEST) {
        block[0] = without_end(job->arrival->reply.sent);
        block[1] = STR("\r\n\r\n");
        n = 2;
    }
    if (block[0].len == 0)
        return ST_OK;
    record_id(a, job->kind, job->number, part, id);
    buf_clear(&a->fields);
    field_str(a, "WARC-Target-URI", job->arrival->request->href);
    buf_add_z(&a->fields, part == PART_REQUEST
                              ? "Content-Type: application/http;msgtype=request\r\n"
                              : "Content-Type: application/warc-fields\r\n");
    field_urn(a, "WARC-Concurrent-To", response);
    sha1_base32(packer_sha1(a->packer), block, n, digest);
    field_of(a, "WARC-Block-Digest", "sha1:", digest, "");
    return add(a,
               &(struct warc_new){.type = part == PART_REQUEST ? "request" : "metadata",
                                  .date = job->at,
                                  .id = {id[0], id[1]},
                                  .fields = buf_str(&a->fields),
                                  .block = block,
                                  .nblock = n,
                                  .plain = true},
               &place);
}

/* The HTML that a document was read as, so that readers of the archive need no program for it. */
static enum status add_conversion(struct archive *a, const struct archive_job *job,
                                  const uint64_t response[2])
{
    struct str html = buf_str(&job->arrival->html);
    const struct packed *packed = job->arrival->packed_html;
    struct packed *made = NULL;
    struct warc_place place;
    uint64_t id[2];
    enum status st;

    if (html.len == 0)
        return ST_OK;
    if (packed == NULL)
        packed = made = packer_text(a->packer, html);
    record_id(a, job->kind, job->number, PART_CONVERSION, id);
    buf_clear(&a->fields);
    field_str(a, "WARC-Target-URI", job->arrival->request->href);
    buf_add_z(&a->fields, "Content-Type: text/html; charset=utf-8\r\n");
    field_urn(a, "WARC-Refers-To", response);
    st = add_packed(a, job, "conversion", "WARC-Block-Digest", id, packed, &place);
    free(made);
    return st;
}

/* On a full disk, waits for room. */
static enum status flush(struct archive *a)
{
    enum status st;

    while ((st = warc_flush(a->writer)) == ST_IO)
        if (!a->wait(a->ctx, status_text()))
            break;
    return st;
}

enum status archive_sync(struct archive *a)
{
    TRY(flush(a));
    return warc_sync(a->writer);
}

enum status archive_end(struct archive *a)
{
    TRY(flush(a));
    return warc_end(a->writer);
}

enum status archive_add(struct archive *a, const struct archive_job *job, struct warc_place *ret,
                        char ret_digest[SHA1_TEXT])
{
    uint64_t id[2];
    enum status st = warc_is_full(a->writer) ? archive_end(a) : ST_OK;

    record_id(a, job->kind, job->number, PART_RESPONSE, id);
    if (st == ST_OK)
        st = add_response(a, job, id, ret, ret_digest);
    if (st == ST_OK)
        st = add_beside(a, job, PART_REQUEST, id);
    if (st == ST_OK)
        st = add_beside(a, job, PART_METADATA, id);
    if (st == ST_OK)
        st = add_conversion(a, job, id);
    return st;
}

/* ---- the way back -------------------------------------------------------- */

enum status archive_open(const char *dir, struct str file, struct warc_reader **ret)
{
    int folder = -1, fd = -1;
    enum status st = warc_folder(dir, false, &folder);

    if (st != ST_OK)
        return st;
    st = warc_file_open(folder, file, O_RDONLY, &fd);
    (void)close(folder);
    return st == ST_OK ? warc_open_fd(fd, ret) : st;
}

enum status archive_read(const char *dir, struct str file, uint64_t offset, struct warc_record *ret)
{
    struct warc_reader *reader = NULL;
    enum status st = archive_open(dir, file, &reader);

    if (st == ST_OK)
        st = warc_at(reader, offset, ret);
    warc_close(reader);
    return st;
}

enum status archive_conversion(const char *dir, struct str file, uint64_t offset,
                               struct warc_record *ret)
{
    struct warc_reader *reader = NULL;
    struct warc_record first = {0}, beside;
    enum status st = archive_open(dir, file, &reader);

    if (st == ST_OK)
        st = warc_at(reader, offset, &first);
    while (st == ST_OK && (st = warc_next(reader, &beside)) == ST_OK) {
        if (str_eq(beside.type, STR("conversion")) && str_eq(beside.target, first.target)) {
            *ret = beside;
            break;
        }
        if (str_eq(beside.type, STR("response")) || str_eq(beside.type, STR("revisit")))
            st = status_fail(ST_MISSING, "the record has no conversion");
        warc_record_free(&beside);
    }
    warc_record_free(&first);
    warc_close(reader);
    return st;
}

/* ---- what a crash leaves ---------------------------------------------------
 *
 * Files that no commit names are removed: those begun after the last one, an unfinished copy
 * of a `forget`, an old file that a `forget` has replaced. Files that were being written get
 * their final names. */

struct warc_sweep {
    int folder; /* DIR/warc */
    sqlite3 *db;
    sqlite3_stmt *find; /* a file by its name */
    uint64_t last;      /* number of the last file that was committed */
    uint32_t removed;
};

/* The note is removed only when the file is certainly gone, because forgotten pages must not come
 * back. */
static enum status sweep_garbage(struct warc_sweep *s)
{
    sqlite3_stmt *list = NULL;
    enum status st = db_prepare(s->db, "SELECT name FROM garbage", &list);

    while (st == ST_OK && db_row(s->db, list, &st)) {
        st = warc_file_remove(s->folder, db_str(list, 0));
        s->removed += st == ST_OK;
        st = st == ST_MISSING ? ST_OK : st;
    }
    (void)sqlite3_finalize(list);
    if (st == ST_OK)
        st = dir_sync(s->folder);
    return st == ST_OK ? db_exec(s->db, "DELETE FROM garbage") : st;
}

static enum status sweep_file(struct warc_sweep *s, struct str entry)
{
    struct str name = entry;
    uint64_t serial = warc_serial(entry);
    bool open = warc_file_is_open(&name), known;
    enum status st = ST_OK;

    if (!open && serial <= s->last) /* 0 for names that are not ours */
        return ST_OK;
    db_bind_str(s->find, 1, name);
    known = db_row(s->db, s->find, &st);
    (void)sqlite3_reset(s->find);
    if (st != ST_OK || known)
        return known ? warc_file_done(s->folder, name) : st;
    st = dir_remove(s->folder, entry);
    s->removed += st == ST_OK;
    return st;
}

static enum status sweep_files(struct warc_sweep *s)
{
    struct dirent *entry;
    DIR *list = NULL;
    enum status st = db_prepare(s->db, "SELECT 1 FROM warc WHERE name = ?", &s->find);

    if (st == ST_OK)
        list = dir_list(s->folder);
    while (st == ST_OK && list && (entry = readdir(list)) != NULL)
        st = sweep_file(s, str_of(entry->d_name));
    if (list)
        (void)closedir(list);
    (void)sqlite3_finalize(s->find);
    return st == ST_OK ? dir_sync(s->folder) : st;
}

enum status archive_sweep(const char *dir, sqlite3 *db, uint32_t *ret_removed)
{
    struct warc_sweep s = {.folder = -1, .db = db};
    int64_t last = 0;
    enum status st = db_int(db, "SELECT max(id) FROM warc", &last);

    s.last = (uint64_t)last;
    if (st == ST_OK)
        st = warc_folder(dir, false, &s.folder);
    if (st == ST_MISSING) /* a crawl without an archive */
        st = ST_OK;
    else if (st == ST_OK)
        st = sweep_files(&s);
    if (st == ST_OK && s.folder >= 0)
        st = sweep_garbage(&s);
    if (s.folder >= 0)
        (void)close(s.folder);
    *ret_removed = s.removed;
    return st;
}

/* ---- what is missing ----------------------------------------------------- */

/* Bytes of a file; 0 where it is not a regular file. */
static uint64_t length_of(int folder, struct str name)
{
    struct stat info = {0};
    int fd = -1;

    if (folder < 0 || warc_file_open(folder, name, O_RDONLY, &fd) != ST_OK)
        return 0;
    (void)fstat(fd, &info);
    (void)close(fd);
    return (uint64_t)info.st_size;
}

static enum status count_lost(sqlite3 *db, int64_t file, uint64_t there, uint64_t *pages)
{
    LOCAL_STMT *st = NULL;
    enum status status = db_prepare(db,
                                    "SELECT count(*) FROM page_row WHERE warc = ?"
                                    " AND warc_offset + warc_length > ?",
                                    &st);

    if (status == ST_OK) {
        (void)sqlite3_bind_int64(st, 1, file);
        (void)sqlite3_bind_int64(st, 2, (int64_t)there);
        if (db_row(db, st, &status))
            *pages += (uint64_t)sqlite3_column_int64(st, 0);
    }
    return status;
}

enum status archive_lost(const char *dir, sqlite3 *db, uint64_t *ret_pages)
{
    sqlite3_stmt *st = NULL;
    uint64_t pages = 0;
    int folder = -1;
    enum status status = warc_folder(dir, false, &folder);

    if (status == ST_OK || status == ST_MISSING)
        status = db_prepare(db, "SELECT id, name, length FROM warc ORDER BY id", &st);
    while (status == ST_OK && db_row(db, st, &status)) {
        uint64_t there = length_of(folder, db_str(st, 1));

        if (there < (uint64_t)sqlite3_column_int64(st, 2))
            status = count_lost(db, sqlite3_column_int64(st, 0), there, &pages);
    }
    (void)sqlite3_finalize(st);
    if (folder >= 0)
        (void)close(folder);
    if (status == ST_OK)
        *ret_pages = pages;
    return status;
}
