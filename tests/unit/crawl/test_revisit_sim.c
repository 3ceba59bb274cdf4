/* test_revisit_sim.c - revisits in simulated time: every visit is answered once, with
 * what it changed and the date of the document. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "../sim/small_world.h"
#include "base/buf.h"
#include "base/os/clock.h"
#include "base/mem.h"
#include "crawl/simulate.h"
#include "parse/url_norm.h"
#include "sim/web/web.h"
#include "text/topic.h"

#include <stdio.h>

#define DAY0  INT64_C(1767225600) /* 2026-01-01 */

#define PROSE "<p>Coral reefs are built by small animals in warm and shallow seas."
#define NEWS  "<p>A new reef was found by divers north of the island last week."

static struct web *web;

/* a: from 0 s; at 1000 s a new stamp, at 2000 s news, at 5000 s it is gone. b, which says
 * when it was written, never changes; c is linked from a from 1000 s on. */
static int set_up(void **state)
{
    char dir[400], window[100];
    struct small_world s;

    (void)state;
    (void)snprintf(dir, sizeof dir, "%s/w", test_dir());
    (void)snprintf(window, sizeof window, "%lld %lld", (long long)(DAY0 * US_PER_S),
                   (long long)((DAY0 + 10000) * US_PER_S));
    small_begin(&s, dir);
    s.latency = US_PER_S;
    small_page(&s, "http://a.example/", DAY0 * US_PER_S,
               "<a href=/b>the page b of a</a>" PROSE "<p>$Id: a,v 1.1 2005/01/01 me $");
    small_page(&s, "http://a.example/b", DAY0 * US_PER_S,
               "<meta property=article:published_time content=2025-12-24T00:00:00Z>"
               "<p>This page was written once and for all by its only author.");
    small_page(&s, "http://a.example/c", DAY0 * US_PER_S, "<p>Nobody spoke of this one before.");
    small_page(&s, "http://a.example/", (DAY0 + 1000) * US_PER_S,
               "<a href=/b>the page b of a</a>" PROSE
               "<p>$Id: a,v 1.2 2005/01/02 me $<a href=/c>c</a>");
    small_page(&s, "http://a.example/", (DAY0 + 2000) * US_PER_S,
               "<a href=/b>the page b of a</a>" PROSE NEWS "<p>$Id: a,v 1.3 2005/01/03 me $");
    small_outcome(&s, "http://a.example/", (DAY0 + 5000) * US_PER_S, 410, NULL);
    small_key(&s, "world_time", window);
    small_end(&s);
    return web_load(dir, &(struct web_config){.threads = 1}, &web) == ST_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    web_free(web);
    return 0;
}

/* What happened at a moment, in seconds since the beginning. */
static void hear(void *ctx, const struct event *e)
{
    long long at = (long long)(e->at / US_PER_S - DAY0);
    struct buf *out = ctx;

    if (e->kind == EVENT_PAGE)
        buf_addf(out, "%lld page %u version_of %u date %lld\n", at, e->page.id, e->page.version_of,
                 (long long)(e->page.date / US_PER_S - DAY0));
    else if (e->kind == EVENT_OUTCOME)
        buf_addf(out, "%lld status %d %s\n", at, e->outcome.arrival->reply.status,
                 drop_name(e->outcome.why));
    else if (e->kind == EVENT_VISIT)
        buf_addf(out, "%lld visit of page %u%s\n", at, e->visit.page,
                 e->visit.first ? ", the first" : "");
}

static void watch(struct simulation *s, struct str setting, struct buf *out)
{
    uint32_t seed = web_find(web, url_key(STR("http://a.example/")));
    struct text_list settings = {0};
    struct topic *topic = NULL;
    struct crawl_status status;

    assert_int_equal(topic_from_words(STR("coral reefs"), STR("en"), &topic), ST_OK);
    text_list_add(&settings, setting);
    s->web = web;
    s->topic = topic;
    s->model = "revisit";
    s->settings = &settings;
    s->seeds = &seed;
    s->nseeds = 1;
    s->robots = false;
    s->listen = hear;
    s->listen_ctx = out;
    assert_int_equal(crawl_simulate(s, &status), ST_OK);
    assert_int_equal(status.end, CRAWL_TIME);
    text_list_free(&settings);
    topic_free(topic);
}

/* One connection, a second an answer (a 410 takes less), 1500 s of rest. a is asked for at
 * 0 s and b at 1 s. At 1501 s a, which has a new stamp, is no new document but names c; b
 * follows at 1503. At 3002 a has the news of 2000 s. The ETags of b and c hold, and from
 * 3003 s on a's too, until it is gone at 5000 s. Dates: what b says of itself, else since
 * when the web has the version. */
static void every_visit_is_answered_once(void **state)
{
    struct buf out = BUF_INIT(1 << 16);
    struct simulation s;

    (void)state;
    simulation_init(&s);
    s.duration = 6100 * US_PER_S;
    watch(&s, STR("least=1500s"), &out);
    assert_string_equal(out.data, "1 visit of page 1, the first\n"
                                  "1 page 1 version_of 0 date 0\n"
                                  "2 visit of page 2, the first\n"
                                  "2 page 2 version_of 0 date -691200\n"
                                  "1502 visit of page 1\n"
                                  "1502 status 200 none\n"
                                  "1503 visit of page 3, the first\n"
                                  "1503 page 3 version_of 0 date 0\n"
                                  "1504 visit of page 2\n"
                                  "1504 status 304 none\n"
                                  "3003 visit of page 4\n"
                                  "3003 page 4 version_of 1 date 2000\n"
                                  "3004 visit of page 3\n"
                                  "3004 status 304 none\n"
                                  "3005 visit of page 2\n"
                                  "3005 status 304 none\n"
                                  "4504 visit of page 4\n"
                                  "4504 status 304 none\n"
                                  "4505 visit of page 3\n"
                                  "4505 status 304 none\n"
                                  "4506 visit of page 2\n"
                                  "4506 status 304 none\n"
                                  "6004 status 410 status\n"
                                  "6006 visit of page 3\n"
                                  "6006 status 304 none\n"
                                  "6007 visit of page 2\n"
                                  "6007 status 304 none\n");
    buf_free(&out);
}

/* 900 s from one request to the next, 10 s of rest: when a is looked at again at 1800 s, b has
 * long been due too. a names c, which is new, and c goes first: nothing was chosen ahead. */
static void look_that_is_due_is_chosen_when_it_can_be_sent(void **state)
{
    struct buf out = BUF_INIT(1 << 16);
    struct simulation s;

    (void)state;
    simulation_init(&s);
    s.connections = 64;
    s.delay = 900 * US_PER_S;
    s.duration = 4000 * US_PER_S;
    watch(&s, STR("least=10s"), &out);
    assert_string_equal(out.data, "1 visit of page 1, the first\n"
                                  "1 page 1 version_of 0 date 0\n"
                                  "901 visit of page 2, the first\n"
                                  "901 page 2 version_of 0 date -691200\n"
                                  "1801 visit of page 1\n"
                                  "1801 status 200 none\n"
                                  "2701 visit of page 3, the first\n"
                                  "2701 page 3 version_of 0 date 0\n"
                                  "3601 visit of page 2\n"
                                  "3601 status 304 none\n");
    buf_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_visit_is_answered_once),
        cmocka_unit_test(look_that_is_due_is_chosen_when_it_can_be_sent),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
