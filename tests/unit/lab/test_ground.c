/* What is true of a world before a model sees it: what can be reached, topics and their targets,
 * what is drawn. SPDX-License-Identifier: MIT */
#include "small_worlds.h"
#include "support/support.h"

#include "base/mem.h"
#include "lab/run/metric.h"
#include "lab/run/seeds.h"
#include "parse/url_norm.h"

#include <stdio.h>
#include <stdlib.h>

static struct ground ground_of(struct web *w, bool reversed)
{
    struct text_list none = {0};
    struct ground g;

    assert_int_equal(
        ground_init(
            &g, w, &(struct ground_config){.exclude = &none, .robots = true, .reversed = reversed}),
        ST_OK);
    return g;
}

static void back_links_are_the_links_turned_round(void **state)
{
    struct web *w = small_web();
    struct ground g;
    uint64_t links = 0, found = 0;

    (void)state;
    g = ground_of(w, true);
    for (uint32_t page = 1; page <= g.counts.pages; page++) {
        uint32_t first, n;
        const uint32_t *to;

        assert_int_equal(web_history(w, page, &first), 1); /* it stands still */
        if (web_page_robots(w, first) & ROBOTS_NOFOLLOW)
            continue;
        to = web_links(w, first, &n);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t at = g.leads_to[to[i]];

            if (at == 0)
                continue;
            links++;
            for (uint64_t k = g.back_off[at]; k < g.back_off[at + 1]; k++)
                if (g.back[k] == page) {
                    found++;
                    break;
                }
        }
    }
    assert_true(links > 1000);
    assert_int_equal(found, links);
    assert_int_equal(g.back_off[g.counts.urls + 1], links);
    ground_clear(&g);
    web_free(w);
}

static void draws_depend_on_names_alone(void **state)
{
    struct web *w = small_web();
    struct plan *p = parsed(WORLD REST MODELS);
    struct ground g;
    struct left_out left;
    struct subject *s;
    struct draw a, b, c;
    size_t n;

    (void)state;
    g = ground_of(w, false);
    assert_int_equal(subjects_of_labels(&g, p, "small", &s, &n, &left), ST_OK);
    assert_int_equal(n, 5);
    assert_true(draw_make(&g, &s[1], p, draw_rng(p, "small", s[1].name, 0), &a));
    assert_true(draw_make(&g, &s[1], p, draw_rng(p, "small", s[1].name, 0), &b));
    assert_true(draw_make(&g, &s[1], p, draw_rng(p, "small", s[1].name, 1), &c));
    assert_memory_equal(a.seeds, b.seeds, 3 * sizeof *a.seeds);
    assert_memory_equal(a.negative, b.negative, 6 * sizeof *a.seeds);
    assert_memory_not_equal(a.seeds, c.seeds, 3 * sizeof *a.seeds);
    for (size_t i = 0; i < 3; i++) {
        assert_true(subject_has(&s[1], a.seeds[i]));
        assert_true(subject_has(&s[1], a.positive[i]));
        assert_true(a.positive[i] != a.seeds[0] && a.positive[i] != a.seeds[1] &&
                    a.positive[i] != a.seeds[2]);
    }
    for (size_t i = 0; i < 6; i++)
        assert_false(subject_has(&s[1], a.negative[i]));
    draw_clear(&b);
    p->seeds_off = 1; /* one more, which misleads */
    assert_true(draw_make(&g, &s[1], p, draw_rng(p, "small", s[1].name, 0), &b));
    assert_int_equal(b.nseeds, 4);
    assert_memory_equal(a.seeds, b.seeds, 3 * sizeof *a.seeds);
    assert_false(subject_has(&s[1], b.seeds[3]));
    draw_clear(&a);
    draw_clear(&b);
    draw_clear(&c);
    subjects_free(s, n);
    ground_clear(&g);
    plan_free(p);
    web_free(w);
}

/* Targets on two hosts, one of which is found, and one more on a host where the only target is a
 * start page. */
static void hosts_of_targets_are_counted(void **state)
{
    struct web *w = small_web();
    uint32_t urls = web_counts(w).urls, other = 2, given;
    bool *is_target = mem_zero((size_t)urls + 1, sizeof *is_target);
    bool *is_given = mem_zero((size_t)urls + 1, sizeof *is_given);
    struct arrival a = {.source = 1, .reply = {.status = 200}};
    struct event e = {.kind = EVENT_PAGE, .page = {.arrival = &a}};
    struct truth t = {.web = w,
                      .urls = urls,
                      .is_target = is_target,
                      .is_given = is_given,
                      .targets = 2,
                      .reachable = 2};
    struct meter *m;

    (void)state;
    while (web_host(w, other) == web_host(w, 1))
        other++;
    for (given = other + 1;
         web_host(w, given) == web_host(w, 1) || web_host(w, given) == web_host(w, other);)
        given++;
    is_target[1] = is_target[other] = is_target[given] = is_given[given] = true;
    m = meter_new(&t, (struct quantity){QUANTITY_PAGES, 1});
    meter_listen(m, &e);
    meter_finish(m, 1);
    assert_true(meter_row(m, 0)[METRIC_RELEVANT_HOSTS] == 0.5);
    meter_free(m);
    web_free(w);
    free(is_target);
    free(is_given);
}

/* The targets themselves are nearest to what they say together. */
static void descriptions_know_their_targets(void **state)
{
    struct web *w = small_web();
    struct plan *p = parsed(WORLD REST MODELS);
    struct ground g;
    struct left_out left;
    struct subject *s;
    double of_targets = 0, of_others = 0;
    float *d;
    size_t n;

    (void)state;
    g = ground_of(w, false);
    assert_int_equal(subjects_of_labels(&g, p, "small", &s, &n, &left), ST_OK);
    d = subject_description(&g, &s[0]);
    for (uint32_t page = 1; page <= g.counts.pages; page++) {
        assert_true(d[page] >= 0 && d[page] <= 1);
        *(subject_has(&s[0], page) ? &of_targets : &of_others) += d[page];
    }
    assert_true(of_targets / s[0].count > 2 * of_others / (g.counts.pages - s[0].count));
    free(d);
    subjects_free(s, n);
    ground_clear(&g);
    plan_free(p);
    web_free(w);
}

static void what_is_excluded_is_no_target_and_leads_nowhere(void **state)
{
    struct web *w = small_web();
    struct text_list all = {0};
    struct ground g;
    bool *met;

    (void)state;
    text_list_add(&all, STR("*"));
    assert_int_equal(
        ground_init(&g, w,
                    &(struct ground_config){.exclude = &all, .robots = true, .reversed = true}),
        ST_OK);
    assert_int_equal(g.back_off[g.counts.urls + 1], 0);
    assert_int_equal(ground_reachable(&g, (const uint32_t[]){1, 2}, 2, &met), 0);
    free(met);
    ground_clear(&g);
    text_list_free(&all);
    web_free(w);
}

/* From index.html on, with robots.txt or without, within so many seconds (0: at the beginning); and
 * how many pages there are then. */
static uint32_t reached(const struct web *w, bool robots, int64_t seconds, uint32_t *ret_pages)
{
    struct text_list none = {0};
    struct ground g;
    uint32_t n, seed = web_find(w, url_key(STR("http://s.example/index.html")));
    bool *met;

    assert_int_not_equal(seed, 0);
    assert_int_equal(
        ground_init(
            &g, w,
            &(struct ground_config){.exclude = &none, .robots = robots, .time = seconds * 1000000}),
        ST_OK);
    n = ground_reachable(&g, &seed, 1, &met);
    *ret_pages = g.pages;
    free(met);
    ground_clear(&g);
    return n;
}

static void what_robots_txt_forbids_cannot_be_reached(void **state)
{
    char dir[500];
    struct web *w;
    uint32_t pages;

    (void)state;
    (void)snprintf(dir, sizeof dir, "%s/w", test_dir());
    site_world(dir);
    assert_int_equal(web_load(dir, &(struct web_config){.threads = 1}, &w), ST_OK);
    assert_int_equal(reached(w, true, 0, &pages), 2);
    assert_int_equal(reached(w, false, 0, &pages), 3);
    web_free(w);
}

static void what_does_not_exist_yet_cannot_be_reached(void **state)
{
    struct web *w = history_web(growing);
    uint32_t pages;

    (void)state;
    assert_int_equal(reached(w, true, 0, &pages), 2);
    assert_int_equal(pages, 2);
    assert_int_equal(reached(w, true, 499, &pages), 2);
    assert_int_equal(reached(w, true, 501, &pages), 3); /* 600 s is within 100 .. 601 s */
    assert_int_equal(pages, 3);
    assert_int_equal(reached(w, true, 1000, &pages), 3); /* nothing leads to d.html */
    assert_int_equal(pages, 4);
    web_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(back_links_are_the_links_turned_round),
        cmocka_unit_test(draws_depend_on_names_alone),
        cmocka_unit_test(hosts_of_targets_are_counted),
        cmocka_unit_test(descriptions_know_their_targets),
        cmocka_unit_test(what_is_excluded_is_no_target_and_leads_nowhere),
        cmocka_unit_test(what_robots_txt_forbids_cannot_be_reached),
        cmocka_unit_test(what_does_not_exist_yet_cannot_be_reached),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
