/* truth.c - a web under a plan's `exclude`, and the texts of a topic's targets.
 * SPDX-License-Identifier: MIT */
#include "lab/run/truth.h"

#include "base/limits.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "crawl/identity.h"
#include "frontier/hosts.h"
#include "frontier/scope.h"
#include "parse/robots/robots.h"
#include "parse/url_norm.h"
#include "text/vec.h"
#include "text/vocab.h"

#include <math.h>
#include <stdlib.h>

/* ---- who may be reached -------------------------------------------------- */

static enum status find_allowed(struct ground *g, const struct text_list *exclude)
{
    struct scope *scope = scope_new();
    enum status st = ST_OK;

    for (size_t i = 0; st == ST_OK && i < exclude->count; i++)
        st = scope_exclude(scope, str_of(exclude->items[i]));
    for (uint32_t u = 1; st == ST_OK && u <= g->counts.urls; u++) {
        struct str href = web_href(g->web, u), scheme, host, path;
        uint16_t port;

        url_split(href, &scheme, &host, &port, &path);
        host.len = host_name_split(host, &port);
        g->allowed[u] = exclude->count == 0 || scope_has(scope, href, host);
    }
    scope_free(scope);
    return st;
}

/* Returns a host's rules as a crawl obeys them (frontier/service.c): those of a robots.txt that can
 * be read; NULL if there is none; otherwise rules that forbid everything. */
static struct robots *host_rules(const struct ground *g, uint32_t host)
{
    struct str text;
    int status = web_robots(g->web, host, &text);

    if (status >= 400 && status < 500 && status != 429)
        return NULL;
    return robots_parse(status == 200 ? text : STR("User-agent: *\nDisallow: /\n"),
                        STR(BROOD_TOKEN));
}

/* Marks URLs that robots.txt forbids as unreachable. */
static void obey_robots(struct ground *g)
{
    struct robots **rules = mem_zero((size_t)g->counts.hosts + 1, sizeof *rules);

    for (uint32_t h = 0; h < g->counts.hosts; h++)
        rules[h] = host_rules(g, h);
    for (uint32_t u = 1; u <= g->counts.urls; u++) {
        const struct robots *r = rules[web_host(g->web, u)];
        struct str scheme, host, path;
        uint16_t port;

        url_split(web_href(g->web, u), &scheme, &host, &port, &path);
        g->allowed[u] = g->allowed[u] && (r == NULL || robots_allows(r, path, NULL));
    }
    for (uint32_t h = 0; h < g->counts.hosts; h++)
        robots_free(rules[h]);
    free(rules);
}

/* ---- what exists --------------------------------------------------------- */

/* The versions of a document from the beginning on, for so long. */
static struct version_range versions_within(const struct ground *g, uint32_t url, int64_t time)
{
    int64_t at = g->counts.begin, end = at + time;
    struct version_range r = {0};

    for (;;) {
        struct web_answer a;

        web_answer(g->web, url, at, &a);
        if (a.version != WEB_NONE && r.count == 0)
            r.first = a.version;
        if (a.version != WEB_NONE)
            r.count = a.version - r.first + 1;
        if (a.until > end)
            return r;
        at = a.until;
    }
}

/* Excludes documents that do not exist during a crawl. */
static void find_alive(struct ground *g, int64_t time)
{
    bool moves = g->counts.begin != g->counts.end;

    for (uint32_t u = 1; u <= g->counts.urls; u++) {
        struct version_range *r = &g->alive[u];

        r->count = web_history(g->web, u, &r->first);
        if (r->count == 0)
            continue;
        if (moves)
            *r = versions_within(g, u, time);
        g->pages += r->count > 0 && u <= g->counts.pages;
        g->allowed[u] = g->allowed[u] && r->count > 0;
    }
}

/* A URL without a document leads to where it led when the run began. */
static uint32_t follow(const struct ground *g, uint32_t url)
{
    for (int hop = 0; hop <= LIMIT_REDIRECTS && url && g->allowed[url]; hop++) {
        struct web_answer a;

        if (g->alive[url].count > 0)
            return url;
        web_answer(g->web, url, g->counts.begin, &a);
        url = a.redirect_to;
    }
    return 0;
}

/* Finds the sitemaps among the URLs that are not pages, with the parser. */
static void find_sitemaps(struct ground *g)
{
    struct web_scratch *s = web_scratch_new();

    for (uint32_t u = g->counts.pages + 1; u <= g->counts.urls; u++)
        if (g->alive[u].count > 0)
            g->is_sitemap[u] = web_unpack(g->web, g->alive[u].first, s)->kind == PAGE_SITEMAP;
    web_scratch_free(s);
}

/* The document behind a URL as it is written; 0: none. */
static uint32_t find_written(const struct ground *g, struct str text, struct arena *arena)
{
    struct url u;
    uint32_t url = 0;

    arena_reset(arena);
    if (url_parse(text, NULL, arena, &u) == ST_OK)
        url = web_find(g->web, url_key(url_norm(&u, arena)));
    return url ? g->leads_to[url] : 0;
}

/* The sitemaps of one host are appended to the list. */
static size_t list_sitemaps(struct ground *g, uint32_t host, size_t count, size_t *cap)
{
    LOCAL_ARENA arena = ARENA_INIT(KIB(64));
    struct robots *r;
    struct str text;

    if (web_robots(g->web, host, &text) != 200)
        return count;
    r = robots_parse(text, STR(BROOD_TOKEN));
    for (unsigned i = 0; i < robots_sitemap_count(r); i++) {
        uint32_t url = find_written(g, robots_sitemap(r, i), &arena);

        if (url == 0)
            continue;
        MEM_GROW(g->maps, count, cap);
        g->maps[count++] = url;
    }
    robots_free(r);
    return count;
}

static void read_robots(struct ground *g)
{
    size_t count = 0, cap = 0;

    g->maps_off = mem_zero((size_t)g->counts.hosts + 1, sizeof *g->maps_off);
    for (uint32_t h = 0; h < g->counts.hosts; h++) {
        if (g->robots)
            count = list_sitemaps(g, h, count, &cap);
        g->maps_off[h + 1] = (uint32_t)count;
    }
}

/* A version's links, as far as a crawler may follow them. */
static const uint32_t *links_of(const struct ground *g, uint32_t version, uint32_t *ret_count)
{
    *ret_count = 0;
    if (g->robots && (web_page_robots(g->web, version) & ROBOTS_NOFOLLOW))
        return NULL;
    return web_links(g->web, version, ret_count);
}

/* Calls `each` for every link of every version of a document to a document. */
static void walk_links(const struct ground *g, uint32_t page,
                       void (*each)(void *ctx, uint32_t from, uint32_t to), void *ctx)
{
    struct version_range r = g->alive[page];

    for (uint32_t v = 0; v < r.count; v++) {
        uint32_t n;
        const uint32_t *to = links_of(g, r.first + v, &n);

        for (uint32_t i = 0; i < n; i++)
            if (g->leads_to[to[i]])
                each(ctx, page, g->leads_to[to[i]]);
    }
}

static void count_back(void *ctx, uint32_t from, uint32_t to)
{
    struct ground *g = ctx;

    (void)from;
    g->back_off[to + 1]++;
}

static void fill_back(void *ctx, uint32_t from, uint32_t to)
{
    struct ground *g = ctx;

    g->back[g->back_off[to]++] = from;
}

static void reverse_links(struct ground *g)
{
    uint32_t urls = g->counts.urls, pages = g->counts.pages;

    g->back_off = mem_zero((size_t)urls + 3, sizeof *g->back_off);
    for (uint32_t p = 1; p <= pages; p++)
        if (g->allowed[p])
            walk_links(g, p, count_back, g);
    for (uint32_t u = 1; u <= urls + 1; u++)
        g->back_off[u] += g->back_off[u - 1];
    g->back = mem_zero(g->back_off[urls + 1] + 1, sizeof *g->back);
    for (uint32_t p = 1; p <= pages; p++)
        if (g->allowed[p])
            walk_links(g, p, fill_back, g);
    for (uint32_t u = urls + 1; u >= 1; u--) /* filling moved each offset to the end of its row */
        g->back_off[u] = g->back_off[u - 1];
    g->back_off[0] = 0;
}

enum status ground_init(struct ground *g, const struct web *web, const struct ground_config *config)
{
    enum status st;

    *g = (struct ground){.web = web, .counts = web_counts(web), .robots = config->robots};
    g->alive = mem_zero((size_t)g->counts.urls + 1, sizeof *g->alive);
    g->allowed = mem_zero((size_t)g->counts.urls + 1, sizeof *g->allowed);
    g->leads_to = mem_zero((size_t)g->counts.urls + 1, sizeof *g->leads_to);
    g->is_sitemap = mem_zero((size_t)g->counts.urls + 1, sizeof *g->is_sitemap);
    st = find_allowed(g, config->exclude);
    if (st == ST_OK && config->robots)
        obey_robots(g);
    if (st == ST_OK)
        find_alive(g, config->time);
    for (uint32_t u = 1; st == ST_OK && u <= g->counts.urls; u++)
        g->leads_to[u] = follow(g, u);
    if (st == ST_OK) {
        find_sitemaps(g);
        read_robots(g);
    }
    if (st == ST_OK && config->reversed)
        reverse_links(g);
    if (st != ST_OK)
        ground_clear(g);
    return st;
}

void ground_clear(struct ground *g)
{
    free(g->alive);
    free(g->allowed);
    free(g->leads_to);
    free(g->is_sitemap);
    free(g->back_off);
    free(g->back);
    free(g->maps_off);
    free(g->maps);
    *g = (struct ground){0};
}

bool ground_has_links(const struct ground *g, uint32_t page)
{
    uint32_t n = 0;

    if (g->alive[page].count > 0)
        (void)links_of(g, g->alive[page].first, &n);
    return n > 0;
}

/* A search in breadth; every document enters the queue once. */
struct truth_search {
    const struct ground *ground;
    bool *met;      /* by URL */
    bool *met_host; /* by host */
    uint32_t *queue;
    uint32_t count, sitemaps; /* documents; of them no pages */
};

static void meet(void *ctx, uint32_t from, uint32_t to)
{
    struct truth_search *s = ctx;

    (void)from;
    if (s->met[to])
        return;
    s->met[to] = true;
    s->queue[s->count++] = to;
    s->sitemaps += s->ground->is_sitemap[to];
}

/* A host's robots.txt is read with its first URL. */
static void meet_host(struct truth_search *s, uint32_t host)
{
    const struct ground *g = s->ground;

    if (s->met_host[host])
        return;
    s->met_host[host] = true;
    for (uint32_t i = g->maps_off[host]; i < g->maps_off[host + 1]; i++)
        meet(s, 0, g->maps[i]);
}

uint32_t ground_reachable(const struct ground *g, const uint32_t *seeds, size_t count,
                          bool **ret_met)
{
    struct truth_search s = {
        .ground = g,
        .met = mem_zero((size_t)g->counts.urls + 1, sizeof *s.met),
        .met_host = mem_zero((size_t)g->counts.hosts + 1, sizeof *s.met_host),
        .queue = mem_zero((size_t)g->counts.urls + 1, sizeof *s.queue),
    };

    for (size_t i = 0; i < count; i++)
        if (g->leads_to[seeds[i]])
            meet(&s, 0, g->leads_to[seeds[i]]);
    for (uint32_t i = 0; i < s.count; i++) {
        meet_host(&s, web_host(g->web, s.queue[i]));
        walk_links(g, s.queue[i], meet, &s);
    }
    free(s.met_host);
    free(s.queue);
    *ret_met = s.met;
    return s.count - s.sitemaps;
}

/* ---- what the targets say ------------------------------------------------ */

/* The sum of the targets' vectors: places by term, weights beside them. */
struct centre {
    struct map place;
    double *weight; /* of the sum, then times idf */
    uint32_t *term;
    size_t count, weight_cap, term_cap;
};

static void add_target(struct centre *c, const struct ground *g, uint32_t page)
{
    uint32_t first;
    struct profile p;

    if (web_history(g->web, page, &first) == 0)
        return;
    p = web_profile(g->web, first);
    if (!(p.square > 0))
        return;
    for (uint32_t i = 0; i < p.nterms; i++) {
        bool is_new;
        uint32_t *at = map_at(&c->place, hash_u64(p.terms[i].id), (uint32_t)c->count, &is_new);

        if (is_new) {
            MEM_GROW(c->weight, c->count, &c->weight_cap);
            MEM_GROW(c->term, c->count, &c->term_cap);
            c->weight[c->count] = 0;
            c->term[c->count++] = p.terms[i].id;
        }
        c->weight[*at] +=
            vec_tf(p.terms[i].count) * df_idf(web_idf(g->web), p.terms[i].id) / sqrt(p.square);
    }
}

static float likeness(const struct centre *c, const struct profile *p, double square)
{
    double dot = 0;

    for (uint32_t i = 0; i < p->nterms; i++) {
        uint32_t at = map_get(&c->place, hash_u64(p->terms[i].id));

        if (at != MAP_NONE)
            dot += vec_tf(p->terms[i].count) * c->weight[at];
    }
    return vec_ratio(dot, p->square, square);
}

float *subject_description(const struct ground *g, const struct subject *s)
{
    float *ret = mem_zero((size_t)g->counts.urls + 1, sizeof *ret);
    struct centre c = {0};
    double square = 0; /* of the sum: its length leaves the cosine as it is */

    map_init(&c.place);
    for (uint32_t i = 0; i < s->count; i++)
        add_target(&c, g, s->targets[i]);
    for (size_t i = 0; i < c.count; i++) {
        square += c.weight[i] * c.weight[i];
        c.weight[i] *= df_idf(web_idf(g->web), c.term[i]);
    }
    for (uint32_t page = 1; page <= g->counts.pages; page++) {
        uint32_t first;

        if (web_history(g->web, page, &first) > 0) {
            struct profile p = web_profile(g->web, first);

            ret[page] = likeness(&c, &p, square);
        }
    }
    map_free(&c.place);
    free(c.weight);
    free(c.term);
    return ret;
}
