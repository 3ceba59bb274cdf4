/* page.c - from a reply's decoded payload to a struct page.
 *
 * In: struct page_input. Out: struct page in the arrival's arena. This file
 * decides what document it is and finishes what the readers collected:
 *
 *   payload -- mime --+-- charset -- page_html --+
 *                     +-- charset -- plain text --+-- text, links, date -- page
 *                     +-- page_feed, page_sitemap +
 *
 * The parser's memory is used again for every page; nothing of it is in the
 * page. SPDX-License-Identifier: MIT
 */
#include "parse/page/page_int.h"

#include "base/mem.h"
#include "base/os/clock.h"
#include "parse/date.h"
#include "parse/feed.h"
#include "parse/mime.h"
#include "parse/sitemap.h"
#include "parse/url_norm.h"
#include "text/words/lang.h"

#include <stdlib.h>

/* ---- feeds and sitemaps ----
 *
 * The page's text is made of the entries' titles and texts, with a link for each
 * entry. The anchor of the link is the title, and its node is the whole entry.
 * Such documents are rare and have up to 50,000 entries. */

/* An XML parser that goes on after errors may let broken bytes through. */
static struct str repaired(struct page_parser *p, struct str text)
{
    return charset_decode(p->charsets, charset_of_label(STR("utf-8")), text);
}

static void add_block(struct page_parser *p, struct str text)
{
    page_text_gap(&p->text, GAP_LINE);
    page_text_add(&p->text, repaired(p, text), false);
    page_text_gap(&p->text, GAP_LINE);
}

static void add_entry(struct page_parser *p, struct str url, struct str title, struct str text,
                      int64_t date, int64_t changed)
{
    size_t at = p->links.count;
    struct raw_link *link = NULL;
    struct span node;
    uint32_t titled;

    page_text_gap(&p->text, GAP_LINE);
    if (url.len)
        link = page_link_add(p, url, p->page->kind == PAGE_FEED ? LINK_FEED : LINK_SITEMAP);
    if (link != NULL)
        link->encoded = false;
    add_block(p, title);
    titled = (uint32_t)p->text.len;
    add_block(p, text);
    if (link != NULL) {
        link = &p->links.items[at];
        link->anchor_end = titled;
        node.to = page_text_words(&p->text);
        node.from = page_text_words_before(&p->text, link->anchor_off);
        for (unsigned size = 0; size < NODE_SIZES; size++)
            link->nodes[size] = node;
        link->date = date;
        link->changed = changed;
    }
}

static struct str absolute(struct page_parser *p, struct str href)
{
    struct url u;

    return p->own_known && url_parse(href, &p->own, &p->kept, &u) == ST_OK
               ? arena_str(p->arena, u.href)
               : STR("");
}

/* The header's hub takes precedence over the document's, as WebSub says, and a hub over a cloud,
 * because it signs what it sends. */
static const struct hub *find_hub(struct page_parser *p, const struct feed *f)
{
    struct str hub = f->hub, self = f->self;
    struct hub *ret;

    page_head_hub(p, &hub, &self);
    if (hub.len == 0 && f->cloud.len == 0)
        return NULL;
    ret = arena_array(p->arena, 1, sizeof *ret);
    if (ret == NULL)
        return NULL;
    *ret = (struct hub){.url = absolute(p, hub.len ? hub : f->cloud),
                        .topic = absolute(p, hub.len && self.len ? self : p->in->url),
                        .is_cloud = hub.len == 0};
    return ret->url.len && ret->topic.len ? ret : NULL;
}

static enum drop page_feed(struct page_parser *p, struct str payload, struct str charset)
{
    struct page *page = p->page;
    struct feed feed;

    if (feed_parse(payload, charset, p->own_known ? &p->own : NULL, &p->kept, &feed) != ST_OK)
        return DROP_TYPE;
    page->kind = PAGE_FEED;
    page->charset = STR("UTF-8");
    page->title = page_title(p, repaired(p, feed.title));
    page->lang = page_head_lang(p, feed.lang);
    page->cut |= feed.cut;
    p->dates.found[RANK_CHANGED] = feed.date;
    add_block(p, feed.title);
    add_block(p, feed.text);
    for (uint32_t i = 0; i < feed.count; i++)
        add_entry(p, feed.entries[i].url, feed.entries[i].title, feed.entries[i].text,
                  feed.entries[i].date, feed.entries[i].changed);
    page->hub = find_hub(p, &feed);
    return DROP_NONE;
}

static enum drop page_sitemap(struct page_parser *p, struct str payload)
{
    struct page *page = p->page;
    struct sitemap map;

    if (sitemap_parse(payload, p->own_known ? &p->own : NULL, &p->kept, &map) != ST_OK)
        return DROP_TYPE;
    page->kind = PAGE_SITEMAP;
    page->charset = STR("UTF-8");
    page->cut |= map.cut;
    for (uint32_t i = 0; i < map.count; i++)
        add_entry(p, map.entries[i].url, map.entries[i].title, (struct str){NULL, 0}, 0,
                  map.entries[i].date);
    return DROP_NONE;
}

/* ---- dates ----
 *
 * The first date of each rank is kept; the best rank whose date is not in the
 * future wins. JSON-LD is searched for two keys, not parsed. */

#define JSON_BYTES KIB(64)            /* searched of one script */
#define SLACK      (86400 * US_PER_S) /* a date up to a day ahead may be due to a time zone */

void page_date_add(struct page_dates *d, enum date_rank rank, struct str text)
{
    int64_t at;

    if (d->found[rank] == 0 && date_any(str_trim(text), &at))
        d->found[rank] = at;
}

static size_t skip_space(struct str s, size_t at)
{
    while (at < s.len && ascii_is_space(s.ptr[at]))
        at++;
    return at;
}

/* Returns the string value after the first `key` in the script that has one. */
static struct str json_value(struct str script, struct str key)
{
    size_t at = 0, end;

    while ((at = str_find(script, key, at)) != SIZE_MAX) {
        at = skip_space(script, at + key.len);
        if (at == script.len || script.ptr[at] != ':')
            continue;
        at = skip_space(script, at + 1);
        if (at == script.len || script.ptr[at] != '"')
            continue;
        end = str_find_char(script, '"', at + 1);
        return str_sub(script, at + 1, end == SIZE_MAX ? at + 1 : end);
    }
    return (struct str){NULL, 0};
}

void page_date_json(struct page_dates *d, struct str script)
{
    script = str_sub(script, 0, JSON_BYTES);
    page_date_add(d, RANK_PUBLISHED, json_value(script, STR("\"datePublished\"")));
    page_date_add(d, RANK_CHANGED, json_value(script, STR("\"dateModified\"")));
}

/* Adds the dates of the URL and the header, and sets page->date to the best one that
 * `now` allows. */
static void page_date_choose(struct page_dates *d, const struct page_input *in, struct page *page)
{
    static const enum date_source source_of[RANK_COUNT] = {
        [RANK_PUBLISHED] = DATE_META,  [RANK_TIME_PUBLISHED] = DATE_META,
        [RANK_PLAIN] = DATE_META,      [RANK_CHANGED] = DATE_META,
        [RANK_URL] = DATE_URL,         [RANK_TIME] = DATE_TIME,
        [RANK_HEADER] = DATE_MODIFIED,
    };
    struct str path = in->url;
    size_t at = str_find(path, STR("://"), 0);

    at = at == SIZE_MAX ? SIZE_MAX : str_find_char(path, '/', at + 3);
    if (at != SIZE_MAX && !date_in_url(str_sub(path, at, path.len), &d->found[RANK_URL]))
        d->found[RANK_URL] = 0;
    if (!date_http(str_trim(in->last_modified), &d->found[RANK_HEADER]))
        d->found[RANK_HEADER] = 0;
    for (unsigned rank = 0; rank < RANK_COUNT; rank++) {
        int64_t found = d->found[rank];

        if (found <= 0 || (in->now > 0 && found > in->now + SLACK))
            continue;
        page->date = found;
        page->date_source = source_of[rank];
        return;
    }
}

/* ---- the parser ---- */

struct page_parser *page_parser_new(void)
{
    struct page_parser *p = MEM_NEW(struct page_parser);

    p->charsets = charset_reader_new();
    html_tags_init(&p->tags);
    main_text_init(&p->main);
    arena_init(&p->kept, LIMIT_PAGE_ARENA);
    arena_init(&p->links.scratch, LIMIT_PAGE_ARENA);
    map_init(&p->links.paths);
    map_init(&p->links.urls);
    buf_init(&p->decoded, 16 * LIMIT_URL);
    buf_init(&p->marks.code, MIB(4));
    buf_init(&p->use, KIB(4));
    return p;
}

void page_parser_free(struct page_parser *p)
{
    if (p == NULL)
        return;
    charset_reader_free(p->charsets);
    arena_free(&p->kept);
    arena_free(&p->links.scratch);
    map_free(&p->links.paths);
    map_free(&p->links.urls);
    free(p->links.items);
    free(p->links.path_names);
    for (unsigned size = 0; size < NODE_SIZES; size++)
        free(p->pending[size].links);
    buf_free(&p->decoded);
    page_text_free(&p->text);
    main_text_free(&p->main);
    buf_free(&p->marks.code);
    buf_free(&p->use);
    free(p->marks.items);
    free(p);
}

/* Clearing a map takes as long as it is large: after a page with very many links it would slow
 * down all following pages. */
static void forget(struct map *m)
{
    if (map_bytes(m) > KIB(64))
        map_free(m);
    else
        map_clear(m);
}

/* Forgets the page before, and begins this one. */
static void parser_begin(struct page_parser *p, const struct page_input *in, struct arena *arena)
{
    arena_reset(&p->kept);
    page_text_clear(&p->text);
    main_text_clear(&p->main);
    forget(&p->links.paths);
    forget(&p->links.urls);
    p->links.count = p->links.npaths = 0;
    p->marks.wanted = in->marks;
    p->marks.count = p->marks.pre = 0;
    p->dates = (struct page_dates){{0}};
    buf_clear(&p->use);
    p->in = in;
    p->arena = arena;
    p->base_href = p->meta_lang = (struct str){NULL, 0};
    p->has_title = p->in_body = false;
    p->depth = p->beyond = p->families = p->hidden_at = p->inert_at = p->foreign = 0;
    memset(p->counts, 0, sizeof p->counts);
    for (unsigned size = 0; size < NODE_SIZES; size++)
        p->pending[size].count = 0;
    p->own = (struct url){.href = in->url};
    p->own_known = url_parse(in->url, NULL, &p->kept, &p->own) == ST_OK;
}

/* Returns the payload in UTF-8. */
static struct str decode(struct page_parser *p, struct str header_charset)
{
    size_t bom;
    const struct charset *c = charset_decide(p->charsets, p->in->payload, header_charset, &bom);

    p->page->charset = str_of(c->name);
    return charset_decode(p->charsets, c, str_sub(p->in->payload, bom, p->in->payload.len));
}

static enum drop read_html(struct page_parser *p, struct str charset)
{
    p->page->kind = PAGE_HTML;
    page_head_link_field(p);
    page_html(p, decode(p, charset));
    return DROP_NONE;
}

static enum drop read_text(struct page_parser *p, struct str charset)
{
    struct str rest, line;

    if (str_starts(str_trim(str_sub(p->in->payload, 0, 64)), STR("http")) &&
        page_sitemap(p, p->in->payload) == DROP_NONE)
        return DROP_NONE;
    p->page->kind = PAGE_TEXT;
    rest = decode(p, charset);
    while (str_cut(&rest, '\n', &line)) {
        page_text_add(&p->text, line, false);
        page_text_gap(&p->text, GAP_LINE);
    }
    return DROP_NONE;
}

/* Reads XML whose media type does not say what it is. */
static enum drop read_xml(struct page_parser *p, struct str charset)
{
    if (page_feed(p, p->in->payload, charset) == DROP_NONE ||
        page_sitemap(p, p->in->payload) == DROP_NONE)
        return DROP_NONE;
    if (str_find_i(str_sub(p->in->payload, 0, 4096), STR("<html"), 0) != SIZE_MAX)
        return read_html(p, charset);
    return DROP_TYPE;
}

static enum drop read_payload(struct page_parser *p)
{
    struct str charset = mime_parse(p->in->content_type).charset;

    switch (mime_decide(p->in->content_type, p->in->payload)) {
    case MIME_HTML:
        return read_html(p, charset);
    case MIME_TEXT:
        return read_text(p, charset);
    case MIME_FEED:
        return page_feed(p, p->in->payload, charset);
    case MIME_SITEMAP:
    case MIME_GZIP:
        return page_sitemap(p, p->in->payload);
    case MIME_XML:
        return read_xml(p, charset);
    default:
        return DROP_TYPE;
    }
}

enum drop page_parse(struct page_parser *p, const struct page_input *in, struct arena *arena,
                     const struct page **ret)
{
    struct page *page = arena_alloc(arena, sizeof *page);
    enum drop why;

    if (page == NULL)
        return DROP_SIZE;
    *page = (struct page){.kind = PAGE_HTML};
    p->page = page;
    parser_begin(p, in, arena);
    why = read_payload(p);
    if (why != DROP_NONE)
        return why;
    if (page->lang.len == 0)
        page->lang = page_head_lang(p, in->content_language);
    page_date_choose(&p->dates, in, page);
    if (!page_text_take(&p->text, arena, page))
        page_text_clear(&p->text); /* no words, so the links' spans are empty */
    else
        main_take(&p->main, in->whole, arena, page);
    page->declared = page->lang;
    page->lang = lang_of_page(page);
    page->use = arena_str(arena, buf_str(&p->use));
    page_links_finish(p);
    if (in->marks)
        page_marks_finish(p);
    page->cut |= arena->full || p->kept.full;
    *ret = page;
    return DROP_NONE;
}

bool page_wants_type(struct str content_type)
{
    return page_wants_kinds(content_type, ~(1u << MIME_PDF | 1u << MIME_OFFICE | 1u << MIME_OTHER));
}

bool page_wants_kinds(struct str content_type, unsigned kinds)
{
    return kinds >> mime_parse(content_type).kind & 1;
}

bool page_is_read_as_is(struct str content_type)
{
    return page_wants_kinds(content_type, ~(1u << MIME_PDF | 1u << MIME_OFFICE | 1u << MIME_NONE));
}
