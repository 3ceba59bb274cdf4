/* bench_sim.c - a world in memory: the time to load it, and its size.
 *
 *     bench_sim DIR            a world: brood world make --pages 100000 --out-mean 30 --words 200
 *
 * Loading is compared with its floor, reading the same records of the archive one
 * after another and discarding them. Memory is what web_counts() says, held against what the
 * process grew by. Then visits of random pages through fetch_sim alone: submit, take and release,
 * pages unpacked.
 *
 * SPDX-License-Identifier: MIT */
#include "base/os/clock.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/rng.h"
#include "parse/url_norm.h"
#include "sim/web/replay.h"
#include "sim/web/web.h"
#include "sim/world.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#define VISITS 200000
#define ROUNDS 10 /* the best one: others share the machine */

/* The time of a step: by the clock, and of all cores together, which other work on the machine
 * disturbs less. */
struct cost {
    double seconds, cpu;
};

static double cpu_seconds(void)
{
    struct rusage u;

    (void)getrusage(RUSAGE_SELF, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

static struct cost cost_now(void)
{
    return (struct cost){(double)clock_now() / US_PER_S, cpu_seconds()};
}

static struct cost cost_since(struct cost start)
{
    struct cost now = cost_now();

    return (struct cost){now.seconds - start.seconds, now.cpu - start.cpu};
}

/* Bytes of resident memory. */
static size_t resident(void)
{
    unsigned long pages = 0, all = 0;
    FILE *f = fopen("/proc/self/statm", "r");

    if (f == NULL || fscanf(f, "%lu %lu", &all, &pages) != 2)
        pages = 0;
    if (f)
        (void)fclose(f);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static void die(void)
{
    (void)fprintf(stderr, "bench_sim: %s\n", status_text());
    exit(1);
}

/* The floor: the world opened, and every record read and inflated, on one thread. */
static struct cost read_archive(const char *dir)
{
    struct buf head = BUF_INIT(LIMIT_HEADER_BYTES * 2), body = BUF_INIT(LIMIT_BODY * 2);
    struct world *w = NULL;
    struct world_reader *r;
    struct cost start = cost_now();
    uint64_t bytes = 0;

    if (world_open(dir, &w) != ST_OK)
        die();
    r = world_reader_new(w);
    for (uint32_t v = 0; v < world_versions(w); v++) {
        buf_clear(&head);
        buf_clear(&body);
        if (world_reader_read(r, v, &head, &body) == ST_OK)
            bytes += body.len;
    }
    start = cost_since(start);
    printf("archive  %u answers, %.0f MB of payload: %.2f s, %.2f s of CPU\n", world_versions(w),
           (double)bytes / 1e6, start.seconds, start.cpu);
    world_reader_free(r);
    world_close(w);
    buf_free(&head);
    buf_free(&body);
    return start;
}

static struct web *load(const char *dir, struct cost floor)
{
    struct web *w = NULL;
    size_t before = resident();
    struct cost took = cost_now();

    if (web_load(dir, NULL, &w) != ST_OK)
        die();
    took = cost_since(took);
    (void)malloc_trim(0);
    struct web_counts c = web_counts(w);
    printf("web      %u pages, %u versions, %u URLs, %u hosts, %.1f links a page\n", c.pages,
           c.versions, c.urls, c.hosts, (double)c.links / c.versions);
    printf("load     %.2f s, %.2f s of CPU: %.2f times the archive alone\n", took.seconds, took.cpu,
           took.cpu / floor.cpu);
    printf("memory   %.0f bytes a page counted, %.0f of the process\n",
           (double)c.bytes / c.versions, (double)(resident() - before) / c.versions);
    return w;
}

/* Random pages, one request at a time; us of CPU each. */
static double visit(void *f, const struct web *w, struct rng *rng, uint64_t *links)
{
    struct request **requests = mem_zero(VISITS, sizeof *requests);
    struct web_counts c = web_counts(w);
    struct str scheme, host, path;
    struct arrival *a;
    uint16_t port;

    for (size_t i = 0; i < VISITS; i++) {
        struct str href = web_href(w, 1 + (uint32_t)rng_below(rng, c.pages));

        url_split(href, &scheme, &host, &port, &path);
        requests[i] = request_new(REQUEST_PAGE, href, host, STR(""), STR(""));
    }
    struct cost took = cost_now();
    for (size_t i = 0; i < VISITS; i++) {
        (void)fetch_sim.submit(f, requests[i]);
        if (fetch_sim.take(f, &a, 1, INT64_MAX / 4) != 1)
            die();
        *links += a->page ? a->page->nlinks : 0; /* in a world that moves: it does not exist yet */
        arrival_release(a);
    }
    took = cost_since(took);
    free(requests);
    return took.cpu * 1e6 / VISITS;
}

static void visit_rounds(const struct web *w)
{
    struct replay_config own = {.web = w};
    struct fetch_config config = {.connections = 1, .own = &own};
    double best = 1e9;
    uint64_t links = 0;
    struct rng rng;
    void *f;

    rng_init(&rng, 1);
    if (fetch_sim.start(&config, &f) != ST_OK)
        die();
    for (int i = 0; i < ROUNDS; i++) {
        double us = visit(f, w, &rng, &links);

        best = us < best ? us : best;
    }
    printf("fetch    %.2f us of CPU a visit, the best of %d times %d; %.1f links each\n", best,
           ROUNDS, VISITS, (double)links / VISITS / ROUNDS);
    fetch_sim.stop(f);
}

int main(int argc, char **argv)
{
    struct web *w;

    if (argc != 2) {
        (void)fprintf(stderr, "usage: bench_sim DIR\n");
        return 2;
    }
    w = load(argv[1], read_archive(argv[1]));
    visit_rounds(w);
    web_free(w);
    return 0;
}
