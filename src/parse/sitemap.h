/* sitemap.h - sitemaps: urlset and sitemapindex, plain text, gzip'ed or not.
 *
 * In: a payload and the URL it came from. Out: URLs in document order, with
 * lastmod. Everything lies in the arena. Namespaces are optional. Atom and RSS
 * used as sitemaps are feeds: feed.h. gzip is recognised by its magic and
 * inflated to at most LIMIT_SITEMAP bytes.
 */
#pragma once

#include "base/arena.h"
#include "base/status.h"

struct url;

struct sitemap_entry {
    struct str url;   /* absolute if `base` was given */
    struct str title; /* of a news:title; usually empty */
    int64_t date;     /* lastmod, or a news date; 0 unknown */
};

struct sitemap {
    struct sitemap_entry *entries;
    uint32_t count;
    bool is_index; /* the entries are sitemaps themselves */
    bool cut;      /* a ceiling or an error ended reading early */
};

/* `base` may be NULL. Returns ST_INVALID if it is not a sitemap (a text sitemap has only URLs, one
 * on each line), ST_LIMIT if the arena is full. */
enum status sitemap_parse(struct str payload, const struct url *base, struct arena *arena,
                          struct sitemap *ret) MUST_USE;
