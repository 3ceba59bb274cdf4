/* page_head.c - what a page states about itself: title, meta, link elements.
 *
 * In: tokens of such elements, and the Link header field. Out: fields of struct
 * page, candidates for the date, and links without words.
 *
 * Workload: some twenty elements a page. SPDX-License-Identifier: MIT
 */
#include "parse/page/page_int.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "parse/robots/robots.h"
#include "parse/use.h"

#define LANG_MAX 35 /* bytes; longer ones are not language tags (RFC 5646 4.4.1) */

struct str page_value(struct page_parser *p, struct str raw)
{
    char *out;

    raw = str_trim(raw);
    if (html_is_plain(raw))
        return raw;
    raw = str_sub(raw, 0, 4 * LIMIT_URL);
    buf_clear(&p->decoded);
    out = buf_room(&p->decoded, 3 * raw.len);
    if (out == NULL)
        return (struct str){NULL, 0};
    return (struct str){out, html_decode(raw, HTML_AS_VALUE, out)};
}

/* ---- title and language --------------------------------------------------- */

/* Returns the length without a character that is cut off at the end. */
static size_t whole_characters(const char *text, size_t len)
{
    size_t from = len;

    while (from > 0 && len - from < 3 && ((unsigned char)text[from - 1] & 0xc0) == 0x80)
        from--;
    if (from == 0 || (unsigned char)text[from - 1] < 0xc0)
        return len;
    from--;
    return utf8_is_valid((struct str){text + from, len - from}) ? len : from;
}

struct str page_title(struct page_parser *p, struct str text)
{
    char *out = arena_alloc(p->arena, LIMIT_TITLE + 1);
    size_t n = 0;
    bool gap = false;

    if (out == NULL)
        return (struct str){NULL, 0};
    for (size_t i = 0; i < text.len && n < LIMIT_TITLE; i++) {
        char c = text.ptr[i];

        if (ascii_is_space(c) || c == '\0') {
            gap = n > 0;
            continue;
        }
        if (gap)
            out[n++] = ' ';
        gap = false;
        if (n < LIMIT_TITLE)
            out[n++] = c;
    }
    n = whole_characters(out, n);
    out[n] = '\0';
    arena_trim(p->arena, out, LIMIT_TITLE + 1, n + 1);
    return (struct str){out, n};
}

void page_head_title(struct page_parser *p, struct str raw)
{
    char *out;

    if (p->has_title)
        return;
    p->has_title = true;
    raw = str_sub(raw, 0, 8 * LIMIT_TITLE);
    buf_clear(&p->decoded);
    out = buf_room(&p->decoded, 3 * raw.len);
    if (out != NULL)
        p->page->title =
            page_title(p, (struct str){out, html_decode(raw, HTML_REFS | HTML_NUL, out)});
}

struct str page_head_lang(struct page_parser *p, struct str list)
{
    struct str first = {NULL, 0}, lang;
    char *out;

    str_cut(&list, ',', &first);
    first = str_trim(first);
    if (first.len == 0 || first.len > LANG_MAX)
        return (struct str){NULL, 0};
    for (size_t i = 0; i < first.len; i++)
        if (!ascii_is_alpha(first.ptr[i]) && !ascii_is_digit(first.ptr[i]) && first.ptr[i] != '-' &&
            first.ptr[i] != '_')
            return (struct str){NULL, 0};
    lang = arena_str(p->arena, first);
    out = (char *)lang.ptr;
    for (size_t i = 0; i < lang.len; i++)
        out[i] = out[i] == '_' ? '-' : ascii_lower(out[i]);
    return lang;
}

/* ---- meta ----------------------------------------------------------------- */

enum meta_use { META_DATE, META_ROBOTS, META_LANG, META_REFRESH, META_TDM };

/* Names, properties, itemprops and http-equivs that are read. */
static const struct {
    const char *name;
    enum meta_use use;
    enum date_rank rank;
} metas[] = {
    {"robots", META_ROBOTS, 0},
    {"brood", META_ROBOTS, 0},
    {"refresh", META_REFRESH, 0},
    {"content-language", META_LANG, 0},
    {"tdm-reservation", META_TDM, 0},
    {"tdm-policy", META_TDM, 0},
    {"article:published_time", META_DATE, RANK_PUBLISHED},
    {"og:published_time", META_DATE, RANK_PUBLISHED},
    {"datepublished", META_DATE, RANK_PUBLISHED},
    {"dc.date.issued", META_DATE, RANK_PUBLISHED},
    {"dcterms.issued", META_DATE, RANK_PUBLISHED},
    {"dcterms.created", META_DATE, RANK_PUBLISHED},
    {"dc.date.created", META_DATE, RANK_PUBLISHED},
    {"citation_publication_date", META_DATE, RANK_PUBLISHED},
    {"citation_date", META_DATE, RANK_PUBLISHED},
    {"parsely-pub-date", META_DATE, RANK_PUBLISHED},
    {"sailthru.date", META_DATE, RANK_PUBLISHED},
    {"pubdate", META_DATE, RANK_PUBLISHED},
    {"publishdate", META_DATE, RANK_PUBLISHED},
    {"publish-date", META_DATE, RANK_PUBLISHED},
    {"date", META_DATE, RANK_PLAIN},
    {"dc.date", META_DATE, RANK_PLAIN},
    {"dcterms.date", META_DATE, RANK_PLAIN},
    {"article:modified_time", META_DATE, RANK_CHANGED},
    {"og:updated_time", META_DATE, RANK_CHANGED},
    {"datemodified", META_DATE, RANK_CHANGED},
    {"dc.date.modified", META_DATE, RANK_CHANGED},
    {"dcterms.modified", META_DATE, RANK_CHANGED},
    {"last-modified", META_DATE, RANK_CHANGED},
};

static size_t skip_space(struct str s, size_t at)
{
    while (at < s.len && ascii_is_space(s.ptr[at]))
        at++;
    return at;
}

/* "5; url='x'" -> x; the standard's steps for a refresh. */
static struct str refresh_target(struct str content)
{
    struct str none = {NULL, 0}, rest;
    size_t at = skip_space(content, 0), from = at;

    while (at < content.len && (ascii_is_digit(content.ptr[at]) || content.ptr[at] == '.'))
        at++;
    if (at == from || at == content.len)
        return none;
    from = at;
    at = skip_space(content, at);
    if (at < content.len && (content.ptr[at] == ';' || content.ptr[at] == ','))
        at++;
    if (at == from)
        return none;
    rest = str_trim(str_sub(content, at, content.len));
    if (str_starts_i(rest, STR("url"))) {
        at = skip_space(rest, 3);
        if (at < rest.len && rest.ptr[at] == '=')
            rest = str_trim(str_sub(rest, at + 1, rest.len));
    }
    if (rest.len && (rest.ptr[0] == '"' || rest.ptr[0] == '\'')) {
        size_t end = str_find_char(rest, rest.ptr[0], 1);

        rest = str_sub(rest, 1, end);
    }
    return rest;
}

static void add_refresh(struct page_parser *p, struct str content)
{
    /* The target is found in the decoded value only, so a copy of it is kept. */
    struct str target = arena_str(&p->kept, refresh_target(page_value(p, content)));
    struct raw_link *link = target.len ? page_link_add(p, target, LINK_REFRESH) : NULL;

    if (link != NULL)
        link->encoded = false;
}

void page_head_meta(struct page_parser *p, const struct html_token *t)
{
    static const struct str keys[] = {
        {"name", 4}, {"property", 8}, {"http-equiv", 10}, {"itemprop", 8}};
    struct str key = {NULL, 0}, content;
    size_t i = 0;

    if (!html_attr(t, STR("content"), &content))
        return;
    while (i < ARRAY_LEN(keys) && !html_attr(t, keys[i], &key))
        i++;
    key = str_trim(key);
    for (i = 0; i < ARRAY_LEN(metas); i++)
        if (str_eq_i(key, str_of(metas[i].name)))
            break;
    if (i == ARRAY_LEN(metas))
        return;
    switch (metas[i].use) {
    case META_DATE:
        page_date_add(&p->dates, metas[i].rank, page_value(p, content));
        break;
    case META_ROBOTS:
        p->page->robots |= robots_tag(page_value(p, content), STR("brood"));
        break;
    case META_LANG:
        if (p->meta_lang.len == 0)
            p->meta_lang = content;
        break;
    case META_REFRESH:
        add_refresh(p, content);
        break;
    case META_TDM:
        use_add_tdm(&p->use, key, page_value(p, content));
        break;
    }
}

/* ---- link ------------------------------------------------------------------ */

static bool has_word(struct str list, struct str word)
{
    size_t at = 0;

    while ((at = str_find_i(list, word, at)) != SIZE_MAX) {
        size_t end = at + word.len;

        if ((at == 0 || ascii_is_space(list.ptr[at - 1])) &&
            (end == list.len || ascii_is_space(list.ptr[end])))
            return true;
        at = end;
    }
    return false;
}

static bool is_feed_type(struct str type)
{
    type = str_trim(type);
    return str_starts_i(type, STR("application/rss")) ||
           str_starts_i(type, STR("application/atom")) ||
           str_starts_i(type, STR("application/rdf"));
}

/* Adds a link of this rel, if it is of a kind that we follow. */
static struct raw_link *add_related(struct page_parser *p, struct str href, struct str rel,
                                    struct str type, bool translated)
{
    uint8_t flags = page_link_rel(rel);
    struct raw_link *link = NULL;

    if (has_word(rel, STR("license")))
        use_add_license(&p->use, href);
    if (has_word(rel, STR("canonical")))
        link = page_link_add(p, href, LINK_CANONICAL);
    else if (has_word(rel, STR("alternate")) && !has_word(rel, STR("stylesheet")) &&
             (translated || is_feed_type(type)))
        link = page_link_add(p, href, LINK_ALTERNATE);
    else if (flags & REL_NEXT)
        link = page_link_add(p, href, LINK_NEXT);
    if (link != NULL)
        link->rel = flags;
    return link;
}

void page_head_link(struct page_parser *p, const struct html_token *t)
{
    struct str rel, href, type = {NULL, 0}, lang;

    if (!html_attr(t, STR("rel"), &rel) || !html_attr(t, STR("href"), &href) || href.len == 0)
        return;
    html_attr(t, STR("type"), &type);
    add_related(p, href, rel, type, html_attr(t, STR("hreflang"), &lang));
}

/* Returns the end of one entry of a Link field: a comma outside <> and quotes. */
static size_t entry_end(struct str s, size_t at)
{
    char inside = '\0';

    for (; at < s.len; at++) {
        char c = s.ptr[at];

        if (inside) {
            if (c == inside)
                inside = '\0';
        } else if (c == '"') {
            inside = '"';
        } else if (c == '<') {
            inside = '>';
        } else if (c == ',') {
            return at;
        }
    }
    return at;
}

struct related {
    struct str href, rel, type;
    bool translated;
};

/* Reads the next valid entry of a Link field: <https://example.org/>; rel="canonical". */
static bool next_related(struct str *rest, struct related *ret)
{
    while (rest->len > 0) {
        size_t end = entry_end(*rest, 0);
        struct str entry = str_trim(str_sub(*rest, 0, end)), part;

        *rest = str_sub(*rest, end < rest->len ? end + 1 : end, rest->len);
        if (entry.len < 2 || entry.ptr[0] != '<' || str_find_char(entry, '>', 0) == SIZE_MAX)
            continue;
        *ret = (struct related){.href = str_sub(entry, 1, str_find_char(entry, '>', 0))};
        entry = str_sub(entry, ret->href.len + 2, entry.len);
        while (str_cut(&entry, ';', &part)) {
            struct str name = {NULL, 0};

            str_cut(&part, '=', &name);
            name = str_trim(name);
            part = str_trim(part);
            if (part.len > 1 && part.ptr[0] == '"' && part.ptr[part.len - 1] == '"')
                part = str_sub(part, 1, part.len - 1);
            if (str_eq_i(name, STR("rel")))
                ret->rel = part;
            else if (str_eq_i(name, STR("type")))
                ret->type = part;
            ret->translated |= str_eq_i(name, STR("hreflang"));
        }
        return true;
    }
    return false;
}

void page_head_link_field(struct page_parser *p)
{
    struct str field = str_sub(p->in->link_header, 0, 4 * LIMIT_URL);
    struct related r;

    while (next_related(&field, &r)) {
        struct raw_link *link = add_related(p, r.href, r.rel, r.type, r.translated);

        if (link != NULL)
            link->encoded = false;
    }
}

void page_head_hub(const struct page_parser *p, struct str *ret_hub, struct str *ret_self)
{
    struct str field = str_sub(p->in->link_header, 0, 4 * LIMIT_URL);
    struct related r;

    while (next_related(&field, &r)) {
        if (has_word(r.rel, STR("hub")))
            *ret_hub = r.href;
        else if (has_word(r.rel, STR("self")))
            *ret_self = r.href;
    }
}
