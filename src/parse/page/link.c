/* page_link.c - the links of a page.
 *
 * In: raw hrefs in document order. Out: struct link, absolute and normalised.
 * URLs are resolved at the end, because a base element may come late and words
 * behind the last link belong to its window. An href that stands on the page
 * more than once is resolved once.
 *
 * Workload: 50 to 300 links a page, a third of them repeated; 20 tag paths.
 * SPDX-License-Identifier: MIT
 */
#include "parse/page/page_int.h"

#include "base/hash.h"
#include "base/mem.h"
#include "parse/url_norm.h"

#define NAME_LEN 32 /* bytes of a tag name in a path */

/* Writes the stack's path, "html body ul li a"; the link's own element is on top. The stack is
 * empty if the document is not HTML, or the link was in a header. */
static struct str path_name(struct page_parser *p)
{
    size_t room = p->depth * (NAME_LEN + 1), n = 0;
    char *out;

    if (p->depth == 0)
        return p->page->kind == PAGE_FEED      ? STR("feed entry")
               : p->page->kind == PAGE_SITEMAP ? STR("urlset url")
                                               : STR("");
    out = arena_alloc(p->arena, room + 1);
    if (out == NULL)
        return (struct str){NULL, 0};
    for (unsigned i = 0; i < p->depth; i++) {
        struct str name = str_sub(p->stack[i].name, 0, NAME_LEN);

        if (n)
            out[n++] = ' ';
        for (size_t k = 0; k < name.len; k++)
            out[n++] = name.ptr[k] ? ascii_lower(name.ptr[k]) : '?';
    }
    out[n] = '\0';
    arena_trim(p->arena, out, room + 1, n + 1);
    return (struct str){out, n};
}

/* Returns the number of the stack's tag path. Beyond LIMIT_TAG_PATHS it is the first. */
static uint16_t path_number(struct page_parser *p)
{
    struct page_links *l = &p->links;
    uint64_t hash = page_html_path(p);
    uint32_t n = map_get(&l->paths, hash);
    struct str path;

    if (n != MAP_NONE)
        return (uint16_t)n;
    path = l->npaths < LIMIT_TAG_PATHS ? path_name(p) : (struct str){NULL, 0};
    if (path.ptr == NULL) {
        p->page->cut = true;
        return 0;
    }
    if (l->npaths == l->paths_cap)
        MEM_GROW(l->path_names, l->npaths, &l->paths_cap);
    l->path_names[l->npaths] = path;
    map_set(&l->paths, hash, (uint32_t)l->npaths);
    return (uint16_t)l->npaths++;
}

struct raw_link *page_link_add(struct page_parser *p, struct str href, enum link_kind kind)
{
    struct page_links *l = &p->links;
    struct raw_link *link;

    if (l->count == (p->page->kind == PAGE_SITEMAP ? LIMIT_SITEMAP_URLS : LIMIT_LINKS)) {
        p->page->cut = true;
        return NULL;
    }
    if (l->count == l->cap)
        MEM_GROW(l->items, l->count, &l->cap);
    link = &l->items[l->count++];
    *link = (struct raw_link){
        .href = href,
        .encoded = true,
        .kind = (uint8_t)kind,
        .tag_path = path_number(p),
        .anchor_off = (uint32_t)p->text.len,
        .anchor_end = (uint32_t)p->text.len,
        .nodes = {NODE_IS_EMPTY, NODE_IS_EMPTY, NODE_IS_EMPTY},
    };
    return link;
}

uint8_t page_link_rel(struct str rel)
{
    static const struct {
        struct str word;
        uint8_t flag;
    } words[] = {
        {{"nofollow", 8}, REL_NOFOLLOW}, {{"ugc", 3}, REL_UGC},   {{"sponsored", 9}, REL_UGC},
        {{"next", 4}, REL_NEXT},         {{"prev", 4}, REL_NEXT}, {{"previous", 8}, REL_NEXT},
    };
    uint8_t flags = 0;
    size_t at = 0, from;

    while (at < rel.len) {
        while (at < rel.len && ascii_is_space(rel.ptr[at]))
            at++;
        from = at;
        while (at < rel.len && !ascii_is_space(rel.ptr[at]))
            at++;
        for (size_t i = 0; i < ARRAY_LEN(words); i++)
            if (str_eq_i(str_sub(rel, from, at), words[i].word))
                flags |= words[i].flag;
    }
    return flags;
}

/* ---- the end ------------------------------------------------------------- */

/* Finds what relative links are relative to. Returns false if there is nothing. */
static bool find_base(struct page_parser *p, struct url *ret)
{
    *ret = p->own;
    if (p->base_href.ptr != NULL &&
        url_parse(page_value(p, p->base_href), p->own_known ? &p->own : NULL, &p->kept, ret) ==
            ST_OK)
        return true;
    *ret = p->own;
    return p->own_known;
}

static bool resolve(struct page_parser *p, const struct raw_link *raw, const struct url *base,
                    struct link *ret)
{
    struct str href = raw->encoded ? page_value(p, raw->href) : raw->href;
    struct url u;

    arena_reset(&p->links.scratch);
    if (url_parse(href, base, &p->links.scratch, &u) != ST_OK)
        return false;
    ret->url = url_norm(&u, p->arena);
    if (ret->url.ptr == NULL) {
        p->page->cut = true;
        return false;
    }
    ret->key = url_key(ret->url);
    return true;
}

/* Words may be missing because a ceiling cut them. */
static struct span clamp(struct span s, uint32_t n)
{
    return (struct span){s.from < n ? s.from : n, s.to < n ? s.to : n};
}

/* Returns an element as seen from the anchor, which counts as inside it even if tags overlap. */
static struct reach reach_of(struct span node, struct span anchor, uint32_t n)
{
    struct span all = clamp(node, n);

    if (node.to <= node.from)
        return (struct reach){REACH_NONE, REACH_NONE};
    if (all.from > anchor.from)
        all.from = anchor.from;
    if (all.to < anchor.to)
        all.to = anchor.to;
    if (all.to - all.from > LINK_NODE_WORDS)
        return (struct reach){REACH_NONE, REACH_NONE};
    return (struct reach){(uint8_t)(anchor.from - all.from), (uint8_t)(all.to - anchor.to)};
}

_Static_assert(LINK_NODE_WORDS < REACH_NONE, "a side of a node fits into struct reach");

/* Returns the words of an anchor. *io is the first word at or behind the anchor of the link before,
 * and becomes that of this link: links stand in the order of the text. */
static struct span anchor_of(const struct page_parser *p, const struct raw_link *raw, uint32_t *io)
{
    const struct word *words = p->text.words;
    uint32_t n = (uint32_t)p->text.nwords, at = *io;
    struct span ret;

    while (at < n && words[at].off < raw->anchor_off)
        at++;
    *io = ret.from = at;
    while (at < n && words[at].off < raw->anchor_end)
        at++;
    ret.to = at;
    return ret;
}

/* Sets the anchor, extended by the word that begins before it and reaches into it,
 * and LINK_WINDOW around it. */
static void set_spans(const struct page_parser *p, const struct raw_link *raw, struct span a,
                      struct link *ret)
{
    const struct word *words = p->text.words;
    uint32_t n = (uint32_t)p->text.nwords, half = LINK_WINDOW / 2;
    struct span node = raw->nodes[NODE_20];

    if (node.from == NODE_IS_EMPTY.from && node.to == NODE_IS_EMPTY.to)
        node = (struct span){a.from, a.from};
    if (raw->kind == LINK_A && a.from > 0 &&
        words[a.from - 1].off + words[a.from - 1].len > raw->anchor_off)
        a.from--;
    ret->anchor = a;
    ret->window.from = a.from > half ? a.from - half : 0;
    ret->window.to = n - a.to > half ? a.to + half : n;
    ret->node = node.from > node.to ? ret->window : clamp(node, n);
    ret->node10 = reach_of(raw->nodes[NODE_10], a, n);
    ret->node40 = reach_of(raw->nodes[NODE_40], a, n);
}

/* Returns the number that belongs to this href, so that its second occurrence is recognised. */
static uint32_t *known_url(struct page_parser *p, const struct raw_link *raw)
{
    return map_at(&p->links.urls, hash_str(raw->href) + raw->encoded, MAP_NONE - 1, NULL);
}

#define NO_URL (MAP_NONE - 2) /* this href is not a link that we follow */

void page_links_finish(struct page_parser *p)
{
    struct page_links *l = &p->links;
    struct page *page = p->page;
    uint32_t word = 0;
    struct url base;
    bool has_base = find_base(p, &base);

    page->base = arena_str(p->arena, has_base ? base.href : p->in->url);
    page->tag_paths = arena_array(p->arena, l->npaths, sizeof *page->tag_paths);
    page->links = arena_array(p->arena, l->count, sizeof *page->links);
    if (page->kind == PAGE_FEED) /* without memory for them they are unknown */
        page->link_dates = arena_array(p->arena, l->count, sizeof *page->link_dates);
    if (page->kind == PAGE_FEED || page->kind == PAGE_SITEMAP)
        page->link_changes = arena_array(p->arena, l->count, sizeof *page->link_changes);
    if (page->links == NULL || page->tag_paths == NULL) {
        page->cut = true;
        return;
    }
    if (l->npaths)
        memcpy(page->tag_paths, l->path_names, l->npaths * sizeof *l->path_names);
    page->ntag_paths = (uint32_t)l->npaths;
    for (size_t i = 0; i < l->count; i++) {
        const struct raw_link *raw = &l->items[i];
        struct link *link = &page->links[page->nlinks];
        uint32_t *known = known_url(p, raw);
        struct span anchor = anchor_of(p, raw, &word);

        if (*known == MAP_NONE - 1)
            *known = resolve(p, raw, has_base ? &base : NULL, link) ? page->nlinks : NO_URL;
        if (*known == NO_URL)
            continue;
        link->url = page->links[*known].url;
        link->key = page->links[*known].key;
        link->source = 0; /* servers do not number their URLs */
        link->tag_path = raw->tag_path;
        link->kind = raw->kind;
        link->rel = raw->rel;
        set_spans(p, raw, anchor, link);
        if (page->link_dates)
            page->link_dates[page->nlinks] = raw->date;
        if (page->link_changes)
            page->link_changes[page->nlinks] = raw->changed;
        if (raw->kind == LINK_CANONICAL && page->canonical.len == 0)
            page->canonical = link->url;
        page->nlinks++;
    }
}
