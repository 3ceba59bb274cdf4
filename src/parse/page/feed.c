/* page_feed.c - feeds and sitemaps as pages full of links.
 *
 * In: a payload. Out: text made of the entries' titles and texts, and a link
 * for each entry whose anchor is the title and whose node is the whole entry.
 *
 * Workload: rare documents of up to 50,000 entries. SPDX-License-Identifier: MIT
 */
#include "parse/page/page_int.h"

#include "parse/feed.h"
#include "parse/sitemap.h"

/* A parser of XML that goes on behind errors may let broken bytes through. */
static struct str repaired(struct page_parser *p, struct str text)
{
    return charset_decode(p->charsets, charset_of_label(STR("utf-8")), text);
}

static void add_block(struct page_parser *p, struct str text)
{
    page_text_gap(&p->text, '\n');
    page_text_add(&p->text, repaired(p, text), false);
    page_text_gap(&p->text, '\n');
}

static void add_entry(struct page_parser *p, struct str url, struct str title, struct str text,
                      int64_t date)
{
    size_t at = p->links.count;
    struct raw_link *link = NULL;
    uint32_t titled;

    page_text_gap(&p->text, '\n');
    if (url.len)
        link = page_link_add(p, url, p->page->kind == PAGE_FEED ? LINK_FEED : LINK_SITEMAP);
    if (link != NULL)
        link->encoded = false;
    add_block(p, title);
    titled = page_text_words(&p->text);
    add_block(p, text);
    if (link != NULL) {
        link = &p->links.items[at];
        link->anchor.to = titled;
        for (unsigned size = 0; size < NODE_SIZES; size++)
            link->nodes[size] = (struct span){link->anchor.from, page_text_words(&p->text)};
        link->date = date;
    }
}

enum drop page_feed(struct page_parser *p, struct str payload, struct str charset)
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
                  feed.entries[i].date);
    return DROP_NONE;
}

enum drop page_sitemap(struct page_parser *p, struct str payload)
{
    struct page *page = p->page;
    struct sitemap map;

    if (sitemap_parse(payload, p->own_known ? &p->own : NULL, &p->kept, &map) != ST_OK)
        return DROP_TYPE;
    page->kind = PAGE_SITEMAP;
    page->charset = STR("UTF-8");
    page->cut |= map.cut;
    for (uint32_t i = 0; i < map.count; i++)
        add_entry(p, map.entries[i].url, map.entries[i].title, (struct str){NULL, 0}, 0);
    return DROP_NONE;
}
