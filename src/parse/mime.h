/* mime.h - media types, by the header and by the bytes.
 *
 * In: a Content-Type field and the first bytes of a payload. Out: the kind of
 * document for page.c. Pure, no allocation; strings borrow from the input.
 */
#pragma once

#include "base/str.h"

enum mime_kind {
    MIME_NONE,    /* absent, unreadable, or empty */
    MIME_HTML,    /* HTML, XHTML */
    MIME_XML,     /* XML, its vocabulary not (yet) known */
    MIME_FEED,    /* RSS, RDF, Atom */
    MIME_SITEMAP, /* urlset, sitemapindex */
    MIME_TEXT,    /* plain text */
    MIME_GZIP,    /* gzip'ed something: a sitemap, where anything of ours */
    MIME_PDF,     /* PDF */
    MIME_OFFICE,  /* ODT, DOCX, EPUB: zip archives of markup */
    MIME_OTHER,   /* not for us: images, archives, scripts, binary ... */
};

struct mime {
    struct str type;     /* "text/html" as written, without parameters */
    struct str charset;  /* the charset parameter, unquoted; or empty */
    enum mime_kind kind; /* by the type alone */
};

/* Parses a Content-Type field. Its kind is MIME_NONE if it has no type/subtype. */
struct mime mime_parse(struct str field);

/* The kind by the first bytes alone, of which 1 KiB is enough; MIME_NONE if there are none. */
enum mime_kind mime_sniff(struct str bytes);

/* Decides by both: a declared kind is believed unless it cannot be true (an image served as
 * text/html; HTML served as text/plain stays text). XML and HTML that is really a feed or a sitemap
 * is reported as such. An absent type, application/octet-stream and the like are sniffed. */
enum mime_kind mime_decide(struct str content_type, struct str bytes);
