/* Visited pages, once more: the shelf in memory, and a simulated web.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "../sim/small_world.h"
#include "base/limits.h"
#include "base/mem.h"
#include "crawl/crawl_int.h"
#include "crawl/watch/look_up.h"
#include "crawl/watch/shelf.h"
#include "frontier/frontier.h"
#include "parse/url_norm.h"
#include "sim/web/web.h"
#include "text/topic.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- the shelf ---- */

/* A page with `nlinks` links and words; everything follows from its number. */
static void put(struct shelf *s, uint32_t page, uint32_t nlinks)
{
    static struct link links[100];
    static struct term terms[3] = {{1, 2}, {5, 1}, {9, 7}};
    static uint32_t sequence[100];
    static uint64_t stops[2] = {5, 0};
    struct str paths[2] = {STR("html body a"), STR("html body p a")};
    char url[32];
    struct shelf_page p = {
        .page = page,
        .url = page + 1,
        .agent = 7,
        .depth = 3,
        .latency = 1234,
        .body = {.text = STR("left out"),
                 .title = STR("left out too"),
                 .nwords = 90,
                 .links = links,
                 .nlinks = nlinks,
                 .tag_paths = paths,
                 .ntag_paths = 2,
                 .lang = STR("en")},
        .profile = {.terms = terms,
                    .nterms = 3,
                    .sequence = sequence,
                    .stops = stops,
                    .nsequence = 100,
                    .relevance = .25f},
    };

    (void)snprintf(url, sizeof url, "http://x.example/%u", page);
    for (uint32_t i = 0; i < nlinks; i++)
        links[i] =
            (struct link){.url = str_of(url), .key = page, .anchor = {i, i + 2}, .tag_path = i % 2};
    for (uint32_t i = 0; i < 100; i++)
        sequence[i] = page * 1000 + i;
    shelf_put(s, &p);
    memset(url, 'x', sizeof url); /* nothing of it is lent */
    memset(links, 0, sizeof links);
    memset(sequence, 0, sizeof sequence);
}

static void a_page_is_copied_but_for_its_texts(void **state)
{
    struct shelf *s = shelf_new(MIB(1));
    const struct shelf_page *p;

    (void)state;
    put(s, 4, 3);
    put(s, 5, 0);
    assert_null(shelf_get(s, 1));
    p = shelf_get(s, 4);
    assert_non_null(p);
    assert_true(p->url == 5 && p->agent == 7 && p->depth == 3 && p->latency == 1234);
    assert_int_equal(p->body.nlinks, 3);
    assert_str(p->body.links[2].url, "http://x.example/4");
    assert_true(p->body.links[2].anchor.from == 2 && p->body.links[2].anchor.to == 4);
    assert_str(p->body.tag_paths[p->body.links[1].tag_path], "html body p a");
    assert_str(p->body.lang, "en");
    assert_true(p->body.text.len == 0 && p->body.title.len == 0 && p->body.nwords == 90);
    assert_true(p->profile.terms[2].id == 9 && p->profile.terms[2].count == 7);
    assert_int_equal(p->profile.sequence[99], 4099);
    assert_int_equal(p->profile.stops[0], 5);
    assert_true(p->profile.relevance == .25f);
    shelf_free(s);
}

static void the_page_not_asked_for_longest_goes(void **state)
{
    struct shelf *s = shelf_new(MIB(1));
    size_t one;

    (void)state;
    put(s, 1, 10);
    one = shelf_bytes(s);
    shelf_free(s);
    s = shelf_new(3 * one);
    put(s, 1, 10);
    put(s, 2, 10);
    put(s, 3, 10);
    assert_non_null(shelf_get(s, 1)); /* so 2 is the oldest now */
    put(s, 4, 10);
    assert_null(shelf_get(s, 2));
    assert_true(shelf_get(s, 1) && shelf_get(s, 3) && shelf_get(s, 4));
    put(s, 3, 10); /* again: in the place of itself */
    assert_int_equal(shelf_bytes(s), 3 * one);
    put(s, 5, 100); /* takes the room of all */
    assert_true(!shelf_get(s, 1) && !shelf_get(s, 3) && !shelf_get(s, 4));
    assert_non_null(shelf_get(s, 5));
    shelf_free(s);
}

static void a_shelf_without_room_has_the_last_page(void **state)
{
    struct shelf *s = shelf_new(0);

    (void)state;
    for (uint32_t page = 1; page <= 50; page++) {
        put(s, page, page);
        assert_null(shelf_get(s, page - 1));
        assert_non_null(shelf_get(s, page));
    }
    shelf_free(s);
}

/* ---- a simulated web ---- */

#define AT(day) ((int64_t)(day)*86400 * 1000000)

static struct web *web;

/* Page /1 changes on day 2: it has other words and another link. */
static int web_make(void **state)
{
    struct web_config config = {.threads = 1};
    struct small_world s;
    char dir[600];

    (void)state;
    (void)snprintf(dir, sizeof dir, "%s/world", test_dir());
    small_begin(&s, dir);
    small_key(&s, "world_time", "86400000000 864000000000");
    small_page(
        &s, "http://a.example/1", AT(1),
        "<title>bees</title>honey of bees <a href=/2>hive</a> <a rel=nofollow href=/3>x</a>");
    small_page(&s, "http://a.example/1", AT(2), "<title>wax</title>candles <a href=/4>wax</a>");
    small_page(&s, "http://a.example/2", AT(1), "<title>hive</title>a hive <a href=/1>bees</a>");
    small_page(&s, "http://a.example/4", AT(1), "<title>wax</title>candles of wax");
    small_outcome(&s, "http://a.example/3", AT(1), 404, NULL);
    small_end(&s);
    if (web_load(dir, &config, &web) != ST_OK)
        fail_msg("%s", status_text());
    return 0;
}

static int web_drop(void **state)
{
    (void)state;
    web_free(web);
    return 0;
}

static const struct model_ops *inner;
static struct buf came[10]; /* by page: what the model saw of it */
static uint32_t urls[10];

static void note(const struct percept *p, struct buf *out)
{
    buf_clear(out);
    buf_addf(out, "%u %u %u %u %lld %a %a", p->choice.url, p->choice.agent, p->page, p->depth,
             (long long)p->latency, (double)p->profile->relevance, (double)p->profile->similarity);
    for (uint32_t i = 0; i < p->body->nlinks; i++)
        buf_addf(out, " %.*s=%u.%u", STR_ARG(p->body->links[i].url), p->marks[i].url,
                 p->marks[i].drop);
    for (uint32_t i = 0; i < p->profile->nsequence; i++)
        buf_addf(out, " %x", p->profile->sequence[i]);
}

static void spy_perceive(struct model *m, struct percept *p)
{
    assert_true(p->page > 0 && p->page < 10);
    buf_init(&came[p->page], 1 << 16);
    note(p, &came[p->page]);
    urls[p->page] = p->choice.url;
    inner->perceive(m, p);
}

static void ignore(void *ctx, const struct event *e)
{
    (void)ctx, (void)e;
}

/* Fetched on day 1; looked up on day 5, when /1 is another page: it is what it was. */
static void a_simulated_page_is_the_version_that_was_fetched(void **state)
{
    static struct model_ops ops;
    struct crawl *c = MEM_NEW(struct crawl);
    struct text_list seeds = {0};
    struct crawl_options o;
    struct simulation s;
    struct topic *topic;
    struct buf now = BUF_INIT(1 << 16);
    struct percept p;

    (void)state;
    assert_int_equal(topic_from_words(STR("bees honey"), STR("en"), &topic), ST_OK);
    simulation_init(&s);
    s.web = web;
    s.topic = topic;
    s.listen = ignore;
    crawl_options_init(&o);
    free(o.model);
    o.model = str_dup(STR("breadth-first"));
    o.delay = 0;
    c->options = &o;
    c->simulation = &s;
    assert_int_equal(wire_simulation(c), ST_OK);
    assert_null(c->look_up); /* breadth-first never looks back */
    assert_null(c->model_ctx.look_up);
    inner = c->model->ops;
    ops = *inner;
    ops.perceive = spy_perceive;
    c->model->ops = &ops;
    c->look_up = look_up_web_new(web);
    text_list_add(&seeds, STR("http://a.example/1"));
    assert_int_equal(crawl_meet_seeds(c, &seeds), ST_OK);
    crawl_start_model(c);
    assert_int_equal(crawl_run(c, NULL, NULL), ST_OK);
    assert_int_equal(c->pages, 2); /* /3 is nofollow, /4 was not named yet */
    c->now = AT(5);
    for (uint32_t page = 2; page > 0; page--) {
        assert_true(look_up_page(c, urls[page], &p));
        assert_false(p.first);
        note(&p, &now);
        assert_string_equal(now.data, came[page].data);
        for (uint32_t i = 0; i < p.body->nlinks; i++) {
            assert_true(isnan(p.marks[i].score));
            assert_int_equal(p.marks[i].taken, p.marks[i].drop == DROP_NONE); /* both were */
        }
        buf_free(&came[page]);
    }
    assert_false(
        look_up_page(c, frontier_find(c->frontier, url_key(STR("http://a.example/3"))), &p));
    assert_false(look_up_page(c, 0, &p));
    text_list_free(&seeds);
    buf_free(&now);
    c->topic = NULL; /* was lent */
    wire_free(c);
    crawl_options_free(&o);
    topic_free(topic);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_is_copied_but_for_its_texts),
        cmocka_unit_test(the_page_not_asked_for_longest_goes),
        cmocka_unit_test(a_shelf_without_room_has_the_last_page),
        cmocka_unit_test(a_simulated_page_is_the_version_that_was_fetched),
    };

    return cmocka_run_group_tests(tests, web_make, web_drop);
}
