/* nodes.c - see nodes.h. SPDX-License-Identifier: MIT */
#include "nodes.h"

#include "frontier/frontier.h"
#include "text/profile.h"

void node_of(struct node *ret)
{
    *ret = (struct node){.id = 1};
    ret->parts[0].ours = true;
    for (uint32_t p = 0; p < PARTITIONS; p++) {
        ret->parts[p].tail = &ret->parts[p].log;
        batch_init(&ret->parts[p].open);
    }
    map_init(&ret->hosts);
    map_init(&ret->told);
    map_init(&ret->pauses);
    map_init(&ret->last_at);
}

void node_clear(struct node *n)
{
    for (size_t i = n->first; i < n->count; i++)
        free(n->kept[i].bytes);
    free(n->kept);
    free(n->fates);
    for (uint32_t p = 0; p < PARTITIONS; p++)
        batch_clear(&n->parts[p].open);
    travel_clear(&n->travel);
    free(n->last);
    free(n->gaps);
    receipts_clear(&n->claimed);
    map_free(&n->hosts);
    map_free(&n->told);
    map_free(&n->pauses);
    map_free(&n->last_at);
}

void ignore(void *ctx, const struct event *e)
{
    (void)ctx, (void)e;
}

/* ---- messages ---- */

static void bring_as(struct crawl *c, const struct incoming *as, struct str bytes)
{
    struct incoming *in = calloc(1, sizeof *in + bytes.len);

    assert_non_null(in);
    *in = *as;
    in->len = bytes.len;
    if (bytes.len)
        memcpy(in->bytes, bytes.ptr, bytes.len);
    c->node->taking = true;
    inbox_take(c, in);
    c->node->taking = false;
}

void bring(struct crawl *c, enum incoming_kind kind, uint32_t part, uint64_t position,
           struct str bytes)
{
    bring_as(c, &(struct incoming){.kind = kind, .part = part, .token = 3, .position = position},
             bytes);
}

void bring_batch(struct crawl *c, const struct incoming *as, uint64_t sender, uint64_t number,
                 const struct batch_item *item)
{
    struct buf bytes = BUF_INIT(LIMIT_BATCH);
    struct batch batch;

    batch_init(&batch);
    if (item)
        batch_add(&batch, item);
    batch_take(&batch, sender, number, &bytes);
    bring_as(c, as, buf_str(&bytes));
    batch_clear(&batch);
    buf_free(&bytes);
}

static void bring_agent(struct crawl *c, enum incoming_kind kind, uint64_t position,
                        uint64_t number)
{
    bring_batch(c, &(struct incoming){.kind = kind, .position = position}, 7, number,
                &(struct batch_item){.kind = BATCH_AGENT,
                                     .url = STR("http://a.example/"),
                                     .depth = 2,
                                     .agent = STR("an agent")});
}

void log_agent(struct crawl *c, uint64_t position, uint64_t number)
{
    bring_agent(c, INCOMING_LOG, position, number);
}

void send_agent(struct crawl *c, uint64_t position, uint64_t number)
{
    bring_agent(c, INCOMING_BATCH, position, number);
}

/* ---- agents that walk ---- */

static const struct model_moves moves;
const struct model_ops walker = {.name = "walker", .moves = &moves};

void walkers_init(struct walkers *w)
{
    *w = (struct walkers){.model = {.ops = &walker}};
    node_of(&w->n);
    w->n.parts[0].ours = false;
    w->c = (struct crawl){.node = &w->n, .model = &w->model};
    w->c.population = population_new(ignore, NULL);
    w->c.bus = bus_new();
}

void walkers_clear(struct walkers *w)
{
    bus_free(w->c.bus);
    population_free(w->c.population);
    node_clear(&w->n);
}

/* ---- a frontier ---- */

int offered;

static bool is_foreign(void *ctx, struct str host)
{
    struct node *n = ctx;

    return !n->parts[node_part_of(n, host)].ours;
}

static void on_perceive(struct model *m, struct percept *p)
{
    (void)m;
    assert_true(p->hearsay);
    offered++;
}

void place_init(struct place *t)
{
    static const struct model_ops listener = {.name = "listener", .perceive = on_perceive};
    struct frontier_config config = {.per_host = 1,
                                     .max_depth = UINT32_MAX,
                                     .pages_per_host = UINT32_MAX,
                                     .max_waiting = 1000,
                                     .max_urls = 1000,
                                     .foreign = is_foreign,
                                     .foreign_ctx = &t->n};

    *t = (struct place){.model = {.ops = &listener}};
    node_of(&t->n);
    t->n.parts[0].ours = false;
    t->c.node = &t->n;
    t->c.model = &t->model;
    t->c.frontier = frontier_new(&config);
    t->c.bus = bus_new();
    t->c.profiler = profiler_new(NULL);
    t->part = node_part_of_url(&t->n, STR(PLACE));
    bus_join(t->c.bus, node_hear, &t->c);
    offered = 0;
}

void place_clear(struct place *t)
{
    profiler_free(t->c.profiler);
    bus_free(t->c.bus);
    frontier_free(t->c.frontier);
    node_clear(&t->n);
}
