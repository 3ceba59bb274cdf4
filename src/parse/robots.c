/* robots.c - what a host asks of us: robots.txt (RFC 9309).
 *
 * In: a robots.txt and our product token. Out: one block of memory
 *
 *   struct robots | rules, the strongest first | sitemaps | texts
 *
 * in which texts are offsets, so that it can be kept on disk as it is. Rules are
 * sorted by the length of their pattern, Allow before Disallow: the first that
 * matches decides. Patterns and paths are brought to one spelling of escapes
 * (put_normal) before they are compared byte by byte.
 *
 * Workload: parsed once a host a day; asked for every URL of it; some 10 to 100
 * rules, a few of them with a `*`. A pattern is matched piece by piece, leftmost
 * first, without going back: linear in the path.
 *
 * Source: RFC 9309. Where it leaves the choice: misspelt field names in the table
 * below and a missing colon are understood, as Google does; Crawl-delay does not
 * end a list of user-agent lines (2.2.4: other records must not interfere); a
 * pattern that begins with neither `/` nor `*` matches nothing; index.html does
 * not stand for its folder.
 * SPDX-License-Identifier: MIT
 */
#include "parse/robots.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/limits.h"
#include "base/mem.h"
#include "parse/charset.h"

#include <stdlib.h>

#define MAGIC 0x31626f72u /* "rob1", the layout below */

struct text {
    uint32_t off, len; /* bytes, from the start of the block */
};

struct rule {
    struct text pattern; /* in normal form, without a final $ */
    uint32_t line;       /* in the file, from 1 */
    uint8_t allow;       /* 0: Disallow; no bool, since it comes back from disk */
    uint8_t anchored;    /* ended in $ */
};

struct robots {
    uint32_t magic;
    uint32_t size; /* of the whole block, bytes */
    int64_t delay; /* us; -1 none */
    uint32_t nrules, nsitemaps;
    uint32_t names_us;
    struct rule rules[]; /* then nsitemaps of struct text, then the bytes */
};

static const struct text *sitemaps_of(const struct robots *r)
{
    return (const struct text *)(r->rules + r->nrules);
}

static struct str text_str(const struct robots *r, struct text t)
{
    return (struct str){(const char *)r + t.off, t.len};
}

/* ---- one spelling ---------------------------------------------------------- */

enum spelling { IN_PATTERN, IN_PATH };

static bool is_unreserved(unsigned char c)
{
    return ascii_is_alpha((char)c) || ascii_is_digit((char)c) || c == '-' || c == '.' || c == '_' ||
           c == '~';
}

static size_t put_escape(char *out, unsigned char c)
{
    static const char hex[] = "0123456789ABCDEF";

    out[0] = '%';
    out[1] = hex[c >> 4];
    out[2] = hex[c & 15];
    return 3;
}

/* Is this byte written plainly, given that it stood escaped or plain? */
static bool is_plain(unsigned char c, bool escaped, bool in_query, enum spelling kind)
{
    if (c == '*' || c == '$')
        return !escaped && c == '*' && kind == IN_PATTERN;
    if (is_unreserved(c) || (in_query && (c == ':' || c == '/' || c == '@')))
        return true;
    return !escaped && c > ' ' && c < 0x7f;
}

/* Writes s in normal form, at most 3 * s.len bytes; returns how many. */
static size_t put_normal(char *out, struct str s, enum spelling kind)
{
    size_t len = 0;
    bool in_query = false;

    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.ptr[i];
        bool escaped = c == '%' && i + 2 < s.len && ascii_hex(s.ptr[i + 1]) >= 0 &&
                       ascii_hex(s.ptr[i + 2]) >= 0;

        if (escaped) {
            c = (unsigned char)(ascii_hex(s.ptr[i + 1]) * 16 + ascii_hex(s.ptr[i + 2]));
            i += 2;
        }
        if (is_plain(c, escaped, in_query, kind))
            out[len++] = (char)c;
        else
            len += put_escape(out + len, c);
        in_query = in_query || (c == '?' && !escaped);
    }
    return len;
}

/* Nothing in it that put_normal() would change. */
static bool is_normal_path(struct str s)
{
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.ptr[i];
        if (c <= ' ' || c >= 0x7f || c == '%' || c == '*' || c == '$')
            return false;
    }
    return true;
}

/* ---- reading the file ------------------------------------------------------- */

enum field { FIELD_OTHER, FIELD_AGENT, FIELD_ALLOW, FIELD_DISALLOW, FIELD_DELAY, FIELD_SITEMAP };

static const struct {
    struct str name;
    enum field field;
} fields[] = {
    {STR("user-agent"), FIELD_AGENT},  {STR("useragent"), FIELD_AGENT},
    {STR("user agent"), FIELD_AGENT},  {STR("allow"), FIELD_ALLOW},
    {STR("disallow"), FIELD_DISALLOW}, {STR("dissallow"), FIELD_DISALLOW},
    {STR("dissalow"), FIELD_DISALLOW}, {STR("disalow"), FIELD_DISALLOW},
    {STR("diasllow"), FIELD_DISALLOW}, {STR("disallaw"), FIELD_DISALLOW},
    {STR("crawl-delay"), FIELD_DELAY}, {STR("crawldelay"), FIELD_DELAY},
    {STR("sitemap"), FIELD_SITEMAP},   {STR("site-map"), FIELD_SITEMAP},
};

/* A rule on its way; `pattern` points into the file. */
struct found {
    struct str pattern;
    uint32_t line;
    bool allow;
    bool for_us, for_all; /* the group names us, names * */
};

struct reader {
    struct str token;    /* ours */
    struct found *rules; /* heap */
    size_t nrules, cap;
    struct str sitemaps[LIMIT_ROBOTS_SITEMAPS];
    uint32_t nsitemaps;
    int64_t delay_us, delay_all; /* of our groups, of those for *; -1 none */
    bool names_us;               /* some group names us */
    bool for_us, for_all;        /* the group being read */
    bool in_rules;               /* it has a rule: the next user-agent begins a new one */
    uint32_t line;
};

static void read_agent(struct reader *r, struct str value)
{
    if (r->in_rules) {
        r->for_us = r->for_all = false;
        r->in_rules = false;
    }
    if (value.len && value.ptr[0] == '*' && (value.len == 1 || ascii_is_space(value.ptr[1]))) {
        r->for_all = true;
    } else if (r->token.len && str_eq_i(robots_token(value), r->token)) {
        r->for_us = true;
        r->names_us = true;
    }
}

static void read_rule(struct reader *r, struct str value, bool allow)
{
    r->in_rules = true;
    if (!(r->for_us || r->for_all) || value.len == 0)
        return;
    if (value.ptr[0] != '/' && value.ptr[0] != '*')
        return;
    MEM_GROW(r->rules, r->nrules, &r->cap);
    r->rules[r->nrules++] = (struct found){.pattern = value,
                                           .line = r->line,
                                           .allow = allow,
                                           .for_us = r->for_us,
                                           .for_all = r->for_all};
}

/* The greatest Crawl-delay of the group counts. */
static void read_delay(struct reader *r, struct str value)
{
    size_t n = 0;
    double seconds;
    int64_t us;

    while (n < value.len && (ascii_is_digit(value.ptr[n]) || value.ptr[n] == '.'))
        n++;
    if (!str_to_double(str_sub(value, 0, n), &seconds) || !(seconds >= 0))
        return;
    us = seconds < LIMIT_CRAWL_DELAY ? (int64_t)(seconds * US_PER_S) : LIMIT_CRAWL_DELAY * US_PER_S;
    if (r->for_us && us > r->delay_us)
        r->delay_us = us;
    if (r->for_all && us > r->delay_all)
        r->delay_all = us;
}

/* Splits "name: value", or "name value" where the colon was forgotten. */
static enum field line_split(struct str line, struct str *ret_value)
{
    size_t at = str_find_char(line, ':', 0);
    struct str name;

    for (size_t i = 0; at == SIZE_MAX && i < line.len; i++)
        if (ascii_is_space(line.ptr[i]))
            at = i;
    name = str_trim(str_sub(line, 0, at));
    *ret_value = at == SIZE_MAX ? STR("") : str_trim(str_sub(line, at + 1, line.len));
    for (size_t i = 0; i < ARRAY_LEN(fields); i++)
        if (str_eq_i(name, fields[i].name))
            return fields[i].field;
    return FIELD_OTHER;
}

static void read_line(struct reader *r, struct str line)
{
    struct str value;
    enum field field;

    line = str_trim(str_sub(line, 0, str_find_char(line, '#', 0)));
    field = line_split(line, &value);
    if (field == FIELD_AGENT)
        read_agent(r, value);
    else if (field == FIELD_ALLOW || field == FIELD_DISALLOW)
        read_rule(r, value, field == FIELD_ALLOW);
    else if (field == FIELD_DELAY)
        read_delay(r, value);
    else if (field == FIELD_SITEMAP && value.len && r->nsitemaps < LIMIT_ROBOTS_SITEMAPS)
        r->sitemaps[r->nsitemaps++] = value;
}

/* Lines end in CR, LF or CRLF. */
static void read_lines(struct reader *r, struct str text)
{
    size_t from = 0;

    if (str_starts(text, STR("\xef\xbb\xbf")))
        from = 3;
    while (from < text.len) {
        size_t end = from;

        while (end < text.len && text.ptr[end] != '\n' && text.ptr[end] != '\r')
            end++;
        r->line++;
        read_line(r, str_sub(text, from, end));
        if (end + 1 < text.len && text.ptr[end] == '\r' && text.ptr[end + 1] == '\n')
            end++;
        from = end + 1;
    }
}

/* ---- making the block --------------------------------------------------------- */

static int rule_order(const void *a, const void *b)
{
    const struct rule *x = a, *y = b;
    uint32_t xlen = x->pattern.len + x->anchored, ylen = y->pattern.len + y->anchored;

    if (xlen != ylen)
        return xlen > ylen ? -1 : 1;
    if (x->allow != y->allow)
        return x->allow ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

/* Keeps the rules of the groups that apply; returns the room their texts need. */
static size_t reader_sift(struct reader *r)
{
    size_t kept = 0, bytes = 0;

    for (size_t i = 0; i < r->nrules; i++) {
        if (r->names_us ? !r->rules[i].for_us : !r->rules[i].for_all)
            continue;
        bytes += 3 * r->rules[i].pattern.len;
        r->rules[kept++] = r->rules[i];
    }
    r->nrules = kept;
    for (uint32_t i = 0; i < r->nsitemaps; i++)
        bytes += r->sitemaps[i].len;
    return bytes;
}

/* Writes a rule's pattern at `*size` of the block. */
static struct rule rule_make(struct robots *r, uint32_t *size, const struct found *f)
{
    struct str p = f->pattern;
    struct rule rule = {.pattern.off = *size, .line = f->line, .allow = f->allow};

    if (p.ptr[p.len - 1] == '$') {
        rule.anchored = 1;
        p.len--;
    }
    rule.pattern.len = (uint32_t)put_normal((char *)r + *size, p, IN_PATTERN);
    *size += rule.pattern.len;
    return rule;
}

static struct robots *reader_finish(struct reader *r)
{
    size_t bytes = reader_sift(r);
    size_t front = sizeof(struct robots) + r->nrules * sizeof(struct rule) +
                   r->nsitemaps * sizeof(struct text);
    struct robots *out = mem_zero(1, front + bytes);
    struct text *sitemaps;

    out->magic = MAGIC;
    out->size = (uint32_t)front;
    out->delay = r->names_us ? r->delay_us : r->delay_all;
    out->nrules = (uint32_t)r->nrules;
    out->nsitemaps = r->nsitemaps;
    out->names_us = r->names_us;
    for (size_t i = 0; i < r->nrules; i++)
        out->rules[i] = rule_make(out, &out->size, &r->rules[i]);
    sitemaps = (struct text *)(out->rules + out->nrules);
    for (uint32_t i = 0; i < r->nsitemaps; i++) {
        sitemaps[i] = (struct text){out->size, (uint32_t)r->sitemaps[i].len};
        memcpy((char *)out + out->size, r->sitemaps[i].ptr, r->sitemaps[i].len);
        out->size += sitemaps[i].len;
    }
    if (out->nrules)
        qsort(out->rules, out->nrules, sizeof *out->rules, rule_order);
    return mem_resize(out, out->size, 1);
}

/* The RFC wants UTF-8; a byte order mark of UTF-16 says that it is not. */
static struct str in_utf8(struct str text, struct charset_reader **ret)
{
    size_t mark;
    const struct charset *c = charset_of_bom(text, &mark);

    if (c == NULL || c->form != CHARSET_WIDE_16)
        return text;
    *ret = charset_reader_new();
    return charset_decode(*ret, c, str_sub(text, mark, text.len));
}

struct robots *robots_parse(struct str text, struct str token)
{
    struct reader *r = MEM_NEW(struct reader);
    struct charset_reader *decoder = NULL;
    struct robots *out;

    r->token = robots_token(token);
    r->delay_us = r->delay_all = -1;
    read_lines(r, in_utf8(str_sub(text, 0, LIMIT_ROBOTS), &decoder));
    out = reader_finish(r);
    charset_reader_free(decoder);
    free(r->rules);
    free(r);
    return out;
}

void robots_free(struct robots *r)
{
    free(r);
}

/* ---- asking ------------------------------------------------------------------ */

/* Does `pattern` (with *) match a prefix of `path`, or all of it if anchored? The
 * pieces between stars are found leftmost first; for an anchored pattern the
 * last piece must stand at the end. */
static bool pattern_matches(struct str pattern, bool anchored, struct str path)
{
    size_t star = str_find_char(pattern, '*', 0), at, from;

    if (star == SIZE_MAX)
        return anchored ? str_eq(path, pattern) : str_starts(path, pattern);
    if (!str_starts(path, str_sub(pattern, 0, star)))
        return false;
    for (at = star, from = star + 1;; from = star + 1) {
        struct str piece;

        star = str_find_char(pattern, '*', from);
        piece = str_sub(pattern, from, star == SIZE_MAX ? pattern.len : star);
        if (star == SIZE_MAX && anchored)
            return path.len - at >= piece.len && str_ends(path, piece);
        at = str_find(path, piece, at);
        if (at == SIZE_MAX)
            return false;
        at += piece.len;
        if (star == SIZE_MAX)
            return true;
    }
}

bool robots_allows(const struct robots *r, struct str path, unsigned *ret_line)
{
    char normal[3 * LIMIT_URL];

    if (ret_line)
        *ret_line = 0;
    if (str_eq(path, STR("/robots.txt")))
        return true;
    if (!is_normal_path(path)) {
        struct str cut = str_sub(path, 0, LIMIT_URL);
        path = (struct str){normal, put_normal(normal, cut, IN_PATH)};
    }
    for (uint32_t i = 0; i < r->nrules; i++) {
        const struct rule *rule = &r->rules[i];
        if (!pattern_matches(text_str(r, rule->pattern), rule->anchored, path))
            continue;
        if (ret_line)
            *ret_line = rule->line;
        return rule->allow;
    }
    return true;
}

int64_t robots_delay(const struct robots *r)
{
    return r->delay;
}

unsigned robots_sitemap_count(const struct robots *r)
{
    return r->nsitemaps;
}

struct str robots_sitemap(const struct robots *r, unsigned i)
{
    return i < r->nsitemaps ? text_str(r, sitemaps_of(r)[i]) : STR("");
}

bool robots_names_us(const struct robots *r)
{
    return r->names_us;
}

/* ---- keeping ------------------------------------------------------------------ */

struct str robots_saved(const struct robots *r)
{
    return (struct str){(const char *)r, r->size};
}

size_t robots_bytes(const struct robots *r)
{
    return r->size;
}

static bool text_is_inside(const struct robots *r, struct text t)
{
    return t.off <= r->size && t.len <= r->size - t.off;
}

static bool robots_are_sound(const struct robots *r, size_t size)
{
    uint64_t front;

    if (r->magic != MAGIC || r->size != size || r->nsitemaps > LIMIT_ROBOTS_SITEMAPS)
        return false;
    front = sizeof *r + (uint64_t)r->nrules * sizeof *r->rules +
            (uint64_t)r->nsitemaps * sizeof(struct text);
    if (front > size)
        return false;
    for (uint32_t i = 0; i < r->nrules; i++)
        if (!text_is_inside(r, r->rules[i].pattern))
            return false;
    for (uint32_t i = 0; i < r->nsitemaps; i++)
        if (!text_is_inside(r, sitemaps_of(r)[i]))
            return false;
    return true;
}

struct robots *robots_restore(struct str bytes)
{
    struct robots *r;

    if (bytes.len < sizeof *r || bytes.len > 4 * LIMIT_ROBOTS * sizeof(struct rule))
        return NULL;
    r = mem_alloc(bytes.len);
    memcpy(r, bytes.ptr, bytes.len);
    if (robots_are_sound(r, bytes.len))
        return r;
    free(r);
    return NULL;
}
