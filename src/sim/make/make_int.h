/* make_int.h - between make.c, options.c and the kinds of worlds. */
#pragma once

#include "sim/make/make.h"
#include "sim/make/site.h"
#include "sim/scribe.h"

/* Callers may have filled the struct by hand: every value is read once more. */
enum status make_check(const struct make_config *c) MUST_USE;

/* crawl('world') and crawl('topics'): what the world was made from. */
void make_keys(struct scribe *s, const struct site *site);

/* Writes robots.txt, and sitemap and feed where the host has them. `text` is
 * scratch. */
void make_host(struct scribe *s, const struct site *site, uint32_t host, struct buf *text);
