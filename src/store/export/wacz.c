/* wacz.c - the archive as one WACZ file (version 1.1.1), which replayweb.page and others open.
 *
 *   indexes/index.cdx         CDXJ, sorted
 *   pages/pages.jsonl         the pages with their titles
 *   archive/NAME.warc.gz      the files of DIR/warc, as long as they were committed
 *   datapackage.json          all of these with their SHA-256
 *   datapackage-digest.json   that of datapackage.json
 *
 * A zip archive by libarchive; nothing in it is compressed again, so that a reader can ask for
 * one record of a WARC file inside. The index is read first: while a crawl runs the files only
 * grow, so the records that it names exist. It never seeks, so the file may be a pipe.
 * SPDX-License-Identifier: MIT */
#include "base/json.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/os/dir.h"
#include "base/os/clock.h"
#include "store/export/export_int.h"
#include "store/warc_file.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <unistd.h>

#define PIECE   KIB(256) /* of a WARC file, at once */
#define VERSION "1.1.1"

struct wacz {
    struct query *q;
    const struct export_to *to;
    struct export_lines lines;
    struct archive *zip;
    EVP_MD_CTX *sha;
    uint64_t bytes;   /* of the entry that is open */
    bool failed;      /* to write */
    struct buf parts; /* the resources of datapackage.json, separated by commas */
    int64_t now;
};

static enum status cannot(struct wacz *w)
{
    return status_fail(ST_IO, "the output cannot be written: %s",
                       w->failed ? strerror(errno) : archive_error_string(w->zip));
}

/* For libarchive. */
static la_ssize_t write_out(struct archive *a, void *ctx, const void *data, size_t len)
{
    struct wacz *w = ctx;

    (void)a;
    w->failed |= fwrite(data, 1, len, w->to->out) != len;
    return w->failed ? -1 : (la_ssize_t)len;
}

/* ---- entries ------------------------------------------------------------------ */

static enum status entry_open(struct wacz *w, const char *path, int64_t size)
{
    struct archive_entry *e = archive_entry_new();
    int rc;

    archive_entry_set_pathname(e, path);
    archive_entry_set_filetype(e, AE_IFREG);
    archive_entry_set_perm(e, 0644);
    archive_entry_set_mtime(e, w->now / US_PER_S, 0);
    if (size >= 0)
        archive_entry_set_size(e, size);
    rc = archive_write_header(w->zip, e);
    archive_entry_free(e);
    w->bytes = 0;
    if (EVP_DigestInit_ex(w->sha, EVP_sha256(), NULL) != 1)
        mem_out();
    return rc == ARCHIVE_OK ? ST_OK : cannot(w);
}

static enum status entry_add(struct wacz *w, struct str bytes)
{
    w->bytes += bytes.len;
    if (EVP_DigestUpdate(w->sha, bytes.ptr, bytes.len) != 1)
        mem_out();
    return archive_write_data(w->zip, bytes.ptr, bytes.len) == (la_ssize_t)bytes.len ? ST_OK
                                                                                     : cannot(w);
}

/* "sha256:…" */
static void entry_digest(struct wacz *w, char ret[72])
{
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned len = 0;

    if (EVP_DigestFinal_ex(w->sha, digest, &len) != 1)
        mem_out();
    (void)snprintf(ret, 72, "sha256:");
    for (unsigned i = 0; i < len && i < 32; i++)
        (void)snprintf(ret + 7 + 2 * (size_t)i, 3, "%02x", digest[i]);
}

/* Closes the entry, and notes it for datapackage.json. */
static enum status entry_close(struct wacz *w, const char *path)
{
    const char *name = strrchr(path, '/') + 1;
    char hash[72];
    struct json j;

    entry_digest(w, hash);
    if (w->parts.len)
        buf_add_char(&w->parts, ',');
    json_begin(&j, &w->parts);
    json_put_z(&j, "name", name);
    json_put_z(&j, "path", path);
    json_put_z(&j, "hash", hash);
    json_put_int(&j, "bytes", (int64_t)w->bytes);
    json_close(&j);
    return archive_write_finish_entry(w->zip) == ARCHIVE_OK ? buf_check(&w->parts) : cannot(w);
}

/* ---- index and pages ------------------------------------------------------------- */

/* A stream that writes to the entry, because the writer of CDXJ needs one. */
static ssize_t stream_write(void *ctx, const char *data, size_t len)
{
    return entry_add(ctx, (struct str){data, len}) == ST_OK ? (ssize_t)len : 0;
}

static enum status add_index(struct wacz *w)
{
    struct export_to to = *w->to;
    enum status st;

    TRY(entry_open(w, "indexes/index.cdx", -1));
    to.out = fopencookie(w, "w", (cookie_io_functions_t){.write = stream_write});
    if (to.out == NULL)
        mem_out();
    st = export_cdxj(w->q, &to);
    if (fclose(to.out) != 0 && st == ST_OK)
        st = cannot(w);
    return st == ST_OK ? entry_close(w, "indexes/index.cdx") : st;
}

static enum status on_page(void *ctx, const struct query_page *p)
{
    struct wacz *w = ctx;
    char at[CLOCK_TEXT], id[16];
    struct json j;

    export_step(&w->lines);
    if (p->warc_file.len == 0 || p->dup_of)
        return ST_OK;
    clock_format(p->fetched_at, 0, at);
    (void)snprintf(id, sizeof id, "%u", p->id);
    buf_clear(&w->lines.line);
    json_begin(&j, &w->lines.line);
    json_put_z(&j, "id", id);
    json_put_str(&j, "url", p->url);
    json_put_z(&j, "ts", at);
    json_put_str(&j, "title", p->title);
    json_end(&j);
    return entry_add(w, buf_str(&w->lines.line));
}

static enum status add_pages(struct wacz *w)
{
    TRY(entry_open(w, "pages/pages.jsonl", -1));
    TRY(entry_add(w,
                  STR("{\"format\":\"json-pages-1.0\",\"id\":\"pages\",\"title\":\"Pages\"}\n")));
    TRY(query_pages(w->q, on_page, w));
    return entry_close(w, "pages/pages.jsonl");
}

/* ---- WARC files ------------------------------------------------------------------- */

static enum status copy_file(struct wacz *w, int fd, uint64_t length)
{
    LOCAL_HEAP char *piece = mem_alloc(PIECE);
    enum status st = ST_OK;

    while (st == ST_OK && length > 0) {
        ssize_t n = read(fd, piece, length < PIECE ? length : PIECE);

        if (n <= 0)
            st = status_fail(ST_CORRUPT, "a file of the archive is shorter than it was");
        else
            st = entry_add(w, (struct str){piece, (size_t)n});
        length -= n > 0 ? (uint64_t)n : 0;
    }
    return st;
}

static enum status add_warc(struct wacz *w, int folder, struct str name, uint64_t length)
{
    LOCAL_BUF path = BUF_INIT(KIB(4));
    LOCAL_FD fd = -1;

    TRY(warc_file_open(folder, name, O_RDONLY, &fd));
    buf_addf(&path, "archive/%.*s", STR_ARG(name));
    TRY(entry_open(w, path.data, (int64_t)length));
    TRY(copy_file(w, fd, length));
    return entry_close(w, path.data);
}

static enum status add_warcs(struct wacz *w)
{
    LOCAL_STMT *list = NULL;
    LOCAL_FD folder = -1;
    enum status st = warc_folder(w->q->dir, false, &folder);

    if (st == ST_MISSING)
        return status_fail(ST_MISSING, "the crawl has no archive (--no-warc)");
    if (st == ST_OK)
        st = db_prepare(w->q->db, "SELECT name, length FROM warc ORDER BY id", &list);
    while (st == ST_OK && db_row(w->q->db, list, &st))
        st = add_warc(w, folder, db_str(list, 0), (uint64_t)sqlite3_column_int64(list, 1));
    return st;
}

/* ---- the package ------------------------------------------------------------------- */

static enum status add_small(struct wacz *w, const char *path, struct str text)
{
    TRY(entry_open(w, path, (int64_t)text.len));
    TRY(entry_add(w, text));
    if (archive_write_finish_entry(w->zip) != ARCHIVE_OK)
        TRY(cannot(w));
    return ST_OK;
}

static enum status add_package(struct wacz *w)
{
    LOCAL_BUF text = BUF_INIT(w->parts.max + KIB(4));
    char at[CLOCK_TEXT], hash[72];
    enum status st;

    clock_format(w->now, 0, at);
    buf_addf(&text,
             "{\"profile\":\"data-package\",\"wacz_version\":\"" VERSION
             "\",\"software\":\"brood " BROOD_VERSION
             "\",\"created\":\"%s\",\"resources\":[%.*s]}\n",
             at, STR_ARG(buf_str(&w->parts)));
    st = add_small(w, "datapackage.json", buf_str(&text));
    entry_digest(w, hash);
    buf_clear(&text);
    buf_addf(&text, "{\"path\":\"datapackage.json\",\"hash\":\"%s\"}\n", hash);
    return st == ST_OK ? add_small(w, "datapackage-digest.json", buf_str(&text)) : st;
}

enum status export_wacz(struct query *q, const struct export_to *to)
{
    struct wacz w = {.q = q,
                     .to = to,
                     .lines = EXPORT_LINES(q, to),
                     .zip = archive_write_new(),
                     .sha = EVP_MD_CTX_new(),
                     .parts = BUF_INIT(MIB(64)),
                     .now = clock_now()};
    enum status st = ST_OK;

    if (w.zip == NULL || w.sha == NULL)
        mem_out();
    if (archive_write_set_format_zip(w.zip) != ARCHIVE_OK ||
        archive_write_zip_set_compression_store(w.zip) != ARCHIVE_OK ||
        archive_write_set_bytes_in_last_block(w.zip, 1) != ARCHIVE_OK ||
        archive_write_open(w.zip, &w, NULL, write_out, NULL) != ARCHIVE_OK)
        st = cannot(&w);
    if (st == ST_OK)
        st = add_index(&w);
    if (st == ST_OK)
        st = add_pages(&w);
    if (st == ST_OK)
        st = add_warcs(&w);
    if (st == ST_OK)
        st = add_package(&w);
    if (st == ST_OK && archive_write_close(w.zip) != ARCHIVE_OK)
        st = cannot(&w);
    (void)archive_write_free(w.zip);
    EVP_MD_CTX_free(w.sha);
    buf_free(&w.parts);
    return export_end(&w.lines, st);
}
