/* site.h - names, addresses, dates and documents of a generated web.
 *
 * Pure functions of the page's number: only the host names are kept. So a page can name the title
 * and the URL of any page that it links to.
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

/* The purposes for which generators are forked, so that the streams of different uses are
 * independent. */
enum site_stream {
    STREAM_TITLE,
    STREAM_TEXT,
    STREAM_LINKS,
    STREAM_TRAITS, /* and the dozen numbers after it */
    STREAM_HOST,
    STREAM_FRAME = 64,
};

struct rng site_rng(const struct site *s, enum site_stream stream, uint32_t number);

void site_init(struct site *s, const struct make_config *config, const struct graph *graph);
void site_clear(struct site *s);

bool site_is_front(const struct site *s, uint32_t page);

bool site_has_old_path(const struct site *s, uint32_t page);
void site_title(const struct site *s, uint32_t page, struct buf *out);
void site_url(const struct site *s, uint32_t page, bool old, struct buf *out);
int64_t site_date(const struct site *s, uint32_t page); /* us, whole days */
bool site_copy_is_exact(const struct site *s, uint32_t page);

bool site_has_sitemap(const struct site *s, uint32_t host);
bool site_has_feed(const struct site *s, uint32_t host);

/* Appends "2026-01-03", or with the time "2026-01-03T10:20:30Z". */
void site_date_text(int64_t moment, bool with_time, struct buf *out);
/* "Sun, 06 Nov 1994 08:49:37 GMT". */
void site_http_date(int64_t moment, struct buf *out);

/* Appends the whole document of a page. Every link of the graph occurs in it once, besides dead
 * links and those of the host's frame (frame.h). No text has a character that needs escaping. */
void site_page(const struct site *s, uint32_t page, struct buf *out);

/* These append the bodies of a host's other documents. */
void site_robots(const struct site *s, uint32_t host, struct buf *out);
void site_sitemap(const struct site *s, uint32_t host, struct buf *out);
void site_feed(const struct site *s, uint32_t host, struct buf *out); /* RSS or Atom */
