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
#include "parse/mime.h"

#include <stdlib.h>

struct page_parser *page_parser_new(void)
{
    struct page_parser *p = MEM_NEW(struct page_parser);

    p->charsets = charset_reader_new();
    html_tags_init(&p->tags);
    arena_init(&p->kept, LIMIT_PAGE_ARENA);
    arena_init(&p->links.scratch, LIMIT_PAGE_ARENA);
    map_init(&p->links.paths);
    map_init(&p->links.urls);
    buf_init(&p->decoded, 16 * LIMIT_URL);
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
    free(p);
}

/* Clearing a map costs as much as it is large: after a page of very many links
 * it would burden all the pages behind it. */
static void forget(struct map *m)
{
    if (map_bytes(m) > KIB(64))
        map_free(m);
    else
        map_clear(m);
}

/* Forgets the page before. */
static void parser_begin(struct page_parser *p, const struct page_input *in, struct arena *arena)
{
    arena_reset(&p->kept);
    page_text_clear(&p->text);
    forget(&p->links.paths);
    forget(&p->links.urls);
    p->links.count = p->links.npaths = 0;
    p->dates = (struct page_dates){{0}};
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

/* The payload in UTF-8. */
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
        page_text_gap(&p->text, '\n');
    }
    return DROP_NONE;
}

/* XML of which the media type does not say what it is. */
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
        page_text_clear(&p->text); /* no words: the links' spans are empty */
    page_links_finish(p);
    page->cut |= arena->full || p->kept.full;
    *ret = page;
    return DROP_NONE;
}

bool page_wants_type(struct str content_type)
{
    return mime_parse(content_type).kind != MIME_OTHER;
}
