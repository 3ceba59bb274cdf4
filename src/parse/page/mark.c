/* mark.c - where markup stands in a page's text.
 *
 * In: elements as they open and close. Out: page->marks. Rarely used: only for a page that
 * is wanted as Markdown. SPDX-License-Identifier: MIT
 */
#include "parse/page/page_int.h"

#include "base/mem.h"
#include "parse/page/mark.h"

#define CODE_MAX MIB(4) /* of one pre element */

static struct page_mark *add(struct page_parser *p, enum mark_kind kind, bool opens)
{
    struct page_marks *m = &p->marks;

    if (m->count == LIMIT_MARKS)
        return NULL;
    if (m->count == m->cap)
        MEM_GROW(m->items, m->count, &m->cap);
    m->items[m->count] =
        (struct page_mark){.off = (uint32_t)p->text.len, .kind = (uint8_t)kind, .opens = opens};
    return &m->items[m->count++];
}

static int kind_of(unsigned tag)
{
    switch (tag) {
    case TAG_A:
        return MARK_LINK;
    case TAG_B:
    case TAG_STRONG:
        return MARK_STRONG;
    case TAG_I:
    case TAG_EM:
        return MARK_EMPHASIS;
    case TAG_CODE:
    case TAG_TT:
        return MARK_CODE;
    case TAG_PRE:
        return MARK_PRE;
    case TAG_H1 ... TAG_H6:
        return MARK_HEADING;
    case TAG_LI:
        return MARK_ITEM;
    case TAG_BLOCKQUOTE:
        return MARK_QUOTE;
    case TAG_TABLE:
        return MARK_TABLE;
    case TAG_TR:
        return MARK_ROW;
    case TAG_TD:
    case TAG_TH:
        return MARK_CELL;
    }
    return -1;
}

/* Returns the language in a class such as "language-c", "lang-c" or "highlight-c". */
static struct str language_of(struct str classes)
{
    static const struct str before[] = {STR("language-"), STR("lang-"), STR("highlight-")};
    struct str name;

    while (str_cut(&classes, ' ', &name))
        for (size_t i = 0; i < ARRAY_LEN(before); i++)
            if (str_starts_i(name, before[i]))
                return str_sub(name, before[i].len, name.len);
    return (struct str){NULL, 0};
}

static struct str attr_of(struct page_parser *p, const struct html_token *t, struct str name)
{
    struct str raw;

    if (!html_attr(t, name, &raw))
        return (struct str){NULL, 0};
    return arena_str(p->arena, str_trim(page_value(p, raw)));
}

/* Returns the number of an item in the innermost list, if that list has numbers. */
static uint32_t number_of(struct page_parser *p)
{
    for (unsigned i = p->depth; i > 0; i--) {
        struct open *e = &p->stack[i - 1];

        if (e->tag == TAG_UL || e->tag == TAG_MENU)
            return 0;
        if (e->tag == TAG_OL)
            return ++e->items;
    }
    return 0;
}

uint8_t page_mark_open(struct page_parser *p, const struct html_token *t, unsigned tag)
{
    int kind = kind_of(tag);
    struct page_mark *m;

    if (kind < 0 || p->hidden_at)
        return 0;
    m = add(p, (enum mark_kind)kind, true);
    if (m == NULL)
        return 0;
    if (kind == MARK_LINK)
        m->value = attr_of(p, t, STR("href"));
    else if (kind == MARK_HEADING)
        m->level = tag - TAG_H1 + 1;
    else if (kind == MARK_ITEM)
        m->level = number_of(p);
    else if (kind == MARK_PRE || kind == MARK_CODE)
        m->value = language_of(attr_of(p, t, STR("class")));
    if (kind == MARK_PRE && p->marks.pre++ == 0)
        buf_clear(&p->marks.code);
    return (uint8_t)(kind + 1);
}

void page_mark_close(struct page_parser *p, uint8_t mark)
{
    struct page_mark *m = add(p, (enum mark_kind)(mark - 1), false);

    if (mark - 1 == MARK_PRE && --p->marks.pre == 0 && m != NULL)
        m->value = arena_str(p->arena, buf_str(&p->marks.code));
}

void page_mark_image(struct page_parser *p, const struct html_token *t)
{
    struct page_mark *m = p->hidden_at ? NULL : add(p, MARK_IMAGE, true);

    if (m != NULL)
        m->value = attr_of(p, t, STR("src"));
}

void page_mark_text(struct page_parser *p, struct str raw, bool refs)
{
    struct buf *code = &p->marks.code;
    char *room;

    if (p->marks.pre == 0 || code->len + 3 * raw.len > CODE_MAX)
        return;
    room = buf_room(code, 3 * raw.len);
    if (room != NULL)
        code->len += html_decode(raw, refs ? HTML_REFS : 0, room);
}

void page_marks_finish(struct page_parser *p)
{
    struct page_marks *m = &p->marks;
    struct page *page = p->page;
    struct url base, url;
    bool has_base = url_parse(page->base, NULL, p->arena, &base) == ST_OK;

    page->marks = arena_array(p->arena, m->count, sizeof *page->marks);
    if (page->marks == NULL)
        return;
    for (size_t i = 0; i < m->count; i++) {
        struct page_mark *to = &page->marks[i];

        *to = m->items[i];
        if (to->kind != MARK_LINK && to->kind != MARK_IMAGE)
            continue;
        if (to->value.len && url_parse(to->value, has_base ? &base : NULL, p->arena, &url) == ST_OK)
            to->value = url.href;
        else
            to->value.len = 0;
    }
    page->nmarks = (uint32_t)m->count;
}
