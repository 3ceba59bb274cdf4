/* part.h - the part of a page that an element's names stand for.
 *
 * Authors name the parts of a page: in ids, classes, ARIA roles and itemprops. The words of
 * these names ("entry-content", "relatedPosts", "sidebarleft") are looked up in a table of
 * words in several languages; each stands for one part. The words at the start of short
 * texts ("Share this", "Kommentare") are looked up in the same way and stand for a topic.
 *
 * The table is filled once and then only read. A word costs a few nanoseconds; results for
 * repeated names are remembered.
 */
#pragma once

#include "flow.h"

/* clang-format off */
enum main_part {
    PART_ARTICLE, PART_CONTENT, PART_MAIN, PART_BODY, PART_ARTICLE_BODY, PART_LEAD, PART_TITLE,
    PART_BYLINE, PART_DATE, PART_META, PART_CAPTION, PART_MEDIA, PART_NAV, PART_CRUMBS,
    PART_HEADER, PART_FOOTER, PART_SIDE, PART_WIDGET, PART_RELATED, PART_TEASER, PART_LIST,
    PART_SHARE, PART_COMMENT, PART_FORM, PART_LETTER, PART_LOGIN, PART_COOKIE, PART_POPUP,
    PART_AD, PART_TAGS, PART_PAGER, PART_HIDDEN, PART_TOOLS, PART_QUOTE, PART_CODE, PART_LANG,
    PART_CONTACT, PART_SHOP, PART_TOC, PART_REFS, PART_PAYWALL, PART_CALENDAR, PART_NOTE,
    PART_COUNT
};

enum main_topic {
    TOPIC_COPYRIGHT, TOPIC_LEGAL, TOPIC_SHARE, TOPIC_COMMENT, TOPIC_LETTER, TOPIC_LOGIN,
    TOPIC_RELATED, TOPIC_AUTHOR, TOPIC_DATE, TOPIC_PHOTO, TOPIC_AD, TOPIC_CONTACT,
    TOPIC_MENU, TOPIC_TAGS, TOPIC_SOURCE, TOPIC_SCRIPT,
    TOPIC_COUNT
};
/* clang-format on */

#define PART_SLOTS  2048 /* of the table of words; a power of two */
#define PART_KNOWN  256  /* words in a bit filter over the known words; a power of two */
#define PART_MEMORY 256  /* names remembered; a power of two */

struct main_parts {
    uint64_t known[PART_KNOWN];
    uint32_t hashes[PART_SLOTS];
    uint8_t parts[PART_SLOTS];  /* 1 + enum main_part; 0: none */
    uint8_t topics[PART_SLOTS]; /* 1 + enum main_topic; 0: none */
    struct {
        uint64_t hash, parts;
    } seen[PART_MEMORY];
};

void main_parts_init(struct main_parts *p);

/* The attributes of an element that may name its part, as written. */
struct main_names {
    struct str class, id, other; /* the last: role or itemprop */
};

/* Returns a bit for each part that the names of an element stand for. Equal classes
 * give an equal *ret_like. */
uint64_t main_parts_of(struct main_parts *p, const struct main_names *names, uint32_t *ret_like);

/* Returns a bit for each topic that the words stand for. */
uint32_t main_topics_of(const struct main_parts *p, struct str text, const struct word *words,
                        size_t count);
