/* graph.c - the links of a generated web.
 *
 * In: graph_config and the pages of graph_layout.c. Out: struct graph.
 *
 * Each page draws an out-degree and a fame (the number of links to it), both from power laws. Its
 * links are divided by topic: some stay inside it and some leave it. A share of both is kept in the
 * page's circles (graph_circles.c), which makes triangles; the targets of the rest are drawn by
 * fame, on the same host or anywhere. That share is found by trial, so that the measured clustering
 * is the one asked for. Last, pages without a link to them take over one link of the same kind, so
 * that the whole web can be reached.
 *
 * Workload: some 10 links a page, 10^4 to 10^6 pages, a microsecond a link.
 * SPDX-License-Identifier: MIT
 */
#include "sim/make/graph.h"

#include "base/mem.h"
#include "base/search.h"
#include "sim/make/graph_int.h"
#include "sim/graph_measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define OUT_SPREAD   25   /* largest out-degree: so many times the mean */
#define TRIES        12   /* draws before a link is given up */
#define CALIBRATIONS 10   /* tries for the clustering */
#define CLOSE_ENOUGH 0.02 /* relative error of the clustering */
#define CLUSTERING   0.1  /* where none is asked for */
#define LEAST_FAME   0.02 /* of its fame, which a page keeps in any case */
#define MOST_SHARED  0.97 /* of the links are kept in circles at most */

/* Everything needed while links are drawn. */
struct graph_builder {
    struct graph *g;
    const struct graph_config *c;
    struct rng root;
    double *fame;        /* page -> links it shall get */
    double *cum;         /* its rising sums in page order */
    uint32_t *by_topic;  /* pages by topic, those without one last */
    double *cum_topic;   /* rising sums in that order */
    uint32_t *topic_at;  /* topic -> first place in by_topic; topics + 2 */
    uint32_t *degree;    /* page -> links it shall have */
    uint32_t *len;       /* page -> links it has */
    uint32_t *picked;    /* targets of one page */
    uint32_t (*left)[2]; /* page -> links not yet drawn: leaving, local */
    struct circles *circles;
};

static void *array(uint64_t count, size_t size)
{
    return mem_zero((size_t)count + 1, size);
}

/* ---- drawing a target ---------------------------------------------------- */

uint32_t graph_draw(const double *cum, uint32_t from, uint32_t to, struct rng *r)
{
    double x = cum[from] + rng_unit(r) * (cum[to] - cum[from]);
    uint32_t i;

    FIND_FIRST(i, from, to - 1, cum[i + 1] > x);
    return i;
}

static uint32_t draw_topic(const struct graph_builder *b, uint32_t topic, struct rng *r)
{
    uint32_t from = b->topic_at[topic], to = b->topic_at[topic + 1];

    return b->by_topic[graph_draw(b->cum_topic, from, to, r)];
}

static uint32_t draw_host(const struct graph_builder *b, uint32_t host, struct rng *r)
{
    return graph_draw(b->cum, b->g->host_first[host], b->g->host_first[host + 1], r);
}

static bool can_add(const struct graph_builder *b, uint32_t i, uint32_t k, bool local)
{
    const uint32_t *row = b->g->to + b->g->off[i];

    if (k == i || b->g->copy_of[k] == i || graph_is_local(b->g, i, k) != local)
        return false; /* a page and its copy have the same links: none to each other */
    for (uint32_t l = 0; l < b->len[i]; l++)
        if (row[l] == k)
            return false;
    return true;
}

static void add(struct graph_builder *b, uint32_t i, uint32_t k)
{
    b->g->to[b->g->off[i] + b->len[i]++] = k;
}

/* One base link; false where no target was found. */
static bool add_base(struct graph_builder *b, uint32_t i, bool local, struct rng *r)
{
    const struct graph *g = b->g;

    for (int t = 0; t < TRIES; t++) {
        uint32_t k;

        if (rng_unit(r) < b->c->host_locality)
            k = draw_host(b, g->host[i], r);
        else if (local && g->topic[i] != GRAPH_NONE)
            k = draw_topic(b, g->topic[i], r);
        else
            k = graph_draw(b->cum, 0, g->pages, r);
        if (can_add(b, i, k, local)) {
            add(b, i, k);
            return true;
        }
    }
    return false;
}

/* ---- one page, all pages ------------------------------------------------- */

/* How many of its links are local; the fraction is decided by a draw. */
static uint32_t local_count(const struct graph_builder *b, uint32_t i, struct rng *r)
{
    double want = graph_local_share(b->g, b->c, i) * b->degree[i];

    return (uint32_t)(want + rng_unit(r));
}

/* The place of a link on its page says nothing about it. */
static void shuffle(uint32_t *row, uint32_t count, struct rng *r)
{
    for (uint32_t i = count; i > 1; i--) {
        uint32_t j = (uint32_t)rng_below(r, i), kept = row[i - 1];

        row[i - 1] = row[j];
        row[j] = kept;
    }
}

/* The links of page i that are certain (home) or kept in its circles. What is
 * left to draw goes to b->left. */
static void link_circles(struct graph_builder *b, uint32_t i, double share)
{
    struct rng r = rng_fork(&b->root, (uint64_t)i * 2);
    uint32_t *want = b->left[i], home = b->g->host_first[b->g->host[i]];
    bool home_local = graph_is_local(b->g, i, home);

    want[1] = local_count(b, i, &r);
    want[0] = b->degree[i] - want[1];
    if (home != i && want[home_local] > 0) {
        add(b, i, home);
        want[home_local]--;
    }
    for (int local = 0; local < 2; local++) {
        uint32_t kept = (uint32_t)(share * want[local] + rng_unit(&r)), picked = 0;

        kept = kept < want[local] ? kept : want[local];
        picked = circles_pick(b->circles, i, local, kept, home, &r, b->picked);
        for (uint32_t p = 0; p < picked; p++)
            add(b, i, b->picked[p]);
        want[local] -= picked;
    }
}

static void link_rest(struct graph_builder *b, uint32_t i)
{
    struct rng r = rng_fork(&b->root, (uint64_t)i * 2 + 1);

    for (int local = 0; local < 2; local++)
        for (uint32_t l = 0; l < b->left[i][local]; l++)
            (void)add_base(b, i, local, &r);
    shuffle(b->g->to + b->g->off[i], b->len[i], &r);
}

/* ---- before the links ---------------------------------------------------- */

static void draw_degrees(struct graph_builder *b)
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
    b->picked = array((uint64_t)high + 2, sizeof *b->picked);
}

/* Gives a host's front page the largest fame on the host. */
static void crown_fronts(struct graph_builder *b)
{
    for (uint32_t h = 0; h < b->g->hosts; h++) {
        uint32_t front = b->g->host_first[h], best = front;

        for (uint32_t i = front; i < b->g->host_first[h + 1]; i++)
            best = b->fame[i] > b->fame[best] ? i : best;
        double w = b->fame[front];
        b->fame[front] = b->fame[best];
        b->fame[best] = w;
    }
}

/* As many links are got as are given. */
static void scale_fame(struct graph_builder *b)
{
    double got = 0, given = 0;

    for (uint32_t i = 0; i < b->g->pages; i++) {
        got += b->fame[i];
        given += b->degree[i];
    }
    for (uint32_t i = 0; i < b->g->pages; i++)
        b->fame[i] *= given / got;
}

static void draw_fame(struct graph_builder *b)
{
    struct rng r = rng_fork(&b->root, UINT64_MAX - 1);
    struct graph *g = b->g;
    double high = fmax(10, g->pages / 40.0);
    uint32_t *at;

    for (uint32_t i = 0; i < g->pages; i++) {
        double w = graph_pareto(&r, b->c->in_exponent, 1, high);

        b->fame[i] = g->copy_of[i] == GRAPH_NONE ? w : 1;
    }
    crown_fronts(b);
    scale_fame(b);
    for (uint32_t i = 0; i < g->pages; i++)
        b->topic_at[(g->topic[i] == GRAPH_NONE ? g->topics : g->topic[i]) + 1]++;
    for (uint32_t t = 0; t <= g->topics; t++)
        b->topic_at[t + 1] += b->topic_at[t];
    at = array(g->topics + 1, sizeof *at);
    for (uint32_t i = 0; i < g->pages; i++) {
        uint32_t t = g->topic[i] == GRAPH_NONE ? g->topics : g->topic[i];

        b->by_topic[b->topic_at[t] + at[t]++] = i;
    }
    free(at);
}

/* ---- after them ---------------------------------------------------------- */

/* Gives page v one of the links that a page of its topic (or host) has to a
 * well-known page of the same topic. */
static bool adopt(struct graph_builder *b, uint32_t *in, uint32_t v, struct rng *r)
{
    const struct graph *g = b->g;

    for (int t = 0; t < 20 * TRIES; t++) {
        uint32_t u = t % 2 == 0 && g->topic[v] != GRAPH_NONE ? draw_topic(b, g->topic[v], r)
                                                             : draw_host(b, g->host[v], r);

        if (b->len[u] == 0)
            continue;
        uint32_t *slot = g->to + g->off[u] + rng_below(r, b->len[u]);
        if (in[*slot] < 2 || graph_is_local(g, u, *slot) != graph_is_local(g, u, v) ||
            !can_add(b, u, v, graph_is_local(g, u, v)))
            continue;
        in[*slot]--;
        in[v]++;
        *slot = v;
        return true;
    }
    return false;
}

/* Page -> links to it so far; the caller frees it. */
static uint32_t *count_in(const struct graph_builder *b)
{
    uint32_t *in = array(b->g->pages, sizeof *in);

    for (uint32_t i = 0; i < b->g->pages; i++)
        for (uint32_t l = 0; l < b->len[i]; l++)
            in[b->g->to[b->g->off[i] + l]]++;
    return in;
}

/* The rest is drawn by the links that a page still lacks, so that in-degrees keep their law even if
 * circles were uneven. */
static void weigh_rest(struct graph_builder *b)
{
    LOCAL_HEAP uint32_t *in = count_in(b);

#define REST(i) fmax(b->fame[i] - in[i], LEAST_FAME * b->fame[i])
    for (uint32_t p = 0; p < b->g->pages; p++) {
        b->cum[p + 1] = b->cum[p] + REST(p);
        b->cum_topic[p + 1] = b->cum_topic[p] + REST(b->by_topic[p]);
    }
}

static void adopt_orphans(struct graph_builder *b)
{
    struct rng r = rng_fork(&b->root, UINT64_MAX - 2);
    struct graph *g = b->g;
    LOCAL_HEAP uint32_t *in = count_in(b);

    for (uint32_t v = 0; v < g->pages; v++)
        if (in[v] == 0)
            (void)adopt(b, in, v, &r);
}

/* The web as rows without gaps; copies get the links of their originals. */
static struct graph_rows rows_of(const struct graph_builder *b)
{
    const struct graph *g = b->g;
    uint64_t total = 0;

    for (uint32_t i = 0; i < g->pages; i++)
        total += b->len[g->copy_of[i] == GRAPH_NONE ? i : g->copy_of[i]];
    uint32_t *to = array(total, sizeof *to);
    uint64_t *off = array(g->pages + 1, sizeof *off);
    for (uint32_t i = 0; i < g->pages; i++) {
        uint32_t from = g->copy_of[i] == GRAPH_NONE ? i : g->copy_of[i];

        memcpy(to + off[i], g->to + g->off[from], b->len[from] * sizeof *to);
        off[i + 1] = off[i] + b->len[from];
    }
    return (struct graph_rows){g->pages, off, to};
}

/* ---- trying -------------------------------------------------------------- */

/* All links once, with this share of them kept in circles. */
static struct graph_rows link_all(struct graph_builder *b, double share)
{
    memset(b->len, 0, b->g->pages * sizeof *b->len);
    circles_share(b->circles, share);
    for (uint32_t i = 0; i < b->g->pages; i++)
        if (b->g->copy_of[i] == GRAPH_NONE)
            link_circles(b, i, share);
    weigh_rest(b);
    for (uint32_t i = 0; i < b->g->pages; i++)
        if (b->g->copy_of[i] == GRAPH_NONE)
            link_rest(b, i);
    adopt_orphans(b);
    return rows_of(b);
}

/* A share and the clustering it gave, less the one wanted. */
struct trial {
    double share, gap;
};

/* The next share to try: where the line through both ends meets zero, drawn a
 * little to the middle so that no end stays for ever. In squares: clustering
 * rises at least that fast. */
static double between(const struct trial *low, const struct trial *high)
{
    double from = low->share * low->share, to = high->share * high->share;
    double line = from + (to - from) * low->gap / (low->gap - high->gap);

    return sqrt(0.8 * line + 0.1 * (from + to));
}

static void rows_free(struct graph_rows *rows)
{
    free((void *)(uintptr_t)rows->off);
    free((void *)(uintptr_t)rows->to);
}

/* The first trial shows which end is needed; for a value beyond an end, the end is used. */
static struct graph_rows calibrate(struct graph_builder *b)
{
    struct trial low = {0, NAN}, high = {MOST_SHARED, NAN}, best = {0, INFINITY};
    struct graph_rows rows = {0, NULL, NULL};
    double share = 0.4, wanted = b->c->clustering < 0 ? CLUSTERING : b->c->clustering;

    for (int step = 0; step < CALIBRATIONS; step++) {
        struct graph_rows found = link_all(b, share);
        struct trial now = {share, graph_clustering(&found) - wanted};

        *(now.gap < 0 ? &low : &high) = now;
        if (fabs(now.gap) < fabs(best.gap)) {
            struct graph_rows worse = rows;

            rows = found;
            found = worse;
            best = now;
        }
        rows_free(&found);
        if (fabs(best.gap) <= CLOSE_ENOUGH * wanted || (share <= 0 && now.gap >= 0) ||
            (share >= MOST_SHARED && now.gap < 0))
            break;
        share = isnan(low.gap) ? 0 : isnan(high.gap) ? MOST_SHARED : between(&low, &high);
    }
    b->g->clustering = best.gap + wanted;
    return rows;
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
        {"clustering", c->clustering, -1, 1},
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

static void builder_clear(struct graph_builder *b)
{
    free(b->fame);
    free(b->cum);
    free(b->by_topic);
    free(b->cum_topic);
    free(b->topic_at);
    free(b->degree);
    free(b->len);
    free(b->picked);
    free(b->left);
    circles_free(b->circles);
}

enum status graph_make(const struct graph_config *config, struct graph **ret)
{
    TRY(check(config));
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
    struct graph_builder b = {
        .g = g,
        .c = config,
        .fame = array(n, sizeof *b.fame),
        .cum = array(n + 1, sizeof *b.cum),
        .by_topic = array(n, sizeof *b.by_topic),
        .cum_topic = array(n + 1, sizeof *b.cum_topic),
        .topic_at = array(g->topics + 2, sizeof *b.topic_at),
        .degree = array(n, sizeof *b.degree),
        .len = array(n, sizeof *b.len),
        .left = array(n, sizeof *b.left),
    };
    rng_init(&b.root, config->rng ^ UINT64_C(0x6c696e6b73));
    draw_degrees(&b);
    draw_fame(&b);
    struct circle_source from = {g, config, b.degree, b.fame, b.by_topic, b.topic_at};
    b.circles = circles_new(&from, rng_fork(&b.root, UINT64_MAX - 3));
    struct graph_rows rows = calibrate(&b);
    free(g->off);
    free(g->to);
    g->off = (uint64_t *)(uintptr_t)rows.off;
    g->to = (uint32_t *)(uintptr_t)rows.to;
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
