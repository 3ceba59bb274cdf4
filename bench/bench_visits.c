/* bench_visits.c - simulated visits a second on one core.
 *
 *     bench_visits WORLD [PAGES [MODEL [KEY=VALUE]...]]
 *
 * Loads the world, then crawls it to its end (or PAGES; 0: no limit) with breadth-first
 * and with best-first n=1, or with MODEL, one connection, no delay, from a page of its
 * first label, with precision, recall and mean relevance (and all other metrics of the
 * lab) sampled every 100 visits. The lower bound is the same walk over the links as
 * bare numbers: a queue, a bit a page, nothing else. A visit is a choice that was
 * answered, by a page or by a failure; where agents walk over visited pages as well,
 * these walks are told apart. CPU time of this thread; the best of five. Of a MODEL
 * also how many agents were alive, and what the crawl added to the process's memory,
 * at its most; robots are not asked then (many pages of wikispeedia say nofollow). `choices` is a
 * hash of all chosen links in their order, and of their scores: two versions that print the same
 * chose the same.
 * SPDX-License-Identifier: MIT */
#include "base/hash.h"
#include "base/mem.h"
#include "base/os/clock.h"
#include "crawl/simulate.h"
#include "lab/run/metric.h"
#include "sim/web/web.h"
#include "text/topic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROUNDS 5

struct bench {
    struct web *web;
    struct web_counts counts;
    struct topic *topic;
    struct truth truth;
    bool *is_target, *is_given;
    uint32_t seed;
    uint64_t pages;
    bool robots; /* obeyed */
};

static int fail(void)
{
    (void)fprintf(stderr, "bench_visits: %s\n", status_text());
    return 1;
}

/* The first label is the topic, the first page of it with links the seed. */
static enum status bench_begin(struct bench *b)
{
    uint32_t n, links;

    b->is_target = mem_zero(b->counts.urls + 1, sizeof *b->is_target);
    b->is_given = mem_zero(b->counts.urls + 1, sizeof *b->is_given);
    for (uint32_t url = 1; url <= b->counts.pages; url++) {
        const uint32_t *labels = web_labels_of(b->web, url, &n);
        struct web_answer a;

        b->is_target[url] = n > 0 && labels[0] == 0;
        b->truth.targets += b->is_target[url];
        web_answer(b->web, url, 0, &a);
        if (b->seed == 0 && b->is_target[url] && a.version != WEB_NONE) {
            (void)web_links(b->web, a.version, &links);
            b->seed = links > 10 ? url : 0;
        }
    }
    if (b->seed == 0)
        return status_fail(ST_INVALID, "the world has no labels to make a topic of");
    b->is_given[b->seed] = true;
    b->truth.web = b->web;
    b->truth.urls = b->counts.urls;
    b->truth.is_target = b->is_target;
    b->truth.is_given = b->is_given;
    b->truth.reachable = b->counts.pages;
    b->truth.relevant = 0.1;
    return topic_from_words(web_label_words(b->web, 0), STR("en"), &b->topic);
}

/* Pages met by walking over the links alone. */
static uint32_t walk(const struct bench *b)
{
    uint32_t *queue = mem_alloc((b->counts.urls + 1) * sizeof *queue);
    bool *met = mem_zero(b->counts.urls + 1, sizeof *met);
    uint32_t head = 0, tail = 0, pages = 0;

    queue[tail++] = b->seed;
    met[b->seed] = true;
    while (head < tail && (b->pages == 0 || pages < b->pages)) {
        struct web_answer a;
        const uint32_t *to;
        uint32_t n;

        web_answer(b->web, queue[head++], 0, &a);
        if (a.version == WEB_NONE)
            continue;
        pages++;
        to = web_links(b->web, a.version, &n);
        for (uint32_t i = 0; i < n; i++)
            if (!met[to[i]]) {
                met[to[i]] = true;
                queue[tail++] = to[i];
            }
    }
    free(queue);
    free(met);
    return pages;
}

/* The second number of statm: pages of memory in use. */
static double resident_mb(void)
{
    FILE *f = fopen("/proc/self/statm", "r");
    long all = 0, resident = 0;

    if (f && fscanf(f, "%ld %ld", &all, &resident) != 2)
        resident = 0;
    if (f)
        (void)fclose(f);
    return (double)resident * (double)sysconf(_SC_PAGESIZE) / 1e6;
}

/* Figures of a run's agents that the meter does not record. */
struct watch {
    struct meter *meter;
    uint64_t events;
    uint64_t walks; /* visits of agents to visited pages */
    uint32_t alive, least, most;
    double memory; /* MB, at the most */
    uint64_t choices;
};

#define WATCH_EVERY 4096 /* events between two looks at the memory */

/* A hash of everything before and of this choice. */
static uint64_t with_choice(uint64_t before, const struct choice *c)
{
    uint32_t score;

    memcpy(&score, &c->score, sizeof score);
    return hash_u64(hash_u64(before ^ c->url) ^ score);
}

static void watch_listen(void *ctx, const struct event *e)
{
    struct watch *w = ctx;

    w->alive += e->kind == EVENT_BORN;
    w->alive -= e->kind == EVENT_DIED;
    w->walks += e->kind == EVENT_VISIT && !e->visit.first;
    if (w->alive > w->most)
        w->most = w->alive;
    if (e->kind == EVENT_PAGE && w->alive < w->least)
        w->least = w->alive;
    if (e->kind == EVENT_PAGE)
        w->choices = with_choice(w->choices, &e->page.arrival->request->choice);
    if (w->events++ % WATCH_EVERY == 0) {
        double memory = resident_mb();

        w->memory = memory > w->memory ? memory : w->memory;
    }
    meter_listen(w->meter, e);
}

static int bench_model(const struct bench *b, const char *model, const struct text_list *settings,
                       double floor_us)
{
    double best = 1e300, recall = 0, relevance = 0, before = resident_mb();
    uint64_t pages = 0, found = 0;
    struct watch w;

    for (int round = 0; round < ROUNDS; round++) {
        struct crawl_status status;
        struct simulation s;
        int64_t start;
        double us;

        w = (struct watch){
            .meter = meter_new(&b->truth, (struct quantity){.kind = QUANTITY_PAGES, .value = 100}),
            .least = UINT32_MAX,
            .memory = round == 0 ? 0 : w.memory,
        };
        simulation_init(&s);
        s.web = b->web;
        s.topic = b->topic;
        s.model = model;
        s.settings = settings;
        s.seeds = &b->seed;
        s.nseeds = 1;
        s.pages = b->pages;
        s.robots = b->robots;
        s.on_topic = b->is_target; /* for oracles */
        s.listen = watch_listen;
        s.listen_ctx = &w;
        start = clock_cpu_thread();
        if (crawl_simulate(&s, &status) != ST_OK)
            return fail();
        meter_finish(w.meter, status.now);
        pages = status.pages + status.failed;
        found = status.pages;
        us = (double)(clock_cpu_thread() - start) / (double)pages;
        best = us < best ? us : best;

        recall = meter_row(w.meter, meter_points(w.meter) - 1)[METRIC_RECALL];
        relevance = meter_row(w.meter, meter_points(w.meter) - 1)[METRIC_RELEVANCE];
        meter_free(w.meter);
    }
    printf("%-14s %8llu visits  %6.2f us a visit  %9.0f visits a second  %5.1f x the floor"
           "  (recall %.3f, relevance %.4f, choices %016llx)\n",
           model, (unsigned long long)pages, best, 1e6 / best, best / floor_us, recall, relevance,
           (unsigned long long)w.choices);
    if (w.most > 1)
        printf("%-14s %8llu pages, %.0f a second; %u to %u agents alive, %.2f walks over visited "
               "pages a visit, %.0f MB beside the web\n",
               "", (unsigned long long)found, (double)found / (best * (double)pages) * 1e6, w.least,
               w.most, (double)w.walks / (double)pages, w.memory - before);
    return 0;
}

int main(int argc, char **argv)
{
    struct web_config config = {.threads = 0};
    struct bench b = {.pages = argc > 2 ? strtoull(argv[2], NULL, 10) : 0, .robots = argc <= 3};
    struct text_list settings = {0};
    int64_t start = clock_now();
    double floor_us = 1e300;
    int code = 0;

    if (argc < 2 || web_load(argv[1], &config, &b.web) != ST_OK)
        return argc < 2 ? (fputs("bench_visits WORLD [PAGES [MODEL [KEY=VALUE]...]]\n", stderr), 2)
                        : fail();
    b.counts = web_counts(b.web);
    printf("%u pages, %.1f links a page, loaded in %.1f s, %.0f bytes a page\n", b.counts.pages,
           (double)b.counts.links / b.counts.versions, (double)(clock_now() - start) / 1e6,
           (double)b.counts.bytes / b.counts.pages);
    if (bench_begin(&b) != ST_OK)
        return fail();
    for (int round = 0; round < ROUNDS; round++) {
        int64_t from = clock_cpu_thread();
        uint32_t pages = walk(&b);
        double us = (double)(clock_cpu_thread() - from) / pages;

        floor_us = us < floor_us ? us : floor_us;
    }
    printf("%-14s %6.2f us a page\n", "floor", floor_us);
    for (int i = 4; i < argc; i++)
        text_list_add(&settings, str_of(argv[i]));
    code = bench_model(&b, argc > 3 ? argv[3] : "breadth-first", &settings, floor_us);
    if (code == 0 && argc <= 3)
        code = bench_model(&b, "best-first", &settings, floor_us);
    text_list_free(&settings);
    topic_free(b.topic);
    web_free(b.web);
    free(b.is_target);
    free(b.is_given);
    return code;
}
