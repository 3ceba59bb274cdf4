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
#define LEFT        0.1  /* share of a gain that is left on a page */
#define ENERGY_LOW  -1.0F
#define ENERGY_HIGH 2.0F
#define YIELD_MOVED 0.02 /* a yield that moved by less changes no score */
#define LEAST       0.005
#define MOST        0.95

static void solve(struct web_map *m);

void web_map_init(struct web_map *m)
{
    *m = (struct web_map){0};
    map_init(&m->group_of);
    for (int n = 0; n <= MAP_PARENTS; n++)
        m->ln[n] = (float)log(1 + n);
    solve(m);
}

void web_map_clear(struct web_map *m)
{
    free(m->pages);
    free(m->edges);
    free(m->links);
    free(m->groups);
    free(m->dirty);
    map_free(&m->group_of);
    *m = (struct web_map){0};
}

struct map_link *web_map_link(struct web_map *m, uint32_t url)
{
    if (url >= m->nlinks) {
        size_t count = (size_t)url + url / 4 + 64;

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

uint32_t web_map_group(struct web_map *m, uint64_t key)
{
    bool is_new;
    uint64_t salted = hash_u64(key ^ (uint64_t)(uintptr_t)m); /* strangers choose directories */
    uint32_t at = *map_at(&m->group_of, salted, (uint32_t)m->ngroups, &is_new);

    if (is_new) {
        MEM_GROW(m->groups, m->ngroups, &m->groups_cap);
        m->groups[m->ngroups++] = (struct map_group){.key = key};
    }
    return at + 1;
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

float group_worth(struct web_map *m, uint32_t group)
{
    struct map_group none = {0}, *g = group ? &m->groups[group - 1] : &none;

    if (g->at != m->npages + 1) {
        double p =
            ((double)g->yield.sum + GROUP_PRIOR * m->base) / ((double)g->yield.count + GROUP_PRIOR);

        g->worth = half_logit(yield_within(p));
        g->at = (uint32_t)m->npages + 1;
    }
    return g->worth;
}

/* The regression, with ten observations on y = .05 + .4 x at x = 0 and ten at x = 1. */
static void solve(struct web_map *m)
{
    double n = m->n + 20, x = m->x + 10, y = m->y + 5, xx = m->xx + 10, xy = m->xy + 4.5;

    m->c1 = (n * xy - x * y) / (n * xx - x * x);
    m->c0 = (y - m->c1 * x) / n;
    m->base = (2 + (double)m->all.sum) / (10 + (double)m->all.count);
}

static void yield_add(struct yield *y, double label)
{
    y->sum += (float)label;
    y->count++;
}

static void one_more(uint8_t *count)
{
    *count = (uint8_t)(*count + (*count < UINT8_MAX));
}

/* How many labels a page counts as that is no example. */
static float labels_of(const struct web_map *m, const struct map_page *p)
{
    return RARE / (RARE + m->ln[m->links[p->url].parents]);
}

/* A link of page q led to a page. */
static void credit(struct web_map *m, struct map_page *q, const struct map_page *to)
{
    double label = (double)to->p;
    float times = to->is_example ? EXAMPLE : labels_of(m, to);

    m->n++;
    m->x += (double)q->p;
    m->y += label;
    m->xx += (double)q->p * (double)q->p;
    m->xy += (double)q->p * label;
    q->links.sum += times * to->p;
    q->links.count += times;
    if (to->is_example)
        one_more(&q->examples);
}

static void credit_groups(struct web_map *m, const struct map_page *p)
{
    const struct map_link *l = &m->links[p->url];
    uint32_t groups[] = {l->host, l->directory, l->place};

    for (size_t i = 0; i < ARRAY_LEN(groups); i++)
        if (groups[i])
            yield_add(&m->groups[groups[i] - 1].yield, (double)p->p);
    yield_add(&m->all, (double)p->p);
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
    for (uint32_t i = 0; i < q->nedges; i++)
        touch(m, m->edges[q->edge + i].url);
}

/* ---- pages ---- */

static void credit_parents(struct web_map *m, const struct map_link *l, const struct map_page *to)
{
    for (uint32_t e = l->edge; e; e = m->edges[e - 1].next) {
        credit(m, &m->pages[m->edges[e - 1].page], to);
        m->edges[e - 1].p = to->p;
    }
    solve(m);
    for (uint32_t e = l->edge; e; e = m->edges[e - 1].next) {
        struct map_page *q = &m->pages[m->edges[e - 1].page];
        double yield = page_yield(m, q);

        if (fabs(yield - (double)q->used) >= YIELD_MOVED)
            use_yield(m, q, yield);
    }
}

uint32_t web_map_visit(struct web_map *m, uint32_t url, double p, double words)
{
    struct map_link *l = web_map_link(m, url);

    MEM_GROW(m->pages, m->npages, &m->pages_cap);
    m->pages[m->npages] = (struct map_page){.url = url,
                                            .edge = (uint32_t)m->nedges,
                                            .p = (float)p,
                                            .words = (float)words,
                                            .energy = (float)p};
    l->page = (uint32_t)++m->npages;
    l->is_waiting = false;
    credit_groups(m, &m->pages[m->npages - 1]);
    credit_parents(m, l, &m->pages[m->npages - 1]);
    return (uint32_t)m->npages - 1;
}

/* Pages that link to it know it as any other page already. */
void web_map_is_example(struct web_map *m, uint32_t page)
{
    struct map_page *p = &m->pages[page];
    float more = EXAMPLE - labels_of(m, p);

    p->is_example = true;
    for (uint32_t e = m->links[p->url].edge; e; e = m->edges[e - 1].next) {
        struct map_page *q = &m->pages[m->edges[e - 1].page];

        q->links.sum += more * p->p;
        q->links.count += more;
        one_more(&q->examples);
    }
}

void web_map_leave(struct web_map *m, uint32_t url, double gain)
{
    for (uint32_t e = web_map_link(m, url)->edge; e; e = m->edges[e - 1].next) {
        float *energy = &m->pages[m->edges[e - 1].page].energy;

        *energy = fminf(fmaxf(*energy + (float)(LEFT * gain), ENERGY_LOW), ENERGY_HIGH);
    }
}

void web_map_leads_to(struct web_map *m, uint32_t url, uint32_t page)
{
    struct map_link *l = web_map_link(m, url);

    l->page = page + 1;
    for (uint32_t e = l->edge; e; e = m->edges[e - 1].next)
        m->edges[e - 1].p = m->pages[page].p;
}

/* Enters an edge of the last page. */
static void add_edge(struct web_map *m, uint32_t url)
{
    struct map_page *page = &m->pages[m->npages - 1];
    struct map_link *l = web_map_link(m, url);

    MEM_GROW(m->edges, m->nedges, &m->edges_cap);
    m->edges[m->nedges] =
        (struct map_edge){.page = (uint32_t)m->npages - 1, .url = url, .next = l->edge, .p = -1};
    l->edge = (uint32_t)++m->nedges;
    l->parents++;
    page->nedges++;
}

struct map_link *web_map_names(struct web_map *m, uint32_t url)
{
    struct map_page *page = &m->pages[m->npages - 1];
    struct map_link *l = web_map_link(m, url);

    if (l->parents == MAP_PARENTS || l->page == m->npages ||
        (l->edge && m->edges[l->edge - 1].page == m->npages - 1))
        return NULL;
    add_edge(m, url);
    if (l->page) {
        credit(m, page, &m->pages[l->page - 1]);
        m->edges[m->nedges - 1].p = m->pages[l->page - 1].p;
    }
    return l;
}

void web_map_close(struct web_map *m)
{
    struct map_page *page = &m->pages[m->npages - 1];

    use_yield(m, page, page_yield(m, page));
}

void web_map_count(struct web_map *m)
{
    m->n = m->x = m->y = m->xx = m->xy = 0;
    m->all = (struct yield){0};
    for (size_t i = 0; i < m->ngroups; i++)
        m->groups[i] = (struct map_group){.key = m->groups[i].key};
    for (size_t i = 0; i < m->npages; i++) {
        m->pages[i].links = (struct yield){0};
        m->pages[i].examples = 0;
        credit_groups(m, &m->pages[i]);
    }
    for (size_t i = 0; i < m->nedges; i++) {
        uint32_t target = m->links[m->edges[i].url].page;

        if (target == 0)
            continue;
        credit(m, &m->pages[m->edges[i].page], &m->pages[target - 1]);
        m->edges[i].p = m->pages[target - 1].p;
    }
    solve(m);
    for (size_t i = 0; i < m->npages; i++)
        m->pages[i].used = (float)page_yield(m, &m->pages[i]);
}

double web_map_near(const struct web_map *m, uint32_t page)
{
    const struct map_page *p = &m->pages[page];
    double sum = 2 * m->base, count = 2;

    for (uint32_t e = m->links[p->url].edge; e; e = m->edges[e - 1].next, count++)
        sum += (double)m->pages[m->edges[e - 1].page].p;
    for (uint32_t i = 0; i < p->nedges; i++) {
        uint32_t target = m->links[m->edges[p->edge + i].url].page;

        sum += target ? (double)m->pages[target - 1].p : 0;
        count += target != 0;
    }
    return sum / count;
}

/* ---- checkpoint ---- */

static const struct field map_fields[] = {
    FIELD(FINE, struct web_map, all.sum), FIELD(FINE, struct web_map, all.count),
    FIELD(REAL, struct web_map, n),       FIELD(REAL, struct web_map, x),
    FIELD(REAL, struct web_map, y),       FIELD(REAL, struct web_map, xx),
    FIELD(REAL, struct web_map, xy),      FIELD_END,
};

static const struct field group_fields[] = {
    FIELD(U64, struct map_group, key),
    FIELD(FINE, struct map_group, yield.sum),
    FIELD(FINE, struct map_group, yield.count),
    FIELD_END,
};

static const struct field page_fields[] = {
    FIELD(URL, struct map_page, url),
    FIELD(U32, struct map_page, nedges),
    FIELD(FINE, struct map_page, p),
    FIELD(FINE, struct map_page, words),
    FIELD(FINE, struct map_page, links.sum),
    FIELD(FINE, struct map_page, links.count),
    FIELD(FINE, struct map_page, used),
    FIELD(U32, struct map_page, number),
    FIELD_END,
};

/* What version 0.2 did not have. */
static const struct field more_fields[] = {
    FIELD(FINE, struct map_page, energy),
    FIELD(U8, struct map_page, examples),
    FIELD_END,
};

static const struct field link_fields[] = {
    FIELD(U32, struct map_link, page),       FIELD(U32, struct map_link, host),
    FIELD(U32, struct map_link, directory),  FIELD(U32, struct map_link, place),
    FIELD(FINE, struct map_link, anchor),    FIELD(FINE, struct map_link, context),
    FIELD(FINE, struct map_link, name),      FIELD(FINE, struct map_link, section),
    FIELD(BIT, struct map_link, is_waiting), FIELD_END,
};

static const struct field old_link_fields[] = {
    FIELD(U32, struct map_link, page),       FIELD(U32, struct map_link, host),
    FIELD(U32, struct map_link, directory),  FIELD(U32, struct map_link, place),
    FIELD(FINE, struct map_link, anchor),    FIELD(FINE, struct map_link, context),
    FIELD(BIT, struct map_link, is_waiting), FIELD_END,
};

static bool link_is_known(const struct map_link *l)
{
    return l->edge || l->page || l->host;
}

void web_map_save(const struct web_map *m, struct buf *out)
{
    uint32_t known = 0;

    fields_save(map_fields, m, out);
    fields_save_all(group_fields, m->groups, m->ngroups, sizeof *m->groups, out);
    fields_save_all(page_fields, m->pages, m->npages, sizeof *m->pages, out);
    for (size_t i = 0; i < m->npages; i++)
        fields_save(more_fields, &m->pages[i], out);
    for (size_t i = 0; i < m->nedges; i++)
        buf_put_u32(out, m->edges[i].url);
    for (size_t url = 0; url < m->nlinks; url++)
        known += link_is_known(&m->links[url]);
    buf_put_u32(out, known);
    for (size_t url = 0; url < m->nlinks; url++)
        if (link_is_known(&m->links[url])) {
            buf_put_u32(out, (uint32_t)url);
            fields_save(link_fields, &m->links[url], out);
        }
}

static void load_groups(struct web_map *m, struct cursor *from)
{
    uint32_t count = cursor_u32(from);

    for (uint32_t i = 0; i < count && !from->bad; i++) {
        struct map_group g = {0};

        fields_load(group_fields, &g, from);
        from->bad |= web_map_group(m, g.key) != i + 1 || g.yield.count < 0 || g.yield.sum < 0;
        if (!from->bad)
            m->groups[i] = g;
    }
}

static void load_pages(struct web_map *m, struct cursor *from)
{
    uint32_t count = cursor_u32(from);

    for (uint32_t i = 0; i < count && !from->bad; i++) {
        struct map_page p = {0};

        fields_load(page_fields, &p, from);
        from->bad |= p.links.count < 0 || p.links.sum < 0;
        if (from->bad)
            return;
        MEM_GROW(m->pages, m->npages, &m->pages_cap);
        m->pages[m->npages++] = p;
        (void)web_map_link(m, p.url);
    }
}

/* The edges of all pages; the lists of parents come out as they were. */
static void load_edges(struct web_map *m, struct cursor *from)
{
    size_t npages = m->npages;

    for (size_t i = 0; i < npages && !from->bad; i++) {
        uint32_t count = m->pages[i].nedges;

        m->npages = i + 1; /* add_edge() enters edges of the last page */
        m->pages[i].edge = (uint32_t)m->nedges;
        m->pages[i].nedges = 0;
        for (uint32_t k = 0; k < count && !from->bad; k++) {
            uint32_t url = cursor_number(from);

            from->bad |= !from->bad && web_map_link(m, url)->parents >= MAP_PARENTS;
            if (!from->bad)
                add_edge(m, url);
        }
    }
    m->npages = npages;
}

static void load_links(struct web_map *m, struct cursor *from, bool is_old)
{
    uint32_t count = cursor_u32(from);

    for (uint32_t i = 0; i < count && !from->bad; i++) {
        uint32_t url = cursor_number(from);
        struct map_link *l = from->bad ? NULL : web_map_link(m, url);

        if (l == NULL)
            return;
        fields_load(is_old ? old_link_fields : link_fields, l, from);
        from->bad |= l->page > m->npages || l->host > m->ngroups || l->directory > m->ngroups ||
                     l->place > m->ngroups;
    }
}

enum status web_map_load(struct web_map *m, struct cursor *from, bool is_old)
{
    fields_load(map_fields, m, from);
    from->bad |= m->all.count < 0 || m->all.sum < 0 || m->n < 0 || m->xx < 0;
    load_groups(m, from);
    load_pages(m, from);
    for (size_t i = 0; i < m->npages; i++)
        if (is_old)
            m->pages[i].energy = m->pages[i].p;
        else
            fields_load(more_fields, &m->pages[i], from);
    load_edges(m, from);
    load_links(m, from, is_old);
    for (size_t i = 0; i < m->nedges && !from->bad; i++) {
        uint32_t target = m->links[m->edges[i].url].page;

        m->edges[i].p = target ? m->pages[target - 1].p : -1;
    }
    solve(m);
    return from->bad ? status_fail(ST_CORRUPT, "the saved map of the web is cut or broken") : ST_OK;
}
