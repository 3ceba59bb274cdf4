/* url_norm.c - one spelling for URLs that certainly mean the same page.
 *
 * In: a parsed URL. Out: the text under which the frontier, the store and the
 * seen set know it. url.c has already lowered the host, resolved dot segments and
 * dropped default ports; here escapes get one form, and parameters that only
 * track or keep a session are dropped.
 *
 * Workload: once a link. Most URLs have neither an escape nor a parameter: they
 * are copied in two pieces.
 *
 * Idempotent because: an escape is decoded only to a byte that never needs one;
 * a stray '%' becomes %25, so that no decoded byte can complete an escape; names
 * are looked at after decoding; a path session id stays where its removal would
 * leave a dot segment behind.
 *
 * We differ from crawler-commons' BasicURLNormalizer: runs of slashes, the order
 * of parameters, index pages and trailing dots of hosts stay as they are, since
 * servers do tell them apart.
 * SPDX-License-Identifier: MIT
 */
#include "parse/url_norm.h"

#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"

/* Letters, digits and - . _ ~ mean the same escaped or not (RFC 3986 2.3). */
static bool is_unreserved(int c)
{
    return ascii_is_alpha((char)c) || ascii_is_digit((char)c) || c == '-' || c == '.' || c == '_' ||
           c == '~';
}

static char *put_plain(char *out, struct str s)
{
    memcpy(out, s.ptr, s.len);
    return out + s.len;
}

/* Appends s with its escapes in normal form. Returns the new end of the output. */
static char *put_normal(char *out, struct str s)
{
    static const char hex[] = "0123456789ABCDEF";

    if (memchr(s.ptr, '%', s.len) == NULL) /* as in nearly all URLs */
        return put_plain(out, s);
    for (size_t i = 0; i < s.len; i++) {
        int high, low, c;

        if (s.ptr[i] != '%') {
            *out++ = s.ptr[i];
            continue;
        }
        high = i + 2 < s.len ? ascii_hex(s.ptr[i + 1]) : -1;
        low = i + 2 < s.len ? ascii_hex(s.ptr[i + 2]) : -1;
        if (high >= 0 && low >= 0)
            i += 2;
        c = high >= 0 && low >= 0 ? high * 16 + low : '%';
        if (is_unreserved(c)) {
            *out++ = (char)c;
            continue;
        }
        *out++ = '%';
        *out++ = hex[c >> 4];
        *out++ = hex[c & 15];
    }
    return out;
}

/* ---- parameters that do not choose the page -------------------------------- */

/* Names in any case; a '*' at the end matches any rest. */
static const struct str dropped_names[] = {
    /* where a visitor came from */
    STR("utm_*"),
    STR("gclid"),
    STR("dclid"),
    STR("gbraid"),
    STR("wbraid"),
    STR("gclsrc"),
    STR("fbclid"),
    STR("msclkid"),
    STR("yclid"),
    STR("ymclid"),
    STR("twclid"),
    STR("ttclid"),
    STR("igshid"),
    STR("igsh"),
    STR("li_fat_id"),
    STR("mc_cid"),
    STR("mc_eid"),
    STR("_hsenc"),
    STR("_hsmi"),
    STR("__hssc"),
    STR("__hstc"),
    STR("__hsfp"),
    STR("hsctatracking"),
    STR("mkt_tok"),
    STR("vero_id"),
    STR("vero_conv"),
    STR("oly_anon_id"),
    STR("oly_enc_id"),
    STR("_openstat"),
    STR("_ga"),
    STR("_gl"),
    STR("wickedid"),
    STR("zanpid"),
    STR("pk_campaign"),
    STR("pk_kwd"),
    STR("mtm_*"),
    STR("matomo_*"),
    STR("s_cid"),
    STR("rb_clickid"),
    /* whose visit it is */
    STR("phpsessid"),
    STR("jsessionid"),
    STR("aspsessionid*"),
    STR("asp.net_sessionid"),
    STR("cfid"),
    STR("cftoken"),
    STR("oscsid"),
    STR("zenid"),
};

static bool name_fits(struct str name, struct str pattern)
{
    if (pattern.ptr[pattern.len - 1] != '*')
        return str_eq_i(name, pattern);
    return str_starts_i(name, str_sub(pattern, 0, pattern.len - 1));
}

static bool is_dropped(struct str parameter)
{
    struct str name = str_sub(parameter, 0, str_find_char(parameter, '=', 0));

    if (name.len < 3)
        return false;
    for (size_t i = 0; i < ARRAY_LEN(dropped_names); i++)
        if (ascii_lower(name.ptr[0]) == dropped_names[i].ptr[0] &&
            name_fits(name, dropped_names[i]))
            return true;
    return false;
}

/* Removes parameters from the query [from, out), which is in normal form; also empty
 * ones ("a=1&&b=2&"). */
static char *query_sift(char *from, char *out)
{
    char *to = from;

    for (char *at = from; at < out;) {
        char *end = memchr(at, '&', (size_t)(out - at));
        size_t len = (size_t)((end ? end : out) - at);

        if (len && !is_dropped((struct str){at, len})) {
            if (to != from)
                *to++ = '&';
            memmove(to, at, len);
            to += len;
        }
        at = end ? end + 1 : out;
    }
    return to;
}

static bool is_dot_segment(const char *from, const char *to)
{
    return (to - from == 1 && from[0] == '.') ||
           (to - from == 2 && from[0] == '.' && from[1] == '.');
}

/* Cuts ";jsessionid=..." out of the path [from, out), up to the next ; or /. */
static char *path_sift(char *from, char *out)
{
    static const struct str mark = STR(";jsessionid=");
    char *segment = from, *to = from;

    for (char *at = from; at < out;) {
        struct str rest = {at, (size_t)(out - at)};
        const char *end;

        if (*at == '/')
            segment = to + 1;
        if (*at != ';' || !str_starts_i(rest, mark)) {
            *to++ = *at++;
            continue;
        }
        for (end = at + 1; end < out && *end != ';' && *end != '/'; end++)
            ;
        if ((end == out || *end == '/') && is_dot_segment(segment, to))
            *to++ = *at++;
        else
            at += end - at;
    }
    return to;
}

/* ---- the whole -------------------------------------------------------------- */

static size_t count_percent(struct str s)
{
    size_t n = 0;

    for (size_t i = 0; i < s.len; i++)
        n += s.ptr[i] == '%';
    return n;
}

static char *put_path(char *out, struct str path)
{
    char *from = out;

    out = put_normal(out, path);
    return memchr(from, ';', (size_t)(out - from)) ? path_sift(from, out) : out;
}

static char *put_query(char *out, struct str query)
{
    char *from = out + 1, *end;

    *out = '?';
    end = query_sift(from, put_normal(from, query));
    return end == from ? out : end;
}

struct str url_norm(const struct url *u, struct arena *arena)
{
    size_t cap = u->href.len + 2 * (count_percent(u->path) + count_percent(u->query)) + 1;
    char *text = arena_alloc(arena, cap), *out = text;
    struct str authority = {u->host.ptr, (size_t)(u->path.ptr - u->host.ptr)};

    if (text == NULL)
        return (struct str){NULL, 0};
    out = put_plain(out, u->scheme);
    out = put_plain(out, STR("://"));
    out = put_plain(out, authority); /* with the port, if one is written */
    out = put_path(out, u->path);
    if (u->query.len)
        out = put_query(out, u->query);
    if (out - text > LIMIT_URL) /* stray percent signs made it longer */
        return (struct str){NULL, 0};
    *out = '\0';
    arena_trim(arena, text, cap, (size_t)(out - text) + 1);
    return (struct str){text, (size_t)(out - text)};
}

/* Returns the place of "://", or SIZE_MAX. Fast for http and https. */
static size_t scheme_end(struct str s)
{
    for (size_t at = 4; at <= 5; at++)
        if (s.len >= at + 3 && memcmp(s.ptr + at, "://", 3) == 0 && s.ptr[0] == 'h')
            return at;
    return str_find(s, STR("://"), 0);
}

uint64_t url_key(struct str normalised)
{
    size_t from = scheme_end(normalised);

    return hash_str(from == SIZE_MAX ? normalised : str_sub(normalised, from, normalised.len));
}

void url_split(struct str normalised, struct str *ret_scheme, struct str *ret_host,
               uint16_t *ret_port, struct str *ret_path)
{
    size_t end = scheme_end(normalised), slash, colon;
    struct str host;
    uint64_t port;

    *ret_scheme = str_sub(normalised, 0, end == SIZE_MAX ? 0 : end);
    end = end == SIZE_MAX ? 0 : end + 3;
    slash = str_find_char(normalised, '/', end);
    host = str_sub(normalised, end, slash == SIZE_MAX ? normalised.len : slash);
    *ret_path = slash == SIZE_MAX ? STR("/") : str_sub(normalised, slash, normalised.len);
    *ret_port = ret_scheme->len == 5 ? 443 : 80;
    for (colon = host.len; colon > 0 && ascii_is_digit(host.ptr[colon - 1]); colon--)
        ;
    if (colon > 0 && host.ptr[colon - 1] == ':' &&
        str_to_u64(str_sub(host, colon, host.len), &port) && port <= UINT16_MAX)
        *ret_port = (uint16_t)port;
    *ret_host = host;
}
