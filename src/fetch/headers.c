/* headers.c - the request headers that are the same for every request.
 *
 * In: the configuration. Out: two lists for CURLOPT_HTTPHEADER.
 * SPDX-License-Identifier: MIT */
#include "fetch/headers.h"

#include "base/mem.h"

#include <stdlib.h>

#define ACCEPT_PAGE \
    "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,text/plain;q=0.8,*/*;q=0.1"

/* Lines that would make a request mean something else than its URL says. */
static const char *const forbidden[] = {
    "host",    "content-length", "transfer-encoding", "connection",
    "upgrade", "if-none-match",  "if-modified-since"};

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

static enum status line_check(const char *line)
{
    struct str s = str_of(line), name = name_of(s);

    if (!is_token(name))
        return status_fail(ST_USAGE, "--header '%s' is not 'Name: value'", line);
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

static bool user_has(const struct fetch_config *config, struct str name)
{
    for (const char *const *h = config->headers; h != NULL && *h != NULL; h++)
        if (str_eq_i(name_of(str_of(*h)), name))
            return true;
    return false;
}

static void append(struct curl_slist **list, const char *line)
{
    struct curl_slist *longer = curl_slist_append(*list, line);

    if (longer == NULL)
        abort(); /* a small allocation, as in base/mem.h */
    *list = longer;
}

static void append_ours(const struct fetch_config *config, struct curl_slist **list,
                        const char *line)
{
    if (!user_has(config, name_of(str_of(line))))
        append(list, line);
}

static void list_make(const struct fetch_config *config, const char *accept, const char *encoding,
                      struct curl_slist **ret)
{
    struct buf from = BUF_INIT(SIZE_MAX / 2);

    append_ours(config, ret, accept);
    append_ours(config, ret, encoding);
    if (config->from != NULL) {
        (void)buf_addf(&from, "From: %s", config->from);
        append_ours(config, ret, from.data);
        buf_free(&from);
    }
    for (const char *const *h = config->headers; h != NULL && *h != NULL; h++)
        append(ret, *h);
}

enum status headers_make(const struct fetch_config *config, struct headers *ret)
{
    enum status st = ST_OK;

    for (const char *const *h = config->headers; st == ST_OK && h != NULL && *h != NULL; h++)
        st = line_check(*h);
    if (st != ST_OK)
        return st;
    *ret = (struct headers){0};
    list_make(config, ACCEPT_PAGE, "Accept-Encoding: gzip, deflate, br, zstd", &ret->page);
    list_make(config, "Accept: text/plain,*/*;q=0.1", "Accept-Encoding: identity", &ret->robots);
    return ST_OK;
}

void headers_free(struct headers *h)
{
    curl_slist_free_all(h->page);
    curl_slist_free_all(h->robots);
    *h = (struct headers){0};
}
