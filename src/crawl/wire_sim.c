/* wire_sim.c - the parts of a simulated crawl: those of wire.c, except the web, which is
 * in memory, and the store, which is not there. SPDX-License-Identifier: MIT */
#include "agent/population.h"
#include "base/limits.h"
#include "bus/bus.h"
#include "crawl/crawl_int.h"
#include "crawl/watch/refresh.h"
#include "frontier/frontier.h"
#include "parse/url_norm.h"
#include "sim/web/replay.h"
#include "sim/web/web.h"
#include "text/profile.h"
#include "text/vocab.h"

/* The web was parsed and profiled when it was loaded: only the topic's verdict is
 * missing. */
static void digest_simulated(void *ctx, unsigned thread, struct arrival *a)
{
    struct crawl *c = ctx;

    (void)thread;
    if (a->page == NULL)
        return;
    if (!c->simulation->robots)
        a->robots = 0; /* what its own pages ask for is not asked either */
    a->why = profile_judge(c->profiler, a->page, a->request->href, c->table, &a->profile);
    if (a->why != DROP_NONE)
        a->page = NULL;
}

/* The frontier keeps no text of a URL that came from a page of this web. */
static struct str href_of(void *engine, uint32_t url)
{
    struct crawl *c = engine;
    struct url_view view;
    uint32_t at = frontier_source(c->frontier, url);

    if (at != 0)
        return web_href(c->simulation->web, at);
    return frontier_url(c->frontier, url, &view) ? view.href : STR("");
}

static bool topic_truth(void *engine, uint32_t url)
{
    struct crawl *c = engine;
    const struct simulation *s = c->simulation;
    struct web_answer answer = {0};
    struct url_view view;
    uint32_t at;

    at = frontier_source(c->frontier, url);
    if (at == 0 && frontier_url(c->frontier, url, &view)) /* a seed, a redirect */
        at = web_find(s->web, url_key(view.href));
    for (int hop = 0; at != 0 && hop < LIMIT_REDIRECTS; hop++) {
        web_answer(s->web, at, c->now, &answer);
        if (answer.redirect_to == 0)
            return s->on_topic[at];
        at = answer.redirect_to;
    }
    return false;
}

enum status wire_simulation(struct crawl *c)
{
    const struct simulation *s = c->simulation;
    struct replay_config replay = {s->web,          s->begin, s->latency,     s->measured,
                                   s->measured_rng, s->slow,  s->slow_latency};

    c->topic = (struct topic *)s->topic; /* lent: crawl_simulate() takes it back */
    c->bus = bus_new();
    c->messages = post_new();
    bus_join(c->bus, s->listen, s->listen_ctx);
    c->population = population_new(wire_population_event, c);
    c->feed_dates = feed_dates_new();
    c->fixed_vocab = !s->learned_idf;
    if (s->learned_idf)
        c->vocab = vocab_new();
    else
        c->table = df_hold((struct df_table *)web_idf(s->web));
    c->profiler = profiler_new(c->topic);
    c->fetch = &fetch_sim;
    c->wire.config = (struct fetch_config){
        .connections = s->connections, .digest = digest_simulated, .digest_ctx = c, .own = &replay};
    TRY(c->fetch->start(&c->wire.config, &c->fetch_self));
    TRY(wire_scope(c));
    TRY(wire_model(c, true));
    if (wire_looks_back(c))
        c->look_up = look_up_web_new(s->web);
    c->model_ctx.href = href_of;
    c->model_ctx.truth = s->on_topic ? topic_truth : NULL;
    c->now = c->started_at = c->fetch->now(c->fetch_self);
    wire_frontier(c);
    return ST_OK;
}
