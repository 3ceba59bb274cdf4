/* seeds.c - the places to start: arguments, files, an earlier crawl, a search
 * engine. In: options. Out: absolute URLs. SPDX-License-Identifier: MIT */
#include "crawl/crawl_int.h"

#include "base/os/file.h"
#include "base/limits.h"
#include "bus/bus.h"
#include "crawl/start/get.h"
#include "crawl/start/seed.h"
#include "frontier/frontier.h"
#include "frontier/scope.h"
#include "parse/page/page.h"
#include "parse/url_norm.h"
#include "store/read/query.h"
#include "text/topic.h"

#include <jansson.h>
#include <stdlib.h>

#define SEEDS_FROM_CRAWL  100 /* best pages of an earlier crawl */
#define SEEDS_FROM_SEARCH 100 /* results of a search engine */
#define JSON_NESTING      20

/* ---- entering the crawl -------------------------------------------------- */

void crawl_post_url(struct crawl *c, uint32_t url, const struct link *link, uint32_t from_page,
                    uint16_t depth, enum drop why)
{
    struct event e = {.at = c->now};

    if (url != 0) {
        e.kind = EVENT_URL;
        e.url.id = url;
        e.url.url = link->url;
        e.url.from_page = from_page;
        e.url.depth = depth;
        e.url.seed = link->kind == LINK_SEED;
        e.url.why = why;
    } else {
        e.kind = EVENT_DROP;
        e.drop.url = link->url;
        e.drop.why = why;
    }
    bus_post(c->bus, &e);
}

static uint32_t meet_parsed(struct crawl *c, const struct url *u, struct arena *arena, uint8_t kind,
                            uint32_t host, uint16_t depth, enum drop *ret_why)
{
    struct link link = {.url = url_norm(u, arena), .kind = kind};
    struct naming by = {.host = host, .depth = depth, .feed = FEED_ALL};
    uint32_t url;
    bool is_new;

    link.key = url_key(link.url);
    *ret_why = frontier_meet_from(c->frontier, &link, &by, &url, &is_new);
    if (is_new || url == 0)
        crawl_post_url(c, url, &link, 0, depth, *ret_why);
    return url;
}

uint32_t crawl_meet(struct crawl *c, struct str text, uint8_t kind, uint32_t host, uint16_t depth,
                    enum drop *ret_why)
{
    struct arena arena;
    uint32_t url = 0;
    struct url u;

    arena_init(&arena, KIB(256));
    if (url_parse(text, NULL, &arena, &u) == ST_OK)
        url = meet_parsed(c, &u, &arena, kind, host, depth, ret_why);
    else
        *ret_why = DROP_SCHEME;
    arena_free(&arena);
    return url;
}

uint32_t crawl_meet_location(struct crawl *c, const struct arrival *a, enum drop *ret_why)
{
    const struct request *r = a->request;
    struct arena arena;
    struct url base, u;
    uint32_t url = 0;
    enum status st;

    arena_init(&arena, KIB(256));
    st = url_parse(r->href, NULL, &arena, &base);
    if (st == ST_OK)
        st = url_parse(a->reply.location, &base, &arena, &u);
    if (st == ST_OK)
        url = meet_parsed(c, &u, &arena, LINK_REDIRECT, r->host_id, r->depth, ret_why);
    else
        *ret_why = st == ST_LIMIT ? DROP_LONG : DROP_SCHEME;
    arena_free(&arena);
    return url;
}

/* ---- gathering ----------------------------------------------------------- */

static enum status add_seed(struct text_list *list, struct str text, const char *from, size_t line)
{
    enum status st = seed_read(text, list);

    return st != ST_OK && line > 0 ? status_prefix(st, "%s:%zu", from, line) : st;
}

static enum status seeds_of_file(struct text_list *list, const char *path)
{
    struct buf text = BUF_INIT(LIMIT_SEEDS_FILE);
    enum status st = file_read(path, &text);
    struct str rest = buf_str(&text), line;
    size_t number = 0;

    if (st != ST_OK)
        st = status_fail(ST_USAGE, "--seeds %s", status_text());
    while (st == ST_OK && str_cut(&rest, '\n', &line)) {
        number++;
        line = str_trim(line);
        if (line.len > 0 && line.ptr[0] != '#')
            st = add_seed(list, line, path, number);
    }
    buf_free(&text);
    return st;
}

static enum status add_ranked(void *ctx, const struct query_page *page)
{
    text_list_add(ctx, page->url);
    return ST_OK;
}

static enum status seeds_of_crawl(struct text_list *list, const char *dir)
{
    struct query *q;
    enum status st = query_open(dir, &q);

    if (st != ST_OK)
        return st;
    st = query_top(q, SEEDS_FROM_CRAWL, add_ranked, list);
    query_close(q);
    if (st == ST_OK && list->count == 0)
        st = status_fail(ST_USAGE, "%s has no pages to start from", dir);
    return st;
}

/* Every string called url, link or href, wherever it stands. */
static void urls_of_json(struct text_list *list, size_t most, const json_t *j, int depth)
{
    const char *key;
    json_t *value;
    size_t i;

    if (depth > JSON_NESTING)
        return;
    json_array_foreach(j, i, value) urls_of_json(list, most, value, depth + 1);
    json_object_foreach((json_t *)j, key, value)
    {
        bool is_url =
            strcmp(key, "url") == 0 || strcmp(key, "link") == 0 || strcmp(key, "href") == 0;

        if (!is_url || !json_is_string(value))
            urls_of_json(list, most, value, depth + 1);
        else if (list->count < most && strstr(json_string_value(value), "://"))
            (void)add_seed(list, str_of(json_string_value(value)), "search", 0);
    }
}

static void urls_of_feed(struct text_list *list, size_t most, struct str text, const char *url,
                         const char *type)
{
    struct page_input in = {.payload = text, .url = str_of(url), .content_type = str_of(type)};
    struct page_parser *parser = page_parser_new();
    const struct page *page;
    struct arena arena;

    arena_init(&arena, LIMIT_PAGE_ARENA);
    if (page_parse(parser, &in, &arena, &page) == DROP_NONE)
        for (uint32_t i = 0; i < page->nlinks && list->count < most; i++)
            if (page->links[i].kind == LINK_FEED || page->kind == PAGE_HTML)
                text_list_add(list, page->links[i].url);
    arena_free(&arena);
    page_parser_free(parser);
}

/* The template with {} replaced by the escaped words of the topic. */
static void fill_template(struct buf *out, const char *template, struct str words)
{
    struct str t = str_of(template);
    size_t at = str_find(t, STR("{}"), 0);

    buf_add_str(out, str_sub(t, 0, at == SIZE_MAX ? t.len : at));
    for (size_t i = 0; at != SIZE_MAX && i < words.len; i++) {
        unsigned char ch = (unsigned char)words.ptr[i];

        if (ascii_is_alpha((char)ch) || ascii_is_digit((char)ch))
            buf_add_char(out, (char)ch);
        else
            buf_addf(out, "%%%02X", ch);
    }
    if (at != SIZE_MAX)
        buf_add_str(out, str_sub(t, at + 2, t.len));
}

static enum status seeds_of_search(struct text_list *list, const struct crawl_options *o)
{
    struct buf url = BUF_INIT(LIMIT_URL), text = BUF_INIT(LIMIT_DECODED);
    struct buf shown = BUF_INIT(LIMIT_URL);
    char *final_url = NULL, *type = NULL;
    struct getter *g = NULL;
    size_t before = list->count, most = before + SEEDS_FROM_SEARCH;
    json_t *json;
    enum status st;

    if (o->words == NULL || *o->words == '\0')
        return status_fail(ST_USAGE, "--search needs words to search for: brood crawl \"WORDS\" "
                                     "--topic FILE --search URL");
    fill_template(&url, o->search, str_of(o->words));
    st = getter_new(o, &g);
    if (st == ST_OK)
        st = getter_text(g, buf_str(&url), &text, &final_url, &type);
    if (st == ST_OK) {
        json = json_loadb(text.data ? text.data : "", text.len, 0, NULL);
        if (json)
            urls_of_json(list, most, json, 0);
        else
            urls_of_feed(list, most, buf_str(&text), final_url, type);
        json_decref(json);
        if (list->count == before) {
            secret_hide(SECRET_URL, str_of(o->search), &shown);
            st = status_fail(ST_STARVED, "the search engine at %s gave no results", shown.data);
        }
    }
    getter_free(g);
    free(final_url);
    free(type);
    buf_free(&url);
    buf_free(&shown);
    buf_free(&text);
    return st;
}

enum status seeds_given(const struct text_list *seed, const char *file, struct text_list *ret)
{
    enum status st = ST_OK;

    for (size_t i = 0; st == ST_OK && i < seed->count; i++)
        st = add_seed(ret, str_of(seed->items[i]), "--seed", 0);
    return st == ST_OK && file ? seeds_of_file(ret, file) : st;
}

enum status seeds_gather(struct crawl *c, struct text_list *ret)
{
    const struct crawl_options *o = c->options;
    enum status st = seeds_given(&o->seed, o->seeds, ret);

    if (st == ST_OK && o->seeds_from)
        st = seeds_of_crawl(ret, o->seeds_from);
    if (st == ST_OK && o->search)
        st = seeds_of_search(ret, o);
    if (st == ST_OK && ret->count == 0 && o->base_from)
        st = seeds_of_crawl(ret, o->base_from);
    if (st == ST_OK && ret->count == 0)
        st = status_fail(ST_USAGE, "no place to start: give --seed URL, --seeds FILE, --seeds-from "
                                   "DIR or --search URL");
    return st;
}
