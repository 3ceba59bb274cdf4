/* check.c - checks the options of a crawl. See check.h. SPDX-License-Identifier: MIT */
#include "crawl/start/check.h"

#include "agent/model.h"
#include "base/limits.h"
#include "base/mem.h"
#include "crawl/enough.h"
#include "crawl/start/seed.h"
#include "crawl/start/topic.h"
#include "crawl/wire.h"
#include "fetch/dns.h"
#include "fetch/identity.h"
#include "frontier/host_settings.h"
#include "frontier/scope.h"
#include "parse/url.h"
#include "text/topic.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- what ---------------------------------------------------------------- */

/* Can every example that is a file be read? */
static enum status check_examples(const struct topic *t, const char *file)
{
    enum status st = ST_OK;

    for (size_t i = 0; st == ST_OK && i < topic_examples(t); i++) {
        bool positive;
        char *where = str_dup(topic_example(t, i, &positive));

        if (!str_starts_i(str_of(where), STR("http")) && access(where, R_OK) != 0)
            st = status_fail(ST_USAGE, "%s:%zu: %s: %s", file, topic_example_line(t, i), where,
                             strerror(errno));
        free(where);
    }
    return st;
}

static void check_topic(const struct crawl_options *o, struct mistakes *ret)
{
    struct topic *t = NULL;
    enum status st;

    if (o->words == NULL && o->topic.count == 0)
        return;
    st = topic_read(o, &t);
    if (st == ST_OK && o->topic.count > 0)
        st = check_examples(t, topic_read_from(o));
    mistakes_note(ret, o->topic.count > 0 ? "topic" : "words", st);
    topic_free(t);
}

static void check_model(const struct crawl_options *o, struct mistakes *ret)
{
    const struct model_ops *ops;
    enum status st = wire_find_model(o->model, false, &ops);

    mistakes_note(ret, "model", st);
    if (st != ST_OK)
        return;
    model_check(ops, &o->set, crawl_option_table, ret);
    if (o->seeds_are != 0 && option_find(ops->options, STR("seeds")) == NULL)
        mistakes_note(ret, "seeds-are",
                      status_fail(ST_USAGE,
                                  "--seeds-are places: the model '%s' learns nothing from start "
                                  "pages, so they are places already",
                                  o->model));
}

/* ---- where --------------------------------------------------------------- */

/* Only users who can be contacted may send requests to public hosts. Names that --resolve redirects
 * are not public; the egress guard checks the rest at every connection. */
enum status seeds_need_contact(const struct crawl_options *o, const struct text_list *seeds)
{
    if (o->contact || o->resolve.count > 0)
        return ST_OK;
    for (size_t i = 0; i < seeds->count; i++) {
        struct arena arena;
        struct url u;
        bool local;

        arena_init(&arena, 1 << 18);
        local = url_parse(str_of(seeds->items[i]), NULL, &arena, &u) == ST_OK &&
                (str_eq(u.host, STR("localhost")) || str_ends(u.host, STR(".localhost")) ||
                 str_eq(u.host, STR("[::1]")) || str_starts(u.host, STR("127.")) ||
                 str_starts(u.host, STR("10.")) || str_starts(u.host, STR("192.168.")));
        arena_free(&arena);
        if (!local)
            return status_fail(ST_USAGE, "a crawl of public hosts needs --contact MAIL|URL (or "
                                         "BROOD_CONTACT), so that site owners can reach you");
    }
    return ST_OK;
}

/* Are there places to start that only the crawl itself can find? */
static bool starts_elsewhere(const struct crawl_options *o)
{
    return o->seeds || o->seeds_from || o->seeds_from_cdx || o->search || o->base_from;
}

/* Is one of the seeds in scope? Their hosts are added to `scope` first. */
static bool reaches(struct scope *scope, const struct text_list *seeds)
{
    bool inside = false;

    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < seeds->count && !inside; i++) {
            struct arena arena;
            struct url u;

            arena_init(&arena, 1 << 18);
            if (url_parse(str_of(seeds->items[i]), NULL, &arena, &u) == ST_OK) {
                if (pass == 0)
                    scope_seed(scope, u.host);
                else
                    inside = scope_has(scope, u.href, u.host);
            }
            arena_free(&arena);
        }
    return inside;
}

/* `seeds`: those that are URLs. */
static void check_hosts(const struct crawl_options *o, struct mistakes *ret)
{
    struct host_settings hosts = {0};

    mistakes_note(ret, "hosts", wire_make_hosts(o, &hosts));
    host_settings_free(&hosts);
}

static void check_scope(const struct crawl_options *o, const struct text_list *seeds,
                        struct mistakes *ret)
{
    struct scope *scope = scope_new();
    enum status st = wire_make_scope(o, scope);

    if (st == ST_OK && seeds->count > 0 && !starts_elsewhere(o) && !reaches(scope, seeds))
        st = status_fail(ST_USAGE, "no place to start lies inside this scope: %s is outside%s",
                         seeds->items[0],
                         o->scope.count ? " (--scope is same-host, same-site, any, or a pattern"
                                          " such as '*.example.org/docs/*')"
                                        : "");
    mistakes_note(ret,
                  o->scope.count     ? "scope"
                  : o->exclude.count ? "exclude"
                                     : "exclude-hosts",
                  st);
    scope_free(scope);
}

static void check_seeds(const struct crawl_options *o, struct text_list *urls, struct mistakes *ret)
{
    LOCAL_HEAP char *first = NULL;
    size_t bad = 0;

    for (size_t i = 0; i < o->seed.count; i++)
        if (seed_read(str_of(o->seed.items[i]), urls) != ST_OK && bad++ == 0)
            first = str_dup(str_of(status_text()));
    if (bad == 1)
        mistakes_note(ret, "seed", status_fail(ST_USAGE, "%s", first));
    else if (bad > 1)
        mistakes_note(ret, "seed", status_fail(ST_USAGE, "%s (and %zu more)", first, bad - 1));
    else if (o->seed.count == 0 && !starts_elsewhere(o))
        mistakes_note(ret, "seed", status_fail(ST_USAGE, SEEDS_NONE));
}

/* Of lists only: what a pattern is, the scope knows. */
static void check_lists(const struct crawl_options *o, struct mistakes *ret)
{
    struct scope *scope = scope_new();
    enum status st = ST_OK;

    for (size_t i = 0; st == ST_OK && i < o->seeds_only.count; i++)
        st = scope_allow(scope, str_of(o->seeds_only.items[i]));
    if (st == ST_OK && o->seeds_only.count > 0 && !o->seeds_from && !o->seeds_from_cdx)
        st = status_fail(ST_USAGE, "--seeds-only chooses from the list of --seeds-from or "
                                   "--seeds-from-cdx, which is not given");
    mistakes_note(ret, "seeds-only", st);
    scope_free(scope);
}

static void check_resolve(const struct crawl_options *o, struct mistakes *ret)
{
    struct resolve_rules *rules = NULL;

    mistakes_note(ret, "resolve", resolve_rules_new((const char *const *)o->resolve.items, &rules));
    resolve_rules_free(rules);
}

static void check_headers(const struct crawl_options *o, struct mistakes *ret)
{
    struct credentials own = {0};
    enum status st = credentials_read(o, &own);

    mistakes_note(ret, "header", st);
    if (st == ST_OK)
        credentials_clear(&own);
}

/* Visible ASCII: it is sent as it is, and signed. */
static enum status purpose_check(const char *purpose)
{
    size_t n = strlen(purpose);
    bool plain = n > 0 && n <= LIMIT_PURPOSE && str_trim(str_of(purpose)).len == n;

    for (size_t i = 0; i < n; i++)
        plain = plain && purpose[i] >= ' ' && purpose[i] <= '~';
    return plain ? ST_OK
                 : status_fail(ST_USAGE, "--purpose: 1 to %d ASCII characters", LIMIT_PURPOSE);
}

static void check_identity(const struct crawl_options *o, struct mistakes *ret)
{
    struct identity *id = NULL;

    if (o->purpose)
        mistakes_note(ret, "purpose", purpose_check(o->purpose));
    if (o->identity)
        mistakes_note(ret, "identity", identity_load(o->identity, &id));
    identity_free(id);
}

/* With less memory a crawl stops before its first page. */
#define MEMORY_LEAST MIB(32)

enum status memory_check(const struct crawl_options *o)
{
    if (o->memory > 0 && o->memory < MEMORY_LEAST)
        return status_fail(ST_USAGE,
                           "--memory: %llu bytes are too little for a crawl: give 32Mi or more",
                           (unsigned long long)o->memory);
    return ST_OK;
}

void crawl_check(const struct crawl_options *o, struct mistakes *ret)
{
    LOCAL_LIST urls = {0};

    check_topic(o, ret);
    check_model(o, ret);
    check_seeds(o, &urls, ret);
    check_lists(o, ret);
    check_scope(o, &urls, ret);
    check_hosts(o, ret);
    mistakes_note(ret, "contact", seeds_need_contact(o, &urls));
    mistakes_note(ret, "memory", memory_check(o));
    mistakes_note(ret, "until", enough_check(o));
    check_resolve(o, ret);
    check_headers(o, ret);
    check_identity(o, ret);
}
