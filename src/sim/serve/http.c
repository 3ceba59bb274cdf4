/* http.c - one HTTP/1.x request, parsed without copying.
 *
 * In: what a client sent so far. Out: struct http_request, "more", or a status
 * to refuse it with. A request line, then fields; each field of interest has a
 * row in a table with the function that reads it.
 *
 * Workload: some 10^4 requests a second, 100 to 300 bytes each.
 * Source: RFC 9110, RFC 9112; stricter where they leave room.
 * SPDX-License-Identifier: MIT
 */
#include "sim/serve/http.h"

#include "base/limits.h"
#include "base/mem.h"

static bool is_token_char(char c)
{
    return ascii_is_alpha(c) || ascii_is_digit(c) || (c && strchr("!#$%&'*+-.^_`|~", c));
}

static bool is_token(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!is_token_char(s.ptr[i]))
            return false;
    return s.len > 0;
}

/* Visible ASCII and bytes above it: no spaces, no controls. */
static bool is_clean(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if ((unsigned char)s.ptr[i] <= ' ' || s.ptr[i] == 0x7f)
            return false;
    return s.len > 0;
}

/* The line at *at without its end; false where its end has not come yet. */
static bool next_line(struct str in, size_t *at, struct str *ret)
{
    size_t end = str_find_char(in, '\n', *at);

    if (end == SIZE_MAX)
        return false;
    *ret = str_sub(in, *at, end);
    if (ret->len && ret->ptr[ret->len - 1] == '\r')
        ret->len--;
    *at = end + 1;
    return true;
}

/* ---- the request line ---------------------------------------------------- */

/* "/path" as it is; "http://host/path" (what proxies are sent) taken apart. */
static int read_target(struct str target, struct http_request *r)
{
    static const struct str schemes[] = {{"http://", 7}, {"https://", 8}};

    if (!is_clean(target))
        return 400;
    for (size_t i = 0; i < ARRAY_LEN(schemes); i++) {
        if (!str_starts_i(target, schemes[i]))
            continue;
        struct str rest = str_sub(target, schemes[i].len, target.len);
        size_t slash = str_find_char(rest, '/', 0);

        r->host = str_sub(rest, 0, slash);
        r->path = slash == SIZE_MAX ? STR("/") : str_sub(rest, slash, rest.len);
        return r->host.len ? HTTP_READY : 400;
    }
    r->path = target;
    return target.ptr[0] == '/' ? HTTP_READY : 400;
}

static int read_version(struct str version, struct http_request *r)
{
    if (str_eq(version, STR("HTTP/1.1")))
        r->keep_alive = true;
    else if (!str_eq(version, STR("HTTP/1.0")))
        return str_starts(version, STR("HTTP/")) ? 505 : 400;
    return HTTP_READY;
}

static int read_line(struct str line, struct http_request *r)
{
    struct str target;
    int verdict;

    if (!str_cut(&line, ' ', &r->method) || !is_token(r->method) || !str_cut(&line, ' ', &target))
        return 400;
    verdict = read_version(line, r);
    if (verdict == HTTP_READY)
        verdict = read_target(target, r);
    r->is_get = str_eq(r->method, STR("GET"));
    r->is_head = str_eq(r->method, STR("HEAD"));
    return verdict;
}

/* ---- fields -------------------------------------------------------------- */

/* What has been met so far, to notice fields that come twice. */
struct seen {
    bool host, length;
};

typedef int field_fn(struct http_request *r, struct seen *seen, struct str value);

static int on_host(struct http_request *r, struct seen *seen, struct str value)
{
    bool in_target = !seen->host && r->host.len > 0;

    if (seen->host || (value.len && !is_clean(value)))
        return 400;
    seen->host = true;
    if (!in_target) /* the target's own host wins (RFC 9112 3.2.2) */
        r->host = value;
    return HTTP_READY;
}

static int on_length(struct http_request *r, struct seen *seen, struct str value)
{
    uint64_t n;

    for (size_t i = 0; i < value.len; i++)
        if (!ascii_is_digit(value.ptr[i]))
            return 400;
    if (!str_to_u64(value, &n) || (seen->length && n != r->body))
        return 400;
    seen->length = true;
    r->body = n;
    return n <= LIMIT_SERVE_BODY ? HTTP_READY : 413;
}

static int on_transfer_encoding(struct http_request *r, struct seen *seen, struct str value)
{
    (void)r, (void)seen, (void)value;
    return 501;
}

static int on_connection(struct http_request *r, struct seen *seen, struct str value)
{
    struct str part;

    (void)seen;
    while (str_cut(&value, ',', &part)) {
        part = str_trim(part);
        if (str_eq_i(part, STR("close")))
            r->keep_alive = false;
        else if (str_eq_i(part, STR("keep-alive")))
            r->keep_alive = true;
    }
    return HTTP_READY;
}

/* A coding with q=0 is one the client does not want. */
static bool is_wanted(struct str parameters)
{
    size_t q = str_find_i(parameters, STR("q="), 0);

    for (size_t i = q == SIZE_MAX ? parameters.len : q + 2; i < parameters.len; i++)
        if (parameters.ptr[i] >= '1' && parameters.ptr[i] <= '9')
            return true;
    return q == SIZE_MAX;
}

static int on_accept_encoding(struct http_request *r, struct seen *seen, struct str value)
{
    struct str part;

    (void)seen;
    while (str_cut(&value, ',', &part)) {
        struct str name;

        if (str_cut(&part, ';', &name) && str_eq_i(str_trim(name), STR("gzip")) && is_wanted(part))
            r->codings |= HTTP_GZIP;
    }
    return HTTP_READY;
}

static int on_none_match(struct http_request *r, struct seen *seen, struct str value)
{
    (void)seen;
    r->if_none_match = value;
    return HTTP_READY;
}

static int on_modified_since(struct http_request *r, struct seen *seen, struct str value)
{
    (void)seen;
    r->if_modified_since = value;
    return HTTP_READY;
}

static const struct {
    struct str name;
    field_fn *read;
} fields[] = {
    {{"host", 4}, on_host},
    {{"connection", 10}, on_connection},
    {{"accept-encoding", 15}, on_accept_encoding},
    {{"content-length", 14}, on_length},
    {{"transfer-encoding", 17}, on_transfer_encoding},
    {{"if-none-match", 13}, on_none_match},
    {{"if-modified-since", 17}, on_modified_since},
};

static int read_field(struct str line, struct http_request *r, struct seen *seen)
{
    struct str name;

    if (str_find_char(line, ':', 0) == SIZE_MAX || !str_cut(&line, ':', &name) || !is_token(name))
        return 400; /* also a folded line: it begins with a space */
    line = str_trim(line);
    for (size_t i = 0; i < line.len; i++)
        if ((unsigned char)line.ptr[i] < ' ' && line.ptr[i] != '\t')
            return 400;
    for (size_t i = 0; i < ARRAY_LEN(fields); i++)
        if (str_eq_i(name, fields[i].name))
            return fields[i].read(r, seen, line);
    return HTTP_READY;
}

/* ---- public -------------------------------------------------------------- */

static int read_fields(struct str in, size_t *at, struct http_request *r)
{
    struct seen seen = {0};
    bool is_11 = r->keep_alive; /* as read_version() left it */
    struct str line;

    for (int lines = 0; next_line(in, at, &line); lines++) {
        if (line.len == 0)
            return is_11 && !seen.host ? 400 : HTTP_READY;
        if (lines >= LIMIT_SERVE_FIELDS)
            return 431;
        int verdict = read_field(line, r, &seen);
        if (verdict != HTTP_READY)
            return verdict;
    }
    return HTTP_MORE;
}

int http_parse(struct str in, struct http_request *ret, size_t *ret_used)
{
    struct http_request r = {.body = 0};
    struct str line = {"", 0};
    size_t at = 0;
    int verdict = HTTP_READY;

    while (line.len == 0 && verdict == HTTP_READY) /* empty lines before it (RFC 9112 2.2) */
        if (!next_line(in, &at, &line))
            verdict = HTTP_MORE;
    if (verdict == HTTP_READY)
        verdict = read_line(line, &r);
    if (verdict == HTTP_READY)
        verdict = read_fields(in, &at, &r);
    if (verdict == HTTP_MORE)
        return in.len >= LIMIT_SERVE_HEAD ? 431 : HTTP_MORE;
    if (verdict != HTTP_READY)
        return verdict;
    *ret = r;
    *ret_used = at;
    return HTTP_READY;
}

static struct str strong(struct str tag)
{
    tag = str_trim(tag);
    return str_starts(tag, STR("W/")) ? str_sub(tag, 2, tag.len) : tag;
}

bool http_tag_matches(struct str list, struct str tag)
{
    struct str part;

    if (tag.len == 0)
        return false;
    while (str_cut(&list, ',', &part))
        if (str_eq(str_trim(part), STR("*")) || str_eq(strong(part), strong(tag)))
            return true;
    return false;
}

const char *http_reason(int status)
{
    static const struct {
        int status;
        const char *reason;
    } reasons[] = {
        {200, "OK"},
        {301, "Moved Permanently"},
        {302, "Found"},
        {304, "Not Modified"},
        {400, "Bad Request"},
        {404, "Not Found"},
        {405, "Method Not Allowed"},
        {413, "Content Too Large"},
        {431, "Request Header Fields Too Large"},
        {500, "Internal Server Error"},
        {501, "Not Implemented"},
        {505, "HTTP Version Not Supported"},
    };

    for (size_t i = 0; i < ARRAY_LEN(reasons); i++)
        if (reasons[i].status == status)
            return reasons[i].reason;
    return "Unknown";
}
