/* html_tag.c - the elements of HTML, as a table.
 *
 * In: a tag name. Out: its number and its row. The implied end tags follow the
 * standard's tree construction as far as a stack without a tree can: the
 * outermost element of `closes` that stands above the first of `up_to` (or a
 * scope) is closed, with all that is open inside it.
 *
 * Workload: two look-ups a tag, 700 tags a page.
 * Source: WHATWG HTML 13.2.6.4. We differ: elements are never invented, except
 * html and body. SPDX-License-Identifier: MIT
 */
#include "parse/html_tag.h"

#include "base/mem.h"

#include <assert.h>
#include <endian.h>

#define BLOCK_P TAG_BLOCK, HTML_DATA, 0, FAM_P, 0 /* a block that ends a paragraph */

/* clang-format off */
static const struct html_tag_info infos[] = {
    [TAG_OTHER] = {"", 0, HTML_DATA, 0, 0, 0},
    [TAG_A] = {"a", TAG_FORMAT, HTML_DATA, FAM_A, FAM_A, FAM_TABLE},
    [TAG_ADDRESS] = {"address", BLOCK_P},
    [TAG_AREA] = {"area", TAG_VOID, HTML_DATA, 0, 0, 0},
    [TAG_ARTICLE] = {"article", BLOCK_P},
    [TAG_ASIDE] = {"aside", BLOCK_P},
    [TAG_B] = {"b", TAG_FORMAT, HTML_DATA, 0, 0, 0},
    [TAG_BASE] = {"base", TAG_VOID | TAG_IN_HEAD, HTML_DATA, 0, 0, 0},
    [TAG_BLOCKQUOTE] = {"blockquote", BLOCK_P},
    [TAG_BODY] = {"body", TAG_BLOCK | TAG_SCOPE, HTML_DATA, 0, 0, 0},
    [TAG_BR] = {"br", TAG_VOID | TAG_BLOCK, HTML_DATA, 0, 0, 0},
    [TAG_BUTTON] = {"button", TAG_CELL | TAG_SCOPE, HTML_DATA, 0, 0, 0},
    [TAG_CAPTION] = {"caption", TAG_BLOCK | TAG_SCOPE, HTML_DATA, FAM_SECTION,
                 FAM_SECTION | FAM_ROW | FAM_CELL, FAM_TABLE},
    [TAG_CENTER] = {"center", BLOCK_P},
    [TAG_CODE] = {"code", TAG_FORMAT, HTML_DATA, 0, 0, 0},
    [TAG_DD] = {"dd", TAG_BLOCK, HTML_DATA, FAM_DT, FAM_DT | FAM_P, FAM_DL},
    [TAG_DETAILS] = {"details", BLOCK_P},
    [TAG_DIALOG] = {"dialog", BLOCK_P},
    [TAG_DIV] = {"div", BLOCK_P},
    [TAG_DL] = {"dl", TAG_BLOCK, HTML_DATA, FAM_DL, FAM_P, 0},
    [TAG_DT] = {"dt", TAG_BLOCK, HTML_DATA, FAM_DT, FAM_DT | FAM_P, FAM_DL},
    [TAG_EM] = {"em", TAG_FORMAT, HTML_DATA, 0, 0, 0},
    [TAG_FIELDSET] = {"fieldset", BLOCK_P},
    [TAG_FIGCAPTION] = {"figcaption", BLOCK_P},
    [TAG_FIGURE] = {"figure", BLOCK_P},
    [TAG_FOOTER] = {"footer", BLOCK_P},
    [TAG_FORM] = {"form", BLOCK_P},
    [TAG_FRAME] = {"frame", TAG_VOID, HTML_DATA, 0, 0, 0},
    [TAG_FRAMESET] = {"frameset", TAG_SCOPE, HTML_DATA, 0, 0, 0},
    [TAG_H1] = {"h1", TAG_BLOCK, HTML_DATA, FAM_HEADING, FAM_P | FAM_HEADING, 0},
    [TAG_H2] = {"h2", TAG_BLOCK, HTML_DATA, FAM_HEADING, FAM_P | FAM_HEADING, 0},
    [TAG_H3] = {"h3", TAG_BLOCK, HTML_DATA, FAM_HEADING, FAM_P | FAM_HEADING, 0},
    [TAG_H4] = {"h4", TAG_BLOCK, HTML_DATA, FAM_HEADING, FAM_P | FAM_HEADING, 0},
    [TAG_H5] = {"h5", TAG_BLOCK, HTML_DATA, FAM_HEADING, FAM_P | FAM_HEADING, 0},
    [TAG_H6] = {"h6", TAG_BLOCK, HTML_DATA, FAM_HEADING, FAM_P | FAM_HEADING, 0},
    [TAG_HEAD] = {"head", TAG_BLOCK | TAG_IN_HEAD, HTML_DATA, 0, 0, 0},
    [TAG_HEADER] = {"header", BLOCK_P},
    [TAG_HTML] = {"html", TAG_BLOCK | TAG_SCOPE, HTML_DATA, 0, 0, 0},
    [TAG_I] = {"i", TAG_FORMAT, HTML_DATA, 0, 0, 0},
    [TAG_IFRAME] = {"iframe", TAG_HIDES, HTML_RAWTEXT, 0, 0, 0},
    [TAG_IMG] = {"img", TAG_VOID, HTML_DATA, 0, 0, 0},
    [TAG_LI] = {"li", TAG_BLOCK, HTML_DATA, FAM_LI, FAM_LI | FAM_P, FAM_LIST},
    [TAG_LINK] = {"link", TAG_VOID | TAG_IN_HEAD, HTML_DATA, 0, 0, 0},
    [TAG_MAIN] = {"main", BLOCK_P},
    [TAG_MATH] = {"math", TAG_SCOPE | TAG_FOREIGN, HTML_DATA, 0, 0, 0},
    [TAG_MENU] = {"menu", TAG_BLOCK, HTML_DATA, FAM_LIST, FAM_P, 0},
    [TAG_META] = {"meta", TAG_VOID | TAG_IN_HEAD, HTML_DATA, 0, 0, 0},
    [TAG_NAV] = {"nav", BLOCK_P},
    [TAG_OL] = {"ol", TAG_BLOCK, HTML_DATA, FAM_LIST, FAM_P, 0},
    [TAG_P] = {"p", TAG_BLOCK, HTML_DATA, FAM_P, FAM_P, 0},
    [TAG_PRE] = {"pre", BLOCK_P},
    [TAG_SCRIPT] = {"script", TAG_HIDES | TAG_IN_HEAD, HTML_SCRIPT, 0, 0, 0},
    [TAG_SECTION] = {"section", BLOCK_P},
    [TAG_SMALL] = {"small", TAG_FORMAT, HTML_DATA, 0, 0, 0},
    [TAG_SPAN] = {"span", TAG_FORMAT, HTML_DATA, 0, 0, 0},
    [TAG_STRONG] = {"strong", TAG_FORMAT, HTML_DATA, 0, 0, 0},
    [TAG_SUMMARY] = {"summary", BLOCK_P},
    [TAG_SVG] = {"svg", TAG_HIDES | TAG_SCOPE | TAG_FOREIGN, HTML_DATA, 0, 0, 0},
    [TAG_TABLE] = {"table", TAG_BLOCK | TAG_SCOPE, HTML_DATA, FAM_TABLE, FAM_P, 0},
    [TAG_TBODY] = {"tbody", TAG_BLOCK, HTML_DATA, FAM_SECTION,
                 FAM_SECTION | FAM_ROW | FAM_CELL, FAM_TABLE},
    [TAG_TD] = {"td", TAG_CELL | TAG_SCOPE, HTML_DATA, FAM_CELL, FAM_CELL, FAM_ROW | FAM_TABLE},
    [TAG_TEMPLATE] = {"template", TAG_HIDES | TAG_IN_HEAD | TAG_SCOPE, HTML_DATA, 0, 0, 0},
    [TAG_TFOOT] = {"tfoot", TAG_BLOCK, HTML_DATA, FAM_SECTION,
                 FAM_SECTION | FAM_ROW | FAM_CELL, FAM_TABLE},
    [TAG_TH] = {"th", TAG_CELL | TAG_SCOPE, HTML_DATA, FAM_CELL, FAM_CELL, FAM_ROW | FAM_TABLE},
    [TAG_THEAD] = {"thead", TAG_BLOCK, HTML_DATA, FAM_SECTION,
                 FAM_SECTION | FAM_ROW | FAM_CELL, FAM_TABLE},
    [TAG_TIME] = {"time", 0, HTML_DATA, 0, 0, 0},
    [TAG_TITLE] = {"title", TAG_HIDES | TAG_IN_HEAD, HTML_RCDATA, 0, 0, 0},
    [TAG_TR] = {"tr", TAG_BLOCK, HTML_DATA, FAM_ROW, FAM_ROW | FAM_CELL, FAM_TABLE},
    [TAG_TT] = {"tt", TAG_FORMAT, HTML_DATA, 0, 0, 0},
    [TAG_UL] = {"ul", TAG_BLOCK, HTML_DATA, FAM_LIST, FAM_P, 0},

    /* Elements that no code refers to by name. */
    [TAG_NAMED] = {"hgroup", BLOCK_P}, {"search", BLOCK_P}, {"listing", BLOCK_P},
    {"legend", TAG_BLOCK, HTML_DATA, 0, 0, 0}, {"dir", TAG_BLOCK, HTML_DATA, FAM_LIST, FAM_P, 0},
    {"colgroup", 0, HTML_DATA, FAM_SECTION, FAM_SECTION | FAM_ROW | FAM_CELL, FAM_TABLE},
    {"col", TAG_VOID, HTML_DATA, 0, 0, 0},
    {"select", TAG_HIDES | TAG_SCOPE, HTML_DATA, FAM_SELECT, 0, 0},
    {"datalist", TAG_HIDES, HTML_DATA, FAM_SELECT, 0, 0},
    {"optgroup", TAG_BLOCK, HTML_DATA, FAM_OPTGROUP, FAM_OPTGROUP | FAM_OPTION, FAM_SELECT},
    {"option", TAG_BLOCK, HTML_DATA, FAM_OPTION, FAM_OPTION, FAM_OPTGROUP | FAM_SELECT},
    {"textarea", TAG_HIDES, HTML_RCDATA, 0, 0, 0}, {"input", TAG_VOID, HTML_DATA, 0, 0, 0},
    {"keygen", TAG_VOID, HTML_DATA, 0, 0, 0},
    {"style", TAG_HIDES | TAG_IN_HEAD, HTML_RAWTEXT, 0, 0, 0},
    {"noscript", TAG_HIDES | TAG_IN_HEAD | TAG_BLOCK, HTML_DATA, 0, 0, 0},
    {"noembed", TAG_HIDES, HTML_RAWTEXT, 0, 0, 0},
    {"noframes", TAG_HIDES | TAG_IN_HEAD, HTML_RAWTEXT, 0, 0, 0},
    {"xmp", TAG_BLOCK, HTML_RAWTEXT, 0, FAM_P, 0},
    {"plaintext", TAG_BLOCK, HTML_PLAINTEXT, 0, FAM_P, 0},
    {"audio", TAG_HIDES, HTML_DATA, 0, 0, 0}, {"video", TAG_HIDES, HTML_DATA, 0, 0, 0},
    {"canvas", TAG_HIDES, HTML_DATA, 0, 0, 0}, {"object", TAG_SCOPE, HTML_DATA, 0, 0, 0},
    {"applet", TAG_SCOPE, HTML_DATA, 0, 0, 0},
    {"marquee", TAG_BLOCK | TAG_SCOPE, HTML_DATA, 0, 0, 0},
    {"hr", TAG_VOID | TAG_BLOCK, HTML_DATA, 0, FAM_P, 0},
    {"bgsound", TAG_VOID | TAG_IN_HEAD, HTML_DATA, 0, 0, 0},
    {"basefont", TAG_VOID | TAG_IN_HEAD, HTML_DATA, 0, 0, 0},
    {"embed", TAG_VOID, HTML_DATA, 0, 0, 0}, {"param", TAG_VOID, HTML_DATA, 0, 0, 0},
    {"source", TAG_VOID, HTML_DATA, 0, 0, 0}, {"track", TAG_VOID, HTML_DATA, 0, 0, 0},
    {"wbr", TAG_VOID, HTML_DATA, 0, 0, 0}, {"rt", TAG_CELL, HTML_DATA, FAM_RUBY, FAM_RUBY, 0},
    {"rp", TAG_HIDES, HTML_DATA, FAM_RUBY, FAM_RUBY, 0}, {"big", TAG_FORMAT, HTML_DATA, 0, 0, 0},
    {"font", TAG_FORMAT, HTML_DATA, 0, 0, 0}, {"s", TAG_FORMAT, HTML_DATA, 0, 0, 0},
    {"strike", TAG_FORMAT, HTML_DATA, 0, 0, 0}, {"u", TAG_FORMAT, HTML_DATA, 0, 0, 0},
};
/* clang-format on */

#define LONGEST 10 /* blockquote */

/* The key of a name: its first eight letters in lower case, the first one in the lowest byte. `v`
 * has the eight bytes at it; those behind the name do not matter. */
static inline uint64_t key_of(uint64_t v, size_t len)
{
    uint64_t key = le64toh(v) | UINT64_C(0x2020202020202020);

    return len < 8 ? key & ((UINT64_C(1) << 8 * len) - 1) : key;
}

static inline uint64_t load(const char *p, size_t len)
{
    uint64_t v = 0;

    memcpy(&v, p, len < sizeof v ? len : sizeof v);
    return v;
}

/* With this factor, every name of the table gets a slot of its own. */
static inline unsigned slot_of(uint64_t key)
{
    return (unsigned)(key * UINT64_C(0xfa35a18109cc0dd5) >> 55);
}

void html_tags_init(struct html_tags *t)
{
    memset(t, 0, sizeof *t);
    for (unsigned tag = 1; tag < ARRAY_LEN(infos); tag++) {
        struct str name = str_of(infos[tag].name);
        uint64_t key = key_of(load(name.ptr, name.len), name.len);
        unsigned slot = slot_of(key);

        assert(t->slots[slot].tag == TAG_OTHER); /* otherwise look for another factor */
        t->slots[slot].key = key;
        t->slots[slot].len = (uint32_t)name.len;
        t->slots[slot].tag = tag;
    }
}

/* `first` has the first eight bytes of the name. */
static inline unsigned find(const struct html_tags *t, struct str name, uint64_t first)
{
    uint64_t key = key_of(first, name.len);
    unsigned slot = slot_of(key), tag = t->slots[slot].tag;

    if (t->slots[slot].key != key || t->slots[slot].len != name.len)
        return TAG_OTHER;
    return name.len <= 8 || str_eq_i(name, str_of(infos[tag].name)) ? tag : TAG_OTHER;
}

unsigned html_tag_of(const struct html_tags *t, struct str name)
{
    return name.len - 1 < LONGEST ? find(t, name, load(name.ptr, name.len)) : TAG_OTHER;
}

unsigned html_tag_of_roomy(const struct html_tags *t, struct str name)
{
    return name.len - 1 < LONGEST ? find(t, name, load(name.ptr, 8)) : TAG_OTHER;
}

const struct html_tag_info *html_tag_info(unsigned tag)
{
    return &infos[tag];
}
