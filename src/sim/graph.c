/* graph.c - the links of a generated web.
 *
 * In: graph_config and the pages of graph_layout.c. Out: struct graph.
 *
 * Each page draws an out-degree and an attractiveness, both from power laws.
 * Its links are cut in two by topic (so many stay, so many leave); then
 *   1. base links: targets by attractiveness, on the own host or anywhere;
 *   2. closing links: a neighbour's neighbour, on the same side of that cut,
 *      which makes triangles and, copying what is linked already, keeps the law
 *      of the in-degrees (after Holme and Kim 2002, who grow an undirected net;
 *      ours is static and directed).
 * The share of closing links is found by bisection so that the measured
 * clustering is the one asked for. Last, pages nobody links to take over one
 * link of the same kind, so that the whole web can be reached.
 *
 * Workload: some 10 links a page, 10^4 to 10^6 pages, 0.2 us a link.
 * SPDX-License-Identifier: MIT
 */
#include "sim/graph.h"

#include "base/mem.h"
#include "sim/graph_int.h"
#include "sim/graph_measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define OUT_SPREAD   25   /* largest out-degree: so many times the mean */
#define TRIES        12   /* draws before a link is given up */
#define CALIBRATIONS 7    /* bisection steps for the clustering */
#define CLOSE_ENOUGH 0.03 /* relative error of the clustering */

/* Everything needed while links are drawn. */
struct builder {
    struct graph *g;
    const struct graph_config *c;
    struct rng root;
    double *weight;     /* page -> attractiveness */
    double *cum;        /* its rising sums in page order */
    uint32_t *by_topic; /* pages by topic, those without one last */
    double *cum_topic;  /* rising sums in that order */
    uint32_t *topic_at; /* topic -> first place in by_topic; topics + 2 */
    uint32_t *degree;   /* page -> links it shall have */
    uint32_t *len;      /* page -> links it has */
};

static void *array(uint64_t count, size_t size)
{
    return mem_zero((size_t)count + 1, size);
}

/* ---- drawing a target ---------------------------------------------------- */

/* A place in [from, to) by weight; to > from. */
static uint32_t draw(const double *cum, uint32_t from, uint32_t to, struct rng *r)
{
    double x = cum[from] + rng_unit(r) * (cum[to] - cum[from]);
    uint32_t low = from, high = to - 1;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (cum[middle + 1] <= x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static uint32_t draw_topic(const struct builder *b, uint32_t topic, struct rng *r)
{
    uint32_t from = b->topic_at[topic], to = b->topic_at[topic + 1];

    return b->by_topic[draw(b->cum_topic, from, to, r)];
}

static uint32_t draw_host(const struct builder *b, uint32_t host, struct rng *r)
{
    return draw(b->cum, b->g->host_first[host], b->g->host_first[host + 1], r);
}

/* Does a link from i to k stay in the topic? Without one: does it stay on the host? */
static bool is_local(const struct graph *g, uint32_t i, uint32_t k)
{
    return g->topic[i] != GRAPH_NONE ? g->topic[i] == g->topic[k] : g->host[i] == g->host[k];
}

static bool can_add(const struct builder *b, uint32_t i, uint32_t k, bool local)
{
    const uint32_t *row = b->g->to + b->g->off[i];

    if (k == i || b->g->copy_of[k] == i || is_local(b->g, i, k) != local)
        return false; /* a page and its copy have the same links: none to each other */
    for (uint32_t l = 0; l < b->len[i]; l++)
        if (row[l] == k)
            return false;
    return true;
}

static void add(struct builder *b, uint32_t i, uint32_t k)
{
    b->g->to[b->g->off[i] + b->len[i]++] = k;
}

/* One base link; false where no target was found. */
static bool add_base(struct builder *b, uint32_t i, bool local, struct rng *r)
{
    const struct graph *g = b->g;

    for (int t = 0; t < TRIES; t++) {
        uint32_t k;

        if (rng_unit(r) < b->c->host_locality)
            k = draw_host(b, g->host[i], r);
        else if (local && g->topic[i] != GRAPH_NONE)
            k = draw_topic(b, g->topic[i], r);
        else
            k = draw(b->cum, 0, g->pages, r);
        if (can_add(b, i, k, local)) {
            add(b, i, k);
            return true;
        }
    }
    return false;
}

/* One link that closes a triangle over a random neighbour. */
static bool add_closing(struct builder *b, uint32_t i, bool local, struct rng *r)
{
    const struct graph *g = b->g;

    for (int t = 0; t < TRIES && b->len[i] > 0; t++) {
        uint32_t j = g->to[g->off[i] + rng_below(r, b->len[i])];

        if (b->len[j] == 0)
            continue;
        uint32_t k = g->to[g->off[j] + rng_below(r, b->len[j])];
        if (can_add(b, i, k, local)) {
            add(b, i, k);
            return true;
        }
    }
    return false;
}

/* ---- one page, all pages ------------------------------------------------- */

/* Of `n` links, so many stay local; the fraction is decided by a draw that is
 * the same in both passes. */
static uint32_t local_count(const struct builder *b, uint32_t i, struct rng *r)
{
    double share = b->g->topic[i] == GRAPH_NONE ? b->c->host_locality : b->c->locality;
    double want = share * b->degree[i];

    return (uint32_t)(want + rng_unit(r));
}

/* Pass 1 (closing false) draws the base links, pass 2 the closing ones. */
static void link_page(struct builder *b, uint32_t i, double close_share, bool closing)
{
    struct rng own = rng_fork(&b->root, (uint64_t)i * 4 + 2);
    struct rng r = rng_fork(&b->root, (uint64_t)i * 4 + (closing ? 1 : 0));
    uint32_t want[2] = {0, local_count(b, i, &own)};
    uint32_t home = b->g->host_first[b->g->host[i]];

    want[0] = b->degree[i] - want[1];
    bool home_local = is_local(b->g, i, home);
    if (home != i && want[home_local] > 0) {
        if (!closing)
            add(b, i, home);
        want[home_local]--;
    }
    for (int local = 0; local < 2; local++) {
        uint32_t closed = (uint32_t)(close_share * want[local] + rng_unit(&own));
        uint32_t n = closing ? closed : want[local] - closed;

        for (uint32_t l = 0; l < n; l++)
            if (!closing || !add_closing(b, i, local, &r))
                (void)add_base(b, i, local, &r);
    }
}

static void link_all(struct builder *b, double close_share)
{
    memset(b->len, 0, b->g->pages * sizeof *b->len);
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < b->g->pages; i++)
            if (b->g->copy_of[i] == GRAPH_NONE)
                link_page(b, i, close_share, pass == 1);
}

/* The web so far as rows without gaps, to be measured; the caller frees both. */
static struct graph_rows rows_of(const struct builder *b)
{
    uint64_t *off = array(b->g->pages + 1, sizeof *off);
    uint32_t *to = array(b->g->off[b->g->pages], sizeof *to);

    for (uint32_t i = 0; i < b->g->pages; i++) {
        memcpy(to + off[i], b->g->to + b->g->off[i], b->len[i] * sizeof *to);
        off[i + 1] = off[i] + b->len[i];
    }
    return (struct graph_rows){b->g->pages, off, to};
}

static double try_clustering(struct builder *b, double close_share)
{
    link_all(b, close_share);
    struct graph_rows rows = rows_of(b);
    double found = graph_clustering(&rows);

    free((void *)rows.off);
    free((void *)rows.to);
    return found;
}

static void calibrate(struct builder *b)
{
    double low = 0, high = 0.97, share = 0.3;

    for (int step = 0; step < CALIBRATIONS; step++) {
        double found = try_clustering(b, share);

        if (fabs(found - b->c->clustering) <= CLOSE_ENOUGH * b->c->clustering)
            return;
        if (found < b->c->clustering)
            low = share;
        else
            high = share;
        share = (low + high) / 2;
    }
    link_all(b, share);
}

/* ---- before and after ---------------------------------------------------- */

static void draw_degrees(struct builder *b)
{
    struct rng r = rng_fork(&b->root, UINT64_MAX);
    double high = fmin(b->c->out_mean * OUT_SPREAD, b->g->pages / 4.0 + 1);
    double low = graph_pareto_low(b->c->out_exponent, high, b->c->out_mean);

    for (uint32_t i = 0; i < b->g->pages; i++) {
        double k = graph_pareto(&r, b->c->out_exponent, low, high);

        b->degree[i] = b->g->copy_of[i] == GRAPH_NONE ? (uint32_t)(k + 0.5) : 0;
        b->g->off[i + 1] = b->g->off[i] + b->degree[i] + 1;
    }
    b->g->to = array(b->g->off[b->g->pages], sizeof *b->g->to);
}

/* A host's front page is the most attractive of the host. */
static void crown_fronts(struct builder *b)
{
    for (uint32_t h = 0; h < b->g->hosts; h++) {
        uint32_t front = b->g->host_first[h], best = front;

        for (uint32_t i = front; i < b->g->host_first[h + 1]; i++)
            best = b->weight[i] > b->weight[best] ? i : best;
        double w = b->weight[front];
        b->weight[front] = b->weight[best];
        b->weight[best] = w;
    }
}

static void draw_weights(struct builder *b)
{
    struct rng r = rng_fork(&b->root, UINT64_MAX - 1);
    struct graph *g = b->g;
    double high = fmax(10, g->pages / 40.0);
    uint32_t *at;

    for (uint32_t i = 0; i < g->pages; i++) {
        double w = graph_pareto(&r, b->c->in_exponent, 1, high);

        b->weight[i] = g->copy_of[i] == GRAPH_NONE ? w : 1;
    }
    crown_fronts(b);
    for (uint32_t i = 0; i < g->pages; i++) {
        b->cum[i + 1] = b->cum[i] + b->weight[i];
        b->topic_at[(g->topic[i] == GRAPH_NONE ? g->topics : g->topic[i]) + 1]++;
    }
    for (uint32_t t = 0; t <= g->topics; t++)
        b->topic_at[t + 1] += b->topic_at[t];
    at = array(g->topics + 1, sizeof *at);
    for (uint32_t i = 0; i < g->pages; i++) {
        uint32_t t = g->topic[i] == GRAPH_NONE ? g->topics : g->topic[i];

        b->by_topic[b->topic_at[t] + at[t]++] = i;
    }
    free(at);
    for (uint32_t p = 0; p < g->pages; p++)
        b->cum_topic[p + 1] = b->cum_topic[p] + b->weight[b->by_topic[p]];
}

/* Gives page v one of the links that a page of its topic (or host) has to a
 * well-known page of the same topic. */
static bool adopt(struct builder *b, uint32_t *in, uint32_t v, struct rng *r)
{
    const struct graph *g = b->g;

    for (int t = 0; t < 20 * TRIES; t++) {
        uint32_t u = t % 2 == 0 && g->topic[v] != GRAPH_NONE ? draw_topic(b, g->topic[v], r)
                                                             : draw_host(b, g->host[v], r);

        if (b->len[u] == 0)
            continue;
        uint32_t *slot = g->to + g->off[u] + rng_below(r, b->len[u]);
        if (in[*slot] < 2 || is_local(g, u, *slot) != is_local(g, u, v) ||
            !can_add(b, u, v, is_local(g, u, v)))
            continue;
        in[*slot]--;
        in[v]++;
        *slot = v;
        return true;
    }
    return false;
}

static void adopt_orphans(struct builder *b)
{
    struct rng r = rng_fork(&b->root, UINT64_MAX - 2);
    struct graph *g = b->g;
    uint32_t *in = array(g->pages, sizeof *in);

    for (uint32_t i = 0; i < g->pages; i++)
        for (uint32_t l = 0; l < b->len[i]; l++)
            in[g->to[g->off[i] + l]]++;
    for (uint32_t v = 0; v < g->pages; v++)
        if (in[v] == 0)
            (void)adopt(b, in, v, &r);
    free(in);
}

/* Closes the gaps between rows and gives copies the links of their originals. */
static void finish(struct builder *b)
{
    struct graph *g = b->g;
    uint64_t total = 0, at = 0;

    for (uint32_t i = 0; i < g->pages; i++)
        total += b->len[g->copy_of[i] == GRAPH_NONE ? i : g->copy_of[i]];
    uint32_t *to = array(total, sizeof *to);
    uint64_t *off = array(g->pages + 1, sizeof *off);
    for (uint32_t i = 0; i < g->pages; i++) {
        uint32_t from = g->copy_of[i] == GRAPH_NONE ? i : g->copy_of[i];

        memcpy(to + at, g->to + g->off[from], b->len[from] * sizeof *to);
        off[i] = at;
        at += b->len[from];
    }
    off[g->pages] = at;
    free(g->to);
    free(g->off);
    g->to = to;
    g->off = off;
}

/* ---- public -------------------------------------------------------------- */

static enum status check(const struct graph_config *c)
{
    const struct {
        const char *name;
        double value, low, high;
    } ranges[] = {
        {"pages", c->pages, 1, 1e8},
        {"hosts", c->hosts, 1, 1e6},
        {"topics", c->topics, 1, 1000},
        {"the share of pages with a topic", c->topic_share, 0.01, 1},
        {"the lean of hosts", c->host_lean, 0, 1},
        {"the mean number of links", c->out_mean, 1, 200},
        {"the out-degree exponent", c->out_exponent, 1.05, 5},
        {"the in-degree exponent", c->in_exponent, 1.05, 5},
        {"clustering", c->clustering, 0, 1},
        {"locality", c->locality, 0, 1},
        {"the share of links inside a host", c->host_locality, 0, 0.9},
        {"the share of duplicates", c->duplicates, 0, 0.5},
    };

    for (size_t i = 0; i < ARRAY_LEN(ranges); i++)
        if (!(ranges[i].value >= ranges[i].low && ranges[i].value <= ranges[i].high))
            return status_fail(ST_USAGE, "%s must lie between %g and %g, not at %g", ranges[i].name,
                               ranges[i].low, ranges[i].high, ranges[i].value);
    if (c->hosts > c->pages)
        return status_fail(ST_USAGE, "%u hosts need at least as many pages, not %u", c->hosts,
                           c->pages);
    return ST_OK;
}

static void builder_clear(struct builder *b)
{
    free(b->weight);
    free(b->cum);
    free(b->by_topic);
    free(b->cum_topic);
    free(b->topic_at);
    free(b->degree);
    free(b->len);
}

enum status graph_make(const struct graph_config *config, struct graph **ret)
{
    enum status st = check(config);

    if (st != ST_OK)
        return st;
    struct graph *g = MEM_NEW(struct graph);
    uint32_t n = config->pages;
    g->pages = n;
    g->hosts = config->hosts;
    g->topics = config->topics;
    g->topic = array(n, sizeof *g->topic);
    g->host = array(n, sizeof *g->host);
    g->copy_of = array(n, sizeof *g->copy_of);
    g->host_first = array(g->hosts + 1, sizeof *g->host_first);
    g->host_topic = array(g->hosts, sizeof *g->host_topic);
    g->off = array(n + 1, sizeof *g->off);
    graph_layout(g, config);
    struct builder b = {
        .g = g,
        .c = config,
        .weight = array(n, sizeof *b.weight),
        .cum = array(n + 1, sizeof *b.cum),
        .by_topic = array(n, sizeof *b.by_topic),
        .cum_topic = array(n + 1, sizeof *b.cum_topic),
        .topic_at = array(g->topics + 2, sizeof *b.topic_at),
        .degree = array(n, sizeof *b.degree),
        .len = array(n, sizeof *b.len),
    };
    rng_init(&b.root, config->rng ^ UINT64_C(0x6c696e6b73));
    draw_weights(&b);
    draw_degrees(&b);
    calibrate(&b);
    adopt_orphans(&b);
    finish(&b);
    builder_clear(&b);
    *ret = g;
    return ST_OK;
}

void graph_free(struct graph *g)
{
    if (g == NULL)
        return;
    free(g->topic);
    free(g->host);
    free(g->copy_of);
    free(g->host_first);
    free(g->host_topic);
    free(g->off);
    free(g->to);
    free(g);
}
