/* pages.c - the ranked pages: filtered, in windows, as downloads.
 * SPDX-License-Identifier: MIT */
#include "base/os/clock.h"
#include "base/buf.h"
#include "base/limits.h"
#include "dash/dash_int.h"
#include "parse/date.h"

struct pages_query {
    char *q, *host, *topic, *agent, *from, *to;
    double min;
    int seed, sort;
    bool snippet;
    uint32_t offset, n;
};

#define AT(field) .offset = offsetof(struct pages_query, field)

static const struct option pages_params[] = {
    {TEXT_OPTION("q", q, "WORDS"),
     .help = "full text, in FTS5's syntax or plain words; while a crawl runs its texts are indexed "
             "from the first search on: `searched` and `indexed` say how far, and of the rest "
             "titles and URLs are searched"},
    {TEXT_OPTION("host", host, "H"), .help = "of this host"},
    {TEXT_OPTION("topic", topic, "NAME"),
     .help = "ranked by this topic alone, where the crawl has several"},
    {TEXT_OPTION("agent", agent, "NAME"), .help = "found by this agent, a name or a number"},
    {TEXT_OPTION("from", from, "DATE"),
     .help = "dated from here on (the document's date, or else when it was fetched)"},
    {TEXT_OPTION("to", to, "DATE"), .help = "dated before"},
    {REAL_OPTION("min", min, NULL, NULL, 0, 1), .help = "at least so relevant"},
    {CHOICE_OPTION("seed", seed, "any|yes|no", "any"),
     .help = "only places to start, or only others"},
    {CHOICE_OPTION("sort", sort, "relevance|time|match", "relevance"),
     .help = "most relevant first; newest first; or what fits `q` best first, where the full text "
             "of all pages is indexed (else as `relevance`)"},
    {FLAG_OPTION("snippet", snippet),
     .help = "with some words around those of `q`, or of the topic"},
    {U32_OPTION("offset", offset, NULL, "0", 0, 0), .help = "pages left out at the beginning"},
    {U32_OPTION("n", n, NULL, "50", 0, LIMIT_DASH_NODES), .help = "pages given (downloads: all)"},
    {.name = NULL},
};
#undef AT

static enum status date_of(const char *text, const char *name, int64_t *ret)
{
    if (text && !date_any(str_of(text), ret))
        return status_fail(ST_USAGE, "%s: '%.40s' is not a date (2026-11-15)", name, text);
    return ST_OK;
}

static enum status take_id(void *ctx, const struct query_agent *a)
{
    *(uint32_t *)ctx = a->id;
    return ST_OK;
}

static enum status filter_of(const struct call *r, struct view_filter *ret)
{
    static const int seeds[] = {-1, 1, 0};
    const struct pages_query *q = r->params;
    enum status st;

    *ret = (struct view_filter){.words = str_of(q->q),
                                .host = str_of(q->host),
                                .topic = str_of(q->topic),
                                .min = q->min,
                                .seeds = seeds[q->seed],
                                .by_time = q->sort == 1,
                                .by_match = q->sort == 2,
                                .offset = q->offset,
                                .n = q->n};
    if (q->agent && *q->agent &&
        query_agent_named(r->crawl->view, str_of(q->agent), take_id, &ret->agent) != ST_OK)
        ret->agent = UINT32_MAX; /* no agent has this name: the list is empty */
    st = date_of(q->from, "from", &ret->from);
    return st == ST_OK ? date_of(q->to, "to", &ret->to) : st;
}

/* ---- a row --------------------------------------------------------------- */

static enum status put_agent_name(void *ctx, const struct query_agent *a)
{
    json_put_str(ctx, "agent_name", a->name);
    return ST_OK;
}

void page_row_put(struct json *j, struct dash_crawl *c, const struct query_page *p)
{
    static const enum page_member found[] = {PAGE_ID, PAGE_URL,   PAGE_TITLE, PAGE_RELEVANCE,
                                             PAGE_P,  PAGE_AGENT, PAGE_END};
    static const enum page_member fetched[] = {PAGE_HOST,   PAGE_MIME,  PAGE_FETCHED_AT, PAGE_DATE,
                                               PAGE_STATUS, PAGE_DEPTH, PAGE_END};
    struct buf label = BUF_INIT(100);

    page_put(j, p, found);
    json_put_int(j, "sure", page_sure(p));
    if (p->agent == 0 || query_agent(c->view, p->agent, put_agent_name, j) != ST_OK)
        json_put_null(j, "agent_name");
    page_put(j, p, fetched);
    json_put_bool(j, "seed", p->depth == 0);
    (void)!query_label(c->view, p->url, &label);
    json_put_text(j, "label", buf_str(&label));
    json_put_ref(j, "version_of", p->version_of);
    buf_free(&label);
}

struct listing {
    struct json json;
    struct buf *out;
    struct dash_crawl *crawl;
    int64_t rank;
    struct buf words; /* snippets show them; empty: no snippets */
    bool ranked;      /* ranks are shown: the list is by relevance */
};

static void put_snippet(struct listing *l, const struct query_page *p)
{
    struct buf some = BUF_INIT(KIB(4)), why = BUF_INIT(KIB(4));

    (void)!query_snippet(l->crawl->view, p, buf_str(&l->words), &some, &why);
    json_put_text(&l->json, "snippet", buf_str(&some));
    json_put_text(&l->json, "why", buf_str(&why));
    buf_free(&some);
    buf_free(&why);
}

static void put_row(struct listing *l, const struct query_page *p)
{
    json_open_object(&l->json, NULL);
    json_put_int(&l->json, "rank", ++l->rank);
    page_row_put(&l->json, l->crawl, p);
    if (l->words.len > 0)
        put_snippet(l, p);
    json_close(&l->json);
}

static enum status on_row(void *ctx, const struct query_page *p)
{
    put_row(ctx, p);
    return ST_OK;
}

static void put_searched(struct json *j, struct dash_crawl *c, const struct view_filter *f,
                         const struct view_searched *s)
{
    static const char *const names[] = {
        [VIEW_TEXT] = "text", [VIEW_PART] = "part", [VIEW_TITLES] = "titles"};
    bool any = str_trim(f->words).len > 0;

    json_put_z(j, "searched", any ? names[s->how] : NULL);
    if (!any)
        return;
    json_put_int(j, "indexed", (int64_t)s->indexed);
    json_put_int(j, "of", (int64_t)view_totals(c->view)->pages);
}

/* Gets the words for snippets: those searched for, or the topic's. */
static void snippet_words(const struct call *r, struct buf *ret)
{
    const struct pages_query *q = r->params;

    if (q->q && *q->q)
        buf_add_z(ret, q->q);
    else
        (void)!query_topic_words(r->crawl->view, q->topic && *q->topic ? q->topic : NULL, ret);
}

/* Makes the filter of a request, and refreshes as much of the view as it needs. */
static enum status prepare(const struct call *r, struct view_filter *ret)
{
    enum status st = filter_of(r, ret);

    return st == ST_OK && !view_is_ready(r->crawl->view, ret) ? crawl_need_whole(r->crawl) : st;
}

static enum status api_pages(struct call *r)
{
    const struct pages_query *q = r->params;
    struct listing l = {.out = &r->out, .crawl = r->crawl, .words = BUF_INIT(LIMIT_TOPIC_FILE)};
    struct view_filter f;
    struct view_searched searched = {0};
    uint64_t total = 0;
    enum status st = prepare(r, &f);

    if (st == ST_OK)
        st = view_count(r->crawl->view, &f, &total);
    if (st != ST_OK)
        return st;
    if (q->snippet)
        snippet_words(r, &l.words);
    l.rank = f.offset;
    json_init(&l.json, &r->out);
    json_open_object(&l.json, NULL);
    json_put_int(&l.json, "total", (int64_t)total);
    json_open_array(&l.json, "rows");
    st = view_pages(r->crawl->view, &f, on_row, &l, &searched);
    json_close(&l.json);
    put_searched(&l.json, r->crawl, &f, &searched);
    json_close(&l.json);
    buf_free(&l.words);
    return st;
}

/* ---- downloads ----------------------------------------------------------- */

static enum status on_line(void *ctx, const struct query_page *p)
{
    struct listing *l = ctx;

    json_init(&l->json, l->out);
    put_row(l, p);
    buf_add_char(l->out, '\n');
    return l->out->full ? ST_LIMIT : ST_OK;
}

/* A cell that a spreadsheet would take for a formula gets a quote before it. */
static enum status on_csv(void *ctx, const struct query_page *p)
{
    struct listing *l = ctx;
    char fetched[CLOCK_TEXT], date[CLOCK_TEXT];

    clock_format(p->fetched_at, 3, fetched);
    clock_format(p->date, 0, date);
    buf_addf(l->out, "%lld,%d,%.6g,", (long long)++l->rank, page_sure(p), p->relevance);
    buf_add_csv(l->out, p->url);
    buf_add_char(l->out, ',');
    buf_add_csv(l->out, p->title);
    buf_add_char(l->out, ',');
    buf_add_csv(l->out, p->host);
    buf_addf(l->out, ",%u,%s,%s,%d,%u\r\n", p->agent, fetched, p->date ? date : "", p->status,
             p->depth);
    return l->out->full ? ST_LIMIT : ST_OK;
}

static enum status download(struct call *r, query_page_fn *fn)
{
    struct listing l = {.out = &r->out, .crawl = r->crawl};
    struct view_filter f;
    enum status st = filter_of(r, &f);

    if (st != ST_OK)
        return st;
    f.n = UINT32_MAX;
    view_limit(r->crawl->view, LIMIT_DASH_DOWNLOAD_MS * US_PER_MS);
    l.rank = f.offset;
    return view_pages(r->crawl->view, &f, fn, &l, NULL);
}

static enum status api_pages_jsonl(struct call *r)
{
    r->file = "pages.jsonl";
    return download(r, on_line);
}

static enum status api_pages_csv(struct call *r)
{
    r->file = "pages.csv";
    buf_add_z(&r->out, "rank,sure,relevance,url,title,host,agent,fetched_at,date,status,depth\r\n");
    return download(r, on_csv);
}

const struct route pages_routes[] = {
    {ROUTE_GET("/api/crawls/ID/pages", "the ranked pages, filtered", api_pages),
     PARAMS(pages_params, struct pages_query), .light = true,
     .answer = "{total, rows: [" PAGE_ROW
               "] (with `snippet` also {snippet: hits between U+0002 and U+0003}), searched: "
               "\"text\"|\"part\"|\"titles\"|null}; with `q` also {indexed: pages "
               "whose full text was searched, of: pages in all}"},
    {ROUTE_GET("/api/crawls/ID/pages.jsonl", "the same, all, as JSON lines", api_pages_jsonl),
     PARAMS(pages_params, struct pages_query), .heavy = true, .type = "application/x-ndjson",
     .answer = "a row a line"},
    {ROUTE_GET("/api/crawls/ID/pages.csv", "the same, all, as CSV", api_pages_csv),
     PARAMS(pages_params, struct pages_query), .heavy = true, .type = "text/csv; charset=utf-8",
     .answer = "rank,sure,relevance,url,title,host,agent,fetched_at,date,status,depth"},
    {.path = NULL},
};
