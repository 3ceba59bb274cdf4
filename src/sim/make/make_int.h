/* make_int.h - shared by make.c, options.c and the kinds of worlds. */
#pragma once

#include "sim/make/make.h"
#include "sim/make/site.h"
#include "sim/scribe.h"

/* Checks every value, because callers may have filled the struct by hand. */
enum status make_check(const struct make_config *c) MUST_USE;

/* Writes crawl('world') and crawl('topics'): the parameters of the world. */
void make_keys(struct scribe *s, const struct site *site);

/* Writes robots.txt, and the sitemap and the feed if the host has them. `text` is scratch. */
void make_host(struct scribe *s, const struct site *site, uint32_t host, struct buf *text);
