/* page.h - from a reply's decoded payload to a struct page.
 *
 * Decides what kind of document it is (Content-Type, then the first bytes),
 * finds its encoding, and calls html, feed, sitemap or plain text. Each page
 * has one arena, in which everything in *ret lives. Broken input is no failure:
 * what can be read is read, and `cut` is set if a ceiling ended it.
 */
#pragma once

#include "flow.h"

struct page_input {
    struct str payload;      /* after content decoding */
    struct str url;          /* the page's own URL, absolute */
    struct str content_type; /* header field as received, may be empty */
    struct str content_language;
    struct str last_modified;
    struct str link_header;
    int64_t now; /* dates in the future are not believed */
    bool marks;  /* also fill page->marks (mark.h) */
    bool whole;  /* HTML that has no menus (parse/document/): all of it is main text */
};

/* Memory that is reused from page to page. Each thread has its own. */
struct page_parser;
struct page_parser *page_parser_new(void);
void page_parser_free(struct page_parser *p);

/* Returns DROP_NONE and *ret, or DROP_TYPE if it is not a document that we read. */
enum drop page_parse(struct page_parser *p, const struct page_input *in, struct arena *arena,
                     const struct page **ret);

/* Is a body with this Content-Type worth downloading? An unknown or absent type is. */
bool page_wants_type(struct str content_type);
/* Does the type belong to one of these kinds, given as a bit each (enum mime_kind)? */
bool page_wants_kinds(struct str content_type, unsigned kinds);
/* Does a body of this Content-Type never need to be turned into HTML first? */
bool page_is_read_as_is(struct str content_type);
