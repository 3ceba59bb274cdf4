/* href.c - finds, and may replace, the links in the bytes of an HTML document.
 *
 * In: a document. Out: the same with other hrefs. The value of an attribute is a
 * slice of the document, quotes left out: what is put there instead is escaped
 * for any kind of quotes.
 *
 * Workload: once a page of a world; a microsecond a kilobyte.
 * SPDX-License-Identifier: MIT
 */
#include "sim/href.h"

#include "base/limits.h"
#include "base/mem.h"
#include "parse/html.h"
#include "parse/html_tag.h"
#include "parse/url_norm.h"

struct finder {
    struct html html;
    struct html_tags tags;
    struct arena lasting, memory; /* of the base; of one URL */
    struct url base;
    bool has_base;
    struct str document;
    size_t copied; /* bytes of the document that are in `out` */
    struct buf *out;
};

/* A URL as it may stand in an attribute, quoted or not. */
static void put_escaped(struct str url, struct buf *out)
{
    static const struct {
        char c;
        const char *as;
    } refs[] = {{'&', "&amp;"}, {'"', "&#34;"}, {'\'', "&#39;"}, {'<', "&lt;"}, {'>', "&gt;"}};

    for (size_t i = 0; i < url.len; i++) {
        const char *as = NULL;

        for (size_t k = 0; k < ARRAY_LEN(refs); k++)
            as = refs[k].c == url.ptr[i] ? refs[k].as : as;
        if (as)
            buf_add_z(out, as);
        else
            buf_add_char(out, url.ptr[i]);
    }
}

/* Returns the URL of a raw value; {NULL,0} if it is not http or https. */
static struct str resolve(struct finder *f, struct str raw)
{
    struct url u;
    char *text;

    arena_reset(&f->memory);
    text = arena_alloc(&f->memory, 3 * raw.len + 1);
    if (text == NULL)
        return (struct str){NULL, 0};
    struct str href = {text, html_decode(raw, HTML_AS_VALUE, text)};
    if (url_parse(href, f->has_base ? &f->base : NULL, &f->memory, &u) != ST_OK)
        return (struct str){NULL, 0};
    return url_norm(&u, &f->memory);
}

static void replace(struct finder *f, struct str raw, struct str with)
{
    size_t at = (size_t)(raw.ptr - f->document.ptr);

    buf_add_str(f->out, str_sub(f->document, f->copied, at));
    put_escaped(with, f->out);
    f->copied = at + raw.len;
}

static void start_tag(struct finder *f, href_fn *fn, void *ctx)
{
    const struct html_token *t = &f->html.token;
    unsigned tag = html_tag_of(&f->tags, t->text);
    const struct html_tag_info *info = html_tag_info(tag);
    struct str raw, url, with;

    if ((tag == TAG_A || tag == TAG_AREA) && html_attr(t, STR("href"), &raw) && raw.len) {
        url = resolve(f, raw);
        with = url.len ? fn(ctx, url) : (struct str){"", 0};
        if (with.len && f->out)
            replace(f, raw, with);
    }
    if (info->content != HTML_DATA)
        html_enter(&f->html, (enum html_state)info->content, t->text);
}

enum status href_each(struct str document, struct str base, href_fn *fn, void *ctx, struct buf *out)
{
    LOCAL_HEAP struct finder *f = MEM_NEW(struct finder);
    enum html_kind kind;

    f->document = document;
    f->out = out;
    arena_init(&f->lasting, MIB(1));
    arena_init(&f->memory, MIB(1));
    f->has_base = url_parse(base, NULL, &f->lasting, &f->base) == ST_OK;
    html_tags_init(&f->tags);
    html_init(&f->html, document);
    while ((kind = html_next(&f->html)) != HTML_EOF)
        if (kind == HTML_START)
            start_tag(f, fn, ctx);
    if (out)
        buf_add_str(out, str_sub(document, f->copied, document.len));
    arena_free(&f->lasting);
    arena_free(&f->memory);
    return out && out->full ? status_fail(ST_LIMIT, "the document became too large") : ST_OK;
}
