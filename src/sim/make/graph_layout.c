/* graph_layout.c - lays out the pages: hosts, topics, copies.
 *
 * In: graph_config. Out: the page arrays of struct graph. Host sizes fall with
 * rank as (rank + H/20)^-0.8, or as asked for. Topics differ in size by up to 30 %. Each host
 * has a home topic, dealt out in blocks, so that big and small hosts are shared
 * evenly; its front page is always of that topic.
 *
 * Workload: once a world, O(pages log pages).
 * SPDX-License-Identifier: MIT
 */
#include "sim/make/graph_int.h"

#include "base/mem.h"
#include "base/order.h"

#include <math.h>
#include <stdlib.h>

static double pareto_mean(double exponent, double low, double high)
{
    double a = 1.0 - exponent, b = 2.0 - exponent;
    double top = fabs(b) < 1e-9 ? log(high / low) : (pow(high, b) - pow(low, b)) / b;
    double under = fabs(a) < 1e-9 ? log(high / low) : (pow(high, a) - pow(low, a)) / a;

    return top / under;
}

double graph_pareto_low(double exponent, double high, double mean)
{
    double from = 0.3, to = high * 0.999;

    for (int i = 0; i < 60; i++) {
        double middle = (from + to) / 2;

        if (pareto_mean(exponent, middle, high) < mean)
            from = middle;
        else
            to = middle;
    }
    return from;
}

double graph_pareto(struct rng *r, double exponent, double low, double high)
{
    double a = 1.0 - exponent;
    double u = rng_unit(r);

    return pow(pow(low, a) + u * (pow(high, a) - pow(low, a)), 1.0 / a);
}

/* Hosts of one home topic with rising sums of their sizes. */
struct pool {
    uint32_t *hosts;
    double *cum;
    uint32_t count;
};

static struct pool pool_make(const struct graph *g, const double *size, uint32_t topic, bool all)
{
    struct pool p = {mem_zero(g->hosts + 1, sizeof *p.hosts), mem_zero(g->hosts + 1, sizeof *p.cum),
                     0};

    for (uint32_t h = 0; h < g->hosts; h++)
        if (all || g->host_topic[h] == topic) {
            p.hosts[p.count++] = h;
            p.cum[p.count] = p.cum[p.count - 1] + size[h];
        }
    return p;
}

static void pool_free(struct pool *p)
{
    free(p->hosts);
    free(p->cum);
}

static uint32_t pool_draw(const struct pool *p, struct rng *r)
{
    return p->hosts[graph_draw(p->cum, 0, p->count, r)];
}

static void shuffle(uint32_t *items, uint32_t count, struct rng *r)
{
    for (uint32_t i = count; i > 1; i--) {
        uint32_t j = (uint32_t)rng_below(r, i), kept = items[i - 1];

        items[i - 1] = items[j];
        items[j] = kept;
    }
}

/* Home topics: blocks of one slot a topic and slots for hosts without one. */
static void deal_hosts(struct graph *g, const struct graph_config *c, struct rng *r)
{
    uint32_t empty = (uint32_t)lround(g->topics * (1.0 / c->topic_share - 1.0));
    uint32_t slots = g->topics + empty;
    LOCAL_HEAP uint32_t *block = mem_zero(slots, sizeof *block);

    for (uint32_t s = 0; s < slots; s++)
        block[s] = s < g->topics ? s : GRAPH_NONE;
    for (uint32_t h = 0; h < g->hosts; h++) {
        if (h % slots == 0)
            shuffle(block, slots, r);
        g->host_topic[h] = block[h % slots];
    }
}

/* How many pages each topic gets; the last entry is for those without one. */
static uint32_t *topic_sizes(const struct graph *g, const struct graph_config *c, struct rng *r)
{
    uint32_t *sizes = mem_zero(g->topics + 1, sizeof *sizes);
    LOCAL_HEAP double *weight = mem_zero(g->topics + 1, sizeof *weight);
    double sum = 0;
    uint32_t left = g->pages;

    for (uint32_t t = 0; t < g->topics; t++)
        sum += weight[t] = rng_range(r, 0.7, 1.3);
    for (uint32_t t = 0; t < g->topics; t++) {
        sizes[t] = (uint32_t)(weight[t] / sum * c->topic_share * g->pages);
        sizes[t] = sizes[t] < left ? sizes[t] : left;
        left -= sizes[t];
    }
    sizes[g->topics] = left;
    return sizes;
}

/* One page as it is dealt: host, not the front page, topic; sorts in this order. */
#define DEAL(host, inner, topic) ((uint64_t)(host) << 33 | (uint64_t)(inner) << 32 | (topic))

ORDER(by_value, uint64_t, UP_VALUE)

static void deal_pages(const struct graph *g, const struct graph_config *c, struct rng *r,
                       uint64_t *deals)
{
    LOCAL_HEAP double *size = mem_zero(g->hosts, sizeof *size);
    LOCAL_HEAP uint32_t *left = topic_sizes(g, c, r);
    uint32_t n = 0;

    for (uint32_t h = 0; h < g->hosts; h++) {
        uint32_t t = g->host_topic[h];
        uint32_t *from = &left[t == GRAPH_NONE ? g->topics : t];

        size[h] = c->host_exponent > 0 ? pow(h + 1, -c->host_exponent)
                                       : pow(h + 1 + g->hosts / 20.0, -0.8);
        *from -= *from > 0;
        deals[n++] = DEAL(h, 0, t);
    }
    struct pool all = pool_make(g, size, 0, true);
    for (uint32_t slot = 0; slot <= g->topics; slot++) {
        uint32_t t = slot == g->topics ? GRAPH_NONE : slot;
        struct pool home = pool_make(g, size, t, false);

        for (; left[slot] > 0 && n < g->pages; left[slot]--) {
            bool leans = home.count > 0 && rng_unit(r) < c->host_lean;
            uint32_t h = pool_draw(leans ? &home : &all, r);

            deals[n++] = DEAL(h, 1, t);
        }
        pool_free(&home);
    }
    while (n < g->pages)
        deals[n++] = DEAL(pool_draw(&all, r), 1, GRAPH_NONE);
    pool_free(&all);
}

/* A copy stands right behind its original, on the same host and topic. */
static void deal_copies(struct graph *g, const struct graph_config *c, struct rng *r)
{
    for (uint32_t i = 0; i < g->pages; i++) {
        bool fits = i > 0 && g->host[i - 1] == g->host[i] && g->topic[i - 1] == g->topic[i] &&
                    g->copy_of[i - 1] == GRAPH_NONE && g->host_first[g->host[i]] < i - 1;

        g->copy_of[i] = fits && rng_unit(r) < c->duplicates ? i - 1 : GRAPH_NONE;
    }
}

void graph_layout(struct graph *g, const struct graph_config *c)
{
    uint64_t *deals = mem_zero(g->pages, sizeof *deals);
    struct rng root, r;

    rng_init(&root, c->rng);
    r = rng_fork(&root, 1);
    deal_hosts(g, c, &r);
    deal_pages(g, c, &r, deals);
    qsort(deals, g->pages, sizeof *deals, by_value);
    for (uint32_t i = 0; i < g->pages; i++) {
        g->topic[i] = (uint32_t)deals[i];
        g->host[i] = (uint32_t)(deals[i] >> 33);
        if ((deals[i] >> 32 & 1) == 0)
            g->host_first[g->host[i]] = i;
    }
    g->host_first[g->hosts] = g->pages;
    free(deals);
    deal_copies(g, c, &r);
}
