/* charset_sniff.c - what a document says about its own encoding.
 *
 * In: the first bytes. Out: an encoding, or NULL. Two sources: a byte order
 * mark, and the standard's prescan of the first bytes for a meta element, behind
 * it the XML declaration. The prescan is not the tokenizer: it knows no
 * script or title, and the vectors insist on it.
 *
 * Source: WHATWG HTML 13.2.3.2 "prescan a byte stream". We differ: a UTF-32
 * byte order mark is known. SPDX-License-Identifier: MIT
 */
#include "parse/charset.h"

const struct charset *charset_of_bom(struct str bytes, size_t *ret_len)
{
    static const struct {
        struct str mark;
        const char *name;
    } marks[] = {
        {{"\xef\xbb\xbf", 3}, "UTF-8"},    {{"\xff\xfe\0\0", 4}, "UTF-32LE"},
        {{"\0\0\xfe\xff", 4}, "UTF-32BE"}, {{"\xff\xfe", 2}, "UTF-16LE"},
        {{"\xfe\xff", 2}, "UTF-16BE"},
    };

    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (str_starts(bytes, marks[i].mark)) {
            *ret_len = marks[i].mark.len;
            return charset_of_name(str_of(marks[i].name));
        }
    return NULL;
}

/* ---- the prescan ----------------------------------------------------------- */

struct scan {
    const char *at, *end;
};

struct attr {
    struct str name, value; /* as written */
};

static bool is_space_or(const char *p, char a, char b)
{
    return ascii_is_space(*p) || *p == a || *p == b;
}

static void skip_space(struct scan *s)
{
    while (s->at < s->end && ascii_is_space(*s->at))
        s->at++;
}

static struct str slice(const char *from, const char *to)
{
    return (struct str){from, (size_t)(to - from)};
}

static void attr_value(struct scan *s, struct str *ret)
{
    const char *from = s->at;

    if (from < s->end && (*from == '"' || *from == '\'')) {
        const char *to = memchr(from + 1, *from, (size_t)(s->end - from - 1));

        *ret = slice(from + 1, to ? to : s->end);
        s->at = to ? to + 1 : s->end;
        return;
    }
    while (s->at < s->end && !is_space_or(s->at, '>', '>'))
        s->at++;
    *ret = slice(from, s->at);
}

/* The standard's "get an attribute"; false at '>' or the end. */
static bool attr_next(struct scan *s, struct attr *ret)
{
    while (s->at < s->end && is_space_or(s->at, '/', '/'))
        s->at++;
    if (s->at == s->end || *s->at == '>')
        return false;
    ret->name.ptr = s->at;
    ret->value = (struct str){s->at, 0};
    while (s->at < s->end && !is_space_or(s->at, '/', '>') &&
           (*s->at != '=' || s->at == ret->name.ptr))
        s->at++;
    ret->name.len = (size_t)(s->at - ret->name.ptr);
    skip_space(s);
    if (s->at < s->end && *s->at == '=') {
        s->at++;
        skip_space(s);
        attr_value(s, &ret->value);
    }
    return s->at < s->end;
}

/* "text/html; charset=x" -> x. */
static struct str charset_in_content(struct str content)
{
    struct str none = {NULL, 0};
    size_t at = 0;

    while ((at = str_find_i(content, STR("charset"), at)) != SIZE_MAX) {
        struct str rest = str_trim(str_sub(content, at += 7, content.len));
        size_t n = 0;

        if (rest.len == 0 || rest.ptr[0] != '=')
            continue;
        rest = str_trim(str_sub(rest, 1, rest.len));
        if (rest.len == 0)
            return none;
        if (rest.ptr[0] == '"' || rest.ptr[0] == '\'') {
            n = str_find_char(rest, rest.ptr[0], 1);
            return n == SIZE_MAX ? none : str_sub(rest, 1, n);
        }
        while (n < rest.len && !ascii_is_space(rest.ptr[n]) && rest.ptr[n] != ';')
            n++;
        return str_sub(rest, 0, n);
    }
    return none;
}

/* What a document says in ASCII cannot be true of UTF-16. */
static const struct charset *as_ascii(const struct charset *c)
{
    if (c != NULL && c->form == CHARSET_WIDE_16)
        return charset_of_label(STR("utf-8"));
    if (c != NULL && c->form == CHARSET_USER)
        return charset_of_label(STR("windows-1252"));
    return c;
}

/* The attributes of a meta element; of two of one name the first counts. */
static const struct charset *meta_charset(struct scan *s)
{
    struct str content = {NULL, 0}, declared = {NULL, 0};
    bool pragma = false, seen_equiv = false, seen_content = false, seen_charset = false;
    struct attr a;

    while (attr_next(s, &a)) {
        if (str_eq_i(a.name, STR("http-equiv")) && !seen_equiv) {
            seen_equiv = true;
            pragma = str_eq_i(a.value, STR("content-type"));
        } else if (str_eq_i(a.name, STR("content")) && !seen_content) {
            seen_content = true;
            content = a.value;
        } else if (str_eq_i(a.name, STR("charset")) && !seen_charset) {
            seen_charset = true;
            declared = a.value;
        }
    }
    if (s->at == s->end)
        return NULL; /* cut in its midst: not believed */
    if (seen_charset)
        return as_ascii(charset_of_label(declared));
    return pragma ? as_ascii(charset_of_label(charset_in_content(content))) : NULL;
}

static void skip_past(struct scan *s, struct str mark)
{
    size_t n = str_find(slice(s->at, s->end), mark, 0);

    s->at = n == SIZE_MAX ? s->end : s->at + n + mark.len;
}

static void skip_tag(struct scan *s)
{
    struct attr a;

    while (s->at < s->end && !is_space_or(s->at, '>', '>'))
        s->at++;
    while (attr_next(s, &a))
        continue;
}

/* <?xml version="1.0" encoding="x"?> */
static const struct charset *xml_charset(struct str bytes)
{
    size_t end = str_find_char(bytes, '>', 0), at;
    struct str rest;

    if (!str_starts(bytes, STR("<?xml")) || end == SIZE_MAX)
        return NULL;
    at = str_find(str_sub(bytes, 0, end), STR("encoding"), 0);
    if (at == SIZE_MAX)
        return NULL;
    rest = str_trim(str_sub(bytes, at + 8, end));
    if (rest.len == 0 || rest.ptr[0] != '=')
        return NULL;
    rest = str_trim(str_sub(rest, 1, rest.len));
    if (rest.len == 0 || (rest.ptr[0] != '"' && rest.ptr[0] != '\''))
        return NULL;
    at = str_find_char(rest, rest.ptr[0], 1);
    return at == SIZE_MAX ? NULL : as_ascii(charset_of_label(str_sub(rest, 1, at)));
}

const struct charset *charset_prescan(struct str bytes, size_t limit)
{
    struct scan s;

    if (str_starts(bytes, (struct str){"<\0?\0x\0", 6}))
        return charset_of_label(STR("utf-16le"));
    if (str_starts(bytes, (struct str){"\0<\0?\0x", 6}))
        return charset_of_label(STR("utf-16be"));
    bytes = str_sub(bytes, 0, limit);
    s = (struct scan){bytes.ptr, bytes.ptr + bytes.len};
    while (bytes.len && (s.at = memchr(s.at, '<', (size_t)(s.end - s.at))) != NULL) {
        struct str rest = slice(s.at, s.end);

        if (str_starts(rest, STR("<!--"))) {
            s.at += 2; /* the two dashes may be those of "-->" */
            skip_past(&s, STR("-->"));
        } else if (rest.len > 5 && str_starts_i(rest, STR("<meta")) &&
                   is_space_or(rest.ptr + 5, '/', '/')) {
            const struct charset *c;

            s.at += 5;
            c = meta_charset(&s);
            if (c != NULL)
                return c;
        } else if (rest.len > 2 && ascii_is_alpha(rest.ptr[rest.ptr[1] == '/' ? 2 : 1])) {
            skip_tag(&s);
        } else if (rest.len > 1 && strchr("!/?", rest.ptr[1]) && rest.ptr[1]) {
            skip_past(&s, STR(">"));
        } else {
            s.at++;
        }
        if (s.at == s.end)
            break;
    }
    return xml_charset(bytes);
}
