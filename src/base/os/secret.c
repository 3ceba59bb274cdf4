/* secret.c - which part of an option's value is a secret, and how it is shown.
 *
 * Limit: a secret is recognised by its name. One in a URL's path, or under an
 * inconspicuous name, is not recognised. SPDX-License-Identifier: MIT */
#include "base/os/secret.h"

#include "base/mem.h"

/* Parts of names that mark a secret. A `whole` one counts only if no letter follows: "author" and
 * "keywords" name no secrets. */
static const struct {
    const char *part;
    bool whole;
} parts[] = {
    {"authori", false},    {"authent", false},   {"auth", true},      {"token", false},
    {"key", true},         {"secret", false},    {"password", false}, {"passwd", false},
    {"passphrase", false}, {"pass", true},       {"pwd", true},       {"credential", false},
    {"cookie", false},     {"signature", false}, {"sig", true},       {"session", false},
    {"bearer", true},      {"jwt", true},
};

static bool part_in(struct str name, struct str part, bool whole)
{
    size_t at = str_find_i(name, part, 0);

    while (at != SIZE_MAX && whole && at + part.len < name.len &&
           ascii_is_alpha(name.ptr[at + part.len]))
        at = str_find_i(name, part, at + 1);
    return at != SIZE_MAX;
}

bool secret_name(struct str name)
{
    for (size_t i = 0; i < ARRAY_LEN(parts); i++)
        if (part_in(name, str_of(parts[i].part), parts[i].whole))
            return true;
    return false;
}

/* ---- a line of --header ---------------------------------------------------- */

/* Is this a place ("host", "host:8080", "[::1]:80", "https://host"), which may stand
 * before a name? */
static bool is_place(struct str word)
{
    size_t colon, bracket = str_find_char(word, ']', 0);
    uint64_t port;

    if (str_find(word, STR("://"), 0) != SIZE_MAX)
        return true;
    colon = str_find_char(word, ':', bracket == SIZE_MAX ? 0 : bracket);
    return word.len > 0 &&
           (colon == SIZE_MAX || str_to_u64(str_sub(word, colon + 1, word.len), &port));
}

bool secret_header(struct str line, struct str *ret_place, struct str *ret_name,
                   struct str *ret_value)
{
    struct str place = STR(""), rest = str_trim(line);
    size_t space = str_find_char(rest, ' ', 0), colon;

    if (space != SIZE_MAX && is_place(str_sub(rest, 0, space))) {
        place = str_sub(rest, 0, space);
        rest = str_trim(str_sub(rest, space, rest.len));
    }
    colon = str_find_char(rest, ':', 0);
    if (colon == SIZE_MAX || colon == 0)
        return false;
    *ret_place = place;
    *ret_name = str_sub(rest, 0, colon);
    *ret_value = str_trim(str_sub(rest, colon + 1, rest.len));
    return true;
}

/* A value from a file is always hidden; "@@" stands for a '@' at the start of a value. */
static bool value_is_secret(struct str name, struct str value)
{
    return secret_name(name) || str_eq(value, STR(SECRET_MASK)) ||
           (str_starts(value, STR("@")) && !str_starts(value, STR("@@")));
}

static void hide_header(struct str line, struct buf *out)
{
    struct str place, name, value;

    if (!secret_header(line, &place, &name, &value))
        buf_add_z(out, SECRET_MASK); /* not a header line: nothing shows that it is harmless */
    else if (!value_is_secret(name, value))
        buf_add_str(out, line);
    else
        buf_addf(out, "%.*s%s%.*s: " SECRET_MASK, STR_ARG(place), place.len ? " " : "",
                 STR_ARG(name));
}

/* ---- a URL ----------------------------------------------------------------- */

static size_t first_of(struct str s, const char *set, size_t from)
{
    while (from < s.len && strchr(set, s.ptr[from]) == NULL)
        from++;
    return from;
}

/* Adds the text up to the end of the host, with the login hidden; returns the rest. */
static struct str hide_login(struct str url, struct buf *out)
{
    size_t begin = str_find(url, STR("//"), 0), end, at;

    begin = begin == SIZE_MAX ? 0 : begin + 2;
    end = at = first_of(url, "/\\?#", begin);
    while (at > begin && url.ptr[at - 1] != '@')
        at--;
    buf_add_str(out, str_sub(url, 0, begin));
    if (at > begin)
        buf_add_z(out, SECRET_MASK "@");
    buf_add_str(out, str_sub(url, at, end));
    return str_sub(url, end, url.len);
}

/* {} marks where a template's words go. */
static void hide_parameters(struct str rest, struct buf *out)
{
    while (rest.len > 0) {
        size_t end = first_of(rest, "?&;#", 1), equals = first_of(rest, "=", 0);
        struct str name = str_sub(rest, 1, equals), value;

        if (equals >= end || strchr("?&;#", rest.ptr[0]) == NULL) {
            buf_add_str(out, str_sub(rest, 0, end));
        } else {
            value = str_sub(rest, equals + 1, end);
            buf_add_str(out, str_sub(rest, 0, equals + 1));
            if (value.len > 0 && !str_eq(value, STR("{}")) && secret_name(name))
                value = STR(SECRET_MASK);
            buf_add_str(out, value);
        }
        rest = str_sub(rest, end, rest.len);
    }
}

void secret_hide(enum secret_kind kind, struct str text, struct buf *out)
{
    struct str rest;

    switch (kind) {
    case SECRET_NONE:
        buf_add_str(out, text);
        break;
    case SECRET_LOGIN:
        rest = hide_login(text, out);
        buf_add_str(out, rest);
        break;
    case SECRET_URL:
        rest = hide_login(text, out);
        hide_parameters(rest, out);
        break;
    case SECRET_HEADER:
        hide_header(text, out);
        break;
    }
}

bool secret_is_hidden(enum secret_kind kind, struct str text)
{
    struct str place, name, value;

    if (kind == SECRET_HEADER)
        return !secret_header(text, &place, &name, &value) || str_eq(value, STR(SECRET_MASK));
    return kind != SECRET_NONE && (str_find(text, STR(SECRET_MASK "@"), 0) != SIZE_MAX ||
                                   str_find(text, STR("=" SECRET_MASK), 0) != SIZE_MAX);
}
