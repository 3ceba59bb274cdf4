/* html_tag.h - the elements of HTML that a reader of tokens has to know.
 *
 * A tag name becomes a small number by one hash look-up; the number leads to a
 * row that says how the element behaves: whether it breaks lines, hides its
 * text, which open elements its start tag closes, how its content is read.
 */
#pragma once

#include "parse/html.h"

/* Elements that code refers to by name. The order is that of the table in html_tag.c; TAG_OTHER is
 * every name that is not in it. */
enum html_tag {
    TAG_OTHER,
    TAG_A,
    TAG_ADDRESS,
    TAG_AREA,
    TAG_ARTICLE,
    TAG_ASIDE,
    TAG_B,
    TAG_BASE,
    TAG_BLOCKQUOTE,
    TAG_BODY,
    TAG_BR,
    TAG_BUTTON,
    TAG_CAPTION,
    TAG_CENTER,
    TAG_CODE,
    TAG_DD,
    TAG_DETAILS,
    TAG_DIALOG,
    TAG_DIV,
    TAG_DL,
    TAG_DT,
    TAG_EM,
    TAG_FIELDSET,
    TAG_FIGCAPTION,
    TAG_FIGURE,
    TAG_FOOTER,
    TAG_FORM,
    TAG_FRAME,
    TAG_FRAMESET,
    TAG_H1,
    TAG_H2,
    TAG_H3,
    TAG_H4,
    TAG_H5,
    TAG_H6,
    TAG_HEAD,
    TAG_HEADER,
    TAG_HTML,
    TAG_I,
    TAG_IFRAME,
    TAG_IMG,
    TAG_LI,
    TAG_LINK,
    TAG_MAIN,
    TAG_MATH,
    TAG_MENU,
    TAG_META,
    TAG_NAV,
    TAG_OL,
    TAG_P,
    TAG_PRE,
    TAG_SCRIPT,
    TAG_SECTION,
    TAG_SMALL,
    TAG_SPAN,
    TAG_STRONG,
    TAG_SUMMARY,
    TAG_SVG,
    TAG_TABLE,
    TAG_TBODY,
    TAG_TD,
    TAG_TEMPLATE,
    TAG_TFOOT,
    TAG_TH,
    TAG_THEAD,
    TAG_TIME,
    TAG_TITLE,
    TAG_TR,
    TAG_TT,
    TAG_UL,
    TAG_NAMED, /* the first element that only the table names */
};

/* Flags of an element. */
#define TAG_VOID     1u   /* has no content and no end tag */
#define TAG_CELL     2u   /* separates words, not lines */
#define TAG_BLOCK    4u   /* begins and ends a line of text */
#define TAG_HIDES    8u   /* its text is not visible */
#define TAG_IN_HEAD  16u  /* may stand before the body without opening it */
#define TAG_FORMAT   32u  /* its end tag closes only itself: blocks inside stay open */
#define TAG_SCOPE    64u  /* an end tag inside does not close elements outside */
#define TAG_FOREIGN  128u /* begins content that is not HTML */

/* Families of elements that close each other; one bit each. */
#define FAM_P        1u
#define FAM_LI       2u
#define FAM_LIST     4u
#define FAM_DT       8u
#define FAM_DL       16u
#define FAM_OPTION   32u
#define FAM_OPTGROUP 64u
#define FAM_SELECT   128u
#define FAM_CELL     256u
#define FAM_ROW      512u
#define FAM_SECTION  1024u /* of a table: thead, tbody, caption ... */
#define FAM_TABLE    2048u
#define FAM_A        4096u
#define FAM_HEADING  8192u
#define FAM_RUBY     16384u
#define FAM_COUNT    15

struct html_tag_info {
    const char *name;
    uint8_t flags;   /* TAG_* */
    uint8_t content; /* enum html_state: how its content is read */
    uint16_t family; /* FAM_*: what it is; 0 or one bit */
    uint16_t closes; /* FAM_*: open elements its start tag closes ... */
    uint16_t up_to;  /* FAM_*: ... looking no further than these */
};

#define HTML_TAG_SLOTS 512

/* The look-up table. Filled once, then only read. */
struct html_tags {
    struct {
        uint64_t key; /* the first letters of a name */
        uint32_t len; /* of the name */
        uint32_t tag; /* 0: free */
    } slots[HTML_TAG_SLOTS];
};

void html_tags_init(struct html_tags *t);

/* The number of a raw tag name in any case. */
unsigned html_tag_of(const struct html_tags *t, struct str name);
/* The same, if eight bytes can be read at it. */
unsigned html_tag_of_roomy(const struct html_tags *t, struct str name);

/* The row of a number. */
const struct html_tag_info *html_tag_info(unsigned tag);
