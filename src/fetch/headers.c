/* headers.c - the request headers that are the same for every request, or for
 * every request to one place.
 *
 * In: the configuration. Out: lists for CURLOPT_HTTPHEADER, two for each place.
 * Workload: a handful of lines; the places are searched for every request.
 * SPDX-License-Identifier: MIT */
#include "fetch/headers.h"

#include "base/mem.h"
#include "base/os/secret.h"

#include <stdlib.h>

#define ACCEPT_PAGE \
    "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,text/plain;q=0.8,*/*;q=0.1"

/* Lines that would make a request mean something else than its URL says; and Proxy-Authorization,
 * which would also reach servers: a proxy's password belongs in --proxy. */
static const char *const forbidden[] = {
    "host",      "content-length",  "transfer-encoding", "connection",
    "upgrade",   "if-none-match",   "if-modified-since", "proxy-authorization",
    "signature", "signature-input", "signature-agent",   "crawl-purpose"};

static struct str name_of(struct str line)
{
    size_t colon = str_find_char(line, ':', 0);

    return colon == SIZE_MAX ? STR("") : str_sub(line, 0, colon);
}

/* A token of RFC 9110: visible ASCII without separators. */
static bool is_token(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.ptr[i] <= ' ' || s.ptr[i] > '~' || strchr("()<>@,;:\\\"/[]?={}", s.ptr[i]) != NULL)
            return false;
    return s.len > 0;
}

/* Errors do not show the line, because it may contain a secret. */
static enum status line_check(const char *line)
{
    struct str s = str_of(line), name = name_of(s);

    if (!is_token(name))
        return status_fail(ST_USAGE, "a --header is not 'NAME: VALUE' or 'HOST NAME: VALUE'");
    for (size_t i = 0; i < s.len; i++)
        if ((unsigned char)s.ptr[i] < ' ' && s.ptr[i] != '\t')
            return status_fail(ST_USAGE, "--header '%.*s' holds a control character",
                               STR_ARG(name));
    for (size_t i = 0; i < ARRAY_LEN(forbidden); i++)
        if (str_eq_i(name, str_of(forbidden[i])))
            return status_fail(ST_USAGE, "--header '%.*s' cannot be set: the engine sends it",
                               STR_ARG(name));
    return ST_OK;
}

/* ---- places ---------------------------------------------------------------- */

static bool is_at(const struct fetch_header *h, struct str host, uint16_t port, bool tls)
{
    return h->host != NULL && h->port == port && h->tls == tls && str_eq_i(str_of(h->host), host);
}

/* Is this line for requests to the place of `at`? NULL: to any other place. */
static bool is_for(const struct fetch_header *h, const struct fetch_header *at)
{
    return h->host == NULL || (at != NULL && is_at(h, str_of(at->host), at->port, at->tls));
}

/* Did the user give a line of this name for the place? With `bound`, lines for all
 * places do not count. */
static bool user_has(const struct fetch_header *own, const struct fetch_header *at, struct str name,
                     bool bound)
{
    for (const struct fetch_header *h = own; h != NULL && h->line != NULL; h++)
        if (is_for(h, at) && (h->host != NULL || !bound) &&
            str_eq_i(name_of(str_of(h->line)), name))
            return true;
    return false;
}

/* ---- lists ----------------------------------------------------------------- */

static void append(struct curl_slist **list, const char *line)
{
    struct curl_slist *longer = curl_slist_append(*list, line);

    if (longer == NULL)
        mem_out();
    *list = longer;
}

static struct curl_slist *list_make(const struct fetch_config *config,
                                    const struct fetch_header *at, const char *accept,
                                    const char *encoding)
{
    struct buf from = BUF_INIT(SIZE_MAX / 2), purpose = BUF_INIT(SIZE_MAX / 2);
    const char *ours[] = {accept, encoding, NULL, NULL};
    struct curl_slist *list = NULL;

    if (config->from != NULL) {
        buf_addf(&from, "From: %s", config->from);
        ours[2] = from.data;
    }
    if (config->purpose != NULL) {
        buf_addf(&purpose, "Crawl-Purpose: %s", config->purpose);
        ours[3] = purpose.data;
    }
    for (size_t i = 0; i < ARRAY_LEN(ours); i++)
        if (ours[i] != NULL && !user_has(config->headers, at, name_of(str_of(ours[i])), false))
            append(&list, ours[i]);
    for (const struct fetch_header *h = config->headers; h != NULL && h->line != NULL; h++)
        if (is_for(h, at) &&
            (h->host != NULL || !user_has(config->headers, at, name_of(str_of(h->line)), true)))
            append(&list, h->line);
    buf_free(&from);
    buf_free(&purpose);
    return list;
}

static struct header_lists lists_make(const struct fetch_config *config,
                                      const struct fetch_header *at)
{
    return (struct header_lists){
        .page = list_make(config, at, ACCEPT_PAGE, "Accept-Encoding: gzip, deflate, br, zstd"),
        .robots =
            list_make(config, at, "Accept: text/plain,*/*;q=0.1", "Accept-Encoding: identity"),
    };
}

static void lists_free(struct header_lists *l)
{
    curl_slist_free_all(l->page);
    curl_slist_free_all(l->robots);
}

static size_t own_count(const struct fetch_header *own)
{
    size_t n = 0;

    while (own != NULL && own[n].line != NULL)
        n++;
    return n;
}

enum status headers_make(const struct fetch_config *config, struct headers *ret)
{
    size_t n = own_count(config->headers);
    enum status st = ST_OK;

    for (size_t i = 0; st == ST_OK && i < n; i++)
        st = line_check(config->headers[i].line);
    if (st != ST_OK)
        return st;
    *ret = (struct headers){.own = config->headers, .every = lists_make(config, NULL)};
    ret->at = n ? mem_zero(n, sizeof *ret->at) : NULL;
    for (size_t i = 0; i < n; i++)
        if (config->headers[i].host != NULL)
            ret->at[i] = lists_make(config, &config->headers[i]);
    return ST_OK;
}

void headers_free(struct headers *h)
{
    for (size_t i = 0; i < own_count(h->own); i++)
        lists_free(&h->at[i]);
    free(h->at);
    lists_free(&h->every);
    *h = (struct headers){0};
}

struct curl_slist *headers_for(const struct headers *h, const struct request *r)
{
    const struct header_lists *lists = &h->every;

    for (size_t i = 0; h->own != NULL && h->own[i].line != NULL; i++)
        if (is_at(&h->own[i], r->host, r->port, r->tls)) {
            lists = &h->at[i];
            break;
        }
    return r->kind == REQUEST_PAGE ? lists->page : lists->robots;
}

/* ---- the archive ----------------------------------------------------------- */

static bool is_hidden(const struct headers *h, struct str name)
{
    for (size_t i = 0; h->own != NULL && h->own[i].line != NULL; i++)
        if (h->own[i].secret && str_eq_i(name_of(str_of(h->own[i].line)), name))
            return true;
    return secret_name(name);
}

void headers_hide(const struct headers *h, struct str head, struct buf *out)
{
    bool first = true;
    struct str line;

    while (str_cut(&head, '\n', &line)) {
        struct str name = first ? STR("") : name_of(line); /* the first is the request line */

        first = false;
        if (name.len > 0 && is_hidden(h, name)) {
            buf_addf(out, "%.*s: " SECRET_MASK "\r\n", STR_ARG(name));
        } else if (line.len > 0) {
            buf_add_str(out, line);
            buf_add_char(out, '\n');
        }
    }
}
