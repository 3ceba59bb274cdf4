/* html.c - HTML as a stream of tokens.
 *
 * In: a document. Out: html_token, see html.h. Of the standard's 80 states,
 * those that only decide which byte ends what are combined: each scanner below
 * covers a group of them and jumps from mark to mark (memchr where it pays).
 * Nearly all tokens are far from the end of the input and simple: next_tag() and
 * next_text() read them by looks (base/look.h), and leave the rest to the others.
 *
 *   data ----'<' letter----> scan_tag ------> start, end tag
 *     |------'<!--'--------> scan_comment --> comment
 *     |------'<!doctype'---> scan_doctype --> doctype
 *     |------'<!' '<?' '</'> scan_bogus ----> comment
 *     |------'<![CDATA['---> text_cdata ----> text     (foreign content only)
 *   rcdata, rawtext: text_until_end;  script: text_script;  plaintext: the rest
 *
 * Every slice is contiguous in the input, because the characters that the
 * standard drops inside a token (the dashes that end a comment, say) always
 * stand at its end. Decoding is left to the caller.
 *
 * Workload: the hottest loop of the crawler: some 1,000 tags a page of 28 KB.
 * Source: WHATWG HTML 13.2.5. We differ: no parse errors, duplicate attributes
 * are left in the list. SPDX-License-Identifier: MIT
 */
#include "parse/html.h"

#include "base/look.h"
#include "parse/entities.h"

/* Classes of bytes, one bit each. */
#define C_SPACE 1u /* tab, LF, FF, CR, space */
#define C_SLASH 2u
#define C_GT    4u
#define C_EQ    8u
#define C_ALPHA 16u
#define C_ODD   32u /* needs decoding: & CR NUL */

#define ALPHA_8(c)                                                                             \
    [c] = C_ALPHA, [c + 1] = C_ALPHA, [c + 2] = C_ALPHA, [c + 3] = C_ALPHA, [c + 4] = C_ALPHA, \
    [c + 5] = C_ALPHA, [c + 6] = C_ALPHA, [c + 7] = C_ALPHA

static const uint8_t class_of[256] = {
    ['\t'] = C_SPACE, ['\n'] = C_SPACE, ['\f'] = C_SPACE, ['\r'] = C_SPACE | C_ODD,
    [' '] = C_SPACE,  ['/'] = C_SLASH,  ['>'] = C_GT,     ['='] = C_EQ,
    ['&'] = C_ODD,    [0] = C_ODD,      ALPHA_8('A'),     ALPHA_8('I'),
    ALPHA_8('Q'),     ['Y'] = C_ALPHA,  ['Z'] = C_ALPHA,  ALPHA_8('a'),
    ALPHA_8('i'),     ALPHA_8('q'),     ['y'] = C_ALPHA,  ['z'] = C_ALPHA,
};

static inline bool is_a(char c, unsigned classes)
{
    return class_of[(unsigned char)c] & classes;
}

static inline struct str slice(const char *from, const char *to)
{
    return (struct str){from, (size_t)(to - from)};
}

static const char *skip_space(const char *p, const char *end)
{
    while (p < end && is_a(*p, C_SPACE))
        p++;
    return p;
}

static const char *find(const char *p, const char *end, char c)
{
    const char *hit = p < end ? memchr(p, c, (size_t)(end - p)) : NULL;

    return hit ? hit : end;
}

/* The same, for a byte that is probably near: some looks take less time than a call of memchr(). */
static inline const char *find_near(const char *p, const char *end, char c)
{
    for (unsigned i = 0; i < 4 && end - p >= LOOK; i++, p += LOOK) {
        unsigned hits = look_bits(look_at(p) == (unsigned char)c);

        if (hits)
            return p + __builtin_ctz(hits);
    }
    return find(p, end, c);
}

static enum html_kind emit(struct html *h, enum html_kind kind, struct str text, const char *next)
{
    h->token.kind = kind;
    h->token.text = text;
    h->at = next;
    return kind;
}

/* The input ended inside a tag, which the standard then drops. */
static enum html_kind emit_eof(struct html *h)
{
    return emit(h, HTML_EOF, (struct str){h->end, 0}, h->end);
}

static enum html_kind emit_text(struct html *h, const char *from, const char *to, unsigned how)
{
    h->token.how = how;
    h->token.is_blank = false;
    return emit(h, HTML_TEXT, slice(from, to), to);
}

/* ---- tags ---------------------------------------------------------------- */

/* Reads "= value" if there is one. Returns NULL if the input ends inside. */
static const char *scan_value(const char *p, const char *end, struct str *ret)
{
    const char *from, *to;

    if (end - p > 1 && p[0] == '=' && p[1] == '"') { /* as nearly all are written */
        to = find_near(p + 2, end, '"');
        *ret = slice(p + 2, to);
        return to == end ? NULL : to + 1;
    }
    from = skip_space(p, end);
    *ret = (struct str){p, 0};
    if (from == end || *from != '=')
        return from;
    from = skip_space(from + 1, end);
    if (from == end)
        return NULL;
    if (*from == '"' || *from == '\'') {
        to = find(from + 1, end, *from);
        *ret = slice(from + 1, to);
        return to == end ? NULL : to + 1;
    }
    for (to = from; to < end && !is_a(*to, C_SPACE | C_GT);)
        to++;
    *ret = slice(from, to);
    return to;
}

/* Reads attributes in the form that nearly all have, ` name="value"`, by looks (base/look.h).
 * Returns where something else follows. */
static inline const char *scan_usual(struct html *h, const char *p, uint32_t *n)
{
    while (h->end - p > 2 * LOOK + 1 && *p == ' ' && *n < LIMIT_ATTRIBUTES) {
        const char *name = p + 1, *value, *to;
        look16 v = look_at(name), more = look_at(name + LOOK);
        unsigned stops = look_bits((v <= ' ') | (v == '/') | (v == '>') | (v == '='));
        unsigned quotes = look_bits(v == '"') | look_bits(more == '"') << LOOK;
        unsigned len = (unsigned)__builtin_ctz(stops | 1u << LOOK);

        if (len == 0 || len == LOOK || name[len] != '=' || name[len + 1] != '"')
            break;
        quotes >>= len + 2;
        value = name + len + 2;
        to = quotes ? value + __builtin_ctz(quotes) : find_near(value, h->end, '"');
        if (to == h->end)
            break;
        h->attrs[(*n)++] = (struct html_attr){slice(name, name + len), slice(value, to)};
        p = to + 1;
    }
    return p;
}

/* Reads a tag. `name` is the first letter of its name, which goes on at least up to `p`. */
static enum html_kind scan_tag(struct html *h, enum html_kind kind, const char *name, const char *p)
{
    const char *end = h->end, *name_end;
    uint32_t n = 0;
    bool slash;

    while (p < end && !is_a(*p, C_SPACE | C_SLASH | C_GT))
        p++;
    name_end = p;
    p = scan_usual(h, p, &n);
    for (;;) {
        struct html_attr attr;

        for (slash = false; p < end && is_a(*p, C_SPACE | C_SLASH); p++)
            slash = *p == '/';
        if (p == end)
            return emit_eof(h);
        if (*p == '>')
            break;
        attr.name.ptr = p++; /* even '=' may start a name */
        while (p < end && !is_a(*p, C_SPACE | C_SLASH | C_GT | C_EQ))
            p++;
        attr.name.len = (size_t)(p - attr.name.ptr);
        p = scan_value(p, end, &attr.value);
        if (p == NULL)
            return emit_eof(h);
        if (n < LIMIT_ATTRIBUTES)
            h->attrs[n++] = attr;
    }
    h->token.nattrs = n;
    h->token.self_closing = slash;
    return emit(h, kind, slice(name, name_end), p + 1);
}

/* ---- comments ------------------------------------------------------------ */

/* Reads a bogus comment up to the first '>'; `from` is the first byte of its data. */
static enum html_kind scan_bogus(struct html *h, const char *from)
{
    const char *to = find(from, h->end, '>');

    return emit(h, HTML_COMMENT, slice(from, to), to == h->end ? to : to + 1);
}

/* Reads a comment; `from` is the place after "<!--". */
static enum html_kind scan_comment(struct html *h, const char *from)
{
    const char *end = h->end, *p = from;

    if (p < end && *p == '>')
        return emit(h, HTML_COMMENT, slice(from, from), p + 1);
    if (p + 1 < end && p[0] == '-' && p[1] == '>')
        return emit(h, HTML_COMMENT, slice(from, from), p + 2);
    while ((p = find(p, end, '-')) < end) {
        const char *data_end;

        if (++p == end) /* a last single dash is dropped */
            return emit(h, HTML_COMMENT, slice(from, end - 1), end);
        if (*p != '-')
            continue;
        while (p < end && *p == '-')
            p++;
        data_end = p - 2;
        if (p < end && *p == '!')
            p++;
        if (p == end || *p == '>')
            return emit(h, HTML_COMMENT, slice(from, data_end), p == end ? end : p + 1);
    }
    return emit(h, HTML_COMMENT, slice(from, end), end);
}

/* ---- doctype ------------------------------------------------------------- */

/* Reads a quoted identifier at *p. Returns false if the doctype ends inside it. */
static bool scan_identifier(struct html_token *t, const char **p, const char *end, struct str *ret)
{
    const char *from = *p + 1, *to = from;

    while (to < end && *to != **p && *to != '>')
        to++;
    *ret = slice(from, to);
    t->quirks = to == end || *to == '>';
    *p = to == end || *to == '>' ? to : to + 1;
    return !t->quirks;
}

static bool is_quote(const char *p, const char *end)
{
    return p < end && (*p == '"' || *p == '\'');
}

/* Reads what follows the name. Returns where the search for '>' starts. */
static const char *scan_identifiers(struct html_token *t, const char *p, const char *end)
{
    struct str rest = slice(p, end);
    bool is_public = str_starts_i(rest, STR("public"));

    if (!is_public && !str_starts_i(rest, STR("system"))) {
        t->quirks = true;
        return p;
    }
    p = skip_space(p + 6, end);
    if (!is_quote(p, end)) {
        t->quirks = true;
        return p;
    }
    if (is_public) {
        t->has_public = true;
        if (!scan_identifier(t, &p, end, &t->public_id))
            return p;
        p = skip_space(p, end);
        if (p < end && *p == '>')
            return p;
        if (!is_quote(p, end)) {
            t->quirks = true;
            return p;
        }
    }
    t->has_system = true;
    if (scan_identifier(t, &p, end, &t->system_id) && skip_space(p, end) == end)
        t->quirks = true;
    return p;
}

/* Reads a doctype; `p` is the place after "<!doctype". */
static enum html_kind scan_doctype(struct html *h, const char *p)
{
    const char *end = h->end, *name = skip_space(p, end), *name_end = name;
    struct html_token *t = &h->token;

    t->has_public = t->has_system = false;
    t->public_id = t->system_id = (struct str){end, 0};
    while (name_end < end && !is_a(*name_end, C_SPACE | C_GT))
        name_end++;
    p = skip_space(name_end, end);
    t->quirks = p == end || name == name_end;
    if (p < end && *p != '>')
        p = scan_identifiers(t, p, end);
    p = find(p, end, '>');
    return emit(h, HTML_DOCTYPE, slice(name, name_end), p == end ? end : p + 1);
}

/* ---- text ---------------------------------------------------------------- */

/* Is there "</", the awaited name and a delimiter at p? */
static bool is_end_tag(const struct html *h, const char *p, struct str name)
{
    if (name.len == 0 || (size_t)(h->end - p) <= 2 + name.len || p[1] != '/')
        return false;
    p += 2;
    return is_a(p[name.len], C_SPACE | C_SLASH | C_GT) && str_eq_i(slice(p, p + name.len), name);
}

/* Finds the end of RCDATA or RAWTEXT. The end tag itself is then read as data. */
static const char *text_until_end(const struct html *h)
{
    const char *p = h->at;

    while ((p = find(p, h->end, '<')) < h->end && !is_end_tag(h, p, h->content_of))
        p++;
    return p;
}

/* Finds the end of a script. "<!--" starts an escape, in which "<script" starts a second one; "-->"
 * ends both. Inside the second, an end tag ends only the second. */
static const char *text_script(const struct html *h)
{
    enum { PLAIN, ESCAPED, DOUBLE } depth = PLAIN;
    const char *p = h->at, *end = h->end;

    while (p < end) {
        if (depth == PLAIN && (p = find(p, end, '<')) == end)
            break;
        if (depth != PLAIN && end - p > 2 && p[0] == '-' && p[1] == '-') {
            while (p < end && *p == '-')
                p++;
            if (p < end && *p == '>')
                depth = PLAIN;
            continue;
        }
        if (*p == '<') {
            if (depth != DOUBLE && is_end_tag(h, p, h->content_of))
                return p;
            if (depth == PLAIN && str_starts(slice(p, end), STR("<!--"))) {
                depth = ESCAPED;
                p += 2; /* these dashes may also belong to "-->" */
                continue;
            }
            if (depth == ESCAPED && end - p > 7 && str_eq_i(slice(p + 1, p + 7), STR("script")) &&
                is_a(p[7], C_SPACE | C_SLASH | C_GT))
                depth = DOUBLE;
            else if (depth == DOUBLE && is_end_tag(h, p, STR("script")))
                depth = ESCAPED;
        }
        p++;
    }
    return end;
}

static const char *text_cdata(const struct html *h)
{
    const char *hit = memmem(h->at, (size_t)(h->end - h->at), "]]>", 3);

    return hit ? hit : h->end;
}

/* Reads content that is not HTML_DATA. Afterwards the state is HTML_DATA again. */
static enum html_kind next_content(struct html *h)
{
    const char *from = h->at, *to;
    unsigned how;

    switch (h->state) {
    case HTML_RCDATA:
        how = HTML_REFS | HTML_NUL;
        to = text_until_end(h);
        break;
    case HTML_RAWTEXT:
        how = HTML_NUL;
        to = text_until_end(h);
        break;
    case HTML_SCRIPT:
        how = HTML_NUL;
        to = text_script(h);
        break;
    case HTML_CDATA:
        how = 0;
        to = text_cdata(h);
        break;
    default:
        how = HTML_NUL;
        to = h->end;
    }
    if (from < to)
        emit_text(h, from, to, how);
    if (h->state == HTML_CDATA && to < h->end)
        h->at += 3;
    html_enter(h, HTML_DATA, h->content_of);
    return from < to ? HTML_TEXT : html_next(h);
}

/* ---- data ---------------------------------------------------------------- */

/* Does the '<' at p begin something other than text? */
static inline bool is_markup(const char *p, const char *end)
{
    if (p + 1 == end)
        return false;
    if (is_a(p[1], C_ALPHA) || p[1] == '!' || p[1] == '?')
        return true;
    return p[1] == '/' && p + 2 < end;
}

static enum html_kind next_declaration(struct html *h, const char *p)
{
    struct str rest = slice(p, h->end);

    if (str_starts(rest, STR("--")))
        return scan_comment(h, p + 2);
    if (str_starts_i(rest, STR("doctype")))
        return scan_doctype(h, p + 7);
    if (h->foreign && str_starts(rest, STR("[CDATA["))) {
        h->state = HTML_CDATA;
        h->at = p + 7;
        return next_content(h);
    }
    return scan_bogus(h, p);
}

/* Reads the next token with care for the end of the input. */
static enum html_kind next_any(struct html *h)
{
    const char *p, *end = h->end;

    if (h->state != HTML_DATA)
        return next_content(h);
    for (;;) {
        p = h->at;
        if (p == end)
            return emit_eof(h);
        if (*p != '<' || !is_markup(p, end)) {
            do
                p = find(p + 1, end, '<');
            while (p < end && !is_markup(p, end));
            return emit_text(h, h->at, p, HTML_REFS);
        }
        if (is_a(p[1], C_ALPHA))
            return scan_tag(h, HTML_START, p + 1, p + 2);
        if (p[1] == '!')
            return next_declaration(h, p + 2);
        if (p[1] == '?')
            return scan_bogus(h, p + 1);
        if (is_a(p[2], C_ALPHA))
            return scan_tag(h, HTML_END, p + 2, p + 3);
        if (p[2] != '>')
            return scan_bogus(h, p + 2);
        h->at = p + 3; /* "</>" is dropped */
    }
}

/* Reads a tag that is far enough from the end of the input for a look at its name. Half of the tags
 * have no attributes. */
static inline enum html_kind next_tag(struct html *h, enum html_kind kind, const char *name)
{
    look16 v = look_at(name);
    unsigned stops = look_bits((v <= '/') | (v == '>'));
    const char *p = stops ? name + __builtin_ctz(stops) : name + LOOK;

    if (*p != '>')
        return scan_tag(h, kind, name, p);
    h->token.nattrs = 0;
    h->token.self_closing = false;
    return emit(h, kind, slice(name, p), p + 1);
}

/* Reads text up to a tag, by looks. Half of all texts are only white space between two tags. */
static inline enum html_kind next_text(struct html *h, const char *from)
{
    look16 v = look_at(from);
    unsigned white = look_bits((v == ' ') | (v == '\n') | (v == '\t')), hits;

    for (const char *p = from; h->end - p > LOOK + 1; p += LOOK) {
        hits = look_bits(look_at(p) == (unsigned char)'<');
        if (!hits)
            continue;
        p += __builtin_ctz(hits);
        if (!is_a(p[1], C_ALPHA | C_SLASH))
            break;
        emit_text(h, from, p, HTML_REFS);
        h->token.is_blank = from + __builtin_ctz(~white) == p; /* ~white has 16 bits more */
        return HTML_TEXT;
    }
    return next_any(h);
}

/* Nearly all tokens are tags and text far from the end of the input. */
enum html_kind html_next(struct html *h)
{
    const char *p = h->at;

    if (p >= h->looks_to)
        return next_any(h);
    if (*p != '<')
        return next_text(h, p);
    if (is_a(p[1], C_ALPHA))
        return next_tag(h, HTML_START, p + 1);
    if (p[1] == '/' && is_a(p[2], C_ALPHA))
        return next_tag(h, HTML_END, p + 2);
    return next_any(h);
}

void html_init(struct html *h, struct str input)
{
    h->at = input.len ? input.ptr : "";
    h->end = h->at + input.len;
    html_enter(h, HTML_DATA, (struct str){NULL, 0});
    h->foreign = false;
    h->token = (struct html_token){.attrs = h->attrs};
}

void html_enter(struct html *h, enum html_state state, struct str name)
{
    bool looks = state == HTML_DATA && h->end - h->at > LOOK + 2;

    h->looks_to = looks ? h->end - (LOOK + 2) : NULL;
    h->state = state;
    h->content_of = name;
}

/* ---- decoding ------------------------------------------------------------ */

bool html_attr(const struct html_token *t, struct str name, struct str *ret_value)
{
    for (uint32_t i = 0; i < t->nattrs; i++) {
        if (t->attrs[i].name.len != name.len || (t->attrs[i].name.ptr[0] | 0x20) != name.ptr[0] ||
            (memcmp(t->attrs[i].name.ptr, name.ptr, name.len) != 0 &&
             !str_eq_i(t->attrs[i].name, name)))
            continue;
        *ret_value = t->attrs[i].value;
        return true;
    }
    return false;
}

bool html_is_plain(struct str raw)
{
    for (size_t i = 0; i < raw.len; i++)
        if (is_a(raw.ptr[i], C_ODD))
            return false;
    return true;
}

size_t html_decode(struct str raw, unsigned how, char *out)
{
    const char *p = raw.len ? raw.ptr : "", *end = p + raw.len;
    char *o = out;

    while (p < end) {
        char c = *p++;

        if (!is_a(c, C_ODD)) {
            *o++ = how & HTML_LOWER ? ascii_lower(c) : c;
        } else if (c == '\r') {
            p += p < end && *p == '\n';
            *o++ = '\n';
        } else if (c == '&' && how & HTML_REFS) {
            size_t len = 0, used = entity_decode(p, end, how & HTML_VALUE, o, &len);

            p += used;
            o += len;
            if (used == 0)
                *o++ = '&';
        } else if (c == '\0' && how & HTML_NUL) {
            memcpy(o, "\xef\xbf\xbd", 3);
            o += 3;
        } else {
            *o++ = c;
        }
    }
    return (size_t)(o - out);
}
