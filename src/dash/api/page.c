/* page.c - everything of one page: row, links, visits, versions, text, stored copy.
 * SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "dash/dash_int.h"
#include "parse/http/decode.h"
#include "parse/http/head.h"
#include "parse/charset.h"
#include "parse/mime.h"
#include "store/archive.h"
#include "store/read/as_markdown.h"
#include "store/read/query.h"

/* ---- the stored copy, as a browser may see it ----------------------------
 *
 * The bytes are not trusted. They are sent with a policy that forbids scripts, requests and our
 * origin (REPLY_STORED), and only as one of two types: HTML as HTML, everything else as plain text.
 * <link> and <meta>, which open connections that no policy forbids (preconnect), are comments in
 * HTML. */

struct stored {
    const char *type; /* what to call it; a constant */
};

/* The type under which a payload of this Content-Type is sent. */
static const char *stored_type(struct str content_type)
{
    return mime_parse(content_type).kind == MIME_HTML ? "text/html; charset=utf-8"
                                                      : "text/plain; charset=utf-8";
}

/* No policy stops <link rel=preconnect> from opening a connection, and <meta> can ask for
 * more of that kind; neither shows anything. Their tags become comments wherever their
 * names stand, so that no two ways of reading HTML can differ on where that is. */
static void add_quiet(struct str html, struct buf *out)
{
    size_t from = 0;

    for (size_t at = str_find_char(html, '<', 0); at != SIZE_MAX && !out->full;
         at = str_find_char(html, '<', at + 1)) {
        struct str rest = str_sub(html, at + 1, html.len);

        if (!str_starts_i(rest, STR("link")) && !str_starts_i(rest, STR("meta")))
            continue;
        buf_add_str(out, str_sub(html, from, at + 1));
        buf_add_char(out, '!');
        from = at + 1;
    }
    buf_add_str(out, str_sub(html, from, html.len));
}

/* Appends the text as UTF-8, from any encoding: then our header is correct, and a declaration
 * inside the document has no effect. */
static enum status add_text(struct str payload, struct str content_type, struct buf *out)
{
    struct charset_reader *reader = charset_reader_new();
    struct mime mime = mime_parse(content_type);
    size_t bom = 0;
    const struct charset *charset = charset_decide(reader, payload, mime.charset, &bom);
    struct str text = charset_decode(reader, charset, str_sub(payload, bom, payload.len));

    if (mime.kind == MIME_HTML)
        add_quiet(text, out);
    else
        buf_add_str(out, text);
    charset_reader_free(reader);
    return buf_check(out);
}

static enum status add_payload(struct str head, struct str payload, struct buf *out,
                               struct stored *ret)
{
    struct buf decoded = BUF_INIT(LIMIT_DECODED);
    struct reply fields = {.head = head};
    struct head_facts facts;
    struct arena memory;
    struct str plain = payload;
    enum status st;
    bool cut;

    arena_init(&memory, MIB(4));
    head_read(&fields, &memory, &facts);
    ret->type = stored_type(fields.content_type);
    if (decode_body(payload, fields.content_encoding, &decoded, &plain, &cut) != DROP_NONE)
        st = status_fail(ST_CORRUPT, "the stored copy cannot be decoded");
    else
        st = add_text(plain, fields.content_type, out);
    arena_free(&memory);
    buf_free(&decoded);
    return st;
}

/* Appends the payload, decoded. ST_MISSING: it was not archived. */
static enum status stored_read(struct query *q, uint32_t page, struct buf *out, struct stored *ret)
{
    struct str head, payload = {"", 0};
    struct warc_record record;
    enum status st = query_conversion(q, page, &record);
    int status;

    if (st == ST_OK) { /* a browser would not show a PDF in such a frame */
        ret->type = stored_type(STR("text/html"));
        st = add_text(buf_str(&record.block), STR("text/html; charset=utf-8"), out);
        warc_record_free(&record);
        return st;
    }
    st = query_payload(q, page, &record);
    if (st != ST_OK)
        return st;
    if (warc_http(&record, &status, &head, &payload))
        st = add_payload(head, payload, out, ret);
    else
        st = status_fail(ST_CORRUPT, "the stored copy is not an HTTP reply");
    warc_record_free(&record);
    return st;
}

/* ---- what is known of it ------------------------------------------------- */

#define LINKS_SHOWN  1000
#define VISITS_SHOWN 200

struct one {
    struct json json;
    struct dash_crawl *crawl;
    uint32_t url_id;
};

static enum status put_page(void *ctx, const struct query_page *p)
{
    static const enum page_member rest[] = {
        PAGE_CHARSET, PAGE_LANG,   PAGE_DECLARED, PAGE_BYTES,     PAGE_LATENCY, PAGE_SIMILARITY,
        PAGE_ENERGY,  PAGE_DUP_OF, PAGE_HIDDEN,   PAGE_TRUNCATED, PAGE_END,
    };
    struct one *o = ctx;
    struct json *j = &o->json;

    page_row_put(j, o->crawl, p);
    page_put(j, p, rest);
    json_put_bool(j, "stored", p->warc_file.len > 0 || p->dup_of);
    o->url_id = p->url_id;
    return page_topics_put(j, o->crawl->view, p->id);
}

static enum status put_link_out(void *ctx, const struct query_target *t)
{
    struct one *o = ctx;

    json_open_object(&o->json, NULL);
    json_put_str(&o->json, "url", t->href);
    json_put_str(&o->json, "anchor", t->anchor);
    json_put_num(&o->json, "score", t->score);
    json_put_ref(&o->json, "page", t->page);
    json_put_z(&o->json, "dropped", t->drop == DROP_NONE ? NULL : drop_name(t->drop));
    json_close(&o->json);
    return ST_OK;
}

static enum status put_link_in(void *ctx, const struct query_link *l)
{
    struct one *o = ctx;

    json_open_object(&o->json, NULL);
    json_put_int(&o->json, "page", l->from_page);
    json_put_str(&o->json, "url", l->from_url);
    json_put_str(&o->json, "anchor", l->anchor);
    json_put_num(&o->json, "score", l->score);
    json_close(&o->json);
    return ST_OK;
}

static enum status put_visit(void *ctx, const struct query_visit *v)
{
    static const enum visit_member visit[] = {VISIT_AGENT, VISIT_AT,    VISIT_FIRST, VISIT_BEFORE,
                                              VISIT_DELTA, VISIT_AFTER, VISIT_END};
    struct one *o = ctx;

    json_open_object(&o->json, NULL);
    visit_put(&o->json, v, visit);
    json_close(&o->json);
    return ST_OK;
}

static enum status put_version(void *ctx, const struct query_page *p)
{
    static const enum page_member version[] = {PAGE_NUMBER, PAGE_FETCHED_AT, PAGE_TITLE,
                                               PAGE_RELEVANCE, PAGE_END};
    struct one *o = ctx;

    json_open_object(&o->json, NULL);
    page_put(&o->json, p, version);
    json_close(&o->json);
    return ST_OK;
}

static enum status put_via(void *ctx, const struct query_page *p)
{
    static const enum page_member via[] = {PAGE_NUMBER, PAGE_URL, PAGE_TITLE, PAGE_END};
    struct one *o = ctx;

    json_open_object(&o->json, "via");
    page_put(&o->json, p, via);
    json_close(&o->json);
    return ST_OK;
}

/* Links to it are found by an index that is made when the crawl ends; until then there
 * is only the page that named it first. */
static enum status put_links(struct one *o, uint32_t page)
{
    struct query *q = o->crawl->view;
    bool known = false;
    enum status st;

    json_open_array(&o->json, "links_out");
    st = query_targets(o->crawl->view, page, LINKS_SHOWN, put_link_out, o);
    json_close(&o->json);
    if (st == ST_OK)
        st = query_knows_targets(o->crawl->view, &known);
    if (!known) {
        json_put_null(&o->json, "links_in");
        return st;
    }
    json_open_array(&o->json, "links_in");
    if (st == ST_OK)
        st = query_links_to(q, o->url_id, LINKS_SHOWN, put_link_in, o);
    json_close(&o->json);
    return st;
}

static enum status api_page(struct call *r)
{
    struct one o = {.crawl = r->crawl};
    struct query *q = r->crawl->view;
    uint64_t via = 0;
    enum status st;

    json_init(&o.json, &r->out);
    json_open_object(&o.json, NULL);
    st = query_page(q, r->number, put_page, &o);
    if (st == ST_OK)
        st = view_via(r->crawl->view, r->number, &via);
    if (st == ST_OK && (via == 0 || query_page(q, (uint32_t)via, put_via, &o) != ST_OK))
        json_put_null(&o.json, "via");
    if (st == ST_OK)
        st = put_links(&o, r->number);
    json_open_array(&o.json, "visits");
    if (st == ST_OK)
        st = view_visitors(r->crawl->view, r->number, VISITS_SHOWN, put_visit, &o);
    json_close(&o.json);
    json_open_array(&o.json, "versions");
    if (st == ST_OK)
        st = query_versions(r->crawl->view, o.url_id, put_version, &o);
    json_close(&o.json);
    json_close(&o.json);
    return st;
}

static enum status api_text(struct call *r)
{
    return query_text(r->crawl->view, r->number, &r->out);
}

static enum status put_markdown(void *ctx, const struct query_page *page)
{
    struct call *r = ctx;
    struct as_markdown *m = as_markdown_new(r->crawl->view);
    enum status st = as_markdown_add(m, page, &r->out);

    as_markdown_free(m);
    return st;
}

static enum status api_markdown(struct call *r)
{
    return query_page(r->crawl->view, r->number, put_markdown, r);
}

static enum status api_stored(struct call *r)
{
    struct stored copy = {0};
    enum status st = stored_read(r->crawl->view, r->number, &r->out, &copy);

    r->type = copy.type;
    return st;
}

const struct route page_routes[] = {
    {ROUTE_GET("/api/crawls/ID/page/N", "all that is known of one page", api_page),
     .answer = "a row of pages (no rank), and {charset, lang, bytes, latency_ms, similarity, "
               "energy, dup_of, hidden, truncated, stored: bool, topics: [{topic, sure, relevance, "
               "p}] (of a crawl with several topics), via: {page, url, title} or null, "
               "links_out: [{url, anchor, score, page, dropped}], links_in: [{page, url, anchor, "
               "score}] or null while it runs, visits: [{agent, at, first, before, delta, after}], "
               "versions: [{page, fetched_at, title, relevance}]}"},
    {ROUTE_GET("/api/crawls/ID/text/N", "the text of a page", api_text),
     .type = "text/plain; charset=utf-8", .kind = REPLY_STORED, .answer = "plain text"},
    {ROUTE_GET("/api/crawls/ID/markdown/N", "the main text of a page as Markdown", api_markdown),
     .type = "text/plain; charset=utf-8", .kind = REPLY_STORED, .answer = "Markdown"},
    {ROUTE_GET("/api/crawls/ID/stored/N", "the stored copy of a page, for a sandboxed frame",
               api_stored),
     .kind = REPLY_STORED, .answer = "HTML or plain text, without script and network"},
    {.path = NULL},
};
