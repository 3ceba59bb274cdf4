/* Questions to nodes, and figures of several nodes added up. SPDX-License-Identifier: MIT */
#include "cluster/figures.h"
#include "cluster/question.h"
#include "support/support.h"

#include <math.h>

static enum status there_and_back(const struct question *q, struct question *ret, struct buf *bytes)
{
    buf_clear(bytes);
    question_save(q, bytes);
    return question_load(ret, buf_str(bytes));
}

static void a_question_arrives_as_it_was_asked(void **state)
{
    struct buf bytes = BUF_INIT(KIB(64)), more = BUF_INIT(KIB(4));
    struct question q = {.kind = QUESTION_SHOW, .to = 7, .n = 5, .what = STR("12")}, got;

    (void)state;
    question_add(&more, STR("conversation"), STR(""));
    question_add(&more, STR("as"), STR("two\nlines"));
    q.more = buf_str(&more);
    assert_int_equal(there_and_back(&q, &got, &bytes), ST_OK);
    assert_int_equal(got.kind, QUESTION_SHOW);
    assert_int_equal(got.to, 7);
    assert_int_equal(got.n, 5);
    assert_true(str_eq(got.what, STR("12")));
    assert_true(str_eq(got.more, STR("conversation=\nas=two lines\n")));
    assert_true(question_has(&got, "conversation"));
    assert_false(question_has(&got, "all"));
    buf_free(&bytes);
    buf_free(&more);
}

static void only_what_reads_can_be_asked(void **state)
{
    const struct question refused[] = {
        {.kind = QUESTION_TOP, .what = STR("words")},
        {.kind = QUESTION_SEARCH},
        {.kind = QUESTION_SHOW},
        {.kind = QUESTION_EXPLAIN, .what = STR("--json")},
        {.kind = QUESTION_TREE, .more = STR("config=/etc/passwd\n")},
        {.kind = QUESTION_TREE, .more = STR("depth=--json\n")},
        {.kind = QUESTION_VIEW, .what = STR("pages"), .more = STR("=5\n")},
        {.kind = QUESTION_DO, .what = STR("stop")},
        {.kind = QUESTION_TOP, .n = LIMIT_ANSWER_ROWS + 1},
    };
    struct buf bytes = BUF_INIT(KIB(64));
    struct question got;

    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        assert_int_equal(there_and_back(&refused[i], &got, &bytes), ST_INVALID);
    buf_free(&bytes);
}

static void figures_add_up_and_means_are_weighed(void **state)
{
    json_t *a = json_loads("{\"pages\":10,\"mean_relevance\":0.1,\"seconds\":5,\"topic\":\"a\","
                           "\"agents\":{\"alive\":2},\"p\":null}",
                           0, NULL);
    json_t *b = json_loads("{\"pages\":30,\"mean_relevance\":0.5,\"seconds\":4,\"topic\":\"b\","
                           "\"agents\":{\"alive\":3,\"born\":4},\"p\":1}",
                           0, NULL);

    (void)state;
    figures_add(a, b, 10, 30);
    assert_int_equal(json_integer_value(json_object_get(a, "pages")), 40);
    assert_true(fabs(json_number_value(json_object_get(a, "mean_relevance")) - 0.4) < 1e-12);
    assert_true(json_number_value(json_object_get(a, "seconds")) == 5);
    assert_string_equal(json_string_value(json_object_get(a, "topic")), "a");
    assert_int_equal(json_integer_value(json_object_get(json_object_get(a, "agents"), "alive")), 5);
    assert_int_equal(json_integer_value(json_object_get(json_object_get(a, "agents"), "born")), 4);
    assert_int_equal(json_integer_value(json_object_get(a, "p")), 1);
    json_decref(a);
    json_decref(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_question_arrives_as_it_was_asked),
        cmocka_unit_test(only_what_reads_can_be_asked),
        cmocka_unit_test(figures_add_up_and_means_are_weighed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
