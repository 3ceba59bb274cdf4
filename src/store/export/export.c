/* export.c - a crawl in the forms others read: pages and links.
 * SPDX-License-Identifier: MIT */
#include "store/export/export.h"

#include "base/os/clock.h"
#include "base/buf.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "store/export/export_int.h"
#include "store/read/as_json.h"

#include <errno.h>
#include <math.h>

const char export_formats[] = "jsonl, csv, cdxj, graphml, xml, docpool";

struct sink {
    struct query *q;
    FILE *out;
    struct buf line; /* used again for every row */
    struct buf text;
};

enum status export_put(FILE *out, struct str s)
{
    if (s.len && fwrite(s.ptr, 1, s.len, out) != s.len)
        return status_fail(ST_IO, "the output cannot be written: %s", strerror(errno));
    return ST_OK;
}

static enum status put_line(struct sink *s)
{
    buf_add_char(&s->line, '\n');
    if (s->line.full)
        return status_fail(ST_LIMIT, "a line is longer than %zu bytes", s->line.max);
    return export_put(s->out, buf_str(&s->line));
}

/* ---- jsonl --------------------------------------------------------------- */

static enum status jsonl_page(void *ctx, const struct query_page *p)
{
    static const enum page_member line[] = {
        PAGE_ID,        PAGE_URL,        PAGE_HOST,   PAGE_FETCHED_AT, PAGE_STATUS,
        PAGE_MIME,      PAGE_CHARSET,    PAGE_LANG,   PAGE_TITLE,      PAGE_DATE,
        PAGE_RELEVANCE, PAGE_SIMILARITY, PAGE_DEPTH,  PAGE_AGENT,      PAGE_ENERGY,
        PAGE_BYTES,     PAGE_LATENCY,    PAGE_DUP_OF, PAGE_VERSION_OF, PAGE_DIGEST,
        PAGE_WARC_FILE, PAGE_END,
    };
    static const enum page_member offset[] = {PAGE_WARC_OFFSET, PAGE_END};
    struct sink *s = ctx;
    struct json j;

    buf_clear(&s->line);
    buf_clear(&s->text);
    if (query_text(s->q, p->id, &s->text) != ST_OK)
        buf_clear(&s->text);
    json_init(&j, &s->line);
    json_open_object(&j, NULL);
    page_put(&j, p, line);
    if (p->warc_file.len)
        page_put(&j, p, offset);
    json_put_str(&j, "text", buf_str(&s->text));
    json_close(&j);
    return put_line(s);
}

static enum status export_jsonl(struct sink *s)
{
    return query_pages(s->q, jsonl_page, s);
}

/* ---- csv ----------------------------------------------------------------- */

static void csv_time(struct buf *out, int64_t at)
{
    char text[CLOCK_TEXT] = "";

    if (at)
        clock_format(at, 3, text);
    buf_add_z(out, text);
}

static enum status csv_page(void *ctx, const struct query_page *p)
{
    struct sink *s = ctx;
    struct buf *l = &s->line;

    buf_clear(l);
    buf_addf(l, "%u,", p->id);
    buf_add_csv(l, p->url);
    buf_add_char(l, ',');
    buf_add_csv(l, p->host);
    buf_addf(l, ",%d,", p->status);
    csv_time(l, p->fetched_at);
    buf_add_char(l, ',');
    buf_add_csv(l, p->mime);
    buf_add_char(l, ',');
    buf_add_csv(l, p->lang);
    buf_add_char(l, ',');
    buf_add_csv(l, p->title);
    buf_add_char(l, ',');
    csv_time(l, p->date);
    buf_addf(l, ",%.6g,%u,%u,%llu,%.3f,", p->relevance, p->depth, p->agent,
             (unsigned long long)p->bytes, p->latency_ms);
    if (p->dup_of)
        buf_addf(l, "%u", p->dup_of);
    buf_add_char(l, ',');
    buf_add_csv(l, p->warc_file);
    buf_add_char(l, ',');
    if (p->warc_file.len)
        buf_addf(l, "%llu", (unsigned long long)p->warc_offset);
    buf_add_char(l, '\r');
    return put_line(s);
}

static enum status export_csv(struct sink *s)
{
    enum status st =
        export_put(s->out, STR("id,url,host,status,fetched_at,mime,lang,title,date,relevance,depth,"
                               "agent,bytes,latency_ms,dup_of,warc_file,warc_offset\r\n"));

    return st == ST_OK ? query_pages(s->q, csv_page, s) : st;
}

/* ---- graphml ------------------------------------------------------------- */

void export_xml_str(struct buf *out, struct str s)
{
    for (size_t at = 0; at < s.len;) {
        char bytes[4];
        uint32_t c = utf8_next(s, &at);

        if (c == '<')
            buf_add_z(out, "&lt;");
        else if (c == '&')
            buf_add_z(out, "&amp;");
        else if (c == '>')
            buf_add_z(out, "&gt;");
        else if (c == '"')
            buf_add_z(out, "&quot;");
        else if ((c >= ' ' && c != 0xfffe && c != 0xffff) || c == '\t' || c == '\n')
            buf_add(out, bytes, utf8_put(c, bytes));
    }
}

static enum status graphml_page(void *ctx, const struct query_page *p)
{
    struct sink *s = ctx;

    buf_clear(&s->line);
    buf_addf(&s->line, "<node id=\"p%u\"><data key=\"url\">", p->id);
    export_xml_str(&s->line, p->url);
    buf_add_z(&s->line, "</data><data key=\"title\">");
    export_xml_str(&s->line, p->title);
    buf_addf(&s->line,
             "</data><data key=\"relevance\">%.6g</data><data key=\"depth\">%u</data></node>",
             p->relevance, p->depth);
    return put_line(s);
}

/* Edges lead to pages: a link to a URL that was not fetched is left out. */
#define EDGES_SQL                                                                           \
    "SELECT l.page, f.page, l.score, l.anchor FROM link_row l JOIN fate f ON f.url = l.url" \
    " JOIN page_row a ON a.id = l.page JOIN page_row b ON b.id = f.page"                    \
    " WHERE NOT a.hidden AND NOT b.hidden ORDER BY l.page, l.pos"

static enum status graphml_edges(struct sink *s)
{
    sqlite3_stmt *st = NULL;
    enum status status = db_prepare(s->q->db, EDGES_SQL, &st);

    while (status == ST_OK && db_row(s->q->db, st, &status)) {
        buf_clear(&s->line);
        buf_addf(&s->line, "<edge source=\"p%lld\" target=\"p%lld\">",
                 (long long)sqlite3_column_int64(st, 0), (long long)sqlite3_column_int64(st, 1));
        if (sqlite3_column_type(st, 2) != SQLITE_NULL)
            buf_addf(&s->line, "<data key=\"score\">%.6g</data>", sqlite3_column_double(st, 2));
        if (db_str(st, 3).len) {
            buf_add_z(&s->line, "<data key=\"anchor\">");
            export_xml_str(&s->line, db_str(st, 3));
            buf_add_z(&s->line, "</data>");
        }
        buf_add_z(&s->line, "</edge>");
        status = put_line(s);
    }
    (void)sqlite3_finalize(st);
    return status;
}

static const char graphml_head[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
    "<key id=\"url\" for=\"node\" attr.name=\"url\" attr.type=\"string\"/>\n"
    "<key id=\"title\" for=\"node\" attr.name=\"title\" attr.type=\"string\"/>\n"
    "<key id=\"relevance\" for=\"node\" attr.name=\"relevance\" attr.type=\"double\"/>\n"
    "<key id=\"depth\" for=\"node\" attr.name=\"depth\" attr.type=\"int\"/>\n"
    "<key id=\"score\" for=\"edge\" attr.name=\"score\" attr.type=\"double\"/>\n"
    "<key id=\"anchor\" for=\"edge\" attr.name=\"anchor\" attr.type=\"string\"/>\n"
    "<graph edgedefault=\"directed\">\n";

static enum status export_graphml(struct sink *s)
{
    enum status st = export_put(s->out, str_of(graphml_head));

    if (st == ST_OK)
        st = query_pages(s->q, graphml_page, s);
    if (st == ST_OK)
        st = graphml_edges(s);
    return st == ST_OK ? export_put(s->out, STR("</graph>\n</graphml>\n")) : st;
}

/* ---- the table ----------------------------------------------------------- */

static enum status run_cdxj(struct sink *s)
{
    return export_cdxj(s->q, s->out);
}

static enum status run_xml(struct sink *s)
{
    return export_xml(s->q, s->out);
}

static enum status run_docpool(struct sink *s)
{
    (void)s;
    return status_fail(ST_USAGE, "docpool is a directory: it cannot be written to a file");
}

static const struct {
    const char *name;
    enum status (*run)(struct sink *s);
} formats[] = {
    {"jsonl", export_jsonl},     {"csv", export_csv}, {"cdxj", run_cdxj},
    {"graphml", export_graphml}, {"xml", run_xml},    {"docpool", run_docpool},
};

static size_t format_find(struct str name)
{
    size_t i = 0;

    while (i < ARRAY_LEN(formats) && !str_eq(name, str_of(formats[i].name)))
        i++;
    return i;
}

enum status export_check(struct str format)
{
    if (format_find(format) < ARRAY_LEN(formats))
        return ST_OK;
    return status_fail(ST_USAGE, "'%.*s' is no export format: there are %s", STR_ARG(format),
                       export_formats);
}

bool export_is_directory(struct str format)
{
    return str_eq(format, STR("docpool"));
}

enum status export_run(struct query *q, struct str format, FILE *out)
{
    struct sink s = {.q = q,
                     .out = out,
                     .line = BUF_INIT(LIMIT_DECODED * 8),
                     .text = BUF_INIT(LIMIT_DECODED * 2)};
    enum status st = export_check(format);

    if (st == ST_OK)
        st = formats[format_find(format)].run(&s);
    buf_free(&s.line);
    buf_free(&s.text);
    if (st == ST_OK && fflush(out) != 0)
        st = status_fail(ST_IO, "the output cannot be written: %s", strerror(errno));
    return st;
}
