/* infospiders, computed by hand: dead ends, visited pages, the end of a crawl; a run that is resumed.
 * SPDX-License-Identifier: MIT */
#include "spiders.h"

#include <stdio.h>
#include <string.h>

/* ---- walking ------------------------------------------------------------------- */

/* 2 is a dead end: back to 1, and not there again. */
static void dead_ends_are_left_by_the_way_back(void **state)
{
    static const struct pond_page web[POND_PAGES + 1] = {
        [1] = {"<p><a href=2>wax wax wax wax</a> oak <a href=3>elm</a>"},
        [2] = {"<p>oak"},
        [3] = {"<p>oak <a href=4>oak</a> <a href=3>here</a>"},
        [4] = {"<p>oak"},
    };
    struct pond p;

    (void)state;
    pond_open(&p, web, "bee wax", "infospiders", ONE "beta=100", SEED(1));
    visit(&p, 1);
    visit(&p, 2);
    visit(&p, 3);
    assert_int_equal(agent_of(p.ctx.population, 1)->from, 1);
    assert_int_equal(p.visits, 4); /* 1, 2, back on 1, 3 */
    assert_string_equal(pond_order(&p, 9), "4");
    pond_close(&p);
    pond_open(&p, web, "bee wax", "infospiders", ONE "beta=100", SEED(1));
    p.forgets = true; /* nothing can be looked up: no way back */
    assert_string_equal(pond_order(&p, 9), "12");
    assert_string_equal(p.cause, "dead end");
    pond_close(&p);
}

/* A ring of three, a link out of it that leads to nothing: when everything was visited
 * the model says so at once, whoever is alive. */
static void when_all_is_visited_nobody_walks(void **state)
{
    struct choice c;
    struct pond p;

    (void)state;
    pond_open(&p, lesson, "bee wax", "infospiders", "theta=2 max_population=10", SEED(1));
    assert_string_equal(pond_order(&p, 99), "123");
    assert_int_equal(alive(&p), 10);
    assert_false(pond_next(&p, &c));
    pond_close(&p);
}

/* 4 can be reached from 5 only, and nobody is there: the agents walk round the ring for
 * a while, and are given up; with cache_cost=0 too. */
static void agents_that_find_nothing_are_given_up(void **state)
{
    static const struct pond_page web[POND_PAGES + 1] = {
        [1] = {"<p>oak <a href=2>oak</a>"},
        [2] = {"<p>oak <a href=1>oak</a>"},
        [5] = {"<p>oak <a href=4>oak</a> <a href=6>oak</a>"},
    };
    struct choice c;
    struct pond p;

    (void)state;
    pond_open(&p, web, "bee wax", "infospiders", ONE "cache_cost=0", SEED(1, 5));
    visit(&p, 1);
    visit(&p, 5);
    spider_die(p.model, spider_of(&p, 2), "test");
    visit(&p, 2);
    assert_false(pond_next(&p, &c));
    assert_int_equal(alive(&p), 1);
    assert_true(p.looks > 4000 && p.looks < 10000);
    pond_close(&p);
    pond_open(&p, web, "bee wax", "infospiders", ONE "max_pages=10", SEED(1, 5));
    visit(&p, 1);
    visit(&p, 5);
    spider_die(p.model, spider_of(&p, 2), "test");
    visit(&p, 2);
    assert_false(pond_next(&p, &c)); /* each step costs a tenth of c_t = .4 */
    assert_int_equal(alive(&p), 0);
    assert_string_equal(p.cause, "starved");
    books_are_balanced(&p);
    pond_close(&p);
}

/* 2 moved to 7. Who wants to go to 2 later walks onto 7. */
static void a_redirect_leads_to_the_same_place_for_everybody(void **state)
{
    static const struct pond_page web[POND_PAGES + 1] = {
        [1] = {"<p>oak <a href=2>oak</a>"},
        [2] = {.moved = 7},
        [7] = {"<p>oak <a href=8>oak</a>"},
        [8] = {"<p>oak <a href=2>oak</a> <a href=9>oak</a>"},
        [9] = {"<p>oak"},
    };
    struct pond p;

    (void)state;
    pond_open(&p, web, "bee wax", "infospiders", "population=3", SEED(1));
    assert_string_equal(pond_order(&p, 99), "1289");
    pond_close(&p);
}

/* Nobody is on a page that the engine came to by itself. */
static void pages_nobody_asked_for_are_passed_over(void **state)
{
    struct pond_read r;
    struct percept sitemap;
    struct pond p;

    (void)state;
    pond_open(&p, lesson, "bee wax", "infospiders", ONE, SEED(1));
    pond_read(&p, 2, &r);
    sitemap = (struct percept){.body = r.page, .profile = &r.profile, .marks = r.marks};
    p.model->ops->perceive(p.model, &sitemap);
    pond_unread(&r);
    assert_string_equal(pond_order(&p, 99), "123");
    pond_close(&p);
}

/* ---- checkpoints --------------------------------------------------------------- */

/* Thirty pages in a thicket; saved and loaded after every few visits, with one under way,
 * the crawl is the same as without. */
static void thicket(struct pond_page web[POND_PAGES + 1], char html[POND_PAGES + 1][400])
{
    static const char *const words[] = {"oak", "bee", "elm", "wax", "ash"};
    struct rng r;

    rng_init(&r, 5);
    memset(web, 0, sizeof(struct pond_page) * (POND_PAGES + 1));
    for (int i = 1; i <= 36; i++) {
        int n = snprintf(html[i], 400, "<p>");

        for (int k = 0; k < 5; k++)
            n += snprintf(html[i] + n, 400 - (size_t)n, "%s <a href=%d>%s</a> ",
                          words[rng_below(&r, 5)], 1 + (int)rng_below(&r, POND_PAGES),
                          words[rng_below(&r, 5)]);
        web[i].html = html[i];
    }
}

static void resumed_run_goes_on_as_it_would_have(void **state)
{
    static const char *const settings[] = {
        "population=4 theta=0.8 max_pages=60 hidden=2 beta_noise=0.3",
        "population=4 theta=0.8 max_pages=60 variant=frontier max_buffer=32",
        "population=4 theta=0.8 max_pages=60 expand=replace_weakest cost=simulated",
    };
    static struct pond_page web[POND_PAGES + 1];
    static char html[POND_PAGES + 1][400];
    char want[POND_PAGES * 4 + 2];

    (void)state;
    thicket(web, html);
    for (size_t i = 0; i < 3; i++) {
        struct choice c;
        struct pond p;
        size_t n = 0;

        pond_open(&p, web, "bee wax", "infospiders", settings[i], SEED(1, 2));
        (void)snprintf(want, sizeof want, "%s", pond_order(&p, 99));
        assert_true(strlen(want) > 25 && p.born > 6);
        books_are_balanced(&p);
        pond_close(&p);
        pond_open(&p, web, "bee wax", "infospiders", settings[i], SEED(1, 2));
        while (pond_next(&p, &c)) {
            p.order[n++] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFG"[c.url];
            if (n % 3 == 0)
                pond_resume(&p, "infospiders", settings[i]);
            pond_answer(&p, c);
        }
        p.order[n] = '\0';
        assert_string_equal(p.order, want);
        pond_close(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dead_ends_are_left_by_the_way_back),
        cmocka_unit_test(when_all_is_visited_nobody_walks),
        cmocka_unit_test(agents_that_find_nothing_are_given_up),
        cmocka_unit_test(a_redirect_leads_to_the_same_place_for_everybody),
        cmocka_unit_test(pages_nobody_asked_for_are_passed_over),
        cmocka_unit_test(resumed_run_goes_on_as_it_would_have),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
