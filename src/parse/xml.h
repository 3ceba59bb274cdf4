/* xml.h - XML as a stream of calls, by libxml2's SAX interface.
 *
 * For feeds, sitemaps and what we export ourselves. No network, no external entities, no entities
 * of the document's own: only XML's five and HTML's named characters are known, so no text can
 * grow. Where libxml2 can, it reads broken XML on after the damage. Bounded: nesting
 * (LIMIT_XML_NESTING), one text node (10 MB, libxml2's own).
 */
#pragma once

#include "base/status.h"
#include "base/str.h"

/* The attributes of one element, lent for the time of the call. */
struct xml_attrs {
    const unsigned char **raw; /* libxml2's array of five pointers each */
    int count;
};

/* The value of an attribute by its local name and prefix ("" for none), or {NULL, 0}
 * if it is absent. */
struct str xml_attr(const struct xml_attrs *attrs, const char *prefix, const char *name);

/* An element's name. */
struct xml_name {
    struct str local;
    struct str space; /* namespace URI; else the prefix; else empty */
};

/* Called in document order; `open` and `close` in pairs, unless the document ends early.
 * Returning false ends the parse. */
struct xml_handler {
    bool (*open)(void *user, const struct xml_name *name, const struct xml_attrs *attrs);
    bool (*close)(void *user);
    bool (*text)(void *user, struct str text);
    /* May be NULL. Called at errors that the parser passes over, and at elements that
     * are skipped. */
    void (*damaged)(void *user);
    int nesting; /* 0: LIMIT_XML_NESTING; libxml2 itself knows 256 */
};

/* `charset` is what the header says, and may be empty; it takes precedence over the document's
 * declaration, but not over a byte order mark. Returns ST_OK also for broken documents, and
 * ST_INVALID if there was no element at all. */
enum status xml_parse(struct str payload, struct str charset, const struct xml_handler *handler,
                      void *user) MUST_USE;
