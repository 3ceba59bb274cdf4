/* Directories in which nothing is left. SPDX-License-Identifier: MIT */
#include "fake.h"

#include "base/limits.h"
#include "base/mem.h"
#include "frontier/missing.h"

#include <stdio.h>

static void one_page_is_enough(void **state)
{
    struct missing m;

    (void)state;
    missing_init(&m);
    for (int i = 1; i < LIMIT_MISSING; i++)
        missing_note(&m, 1, STR("/images/7/a.png"), false);
    assert_false(missing_all(&m, 1, STR("/images/7/b.png")));
    missing_note(&m, 1, STR("/images/8/a.png?x=/y/"), false);
    assert_true(missing_all(&m, 1, STR("/images/7/b.png")));
    assert_true(missing_all(&m, 1, STR("/images/b.png")));
    assert_true(missing_all(&m, 1, STR("/images/")));
    assert_false(missing_all(&m, 1, STR("/images")));
    assert_false(missing_all(&m, 1, STR("/imagesque/b.png")));
    assert_false(missing_all(&m, 2, STR("/images/b.png")));
    missing_note(&m, 1, STR("/images/index.html"), true);
    assert_false(missing_all(&m, 1, STR("/images/9/b.png")));
    missing_note(&m, 1, STR("/images/7/c.png"), false); /* the 32nd of this one */
    assert_true(missing_all(&m, 1, STR("/images/7/b.png")));
    missing_free(&m);
}

static void the_top_of_a_host_is_no_directory(void **state)
{
    struct missing m;

    (void)state;
    missing_init(&m);
    for (int i = 0; i < 2 * LIMIT_MISSING; i++)
        missing_note(&m, 1, STR("/a.html"), false);
    assert_false(missing_all(&m, 1, STR("/b.html")));
    assert_false(missing_all(&m, 1, STR("/b/c.html")));
    missing_free(&m);
}

static struct choice met(struct fake *k, const char *url, uint16_t depth)
{
    return (struct choice){.url = fake_meet(k, url, depth, NULL), .agent = 1};
}

/* Asks for http://h/old/FIRST and so on, which answer with the status. */
static void ask(struct fake *k, int first, int count, int status)
{
    for (int i = first; i < first + count; i++) {
        char url[40];
        struct choice c;

        (void)snprintf(url, sizeof url, "http://h/old/%d", i);
        c = met(k, url, 1);
        assert_int_equal(frontier_add(k->f, &c, k->now), DROP_NONE);
        assert_non_null(fake_page(k, ""));
        (void)fake_answer(k, (struct answer){.status = status, .location = "/else"});
    }
}

static void nothing_is_asked_for_where_nothing_is_left(void **state)
{
    struct frontier_config config = fake_config();
    struct choice waits, c;
    struct fake k;

    (void)state;
    fake_init(&k, &config);
    waits = met(&k, "http://h/old/waits", 1); /* since before */
    ask(&k, 0, LIMIT_MISSING - 1, 404);
    ask(&k, 100, 5, 301); /* says nothing */
    ask(&k, 200, 1, 410);
    assert_int_equal(frontier_add(k.f, &waits, k.now), DROP_MISSING);
    c = met(&k, "http://h/old/other", 1);
    assert_int_equal(frontier_add(k.f, &c, k.now), DROP_MISSING);
    c = met(&k, "http://h/new/other", 1);
    assert_int_equal(frontier_add(k.f, &c, k.now), DROP_NONE);
    c = met(&k, "http://h/old/seed", 0); /* the user wants it */
    assert_int_equal(frontier_add(k.f, &c, k.now), DROP_NONE);
    c = met(&k, "http://h/old/0", 1); /* to be tried again */
    c.refresh = true;
    assert_int_equal(frontier_add(k.f, &c, k.now), DROP_NONE);
    c = met(&k, "http://h/old/style.css", 1);
    c.agent = AGENT_REQUISITE;
    assert_int_equal(frontier_add(k.f, &c, k.now), DROP_NONE);
    fake_free(&k);
}

/* Whoever is down, busy or unwilling may have the page later. */
static void only_an_answer_that_it_is_not_there_counts(void **state)
{
    static const int passing[] = {500, 408, 401, 403, 204};
    struct frontier_config config = fake_config();
    struct choice c;
    struct fake k;

    (void)state;
    config.retries = 0;
    fake_init(&k, &config);
    ask(&k, 0, LIMIT_MISSING - 1, 404);
    for (int i = 0; i < (int)ARRAY_LEN(passing); i++)
        ask(&k, 100 * (i + 1), 2, passing[i]);
    c = met(&k, "http://h/old/other", 1);
    assert_int_equal(frontier_add(k.f, &c, k.now), DROP_NONE);
    fake_free(&k);
}

static void a_directory_with_a_page_is_asked_for_ever(void **state)
{
    struct frontier_config config = fake_config();
    struct fake k;

    (void)state;
    fake_init(&k, &config);
    ask(&k, 0, 1, 200);
    ask(&k, 1, 2 * LIMIT_MISSING, 404);
    fake_free(&k);
}

/* Its rows are all that a checkpoint has of it, and what the server said. */
static void a_restored_frontier_knows_what_is_missing(void **state)
{
    struct frontier_config config = fake_config();
    struct fake k, again;
    struct url_view v;
    struct choice c;

    (void)state;
    fake_init(&k, &config);
    ask(&k, 0, LIMIT_MISSING, 404);
    for (uint32_t rows = LIMIT_MISSING - 1; rows <= LIMIT_MISSING; rows++) {
        fake_init(&again, &config);
        for (uint32_t id = 1; id <= rows && frontier_url(k.f, id, &v); id++)
            assert_int_equal(frontier_restore_url(again.f, v.href, id, &v), ST_OK);
        for (uint32_t id = 0; id <= LIMIT_MISSING + 1; id++)
            frontier_restore_missing(again.f, id);
        c = met(&again, "http://h/old/more", 1);
        assert_int_equal(frontier_add(again.f, &c, again.now),
                         rows < LIMIT_MISSING ? DROP_NONE : DROP_MISSING);
        fake_free(&again);
    }
    fake_free(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_page_is_enough),
        cmocka_unit_test(the_top_of_a_host_is_no_directory),
        cmocka_unit_test(nothing_is_asked_for_where_nothing_is_left),
        cmocka_unit_test(only_an_answer_that_it_is_not_there_counts),
        cmocka_unit_test(a_directory_with_a_page_is_asked_for_ever),
        cmocka_unit_test(a_restored_frontier_knows_what_is_missing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
