/* bench_frontier.c - the cost of the frontier.
 *
 *     bench_frontier [URLS]       default 1000000
 *
 * Prints nanoseconds a link met (nine of ten known), bytes a known URL, and
 * nanoseconds a choice that is added, released and replied to with 10,000 hosts
 * (two requests each for address and robots.txt included).
 * SPDX-License-Identifier: MIT */
#include "base/os/clock.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/rng.h"
#include "frontier/frontier.h"
#include "parse/url_norm.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define HOSTS  10000u
#define LINKS  5000000u
#define VISITS 200000u
#define SLOTS  64u

static struct frontier *make(int64_t delay)
{
    struct frontier_config c = {
        .delay = delay,
        .per_host = 1,
        .max_depth = UINT32_MAX,
        .pages_per_host = UINT32_MAX,
        .max_waiting = UINT32_MAX,
        .max_urls = UINT32_MAX,
        .robots = true,
        .resolve = true,
        .token = STR("brood"),
    };

    return frontier_new(&c);
}

/* The n-th URL of a made-up web; about as long as URLs are. */
static struct link url_make(uint32_t n, char ret[128])
{
    uint64_t mix = hash_u64(n);
    int len =
        snprintf(ret, 128, "http://www.host%u.example/section-%u/%u/page-%08x.html",
                 (unsigned)(mix % HOSTS), (unsigned)(mix >> 20 & 63), n, (unsigned)(mix >> 32));
    struct str href = {ret, (size_t)len};

    return (struct link){.url = href, .key = url_key(href)};
}

static void bench_meet(uint32_t urls)
{
    struct frontier *f = make(0);
    struct link *links = mem_alloc(urls * sizeof *links);
    char *text = mem_alloc((size_t)urls * 128);
    struct rng rng;
    struct frontier_counts c;
    uint32_t known = 0, id, old = 0;
    uint64_t bytes;
    int64_t spent = 0, start;
    bool is_new;

    for (uint32_t n = 0; n < urls; n++)
        links[n] = url_make(n, text + (size_t)n * 128);
    rng_init(&rng, 1);
    start = clock_cpu_thread();
    for (uint32_t i = 0; i < LINKS; i++) {
        bool fresh = known < urls && (known == 0 || i % 10 == 0);
        uint32_t n = fresh ? known++ : (uint32_t)rng_below(&rng, known);

        (void)frontier_meet(f, &links[n], 1, 1, &id, &is_new);
        old += !is_new;
    }
    spent = clock_cpu_thread() - start;
    printf("meet           %8.1f ns a link (%.0f %% known)\n", 1e3 * (double)spent / LINKS,
           100.0 * old / LINKS);
    for (; known < urls; known++)
        (void)frontier_meet(f, &links[known], 1, 1, &id, &is_new);
    c = frontier_counts(f);
    bytes = c.bytes_urls + c.bytes_hosts + c.bytes_robots + c.bytes_queues;
    printf("known URL      %8.1f bytes (%u URLs, hosts included)\n",
           (double)bytes / frontier_urls(f), frontier_urls(f));
    frontier_free(f);
    free(links);
    free(text);
}

/* Requests under way. */
struct flight {
    struct request *requests[SLOTS];
    size_t count;
};

static void on_due(void *ctx, struct request *r)
{
    struct flight *flight = ctx;

    flight->requests[flight->count++] = r;
}

static void on_drop(void *ctx UNUSED, const struct choice *c UNUSED, enum drop why UNUSED)
{
}

static void answer(struct frontier *f, struct request *r, int64_t now, uint32_t *pages)
{
    struct arrival *a = arrival_new(r);
    uint32_t host = r->host_id;

    a->reply.started_at = a->reply.done_at = now;
    if (r->kind == REQUEST_RESOLVE)
        a->reply.peer =
            (struct address){4, {10, (uint8_t)(host >> 16), (uint8_t)(host >> 8), (uint8_t)host}};
    else
        a->reply.status = r->kind == REQUEST_ROBOTS ? 404 : 200;
    if (frontier_replied(f, a, now).verdict == VERDICT_PAGE)
        frontier_visited(f, r->choice.url, ++*pages);
    arrival_release(a);
}

static void bench_visit(int64_t delay)
{
    struct frontier *f = make(delay);
    struct flight flight = {.count = 0};
    char text[128];
    uint32_t pages = 0, requests = 0, id;
    int64_t now = INT64_C(1000000000000), start;
    bool is_new;

    for (uint32_t n = 0; n < VISITS; n++) {
        struct link link = url_make(n, text);

        (void)frontier_meet(f, &link, 1, 1, &id, &is_new);
    }
    start = clock_cpu_thread();
    for (uint32_t n = 0; n < VISITS; n++) {
        struct choice c = {.url = n + 1, .agent = 1, .score = (float)(hash_u64(n) & 1023)};

        (void)frontier_add(f, &c, now);
    }
    while (pages < VISITS) {
        if (frontier_next_time(f) > now)
            now = frontier_next_time(f);
        flight.count = 0;
        requests += frontier_release(
            f, now,
            &(struct release){.max = SLOTS, .ctx = &flight, .on_due = on_due, .on_drop = on_drop});
        for (size_t i = 0; i < flight.count; i++)
            answer(f, flight.requests[i], now, &pages);
        (void)frontier_room(f, now, SLOTS);
    }
    printf("visit, %3" PRId64
           " s   %8.1f ns a choice added, released, replied (%.2f requests each)\n",
           delay / US_PER_S, 1e3 * (double)(clock_cpu_thread() - start) / VISITS,
           (double)requests / VISITS);
    frontier_free(f);
}

int main(int argc, char **argv)
{
    uint64_t urls = 1000000;

    if (argc > 1 && (!str_to_u64(str_of(argv[1]), &urls) || urls == 0 || urls > 50000000)) {
        fprintf(stderr, "usage: bench_frontier [URLS]   (1 to 50000000)\n");
        return 2;
    }
    bench_meet((uint32_t)urls);
    bench_visit(0);
    bench_visit(US_PER_S);
    return 0;
}
