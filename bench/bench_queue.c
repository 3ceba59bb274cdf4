/* bench_queue.c - the cost of waiting links: the link queue, and the two oldest models.
 *
 *     bench_queue [URLS]          default 100000
 *
 * A web of that many pages with 30 links each, to pages drawn at random, crawled
 * to its end. Prints nanoseconds an addition to the link queue, by the rule of
 * joining and with a ceiling, and microseconds a visit of breadth-first and
 * best-first: next, marks, perceive.
 * SPDX-License-Identifier: MIT */
#include "agent/link_queue.h"
#include "agent/model.h"
#include "models/models.h"
#include "agent/population.h"
#include "base/os/clock.h"
#include "base/hash.h"

#include <math.h>
#include <stdio.h>

#define LINKS 30u

/* The j-th link of a page, and the page's similarity in thousand steps. */
static uint32_t target(uint32_t page, uint32_t j, uint32_t urls)
{
    return 1 + (uint32_t)(hash_u64((uint64_t)page * LINKS + j) % urls);
}

static double similarity(uint32_t page)
{
    return (double)(hash_u64(page) % 1000) / 1000;
}

static uint32_t *web_make(uint32_t urls)
{
    uint32_t *links = mem_alloc((size_t)(urls + 1) * LINKS * sizeof *links);

    for (uint32_t page = 0; page <= urls; page++)
        for (uint32_t j = 0; j < LINKS; j++)
            links[(size_t)page * LINKS + j] = target(page, j, urls);
    return links;
}

/* Every page taken gives its links; those not taken yet are added. */
static void bench_queue(const char *name, const uint32_t *links, uint32_t urls, size_t max,
                        enum parents parents)
{
    bool *taken = mem_zero(urls + 1, sizeof *taken);
    int64_t start = clock_cpu_thread();
    struct link_queue q;
    uint32_t url, added = 0;
    double score;

    link_queue_init(&q, NULL, max, parents);
    (void)link_queue_add(&q, 1, 1);
    while (link_queue_take(&q, 0, &url, &score)) {
        const uint32_t *to = links + (size_t)url * LINKS;

        taken[url] = true;
        for (uint32_t j = 0; j < LINKS; j++)
            if (!taken[to[j]]) {
                (void)link_queue_add(&q, to[j], similarity(url));
                added++;
            }
    }
    printf("%-22s %6.1f ns an addition (%u), takings included\n", name,
           1e3 * (double)(clock_cpu_thread() - start) / added, added);
    link_queue_clear(&q);
    free(taken);
}

static void ignore(void *ctx, const struct event *e)
{
    (void)ctx, (void)e;
}

static void dropped(void *ctx, uint32_t url)
{
    (void)ctx, (void)url;
}

static void bench_model(const char *name, const char *setting, const uint32_t *links, uint32_t urls)
{
    struct model_ctx ctx = {.dropped = dropped, .parallel = 1};
    bool *taken = mem_zero(urls + 1, sizeof *taken);
    struct link body[LINKS] = {0};
    struct link_mark marks[LINKS];
    struct page page = {.links = body, .nlinks = LINKS};
    struct text_list settings = {0};
    struct profile profile = {0};
    struct model *m;
    uint32_t seed = 1, visits = 0;
    struct choice c;
    int64_t start;

    ctx.population = population_new(ignore, NULL);
    if (setting)
        text_list_add(&settings, str_of(setting));
    if (model_new(model_find(str_of(name)), &settings, &ctx, &m) != ST_OK)
        exit(1);
    m->ops->start(m, &seed, 1);
    start = clock_cpu_thread();
    for (; m->ops->next(m, 0, &c); visits++) {
        struct percept p = {.choice = c, .page = visits + 1, .first = true};

        taken[c.url] = true;
        profile.similarity = (float)similarity(c.url);
        for (uint32_t j = 0; j < LINKS; j++) {
            uint32_t to = links[(size_t)c.url * LINKS + j];

            marks[j] = (struct link_mark){.url = to, .score = NAN, .taken = taken[to]};
        }
        p.body = &page;
        p.profile = &profile;
        p.marks = marks;
        m->ops->perceive(m, &p);
    }
    start = clock_cpu_thread() - start;
    printf("%-22s %6.2f us a visit (%u visits)\n", setting ? setting : name, (double)start / visits,
           visits);
    model_free(m);
    population_free(ctx.population);
    text_list_free(&settings);
    free(taken);
}

int main(int argc, char **argv)
{
    uint32_t urls = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 100000;
    uint32_t *links;

    if (urls == 0)
        return 2;
    links = web_make(urls);
    bench_queue("max", links, urls, 0, PARENTS_MAX);
    bench_queue("mean", links, urls, 0, PARENTS_MEAN);
    bench_queue("first", links, urls, 0, PARENTS_FIRST);
    bench_queue("max, 10,000 at most", links, urls, 10000, PARENTS_MAX);
    bench_model("breadth-first", NULL, links, urls);
    bench_model("best-first", NULL, links, urls);
    bench_model("best-first", "parents=mean", links, urls);
    free(links);
    return 0;
}
