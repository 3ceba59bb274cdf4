/* Settings of single hosts: lines, and what they change. SPDX-License-Identifier: MIT */
#include "fake.h"

#include "frontier/host_settings.h"

#include <stdio.h>
#include <stdlib.h>

static void add(struct host_settings *s, const char *line)
{
    if (host_settings_add(s, str_of(line)) != ST_OK)
        fail_msg("%s", status_text());
}

static void the_first_pattern_that_fits_counts(void **state UNUSED)
{
    struct host_settings s = {0};
    const struct host_setting *found;

    add(&s, "Docs.Example.org  delay=5s pages=200");
    add(&s, "*.example.org delay=2s connections=3");
    add(&s, "localhost:8080 depth=0");
    found = host_settings_find(&s, STR("docs.example.org"));
    assert_non_null(found);
    assert_int_equal(found->delay, 5 * US_PER_S);
    assert_int_equal(found->pages, 200);
    assert_int_equal(found->connections, -1);
    found = host_settings_find(&s, STR("www.example.org:8443"));
    assert_non_null(found);
    assert_int_equal(found->connections, 3);
    found = host_settings_find(&s, STR("localhost:8080"));
    assert_non_null(found);
    assert_int_equal(found->depth, 0);
    assert_null(host_settings_find(&s, STR("localhost")));
    assert_null(host_settings_find(&s, STR("example.org")));
    assert_null(host_settings_find(NULL, STR("example.org")));
    host_settings_free(&s);
}

static void what_is_wrong_is_said(void **state UNUSED)
{
    static const struct {
        const char *line, *said;
    } cases[] = {
        {"", "is no host"},
        {"http://a.org/ delay=1s", "is no host"},
        {"a.org", "nothing is set for a.org"},
        {"a.org fast", "a.org: 'fast' is no setting: write NAME=VALUE"},
        {"a.org dela=1s", "did you mean 'delay'?"},
        {"a.org xyzzy=1", "connections (most requests at once), depth ("},
        {"a.org delay=soon", "a.org: "},
        {"a.org connections=0", "1 to 64"},
    };
    struct host_settings s = {0};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(host_settings_add(&s, str_of(cases[i].line)), ST_USAGE);
        if (strstr(status_text(), cases[i].said) == NULL)
            fail_msg("'%s' does not say '%s'", status_text(), cases[i].said);
    }
    assert_int_equal(s.count, 0);
    host_settings_free(&s);
}

/* Two pages of a host, one after the other: the time between their starts. */
static int64_t time_between(struct fake *k)
{
    int64_t first;

    assert_non_null(fake_page(k, ""));
    first = k->now;
    fake_answer(k, (struct answer){0});
    assert_non_null(fake_page(k, ""));
    return k->now - first;
}

static struct fake *fake_of(const struct host_settings *s, const char *url)
{
    struct fake *k = calloc(1, sizeof *k);
    struct frontier_config c = fake_config();
    char other[200];

    c.hosts = s;
    fake_init(k, &c);
    (void)snprintf(other, sizeof other, "%s2", url);
    assert_int_equal(fake_add(k, url, 1), DROP_NONE);
    assert_int_equal(fake_add(k, other, 1), DROP_NONE);
    return k;
}

static void done(struct fake *k)
{
    fake_free(k);
    free(k);
}

static void a_host_has_its_own_delay(void **state UNUSED)
{
    static const struct {
        const char *url;
        int64_t gap;
    } cases[] = {{"http://slow.org/a", 7 * US_PER_S},
                 {"http://mine.org/a", 0},
                 {"http://other.org/a", 1 * US_PER_S}};
    struct host_settings s = {0};

    add(&s, "slow.org delay=7s");
    add(&s, "mine.org delay=0");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fake *k = fake_of(&s, cases[i].url);

        assert_int_equal(time_between(k), cases[i].gap);
        done(k);
    }
    host_settings_free(&s);
}

static void a_host_takes_as_many_requests_as_are_set(void **state UNUSED)
{
    struct host_settings s = {0};
    struct fake *k;

    add(&s, "mine.org delay=0 connections=2");
    k = fake_of(&s, "http://mine.org/a");
    assert_non_null(fake_page(k, ""));
    (void)fake_release(k);
    assert_int_equal(k->ndue, 2);
    done(k);
    k = fake_of(&s, "http://other.org/a");
    assert_non_null(fake_page(k, ""));
    (void)fake_step(k);
    assert_int_equal(k->ndue, 1);
    done(k);
    host_settings_free(&s);
}

static void a_host_has_its_own_depth_and_budget(void **state UNUSED)
{
    struct host_settings s = {0};
    enum drop why;
    struct fake *k;
    uint32_t url;

    add(&s, "flat.org depth=1");
    add(&s, "small.org pages=1");
    k = fake_of(&s, "http://small.org/a");
    (void)fake_meet(k, "http://flat.org/near", 1, &why);
    assert_int_equal(why, DROP_NONE);
    (void)fake_meet(k, "http://flat.org/far", 2, &why);
    assert_int_equal(why, DROP_DEPTH);
    (void)fake_meet(k, "http://flat.org/far", 1, &why);
    assert_int_equal(why, DROP_NONE);
    (void)fake_meet(k, "http://deep.org/far", 2, &why);
    assert_int_equal(why, DROP_NONE);
    assert_non_null(fake_page(k, ""));
    url = k->due[0]->choice.url;
    fake_answer(k, (struct answer){0});
    frontier_visited(k->f, url, 1);
    (void)fake_meet(k, "http://small.org/third", 1, &why);
    assert_int_equal(why, DROP_BUDGET);
    done(k);
    host_settings_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_pattern_that_fits_counts),
        cmocka_unit_test(what_is_wrong_is_said),
        cmocka_unit_test(a_host_has_its_own_delay),
        cmocka_unit_test(a_host_takes_as_many_requests_as_are_set),
        cmocka_unit_test(a_host_has_its_own_depth_and_budget),
    };

    return cmocka_run_group_tests_name("settings", tests, NULL, NULL);
}
