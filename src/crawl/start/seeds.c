/* seeds.c - the places to start: arguments, files, an earlier crawl, an archive's
 * index, a search engine. In: options. Out: absolute URLs. SPDX-License-Identifier: MIT */
#include "crawl/crawl_int.h"

#include "base/os/file.h"
#include "base/limits.h"
#include "bus/bus.h"
#include "crawl/start/get.h"
#include "crawl/start/places.h"
#include "crawl/start/search.h"
#include "crawl/start/seed.h"
#include "frontier/frontier.h"
#include "frontier/scope.h"
#include "parse/url_norm.h"
#include "store/read/query.h"
#include "text/topic.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#define SEEDS_FROM_CRAWL 100 /* best pages of an earlier crawl */

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
    LOCAL_ARENA arena = ARENA_INIT(KIB(256));
    uint32_t url = 0;
    struct url u;

    if (url_parse(text, NULL, &arena, &u) == ST_OK)
        url = meet_parsed(c, &u, &arena, kind, host, depth, ret_why);
    else
        *ret_why = DROP_SCHEME;
    return url;
}

uint32_t crawl_find(struct crawl *c, struct str text)
{
    LOCAL_ARENA arena = ARENA_INIT(KIB(256));
    uint32_t url = 0;
    struct url u;

    if (url_parse(text, NULL, &arena, &u) == ST_OK)
        url = frontier_find(c->frontier, url_key(url_norm(&u, &arena)));
    return url;
}

uint32_t crawl_meet_location(struct crawl *c, const struct arrival *a, enum drop *ret_why)
{
    const struct request *r = a->request;
    uint8_t kind = choice_is_requisite(&r->choice) ? LINK_REQUISITE : LINK_REDIRECT;
    LOCAL_ARENA arena = ARENA_INIT(KIB(256));
    struct url base, u;
    uint32_t url = 0;
    enum status st;

    st = url_parse(r->href, NULL, &arena, &base);
    if (st == ST_OK)
        st = url_parse(a->reply.location, &base, &arena, &u);
    if (st == ST_OK)
        url = meet_parsed(c, &u, &arena, kind, r->host_id, r->depth, ret_why);
    else
        *ret_why = st == ST_LIMIT ? DROP_LONG : DROP_SCHEME;
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
    LOCAL_BUF text = BUF_INIT(LIMIT_SEEDS_FILE);
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

/* What --seeds-from names: a crawl, or a list of places. */
static enum status seeds_of_list(struct text_list *list, const struct crawl_options *o)
{
    struct places_wanted wanted = {.only = &o->seeds_only, .most = (size_t)o->seeds_most};
    struct stat there;

    if (stat(o->seeds_from, &there) != 0)
        return status_fail(ST_USAGE, "--seeds-from %s: %s", o->seeds_from, strerror(errno));
    if (!S_ISDIR(there.st_mode))
        return places_of_file(o->seeds_from, "--seeds-from", &wanted, list);
    return seeds_of_crawl(list, o->seeds_from);
}

/* An archive's index that is fetched. */
static enum status seeds_of_index(struct text_list *list, const struct crawl_options *o)
{
    struct places_wanted wanted = {
        .only = &o->seeds_only, .most = (size_t)o->seeds_most, .captures = true};
    struct str where = str_of(o->seeds_from_cdx);
    LOCAL_BUF text = BUF_INIT(LIMIT_DECODED);
    struct getter *g = NULL;
    enum status st;

    if (!str_starts_i(where, STR("http://")) && !str_starts_i(where, STR("https://")))
        return places_of_file(o->seeds_from_cdx, "--seeds-from-cdx", &wanted, list);
    st = getter_new(o, &g);
    if (st == ST_OK)
        st = getter_text(g, where, &text, NULL, NULL);
    if (st == ST_OK)
        st = places_of_text(buf_str(&text), "the index at --seeds-from-cdx", &wanted, list);
    getter_free(g);
    return st;
}

enum status seeds_given(const struct text_list *seed, const char *file, struct text_list *ret)
{
    for (size_t i = 0; i < seed->count; i++)
        TRY(add_seed(ret, str_of(seed->items[i]), "--seed", 0));
    return file ? seeds_of_file(ret, file) : ST_OK;
}

enum status seeds_gather(struct crawl *c, struct text_list *ret)
{
    const struct crawl_options *o = c->options;
    enum status st = seeds_given(&o->seed, o->seeds, ret);

    if (st == ST_OK && o->seeds_from)
        st = seeds_of_list(ret, o);
    if (st == ST_OK && o->seeds_from_cdx)
        st = seeds_of_index(ret, o);
    if (st == ST_OK && o->search)
        st = search_seeds(o, ret, &c->search_trouble);
    if (st == ST_OK && ret->count == 0 && o->base_from)
        st = seeds_of_crawl(ret, o->base_from);
    if (st == ST_OK && ret->count == 0)
        st = status_fail(ST_USAGE, SEEDS_NONE);
    return st;
}
