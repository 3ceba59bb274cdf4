/* What a world that moves answers at a moment, against its own database.
 * SPDX-License-Identifier: MIT */
#include "open_world.h"

#include "base/mem.h"
#include "sim/make/make.h"
#include "sim/make/news.h"
#include "sim/serve/timeline.h"

#include <stdio.h>

#define BEGIN (INT64_C(1767225600) * 1000000) /* 2026-01-01, where generated worlds begin */

static struct world *small_news(void)
{
    struct make_config c;
    struct world *w;
    char dir[200];

    make_config_init(&c);
    c.kind = MAKE_NEWS;
    c.graph.hosts = 5;
    c.graph.topics = 4;
    c.news.days = 3;
    c.news.vanish = 0.5;
    (void)snprintf(dir, sizeof dir, "%s/news", test_dir());
    if (world_make(dir, &c, NULL, NULL) != ST_OK || world_open(dir, &w) != ST_OK)
        fail_msg("%s", status_text());
    return w;
}

/* Each version stands from its own moment to the next one's or to the page's end. */
static void every_version_stands_from_its_moment_on(void **state)
{
    struct world *w = small_news();
    struct timeline *t = timeline_new(w);
    uint32_t nends, later = 0, gone = 0;
    const struct world_end *ends = world_ends(w, &nends);
    int status;

    (void)state;
    for (uint32_t v = 0; v < world_versions(w); v++) {
        const struct world_version *version = world_version(w, v);

        if (version->page == 0)
            continue;
        assert_int_equal(timeline_at(t, version->entry, version->at, &status), v);
        assert_int_equal(status, 200);
        if (version->at == BEGIN)
            continue;
        later++; /* a moment before there was another one, or none */
        assert_int_not_equal(timeline_at(t, version->entry, version->at - 1, &status), v);
    }
    for (uint32_t i = 0; i < nends; i++) {
        assert_int_not_equal(timeline_at(t, ends[i].entry, ends[i].at - 1, &status), WORLD_NONE);
        assert_int_equal(timeline_at(t, ends[i].entry, ends[i].at, &status), WORLD_NONE);
        assert_int_equal(status, ends[i].status);
        gone++;
    }
    assert_true(later > 20 && gone > 0);
    timeline_free(t);
    world_close(w);
}

static void before_it_appears_a_page_is_missing_and_other_answers_always_stand(void **state)
{
    struct world *w = small_news();
    struct timeline *t = timeline_new(w);
    uint32_t missing = 0, others = 0;
    int status;

    (void)state;
    for (uint32_t i = 0; i < world_count(w); i++) {
        uint32_t version = timeline_at(t, i, BEGIN - 1, &status);

        if (world_entry(w, i)->page == 0) {
            assert_int_equal(version, world_entry(w, i)->version);
            others++;
        } else {
            assert_int_equal(version, WORLD_NONE);
            assert_int_equal(status, 404);
            missing++;
        }
    }
    assert_true(missing > 20 && others > 0);
    timeline_free(t);
    world_close(w);
}

/* Two simulated days in two minutes are a speed of 1440; the third day is the last. */
static void time_runs_as_fast_as_asked_and_ends_with_the_world(void **state)
{
    struct world *w = small_news();
    struct timeline *t = timeline_new(w);

    (void)state;
    assert_int_equal(timeline_moment(t, 0, 1440), BEGIN);
    assert_int_equal(timeline_moment(t, INT64_C(120000000), 1440), BEGIN + 2 * NEWS_DAY);
    assert_int_equal(timeline_moment(t, INT64_C(900000000), 1440), BEGIN + 3 * NEWS_DAY);
    timeline_free(t);
    world_close(w);
}

static void a_world_that_stands_still_has_no_timeline(void **state)
{
    struct make_config c;
    struct world *w;
    char dir[200];

    (void)state;
    make_config_init(&c);
    c.graph.pages = 60;
    c.graph.hosts = 4;
    (void)snprintf(dir, sizeof dir, "%s/still", test_dir());
    if (world_make(dir, &c, NULL, NULL) != ST_OK || world_open(dir, &w) != ST_OK)
        fail_msg("%s", status_text());
    assert_null(timeline_new(w));
    world_close(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_version_stands_from_its_moment_on),
        cmocka_unit_test(before_it_appears_a_page_is_missing_and_other_answers_always_stand),
        cmocka_unit_test(time_runs_as_fast_as_asked_and_ends_with_the_world),
        cmocka_unit_test(a_world_that_stands_still_has_no_timeline),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
