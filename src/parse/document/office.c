/* office.c - ODT, DOCX and EPUB as HTML.
 *
 * All three are zip archives of XML; their parts tell which one it is. Each format has a table
 * that says what its elements mean (markup.c). Limit: footnotes, comments and drawings of DOCX
 * and ODT are left out. SPDX-License-Identifier: MIT */
#include "parse/document/document_int.h"

#include "base/mem.h"
#include "parse/xml.h"

#include <stdlib.h>

/* ---- the properties of a document ------------------------------------------- */

struct office_item {
    char *id, *href;
};

/* The properties of a document; the files of an EPUB, and their order; the links of a DOCX.
 * Texts are owned. */
struct about {
    struct buf title, lang, created, changed;
    struct buf *into; /* the member that is being read; NULL: none */
    bool is_known;    /* it had a value before */
    struct office_item *items;
    size_t nitems, items_cap;
    char **spine;
    size_t nspine, spine_cap;
};

static const struct {
    struct str name;
    size_t field;
} properties[] = {
    {STR("title"), offsetof(struct about, title)},
    {STR("language"), offsetof(struct about, lang)},
    {STR("created"), offsetof(struct about, created)},       /* DOCX */
    {STR("creation-date"), offsetof(struct about, created)}, /* ODT */
    {STR("modified"), offsetof(struct about, changed)},      /* DOCX */
    {STR("date"), offsetof(struct about, changed)},
};

static void add_item(struct about *about, struct str id, struct str href)
{
    if (about->nitems == LIMIT_DOCUMENT_ITEMS)
        return;
    MEM_GROW(about->items, about->nitems, &about->items_cap);
    about->items[about->nitems++] = (struct office_item){str_dup(id), str_dup(href)};
}

static void add_spine(struct about *about, const struct xml_attrs *attrs)
{
    if (about->nspine == LIMIT_DOCUMENT_ITEMS)
        return;
    MEM_GROW(about->spine, about->nspine, &about->spine_cap);
    about->spine[about->nspine++] = str_dup(xml_attr(attrs, "", "idref"));
}

static bool about_open(void *user, const struct xml_name *name, const struct xml_attrs *attrs)
{
    struct about *about = user;

    about->into = NULL;
    for (size_t i = 0; i < ARRAY_LEN(properties); i++)
        if (str_eq(name->local, properties[i].name))
            about->into = (struct buf *)((char *)about + properties[i].field);
    about->is_known = about->into && about->into->len;
    if (str_eq(name->local, STR("item")))
        add_item(about, xml_attr(attrs, "", "id"), xml_attr(attrs, "", "href"));
    else if (str_eq(name->local, STR("Relationship")))
        add_item(about, xml_attr(attrs, "", "Id"), xml_attr(attrs, "", "Target"));
    else if (str_eq(name->local, STR("itemref")))
        add_spine(about, attrs);
    return true;
}

static bool about_close(void *user)
{
    ((struct about *)user)->into = NULL;
    return true;
}

static bool about_text(void *user, struct str text)
{
    struct about *about = user;

    if (about->into && !about->is_known)
        buf_add_str(about->into, text);
    return true;
}

static struct about about_read(struct str xml)
{
    static const struct xml_handler handler = {
        .open = about_open, .close = about_close, .text = about_text};
    struct about about = {.title = BUF_INIT(LIMIT_TITLE),
                          .lang = BUF_INIT(100),
                          .created = BUF_INIT(100),
                          .changed = BUF_INIT(100)};

    (void)!xml_parse(xml, (struct str){NULL, 0}, &handler, &about);
    return about;
}

static void about_clear(struct about *about)
{
    buf_free(&about->title);
    buf_free(&about->lang);
    buf_free(&about->created);
    buf_free(&about->changed);
    for (size_t i = 0; i < about->nitems; i++) {
        free(about->items[i].id);
        free(about->items[i].href);
    }
    for (size_t i = 0; i < about->nspine; i++)
        free(about->spine[i]);
    free(about->items);
    free(about->spine);
}

static void begin(struct buf *out, const struct about *about)
{
    doc_begin(out, &(struct doc_facts){.title = str_trim(buf_str(&about->title)),
                                       .lang = str_trim(buf_str(&about->lang)),
                                       .created = str_trim(buf_str(&about->created)),
                                       .changed = str_trim(buf_str(&about->changed))});
}

/* ---- DOCX ---------------------------------------------------------------------- */

static const struct doc_rule docx_rules[] = {
    {STR("p"), DO_BLOCK, NULL},        {STR("t"), DO_TEXT, NULL},
    {STR("pStyle"), DO_STYLE, NULL},   {STR("numPr"), DO_NUMBERED, NULL},
    {STR("hyperlink"), DO_LINK, NULL}, {STR("tbl"), DO_TAG, "table"},
    {STR("tr"), DO_TAG, "tr"},         {STR("tc"), DO_CELL, "td"},
    {STR("tab"), DO_GAP, NULL},        {STR("br"), DO_GAP, NULL},
    {STR("cr"), DO_GAP, NULL},         {STR("Fallback"), DO_SKIP, NULL},
};

/* Returns the address that a relation of the document names. */
static struct str relation_target(void *ctx, struct str id)
{
    const struct about *relations = ctx;

    for (size_t i = 0; i < relations->nitems; i++)
        if (str_eq(str_of(relations->items[i].id), id))
            return str_of(relations->items[i].href);
    return (struct str){NULL, 0};
}

static void docx_write(const struct zip *z, struct buf *out)
{
    struct about links = about_read(zip_part(z, STR("word/_rels/document.xml.rels")));
    struct doc_markup how = {docx_rules, ARRAY_LEN(docx_rules), relation_target, &links};
    struct about about = about_read(zip_part(z, STR("docProps/core.xml")));

    begin(out, &about);
    doc_markup(zip_part(z, STR("word/document.xml")), &how, out);
    about_clear(&about);
    about_clear(&links);
}

/* ---- ODT ------------------------------------------------------------------------- */

static const struct doc_rule odt_rules[] = {
    {STR("text"), DO_TEXT, NULL},
    {STR("p"), DO_BLOCK, NULL},
    {STR("h"), DO_HEADING, NULL},
    {STR("list-item"), DO_ITEM, NULL},
    {STR("a"), DO_LINK, NULL},
    {STR("table"), DO_TAG, "table"},
    {STR("table-row"), DO_TAG, "tr"},
    {STR("table-cell"), DO_CELL, "td"},
    {STR("s"), DO_GAP, NULL},
    {STR("tab"), DO_GAP, NULL},
    {STR("line-break"), DO_GAP, NULL},
    {STR("annotation"), DO_SKIP, NULL},
    {STR("note"), DO_SKIP, NULL},
    {STR("tracked-changes"), DO_SKIP, NULL},
    {STR("sequence-decls"), DO_SKIP, NULL},
};

static void odt_write(const struct zip *z, struct buf *out)
{
    struct about about = about_read(zip_part(z, STR("meta.xml")));

    begin(out, &about);
    doc_markup(zip_part(z, STR("content.xml")),
               &(struct doc_markup){odt_rules, ARRAY_LEN(odt_rules), NULL, NULL}, out);
    about_clear(&about);
}

/* ---- EPUB ------------------------------------------------------------------------- */

static const struct doc_rule epub_rules[] = {
    {STR("body"), DO_TEXT, NULL},
    {STR("h1"), DO_TAG, "h1"},
    {STR("h2"), DO_TAG, "h2"},
    {STR("h3"), DO_TAG, "h3"},
    {STR("h4"), DO_TAG, "h4"},
    {STR("h5"), DO_TAG, "h5"},
    {STR("h6"), DO_TAG, "h6"},
    {STR("p"), DO_TAG, "p"},
    {STR("div"), DO_TAG, "div"},
    {STR("section"), DO_TAG, "section"},
    {STR("ul"), DO_TAG, "ul"},
    {STR("ol"), DO_TAG, "ol"},
    {STR("li"), DO_TAG, "li"},
    {STR("dl"), DO_TAG, "dl"},
    {STR("dt"), DO_TAG, "dt"},
    {STR("dd"), DO_TAG, "dd"},
    {STR("table"), DO_TAG, "table"},
    {STR("tr"), DO_TAG, "tr"},
    {STR("td"), DO_TAG, "td"},
    {STR("th"), DO_TAG, "th"},
    {STR("pre"), DO_TAG, "pre"},
    {STR("code"), DO_TAG, "code"},
    {STR("em"), DO_TAG, "em"},
    {STR("strong"), DO_TAG, "strong"},
    {STR("blockquote"), DO_TAG, "blockquote"},
    {STR("a"), DO_LINK, NULL},
    {STR("br"), DO_GAP, NULL},
    {STR("script"), DO_SKIP, NULL},
    {STR("style"), DO_SKIP, NULL},
    {STR("svg"), DO_SKIP, NULL},
    {STR("nav"), DO_SKIP, NULL},
};

static int hex_of(char c)
{
    return ascii_is_digit(c)      ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* Adds one segment to a folder; "..", "." and %XX are resolved. */
static void path_step(struct buf *path, struct str step)
{
    if (step.len == 0 || str_eq(step, STR(".")))
        return;
    if (str_eq(step, STR(".."))) {
        while (path->len && path->data[--path->len] != '/') {
        }
        return;
    }
    if (path->len)
        buf_add_char(path, '/');
    for (size_t i = 0; i < step.len; i++) {
        bool coded = step.ptr[i] == '%' && i + 2 < step.len && hex_of(step.ptr[i + 1]) >= 0 &&
                     hex_of(step.ptr[i + 2]) >= 0;

        buf_add_char(path, coded ? (char)(hex_of(step.ptr[i + 1]) * 16 + hex_of(step.ptr[i + 2]))
                                 : step.ptr[i]);
        i += coded ? 2 : 0;
    }
}

static struct str chapter_of(const struct zip *z, struct str opf, struct str href)
{
    LOCAL_BUF path = BUF_INIT(LIMIT_URL);
    struct str step;

    while (str_find_char(opf, '/', 0) != SIZE_MAX && str_cut(&opf, '/', &step))
        path_step(&path, step);
    href = str_sub(href, 0, str_find_char(href, '#', 0));
    while (str_cut(&href, '/', &step))
        path_step(&path, step);
    return zip_part(z, buf_str(&path));
}

static bool rootfile_open(void *user, const struct xml_name *name, const struct xml_attrs *attrs)
{
    struct buf *path = user;

    if (!str_eq(name->local, STR("rootfile")))
        return true;
    buf_add_str(path, xml_attr(attrs, "", "full-path"));
    return false;
}

static bool rootfile_close(void *user)
{
    (void)user;
    return true;
}

static bool rootfile_text(void *user, struct str text)
{
    (void)user, (void)text;
    return true;
}

static void epub_write(const struct zip *z, struct str container, struct buf *out)
{
    static const struct xml_handler handler = {
        .open = rootfile_open, .close = rootfile_close, .text = rootfile_text};
    static const struct doc_markup how = {epub_rules, ARRAY_LEN(epub_rules), NULL, NULL};
    LOCAL_BUF opf = BUF_INIT(LIMIT_URL);
    struct about about;

    (void)!xml_parse(container, (struct str){NULL, 0}, &handler, &opf);
    about = about_read(zip_part(z, buf_str(&opf)));
    begin(out, &about);
    for (size_t i = 0; i < about.nspine && !out->full; i++)
        for (size_t k = 0; k < about.nitems; k++)
            if (str_eq(str_of(about.items[k].id), str_of(about.spine[i]))) {
                doc_markup(chapter_of(z, buf_str(&opf), str_of(about.items[k].href)), &how, out);
                break;
            }
    about_clear(&about);
}

/* ---- which format is it? -------------------------------------------------------- */

enum status office_html(struct str bytes, struct buf *out)
{
    struct zip z;
    enum status st = zip_read(bytes, &z);
    struct str container = zip_part(&z, STR("META-INF/container.xml"));

    if (st == ST_OK && zip_part(&z, STR("word/document.xml")).ptr)
        docx_write(&z, out);
    else if (st == ST_OK && container.ptr)
        epub_write(&z, container, out);
    else if (st == ST_OK && zip_part(&z, STR("content.xml")).ptr)
        odt_write(&z, out);
    else if (st == ST_OK)
        st = status_fail(ST_INVALID, "this type of document cannot be read");
    if (st == ST_OK) {
        doc_end(out);
        st = buf_check(out);
    }
    zip_clear(&z);
    return st;
}
