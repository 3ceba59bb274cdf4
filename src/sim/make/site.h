/* site.h - names, addresses, titles and dates of a generated web.
 *
 * Pure functions of the page's number: nothing is kept but the host names, so
 * that a page can name the title and URL of any page it links to.
 */
#pragma once

#include "base/buf.h"
#include "sim/make/make.h"
#include "sim/make/words.h"

struct site {
    const struct make_config *config;
    const struct graph *graph;
    struct words *words;
    struct rng root;   /* forked, never drawn from */
    char **host_names; /* "reefs-and-tides.example" */
};

/* What a generator is forked for: streams of different use never meet. */
enum site_stream { STREAM_TITLE, STREAM_TEXT, STREAM_LINKS, STREAM_TRAITS, STREAM_HOST };

void site_init(struct site *s, const struct make_config *config, const struct graph *graph);
void site_clear(struct site *s);

struct rng site_rng(const struct site *s, enum site_stream stream, uint32_t number);

/* The page whose text this one shows: itself, or the original of a copy. */
uint32_t site_original(const struct site *s, uint32_t page);
bool site_is_front(const struct site *s, uint32_t page);

void site_title(const struct site *s, uint32_t page, struct buf *out);
void site_path(const struct site *s, uint32_t page, struct buf *out);     /* "/…" */
void site_old_path(const struct site *s, uint32_t page, struct buf *out); /* redirects here */
bool site_has_old_path(const struct site *s, uint32_t page);
void site_url(const struct site *s, uint32_t page, bool old, struct buf *out);
int64_t site_date(const struct site *s, uint32_t page); /* us, whole days */
bool site_copy_is_exact(const struct site *s, uint32_t page);

bool site_has_sitemap(const struct site *s, uint32_t host);
bool site_has_feed(const struct site *s, uint32_t host);
bool site_has_private(const struct site *s, uint32_t host); /* robots.txt forbids /private/ */

/* "Sun, 06 Nov 1994 08:49:37 GMT". */
void site_http_date(int64_t moment, struct buf *out);

/* Bodies of what a host has besides pages. */
void site_robots(const struct site *s, uint32_t host, struct buf *out);
void site_sitemap(const struct site *s, uint32_t host, struct buf *out);
void site_feed(const struct site *s, uint32_t host, struct buf *out); /* RSS or Atom */
