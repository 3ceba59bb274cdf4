/* Claims held against results. SPDX-License-Identifier: MIT */
#include "made.h"

#include "lab/report/report.h"

#include <math.h>
#include <stdio.h>

/* Model 0 breadth-first, 1 best-first n=1. */
static const char head[] = "name: claims\n"
                           "worlds: [one, two]\n"
                           "topics: labels\n"
                           "models: [breadth-first, {name: best-first, set: {n: 1}}]\n"
                           "pages: 10%\n"
                           "repeats: 1\n"
                           "sample: 1%\n"
                           "at: [10%]\n"
                           "metrics: [recall, age]\n"
                           "claims:\n"
                           "  - {id: X, metric: ";

/* best-first is 0.25 above everywhere on world `one`, 0.25 below on `two`. */
static double opposite(const struct made_point *at)
{
    double base = 0.5 + 0.125 * at->topic, gain = at->world ? -0.25 : 0.25;

    return at->model == 1 ? base + gain : base;
}

/* Half of the topics 0.25 above, half 0.25 below: the interval holds 0. */
static double even(const struct made_point *at)
{
    double gain = at->topic % 2 ? -0.25 : 0.25;

    return at->model == 1 ? 0.5 + gain : 0.5;
}

static double alike(const struct made_point *at)
{
    return 0.5 + 0.125 * at->topic;
}

/* The verdict of a claim that goes on as `rest`; *ret_first is world `one`'s finding. */
static enum verdict_kind verdict_of(const char *rest, size_t ntopics, made_value_fn *value,
                                    enum claim_finding *ret_first, struct comparison *ret_where)
{
    struct buf plan = BUF_INIT(4096);
    struct claim_result *c;
    struct results *r;
    enum verdict_kind v;

    buf_addf(&plan, "%s%s}\n", head, rest);
    r = made_results(plan.data, ntopics, 11, value);
    c = claims_judge(r);
    assert_ptr_equal(c[0].claim, &r->plan->claims[0]);
    assert_true(c[0].count >= 1);
    v = c[0].verdict;
    assert_int_equal(v == CLAIM_UNTESTED, c[0].note != NULL);
    if (ret_first)
        *ret_first = c[0].finding[0];
    if (ret_where)
        *ret_where = c[0].where[0];
    claims_free(c, r->plan->nclaims);
    made_free(r);
    buf_free(&plan);
    return v;
}

#define BETTER "recall, at: 10%, better: best-first, than: breadth-first"
#define WORSE  "recall, at: 10%, better: breadth-first, than: best-first"

static void a_claim_holds_by_direction_and_size(void **state)
{
    static const struct {
        const char *claim;
        enum verdict_kind verdict;
    } table[] = {
        {BETTER ", world: one", CLAIM_REPRODUCED},
        {BETTER ", world: one, by: 0.25", CLAIM_REPRODUCED},
        {BETTER ", world: one, by: 0.26", CLAIM_NOT_REPRODUCED},
        {BETTER ", world: two", CLAIM_NOT_REPRODUCED},
        {WORSE ", world: one", CLAIM_NOT_REPRODUCED},
        {WORSE ", world: two, by: 0.1", CLAIM_REPRODUCED},
        {BETTER, CLAIM_MIXED},
        {BETTER ", world: two, by: -0.3", CLAIM_REPRODUCED}, /* .25 worse is no more than .3 */
        {BETTER ", world: two, by: -0.2", CLAIM_NOT_REPRODUCED},
        {BETTER ", world: one, within: 0.25", CLAIM_REPRODUCED},
        {BETTER ", world: one, within: 0.2", CLAIM_NOT_REPRODUCED},
        {BETTER ", within: 0.2", CLAIM_NOT_REPRODUCED},
    };

    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (verdict_of(table[i].claim, 8, opposite, NULL, NULL) != table[i].verdict)
            fail_msg("%s: not %s", table[i].claim, verdict_name(table[i].verdict));
}

static void where_nothing_can_be_told_the_claim_is_undecided(void **state)
{
    enum claim_finding first;

    (void)state;
    assert_int_equal(verdict_of(BETTER ", world: one", 8, even, &first, NULL), CLAIM_OPEN);
    assert_int_equal(first, CLAIM_UNDECIDED);
    /* The mean of 8 values of +-0.25 stays inside 0.25, never wholly above 0.1. */
    assert_int_equal(verdict_of(BETTER ", world: one, within: 0.25", 8, even, NULL, NULL),
                     CLAIM_REPRODUCED);
    assert_int_equal(verdict_of(BETTER ", world: one, within: 0.01", 8, even, NULL, NULL),
                     CLAIM_OPEN);
}

/* World `one` holds, world `two` cannot be told. */
static double half_open(const struct made_point *at)
{
    return at->world ? even(at) : opposite(at);
}

static void one_world_that_is_undecided_keeps_the_verdict_open(void **state)
{
    (void)state;
    assert_int_equal(verdict_of(BETTER, 8, half_open, NULL, NULL), CLAIM_OPEN);
    assert_string_equal(verdict_name(CLAIM_OPEN), "undecided");
}

static void the_same_is_not_better(void **state)
{
    (void)state;
    assert_int_equal(verdict_of(BETTER, 8, alike, NULL, NULL), CLAIM_NOT_REPRODUCED);
    assert_int_equal(verdict_of(BETTER ", within: 0.001", 8, alike, NULL, NULL), CLAIM_REPRODUCED);
}

/* Of `age` less is better: best-first has 0.25 more on world one. */
static void where_less_is_better_the_direction_turns(void **state)
{
    struct comparison where;

    (void)state;
    assert_int_equal(verdict_of("age, at: 10%, better: best-first, than: breadth-first, world: one",
                                8, opposite, NULL, NULL),
                     CLAIM_NOT_REPRODUCED);
    assert_int_equal(verdict_of("age, at: 10%, better: breadth-first, than: best-first, world: one",
                                8, opposite, NULL, &where),
                     CLAIM_REPRODUCED);
    assert_true(fabs(where.difference + 0.25) < 1e-12);
    assert_int_equal(where.a, 0);
    assert_int_equal(where.b, 1);
}

/* breadth-first on 8 topics: 0.5 + 0.125 * 3.5 = 0.9375 in the mean. */
static void a_claim_can_name_a_value(void **state)
{
    struct comparison where;

    (void)state;
    assert_int_equal(verdict_of("recall, at: 10%, world: one, better: breadth-first, value: 0.5", 8,
                                opposite, NULL, &where),
                     CLAIM_REPRODUCED);
    assert_true(fabs(where.difference - 0.4375) < 1e-12);
    assert_int_equal(where.b, COMPARE_NO_MODEL);
    assert_int_equal(verdict_of("recall, at: 10%, world: one, better: breadth-first, value: 2", 8,
                                opposite, NULL, NULL),
                     CLAIM_NOT_REPRODUCED);
}

static void few_topics_test_no_claim(void **state)
{
    enum claim_finding first;

    (void)state;
    assert_int_equal(verdict_of(BETTER, 1, opposite, &first, NULL), CLAIM_UNTESTED);
    assert_int_equal(first, CLAIM_TOO_FEW);
    assert_string_equal(finding_name(first), "too few topics");
    assert_int_equal(verdict_of(BETTER, 5, opposite, &first, NULL), CLAIM_UNTESTED);
    assert_int_equal(verdict_of(BETTER, 6, opposite, &first, NULL), CLAIM_MIXED);
    assert_int_equal(first, CLAIM_HOLDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_claim_holds_by_direction_and_size),
        cmocka_unit_test(where_nothing_can_be_told_the_claim_is_undecided),
        cmocka_unit_test(one_world_that_is_undecided_keeps_the_verdict_open),
        cmocka_unit_test(the_same_is_not_better),
        cmocka_unit_test(where_less_is_better_the_direction_turns),
        cmocka_unit_test(a_claim_can_name_a_value),
        cmocka_unit_test(few_topics_test_no_claim),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
