/* url.c - the WHATWG URL parser for http and https.
 *
 * In: a link as it was written, and the URL of the page it stands on. Out: its
 * one serialised form with the parts marked in it.
 *
 *   scheme --+--> slashes --> authority --> host, port --> path --> query --> fragment
 *            +--> relative -+-> relative_slash --> path
 *                           +-> (base's path or query kept) --> path, query, fragment
 *
 * One function per state, each ending in a call of the next. Since the parts of an URL
 * come in the order in which they are serialised, every state appends to one buffer,
 * and what is taken from the base is one memcpy of its front. Only path segments are
 * ever removed again, by "..".
 *
 * Workload: some 50 calls a page, inputs of 10 to 100 bytes, nearly all ASCII;
 * a fourth absolute. Memory is one arena block, trimmed to its size at the end.
 *
 * Source: https://url.spec.whatwg.org/#url-parsing. We differ: other schemes are
 * only recognised (ST_REFUSED); bytes that are not UTF-8 are escaped as they are;
 * queries are always UTF-8, never the page's encoding; validation errors that are no
 * failures are not reported.
 * SPDX-License-Identifier: MIT
 */
#include "parse/url.h"

#include "base/limits.h"
#include "base/look.h"
#include "parse/url_host.h"

/* What a byte means to the states; the first four say in which parts it is escaped. */
#define ESC_FRAGMENT 1u
#define ESC_QUERY    2u
#define ESC_PATH     4u
#define ESC_USER     8u
#define PATH_STOP    16u /* ends a path segment: / \ ? # */

#define ESC_ALL      (ESC_FRAGMENT | ESC_QUERY | ESC_PATH | ESC_USER)

static const uint8_t byte_class[256] = {
    [0 ... 0x20] = ESC_ALL,
    [0x7f ... 0xff] = ESC_ALL,
    ['"'] = ESC_ALL,
    ['<'] = ESC_ALL,
    ['>'] = ESC_ALL,
    ['`'] = ESC_FRAGMENT | ESC_PATH | ESC_USER,
    ['#'] = ESC_QUERY | ESC_PATH | ESC_USER | PATH_STOP,
    ['\''] = ESC_QUERY,
    ['?'] = ESC_PATH | ESC_USER | PATH_STOP,
    ['^'] = ESC_PATH | ESC_USER,
    ['{'] = ESC_PATH | ESC_USER,
    ['}'] = ESC_PATH | ESC_USER,
    ['/'] = ESC_USER | PATH_STOP,
    ['\\'] = ESC_USER | PATH_STOP,
    [':'] = ESC_USER,
    [';'] = ESC_USER,
    ['='] = ESC_USER,
    ['@'] = ESC_USER,
    ['['] = ESC_USER,
    [']'] = ESC_USER,
    ['|'] = ESC_USER,
};

/* Room besides three times the input and the base: "https://", an IPv6 address. */
#define SLACK 96

/* An interval [from, to) of the output. */
struct url_part {
    uint32_t from, to;
};

struct parser {
    struct str in;          /* trimmed, without tabs and newlines */
    size_t at;              /* where the next state reads */
    const struct url *base; /* may be NULL */
    struct arena *arena;
    char *out; /* the URL so far; room for cap bytes and a NUL */
    size_t len, cap;
    bool tls; /* https */
    bool has_port, has_query, has_fragment;
    uint16_t port;
    struct url_part user, password, host, path, query, fragment;
};

/* ---- output -------------------------------------------------------------- */

static void put(struct parser *p, const char *data, size_t len)
{
    memcpy(p->out + p->len, data, len);
    p->len += len;
}

static void put_char(struct parser *p, char c)
{
    p->out[p->len++] = c;
}

/* Appends in[at, end), escaping the bytes whose class has `mask`. */
static void put_escaped(struct parser *p, size_t end, unsigned mask)
{
    static const char hex[] = "0123456789ABCDEF";
    const unsigned char *in = (const unsigned char *)p->in.ptr;
    char *out = p->out + p->len;
    size_t at = p->at;

    for (; at < end; at++) {
        unsigned char c = in[at];
        if (!(byte_class[c] & mask)) {
            *out++ = (char)c;
            continue;
        }
        *out++ = '%';
        *out++ = hex[c >> 4];
        *out++ = hex[c & 15];
    }
    p->at = at;
    p->len = (size_t)(out - p->out);
}

static struct url_part part_since(const struct parser *p, size_t from)
{
    return (struct url_part){(uint32_t)from, (uint32_t)p->len};
}

/* Returns a part of the base, which is at the same place in the output. */
static struct url_part part_of_base(const struct parser *p, struct str s)
{
    size_t from = s.len ? (size_t)(s.ptr - p->base->href.ptr) : 0;

    return (struct url_part){(uint32_t)from, (uint32_t)(from + s.len)};
}

static struct str part_str(const struct parser *p, struct url_part part)
{
    return (struct str){p->out + part.from, part.to - part.from};
}

/* Returns the byte at `at`, or 0 after the end (a NUL in the input is not a separator, so the two
 * need not be distinguished). */
static char peek(const struct parser *p)
{
    return p->at < p->in.len ? p->in.ptr[p->at] : '\0';
}

static bool is_slash(char c)
{
    return c == '/' || c == '\\';
}

/* Copies the base up to and including its authority. */
static void take_authority(struct parser *p)
{
    const struct url *b = p->base;

    put(p, b->href.ptr, (size_t)(b->path.ptr - b->href.ptr));
    p->user = part_of_base(p, b->user);
    p->password = part_of_base(p, b->password);
    p->host = part_of_base(p, b->host);
    p->port = b->port;
    p->has_port = b->has_port;
}

/* Copies the base's path, which follows its authority. */
static void take_path(struct parser *p)
{
    size_t from = p->len;

    put(p, p->base->path.ptr, p->base->path.len);
    p->path = part_since(p, from);
}

static void take_query(struct parser *p)
{
    size_t from;

    if (!p->base->has_query)
        return;
    put_char(p, '?');
    from = p->len;
    if (p->base->query.len)
        put(p, p->base->query.ptr, p->base->query.len);
    p->query = part_since(p, from);
    p->has_query = true;
}

/* ---- the end of a URL: path, query, fragment ------------------------------ */

static enum status state_fragment(struct parser *p)
{
    size_t from;

    p->at++; /* # */
    put_char(p, '#');
    from = p->len;
    put_escaped(p, p->in.len, ESC_FRAGMENT);
    p->fragment = part_since(p, from);
    p->has_fragment = true;
    return ST_OK;
}

static enum status state_query(struct parser *p)
{
    size_t end = str_find_char(p->in, '#', ++p->at), from;

    put_char(p, '?');
    from = p->len;
    put_escaped(p, end < p->in.len ? end : p->in.len, ESC_QUERY);
    p->query = part_since(p, from);
    p->has_query = true;
    return peek(p) == '#' ? state_fragment(p) : ST_OK;
}

/* Returns how many dots a segment has, written plainly or as %2e; 0 if it has anything else. */
static unsigned segment_dots(const char *s, size_t len)
{
    unsigned dots = 0;

    if (len == 0 || len > 6 || (s[0] != '.' && s[0] != '%'))
        return 0;
    for (size_t i = 0; i < len; dots++) {
        if (s[i] == '.')
            i++;
        else if (i + 2 < len && s[i] == '%' && s[i + 1] == '2' && (s[i + 2] | 32) == 'e')
            i += 3;
        else
            return 0;
    }
    return dots <= 2 ? dots : 0;
}

/* Removes the last segment of the path; the slash before it stays: "/a/b/" -> "/a/",
 * "/a/b" -> "/a/", "/" -> "/". */
static void path_shorten(struct parser *p)
{
    size_t first = p->path.from + 1; /* after the slash that always stays */

    while (p->len > first && p->out[p->len - 1] != '/')
        p->len--;
}

/* Reads a path segment. The output ends in the slash before it. */
static enum status state_path(struct parser *p)
{
    for (;;) {
        size_t end = p->at, from = p->len;
        unsigned dots;

        while (end < p->in.len && !(byte_class[(unsigned char)p->in.ptr[end]] & PATH_STOP))
            end++;
        dots = segment_dots(p->in.ptr + p->at, end - p->at);
        if (dots == 0)
            put_escaped(p, end, ESC_PATH);
        p->at = end;
        if (dots == 2) {
            p->len = from > p->path.from + 1u ? from - 1 : from;
            path_shorten(p);
        }
        if (!is_slash(peek(p)))
            break;
        p->at++;
        if (dots == 0)
            put_char(p, '/');
    }
    p->path = part_since(p, p->path.from);
    if (peek(p) == '?')
        return state_query(p);
    return peek(p) == '#' ? state_fragment(p) : ST_OK;
}

/* After the authority a path always begins with a slash, written or not. */
static enum status state_path_start(struct parser *p)
{
    p->path.from = (uint32_t)p->len;
    put_char(p, '/');
    if (is_slash(peek(p)))
        p->at++;
    return state_path(p);
}

/* ---- the front: scheme, authority ----------------------------------------- */

static enum status state_port(struct parser *p, size_t end)
{
    unsigned port = 0;
    size_t first = ++p->at;

    for (; p->at < end; p->at++) {
        if (!ascii_is_digit(p->in.ptr[p->at]))
            return status_fail(ST_INVALID, "the port is not a number");
        port = port * 10 + (unsigned)(p->in.ptr[p->at] - '0');
        if (port > UINT16_MAX)
            return status_fail(ST_INVALID, "the port is larger than 65535");
    }
    if (first == end || port == p->port)
        return state_path_start(p);
    p->port = (uint16_t)port;
    p->has_port = true;
    put_char(p, ':');
    for (unsigned unit = 10000; unit > 0; unit /= 10)
        if (port >= unit || unit == 1)
            put_char(p, (char)('0' + port / unit % 10));
    return state_path_start(p);
}

/* Reads the host, in[at, end), up to a colon outside brackets. */
static enum status state_host(struct parser *p, size_t end)
{
    size_t colon = p->at, len;
    bool inside = false;
    char host[URL_HOST_MAX];

    for (; colon < end; colon++) {
        char c = p->in.ptr[colon];
        if (c == ':' && !inside)
            break;
        inside = c == '[' || (inside && c != ']');
    }
    len = url_host_parse(str_sub(p->in, p->at, colon), host);
    if (len == 0)
        return status_fail(ST_INVALID, "the host is empty or not a host");
    if (p->len + len + 3 * (p->in.len - colon) + SLACK / 2 > p->cap) {
        size_t cap = p->cap + URL_HOST_MAX;
        p->out = arena_grow(p->arena, p->out, p->cap + 1, cap + 1);
        if (p->out == NULL)
            return status_fail(ST_LIMIT, "no memory left for this page");
        p->cap = cap;
    }
    p->host.from = (uint32_t)p->len;
    put(p, host, len);
    p->host.to = (uint32_t)p->len;
    p->at = colon;
    return colon < end ? state_port(p, end) : state_path_start(p);
}

/* Writes "user:password@" from in[at, end), or nothing if both are empty. */
static void put_credentials(struct parser *p, size_t end)
{
    size_t colon = str_find_char(str_sub(p->in, 0, end), ':', p->at), from = p->len;

    put_escaped(p, colon < end ? colon : end, ESC_USER);
    p->user = part_since(p, from);
    if (colon < end && colon + 1 < end) {
        put_char(p, ':');
        p->at = colon + 1;
        from = p->len;
        put_escaped(p, end, ESC_USER);
        p->password = part_since(p, from);
    }
    if (p->user.from != p->user.to || p->password.from != p->password.to)
        put_char(p, '@');
}

static enum status state_authority(struct parser *p)
{
    size_t end = p->at, sign = SIZE_MAX;

    for (; end < p->in.len; end++) {
        char c = p->in.ptr[end];
        if (is_slash(c) || c == '?' || c == '#')
            break;
        if (c == '@')
            sign = end;
    }
    put(p, p->tls ? "https://" : "http://", p->tls ? 8 : 7);
    p->port = p->tls ? 443 : 80;
    if (sign != SIZE_MAX) {
        put_credentials(p, sign);
        p->at = sign + 1;
    }
    return state_host(p, end);
}

/* For http and https any number of slashes may stand before the authority. */
static enum status state_slashes(struct parser *p)
{
    while (p->at < p->in.len && is_slash(p->in.ptr[p->at]))
        p->at++;
    return state_authority(p);
}

static enum status state_relative_slash(struct parser *p)
{
    p->at++;
    if (is_slash(peek(p)))
        return state_slashes(p);
    take_authority(p);
    p->at--;
    return state_path_start(p);
}

static enum status state_relative(struct parser *p)
{
    char c = peek(p);

    if (is_slash(c))
        return state_relative_slash(p);
    take_authority(p);
    take_path(p);
    if (c == '?')
        return state_query(p);
    if (p->at == p->in.len || c == '#') {
        take_query(p);
        return c == '#' ? state_fragment(p) : ST_OK;
    }
    path_shorten(p);
    return state_path(p);
}

/* Returns the length of "scheme" if the input begins with "scheme:", or 0. */
static size_t scheme_len(struct str in)
{
    size_t n = 0;

    if (in.len == 0 || !ascii_is_alpha(in.ptr[0]))
        return 0;
    while (n < in.len && (ascii_is_alpha(in.ptr[n]) || ascii_is_digit(in.ptr[n]) ||
                          in.ptr[n] == '+' || in.ptr[n] == '-' || in.ptr[n] == '.'))
        n++;
    return n < in.len && in.ptr[n] == ':' ? n : 0;
}

static enum status state_scheme(struct parser *p)
{
    size_t n = scheme_len(p->in);
    struct str scheme = str_sub(p->in, 0, n);
    bool slashes;

    if (n == 0 && p->base == NULL)
        return status_fail(ST_INVALID, "a relative URL without a base");
    p->tls = n ? str_eq_i(scheme, STR("https")) : p->base->scheme.len == 5;
    if (n == 0)
        return state_relative(p);
    if (!p->tls && !str_eq_i(scheme, STR("http")))
        return status_fail(ST_REFUSED, "neither http nor https");
    p->at = n + 1;
    slashes = p->at + 1 < p->in.len && p->in.ptr[p->at] == '/' && p->in.ptr[p->at + 1] == '/';
    if (p->base != NULL && !slashes && str_eq_i(p->base->scheme, scheme))
        return state_relative(p);
    return state_slashes(p);
}

/* ---- in and out ----------------------------------------------------------- */

/* Returns the string without C0 controls and spaces at both ends. */
static struct str trim(struct str s)
{
    while (s.len && (unsigned char)s.ptr[0] <= ' ')
        s.ptr++, s.len--;
    while (s.len && (unsigned char)s.ptr[s.len - 1] <= ' ')
        s.len--;
    return s;
}

static bool is_dropped(char c)
{
    return c == '\t' || c == '\n' || c == '\r';
}

/* Returns the string without tabs and newlines; only if there are any, it is a copy, of at most
 * LIMIT_URL + 1 bytes. {NULL, 0} if the arena is full. */
static struct str without_breaks(struct str s, struct arena *arena)
{
    size_t i = 0, len;
    char *copy;

    while (i + LOOK <= s.len && !look_bits(look_at(s.ptr + i) < ' '))
        i += LOOK;
    while (i < s.len && !is_dropped(s.ptr[i]))
        i++;
    if (i == s.len || i > LIMIT_URL)
        return s;
    copy = arena_alloc(arena, s.len <= LIMIT_URL ? s.len : LIMIT_URL + 1);
    if (copy == NULL)
        return (struct str){NULL, 0};
    memcpy(copy, s.ptr, i);
    for (len = i; i < s.len && len <= LIMIT_URL; i++)
        if (!is_dropped(s.ptr[i]))
            copy[len++] = s.ptr[i];
    return (struct str){copy, len};
}

static struct url finished(const struct parser *p)
{
    return (struct url){
        .href = {p->out, p->len},
        .scheme = {p->out, p->tls ? 5 : 4},
        .user = part_str(p, p->user),
        .password = part_str(p, p->password),
        .host = part_str(p, p->host),
        .path = part_str(p, p->path),
        .query = part_str(p, p->query),
        .fragment = part_str(p, p->fragment),
        .port = p->port,
        .has_port = p->has_port,
        .has_query = p->has_query,
        .has_fragment = p->has_fragment,
    };
}

/* A longer input can only be refused: as too long, or because of its scheme. */
static enum status too_long(struct str in)
{
    size_t n = scheme_len(in);
    struct str scheme = str_sub(in, 0, n);

    if (n && !str_eq_i(scheme, STR("http")) && !str_eq_i(scheme, STR("https")))
        return status_fail(ST_REFUSED, "neither http nor https");
    return status_fail(ST_LIMIT, "longer than %d bytes", LIMIT_URL);
}

enum status url_parse(struct str input, const struct url *base, struct arena *arena,
                      struct url *ret)
{
    struct parser p = {.base = base, .arena = arena};
    enum status st;

    p.in = without_breaks(trim(input), arena);
    if (p.in.len > LIMIT_URL)
        return too_long(p.in);
    p.cap = 3 * p.in.len + (base ? base->href.len : 0) + SLACK;
    p.out = arena_alloc(arena, p.cap + 1);
    if (p.out == NULL)
        return status_fail(ST_LIMIT, "no memory left for this page");
    st = state_scheme(&p);
    if (st == ST_OK && p.len > LIMIT_URL)
        st = status_fail(ST_LIMIT, "longer than %d bytes", LIMIT_URL);
    if (p.out == NULL) /* it could not grow */
        return st;
    if (st != ST_OK) {
        arena_trim(arena, p.out, p.cap + 1, 0);
        return st;
    }
    p.out[p.len] = '\0';
    arena_trim(arena, p.out, p.cap + 1, p.len + 1);
    *ret = finished(&p);
    return ST_OK;
}
