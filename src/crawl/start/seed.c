/* seed.c - a place to start, as people write it. SPDX-License-Identifier: MIT */
#include "crawl/start/seed.h"

#include "base/limits.h"
#include "base/mem.h"
#include "base/str.h"
#include "parse/url.h"

/* Returns the text before a ':' that was meant as a scheme: "hppt://x", "htp:/x", "mailto:x"; but
 * not the host of "localhost:8080" or "example.org:/x". Empty if there is none. */
static struct str scheme_of(struct str text)
{
    size_t colon = str_find_char(text, ':', 0);
    struct str rest;

    if (colon == SIZE_MAX || colon == 0 || !ascii_is_alpha(text.ptr[0]))
        return STR("");
    rest = str_sub(text, colon + 1, text.len);
    for (size_t i = 0; i < colon; i++)
        if (!ascii_is_alpha(text.ptr[i]) && !ascii_is_digit(text.ptr[i]) &&
            !strchr("+-", text.ptr[i]) && !(text.ptr[i] == '.' && str_starts(rest, STR("//"))))
            return STR("");
    return rest.len > 0 && ascii_is_digit(rest.ptr[0]) ? STR("") : str_sub(text, 0, colon);
}

/* "hppt" has the letters of http in some order. */
static bool is_jumbled(struct str scheme)
{
    for (size_t i = 0; i < scheme.len; i++)
        if (!strchr("hHtTpPsS", scheme.ptr[i]))
            return false;
    return scheme.len > 2;
}

static const char *nth_scheme(const void *ctx, size_t i)
{
    static const char *const ours[] = {"http", "https", NULL};

    (void)ctx;
    return ours[i];
}

static bool is_ours(struct str scheme)
{
    return str_eq_i(scheme, STR("http")) || str_eq_i(scheme, STR("https"));
}

/* Is it an existing scheme, so that it was written on purpose? */
static bool is_known(struct str scheme)
{
    static const char *const known[] = {"about", "blob", "data",       "file",   "ftp",
                                        "ftps",  "git",  "javascript", "mailto", "sftp",
                                        "ssh",   "tel",  "ws",         "wss"};

    for (size_t i = 0; i < ARRAY_LEN(known); i++)
        if (str_eq_i(scheme, str_of(known[i])))
            return true;
    return false;
}

#define NO_URL "the seed '%.*s' is not an http or https URL"

static enum status refuse(struct str text, struct str scheme)
{
    struct str shown = str_sub(text, 0, 200), rest = str_sub(text, scheme.len, text.len);
    const char *near;

    if (scheme.len == 0 || is_ours(scheme))
        return status_fail(ST_USAGE, NO_URL, STR_ARG(shown));
    if (is_known(scheme))
        return status_fail(ST_USAGE, NO_URL ": brood fetches nothing by %.*s", STR_ARG(shown),
                           STR_ARG(scheme));
    near = str_nearest(scheme, nth_scheme, NULL);
    if (near == NULL && is_jumbled(scheme))
        near = str_find_char(scheme, 's', 0) == SIZE_MAX ? "http" : "https";
    while (rest.len > 0 && (rest.ptr[0] == ':' || rest.ptr[0] == '/'))
        rest = str_sub(rest, 1, rest.len);
    if (near == NULL || rest.len == 0)
        return status_fail(ST_USAGE, NO_URL ": there is no scheme '%.*s'", STR_ARG(shown),
                           STR_ARG(str_sub(scheme, 0, 40)));
    return status_fail(ST_USAGE, NO_URL ": there is no scheme '%.*s'; did you mean %s://%.*s?",
                       STR_ARG(shown), STR_ARG(scheme), near, STR_ARG(str_sub(rest, 0, 200)));
}

enum status seed_read(struct str text, struct text_list *ret)
{
    LOCAL_BUF full = BUF_INIT(LIMIT_URL + 16);
    struct str scheme;
    LOCAL_ARENA arena = ARENA_INIT(KIB(256));
    enum status st;
    struct url u;

    text = str_trim(text);
    scheme = scheme_of(text);
    if (scheme.len > 0 && !is_ours(scheme))
        return refuse(text, scheme);
    if (scheme.len == 0)
        buf_add_z(&full, "http://");
    buf_add_str(&full, text);
    st = full.full ? ST_LIMIT : url_parse(buf_str(&full), NULL, &arena, &u);
    if (st == ST_OK)
        text_list_add(ret, u.href);
    else
        st = refuse(text, scheme);
    return st;
}

bool seed_is_host(struct str text)
{
    text = str_trim(text);
    if (scheme_of(text).len > 0)
        return false;
    if (str_ends(text, STR("/")))
        text = str_sub(text, 0, text.len - 1);
    for (size_t i = 0; i < text.len; i++)
        if (strchr("/?#@", text.ptr[i]))
            return false;
    return text.len > 0;
}

/* These are the usual addresses if robots.txt and the front page name none. */
void seed_guesses(struct str url, struct text_list *ret)
{
    static const char *const usual[] = {"sitemap.xml", "feed/", "rss.xml", "atom.xml"};
    LOCAL_BUF guess = BUF_INIT(LIMIT_URL + 16);

    for (size_t i = 0; i < ARRAY_LEN(usual); i++) {
        buf_clear(&guess);
        buf_add_str(&guess, url);
        buf_add_z(&guess, usual[i]);
        if (!guess.full)
            text_list_add(ret, buf_str(&guess));
    }
}
