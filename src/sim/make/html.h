/* make_html.h - one generated page as HTML. */
#pragma once

#include "sim/make/site.h"

/* Appends the whole document of a page. Every link of the graph stands in it
 * once, besides dead ones; no text holds a character that needs escaping. */
void html_page(const struct site *s, uint32_t page, struct buf *out);
