/* mark.h - where markup stands in a page's text, for those who write it down again.
 *
 * Only where page_input.marks asks for it. An element is two marks, one where it opens and one
 * where it closes; they come in the order of the document, and an element that crosses others
 * closes when its end tag says so. `off` is how much text stood there before: an opening mark
 * belongs to the next character behind it that is no white space.
 */
#pragma once

#include "flow.h"

enum mark_kind {
    MARK_LINK, /* value: its URL */
    MARK_STRONG,
    MARK_EMPHASIS,
    MARK_CODE,
    MARK_PRE,     /* value: when it opens its language, when it closes its text as it was */
    MARK_HEADING, /* level: 1 to 6 */
    MARK_ITEM,    /* of a list; level: its number, 0 where it has none */
    MARK_QUOTE,
    MARK_TABLE,
    MARK_ROW,
    MARK_CELL,
    MARK_IMAGE, /* no element around text: opens only; value: its URL */
    MARK_KINDS
};

struct page_mark {
    uint32_t off;
    uint32_t level;
    uint8_t kind; /* enum mark_kind */
    bool opens;
    struct str value; /* in the page's arena */
};
