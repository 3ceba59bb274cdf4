/* api_page.c - everything of one page: row, links, visits, versions, text, stored copy.
 * SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "dash/dash_int.h"
#include "dash/api/page_row.h"
#include "dash/api/stored.h"

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
        PAGE_MIME,   PAGE_CHARSET, PAGE_LANG,   PAGE_BYTES,     PAGE_LATENCY, PAGE_SIMILARITY,
        PAGE_ENERGY, PAGE_DUP_OF,  PAGE_HIDDEN, PAGE_TRUNCATED, PAGE_END,
    };
    struct one *o = ctx;
    struct json *j = &o->json;

    page_row_put(j, o->crawl, p);
    page_put(j, p, rest);
    json_put_bool(j, "stored", p->warc_file.len > 0 || p->dup_of);
    o->url_id = p->url_id;
    return ST_OK;
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

enum status api_page(struct call *r)
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

enum status api_text(struct call *r)
{
    return query_text(r->crawl->view, r->number, &r->out);
}

enum status api_stored(struct call *r)
{
    struct stored copy = {0};
    enum status st = stored_read(r->crawl->view, r->number, &r->out, &copy);

    r->type = copy.type;
    return st;
}
