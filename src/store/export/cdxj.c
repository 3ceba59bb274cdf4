/* cdxj.c - the CDXJ index of the archive.
 *
 *   com,example)/page 20261115100000 {"url":…,"mime":…,"status":…,"digest":…,
 *                                     "length":…,"offset":…,"filename":…}
 *
 * Pages, other answers and robots.txt files, sorted by bytes as pywb wants it.
 * The lines are sorted in memory: some 300 bytes an answer.
 * Limit: SURT without the query canonicalisation rules of single sites.
 * SPDX-License-Identifier: MIT */
#include "base/os/clock.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/mem.h"
#include "parse/url_norm.h"
#include "store/export/export_int.h"

#include <stdlib.h>

#define CDXJ_SQL                                                                                 \
    "SELECT u.url, p.fetched_at, p.mime, p.status, p.digest, p.warc_length, p.warc_offset,"      \
    " w.name FROM page_row p JOIN url_row u ON u.id = p.url JOIN warc w ON w.id = p.warc"        \
    " WHERE NOT p.hidden UNION ALL "                                                             \
    "SELECT u.url, o.at, o.mime, o.status, o.digest, o.warc_length, o.warc_offset, w.name"       \
    " FROM outcome_row o JOIN url_row u ON u.id = o.url JOIN warc w ON w.id = o.warc UNION ALL " \
    "SELECT r.url, r.at, r.mime, r.status, r.digest, r.warc_length, r.warc_offset, w.name"       \
    " FROM resource_row r JOIN warc w ON w.id = r.warc"

static void put_lower(struct buf *out, struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        buf_add_char(out, ascii_lower(s.ptr[i]));
}

/* The labels of the host from the right; addresses stay as they are. */
static void put_host(struct buf *out, struct str host)
{
    bool address = host.len && (host.ptr[0] == '[' || ascii_is_digit(host.ptr[host.len - 1]));

    if (str_starts(host, STR("www.")))
        host = str_sub(host, 4, host.len);
    while (host.len && !address) {
        size_t dot = host.len;

        while (dot > 0 && host.ptr[dot - 1] != '.')
            dot--;
        put_lower(out, str_sub(host, dot, host.len));
        if (dot > 0)
            buf_add_char(out, ',');
        host.len = dot > 0 ? dot - 1 : 0;
    }
    if (address)
        put_lower(out, host);
}

void export_surt(struct str url, struct buf *out)
{
    struct str scheme, host, path;
    uint16_t port;
    size_t colon;

    url_split(url, &scheme, &host, &port, &path);
    for (colon = host.len; colon > 0 && ascii_is_digit(host.ptr[colon - 1]); colon--)
        ;
    if (colon > 0 && host.ptr[colon - 1] == ':')
        host.len = colon - 1;
    put_host(out, host);
    if (port != (str_eq(scheme, STR("https")) ? 443 : 80))
        buf_addf(out, ":%u", port);
    buf_add_char(out, ')');
    put_lower(out, path);
}

static void put_fields(struct buf *out, sqlite3_stmt *st)
{
    char number[24];
    struct json j;

    json_begin(&j, out);
    json_put_str(&j, "url", db_str(st, 0));
    json_put_str(&j, "mime", db_str(st, 2).len ? db_str(st, 2) : STR("unk"));
    (void)snprintf(number, sizeof number, "%lld", (long long)sqlite3_column_int64(st, 3));
    json_put_z(&j, "status", number);
    json_put_str(&j, "digest", db_str(st, 4));
    (void)snprintf(number, sizeof number, "%lld", (long long)sqlite3_column_int64(st, 5));
    json_put_z(&j, "length", number);
    (void)snprintf(number, sizeof number, "%lld", (long long)sqlite3_column_int64(st, 6));
    json_put_z(&j, "offset", number);
    json_put_str(&j, "filename", db_str(st, 7));
    json_close(&j);
}

static char *make_line(sqlite3_stmt *st)
{
    LOCAL_BUF line = BUF_INIT(LIMIT_URL * 16);
    char at[CLOCK_TEXT];

    export_surt(db_str(st, 0), &line);
    buf_add_char(&line, ' ');
    clock_format(sqlite3_column_int64(st, 1), 0, at);
    for (const char *c = at; *c; c++)
        if (ascii_is_digit(*c))
            buf_add_char(&line, *c);
    buf_add_char(&line, ' ');
    put_fields(&line, st);
    buf_add_char(&line, '\n');
    if (line.full)
        return NULL;
    return buf_take(&line, &(size_t){0});
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

enum status export_cdxj(struct query *q, const struct export_to *to)
{
    sqlite3_stmt *st = NULL;
    char **lines = NULL;
    size_t count = 0, cap = 0;
    enum status status = db_prepare(q->db, CDXJ_SQL, &st);

    while (status == ST_OK && db_row(q->db, st, &status)) {
        char *line = make_line(st);

        if (line == NULL)
            continue;
        MEM_GROW(lines, count, &cap);
        lines[count++] = line;
    }
    (void)sqlite3_finalize(st);
    if (count)
        qsort(lines, count, sizeof *lines, by_bytes);
    for (size_t i = 0; i < count; i++) {
        if (status == ST_OK)
            status = export_put(to->out, str_of(lines[i]));
        free(lines[i]);
    }
    free(lines);
    return status;
}
