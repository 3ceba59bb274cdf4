/* page.h - from a reply's decoded payload to a struct page.
 *
 * Decides what kind of document it is (Content-Type, then the first bytes),
 * finds its encoding, and calls html, feed, sitemap or plain text. One arena a
 * page: everything in *ret lives in it. Never fails on broken input: what can
 * be read is read, `cut` says that a ceiling ended it.
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
    bool marks;  /* page->marks too (mark.h) */
    bool whole;  /* HTML without menus (parse/document/): all of it is main text */
};

/* Scratch memory that is reused from page to page; one a thread. */
struct page_parser;
struct page_parser *page_parser_new(void);
void page_parser_free(struct page_parser *p);

/* DROP_NONE and *ret, or DROP_TYPE where it is no document we read. */
enum drop page_parse(struct page_parser *p, const struct page_input *in, struct arena *arena,
                     const struct page **ret);

/* Is a body with this Content-Type worth downloading? Unknown or absent: yes. */
bool page_wants_type(struct str content_type);
/* Which of these kinds, a bit each (enum mime_kind). */
bool page_wants_kinds(struct str content_type, unsigned kinds);
/* Is what has this Content-Type never a document that becomes HTML first? */
bool page_is_read_as_is(struct str content_type);
