/* tdmrep.c - which pages of a host may not be mined. See tdmrep.h.
 *
 * Matching is that of robots.txt (linear in the path, whatever the patterns), and so is the
 * deciding line: its comment is the policy. Hostile input: a location or policy with white space,
 * control characters or a # is left out.
 * SPDX-License-Identifier: MIT */
#include "parse/tdmrep.h"

#include "base/limits.h"
#include "parse/robots/robots.h"
#include "parse/use.h"

#include <jansson.h>

/* Returns a member that fits on one line; empty if it is missing or does not. */
static struct str plain(const json_t *rule, const char *name)
{
    const json_t *value = json_object_get(rule, name);
    struct str s = {json_string_value(value), json_string_length(value)};

    if (s.ptr == NULL || s.len > LIMIT_URL)
        return STR("");
    for (size_t i = 0; i < s.len; i++)
        if ((unsigned char)s.ptr[i] <= ' ' || s.ptr[i] == '#' || s.ptr[i] == 0x7f)
            return STR("");
    return s;
}

static bool is_reserved(const json_t *rule)
{
    const json_t *said = json_object_get(rule, "tdm-reservation");

    return json_integer_value(said) == 1 || str_eq(plain(rule, "tdm-reservation"), STR("1"));
}

void tdmrep_read(struct str json, struct buf *out)
{
    json_auto_t *rules = json.len <= LIMIT_TDMREP ? json_loadb(json.ptr, json.len, 0, NULL) : NULL;
    size_t i, count = 0;
    json_t *rule;

    json_array_foreach(rules, i, rule)
    {
        struct str location = plain(rule, "location"), policy = plain(rule, "tdm-policy");

        if (location.len == 0 || (location.ptr[0] != '/' && location.ptr[0] != '*') ||
            ++count > LIMIT_TDMREP_RULES)
            continue;
        buf_add_z(out, out->len ? "" : "User-agent: *\n");
        buf_addf(out, "%s: %s%.*s #%.*s\n", is_reserved(rule) ? "Disallow" : "Allow",
                 location.ptr[0] == '*' ? "/" : "", STR_ARG(location), STR_ARG(policy));
    }
}

/* Returns the comment of the line with this number, counted from 1. */
static struct str policy_of(struct str rules, unsigned number)
{
    struct str line = {NULL, 0}, before;

    while (number-- > 0 && str_cut(&rules, '\n', &line))
        ;
    return line.ptr && str_cut(&line, '#', &before) ? line : STR("");
}

void tdmrep_say(struct str rules, struct str path_and_query, struct buf *out)
{
    struct robots *r = robots_parse(rules, STR("brood"));
    unsigned line = 0;
    bool free = robots_allows(r, path_and_query, &line);

    if (line > 0)
        use_add_tdm(out, STR("tdm-reservation"), free ? STR("0") : STR("1"));
    if (line > 0 && !free)
        use_add_tdm(out, STR("tdm-policy"), policy_of(rules, line));
    robots_free(r);
}
