/* feed.h - RSS 0.9x, 1.0, 2.0 and Atom as a list of entries.
 *
 * In: a payload (any encoding libxml2 reads) and the URL it came from. Out:
 * entries in document order. Everything lies in the arena. No network, no
 * external entities, no entity expansion; of broken XML, the parts before and
 * after the damage are read. Markup in titles and texts is stripped.
 */
#pragma once

#include "base/arena.h"
#include "base/status.h"

struct url;

struct feed_entry {
    struct str url;   /* absolute if `base` was given; may be empty */
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
    struct str hub, self;   /* of WebSub: the hub, and the feed's URL there; may be empty */
    struct str cloud;       /* of rssCloud: where to register by http-post; may be empty */
    struct feed_entry *entries;
    uint32_t count;
    bool cut; /* a ceiling or an error ended reading early */
};

/* `charset` is the header's, which takes precedence over the document's own; it may be empty.
 * `base` may be NULL. Returns ST_INVALID if it is not a feed, ST_LIMIT if the arena is full. */
enum status feed_parse(struct str payload, struct str charset, const struct url *base,
                       struct arena *arena, struct feed *ret) MUST_USE;
