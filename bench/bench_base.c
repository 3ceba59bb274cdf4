/* bench_base.c - the cost of places and quantiles: the page base and the history.
 *
 *     bench_base [PAGES]          default 100000
 *
 * A base of that many pages with 20 links each, half of them with energy left, and
 * a history of as many relevances, 40 % of them 0. Prints nanoseconds a call (CPU
 * time), pages asked for at random, and bytes of a checkpoint.
 * SPDX-License-Identifier: MIT */
#include "models/energy/page_base.h"
#include "models/energy/rank.h"
#include "base/os/clock.h"
#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>

#define LINKS 20u
#define CALLS 2000000u

static void say(const char *what, int64_t since, uint32_t calls)
{
    printf("%-28s %7.1f ns\n", what, 1e3 * (double)(clock_cpu_thread() - since) / calls);
}

static void bench_base(uint32_t pages, size_t max_links)
{
    struct page_base *b = page_base_new(max_links);
    struct base_link links[LINKS];
    struct buf state = BUF_INIT((size_t)4 << 30);
    struct base_page p;
    struct rng rng;
    int64_t at = clock_cpu_thread();
    uint32_t url;

    rng_init(&rng, 1);
    for (uint32_t i = 1; i <= pages; i++) {
        for (uint32_t k = 0; k < LINKS; k++)
            links[k] = (struct base_link){.url = i + k, .score = 1};
        page_base_add(b, i, i, .5f, links, LINKS);
    }
    say("page_base_add", at, pages);
    at = clock_cpu_thread();
    for (uint32_t i = 0; i < CALLS; i++)
        (void)page_base_set_energy(b, 1 + (uint32_t)rng_below(&rng, pages),
                                   i % 2 ? 10 * rng_unit(&rng) : 0);
    say("page_base_set_energy", at, CALLS);
    at = clock_cpu_thread();
    for (uint32_t i = 0; i < CALLS; i++)
        (void)page_base_draw(b, &rng, &url);
    say("page_base_draw", at, CALLS);
    at = clock_cpu_thread();
    for (uint32_t i = 0; i < CALLS; i++)
        (void)page_base_get(b, 1 + (uint32_t)rng_below(&rng, pages), &p);
    say("page_base_get", at, CALLS);
    at = clock_cpu_thread();
    page_base_save(b, &state);
    say("page_base_save, a page", at, pages);
    printf("%-28s %7.1f bytes a page\n", "", (double)state.len / pages);
    buf_free(&state);
    page_base_free(b);
}

static void count_bin(void *ctx, double value, double weight)
{
    (void)value;
    *(double *)ctx += weight;
}

static void bench_rank(const char *name, enum rank_history history, double n, uint32_t pages)
{
    struct rank *r = rank_new(history, n);
    double *values = mem_alloc(pages * sizeof *values), sum = 0;
    struct rng rng;
    int64_t at;

    rng_init(&rng, 2);
    for (uint32_t i = 0; i < pages; i++) {
        double u = rng_unit(&rng);

        values[i] = rng_below(&rng, 5) < 2 ? 0 : u * u * u;
    }
    printf("history = %s\n", name);
    at = clock_cpu_thread();
    for (uint32_t i = 0; i < CALLS; i++)
        rank_add(r, values[i % pages]);
    say("rank_add", at, CALLS);
    at = clock_cpu_thread();
    for (uint32_t i = 0; i < CALLS; i++)
        sum += rank_quantile(r, .9 + 1e-8 * i);
    say("rank_quantile", at, CALLS);
    at = clock_cpu_thread();
    for (uint32_t i = 0; i < 100; i++)
        rank_each(r, count_bin, &sum);
    say("rank_each", at, 100);
    if (sum < 0)
        puts("never");
    free(values);
    rank_free(r);
}

int main(int argc, char **argv)
{
    uint64_t pages = 100000;

    if (argc > 2 || (argc == 2 && !str_to_u64(str_of(argv[1]), &pages)) || pages == 0 ||
        pages > 100000000) {
        (void)fprintf(stderr, "usage: bench_base [PAGES]\n");
        return 2;
    }
    printf("%llu pages, all links kept\n", (unsigned long long)pages);
    bench_base((uint32_t)pages, 0);
    printf("a tenth of the links kept\n");
    bench_base((uint32_t)pages, pages * LINKS / 10);
    bench_rank("all", RANK_ALL, 0, (uint32_t)pages);
    bench_rank("last:5000", RANK_LAST, 5000, (uint32_t)pages);
    bench_rank("decay:5000", RANK_DECAY, 5000, (uint32_t)pages);
    return 0;
}
