/* scope.c - which URLs belong to the crawl.
 *
 * Sets of hosts are maps of 64-bit hashes, so a list of 100,000 excluded hosts
 * costs one lookup a label of the host. Patterns are tried one by one.
 *
 * same-site: a host can only lie in a seed's site if it ends in that site's
 * name, so the suffixes of the host are looked up first, and libpsl is asked
 * only about a host that passed. Public suffixes of the private section count:
 * a.github.io and b.github.io are two sites. SPDX-License-Identifier: MIT */
#include "frontier/scope.h"

#include "base/buf.h"
#include "base/str.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/mem.h"
#include "parse/url.h"

#include <libpsl.h>
#include <stdlib.h>

struct patterns {
    char **texts;
    size_t count, cap;
};

struct scope {
    struct patterns allow, exclude;
    bool same_host, same_site;
    struct map seed_hosts, seed_sites, excluded_hosts; /* hash -> 1 */
};

struct scope *scope_new(void)
{
    struct scope *s = MEM_NEW(struct scope);

    map_init(&s->seed_hosts);
    map_init(&s->seed_sites);
    map_init(&s->excluded_hosts);
    return s;
}

static void patterns_free(struct patterns *p)
{
    for (size_t i = 0; i < p->count; i++)
        free(p->texts[i]);
    free(p->texts);
}

void scope_free(struct scope *s)
{
    if (s == NULL)
        return;
    patterns_free(&s->allow);
    patterns_free(&s->exclude);
    map_free(&s->seed_hosts);
    map_free(&s->seed_sites);
    map_free(&s->excluded_hosts);
    free(s);
}

/* ---- rules --------------------------------------------------------------- */

/* Returns a copy with the host in lower case; paths keep their case. */
static char *pattern_keep(struct str text)
{
    char *z = str_dup(text);
    size_t at = str_find(text, STR("://"), 0);

    for (at = at == SIZE_MAX ? 0 : at + 3; at < text.len && z[at] != '/'; at++)
        z[at] = ascii_lower(z[at]);
    return z;
}

static enum status patterns_add(struct patterns *p, struct str text, const char *option)
{
    if (text.len == 0)
        return status_fail(ST_USAGE, "%s needs a pattern, such as 'example.org/*'", option);
    if (text.len > LIMIT_URL)
        return status_fail(ST_LIMIT, "a pattern of %s is longer than %d bytes", option, LIMIT_URL);
    if (p->count >= LIMIT_SCOPE_RULES)
        return status_fail(ST_LIMIT, "more than %d patterns of %s", LIMIT_SCOPE_RULES, option);
    MEM_GROW(p->texts, p->count, &p->cap);
    p->texts[p->count++] = pattern_keep(text);
    return ST_OK;
}

enum status scope_allow(struct scope *s, struct str rule)
{
    rule = str_trim(rule);
    if (str_eq(rule, STR("same-host")))
        s->same_host = true;
    else if (str_eq(rule, STR("same-site")))
        s->same_site = true;
    else
        return patterns_add(&s->allow, str_eq(rule, STR("any")) ? STR("*") : rule, "--scope");
    return ST_OK;
}

enum status scope_exclude(struct scope *s, struct str pattern)
{
    return patterns_add(&s->exclude, str_trim(pattern), "--exclude");
}

/* A host as URLs write it: lower case, punycode. */
static enum status host_canonical(struct str text, struct arena *memory, struct str *ret)
{
    struct buf href = BUF_INIT(LIMIT_URL);
    struct url u;
    enum status st = ST_INVALID;

    buf_addf(&href, "http://%.*s/", STR_ARG(text));
    if (!href.full && str_find_char(text, '/', 0) == SIZE_MAX &&
        str_find_char(text, '@', 0) == SIZE_MAX)
        st = url_parse(buf_str(&href), NULL, memory, &u);
    if (st == ST_OK)
        *ret = u.host;
    buf_free(&href);
    return st;
}

enum status scope_exclude_hosts(struct scope *s, struct str text)
{
    struct arena memory;
    struct str line, host;
    enum status st = ST_OK;

    arena_init(&memory, KIB(256));
    for (unsigned n = 1; st == ST_OK && str_cut(&text, '\n', &line); n++) {
        line = str_trim(str_sub(line, 0, str_find_char(line, '#', 0)));
        if (str_starts(line, STR("*.")))
            line = str_sub(line, 2, line.len);
        else if (str_starts(line, STR(".")))
            line = str_sub(line, 1, line.len);
        if (line.len == 0)
            continue;
        if (host_canonical(line, &memory, &host) == ST_OK)
            map_set(&s->excluded_hosts, hash_str(host), 1);
        else
            st = status_fail(ST_INVALID, "line %u of the excluded hosts is no host: %.*s", n,
                             (int)(line.len < 100 ? line.len : 100), line.ptr);
        arena_reset(&memory);
    }
    arena_free(&memory);
    return st;
}

/* ---- sites --------------------------------------------------------------- */

static bool host_is_address(struct str host)
{
    if (host.len && host.ptr[0] == '[')
        return true;
    for (size_t i = 0; i < host.len; i++)
        if (!ascii_is_digit(host.ptr[i]) && host.ptr[i] != '.')
            return false;
    return true;
}

struct str scope_site(struct str host)
{
    struct str site = host;
    char name[256];
    const char *domain;

    if (host.len >= sizeof name || host.len == 0 || host_is_address(host))
        return host;
    memcpy(name, host.ptr, host.len);
    name[host.len] = '\0';
    domain = psl_registrable_domain(psl_builtin(), name);
    if (domain != NULL) {
        size_t len = strlen(domain);

        site = str_sub(host, host.len - len, host.len);
    }
    return site;
}

void scope_seed(struct scope *s, struct str host)
{
    map_set(&s->seed_hosts, hash_str(host), 1);
    map_set(&s->seed_sites, hash_str(scope_site(host)), 1);
}

/* Is the host, or a domain above it, in the set? */
static bool suffix_in(const struct map *set, struct str host)
{
    if (set->count == 0)
        return false;
    for (;;) {
        size_t dot = str_find_char(host, '.', 0);

        if (map_get(set, hash_str(host)) != MAP_NONE)
            return true;
        if (dot == SIZE_MAX)
            return false;
        host = str_sub(host, dot + 1, host.len);
    }
}

/* ---- queries ------------------------------------------------------------- */

static bool pattern_matches(const char *pattern, struct str href, struct str rest, struct str host,
                            struct str path)
{
    struct str p = str_of(pattern);
    char small[512];

    if (str_find(p, STR("://"), 0) != SIZE_MAX)
        return str_match(p, href);
    if (str_match(p, rest))
        return true;
    if (str_find_char(p, '/', 0) == SIZE_MAX && str_match(p, host))
        return true;
    /* "host/path" matches any port of the host. */
    if (path.ptr == rest.ptr + host.len || host.len + path.len > sizeof small)
        return false;
    memcpy(small, host.ptr, host.len);
    memcpy(small + host.len, path.ptr, path.len);
    return str_match(p, (struct str){small, host.len + path.len});
}

static bool patterns_match(const struct patterns *p, struct str href, struct str host)
{
    size_t at = str_find(href, STR("://"), 0), slash;
    struct str rest = str_sub(href, at == SIZE_MAX ? 0 : at + 3, href.len), path;

    slash = str_find_char(rest, '/', 0);
    path = str_sub(rest, slash == SIZE_MAX ? rest.len : slash, rest.len);
    for (size_t i = 0; i < p->count; i++)
        if (pattern_matches(p->texts[i], href, rest, host, path))
            return true;
    return false;
}

bool scope_excludes(const struct scope *s, struct str href, struct str host)
{
    return (s->excluded_hosts.count && suffix_in(&s->excluded_hosts, host)) ||
           (s->exclude.count && patterns_match(&s->exclude, href, host));
}

bool scope_has(const struct scope *s, struct str href, struct str host)
{
    if (scope_excludes(s, href, host))
        return false;
    if (!s->same_host && !s->same_site && s->allow.count == 0)
        return true;
    if (s->same_host && map_get(&s->seed_hosts, hash_str(host)) != MAP_NONE)
        return true;
    if (s->same_site && suffix_in(&s->seed_sites, host) &&
        map_get(&s->seed_sites, hash_str(scope_site(host))) != MAP_NONE)
        return true;
    return s->allow.count && patterns_match(&s->allow, href, host);
}
