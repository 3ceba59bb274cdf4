/* bench_left.c - compares the time left that a crawl shows with the time that it really takes.
 *
 *     bench_left WORLD [EXCLUDE [MODEL]...]
 *
 * Crawls a tenth of the world politely, as the lab's `network: polite` (64 connections, one a host,
 * a second between requests to a host, answers as slow as measured), for its three largest labels,
 * with patience 0, 0.7 and 1. It prints the time left as shown, divided by the time really left, at
 * 50, 60, 75 and 90 % of the pages; with a star if it is wrong by more than a quarter and a second.
 * URLs that match EXCLUDE are left out ('' excludes none). Same world, same figures.
 * SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "base/os/clock.h"
#include "crawl/simulate.h"
#include "sim/web/web.h"
#include "text/topic.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define TOPICS 3
#define SEEDS  3

static const double places[] = {0.5, 0.6, 0.75, 0.9};
static const double patience[] = {0, 0.7, 1};

struct bench {
    struct web *web;
    struct web_counts counts;
    struct text_list exclude;
    uint32_t within, told; /* looks within a quarter, all looks */
};

static bool is_on(const struct bench *b, uint32_t url, uint32_t label)
{
    uint32_t n;
    const uint32_t *labels = web_labels_of(b->web, url, &n);

    for (uint32_t i = 0; i < n; i++)
        if (labels[i] == label)
            return true;
    return false;
}

/* The n-th largest label. */
static uint32_t label_of(const struct bench *b, unsigned n)
{
    uint32_t *sizes = mem_zero(web_labels(b->web) + 1, sizeof *sizes), best = 0;

    for (uint32_t url = 1; url <= b->counts.pages; url++) {
        uint32_t count;
        const uint32_t *labels = web_labels_of(b->web, url, &count);

        for (uint32_t i = 0; i < count; i++)
            sizes[labels[i]]++;
    }
    for (unsigned i = 0; i <= n; i++) {
        sizes[best] *= i == 0;
        for (uint32_t label = 0; label < web_labels(b->web); label++)
            best = sizes[label] > sizes[best] ? label : best;
    }
    free(sizes);
    return best;
}

/* The words of the label, with every 20th of its pages (ten at most) and every 100th of the others
 * (forty at most) as examples. */
static enum status topic_make(const struct bench *b, uint32_t label, struct topic **ret)
{
    unsigned left[2] = {40, 10}, seen[2] = {0, 0};
    enum status st = topic_from_words(web_label_words(b->web, label), STR("en"), ret);

    for (uint32_t url = 1; url <= b->counts.pages && st == ST_OK; url++) {
        bool on = is_on(b, url, label);
        struct web_answer a;
        struct profile p;

        web_answer(b->web, url, 0, &a);
        if (a.version == WEB_NONE || left[on] == 0 || seen[on]++ % (on ? 20 : 100) != 0)
            continue;
        p = web_profile(b->web, a.version);
        if (topic_add_sample(*ret, p.terms, p.nterms, on) == ST_OK)
            left[on]--;
    }
    if (st == ST_OK)
        topic_train(*ret, web_idf(b->web));
    return st;
}

static unsigned seeds_find(const struct bench *b, uint32_t label, uint32_t *ret)
{
    unsigned n = 0;

    for (uint32_t url = 1; url <= b->counts.pages && n < SEEDS; url++) {
        uint32_t links = 0;
        struct web_answer a;

        web_answer(b->web, url, 0, &a);
        if (a.version != WEB_NONE && is_on(b, url, label))
            (void)web_links(b->web, a.version, &links);
        if (links > 10)
            ret[n++] = url;
    }
    return n;
}

/* When each place was reached, and the time left shown there. */
struct looks {
    uint64_t pages; /* the limit */
    int64_t at[ARRAY_LEN(places)], left[ARRAY_LEN(places)];
    size_t count;
};

static void look(void *ctx, const struct crawl_status *s)
{
    struct looks *l = ctx;

    while (l->count < ARRAY_LEN(places) &&
           (double)s->pages >= places[l->count] * (double)l->pages) {
        l->at[l->count] = s->now;
        l->left[l->count++] = s->left;
    }
}

static void ignore(void *ctx, const struct event *e)
{
    (void)ctx, (void)e;
}

static void looks_print(struct bench *b, const struct looks *l, int64_t end)
{
    for (size_t i = 0; i < l->count; i++) {
        double told = (double)l->left[i], truth = (double)(end - l->at[i]);
        bool right = fabs(told - truth) <= truth / 4 + US_PER_S;

        printf("  %5.2f%c", truth > 0 ? told / truth : 1, right ? ' ' : '*');
        b->within += right;
        b->told++;
    }
}

static enum status run(struct bench *b, uint32_t label, const char *model, double x)
{
    struct looks l = {.pages = b->counts.pages / 10};
    struct topic *topic = NULL;
    uint32_t seeds[SEEDS];
    struct crawl_status status;
    struct simulation s;
    enum status st = topic_make(b, label, &topic);

    simulation_init(&s);
    s.web = b->web;
    s.topic = topic;
    s.model = model;
    s.seeds = seeds;
    s.nseeds = seeds_find(b, label, seeds);
    s.pages = l.pages;
    s.connections = 64;
    s.delay = US_PER_S;
    s.measured = true;
    s.robots = false;
    s.patience = x;
    s.exclude = &b->exclude;
    s.listen = ignore;
    s.watch = look;
    s.watch_ctx = &l;
    if (st == ST_OK)
        st = crawl_simulate(&s, &status);
    if (st == ST_OK) {
        printf("%-14s %3.1f  %-32.*s %6.0f s", model, x, STR_ARG(web_label(b->web, label)),
               (double)status.elapsed / US_PER_S);
        looks_print(b, &l, status.now);
        printf("\n");
    }
    topic_free(topic);
    return st;
}

int main(int argc, char **argv)
{
    static char *usual[] = {"best-first", "classifier", "brood"};
    char **models = argc > 3 ? argv + 3 : usual;
    size_t nmodels = argc > 3 ? (size_t)argc - 3 : ARRAY_LEN(usual);
    struct web_config config = {.threads = 0};
    struct bench b = {0};
    enum status st;

    if (argc < 2)
        return fputs("bench_left WORLD [EXCLUDE [MODEL]...]\n", stderr), 2;
    st = web_load(argv[1], &config, &b.web);
    if (st == ST_OK)
        b.counts = web_counts(b.web);
    if (argc > 2 && *argv[2])
        text_list_add(&b.exclude, str_of(argv[2]));
    for (size_t i = 0; i < nmodels && st == ST_OK; i++)
        for (unsigned topic = 0; topic < TOPICS && st == ST_OK; topic++)
            for (size_t x = 0; x < ARRAY_LEN(patience) && st == ST_OK; x++)
                st = run(&b, label_of(&b, topic), models[i], patience[x]);
    if (st != ST_OK)
        (void)fprintf(stderr, "bench_left: %s\n", status_text());
    else
        printf("%u of %u within a quarter\n", b.within, b.told);
    text_list_free(&b.exclude);
    web_free(b.web);
    return st != ST_OK;
}
