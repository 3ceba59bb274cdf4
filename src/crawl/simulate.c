/* simulate.c - a crawl of a simulated web: the same wheel, no clock, no disk.
 *
 * In: struct simulation. Out: events to its listener, and how it ended. The
 * options of a live crawl have their defaults, except those that a simulation
 * names. SPDX-License-Identifier: MIT */
#include "crawl/simulate.h"

#include "base/os/clock.h"
#include "base/mem.h"
#include "crawl/crawl_int.h"
#include "crawl/judge/judged.h"
#include "sim/web/web.h"

#include <stdlib.h>

void simulation_init(struct simulation *s)
{
    *s = (struct simulation){
        .model = "breadth-first",
        .connections = 1,
        .per_host = 1,
        .robots = true,
        .relevant = 0.1,
    };
}

static void options_of(const struct simulation *s, struct crawl_options *o)
{
    crawl_options_init(o);
    free(o->model);
    o->model = str_dup(str_of(s->model));
    o->rng = (int64_t)s->rng;
    o->pages = (int64_t)s->pages;
    o->duration = s->duration;
    o->until = s->until ? str_dup(str_of(s->until)) : NULL;
    o->delay = s->delay;
    o->patience = s->patience;
    o->connections = s->connections;
    o->per_host = s->per_host;
    o->no_robots = !s->robots;
    o->host_budget = s->host_budget;
    o->host_urls = 0; /* the web is not hostile */
    o->relevant = s->relevant;
    for (size_t i = 0; s->settings && i < s->settings->count; i++)
        text_list_add(&o->set, str_of(s->settings->items[i]));
    for (size_t i = 0; s->exclude && i < s->exclude->count; i++)
        text_list_add(&o->exclude, str_of(s->exclude->items[i]));
}

static enum status simulation_begin(struct crawl *c)
{
    const struct simulation *s = c->simulation;
    LOCAL_LIST seeds = {0};
    enum status st = wire_simulation(c);

    for (size_t i = 0; i < s->nseeds; i++)
        text_list_add(&seeds, web_href(s->web, s->seeds[i]));
    if (st == ST_OK)
        st = crawl_meet_seeds(c, &seeds);
    if (st == ST_OK && s->lend)
        s->lend(s->listen_ctx, c->model);
    if (st == ST_OK)
        crawl_start_model(c);
    return st;
}

enum status crawl_simulate(const struct simulation *s, struct crawl_status *ret)
{
    struct crawl *c = MEM_NEW(struct crawl);
    struct crawl_options o;
    enum status st;

    options_of(s, &o);
    c->options = &o;
    c->simulation = s;
    c->stop_too = s->stop;
    st = simulation_begin(c);
    if (st == ST_OK)
        st = crawl_run(c, s->watch, s->watch_ctx);
    if (st == ST_OK) {
        judged_post(c);
        crawl_status(c, ret);
        ret->trouble = "";
    }
    if (s->lend)
        s->lend(s->listen_ctx, NULL);
    c->topic = NULL; /* was lent */
    wire_free(c);
    crawl_options_free(&o);
    return st;
}
