/* simulate.h - a crawl of a simulated web: the same wheel, no clock, no disk.
 *
 * One call makes one run on one thread; runs share only the web and the topic, which are read-only.
 * The same arguments give the same events, bit for bit.
 */
#pragma once

#include "bus/bus.h"
#include "crawl/crawl.h"

struct model;
struct web;
struct topic;

struct simulation {
    const struct web *web;
    const struct topic *topic;
    const char *model;                /* lab-only ones too */
    const struct text_list *settings; /* "key=value" */
    uint64_t rng;
    const uint32_t *seeds; /* URLs of the web */
    size_t nseeds;
    uint64_t pages;        /* 0: no limit */
    const char *until;     /* as --until; NULL: none */
    int64_t duration;      /* us of simulated time; 0: no limit */
    int64_t begin;         /* when it starts; 0: as the web says */
    int64_t delay;         /* us between requests to a host */
    double patience;       /* as --patience */
    int64_t latency;       /* us that every download takes; 0: as the web says */
    bool measured;         /* without `latency`: as on the real web (sim/web/latency.h), … */
    uint64_t measured_rng; /* … drawn from this number */
    double slow;           /* share of the hosts, drawn from it too, … */
    int64_t slow_latency;  /* … whose downloads take this long, whatever others take */
    uint32_t connections, per_host;
    bool robots;                     /* obey robots.txt, and noindex and nofollow of pages */
    uint32_t host_budget;            /* 0: none */
    bool learned_idf;                /* learned in the run, as live; else those of the whole web */
    double relevant;                 /* a page of this relevance counts as relevant */
    const struct text_list *exclude; /* patterns; may be NULL */
    const bool *on_topic;            /* by URL of the web: the values of ctx->truth; may be NULL */
    bus_listen_fn *listen;           /* hears every event; EVENT_PAGE's arrival has .source */
    void *listen_ctx;
    /* Called with the model that is about to run, and with NULL when the run is over. May be
     * NULL. */
    void (*lend)(void *listen_ctx, const struct model *m);
    crawl_watch_fn *watch; /* as for crawl_run(), in simulated time; may be NULL */
    void *watch_ctx;
    const int *stop; /* becomes 1: end with CRAWL_STOPPED; may be NULL */
};

void simulation_init(struct simulation *s); /* one connection, no delay, robots obeyed */
enum status crawl_simulate(const struct simulation *s, struct crawl_status *ret) MUST_USE;
