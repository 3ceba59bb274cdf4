/* bulk.c - a directory for the bulk interface of OpenSearch and Elasticsearch.
 *
 *   mapping.json        the types of the fields: the body of PUT /INDEX
 *   pages-00001.ndjson  bodies of POST /INDEX/_bulk, some megabytes each
 *
 * A page is two lines: its id, made from its URL, so that a later version replaces an earlier
 * one; and its fields. SPDX-License-Identifier: MIT */
#include "store/export/export_int.h"
#include "store/read/as_json.h"
#include "store/sha1.h"

#include <errno.h>
#include <sys/stat.h>

#define PART_BYTES MIB(8) /* size of one file: servers refuse bodies of 100 MB */

static const char mapping[] = "{\"mappings\":{\"properties\":{\n"
                              "\"url\":{\"type\":\"keyword\",\"ignore_above\":8191},\n"
                              "\"host\":{\"type\":\"keyword\"},\n"
                              "\"title\":{\"type\":\"text\"},\n"
                              "\"text\":{\"type\":\"text\"},\n"
                              "\"lang\":{\"type\":\"keyword\"},\n"
                              "\"lang_declared\":{\"type\":\"keyword\"},\n"
                              "\"topics\":{\"properties\":{\"topic\":{\"type\":\"keyword\"},"
                              "\"sure\":{\"type\":\"integer\"},\"relevance\":{\"type\":\"float\"},"
                              "\"p\":{\"type\":\"float\"}}},\n"
                              "\"mime\":{\"type\":\"keyword\"},\n"
                              "\"fetched_at\":{\"type\":\"date\"},\n"
                              "\"date\":{\"type\":\"date\"},\n"
                              "\"relevance\":{\"type\":\"float\"},\n"
                              "\"p\":{\"type\":\"float\"},\n"
                              "\"depth\":{\"type\":\"integer\"},\n"
                              "\"agent\":{\"type\":\"long\"},\n"
                              "\"page\":{\"type\":\"long\"},\n"
                              "\"dup_of\":{\"type\":\"long\"}\n"
                              "}}}\n";

struct bulk {
    struct export_lines lines;
    const struct export_to *to;
    struct sha1 *sha1;
    struct buf path;
    unsigned parts;
    uint64_t bytes; /* of the part that is open */
};

static enum status cannot(const struct bulk *b)
{
    return status_fail(ST_IO, "%s cannot be written: %s", b->path.data, strerror(errno));
}

static enum status file_open(struct bulk *b, const char *name)
{
    buf_clear(&b->path);
    buf_addf(&b->path, "%s/%s", b->to->dir, name);
    b->lines.out = fopen(b->path.data, "wxe");
    b->bytes = 0;
    return b->lines.out ? ST_OK : cannot(b);
}

static enum status file_close(struct bulk *b, enum status st)
{
    if (b->lines.out && fclose(b->lines.out) != 0 && st == ST_OK)
        st = cannot(b);
    b->lines.out = NULL;
    return st;
}

static enum status next_part(struct bulk *b)
{
    char name[32];
    enum status st = file_close(b, ST_OK);

    (void)snprintf(name, sizeof name, "pages-%05u.ndjson", ++b->parts);
    return st == ST_OK ? file_open(b, name) : st;
}

static enum status put_page(struct bulk *b, const struct query_page *p)
{
    static const enum page_member fields[] = {
        PAGE_URL,   PAGE_HOST,       PAGE_TITLE,  PAGE_LANG,      PAGE_DECLARED,
        PAGE_MIME,  PAGE_FETCHED_AT, PAGE_DATE,   PAGE_RELEVANCE, PAGE_P,
        PAGE_DEPTH, PAGE_AGENT,      PAGE_NUMBER, PAGE_DUP_OF,    PAGE_END,
    };
    struct export_lines *l = &b->lines;
    char id[SHA1_TEXT];
    enum status st;
    struct json j;

    sha1_base32(b->sha1, &p->url, 1, id);
    buf_clear(&l->line);
    buf_addf(&l->line, "{\"index\":{\"_id\":\"%s\"}}\n", id);
    buf_clear(&l->text);
    if (query_main(l->q, p->id, &l->text) != ST_OK)
        buf_clear(&l->text);
    json_begin(&j, &l->line);
    page_put(&j, p, fields);
    st = page_topics_put(&j, l->q, p->id);
    json_put_str(&j, "text", buf_str(&l->text));
    json_close(&j);
    return st;
}

static enum status on_page(void *ctx, const struct query_page *p)
{
    struct bulk *b = ctx;
    enum status st = put_page(b, p);

    if (st != ST_OK)
        return st;
    if (b->parts == 0 || b->bytes + b->lines.line.len > PART_BYTES)
        st = next_part(b);
    b->bytes += b->lines.line.len + 1;
    return st == ST_OK ? export_line(&b->lines) : st;
}

enum status export_bulk(struct query *q, const struct export_to *to)
{
    struct bulk b = {
        .lines = EXPORT_LINES(q, to), .to = to, .sha1 = sha1_new(), .path = BUF_INIT(KIB(64))};
    enum status st = ST_OK;

    b.lines.out = NULL;
    buf_add_z(&b.path, to->dir);
    if (mkdir(to->dir, 0777) != 0)
        st = cannot(&b);
    if (st == ST_OK)
        st = file_open(&b, "mapping.json");
    if (st == ST_OK)
        st = export_put(b.lines.out, str_of(mapping));
    st = file_close(&b, st);
    if (st == ST_OK)
        st = query_pages(q, on_page, &b);
    st = file_close(&b, st);
    sha1_free(b.sha1);
    buf_free(&b.path);
    return export_end(&b.lines, st);
}
