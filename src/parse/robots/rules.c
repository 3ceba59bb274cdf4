/* robots_rules.c - from the lines of a robots.txt that concern us to its rules.
 *
 * In: patterns as written, with their lines. Out: the block of robots_int.h: one
 * spelling of escapes, equal patterns once, a run of stars as one, none at the end
 * (there it means nothing but a byte of strength); literals sorted by text, each
 * with the longest other literal that is a prefix of it.
 *
 * Beyond LIMIT_ROBOTS_STATES a pattern with stars is not compared any more, the
 * shortest ones first: then an Allow is left out, and a Disallow forbids all that
 * begins with its text before the first star. If a file has more than we compare,
 * we forbid too much rather than too little.
 *
 * Workload: once a host a day; 10 to 100 rules, at most LIMIT_ROBOTS_RULES.
 * SPDX-License-Identifier: MIT
 */
#include "parse/robots/robots_int.h"

#include "base/mem.h"

#include <stdlib.h>

/* ---- one spelling ---------------------------------------------------------- */

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

/* Is this byte written plainly in normal form, given whether it was escaped? */
static bool is_plain(unsigned char c, bool escaped, bool in_query, enum spelling kind)
{
    if (c == '*' || c == '$')
        return !escaped && c == '*' && kind == IN_PATTERN;
    if (is_unreserved(c) || (in_query && (c == ':' || c == '/' || c == '@')))
        return true;
    return !escaped && c > ' ' && c < 0x7f;
}

size_t robots_normal(char *out, struct str s, enum spelling kind)
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

/* ---- patterns --------------------------------------------------------------- */

/* `rule` does not have its place in the block yet. */
struct rule_pattern {
    struct str text;
    struct rule rule;
    bool wild;
};

/* Removes stars that follow a star or end the text; returns the rest. */
static struct str stars_fold(char *text, size_t len)
{
    size_t n = 0;

    for (size_t i = 0; i < len; i++)
        if (text[i] != '*' || n == 0 || text[n - 1] != '*')
            text[n++] = text[i];
    if (n && text[n - 1] == '*')
        n--;
    return (struct str){text, n};
}

static struct rule_pattern pattern_make(const struct found *f, char *room)
{
    bool ends = f->pattern.ptr[f->pattern.len - 1] == '$';
    size_t len = robots_normal(room, str_sub(f->pattern, 0, f->pattern.len - ends), IN_PATTERN);
    struct rule_pattern p = {.rule = {.line = f->line, .allow = f->allow}};

    if (ends)
        room[len++] = '$';
    p.rule.strength = (uint32_t)len;
    p.text = stars_fold(room, len);
    p.wild = str_find_char(p.text, '*', 0) != SIZE_MAX;
    return p;
}

static int by_strength(const void *a, const void *b)
{
    const struct rule_pattern *x = a, *y = b;

    return rule_is_stronger(&y->rule, &x->rule) - rule_is_stronger(&x->rule, &y->rule);
}

/* Among equal texts the strongest comes first. */
static int by_text(const void *a, const void *b)
{
    const struct rule_pattern *x = a, *y = b;
    int order =
        memcmp(x->text.ptr, y->text.ptr, x->text.len < y->text.len ? x->text.len : y->text.len);

    if (order == 0)
        order = (x->text.len > y->text.len) - (x->text.len < y->text.len);
    return order ? order : by_strength(a, b);
}

struct rule_patterns {
    struct rule_pattern *items; /* heap */
    size_t count;
};

/* Sorts by text and keeps only the strongest rule of each text. */
static void patterns_merge(struct rule_patterns *p)
{
    size_t kept = 0;

    if (p->count)
        qsort(p->items, p->count, sizeof *p->items, by_text);
    for (size_t i = 0; i < p->count; i++)
        if (kept == 0 || !str_eq(p->items[kept - 1].text, p->items[i].text))
            p->items[kept++] = p->items[i];
    p->count = kept;
}

/* Takes the rules with stars out of `all`, and sorts the strongest first. */
static struct rule_patterns wild_take(struct rule_patterns *all)
{
    struct rule_patterns wild = {mem_zero(all->count + 1, sizeof *wild.items), 0};
    size_t kept = 0;

    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].wild)
            wild.items[wild.count++] = all->items[i];
        else
            all->items[kept++] = all->items[i];
    all->count = kept;
    if (wild.count)
        qsort(wild.items, wild.count, sizeof *wild.items, by_strength);
    return wild;
}

/* Rules that the machine has no room for become literals, or are dropped. Returns
 * true if there were any. */
static bool wild_fit(struct rule_patterns *wild, struct rule_patterns *literals)
{
    size_t kept = 0, states = 0;

    for (size_t i = 0; i < wild->count; i++) {
        struct rule_pattern *p = &wild->items[i];
        size_t more = machine_states(p->text);

        if (states + more <= LIMIT_ROBOTS_STATES) {
            states += more;
            wild->items[kept++] = *p;
        } else if (!p->rule.allow) {
            p->text.len = str_find_char(p->text, '*', 0);
            literals->items[literals->count++] = *p; /* there is room: it was taken from there */
        }
    }
    if (kept == wild->count)
        return false;
    wild->count = kept;
    patterns_merge(literals);
    return true;
}

/* Links each literal to the longest other literal that is a prefix of it. If that one is stronger,
 * the literal can never decide and is dropped. */
static void literals_link(struct rule_patterns *l)
{
    struct rule_pattern *p = l->items;
    uint32_t kept = 0;

    for (size_t i = 0; i < l->count; i++) {
        uint32_t up = kept;

        while (up && !str_starts(p[i].text, p[up - 1].text))
            up = p[up - 1].rule.link;
        if (up && rule_is_stronger(&p[up - 1].rule, &p[i].rule))
            continue;
        p[kept] = p[i];
        p[kept++].rule.link = up;
    }
    l->count = kept;
}

/* ---- the block ---------------------------------------------------------------- */

static struct rule_text text_put(struct robots *r, struct str s)
{
    struct rule_text t = {r->saved, (uint32_t)s.len};

    if (s.len)
        memcpy((char *)r + r->saved, s.ptr, s.len);
    r->saved += t.len;
    return t;
}

static void rules_put(struct robots *r, struct rule *to, const struct rule_patterns *from)
{
    for (size_t i = 0; i < from->count; i++) {
        struct rule_text t = text_put(r, from->items[i].text);

        to[i] = from->items[i].rule;
        to[i].off = t.off;
        to[i].len = t.len;
    }
}

static size_t texts_bytes(const struct rule_patterns *p)
{
    size_t bytes = 0;

    for (size_t i = 0; i < p->count; i++)
        bytes += p->items[i].text.len;
    return bytes;
}

static struct robots *block_make(const struct rule_patterns *literals,
                                 const struct rule_patterns *wild, const struct str *sitemaps,
                                 uint32_t nsitemaps)
{
    size_t nrules = literals->count + wild->count;
    size_t front =
        sizeof(struct robots) + nrules * sizeof(struct rule) + nsitemaps * sizeof(struct rule_text);
    size_t bytes = texts_bytes(literals) + texts_bytes(wild);
    struct robots *r;
    struct rule_text *to;

    for (uint32_t i = 0; i < nsitemaps; i++)
        bytes += sitemaps[i].len;
    r = mem_zero(1, front + bytes);
    r->saved = (uint32_t)front;
    r->nliterals = (uint32_t)literals->count;
    r->nwild = (uint32_t)wild->count;
    r->nsitemaps = nsitemaps;
    rules_put(r, r->rules, literals);
    rules_put(r, r->rules + literals->count, wild);
    to = (struct rule_text *)(r->rules + nrules);
    for (uint32_t i = 0; i < nsitemaps; i++)
        to[i] = text_put(r, sitemaps[i]);
    return r;
}

struct robots *rules_make(const struct found *found, size_t count, const struct str *sitemaps,
                          uint32_t nsitemaps)
{
    struct rule_patterns literals = {mem_zero(count + 1, sizeof *literals.items), count}, wild;
    size_t room = 0, used = 0;
    struct robots *r;
    bool widened;
    char *texts;

    for (size_t i = 0; i < count; i++)
        room += 3 * found[i].pattern.len;
    texts = mem_alloc(room + 1);
    for (size_t i = 0; i < count; i++) {
        literals.items[i] = pattern_make(&found[i], texts + used);
        used += literals.items[i].text.len;
    }
    patterns_merge(&literals);
    wild = wild_take(&literals);
    widened = wild_fit(&wild, &literals);
    literals_link(&literals);
    r = block_make(&literals, &wild, sitemaps, nsitemaps);
    r->widened = widened;
    free(literals.items);
    free(wild.items);
    free(texts);
    return machine_add(r);
}
