/* xml.h - XML as a stream of calls, by libxml2's SAX interface.
 *
 * For feeds, sitemaps and what we export ourselves. No network, no external entities, no entities of the
 * document's own: only XML's five and HTML's named characters are known, so nothing
 * can grow. Broken XML is read on behind the damage where libxml2 can. Bounded:
 * nesting (LIMIT_XML_NESTING), one text node (10 MB, libxml2's own).
 */
#pragma once

#include "base/status.h"
#include "base/str.h"

/* The attributes of one element, lent for the time of the call. */
struct xml_attrs {
    const unsigned char **raw; /* libxml2's array of five pointers each */
    int count;
};

/* The value of an attribute by its local name and prefix ("" for none);
 * {NULL, 0} where it is absent. */
struct str xml_attr(const struct xml_attrs *attrs, const char *prefix, const char *name);

/* An element's name. */
struct xml_name {
    struct str local;
    struct str space; /* namespace URI; else the prefix; else empty */
};

/* Called in document order; `open` and `close` in pairs, except where the document
 * ends early. False ends the parse. */
struct xml_handler {
    bool (*open)(void *user, const struct xml_name *name, const struct xml_attrs *attrs);
    bool (*close)(void *user);
    bool (*text)(void *user, struct str text);
    /* May be NULL. Called at faults that are read over, and at elements that are skipped. */
    void (*damaged)(void *user);
    int nesting; /* 0: LIMIT_XML_NESTING; libxml2 itself knows 256 */
};

/* `charset` is what the header says; it wins over the document's declaration,
 * not over a byte order mark; may be empty. ST_OK also for broken documents;
 * ST_INVALID where there was no element at all. */
enum status xml_parse(struct str payload, struct str charset, const struct xml_handler *handler,
                      void *user) MUST_USE;
