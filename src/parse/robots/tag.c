/* robots_tag.c - what a page asks of us: X-Robots-Tag and meta robots.
 *
 * In: header fields, one a line, or a meta element's content. Out: ROBOTS_* flags.
 * Parts are separated by commas; a crawler's name and a colon make what follows its
 * own, until the next name or the end of the field.
 *
 * Workload: once a page, a few words. Source: the engines' documentation, there is
 * no standard.
 * SPDX-License-Identifier: MIT
 */
#include "parse/robots/robots.h"

#include "base/mem.h"
#include "flow.h"

/* The product token at the front: letters, - and _. */
struct str robots_token(struct str s)
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
    {STR("none"), ROBOTS_NOINDEX | ROBOTS_NOFOLLOW},
};

/* Directives with a value, which are no crawler's name. */
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

/* "name: rest": the crawler or the directive before a colon, or empty. */
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

/* One field. `token` is bare. */
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
