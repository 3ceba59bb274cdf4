/* mime.c - media types, by the header and by the bytes.
 *
 * In: a Content-Type field, the first bytes. Out: enum mime_kind. All knowledge
 * is in three tables: types by name, signatures by first bytes, root elements.
 *
 * Workload: once a page; only the first SNIFF bytes are looked at.
 *
 * Sources: RFC 9110 8.3, WHATWG MIME Sniffing (its idea of binary data bytes and of
 * HTML's first tags). We differ: we only need to know which of our parsers to
 * call, so types that none of them reads are one kind, and a text that claims to
 * be HTML is believed.
 * SPDX-License-Identifier: MIT
 */
#include "parse/mime.h"

#include "base/look.h"
#include "base/mem.h"

#define SNIFF 1024 /* bytes */

/* ---- by name ------------------------------------------------------------------ */

static const struct {
    struct str type;
    enum mime_kind kind;
} types[] = {
    {STR("text/html"), MIME_HTML},
    {STR("application/xhtml+xml"), MIME_HTML},
    {STR("application/vnd.wap.xhtml+xml"), MIME_HTML},
    {STR("text/xml"), MIME_XML},
    {STR("application/xml"), MIME_XML},
    {STR("application/rss+xml"), MIME_FEED},
    {STR("application/atom+xml"), MIME_FEED},
    {STR("application/rdf+xml"), MIME_FEED},
    {STR("text/rss"), MIME_FEED},
    {STR("application/x-rss+xml"), MIME_FEED},
    {STR("text/plain"), MIME_TEXT},
    {STR("text/markdown"), MIME_TEXT},
    {STR("text/x-rst"), MIME_TEXT},
    {STR("application/pdf"), MIME_PDF},
    {STR("application/x-pdf"), MIME_PDF},
    {STR("application/epub+zip"), MIME_OFFICE},
    {STR("application/vnd.oasis.opendocument.text"), MIME_OFFICE},
    {STR("application/vnd.openxmlformats-officedocument.wordprocessingml.document"), MIME_OFFICE},
    {STR("application/gzip"), MIME_GZIP},
    {STR("application/x-gzip"), MIME_GZIP},
    /* what servers send if they do not know the type */
    {STR("application/octet-stream"), MIME_NONE},
    {STR("application/unknown"), MIME_NONE},
    {STR("unknown/unknown"), MIME_NONE},
    {STR("application/x-unknown-content-type"), MIME_NONE},
    {STR("binary/octet-stream"), MIME_NONE},
    {STR("*/*"), MIME_NONE},
};

static enum mime_kind kind_of_type(struct str type)
{
    for (size_t i = 0; i < ARRAY_LEN(types); i++)
        if (str_eq_i(type, types[i].type))
            return types[i].kind;
    if (str_ends_i(type, STR("+xml")) && !str_starts_i(type, STR("image/")))
        return MIME_XML;
    return MIME_OTHER;
}

/* ---- the field ------------------------------------------------------------------ */

/* Is it a token of RFC 9110 5.6.2? */
static bool is_token(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!ascii_is_alpha(s.ptr[i]) && !ascii_is_digit(s.ptr[i]) &&
            (s.ptr[i] == '\0' || strchr("!#$%&'*+-.^_`|~", s.ptr[i]) == NULL))
            return false;
    return s.len > 0;
}

/* Splits the next parameter off *rest; a quoted value loses its quotes. */
static bool next_parameter(struct str *rest, struct str *ret_name, struct str *ret_value)
{
    size_t end = 0, equals;
    bool quoted = false;
    struct str part;

    if (rest->len == 0)
        return false;
    for (; end < rest->len && (quoted || rest->ptr[end] != ';'); end++) {
        if (rest->ptr[end] == '"')
            quoted = !quoted;
        else if (quoted && rest->ptr[end] == '\\' && end + 1 < rest->len)
            end++;
    }
    part = str_sub(*rest, 0, end);
    *rest = str_sub(*rest, end + 1, rest->len);
    equals = str_find_char(part, '=', 0);
    *ret_name = str_trim(str_sub(part, 0, equals));
    *ret_value = equals == SIZE_MAX ? STR("") : str_trim(str_sub(part, equals + 1, part.len));
    if (ret_value->len >= 2 && (ret_value->ptr[0] == '"' || ret_value->ptr[0] == '\'') &&
        ret_value->ptr[ret_value->len - 1] == ret_value->ptr[0])
        *ret_value = str_trim(str_sub(*ret_value, 1, ret_value->len - 1));
    return true;
}

struct mime mime_parse(struct str field)
{
    size_t semicolon = str_find_char(field, ';', 0), slash;
    struct str rest = semicolon == SIZE_MAX ? STR("") : str_sub(field, semicolon + 1, field.len);
    struct mime m = {.kind = MIME_NONE};
    struct str name, value, type;

    /* "text/html, text/html": the first of a repeated field */
    type = str_trim(str_sub(field, 0, semicolon));
    type = str_trim(str_sub(type, 0, str_find_char(type, ',', 0)));
    slash = str_find_char(type, '/', 0);
    if (slash != SIZE_MAX && is_token(str_sub(type, 0, slash)) &&
        is_token(str_sub(type, slash + 1, type.len))) {
        m.type = type;
        m.kind = kind_of_type(type);
    }
    while (next_parameter(&rest, &name, &value))
        if (m.charset.len == 0 && str_eq_i(name, STR("charset")) && is_token(value))
            m.charset = value;
    return m;
}

/* ---- by the first bytes ----------------------------------------------------------- */

/* Signatures of formats that are often served under a wrong name. */
static const struct {
    struct str bytes;
    enum mime_kind kind;
} signatures[] = {
    {STR("\x1f\x8b"), MIME_GZIP},
    {STR("%PDF-"), MIME_PDF},
    {STR("\x89PNG"), MIME_OTHER},
    {STR("GIF8"), MIME_OTHER},
    {STR("\xff\xd8\xff"), MIME_OTHER},
    {STR("PK\x03\x04"), MIME_OTHER},
    {STR("RIFF"), MIME_OTHER},
    {STR("\x7f"
         "ELF"),
     MIME_OTHER},
    {STR("BZh"), MIME_OTHER},
    {STR("\xfd"
         "7zXZ"),
     MIME_OTHER},
    {STR("Rar!"), MIME_OTHER},
    {STR("ID3"), MIME_OTHER},
    {STR("OggS"), MIME_OTHER},
    {STR("wOFF"), MIME_OTHER},
    {STR("wOF2"), MIME_OTHER},
    {STR("%!PS-Adobe"), MIME_OTHER},
    {STR("\xd0\xcf\x11\xe0"), MIME_OTHER},
    {STR("\x28\xb5\x2f\xfd"), MIME_OTHER},
};

/* Root elements (local names) that identify the vocabulary of an XML document. */
static const struct {
    struct str name;
    enum mime_kind kind;
} roots[] = {
    {STR("rss"), MIME_FEED},     {STR("feed"), MIME_FEED},      {STR("rdf"), MIME_FEED},
    {STR("channel"), MIME_FEED}, {STR("urlset"), MIME_SITEMAP}, {STR("sitemapindex"), MIME_SITEMAP},
    {STR("html"), MIME_HTML},
};

/* Elements that HTML documents begin with; other elements could be XML or text. */
static const struct str html_tags[] = {
    STR("html"),   STR("head"),  STR("body"), STR("title"), STR("meta"), STR("script"),
    STR("link"),   STR("style"), STR("base"), STR("div"),   STR("p"),    STR("table"),
    STR("a"),      STR("h1"),    STR("br"),   STR("font"),  STR("b"),    STR("center"),
    STR("iframe"), STR("ul"),    STR("span"), STR("img"),
};

/* Returns the local name of the element that begins at s.ptr[0] == '<'. */
static struct str element_name(struct str s)
{
    size_t from = 1, to;

    for (to = from; to < s.len; to++) {
        if (s.ptr[to] == ':')
            from = to + 1;
        else if (ascii_is_space(s.ptr[to]) || s.ptr[to] == '>' || s.ptr[to] == '/')
            break;
    }
    return str_sub(s, from, to);
}

/* Returns the place after "<?...>", "<!--...-->" and, if asked for, "<!DOCTYPE...>"; SIZE_MAX if
 * the bytes end inside one. */
static size_t skip_to_element(struct str s, bool *ret_declared)
{
    size_t at = 0;

    for (;;) {
        while (at < s.len && ascii_is_space(s.ptr[at]))
            at++;
        if (at + 1 >= s.len || s.ptr[at] != '<' || (s.ptr[at + 1] != '?' && s.ptr[at + 1] != '!'))
            return at;
        *ret_declared = *ret_declared || str_starts_i(str_sub(s, at, s.len), STR("<?xml"));
        if (str_starts(str_sub(s, at, s.len), STR("<!--")))
            at = str_find(s, STR("-->"), at + 4);
        else
            at = str_find_char(s, '>', at);
        if (at == SIZE_MAX)
            return SIZE_MAX;
        at += s.ptr[at] == '-' ? 3 : 1;
    }
}

static enum mime_kind sniff_markup(struct str s)
{
    bool declared = false;
    size_t at = skip_to_element(s, &declared);
    struct str name;

    if (str_find_i(s, STR("<!doctype html"), 0) != SIZE_MAX)
        return MIME_HTML;
    if (at == SIZE_MAX || at >= s.len || s.ptr[at] != '<')
        return declared || (at == SIZE_MAX && s.ptr[0] == '<') ? MIME_XML : MIME_TEXT;
    name = element_name(str_sub(s, at, s.len));
    for (size_t i = 0; i < ARRAY_LEN(roots); i++)
        if (str_eq_i(name, roots[i].name))
            return roots[i].kind;
    for (size_t i = 0; i < ARRAY_LEN(html_tags); i++)
        if (!declared && str_eq_i(name, html_tags[i]))
            return MIME_HTML;
    return declared ? MIME_XML : MIME_TEXT;
}

/* Is it a byte that no text has (WHATWG's binary data bytes)? */
static bool is_binary(unsigned char c)
{
    return c < 0x20 && c != '\t' && c != '\n' && c != '\f' && c != '\r' && c != 0x1b;
}

static bool has_binary(struct str s)
{
    size_t i = 0;

    for (; i + LOOK <= s.len; i += LOOK) {
        look16 v = look_at(s.ptr + i);

        if (look_bits((v < ' ') & (v != '\t') & (v != '\n') & (v != '\f') & (v != '\r') &
                      (v != 0x1b)))
            return true;
    }
    while (i < s.len && !is_binary((unsigned char)s.ptr[i]))
        i++;
    return i < s.len;
}

static bool has_wide_bom(struct str s)
{
    return str_starts(s, STR("\xff\xfe")) || str_starts(s, STR("\xfe\xff"));
}

/* Turns the ASCII characters of UTF-16 into one byte each; only for sniffing. */
static struct str narrow(struct str s, char ret[SNIFF])
{
    size_t odd = s.ptr[0] == '\xfe', len = 0;

    for (size_t i = 2; i + 1 < s.len && len < SNIFF; i += 2)
        ret[len++] = s.ptr[i + 1 - odd] ? '?' : s.ptr[i + odd];
    return (struct str){ret, len};
}

/* Is it a zip archive whose first entry is typical of office documents? */
static bool is_office(struct str bytes)
{
    static const struct str names[] = {
        STR("mimetypeapplication/epub+zip"),
        STR("mimetypeapplication/vnd.oasis.opendocument.text"),
        STR("[Content_Types].xml"),
        STR("word/"),
    };
    struct str name = str_sub(bytes, 30, bytes.len); /* after the header of the entry */

    if (!str_starts(bytes, STR("PK\x03\x04")))
        return false;
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (str_starts(name, names[i]))
            return true;
    return false;
}

enum mime_kind mime_sniff(struct str bytes)
{
    char narrowed[SNIFF];

    if (bytes.len == 0)
        return MIME_NONE;
    if (is_office(bytes))
        return MIME_OFFICE;
    for (size_t i = 0; i < ARRAY_LEN(signatures); i++)
        if (str_starts(bytes, signatures[i].bytes))
            return signatures[i].kind;
    bytes = str_sub(bytes, 0, SNIFF);
    if (has_wide_bom(bytes))
        bytes = narrow(bytes, narrowed);
    else if (str_starts(bytes, STR("\xef\xbb\xbf")))
        bytes = str_sub(bytes, 3, bytes.len);
    if (has_binary(bytes))
        return MIME_OTHER;
    bytes = str_trim(bytes);
    return bytes.len && bytes.ptr[0] == '<' ? sniff_markup(bytes) : MIME_TEXT;
}

#define BIT(kind) (1u << (kind))
#define MARKUP    (BIT(MIME_HTML) | BIT(MIME_FEED) | BIT(MIME_SITEMAP))
#define OPAQUE    (BIT(MIME_GZIP) | BIT(MIME_PDF) | BIT(MIME_OFFICE) | BIT(MIME_OTHER))

/* For each declared kind, the kinds that the bytes may show to be believed instead. Feeds are often
 * served as HTML or text; HTML served as text is meant to be text. */
static const unsigned believed[] = {
    [MIME_NONE] = ~0u,
    [MIME_HTML] = BIT(MIME_FEED) | BIT(MIME_SITEMAP) | OPAQUE,
    [MIME_XML] = MARKUP | OPAQUE,
    [MIME_FEED] = MARKUP | OPAQUE,
    [MIME_SITEMAP] = MARKUP | OPAQUE,
    [MIME_TEXT] = BIT(MIME_FEED) | BIT(MIME_SITEMAP) | OPAQUE,
    [MIME_GZIP] = ~BIT(MIME_NONE),
    [MIME_PDF] = MARKUP | BIT(MIME_OFFICE), /* an error page in its place */
    [MIME_OFFICE] = MARKUP | BIT(MIME_PDF),
    [MIME_OTHER] = 0,
};

enum mime_kind mime_decide(struct str content_type, struct str bytes)
{
    enum mime_kind said = mime_parse(content_type).kind, seen = mime_sniff(bytes);

    return believed[said] & BIT(seen) ? seen : said;
}
