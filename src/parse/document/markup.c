/* markup.c - the markup of a document as HTML, by a table of what its elements mean.
 *
 * A paragraph opens with its first character, because its style is known only then (DOCX
 * names it inside the paragraph). What has to be written at the end of each element is on a
 * stack, as deep as xml.h lets elements nest. SPDX-License-Identifier: MIT */
#include "parse/document/document_int.h"

#include "parse/xml.h"

#include <stdio.h>

/* What to do at the end of an element. */
struct ending {
    enum doc_do act;
    const char *tag;
    bool linked;
};

struct markup {
    const struct doc_markup *how;
    struct buf *out;
    struct ending stack[LIMIT_XML_NESTING];
    unsigned depth, skips, texts, cells, items;
    char block[4];     /* tag of the current paragraph; empty: none */
    bool block_is_out; /* its start tag was written */
};

static const struct doc_rule *rule_of(const struct markup *m, struct str name)
{
    for (size_t i = 0; i < m->how->nrules; i++)
        if (str_eq(name, m->how->rules[i].name))
            return &m->how->rules[i];
    return NULL;
}

static void block_set(struct markup *m, const char *tag)
{
    if (!m->block_is_out)
        (void)snprintf(m->block, sizeof m->block, "%s", tag);
}

static void heading_set(struct markup *m, struct str level)
{
    char tag[] = "h2";

    if (level.len == 1 && level.ptr[0] >= '1' && level.ptr[0] <= '6')
        tag[1] = level.ptr[0];
    block_set(m, tag);
}

static void block_write(struct markup *m)
{
    if (m->block[0] == '\0' || m->block_is_out)
        return;
    if (m->cells == 0)
        buf_addf(m->out, "<%s>", m->block);
    m->block_is_out = true;
}

static void block_close(struct markup *m)
{
    if (m->block_is_out && m->cells == 0)
        buf_addf(m->out, "</%s>\n", m->block);
    else if (m->block_is_out)
        buf_add_z(m->out, "<br>");
    m->block[0] = '\0';
    m->block_is_out = false;
}

/* Reads a style name: "Heading2", "Title", "ListParagraph"; or "berschrift2", as Word
 * writes it in other languages. */
static void style_set(struct markup *m, struct str style)
{
    if (str_eq_i(style, STR("title")))
        block_set(m, "h1");
    else if (str_starts_i(style, STR("heading")) || str_find_i(style, STR("berschrift"), 0) < 3)
        heading_set(m, str_sub(style, style.len - 1, style.len));
}

static bool link_open(struct markup *m, const struct xml_attrs *attrs)
{
    struct str href = xml_attr(attrs, "xlink", "href");

    if (href.ptr == NULL)
        href = xml_attr(attrs, "", "href");
    if (href.ptr == NULL && m->how->target)
        href = m->how->target(m->how->ctx, xml_attr(attrs, "r", "id"));
    block_write(m);
    return doc_link(m->out, href);
}

static void act_open(struct markup *m, struct ending *end, const struct xml_attrs *attrs)
{
    switch (end->act) {
    case DO_SKIP:
        m->skips++;
        break;
    case DO_TEXT:
        m->texts++;
        break;
    case DO_CELL:
        m->cells++;
        buf_addf(m->out, "<%s>", end->tag);
        break;
    case DO_TAG:
        buf_addf(m->out, "<%s>", end->tag);
        break;
    case DO_ITEM:
        m->items++;
        break;
    case DO_BLOCK:
        block_set(m, m->items ? "li" : "p");
        break;
    case DO_HEADING:
        heading_set(m, xml_attr(attrs, "text", "outline-level"));
        break;
    case DO_STYLE:
        style_set(m, xml_attr(attrs, "w", "val"));
        break;
    case DO_NUMBERED:
        if (m->block[0] == 'p')
            block_set(m, "li");
        break;
    case DO_LINK:
        end->linked = link_open(m, attrs);
        break;
    case DO_GAP:
        buf_add_char(m->out, ' ');
        break;
    default:
        break;
    }
}

static bool on_open(void *user, const struct xml_name *name, const struct xml_attrs *attrs)
{
    struct markup *m = user;
    struct ending *end = &m->stack[m->depth++];
    const struct doc_rule *rule = rule_of(m, name->local);

    *end = (struct ending){rule ? rule->act : DO_NOTHING, rule ? rule->tag : NULL, false};
    if (m->skips && end->act != DO_SKIP)
        end->act = DO_NOTHING;
    act_open(m, end, attrs);
    return !m->out->full;
}

static bool on_close(void *user)
{
    struct markup *m = user;
    const struct ending *end = &m->stack[--m->depth];

    switch (end->act) {
    case DO_SKIP:
        m->skips--;
        break;
    case DO_TEXT:
        m->texts--;
        break;
    case DO_CELL:
        m->cells--;
        buf_addf(m->out, "</%s>\n", end->tag);
        break;
    case DO_TAG:
        buf_addf(m->out, "</%s>\n", end->tag);
        break;
    case DO_ITEM:
        m->items--;
        break;
    case DO_BLOCK:
    case DO_HEADING:
        block_close(m);
        break;
    case DO_LINK:
        if (end->linked)
            buf_add_z(m->out, "</a>");
        break;
    default:
        break;
    }
    return !m->out->full;
}

static bool on_text(void *user, struct str text)
{
    struct markup *m = user;

    if (m->skips || !m->texts)
        return true;
    if (str_trim(text).len)
        block_write(m);
    doc_text(m->out, text);
    return !m->out->full;
}

void doc_markup(struct str xml, const struct doc_markup *how, struct buf *out)
{
    static const struct xml_handler handler = {.open = on_open, .close = on_close, .text = on_text};
    struct markup m = {.how = how, .out = out};

    (void)!xml_parse(xml, (struct str){NULL, 0}, &handler, &m);
    block_close(&m);
}
