/* tree_xml.h - reads what `brood export --as xml` writes (docs/family.md).
 *
 * It gets bytes and calls a handler; only the open elements are kept. It is strict, since half a
 * family tree looks like a whole one: XML that is damaged or cut, malformed numbers, an unknown
 * version, or elements without their number are ST_INVALID with a sentence. Unknown elements and
 * attributes are skipped, as the format promises.
 */
#pragma once

#include "base/status.h"
#include "base/str.h"

struct tree_head {
    struct str topic, model;
};

/* 0, empty or NAN: not given. Strings are lent for the time of the call. */
struct tree_agent {
    uint32_t id, parent, generation, born_page;
    struct str name, kind, death, born_url;
    double energy;
    uint64_t pages;
    int64_t born_at, died_at;
};

struct tree_page {
    uint32_t id, agent, depth;
    double relevance, p;
    int64_t fetched_at;
    struct str url, title, lang, declared;
};

struct tree_topic { /* of the page before it */
    uint32_t page;
    struct str name;
    double relevance, p;
};

struct tree_visit {
    uint32_t agent, page;
    int64_t at;
    bool first;
    double before, delta, after;
    struct str url;
};

/* Called in the order of the document; each may be NULL. A status other than ST_OK ends the reading
 * and is returned. */
struct tree_handler {
    enum status (*head)(void *user, const struct tree_head *head);
    enum status (*agent)(void *user, const struct tree_agent *agent);
    enum status (*page)(void *user, const struct tree_page *page);
    enum status (*topic)(void *user, const struct tree_topic *topic);
    enum status (*visit)(void *user, const struct tree_visit *visit);
};

enum status tree_xml_read(struct str bytes, const struct tree_handler *handler,
                          void *user) MUST_USE;
