/* test_topics.c - several topics in one file, and the joint one. SPDX-License-Identifier: MIT */
#include "support/support.h"
#include "support/example.h"

#include "text/profile.h"

#include <math.h>
#include <stdlib.h>

#define TWO                \
    "# what we look for\n" \
    "\n"                   \
    "[bees]\n"             \
    "bee hive\n"           \
    "-wasp\n"              \
    "[ night sky ]\n"      \
    "star planet\n"        \
    "reject *horoscope*\n"

static struct topic *from_text(const char *text)
{
    struct topic *t = NULL;

    if (topic_from_text(str_of(text), "t.topic", STR("en"), &t) != ST_OK)
        fail_msg("%s", status_text());
    return t;
}

static void headings_cut_a_file_into_topics(void **state UNUSED)
{
    struct topic *t = from_text(TWO), *one = from_text("bee\n");

    assert_int_equal(topic_parts(t), 2);
    assert_str(topic_name(topic_part(t, 0)), "bees");
    assert_str(topic_name(topic_part(t, 1)), "night sky");
    assert_int_equal(topic_terms(topic_part(t, 0)), 2);
    assert_int_equal(topic_against(topic_part(t, 0)), 1);
    assert_int_equal(topic_parts(one), 0);
    assert_int_equal(topic_name(one).len, 0);
    topic_free(t);
    topic_free(one);
}

static void the_joint_topic_has_what_its_parts_are_and_not_what_they_are_not(void **state UNUSED)
{
    struct topic *t = from_text(TWO);

    assert_int_equal(topic_terms(t), 4);
    assert_int_equal(topic_against(t), 0);
    topic_free(t);
}

static void what_is_stored_gives_the_same_topics_again(void **state UNUSED)
{
    struct topic *t = from_text(TWO), *again = NULL;

    assert_int_equal(topic_from_text(topic_source(t), "again", STR("en"), &again), ST_OK);
    assert_int_equal(topic_parts(again), 2);
    assert_str(topic_name(topic_part(again, 1)), "night sky");
    topic_free(t);
    topic_free(again);
}

static void words_in_brackets_on_the_command_line_are_words(void **state UNUSED)
{
    struct topic *t = NULL, *again = NULL;

    assert_int_equal(topic_from_words(STR("[bees]"), STR("en"), &t), ST_OK);
    assert_int_equal(topic_parts(t), 0);
    assert_int_equal(topic_from_text(topic_source(t), "again", STR("en"), &again), ST_OK);
    assert_int_equal(topic_parts(again), 0);
    assert_int_equal(topic_terms(again), 1);
    topic_free(t);
    topic_free(again);
}

static void what_is_wrong_is_named_with_its_line(void **state UNUSED)
{
    static const struct {
        const char *text, *said;
    } cases[] = {
        {"sun\n[a]\nbee\n", "t.topic: 'sun' stands before the first [NAME]"},
        {"[a]\nbee\n\n[a]\nhive\n", "t.topic:4: two topics are called 'a'"},
        {"[a]\nbee\n[ ]\nhive\n", "t.topic:3: the heading of a topic is a name in brackets"},
        {"[a]\nbee\n[b]\n\n\"hive\n", "t.topic:5: a phrase that begins with"},
        {"[a]\nbee\n[b]\n# nothing\n", "t.topic: the topic has no words"},
        {"[a]\nbee\nidf x\n[b]\nsun\nidf y\n", "t.topic: a crawl has one idf table"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct topic *t = NULL;

        assert_int_not_equal(topic_from_text(str_of(cases[i].text), "t.topic", STR("en"), &t),
                             ST_OK);
        assert_null(t);
        if (strstr(status_text(), cases[i].said) == NULL)
            fail_msg("said: %s", status_text());
    }
}

/* ---- pages ---- */

static enum drop measure(struct topic *t, const char *text, struct arena *arena,
                         struct profile *ret)
{
    struct profiler *p = profiler_new(t);
    struct page page = page_of_text(str_of(text), arena);
    enum drop why = profile_page(p, &page, STR("http://example.org/"), NULL, arena, ret);

    profiler_free(p);
    return why;
}

static void a_page_counts_for_the_topic_that_it_fits_best(void **state UNUSED)
{
    struct topic *t = from_text(TWO), *bees = from_text("bee hive\n-wasp\n");
    struct profile both, one;
    struct arena arena;

    arena_init(&arena, 1 << 20);
    assert_int_equal(measure(t, "the bee and the hive and a star", &arena, &both), DROP_NONE);
    assert_int_equal(measure(bees, "the bee and the hive and a star", &arena, &one), DROP_NONE);
    assert_int_equal(both.ntopics, 2);
    assert_str(both.topics[1].topic, "night sky");
    assert_float_equal(both.topics[0].relevance, one.relevance, 1e-6);
    assert_float_equal(both.relevance, one.relevance, 1e-6);
    assert_true(both.topics[1].relevance > 0);
    assert_true(both.topics[1].relevance < both.relevance);
    assert_int_equal(one.ntopics, 0);
    arena_free(&arena);
    topic_free(t);
    topic_free(bees);
}

static void what_one_topic_rejects_may_be_what_another_one_wants(void **state UNUSED)
{
    struct topic *t = from_text(TWO), *reject = from_text("[a]\nbee\nreject *wasp*\n[b]\nsun\n"
                                                          "reject *horoscope*\n");
    struct profile p;
    struct arena arena;

    arena_init(&arena, 1 << 20);
    assert_int_equal(measure(t, "bee hive star horoscope", &arena, &p), DROP_NONE);
    assert_true(p.topics[0].relevance > 0);
    assert_true(p.topics[1].relevance <= 0);
    assert_int_equal(measure(reject, "bee horoscope", &arena, &p), DROP_NONE);
    assert_int_equal(measure(reject, "bee wasp horoscope", &arena, &p), DROP_REJECTED);
    arena_free(&arena);
    topic_free(t);
    topic_free(reject);
}

/* ---- examples ---- */

static size_t count(const struct topic *t, bool positive)
{
    size_t n = 0;

    for (size_t i = 0; i < topic_samples(t); i++) {
        size_t nterms;
        bool is;

        (void)topic_sample(t, i, &nterms, &is);
        n += is == positive;
    }
    return n;
}

static void examples_against_one_topic_do_not_speak_against_the_others(void **state UNUSED)
{
    struct topic *t = from_text(TWO), *bees = topic_part(t, 0), *sky = topic_part(t, 1);

    assert_int_equal(example_add(bees, STR("bee hive honey"), true), ST_OK);
    assert_int_equal(example_add(bees, STR("star planet"), false), ST_OK);
    assert_int_equal(example_add(bees, STR("the harbour"), false), ST_OK);
    topic_train(t, NULL);
    assert_non_null(topic_classifier(bees));
    assert_null(topic_classifier(t)); /* the sky has words alone */
    assert_int_equal(count(t, true), 1);
    assert_int_equal(count(t, false), 0);
    assert_int_equal(example_add(sky, STR("star planet"), true), ST_OK);
    assert_int_equal(example_add(sky, STR("the garden"), false), ST_OK);
    topic_train(t, NULL);
    assert_non_null(topic_classifier(t));
    assert_int_equal(count(t, true), 2);
    assert_int_equal(count(t, false), 2); /* what the sky is counts for it */
    topic_free(t);
}

/* As examples are added by a crawl. */
static void learn(struct topic *t, const char *text, bool positive)
{
    struct profiler *p = profiler_new(t);
    struct profile profile;
    struct arena arena;
    struct page page;

    arena_init(&arena, 1 << 20);
    page = page_of_text(str_of(text), &arena);
    (void)profile_page(p, &page, STR("http://example.org/"), NULL, &arena, &profile);
    topic_spell(t, &page, &profile);
    assert_int_equal(topic_add_sample(t, profile.terms, profile.nterms, positive), ST_OK);
    profiler_free(p);
    arena_free(&arena);
}

static void the_words_that_speak_for_a_topic_are_named_as_they_are_written(void **state UNUSED)
{
    struct topic *t = from_text("hives\n-wasp\n+ good.html\n- bad.html\n");
    struct buf out = BUF_INIT(1000);

    topic_words(t, &out);
    assert_str(buf_str(&out), "hives");
    learn(t, "The Queens of the hive", true);
    learn(t, "queens and the harbour", true);
    learn(t, "a harbour", false);
    topic_train(t, NULL);
    buf_clear(&out);
    topic_words(t, &out);
    assert_str(buf_str(&out), "hives queens");
    buf_free(&out);
    topic_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headings_cut_a_file_into_topics),
        cmocka_unit_test(the_joint_topic_has_what_its_parts_are_and_not_what_they_are_not),
        cmocka_unit_test(what_is_stored_gives_the_same_topics_again),
        cmocka_unit_test(words_in_brackets_on_the_command_line_are_words),
        cmocka_unit_test(what_is_wrong_is_named_with_its_line),
        cmocka_unit_test(a_page_counts_for_the_topic_that_it_fits_best),
        cmocka_unit_test(what_one_topic_rejects_may_be_what_another_one_wants),
        cmocka_unit_test(examples_against_one_topic_do_not_speak_against_the_others),
        cmocka_unit_test(the_words_that_speak_for_a_topic_are_named_as_they_are_written),
    };

    return cmocka_run_group_tests_name("topics", tests, NULL, NULL);
}
