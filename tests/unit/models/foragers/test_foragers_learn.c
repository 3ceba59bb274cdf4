/* What foragers learn: answers that come late, states, clusters.
 * SPDX-License-Identifier: MIT */
#include "ground.h"

#include "models/foragers/foragers.h"
#include "../told.h"

#include <math.h>
#include <stdio.h>

/* ---- answers that come late ------------------------------------------------------ */

/* The path is 1, 2: both relevant, answered ten seconds later. Visits 1, 2 (look), 2
 * (step) take three seconds; then the next path begins, and at ten the answers come: 1
 * gets 0.3 * 200, 2, which was new then, has sent nothing at its own step. */
static void late_answers_reach_the_weblog(void **state)
{
    struct weblog_entry *one;

    (void)state;
    ground_open(ALONE "kind=wlrl relevant=0 lag=10s start_size=1", 1);
    LINK(1, 2);
    (void)visits(4);
    one = weblog_find(&forager(1)->weblog, 1);
    assert_float_equal(one->value, 0, 0);
    assert_int_equal(forager(1)->score, 2038); /* the score is the other's own business */
    assert_int_equal(foragers_of(g.model)->nlate, 2);
    g.ctx.now += 7 * SECOND;
    foragers_of(g.model)->late[0].due = g.ctx.now;
    g.model->ops->talks->tick(g.model);
    one = weblog_find(&forager(1)->weblog, 1);
    assert_float_equal(one->value, 30, 1e-9);
    g.ctx.now += 60 * SECOND;
    g.model->ops->talks->tick(g.model);
    one = weblog_find(&forager(1)->weblog, 1);
    assert_float_equal(one->value, 60, 1e-9);
    assert_float_equal(weblog_find(&forager(1)->weblog, 2)->value, 0, 0);
    assert_int_equal(foragers_of(g.model)->lost, 0);
    ground_close();
}

/* 1 is the start: nothing is learned of what came in there. The step to 2 brought the
 * document of 3, which is answered when the step is learned already. The state of 1 is
 * (1), the weight 0: the step without a reward adds 0.1 (0 + 0.9 0 - 0) = 0, the answer
 * 0.1 * 100 * 1. The answers of step 1 (documents of 1 and 2) add nothing. */
static void late_answers_reach_the_weights(void **state)
{
    static float one = 1;
    struct forager *f;

    (void)state;
    ground_open(ALONE "kind=rl relevant=0 lag=10s start_size=1 k=1", 1);
    LINK(1, 2);
    LINK(2, 3);
    f = forager(1);
    f->td.weights[0] = f->td.quick[0] = 0;
    forage_state_set(&foragers_of(g.model)->pages, forage_pages_at(&foragers_of(g.model)->pages, 1),
                     &one, 1);
    assert_string_equal(visits(5), "1 2 2 3 3");
    assert_int_equal(f->td.steps, 1);
    assert_float_equal(f->td.weights[0], 0, 0);
    assert_int_equal(foragers_of(g.model)->nlate, 3);
    g.ctx.now += 60 * SECOND;
    g.model->ops->talks->tick(g.model);
    assert_float_equal(f->td.weights[0], 10, 1e-6);
    ground_close();
}

/* The same in time: r is what came in at the step that the transition led to. */
static void a_transition_is_learned_with_what_came_in_behind_it(void **state)
{
    static float one = 1;
    struct forager *f;

    (void)state;
    ground_open(ALONE "kind=rl relevant=0 start_size=1 k=1", 1);
    LINK(1, 2);
    LINK(2, 3);
    f = forager(1);
    f->td.weights[0] = f->td.quick[0] = 0;
    forage_state_set(&foragers_of(g.model)->pages, forage_pages_at(&foragers_of(g.model)->pages, 1),
                     &one, 1);
    assert_string_equal(visits(5), "1 2 2 3 3");
    assert_float_equal(f->td.weights[0], 10, 1e-6);
    ground_close();
}

/* The path is 1, 2, both of state (1), the weight 1, nothing comes in. The step to 2 is
 * the last: 1 + 0.1 (0.9 - 1) = 0.99, or 1 + 0.1 (0 - 1) = 0.9 from its reward alone. */
static void the_last_step_is_learned_with_or_without_a_next_value(void **state)
{
    static const char *const settings[] = {"", "last=reward"};
    static const double weights[] = {0.99, 0.9};
    static float one = 1;

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        char text[200];
        struct forager *f;

        (void)snprintf(text, sizeof text,
                       ALONE "kind=rl send=relevant relevant=1 start_size=1 k=1 %s", settings[i]);
        ground_open(text, 1);
        LINK(1, 2);
        f = forager(1);
        f->td.weights[0] = f->td.quick[0] = 1;
        for (uint32_t url = 1; url <= 2; url++)
            forage_state_set(&foragers_of(g.model)->pages,
                             forage_pages_at(&foragers_of(g.model)->pages, url), &one, 1);
        assert_string_equal(visits(4), "1 2 2 1");
        assert_float_equal(f->td.weights[0], weights[i], 1e-6);
        ground_close();
    }
}

/* ---- states ---------------------------------------------------------------------- */

#define TOLD_EVEN                                             \
    "\"keywords\":[{\"word\":\"#0000000b\",\"weight\":-0.5}," \
    "{\"word\":\"#0000000a\",\"weight\":0.25}]"
#define TOLD_ODD                                              \
    "\"keywords\":[{\"word\":\"#0000000a\",\"weight\":-0.5}," \
    "{\"word\":\"#0000000b\",\"weight\":0.25}]"

/* Pages 2 to 9 are about two things, by turns. After eight documents there are two
 * clusters, and pages looked at from then on have states. */
static void clusters_are_learned_from_the_first_pages(void **state)
{
    const struct foragers *st;
    bool even_first;
    uint32_t record;

    (void)state;
    ground_open("min_foragers=1 recheck=0 kind=rl start_size=1 learn=8 k=2", 1);
    LINK(1, 2, 3, 4, 5, 6, 7, 8, 9);
    for (uint32_t i = 1; i <= 9; i++)
        g.pages[i].words = 10 + i % 2;
    st = foragers_of(g.model);
    (void)visits(7);
    assert_null(st->clusters);
    (void)visits(3);
    assert_non_null(st->clusters);
    assert_int_equal(st->clusters->k, 2);
    record = forage_pages_find(&st->pages, 9);
    assert_true(fabsf(forage_state(&st->pages, record)[0]) > 0.1f);
    even_first = prtfidf_row(st->clusters->judge, 10)[0] > .5f;
    forager(1)->td.weights[0] = .25; /* by |weight|; of each cluster the only word */
    forager(1)->td.weights[1] = -.5;
    assert_non_null(strstr(told(g.model, 1), even_first ? TOLD_EVEN : TOLD_ODD));
    (void)visits(200);
    ground_close();
}

static void what_diverges_is_said_and_does_no_harm(void **state)
{
    struct buf text = BUF_INIT(4096);
    struct json j;

    (void)state;
    ground_open("min_foragers=1 recheck=0 kind=rl start_size=1 learn=8 k=2 td=plain alpha=1", 1);
    LINK(1, 2, 3, 4, 5, 6, 7, 8, 9);
    for (uint32_t i = 1; i <= 9; i++)
        g.pages[i].words = 10 + i % 2;
    (void)visits(10);
    forager(1)->td.weights[0] = 9.9e8;
    forager(1)->td.weights[1] = -9.9e8;
    (void)visits(100);
    assert_int_equal(foragers_of(g.model)->diverged, 1);
    assert_string_equal(g.performative, "failure");
    assert_non_null(strstr(g.said, "diverged after"));
    json_init(&j, &text);
    json_open_object(&j, NULL);
    g.model->ops->describe(g.model, &j);
    json_close(&j);
    assert_non_null(strstr(text.data, "\"diverged\":1,\"diverged_after\":"));
    assert_true(isfinite(forager(1)->td.weights[0]));
    buf_free(&text);
    ground_close();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(late_answers_reach_the_weblog),
        cmocka_unit_test(late_answers_reach_the_weights),
        cmocka_unit_test(a_transition_is_learned_with_what_came_in_behind_it),
        cmocka_unit_test(the_last_step_is_learned_with_or_without_a_next_value),
        cmocka_unit_test(clusters_are_learned_from_the_first_pages),
        cmocka_unit_test(what_diverges_is_said_and_does_no_harm),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
