/* Which pages are news, and that a webhook does not leave by a private door.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "../store/made.h"

#include "base/os/clock.h"
#include "base/mem.h"
#include "bus/bus.h"
#include "crawl/watch/news.h"
#include "crawl/watch/webhook.h"

#include <stdio.h>

#define HOUR   (3600 * US_PER_S)
#define DAY    (24 * HOUR)
#define NOON15 (INT64_C(20772) * DAY + 12 * HOUR) /* 2026-11-15: 20772 days since 1970 */

/* ---- what is news ---------------------------------------------------------------- */

/* A watch at NOON15: its pages, its rules, and which of them it announced. */
struct desk {
    char dir[200];
    struct bus *bus;
    struct news *news;
    struct news_rules rules;
    uint32_t pages;
    struct arrival *arrivals[64];
};

static void desk_open(struct desk *d, const char *name)
{
    struct store *s;

    (void)snprintf(d->dir, sizeof d->dir, "%s/%s", test_dir(), name);
    s = made_store(d->dir);
    made_checkpoint(s, 0);
    made_close(s);
    d->bus = bus_new();
    if (d->rules.relevant <= 0)
        d->rules.relevant = 0.5;
    if (news_open(&d->rules, d->bus, d->dir, &d->news) != ST_OK)
        fail_msg("%s", status_text());
}

static void desk_close(struct desk *d)
{
    news_close(d->news);
    bus_free(d->bus);
    for (uint32_t i = 0; i < d->pages; i++)
        arrival_release(d->arrivals[i]);
}

struct case_of {
    uint32_t url; /* 0: one of its own */
    float relevance;
    int64_t date;
    enum date_source source;
    uint32_t dup_of, version_of;
    bool hidden;
    const char *server_date, *age;
    const char *text;
};

/* Posts a page and says whether it was announced. */
static bool is_news(struct desk *d, struct case_of c)
{
    uint32_t id = d->pages + 1, url = c.url ? c.url : 100 + id;
    struct made_page p = {
        .id = id, .url = url, .title = "Reefs", .text = c.text ? c.text : "reefs"};
    struct arrival *a;
    struct page *page;
    struct event e = {.kind = EVENT_PAGE, .at = NOON15};
    struct news_item item;
    char href[64];

    p.relevance = c.relevance > 0 ? c.relevance : 0.9f;
    p.body = c.text ? c.text : "some words of its own";
    (void)snprintf(href, sizeof href, "http://a.test/u%u", url);
    p.href = href;
    a = d->arrivals[d->pages++] = made_arrival(&p);
    page = (struct page *)(uintptr_t)a->page;
    page->date = c.source == DATE_FEED ? 0 : c.date;
    page->date_source = c.source == DATE_FEED ? DATE_NONE : c.source;
    a->reply.started_at = a->reply.done_at = NOON15;
    a->reply.date = c.server_date ? str_of(c.server_date) : STR("");
    a->reply.age = c.age ? str_of(c.age) : STR("");
    e.page.arrival = a;
    e.page.id = id;
    e.page.dup_of = c.dup_of;
    e.page.version_of = c.version_of;
    e.page.hidden = c.hidden;
    e.page.date = c.date ? c.date : NOON15;
    bus_post(d->bus, &e);
    return news_take(d->news, UINT64_MAX, &item);
}

/* A link to the URL is met on a page that had been stored before without it. */
static void appears(struct desk *d, uint32_t url)
{
    struct link link = {.url = STR("http://a.test/x")};
    struct link_mark mark = {.url = url, .is_new = true};
    struct page page = {.links = &link, .nlinks = 1};
    struct arrival a = {.page = &page, .marks = &mark};
    struct event e = {.kind = EVENT_LINKS, .at = NOON15, .links = {.arrival = &a, .page = 1}};

    bus_post(d->bus, &e);
}

static void a_dated_document_is_news_for_a_day(void **state)
{
    struct desk d = {.rules = {.max_age = DAY, .changes = NEWS_DATED}};

    (void)state;
    desk_open(&d, "dated");
    assert_true(is_news(&d, (struct case_of){.date = NOON15 - HOUR, .source = DATE_META}));
    assert_true(is_news(&d, (struct case_of){.date = NOON15 - DAY, .source = DATE_META}));
    assert_false(is_news(&d, (struct case_of){.date = NOON15 - DAY - 1, .source = DATE_META}));
    /* A day without a time lasts until its end: the 14th is over 12 hours ago, the 13th 36. */
    assert_true(
        is_news(&d, (struct case_of){.date = NOON15 - 12 * HOUR - DAY, .source = DATE_URL}));
    assert_false(
        is_news(&d, (struct case_of){.date = NOON15 - 12 * HOUR - 2 * DAY, .source = DATE_URL}));
    assert_true(is_news(&d, (struct case_of){.date = NOON15 - HOUR, .source = DATE_FEED}));
    assert_false(is_news(
        &d, (struct case_of){.date = NOON15 - HOUR, .source = DATE_META, .relevance = 0.4f}));
    assert_false(
        is_news(&d, (struct case_of){.date = NOON15 - HOUR, .source = DATE_META, .hidden = true}));
    desk_close(&d);
}

static void since_is_a_floor(void **state)
{
    struct desk d = {.rules = {.since = NOON15 - 10 * DAY, .changes = NEWS_DATED}};

    (void)state;
    desk_open(&d, "since");
    assert_true(is_news(&d, (struct case_of){.date = NOON15 - 9 * DAY, .source = DATE_META}));
    assert_false(is_news(&d, (struct case_of){.date = NOON15 - 11 * DAY, .source = DATE_META}));
    desk_close(&d);
}

static void a_document_without_a_date_must_have_appeared(void **state)
{
    struct desk d = {.rules = {.max_age = DAY, .changes = NEWS_DATED}};

    (void)state;
    desk_open(&d, "undated");
    assert_false(is_news(&d, (struct case_of){.url = 50}));
    appears(&d, 51);
    assert_true(is_news(&d, (struct case_of){.url = 51}));
    /* Last-Modified and a bare time element do not say that it is new … */
    assert_false(is_news(&d, (struct case_of){.date = NOON15 - HOUR, .source = DATE_MODIFIED}));
    assert_false(is_news(&d, (struct case_of){.date = NOON15 - HOUR, .source = DATE_TIME}));
    /* … but that it is old. */
    appears(&d, 52);
    assert_false(is_news(
        &d, (struct case_of){.url = 52, .date = NOON15 - 9 * DAY, .source = DATE_MODIFIED}));
    appears(&d, 53);
    assert_true(
        is_news(&d, (struct case_of){.url = 53, .date = NOON15 - HOUR, .source = DATE_MODIFIED}));
    desk_close(&d);
}

static void nothing_is_announced_twice(void **state)
{
    struct desk d = {.rules = {.max_age = DAY, .changes = NEWS_DATED}};
    struct case_of first = {.url = 7, .date = NOON15 - HOUR, .source = DATE_META, .text = "one"};
    struct case_of copy = {.date = NOON15 - HOUR, .source = DATE_META, .dup_of = 1};
    struct case_of later = first;

    (void)state;
    desk_open(&d, "twice");
    assert_true(is_news(&d, first));
    assert_false(is_news(&d, first)); /* the same text at the same URL */
    assert_false(is_news(&d, copy));  /* a near duplicate of page 1 */
    copy.dup_of = 99;                 /* of a page that was not announced: once */
    assert_true(is_news(&d, copy));
    copy.text = "another copy";
    assert_false(is_news(&d, copy));
    later.version_of = 1;
    later.text = "two";
    assert_true(is_news(&d, later));
    later.text = "one"; /* it goes back to what it was */
    assert_false(is_news(&d, later));
    desk_close(&d);
}

static void changes_are_announced_as_asked(void **state)
{
    static const struct {
        enum news_changes changes;
        bool dated, undated;
    } cases[] = {{NEWS_NONE, false, false}, {NEWS_DATED, true, false}, {NEWS_ALL, true, true}};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct desk d = {.rules = {.max_age = DAY, .changes = cases[i].changes}};
        char name[20];

        (void)snprintf(name, sizeof name, "changes%zu", i);
        desk_open(&d, name);
        assert_int_equal(
            is_news(&d,
                    (struct case_of){.date = NOON15 - HOUR, .source = DATE_META, .version_of = 40}),
            cases[i].dated);
        assert_int_equal(is_news(&d, (struct case_of){.version_of = 41}), cases[i].undated);
        desk_close(&d);
    }
}

/* A server whose clock stands at 2020-01-02 says that its page is of 2020-01-01: a day old. */
static void a_document_is_as_old_as_its_server_says(void **state)
{
    struct desk d = {.rules = {.max_age = DAY, .changes = NEWS_DATED}};
    int64_t then = INT64_C(18262) * DAY + 12 * HOUR; /* 2020-01-01, noon */

    (void)state;
    desk_open(&d, "clock");
    assert_true(is_news(&d, (struct case_of){.date = then,
                                             .source = DATE_META,
                                             .server_date = "Thu, 02 Jan 2020 12:00:00 GMT"}));
    assert_false(is_news(&d, (struct case_of){.date = then,
                                              .source = DATE_META,
                                              .server_date = "Thu, 02 Jan 2020 12:00:01 GMT"}));
    assert_false(is_news(&d, (struct case_of){.date = then, .source = DATE_META}));
    /* A cache that kept the answer for an hour makes it an hour older. */
    assert_false(is_news(&d, (struct case_of){.date = then,
                                              .source = DATE_META,
                                              .server_date = "Thu, 02 Jan 2020 11:30:00 GMT",
                                              .age = "3600"}));
    desk_close(&d);
}

/* ---- announced before ---------------------------------------------------------------- */

/* A crawl with one page, which was announced. */
static void made_news(const char *dir)
{
    struct store *s = made_store(dir);

    made_post(s, &(struct made_page){.id = 1, .title = "Reefs", .text = "one", .relevance = 0.9f});
    store_post(s, &(struct event){.kind = EVENT_NEWS, .at = NOON15, .news = {1, 1}});
    made_checkpoint(s, 1);
    made_close(s);
}

static void what_was_announced_stays_so_over_a_restart(void **state)
{
    struct made_page same = {.id = 1, .title = "Reefs", .text = "one", .relevance = 0.9f};
    struct news_rules rules = {.relevant = 0.5, .changes = NEWS_ALL};
    struct event e = {.kind = EVENT_PAGE, .at = NOON15};
    struct bus *bus = bus_new();
    struct news_item item;
    struct news *news;
    char dir[200];

    (void)state;
    (void)snprintf(dir, sizeof dir, "%s/restart", test_dir());
    made_news(dir);
    assert_string_equal(made_text(dir, "SELECT url || ' ' || change FROM news"),
                        "http://a.test/1 new");
    assert_int_equal(news_open(&rules, bus, dir, &news), ST_OK);
    assert_int_equal(news_last(news), 1);
    e.page.arrival = made_arrival(&same);
    e.page.id = 2;
    e.page.version_of = 1;
    e.page.date = NOON15;
    bus_post(bus, &e);
    assert_false(news_take(news, UINT64_MAX, &item));
    arrival_release(e.page.arrival);
    same.text = "two"; /* and another text is number 2 */
    e.page.arrival = made_arrival(&same);
    e.page.id = 3;
    bus_post(bus, &e);
    assert_false(news_take(news, 2, &item)); /* not committed yet */
    assert_true(news_take(news, 3, &item));
    assert_int_equal(item.id, 2);
    arrival_release(e.page.arrival);
    news_close(news);
    bus_free(bus);
}

/* ---- the egress guard -------------------------------------------------------------------- */

static void a_webhook_at_a_private_address_is_refused(void **state)
{
    struct crawl_options o;
    struct webhook_config config = {.url = "http://127.0.0.1:2/", .options = &o};
    struct webhook_counts counts = {0};
    struct bus *bus = bus_new();
    struct webhook *w;
    char dir[200];

    (void)state;
    (void)snprintf(dir, sizeof dir, "%s/guard", test_dir());
    made_news(dir);
    crawl_options_init(&o);
    o.contact = str_dup(STR("test@example.org"));
    config.dir = dir;
    config.bus = bus;
    assert_int_equal(webhook_new(&config, &w), ST_OK);
    for (int i = 0; i < 60000 && counts.failures == 0; i++) {
        (void)webhook_pump(w, 1, NOON15);
        counts = webhook_counts(w);
        clock_sleep(5 * US_PER_MS);
    }
    assert_int_equal(counts.failures, 1);
    assert_int_equal(counts.sent + counts.refused, 0);
    assert_int_equal(counts.waiting, 1); /* it is kept */
    assert_non_null(strstr(counts.trouble, "loopback"));
    webhook_free(w);
    bus_free(bus);
    crawl_options_free(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dated_document_is_news_for_a_day),
        cmocka_unit_test(since_is_a_floor),
        cmocka_unit_test(a_document_without_a_date_must_have_appeared),
        cmocka_unit_test(nothing_is_announced_twice),
        cmocka_unit_test(changes_are_announced_as_asked),
        cmocka_unit_test(a_document_is_as_old_as_its_server_says),
        cmocka_unit_test(what_was_announced_stays_so_over_a_restart),
        cmocka_unit_test(a_webhook_at_a_private_address_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
