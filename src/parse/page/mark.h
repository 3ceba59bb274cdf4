/* mark.h - where markup stands in a page's text, for writing the page in another format.
 *
 * Made only if page_input.marks asks for it. An element is two marks, one where it opens and
 * one where it closes, in document order; an element that overlaps others closes at its end
 * tag. `off` is the length of the text before the mark: an opening mark belongs to the next
 * character that is not white space.
 */
#pragma once

#include "flow.h"

enum mark_kind {
    MARK_LINK, /* value: its URL */
    MARK_STRONG,
    MARK_EMPHASIS,
    MARK_CODE,
    MARK_PRE,     /* value: its language if it opens; its original text if it closes */
    MARK_HEADING, /* level: 1 to 6 */
    MARK_ITEM,    /* of a list; level: its number, 0 if it has none */
    MARK_QUOTE,
    MARK_TABLE,
    MARK_ROW,
    MARK_CELL,
    MARK_IMAGE, /* not an element around text: it only opens; value: its URL */
    MARK_KINDS
};

struct page_mark {
    uint32_t off;
    uint32_t level;
    uint8_t kind; /* enum mark_kind */
    bool opens;
    struct str value; /* in the page's arena */
};
