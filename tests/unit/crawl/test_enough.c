/* test_enough.c - a crawl that ends when enough of its topic is found.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "../sim/small_world.h"
#include "base/mem.h"
#include "base/rng.h"
#include "crawl/crawl_int.h"
#include "crawl/enough.h"
#include "crawl/simulate.h"
#include "parse/url_norm.h"
#include "sim/web/web.h"
#include "text/topic.h"

#include <stdio.h>

#define TOPIC  150 /* pages about bees: the first ones */
#define PAGES  900
#define WORDS  60
#define LINKS  8
#define SEEDS  2
#define AROUND 300 /* other words */

static void page_draw(struct small_world *s, struct rng *r, unsigned page)
{
    struct buf html = BUF_INIT(1 << 20);
    char url[64];

    for (unsigned i = 0; i < WORDS; i++) {
        bool bees = page < TOPIC && rng_below(r, 3) == 0;

        buf_addf(&html, "%s%u ", bees ? "honey" : "street",
                 (unsigned)(bees ? rng_below(r, 9) : rng_below(r, AROUND)));
    }
    for (unsigned i = 0; i < LINKS; i++) {
        bool near = rng_below(r, 2) == 0;
        unsigned first = near && page >= TOPIC ? TOPIC : 0;

        buf_addf(&html, "<a href='/%u'>more</a> ",
                 first + (unsigned)rng_below(r, near && page < TOPIC ? TOPIC : PAGES - first));
    }
    (void)snprintf(url, sizeof url, "http://a.example/%u", page);
    small_page(s, url, 1000000, html.data);
    buf_free(&html);
}

static struct web *web_draw(void)
{
    struct web_config config = {.threads = 1};
    struct small_world s;
    struct web *web;
    struct rng r;
    char path[600];

    rng_init(&r, 4);
    (void)snprintf(path, sizeof path, "%s/web", test_dir());
    small_begin(&s, path);
    for (unsigned page = 0; page < PAGES; page++)
        page_draw(&s, &r, page);
    small_end(&s);
    if (web_load(path, &config, &web) != ST_OK)
        fail_msg("%s", status_text());
    return web;
}

static void count_topic(void *ctx, const struct event *e)
{
    unsigned *found = ctx, page = 0;

    if (e->kind == EVENT_PAGE &&
        sscanf(e->page.arrival->request->href.ptr, "http://a.example/%u", &page) == 1)
        *found += page < TOPIC;
}

static struct crawl_status run(struct web *web, const char *until, unsigned *ret_found)
{
    struct crawl_status status;
    struct simulation s;
    struct topic *topic;
    uint32_t seeds[SEEDS];

    assert_int_equal(topic_from_words(STR("honey1 honey2"), STR("en"), &topic), ST_OK);
    for (unsigned i = 0; i < SEEDS; i++) {
        char url[64];

        (void)snprintf(url, sizeof url, "http://a.example/%u", i);
        seeds[i] = web_find(web, url_key(str_of(url)));
    }
    simulation_init(&s);
    s.web = web;
    s.topic = topic;
    s.model = "brood";
    s.rng = 1;
    s.seeds = seeds;
    s.nseeds = SEEDS;
    s.until = until;
    s.listen = count_topic;
    s.listen_ctx = ret_found;
    *ret_found = 0;
    assert_int_equal(crawl_simulate(&s, &status), ST_OK);
    topic_free(topic);
    return status;
}

static void a_crawl_ends_when_the_share_is_found(void **state)
{
    struct web *web = web_draw();
    struct crawl_status status;
    unsigned found;

    (void)state;
    status = run(web, "90%", &found);
    assert_int_equal(status.end, CRAWL_ENOUGH);
    assert_true(status.outlook.is_known && status.outlook.share >= 0.9);
    assert_in_range(found, TOPIC * 7 / 10, TOPIC);
    assert_true(status.pages < PAGES * 2 / 3);
    status = run(web, NULL, &found);
    assert_int_equal(status.end, CRAWL_COMPLETE);
    assert_true(status.outlook.is_known && !(status.outlook.more > 0));
    web_free(web);
}

static void what_is_no_share_and_who_cannot_tell_is_refused(void **state)
{
    static const char *const wrong[] = {"0", "100%", "1", "-5%", "much", "90%%", "%"};
    struct crawl_options o = {.model = (char *)"brood"};

    (void)state;
    assert_int_equal(enough_check(&o), ST_OK);
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        o.until = (char *)wrong[i];
        assert_int_equal(enough_check(&o), ST_USAGE);
    }
    o.until = (char *)"90%";
    assert_int_equal(enough_check(&o), ST_OK);
    o.until = (char *)"0.5";
    assert_int_equal(enough_check(&o), ST_OK);
    o.model = (char *)"best-first";
    assert_int_equal(enough_check(&o), ST_USAGE);
    assert_non_null(strstr(status_text(), "'best-first' cannot tell"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crawl_ends_when_the_share_is_found),
        cmocka_unit_test(what_is_no_share_and_who_cannot_tell_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
