/* feed.h - RSS 0.9x, 1.0, 2.0 and Atom as a list of entries.
 *
 * In: a payload (any encoding libxml2 reads) and the URL it came from. Out:
 * entries in document order. Everything lies in the arena. No network, no
 * external entities, no entity expansion; broken XML gives what was read before
 * and behind the damage. Markup in titles and texts is stripped.
 */
#pragma once

#include "base/arena.h"
#include "base/status.h"

struct url;

struct feed_entry {
    struct str url;   /* absolute where `base` was given; empty without one */
    struct str title; /* plain text, white space folded, at most LIMIT_TITLE */
    struct str text;  /* summary or content, plain, at most LIMIT_FEED_TEXT */
    int64_t date;     /* published, else updated; 0 unknown */
    int64_t changed;  /* the latest of its dates; 0 unknown */
};

enum feed_kind { FEED_RSS, FEED_RDF, FEED_ATOM };

struct feed {
    enum feed_kind kind;
    struct str title, text; /* of the feed: title; description or subtitle */
    struct str url;         /* its web page; may be empty */
    struct str lang;        /* declared, as written; may be empty */
    int64_t date;           /* of the feed itself; 0 unknown */
    struct str hub, self;   /* of WebSub: where changes are announced, and as what; may be empty */
    struct str cloud;       /* of rssCloud: where one registers by http-post; may be empty */
    struct feed_entry *entries;
    uint32_t count;
    bool cut; /* a ceiling or an error ended it early */
};

/* `charset` is the header's (it wins over the document's own); may be empty.
 * `base` may be NULL. ST_INVALID where it is no feed at all, ST_LIMIT where the
 * arena is full. */
enum status feed_parse(struct str payload, struct str charset, const struct url *base,
                       struct arena *arena, struct feed *ret) MUST_USE;
