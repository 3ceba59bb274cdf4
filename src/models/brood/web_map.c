/* web_map.c - what the crawl has seen of the web: pages, links, and what they brought.
 * SPDX-License-Identifier: MIT */
#include "models/brood/web_map.h"

#include "base/fields.h"
#include "base/hash.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GROUP_PRIOR 2.0  /* usual pages that every group begins with */
#define YIELD_PRIOR 3.0  /* links of the usual yield that every page begins with */
#define EXAMPLE     4.0F /* labels that an example counts as */
#define RARE        2.0F /* a page that n pages link to counts as RARE / (RARE + ln(1 + n)) labels */
#define LEFT        0.1  /* the share of a gain that is left on a page */
#define ENERGY_LOW  -1.0F
#define ENERGY_HIGH 2.0F
#define YIELD_MOVED 0.02 /* a yield that changed by less changes no score */
#define LEAST       0.005
#define MOST        0.95

_Static_assert(MAP_FOUND == 1 << 10, "found_at() takes ten bits");

#define LARGE  (1U << 20) /* links from which on a growing array is remapped, not copied */
#define COARSE 4096       /* steps of labels in sums, see web_map.h */

void web_map_init(struct web_map *m)
{
    *m = (struct web_map){0};
    MEM_GROW(m->groups, m->ngroups, &m->groups_cap);
    m->groups[m->ngroups++] = (struct map_group){0};
    for (int n = 0; n <= MAP_PARENTS; n++)
        m->ln[n] = (float)log(1 + n);
    web_map_solve(m);
}

void web_map_clear(struct web_map *m)
{
    free(m->pages);
    free(m->edges.urls);
    free(m->edges.labels);
    free(m->edges.older);
    free(m->edges.blocks);
    free(m->links);
    free(m->groups);
    free(m->dirty);
    keys_free(&m->group_of);
    parts_clear(&m->changed_pages);
    parts_clear(&m->changed_links);
    parts_clear(&m->changed_edges);
    *m = (struct web_map){0};
}

struct map_link *web_map_link(struct web_map *m, uint32_t url)
{
    if (url >= m->nlinks) {
        size_t count = (size_t)url + url / (url < LARGE ? 8 : 32) + 64;

        m->links = mem_resize(m->links, count, sizeof *m->links);
        memset(m->links + m->nlinks, 0, (count - m->nlinks) * sizeof *m->links);
        m->nlinks = count;
    }
    return &m->links[url];
}

struct map_link *web_map_find(const struct web_map *m, uint32_t url)
{
    return url < m->nlinks ? &m->links[url] : NULL;
}

/* ---- edges ---- */

void web_map_put_edge(struct web_map *m, uint32_t url)
{
    struct map_edges *e = &m->edges;

    MEM_GROW(e->urls, m->nedges, &e->urls_cap);
    MEM_GROW(e->labels, m->nedges + (size_t)2 * EDGE_SPARE, &e->labels_cap);
    e->urls[m->nedges] = url;
    e->labels[EDGE_SPARE + m->nedges++] = 0;
}

void web_map_join_edge(struct web_map *m, uint32_t edge, uint32_t page)
{
    struct map_edges *e = &m->edges;
    struct map_link *l = &m->links[e->urls[edge]];
    uint64_t bit = UINT64_C(1) << edge % EDGE_BLOCK;
    struct edge_block *b;

    if (edge % EDGE_BLOCK == 0) {
        MEM_GROW(e->blocks, edge / EDGE_BLOCK, &e->blocks_cap);
        e->blocks[edge / EDGE_BLOCK] =
            (struct edge_block){.page = page, .older = (uint32_t)e->nolder};
    }
    b = &e->blocks[edge / EDGE_BLOCK];
    if (edge == m->pages[page].edge)
        b->begins |= bit;
    if (l->edge) {
        b->has_older |= bit;
        MEM_GROW(e->older, e->nolder, &e->older_cap);
        e->older[e->nolder++] = l->edge;
    }
    l->edge = (edge + 1) & MAP_EDGES;
    l->parents++;
}

/* ---- groups ---- */

static uint32_t host_of(const struct web_map *m, uint32_t url)
{
    return m->host ? m->host(m->host_ctx, url) : 0;
}

static uint64_t group_key(enum map_kind kind, uint32_t host, uint32_t of)
{
    return (uint64_t)host << 32 | (uint64_t)kind << 30 | of;
}

/* Outsiders choose the names of directories, so keys are mixed with an address that
 * they do not know. */
static uint64_t salted(const struct web_map *m, uint64_t key)
{
    return hash_u64(key ^ (uint64_t)(uintptr_t)m);
}

static struct found_group *found_at(struct web_map *m, uint64_t key)
{
    return &m->found[key * UINT64_C(0x9e3779b97f4a7c15) >> 54];
}

/* Returns the group if it has a page, otherwise the first group. */
static uint32_t group_find(struct web_map *m, uint64_t key)
{
    struct found_group *f = found_at(m, key);

    if (f->key != key + 1)
        *f = (struct found_group){key + 1, keys_find(&m->group_of, salted(m, key))};
    return f->group;
}

static struct map_group *group_at(struct web_map *m, uint64_t key)
{
    uint32_t at = keys_find(&m->group_of, salted(m, key));

    if (at == 0) {
        at = (uint32_t)m->ngroups;
        keys_add(&m->group_of, salted(m, key), at);
        MEM_GROW(m->groups, m->ngroups, &m->groups_cap);
        m->groups[m->ngroups++] = (struct map_group){0};
        *found_at(m, key) = (struct found_group){key + 1, at};
    }
    return &m->groups[at];
}

/* A label, rounded as it is in sums. */
static double coarse(float p)
{
    return (double)(int)(p * COARSE + 0.5F) / COARSE;
}

/* Adds the label of a page to its groups; with times -1, removes it again. */
static void credit_groups(struct web_map *m, const struct map_page *p, int times)
{
    const struct map_link *l = &m->links[p->url];
    uint32_t of[MAP_KINDS] = {0, l->directory, l->place}, host = host_of(m, p->url);

    for (enum map_kind kind = 0; kind < MAP_KINDS; kind++) {
        struct map_group *g = group_at(m, group_key(kind, host, of[kind]));

        g->sum += times * coarse(p->p);
        g->count += (uint32_t)times;
        g->at = 0;
    }
}

float group_worth(struct web_map *m, enum map_kind kind, uint32_t host, uint32_t of)
{
    struct map_group *g = &m->groups[group_find(m, group_key(kind, host, of))];

    if (g->at != m->solved) {
        g->worth =
            half_logit(yield_within((g->sum + GROUP_PRIOR * m->base) / (g->count + GROUP_PRIOR)));
        g->at = m->solved;
    }
    return g->worth;
}

void web_map_expect(const struct web_map *m, const struct map_page *page)
{
    for (uint32_t i = page->edge; i < page->edge + page->nedges; i++) {
        uint32_t url = m->edges.urls[i];

        if (m->links[url].is_waiting)
            keys_near(&m->group_of, salted(m, group_key(MAP_DIRECTORY, host_of(m, url),
                                                        m->links[url].directory)));
    }
}

/* ---- yields ---- */

double yield_within(double x)
{
    return x < LEAST ? LEAST : x > MOST ? MOST : x;
}

double page_yield(const struct web_map *m, const struct map_page *p)
{
    double usual = yield_within(m->c0 + m->c1 * (double)p->p);

    return yield_within(((double)p->links.sum + YIELD_PRIOR * usual) /
                        ((double)p->links.count + YIELD_PRIOR));
}

float half_logit(double p)
{
    return (float)(0.5 * log(p / (1 - p)));
}

/* The regression, with ten observations on y = .05 + .4 x at x = 0 and ten at x = 1. */
void web_map_solve(struct web_map *m)
{
    double n = m->n + 20, x = m->x + 10, y = m->y + 5, xx = m->xx + 10, xy = m->xy + 4.5;

    m->c1 = (n * xy - x * y) / (n * xx - x * x);
    m->c0 = (y - m->c1 * x) / n;
    m->base = (2 + m->all.sum) / (10 + m->all.count);
    m->solved++;
}

/* Adds one observation, or removes it (times -1): a link from page q leads to page `to`. */
static void observe(struct web_map *m, const struct map_page *q, const struct map_page *to,
                    int times)
{
    double x = coarse(q->p), y = coarse(to->p);

    m->n += times;
    m->x += times * x;
    m->y += times * y;
    m->xx += times * x * x;
    m->xy += times * x * y;
}

static void one_more(uint8_t *count)
{
    *count = (uint8_t)(*count + (*count < UINT8_MAX));
}

/* As how many labels a page counts that is not an example. */
static float labels_of(const struct web_map *m, const struct map_page *p)
{
    return RARE / (RARE + m->ln[m->links[p->url].parents]);
}

/* Credits page q with a link that led to a page. */
static void credit(struct web_map *m, struct map_page *q, const struct map_page *to)
{
    float times = to->is_example ? EXAMPLE : labels_of(m, to);

    q->links.sum += times * to->p;
    q->links.count += times;
    if (to->is_example)
        one_more(&q->examples);
    web_map_page_changed(m, (uint32_t)(q - m->pages));
}

static void set_label(struct web_map *m, size_t edge, float p)
{
    m->edges.labels[EDGE_SPARE + edge] = (uint8_t)(1 + (uint32_t)(p * 254 + 0.5F));
}

/* ---- scores that have to be computed again ---- */

static void touch(struct web_map *m, uint32_t url)
{
    struct map_link *l = &m->links[url];

    if (l->is_dirty || !l->is_waiting)
        return;
    l->is_dirty = true;
    MEM_GROW(m->dirty, m->ndirty, &m->dirty_cap);
    m->dirty[m->ndirty++] = url;
}

static void use_yield(struct web_map *m, struct map_page *q, double yield)
{
    q->used = (float)yield;
    web_map_page_changed(m, (uint32_t)(q - m->pages));
    for (uint32_t i = 0; i < q->nedges; i++)
        touch(m, m->edges.urls[q->edge + i]);
}

/* ---- pages ---- */

/* All edges to a URL now lead to this page; `was` is the page before (NULL: none). */
static void lead(struct web_map *m, const struct map_link *l, const struct map_page *to,
                 const struct map_page *was)
{
    for (uint32_t e = l->edge; e; e = web_map_older(m, e)) {
        const struct map_page *q = &m->pages[web_map_edge_page(m, e - 1)];

        if (was)
            observe(m, q, was, -1);
        observe(m, q, to, 1);
        set_label(m, e - 1, to->p);
    }
}

static void credit_parents(struct web_map *m, const struct map_link *l, const struct map_page *to)
{
    for (uint32_t e = l->edge; e; e = web_map_older(m, e))
        credit(m, &m->pages[web_map_edge_page(m, e - 1)], to);
    web_map_solve(m);
    for (uint32_t e = l->edge; e; e = web_map_older(m, e)) {
        struct map_page *q = &m->pages[web_map_edge_page(m, e - 1)];
        double yield = page_yield(m, q);

        if (fabs(yield - (double)q->used) >= YIELD_MOVED)
            use_yield(m, q, yield);
    }
}

uint32_t web_map_visit(struct web_map *m, uint32_t url, double p, double words)
{
    struct map_link *l = web_map_link(m, url);
    uint32_t was = link_page(l), page = (uint32_t)m->npages;

    MEM_GROW(m->pages, m->npages, &m->pages_cap);
    m->pages[m->npages++] = (struct map_page){.url = url,
                                              .edge = (uint32_t)m->nedges,
                                              .p = (float)p,
                                              .words = (float)words,
                                              .energy = (float)p};
    l->page = page;
    l->is_visited = true;
    l->is_waiting = false;
    web_map_link_changed(m, url);
    web_map_page_changed(m, page);
    m->all.sum += coarse((float)p);
    m->all.count++;
    if (l->edge && was && m->pages[was - 1].url == url)
        credit_groups(m, &m->pages[was - 1], -1);
    if (l->edge)
        credit_groups(m, &m->pages[page], 1);
    lead(m, l, &m->pages[page], was ? &m->pages[was - 1] : NULL);
    credit_parents(m, l, &m->pages[page]);
    return page;
}

/* Pages that link to it have already been credited as for any other page. */
void web_map_is_example(struct web_map *m, uint32_t page)
{
    struct map_page *p = &m->pages[page];
    float more = EXAMPLE - labels_of(m, p);

    p->is_example = true;
    for (uint32_t e = m->links[p->url].edge; e; e = web_map_older(m, e)) {
        struct map_page *q = &m->pages[web_map_edge_page(m, e - 1)];

        q->links.sum += more * p->p;
        q->links.count += more;
        one_more(&q->examples);
        web_map_page_changed(m, web_map_edge_page(m, e - 1));
    }
}

void web_map_leave(struct web_map *m, uint32_t url, double gain)
{
    for (uint32_t e = web_map_link(m, url)->edge; e; e = web_map_older(m, e)) {
        float *energy = &m->pages[web_map_edge_page(m, e - 1)].energy;

        *energy = fminf(fmaxf(*energy + (float)(LEFT * gain), ENERGY_LOW), ENERGY_HIGH);
        web_map_page_changed(m, web_map_edge_page(m, e - 1));
    }
}

void web_map_leads_to(struct web_map *m, uint32_t url, uint32_t page)
{
    struct map_link *l = web_map_link(m, url);

    l->page = page;
    l->is_visited = true;
    l->is_waiting = false;
    web_map_link_changed(m, url);
    m->pages[page].alias = url;
    lead(m, l, &m->pages[page], NULL);
}

/* Adds an edge to the last page. */
static void add_edge(struct web_map *m, uint32_t url)
{
    struct map_page *page = &m->pages[m->npages - 1];

    if (m->in_parts)
        parts_touch(&m->changed_edges, (uint32_t)m->nedges);
    web_map_put_edge(m, url);
    web_map_join_edge(m, (uint32_t)m->nedges - 1, (uint32_t)m->npages - 1);
    page->nedges++;
}

struct map_link *web_map_names(struct web_map *m, uint32_t url)
{
    struct map_page *page = &m->pages[m->npages - 1], *to;
    struct map_link *l = web_map_link(m, url);
    bool is_first = l->edge == 0;

    if (l->parents == MAP_PARENTS || m->nedges == MAP_EDGES - 1 || link_page(l) == m->npages ||
        l->edge > page->edge) /* the last page has the last edges */
        return NULL;
    add_edge(m, url);
    if (l->is_visited) {
        to = &m->pages[l->page];
        if (is_first && to->url == url)
            credit_groups(m, to, 1);
        observe(m, page, to, 1);
        credit(m, page, to);
        set_label(m, m->nedges - 1, to->p);
    }
    return l;
}

void web_map_close(struct web_map *m)
{
    struct map_page *page = &m->pages[m->npages - 1];

    use_yield(m, page, page_yield(m, page));
}

/* ---- labels that change ---- */

/* Adds or removes the page's observations: as the source of its links, and as the
 * target of links to its URL. */
static void observe_page(struct web_map *m, const struct map_page *p, int times)
{
    for (uint32_t i = 0; i < p->nedges; i++) {
        uint32_t target = link_page(&m->links[m->edges.urls[p->edge + i]]);

        if (target)
            observe(m, p, &m->pages[target - 1], times);
    }
}

static void observe_url(struct web_map *m, const struct map_page *p, uint32_t url, int times)
{
    const struct map_link *l = &m->links[url];

    if (link_page(l) != p - m->pages + 1)
        return;
    for (uint32_t e = l->edge; e; e = web_map_older(m, e)) {
        if (&m->pages[web_map_edge_page(m, e - 1)] != p) /* otherwise observe_page() did it */
            observe(m, &m->pages[web_map_edge_page(m, e - 1)], p, times);
        set_label(m, e - 1, p->p);
    }
    if (l->edge && url == p->url)
        credit_groups(m, p, times);
}

static void observe_all(struct web_map *m, const struct map_page *p, int times)
{
    observe_page(m, p, times);
    observe_url(m, p, p->url, times);
    if (p->alias)
        observe_url(m, p, p->alias, times);
    m->all.sum += times * coarse(p->p);
}

void web_map_relabel(struct web_map *m, uint32_t page, double p)
{
    struct map_page *to = &m->pages[page];

    if ((float)p >= to->p && (float)p <= to->p)
        return;
    observe_all(m, to, -1);
    to->p = (float)p;
    observe_all(m, to, 1);
    web_map_page_changed(m, page);
}

void web_map_count(struct web_map *m)
{
    m->n = m->x = m->y = m->xx = m->xy = 0;
    m->all.sum = 0;
    m->all.count = (double)m->npages;
    for (size_t i = 0; i < m->ngroups; i++)
        m->groups[i] = (struct map_group){0};
    for (size_t i = 0; i < m->npages; i++) {
        const struct map_page *p = &m->pages[i];
        const struct map_link *l = &m->links[p->url];

        m->all.sum += coarse(p->p);
        observe_page(m, p, 1);
        if (l->edge && link_page(l) == i + 1)
            credit_groups(m, p, 1);
    }
    for (size_t i = 0; i < m->nedges; i++) {
        uint32_t target = link_page(&m->links[m->edges.urls[i]]);

        if (target)
            set_label(m, i, m->pages[target - 1].p);
    }
    web_map_solve(m);
}

void web_map_recount(struct web_map *m, uint32_t page)
{
    struct map_page *q = &m->pages[page];

    q->links = (struct yield){0};
    q->examples = 0;
    for (uint32_t i = 0; i < q->nedges; i++) {
        uint32_t target = link_page(&m->links[m->edges.urls[q->edge + i]]);

        if (target)
            credit(m, q, &m->pages[target - 1]);
    }
    q->used = (float)page_yield(m, q);
    web_map_page_changed(m, page);
}

double web_map_near(const struct web_map *m, uint32_t page)
{
    const struct map_page *p = &m->pages[page];
    double sum = 2 * m->base, count = 2;

    for (uint32_t e = m->links[p->url].edge; e; e = web_map_older(m, e), count++)
        sum += (double)m->pages[web_map_edge_page(m, e - 1)].p;
    for (uint32_t i = 0; i < p->nedges; i++) {
        uint32_t target = link_page(&m->links[m->edges.urls[p->edge + i]]);

        sum += target ? (double)m->pages[target - 1].p : 0;
        count += target != 0;
    }
    return sum / count;
}
