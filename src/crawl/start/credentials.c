/* credentials.c - the user's own header lines. SPDX-License-Identifier: MIT */
#include "crawl/start/credentials.h"

#include "base/os/file.h"
#include "base/limits.h"
#include "base/mem.h"
#include "crawl/start/seed.h"
#include "parse/url.h"

#include <stdlib.h>

/* ---- where a line may go --------------------------------------------------- */

static bool parse_place(const char *scheme, struct str place, struct arena *arena, struct url *ret)
{
    LOCAL_BUF text = BUF_INIT(LIMIT_URL);

    buf_addf(&text, "%s%.*s", scheme, STR_ARG(place));
    return url_parse(buf_str(&text), NULL, arena, ret) == ST_OK;
}

/* The first seed at this host (and port, where one is named); of all where `host` is empty. */
static bool seed_at(const struct crawl_options *o, struct str host, uint16_t port,
                    struct arena *arena, struct url *ret)
{
    bool found = false;

    for (size_t i = 0; i < o->seed.count && !found; i++) {
        struct text_list urls = {0};

        found = seed_read(str_of(o->seed.items[i]), &urls) == ST_OK &&
                url_parse(str_of(urls.items[0]), NULL, arena, ret) == ST_OK &&
                (host.len == 0 || str_eq(ret->host, host)) && (port == 0 || ret->port == port);
        text_list_free(&urls);
    }
    return found;
}

/* "HOST:PORT", also where the host is an IPv6 address. */
static bool names_port(struct str place)
{
    size_t end = str_find_char(place, ']', 0);

    return str_find_char(place, ':', end == SIZE_MAX ? 0 : end) != SIZE_MAX;
}

/* Reads the place of a header line. Returns false if it is not a host. A host without a scheme
 * means the seed there; without a seed, https. */
static bool find_place(const struct crawl_options *o, struct str place, struct arena *arena,
                       struct url *ret)
{
    struct url bare;

    if (str_find(place, STR("://"), 0) != SIZE_MAX)
        return parse_place("", place, arena, ret);
    if (parse_place("http://", place, arena, &bare) &&
        seed_at(o, bare.host, names_port(place) ? bare.port : 0, arena, ret))
        return true;
    return parse_place("https://", place, arena, ret);
}

/* ---- one line -------------------------------------------------------------- */

/* The value of a line: itself, or a file's text. */
static enum status read_value(struct str name, struct str value, struct buf *ret)
{
    char *path;
    enum status st;

    if (!str_starts(value, STR("@")) || str_starts(value, STR("@@"))) {
        buf_add_str(ret, str_sub(value, str_starts(value, STR("@")), value.len));
        return buf_check(ret);
    }
    path = str_dup(str_sub(value, 1, value.len));
    st = file_read(path, ret);
    free(path);
    return st == ST_OK ? ST_OK
                       : status_fail(ST_USAGE, "--header '%.*s': %s", STR_ARG(name), status_text());
}

static enum status add_line(struct credentials *c, const struct crawl_options *o, struct str line,
                            struct fetch_header *ret)
{
    struct str place, name, value;
    LOCAL_BUF text = BUF_INIT(KIB(16));
    struct buf hidden = BUF_INIT(KIB(64));
    struct url where = {0};
    enum status st;

    if (secret_is_hidden(SECRET_HEADER, line) || !secret_header(line, &place, &name, &value))
        return status_fail(ST_USAGE, "a --header is not 'NAME: VALUE' or 'HOST NAME: VALUE'");
    secret_hide(SECRET_HEADER, line, &hidden);
    ret->secret = !str_eq(buf_str(&hidden), line);
    buf_free(&hidden);
    if (place.len > 0 && !find_place(o, place, &c->memory, &where))
        return status_fail(ST_USAGE, "--header '%.*s %.*s': this is not a host", STR_ARG(place),
                           STR_ARG(name));
    if (place.len == 0 && ret->secret && !seed_at(o, STR(""), 0, &c->memory, &where))
        return status_fail(ST_USAGE,
                           "--header '%.*s' is a secret: name the host it is for (--header 'HOST "
                           "%.*s: VALUE')",
                           STR_ARG(name), STR_ARG(name));
    st = read_value(name, value, &text);
    if (st == ST_OK) {
        struct buf whole = BUF_INIT(KIB(17));

        buf_addf(&whole, "%.*s: %.*s", STR_ARG(name), STR_ARG(str_trim(buf_str(&text))));
        ret->line = arena_str(&c->memory, buf_str(&whole)).ptr;
        ret->host = where.host.len ? arena_str(&c->memory, where.host).ptr : NULL;
        ret->port = where.port;
        ret->tls = str_eq(where.scheme, STR("https"));
        buf_free(&whole);
    }
    return st;
}

/* With socks4 and socks5 libcurl looks names up itself, where no guard sees the addresses. */
static enum status check_proxy(struct str proxy)
{
    static const char *const good[] = {"http", "https", "socks4a", "socks5h"};
    size_t end = str_find(proxy, STR("://"), 0);
    struct str scheme = str_sub(proxy, 0, end == SIZE_MAX ? 0 : end);

    if (secret_is_hidden(SECRET_URL, proxy))
        return status_fail(ST_USAGE, "the password of --proxy is not stored: give --proxy again");
    if (end == SIZE_MAX)
        return ST_OK;
    for (size_t i = 0; i < ARRAY_LEN(good); i++)
        if (str_eq_i(scheme, str_of(good[i])))
            return ST_OK;
    return status_fail(ST_USAGE,
                       "--proxy: use a proxy that resolves host names itself (http://, https://, "
                       "socks4a:// or socks5h://), not %.*s://",
                       STR_ARG(scheme));
}

enum status credentials_read(const struct crawl_options *o, struct credentials *ret)
{
    struct credentials c = {.lines = mem_zero(o->header.count + 1, sizeof *c.lines)};
    enum status st = ST_OK;

    arena_init(&c.memory, MIB(16));
    if (o->proxy)
        st = check_proxy(str_of(o->proxy));
    for (size_t i = 0; st == ST_OK && i < o->header.count; i++)
        st = add_line(&c, o, str_of(o->header.items[i]), &c.lines[i]);
    if (st == ST_OK)
        *ret = c;
    else
        credentials_clear(&c);
    return st;
}

void credentials_clear(struct credentials *c)
{
    free(c->lines);
    arena_free(&c->memory);
    *c = (struct credentials){0};
}

/* ---- given again ----------------------------------------------------------- */

static bool is_same_header(struct str a, struct str b)
{
    struct str place, name, value, other_place, other_name;

    return secret_header(a, &place, &name, &value) &&
           secret_header(b, &other_place, &other_name, &value) && str_eq_i(place, other_place) &&
           str_eq_i(name, other_name);
}

/* Lines given again take the place of the hidden ones; others are added. */
static void headers_put(struct text_list *headers, const struct text_list *again)
{
    struct text_list all = {0};

    for (size_t i = 0; i < headers->count; i++) {
        bool replaced = false;

        for (size_t j = 0; j < again->count && !replaced; j++)
            replaced = is_same_header(str_of(headers->items[i]), str_of(again->items[j]));
        if (!replaced)
            text_list_add(&all, str_of(headers->items[i]));
    }
    for (size_t j = 0; j < again->count; j++)
        text_list_add(&all, str_of(again->items[j]));
    text_list_free(headers);
    *headers = all;
}

/* Leaves the hidden ones out; `ret_missing` gets the options to give again. */
static void headers_part(struct text_list *headers, struct buf *ret_missing)
{
    struct text_list all = {0};

    for (size_t i = 0; i < headers->count; i++) {
        struct str line = str_of(headers->items[i]);

        if (!secret_is_hidden(SECRET_HEADER, line))
            text_list_add(&all, line);
        else
            buf_addf(ret_missing, "%s--header '%.*sVALUE'", ret_missing->len ? ", " : "",
                     STR_ARG(str_sub(line, 0, line.len - strlen(SECRET_MASK))));
    }
    text_list_free(headers);
    *headers = all;
}

static void proxy_part(char **proxy, struct buf *ret_missing)
{
    struct str text = str_of(*proxy);
    size_t at = str_find(text, STR(SECRET_MASK "@"), 0);
    struct buf bare = BUF_INIT(LIMIT_URL);

    if (*proxy == NULL || at == SIZE_MAX)
        return;
    buf_addf(ret_missing, "%s--proxy '%.*sUSER:PASSWORD%.*s'", ret_missing->len ? ", " : "",
             STR_ARG(str_sub(text, 0, at)),
             STR_ARG(str_sub(text, at + strlen(SECRET_MASK), text.len)));
    buf_addf(&bare, "%.*s%.*s", STR_ARG(str_sub(text, 0, at)),
             STR_ARG(str_sub(text, at + strlen(SECRET_MASK "@"), text.len)));
    free(*proxy);
    *proxy = buf_take(&bare, NULL);
}

enum status credentials_again(struct crawl_options *o, const struct text_list *headers,
                              const char *proxy, bool without)
{
    LOCAL_BUF missing = BUF_INIT(KIB(64));
    enum status st = ST_OK;

    if (headers)
        headers_put(&o->header, headers);
    if (proxy) {
        free(o->proxy);
        o->proxy = str_dup(str_of(proxy));
    }
    headers_part(&o->header, &missing);
    proxy_part(&o->proxy, &missing);
    if (missing.len > 0 && !without)
        st = status_fail(ST_USAGE,
                         "secrets are not stored: give %.*s again (a value may be @FILE), or "
                         "--without-secrets to go on without them",
                         STR_ARG(buf_str(&missing)));
    return st;
}
