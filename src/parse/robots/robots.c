/* robots.c - what a host asks of crawlers: robots.txt (RFC 9309) and robots tags.
 *
 * In: a robots.txt and our product token. Out: one block of memory (robots_int.h)
 * that says which line decides about a path.
 *
 * Workload: parsed once a host a day; asked for every URL of it; some 10 to 100
 * rules, a few of them with a `*`.
 *
 * Source: RFC 9309. Where it leaves a choice: misspelt field names in the table
 * below and a missing colon are understood, as Google does; Crawl-delay does not
 * end a list of user-agent lines (2.2.4: other records must not interfere); a
 * pattern that begins with neither `/` nor `*` matches nothing; index.html does
 * not stand for its folder.
 * SPDX-License-Identifier: MIT
 */
#include "parse/robots/robots.h"

#include "base/mem.h"
#include "base/os/clock.h"
#include "flow.h"
#include "parse/charset.h"
#include "parse/use.h"
#include "parse/robots/robots_int.h"

#include <stdlib.h>

/* ---- tags: X-Robots-Tag and meta robots ----
 *
 * Parts are separated by commas; a crawler's name and a colon apply to what
 * follows, until the next name or the end of the field. Source: the search engines'
 * documentation; there is no standard. */

/* Returns the product token at the start: letters, - and _. */
static struct str robots_token(struct str s)
{
    size_t n = 0;

    while (n < s.len && (ascii_is_alpha(s.ptr[n]) || s.ptr[n] == '-' || s.ptr[n] == '_'))
        n++;
    return str_sub(s, 0, n);
}

static const struct {
    struct str word;
    unsigned flags;
} tags[] = {
    {STR("noindex"), ROBOTS_NOINDEX},
    {STR("nofollow"), ROBOTS_NOFOLLOW},
    {STR("noarchive"), ROBOTS_NOARCHIVE},
    {STR("nocache"), ROBOTS_NOARCHIVE},
    {STR("noai"), ROBOTS_NOAI},
    {STR("noimageai"), ROBOTS_NOIMAGEAI},
    {STR("none"), ROBOTS_NOINDEX | ROBOTS_NOFOLLOW},
};

/* Directives with a value, which are not names of crawlers. */
static const struct str valued_tags[] = {STR("unavailable_after"), STR("max-snippet"),
                                         STR("max-image-preview"), STR("max-video-preview")};

static unsigned tag_flags(struct str words)
{
    unsigned flags = 0;
    size_t from = 0, to;

    for (; from < words.len; from = to + 1) {
        for (to = from; to < words.len && !ascii_is_space(words.ptr[to]) && words.ptr[to] != ';';)
            to++;
        for (size_t i = 0; i < ARRAY_LEN(tags); i++)
            if (str_eq_i(str_sub(words, from, to), tags[i].word))
                flags |= tags[i].flags;
    }
    return flags;
}

/* Returns the crawler's name or the directive before a colon in "name: rest", or an empty text. */
static struct str tag_name(struct str part)
{
    struct str name = robots_token(part);
    size_t at = name.len;

    if (at == 0 && part.len && part.ptr[0] == '*')
        name = str_sub(part, 0, ++at);
    while (at < part.len && ascii_is_space(part.ptr[at]))
        at++;
    return at < part.len && part.ptr[at] == ':' ? name : STR("");
}

static bool tag_has_value(struct str name)
{
    for (size_t i = 0; i < ARRAY_LEN(valued_tags); i++)
        if (str_eq_i(name, valued_tags[i]))
            return true;
    return false;
}

/* Reads one field. `token` is only the product token. */
static unsigned field_flags(struct str field, struct str token)
{
    unsigned flags = 0;
    bool ours = true;
    struct str part;

    while (str_cut(&field, ',', &part)) {
        struct str name;

        part = str_trim(part);
        name = tag_name(part);
        if (name.len && tag_has_value(name))
            continue;
        if (name.len) {
            ours = str_eq_i(name, token) || str_eq_i(name, STR("robots")) || name.ptr[0] == '*';
            part = str_sub(part, str_find_char(part, ':', 0) + 1, part.len);
        }
        if (ours)
            flags |= tag_flags(part);
    }
    return flags;
}

unsigned robots_tag(struct str value, struct str token)
{
    unsigned flags = 0;
    struct str field;

    token = robots_token(token);
    while (str_cut(&value, '\n', &field))
        flags |= field_flags(field, token);
    return flags;
}

#define MAGIC 0x32626f72u /* "rob2", the layout of robots_int.h */

static const struct rule_text *sitemaps_of(const struct robots *r)
{
    return (const struct rule_text *)(r->rules + r->nliterals + r->nwild);
}

/* ---- reading the file ------------------------------------------------------- */

enum robots_field {
    FIELD_OTHER,
    FIELD_AGENT,
    FIELD_ALLOW,
    FIELD_DISALLOW,
    FIELD_DELAY,
    FIELD_SITEMAP,
    FIELD_SIGNAL,
    FIELD_LICENSE
};

static const struct {
    struct str name;
    enum robots_field field;
} fields[] = {
    {STR("user-agent"), FIELD_AGENT},      {STR("useragent"), FIELD_AGENT},
    {STR("user agent"), FIELD_AGENT},      {STR("allow"), FIELD_ALLOW},
    {STR("disallow"), FIELD_DISALLOW},     {STR("dissallow"), FIELD_DISALLOW},
    {STR("dissalow"), FIELD_DISALLOW},     {STR("disalow"), FIELD_DISALLOW},
    {STR("diasllow"), FIELD_DISALLOW},     {STR("disallaw"), FIELD_DISALLOW},
    {STR("crawl-delay"), FIELD_DELAY},     {STR("crawldelay"), FIELD_DELAY},
    {STR("sitemap"), FIELD_SITEMAP},       {STR("site-map"), FIELD_SITEMAP},
    {STR("content-signal"), FIELD_SIGNAL}, {STR("content-signals"), FIELD_SIGNAL},
    {STR("content-usage"), FIELD_SIGNAL},  {STR("license"), FIELD_LICENSE},
};

/* The rules of the groups for one name. */
struct rule_list {
    struct found *items; /* heap */
    size_t count, cap;
    int64_t delay; /* us; -1 none */
    bool is_named; /* there is a group for the name */
    bool is_read;  /* the current group is one of them */
};

struct robots_reader {
    struct str token;         /* ours */
    struct rule_list us, all; /* of groups for our token, and for * */
    struct str sitemaps[LIMIT_ROBOTS_SITEMAPS];
    uint32_t nsitemaps;
    struct buf *use;    /* where wishes are added: licences, signals of our group; may be NULL */
    struct buf use_all; /* signals of the group for * */
    bool in_group;      /* a user-agent line was read */
    bool in_rules;      /* the group has a rule: the next user-agent begins a new one */
    uint32_t line;
};

static void read_agent(struct robots_reader *r, struct str value)
{
    r->in_group = true;
    if (r->in_rules)
        r->us.is_read = r->all.is_read = r->in_rules = false;
    if (value.len && value.ptr[0] == '*' && (value.len == 1 || ascii_is_space(value.ptr[1])))
        r->all.is_read = r->all.is_named = true;
    else if (r->token.len && str_eq_i(robots_token(value), r->token))
        r->us.is_read = r->us.is_named = true;
}

static void list_add(struct rule_list *l, struct found f)
{
    if (!l->is_read)
        return;
    MEM_GROW(l->items, l->count, &l->cap);
    l->items[l->count++] = f;
}

static void read_rule(struct robots_reader *r, struct str value, bool allow)
{
    r->in_rules = true;
    if (value.len == 0 || (value.ptr[0] != '/' && value.ptr[0] != '*'))
        return;
    list_add(&r->us, (struct found){.pattern = value, .line = r->line, .allow = allow});
    list_add(&r->all, (struct found){.pattern = value, .line = r->line, .allow = allow});
}

static void list_delay(struct rule_list *l, int64_t us)
{
    if (l->is_read && us > l->delay)
        l->delay = us;
}

/* Of several Crawl-delays of the group the greatest counts. */
static void read_delay(struct robots_reader *r, struct str value)
{
    size_t n = 0;
    double seconds;
    int64_t us;

    while (n < value.len && (ascii_is_digit(value.ptr[n]) || value.ptr[n] == '.'))
        n++;
    if (!str_to_double(str_sub(value, 0, n), &seconds) || !(seconds >= 0))
        return;
    us = seconds < LIMIT_CRAWL_DELAY ? (int64_t)(seconds * US_PER_S) : LIMIT_CRAWL_DELAY * US_PER_S;
    list_delay(&r->us, us);
    list_delay(&r->all, us);
}

/* Signals before the first group apply to everybody. */
static void read_signal(struct robots_reader *r, struct str value)
{
    bool for_all = !r->us.is_named && !r->all.is_named && !r->in_group;

    if (r->use && (r->us.is_read || for_all))
        use_add_signals(r->use, value);
    else if (r->use && r->all.is_read)
        use_add_signals(&r->use_all, value);
}

/* Splits "name: value", or "name value" if the colon was forgotten. */
static enum robots_field line_split(struct str line, struct str *ret_value)
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

static void read_line(struct robots_reader *r, struct str line)
{
    struct str value;
    enum robots_field field;

    line = str_trim(str_sub(line, 0, str_find_char(line, '#', 0)));
    field = line_split(line, &value);
    if (field == FIELD_AGENT)
        read_agent(r, value);
    else if (field == FIELD_ALLOW || field == FIELD_DISALLOW)
        read_rule(r, value, field == FIELD_ALLOW);
    else if (field == FIELD_DELAY)
        read_delay(r, value);
    else if (field == FIELD_SIGNAL)
        read_signal(r, value);
    else if (field == FIELD_LICENSE && r->use)
        use_add_license(r->use, value);
    else if (field == FIELD_SITEMAP && value.len && r->nsitemaps < LIMIT_ROBOTS_SITEMAPS)
        r->sitemaps[r->nsitemaps++] = value;
}

/* Lines end in CR, LF or CRLF. */
static void read_lines(struct robots_reader *r, struct str text)
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

static struct robots *reader_finish(const struct robots_reader *r)
{
    const struct rule_list *l = r->us.is_named ? &r->us : &r->all;
    struct robots *out = rules_make(l->items, l->count, r->sitemaps, r->nsitemaps);

    out->magic = MAGIC;
    out->delay = l->delay;
    out->names_us = r->us.is_named;
    return out;
}

/* The RFC requires UTF-8; a byte order mark of UTF-16 shows that the file is not. */
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
    LOCAL_HEAP struct robots_reader *r = MEM_NEW(struct robots_reader);
    struct charset_reader *decoder = NULL;
    struct robots *out;

    r->token = robots_token(token);
    r->us.delay = r->all.delay = -1;
    read_lines(r, in_utf8(str_sub(text, 0, LIMIT_ROBOTS), &decoder));
    out = reader_finish(r);
    charset_reader_free(decoder);
    free(r->us.items);
    free(r->all.items);
    return out;
}

void robots_wishes(struct str text, struct str token, struct buf *out)
{
    LOCAL_HEAP struct robots_reader *r = MEM_NEW(struct robots_reader);
    struct charset_reader *decoder = NULL;

    r->token = robots_token(token);
    r->use = out;
    buf_init(&r->use_all, KIB(4));
    read_lines(r, in_utf8(str_sub(text, 0, LIMIT_ROBOTS), &decoder));
    if (!r->us.is_named)
        use_join(out, buf_str(&r->use_all));
    charset_reader_free(decoder);
    buf_free(&r->use_all);
    free(r->us.items);
    free(r->all.items);
}

void robots_free(struct robots *r)
{
    free(r);
}

/* ---- asking ------------------------------------------------------------------ */

/* Would robots_normal() leave it unchanged? */
static bool is_normal_path(struct str s)
{
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.ptr[i];
        if (c <= ' ' || c >= 0x7f || c == '%' || c == '*' || c == '$')
            return false;
    }
    return true;
}

static const struct rule *decide(const struct robots *r, struct str path, uint64_t *steps)
{
    char normal[3 * LIMIT_URL + 1];
    size_t len;

    path = str_sub(path, 0, LIMIT_URL);
    len = path.len;
    if (!is_normal_path(path))
        len = robots_normal(normal, path, IN_PATH);
    else if (len)
        memcpy(normal, path.ptr, len);
    normal[len++] = '$';
    return rules_decide(r, (struct str){normal, len}, steps);
}

bool robots_allows(const struct robots *r, struct str path, unsigned *ret_line)
{
    const struct rule *rule = NULL;
    uint64_t steps = 0;

    if (!str_eq(path, STR("/robots.txt")))
        rule = decide(r, path, &steps);
    if (ret_line)
        *ret_line = rule ? rule->line : 0;
    return rule == NULL || rule->allow;
}

bool robots_allows_counted(const struct robots *r, struct str path, uint64_t *steps)
{
    const struct rule *rule = str_eq(path, STR("/robots.txt")) ? NULL : decide(r, path, steps);

    return rule == NULL || rule->allow;
}

bool robots_is_widened(const struct robots *r)
{
    return r->widened;
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
    return i < r->nsitemaps ? robots_text(r, sitemaps_of(r)[i]) : STR("");
}

/* ---- storing ----------------------------------------------------------------- */

struct str robots_saved(const struct robots *r)
{
    return (struct str){(const char *)r, r->saved};
}

size_t robots_bytes(const struct robots *r)
{
    return r->size;
}

static bool text_is_inside(const struct robots *r, struct rule_text t)
{
    return t.off <= r->saved && t.len <= r->saved - t.off;
}

/* Do literals refer only to earlier ones, and has the machine enough room? */
static bool rules_are_sound(const struct robots *r)
{
    uint32_t nrules = r->nliterals + r->nwild;
    size_t states = 0;

    for (uint32_t i = 0; i < nrules; i++) {
        const struct rule *rule = &r->rules[i];

        if (!text_is_inside(r, (struct rule_text){rule->off, rule->len}))
            return false;
        if (i < r->nliterals && rule->link > i)
            return false;
        if (i >= r->nliterals)
            states += machine_states(rule_text(r, rule));
        if (states > LIMIT_ROBOTS_STATES)
            return false;
    }
    return true;
}

static bool robots_are_sound(const struct robots *r, size_t size)
{
    uint64_t front;

    if (r->magic != MAGIC || r->saved != size || r->nliterals > LIMIT_ROBOTS_RULES ||
        r->nwild > LIMIT_ROBOTS_RULES || r->nsitemaps > LIMIT_ROBOTS_SITEMAPS)
        return false;
    front = sizeof *r + ((uint64_t)r->nliterals + r->nwild) * sizeof *r->rules +
            (uint64_t)r->nsitemaps * sizeof(struct rule_text);
    if (front > size || !rules_are_sound(r))
        return false;
    for (uint32_t i = 0; i < r->nsitemaps; i++)
        if (!text_is_inside(r, sitemaps_of(r)[i]))
            return false;
    return true;
}

struct robots *robots_restore(struct str saved)
{
    struct robots *r;

    if (saved.len < sizeof *r || saved.len > 4 * LIMIT_ROBOTS * sizeof(struct rule))
        return NULL;
    r = mem_alloc(saved.len);
    memcpy(r, saved.ptr, saved.len);
    if (robots_are_sound(r, saved.len))
        return machine_add(r);
    free(r);
    return NULL;
}
