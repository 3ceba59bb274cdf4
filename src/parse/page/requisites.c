/* requisites.c - the files that a page needs to be shown as it looked. See requisites.h.
 *
 * It makes a separate pass over the tokens, because few crawls want it. A style sheet is not
 * parsed: whatever looks like @import or url( outside of a comment counts. Linear in the input;
 * ends as soon as LIMIT_REQUISITES_PAGE are found.
 * SPDX-License-Identifier: MIT */
#include "parse/page/requisites.h"

#include "base/mem.h"
#include "parse/html.h"
#include "parse/html_tag.h"
#include "parse/mime.h"
#include "parse/url_norm.h"

struct gatherer {
    struct arena *arena;
    struct url base;
    bool has_base;
    struct requisites *to;
};

struct requisites *requisites_new(struct arena *arena)
{
    struct requisites *r = arena_alloc(arena, sizeof *r);

    if (r != NULL)
        r->count = 0;
    return r;
}

/* ---- one URL ---- */

static bool is_full(const struct gatherer *g)
{
    return g->to->count == LIMIT_REQUISITES_PAGE;
}

static void add(struct gatherer *g, struct str href)
{
    struct str url;
    struct url u;

    href = str_trim(href);
    if (is_full(g) || href.len == 0 || href.ptr[0] == '#' || href.len > LIMIT_URL ||
        str_starts_i(href, STR("data:")) ||
        url_parse(href, g->has_base ? &g->base : NULL, g->arena, &u) != ST_OK)
        return;
    url = url_norm(&u, g->arena);
    if (!str_starts(url, STR("http://")) && !str_starts(url, STR("https://")))
        return;
    for (uint32_t i = 0; i < g->to->count; i++)
        if (str_eq(g->to->urls[i], url))
            return;
    g->to->urls[g->to->count++] = url;
}

/* Returns a raw attribute value, decoded; empty if there is no room. */
static struct str decoded(struct gatherer *g, struct str raw)
{
    char *text = raw.len <= LIMIT_BODY ? arena_alloc(g->arena, 3 * raw.len + 1) : NULL;

    if (text == NULL)
        return STR("");
    return (struct str){text, html_decode(raw, HTML_AS_VALUE, text)};
}

/* ---- style sheets ---- */

static size_t skip_space(struct str css, size_t at)
{
    while (at < css.len && ascii_is_space(css.ptr[at]))
        at++;
    return at;
}

/* Takes the value of url( or @import at `at`, quoted or up to `end`. Returns where it ends. */
static size_t take_value(struct gatherer *g, struct str css, size_t at, char end)
{
    size_t from = at = skip_space(css, at);
    char quote = at < css.len ? css.ptr[at] : '\0';

    if (quote == '"' || quote == '\'') {
        from++;
        end = quote;
        at++;
    } else if (end == ';') {
        return at; /* @import url(…) is found by its url( */
    }
    while (at < css.len && css.ptr[at] != end && css.ptr[at] != '\n')
        at++;
    if (at < css.len && css.ptr[at] == end)
        add(g, str_sub(css, from, at));
    return at;
}

static void gather_css(struct gatherer *g, struct str css)
{
    size_t at = 0;

    while (at < css.len && !is_full(g)) {
        struct str rest = str_sub(css, at, css.len);
        char c = ascii_lower(css.ptr[at]);

        if (c == '/' && str_starts(rest, STR("/*"))) {
            size_t end = str_find(css, STR("*/"), at + 2);

            at = end == SIZE_MAX ? css.len : end + 2;
        } else if (c == 'u' && str_starts_i(rest, STR("url("))) {
            at = take_value(g, css, at + 4, ')');
        } else if (c == '@' && str_starts_i(rest, STR("@import"))) {
            at = take_value(g, css, at + 7, ';');
        } else {
            at++;
        }
    }
}

/* ---- documents ---- */

/* Gathers the URLs of "a.png 1x, b.png 2x". */
static void gather_srcset(struct gatherer *g, struct str set)
{
    size_t at = 0;

    while (at < set.len && !is_full(g)) {
        size_t from;

        while (at < set.len && (ascii_is_space(set.ptr[at]) || set.ptr[at] == ','))
            at++;
        from = at;
        while (at < set.len && !ascii_is_space(set.ptr[at]))
            at++;
        while (at > from && set.ptr[at - 1] == ',')
            at--;
        add(g, str_sub(set, from, at));
        while (at < set.len && set.ptr[at] != ',')
            at++;
    }
}

static bool has_word(struct str list, struct str word)
{
    struct str one;

    while (str_cut(&list, ' ', &one))
        if (str_eq_i(str_trim(one), word))
            return true;
    return false;
}

static void gather_link(struct gatherer *g, const struct html_token *t)
{
    struct str rel, href;

    if (html_attr(t, STR("rel"), &rel) && html_attr(t, STR("href"), &href) &&
        (has_word(rel, STR("stylesheet")) || has_word(rel, STR("icon"))))
        add(g, decoded(g, href));
}

static void set_base(struct gatherer *g, const struct html_token *t)
{
    struct str href;
    struct url u;

    if (html_attr(t, STR("href"), &href) &&
        url_parse(decoded(g, href), g->has_base ? &g->base : NULL, g->arena, &u) == ST_OK) {
        g->base = u;
        g->has_base = true;
    }
}

/* Attributes that name a requisite, by element; the style attribute is read in all elements. */
static const struct {
    const char *tag, *attr;
} sources[] = {
    {"img", "src"},          {"input", "src"},       {"video", "poster"},     {"image", "href"},
    {"image", "xlink:href"}, {"body", "background"}, {"table", "background"}, {"td", "background"},
};

static void gather_tag(struct gatherer *g, const struct html_token *t)
{
    bool pictures = str_eq_i(t->text, STR("img")) || str_eq_i(t->text, STR("source"));
    struct str value;

    for (size_t i = 0; i < ARRAY_LEN(sources); i++)
        if (str_eq_i(t->text, str_of(sources[i].tag)) &&
            html_attr(t, str_of(sources[i].attr), &value))
            add(g, decoded(g, value));
    if (pictures && html_attr(t, STR("srcset"), &value))
        gather_srcset(g, decoded(g, value));
    if (str_eq_i(t->text, STR("link")))
        gather_link(g, t);
    if (html_attr(t, STR("style"), &value))
        gather_css(g, decoded(g, value));
}

static struct gatherer gatherer_of(struct str url, struct arena *arena, struct requisites *io)
{
    struct gatherer g = {.arena = arena, .to = io};

    g.has_base = url_parse(url, NULL, arena, &g.base) == ST_OK;
    return g;
}

void requisites_of_html(struct str html, struct str url, struct arena *arena, struct requisites *io)
{
    struct gatherer g = gatherer_of(url, arena, io);
    LOCAL_HEAP struct html *h = MEM_NEW(struct html);
    struct html_tags tags;
    enum html_kind kind;
    bool in_style = false, in_base = false;

    html_tags_init(&tags);
    html_init(h, html);
    while (!is_full(&g) && (kind = html_next(h)) != HTML_EOF) {
        const struct html_token *t = &h->token;

        if (kind == HTML_TEXT && in_style)
            gather_css(&g, t->text);
        if (kind == HTML_END)
            in_style = false;
        if (kind != HTML_START)
            continue;
        if (str_eq_i(t->text, STR("base")) && !in_base) {
            in_base = true; /* only the first base counts */
            set_base(&g, t);
        }
        gather_tag(&g, t);
        in_style = str_eq_i(t->text, STR("style"));
        if (html_tag_info(html_tag_of(&tags, t->text))->content != HTML_DATA)
            html_enter(h, (enum html_state)html_tag_info(html_tag_of(&tags, t->text))->content,
                       t->text);
    }
}

void requisites_of_css(struct str css, struct str url, struct arena *arena, struct requisites *io)
{
    struct gatherer g = gatherer_of(url, arena, io);

    gather_css(&g, css);
}

bool requisites_has_type(struct str content_type)
{
    static const char *const types[] = {
        "image/",
        "font/",
        "text/css",
        "application/font",
        "application/x-font",
        "application/vnd.ms-fontobject",
        "application/octet-stream",
    };
    struct str type = mime_parse(content_type).type;

    for (size_t i = 0; i < ARRAY_LEN(types); i++)
        if (str_starts_i(type, str_of(types[i])))
            return true;
    return false;
}
