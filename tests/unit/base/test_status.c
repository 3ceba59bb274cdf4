/* status: one text a thread. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/status.h"

#include <pthread.h>
#include <string.h>

static void every_status_has_a_name_of_its_own(void **state)
{
    (void)state;
    for (int i = ST_OK; i <= ST_INTERNAL; i++) {
        assert_non_null(status_name((enum status)i));
        for (int j = ST_OK; j < i; j++)
            assert_string_not_equal(status_name((enum status)i), status_name((enum status)j));
    }
    assert_string_equal(status_name((enum status)(ST_INTERNAL + 1)), "unknown");
}

static void a_failure_keeps_its_sentence_until_the_next_one(void **state)
{
    (void)state;
    assert_int_equal(status_fail(ST_LIMIT, "%d is too many", 7), ST_LIMIT);
    assert_string_equal(status_text(), "7 is too many");
    assert_int_equal(status_fail(ST_IO, "gone"), ST_IO);
    assert_string_equal(status_text(), "gone");
}

static void prefixes_go_before_the_sentence(void **state)
{
    (void)state;
    (void)status_fail(ST_INVALID, "no number");
    assert_int_equal(status_prefix(ST_INVALID, "line %d", 3), ST_INVALID);
    (void)status_prefix(ST_INVALID, "topic.txt");
    assert_string_equal(status_text(), "topic.txt: line 3: no number");
}

static void a_sentence_without_end_is_cut(void **state)
{
    char text[5000];
    size_t len;

    (void)state;
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    (void)status_fail(ST_IO, "%s", text);
    len = strlen(status_text());
    assert_in_range(len, 100, 2000);
    (void)status_prefix(ST_IO, "here");
    assert_memory_equal(status_text(), "here: xxx", 9);
    assert_true(strlen(status_text()) <= len);
    (void)status_prefix(ST_IO, "%s", text); /* a prefix that fills it alone */
    assert_in_range(strlen(status_text()), 100, 2000);
}

static void *fail_elsewhere(void *arg)
{
    bool *was_empty = arg;

    *was_empty = status_text()[0] == '\0';
    (void)status_fail(ST_NET, "of the other thread");
    return NULL;
}

static void each_thread_has_its_own_sentence(void **state)
{
    bool was_empty = false;
    pthread_t other;

    (void)state;
    (void)status_fail(ST_IO, "of this thread");
    assert_int_equal(pthread_create(&other, NULL, fail_elsewhere, &was_empty), 0);
    assert_int_equal(pthread_join(other, NULL), 0);
    assert_true(was_empty);
    assert_string_equal(status_text(), "of this thread");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_has_a_name_of_its_own),
        cmocka_unit_test(a_failure_keeps_its_sentence_until_the_next_one),
        cmocka_unit_test(prefixes_go_before_the_sentence),
        cmocka_unit_test(a_sentence_without_end_is_cut),
        cmocka_unit_test(each_thread_has_its_own_sentence),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
