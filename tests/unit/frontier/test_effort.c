/* What a host's robots.txt can make the frontier do: rules that are dear to compare, and
 * paths that are long. Steps are counted by the real parser, and nothing else is measured.
 * SPDX-License-Identifier: MIT */
#include "fake.h"

#include "base/limits.h"
#include "base/mem.h"
#include "parse/robots/robots.h"

#include <stdio.h>
#include <stdlib.h>

enum { LINKS = 10000, CHOSEN = 300, PATH = 1850 };

/* 300 patterns that every path keeps busy to its end, and one that forbids. */
static char *dear_text(void)
{
    struct buf b = BUF_INIT(KIB(64));
    char *text;

    buf_add_z(&b, "User-agent: *\nDisallow: /*no$\n");
    for (int i = 0; i < 300; i++) {
        buf_add_z(&b, "Disallow: /");
        for (int star = 0; star < 20; star++)
            buf_add_z(&b, "*a");
        buf_addf(&b, "%dz$\n", i);
    }
    text = str_dup(buf_str(&b));
    buf_free(&b);
    return text;
}

static const char *dear_url(unsigned n, const char *end)
{
    static char text[PATH + 100];
    int len = snprintf(text, sizeof text, "http://a.org/%u-", n);

    memset(text + len, 'a', PATH);
    (void)snprintf(text + len + PATH, sizeof text - (size_t)len - PATH, "%s", end);
    return text;
}

/* What it costs to judge a URL of a.org. */
static uint64_t cost(const struct robots *r, const char *url)
{
    uint64_t steps = 0;

    (void)robots_allows_counted(r, str_of(url + strlen("http://a.org")), &steps);
    return steps;
}

/* A frontier that has read the rules of a.org, and visited a page there. */
static void visited(struct fake *k, const struct frontier_config *c, const char *text)
{
    fake_init(k, c);
    assert_int_equal(fake_add(k, "http://a.org/", 1), DROP_NONE);
    assert_non_null(fake_page(k, text));
    fake_answer(k, (struct answer){0});
}

static void a_page_of_dear_links_is_judged_within_a_budget(void **state)
{
    struct frontier_config c = fake_config();
    char *text = dear_text();
    struct robots *r = robots_parse(str_of(text), STR("brood"));
    uint64_t steps = 0, dearest = cost(r, dear_url(LINKS, "no"));
    enum drop why;
    struct fake k;

    (void)state;
    assert_true(LINKS * dearest > 100 * (uint64_t)LIMIT_ROBOTS_STEPS);
    visited(&k, &c, text);
    for (unsigned i = 0; i < LINKS; i++) {
        (void)fake_meet(&k, dear_url(i, "no"), 1, &why);
        if (why == DROP_ROBOTS)
            steps += cost(r, dear_url(i, "no"));
    }
    assert_in_range(steps, dearest, LIMIT_ROBOTS_STEPS + dearest);
    fake_free(&k);
    robots_free(r);
    free(text);
}

static void what_was_not_judged_at_sight_is_judged_before_it_is_sent(void **state)
{
    struct frontier_config c = fake_config();
    char *text = dear_text();
    struct robots *r = robots_parse(str_of(text), STR("brood"));
    uint64_t most = LIMIT_ROBOTS_STEPS / cost(r, dear_url(0, "no")) + 2;
    unsigned added = 0, pages = 0;
    struct fake k;

    (void)state;
    visited(&k, &c, text);
    for (unsigned i = 0; i < CHOSEN; i++)
        added += fake_add(&k, dear_url(i, i % 30 ? "no" : "yes"), (float)i) == DROP_NONE;
    assert_true(added > CHOSEN / 2);
    while (frontier_next_time(k.f) != INT64_MAX) {
        size_t before = k.ndropped;

        (void)fake_step(&k);
        assert_in_range(k.ndropped - before, 0, most); /* so many a release */
        while (k.ndue > 0) {
            assert_true(str_ends(k.due[0]->href, STR("yes")));
            pages += k.due[0]->kind == REQUEST_PAGE;
            fake_answer(&k, (struct answer){0});
        }
    }
    assert_int_equal(pages, CHOSEN / 30);
    assert_int_equal(k.ndropped, added - pages);
    fake_free(&k);
    robots_free(r);
    free(text);
}

static void rules_that_leave_are_asked_within_a_budget(void **state)
{
    struct frontier_config c = fake_config();
    char *text = dear_text();
    struct robots *r = robots_parse(str_of(text), STR("brood"));
    uint64_t most = LIMIT_ROBOTS_STEPS / cost(r, dear_url(0, "yes")) + 2;
    size_t pages = 0, robots = 0, left = 0;
    struct fake k;

    (void)state;
    c.robots_bytes = 3 * robots_bytes(r); /* half of it for two of them */
    fake_init(&k, &c);
    for (unsigned i = 0; i < CHOSEN; i++)
        assert_int_equal(fake_add(&k, dear_url(i, i % 30 ? "no" : "yes"), 1), DROP_NONE);
    assert_int_equal(fake_add(&k, "http://b.org/", 0), DROP_NONE);
    while (k.ndue > 0 || frontier_next_time(k.f) != INT64_MAX) {
        const struct request *q;

        if (k.ndue == 0 && fake_step(&k) == 0)
            continue;
        q = k.due[0];
        if (q->kind == REQUEST_ROBOTS && q->host.ptr[0] == 'b')
            left = k.ndropped + pages; /* the rules of a.org leave now */
        if (q->kind == REQUEST_ROBOTS && q->host.ptr[0] == 'a' && robots++ == 1)
            assert_in_range(k.ndropped + pages - left, 1, most);
        if (q->kind == REQUEST_PAGE && q->host.ptr[0] == 'a') {
            assert_true(str_ends(q->href, STR("yes")));
            pages++;
        }
        fake_answer(&k, (struct answer){.body = text});
    }
    assert_int_equal(robots, 2);
    assert_int_equal(pages, CHOSEN / 30);
    assert_int_equal(k.ndropped, CHOSEN - pages);
    fake_free(&k);
    robots_free(r);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_of_dear_links_is_judged_within_a_budget),
        cmocka_unit_test(what_was_not_judged_at_sight_is_judged_before_it_is_sent),
        cmocka_unit_test(rules_that_leave_are_asked_within_a_budget),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
