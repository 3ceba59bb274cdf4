/* test_topic.c - what the crawl is about. SPDX-License-Identifier: MIT */
#include "support/support.h"
#include "support/example.h"

#include "base/limits.h"
#include "text/topic.h"
#include "text/vocab.h"

#include <stdlib.h>

static struct topic *from_words(const char *words)
{
    struct topic *t = NULL;

    assert_int_equal(topic_from_words(str_of(words), STR("en"), &t), ST_OK);
    return t;
}

static struct topic *from_text(const char *text)
{
    struct topic *t = NULL;

    if (topic_from_text(str_of(text), "t.topic", STR(""), &t) != ST_OK)
        fail_msg("%s", status_text());
    return t;
}

/* "stem:weight stem:weight" */
static void assert_terms(struct topic *t, const char *expected)
{
    struct buf out = BUF_INIT(10000);

    for (size_t i = 0; i < topic_terms(t); i++) {
        float weight;
        uint32_t id;
        struct str stem = topic_term(t, i, &weight, &id);

        assert_int_equal(id, term_id(stem));
        buf_addf(&out, "%s%.*s:%g", i ? " " : "", STR_ARG(stem), (double)weight);
    }
    assert_str(buf_str(&out), expected);
    buf_free(&out);
}

static void assert_refused(const char *text, const char *sentence)
{
    struct topic *t = NULL;
    enum status st = topic_from_text(str_of(text), "t.topic", STR("en"), &t);

    assert_int_not_equal(st, ST_OK);
    assert_null(t);
    if (strstr(status_text(), sentence) == NULL)
        fail_msg("said: %s", status_text());
}

static void words_become_terms_without_stop_words(void **state UNUSED)
{
    struct topic *t = from_words("the use of Solar Energy and panels; solar!");

    assert_terms(t, "use:1 solar:2 energi:1 panel:1");
    assert_str(topic_source(t), "the use of Solar Energy and panels; solar!");
    assert_str(topic_lang(t), "en");
    topic_free(t);
}

static void stop_words_stay_where_nothing_else_is_left(void **state UNUSED)
{
    struct topic *t = from_words("IT");
    struct buf out = BUF_INIT(1000);

    assert_terms(t, "it:1");
    topic_describe(t, &out);
    assert_non_null(strstr(out.data, "stop words"));
    buf_free(&out);
    topic_free(t);

    t = from_words("\"The Who\"");
    assert_terms(t, "the:1 who:1");
    topic_free(t);
    t = from_words("IT \"information technology\"");
    assert_terms(t, "inform:1 technolog:1");
    topic_free(t);
}

static void numbers_on_the_command_line_are_words(void **state UNUSED)
{
    struct topic *t = from_words("formula 1 -soap \"heat pump\"");

    assert_terms(t, "formula:1 1:1 heat:1 pump:1");
    topic_free(t);
}

/* What resume does: the source is read as a file. */
static void the_source_makes_the_same_topic(void **state UNUSED)
{
    static const char *const words[] = {
        "solar energy",    "formula 1", "match point", "+ plus",      "#1 hit",
        "olympics 2024",   "IT",        "the\nidf a",  "太陽能 3",    "x -\"a b\" -c",
        "\"heat pump\" 2", "- minus",   "+plus",       "caf\xe9 noir"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct topic *a = from_words(words[i]), *b;
        struct buf first = BUF_INIT(1000), second = BUF_INIT(1000);
        char *source = str_dup(topic_source(a));

        b = from_text(source);
        topic_describe(a, &first);
        topic_describe(b, &second);
        assert_string_equal(first.data, second.data);
        free(source);
        buf_free(&first);
        buf_free(&second);
        topic_free(a);
        topic_free(b);
    }
}

static void an_empty_topic_is_refused_with_a_sentence(void **state UNUSED)
{
    struct topic *t = NULL;

    assert_int_equal(topic_from_words(STR(" ,.- "), STR("en"), &t), ST_USAGE);
    assert_string_equal(status_text(), "the topic has no words: give at least one word that says "
                                       "what to look for");
    assert_int_equal(topic_from_words(STR(""), STR("en"), &t), ST_USAGE);
    assert_int_equal(topic_from_words(STR("-astrology"), STR("en"), &t), ST_USAGE);
    assert_null(t);
    assert_refused("# nothing\n\nmatch *x*\n", "t.topic: the topic has no words");
}

static void a_file_has_weights_phrases_negatives_patterns_and_examples(void **state UNUSED)
{
    struct topic *t = from_text("# my topic\r\n"
                                "solar energy\r\n"
                                "photovoltaic 2.5\n"
                                "\"heat pump\" 2\n"
                                "-astrology -\"free energy\"\n"
                                "match *solar*\n"
                                "reject *casino*\n"
                                "+ good one.html\n"
                                "- http://example.org/bad\n"
                                "marks old crawl\n"
                                "idf table.idf\n");
    struct buf out = BUF_INIT(1000);
    bool positive;
    size_t line;

    assert_terms(t, "solar:1 energi:1 photovolta:2.5 heat:2 pump:2");
    assert_int_equal(topic_examples(t), 2);
    assert_str(topic_example(t, 0, &positive), "good one.html");
    assert_true(positive);
    assert_str(topic_example(t, 1, &positive), "http://example.org/bad");
    assert_false(positive);
    assert_int_equal(topic_marks(t), 1);
    assert_str(topic_mark(t, 0, &line), "old crawl");
    assert_str(topic_idf_file(t), "table.idf");
    topic_describe(t, &out);
    assert_str(
        buf_str(&out),
        "solar, energy, photovoltaic (2.5), \"heat pump\" (2), not astrology, not \"free "
        "energy\"; 2 examples not read; 0 where no match pattern matches; without pages that "
        "a reject pattern matches; document frequencies from table.idf");
    buf_free(&out);
    topic_free(t);
}

static void bad_lines_are_named(void **state UNUSED)
{
    assert_refused("solar\nphotovoltaic 0\n", "t.topic:2: the weight 0 is not above 0");
    assert_refused("olympics 2024\n", "t.topic:1: the weight 2024");
    assert_refused("\"heat pump\n", "t.topic:1: a phrase that begins with \"");
    assert_refused("\"a b c d e f g h i j k l m n o p q\"\n", "at most 16 words");
    assert_refused("x\nidf a\nidf b\n", "t.topic:3: a topic has one idf table");
    assert_refused("x\n+good/1.html\n", "t.topic:2: an example is written '+ FILE', with a blank");
    assert_refused("x\n+ a\n- b\n- a\n",
                   "t.topic:4: a is an example of both kinds, + and - (line 2)");
    assert_refused("x\ncaf\xe9\n", "t.topic:2: this is no UTF-8 text");
}

/* What a file names is named from its folder; the lines keep their numbers. */
static void files_are_placed_in_the_folder_of_the_topic(void **state UNUSED)
{
    struct buf out = BUF_INIT(1000), small = BUF_INIT(10);
    struct topic *t;

    assert_int_equal(topic_place(STR("\xef\xbb\xbf+ a b.html\r\n"
                                     "sun + moon\n"
                                     " -  ../bad.html \n"
                                     "+ /abs/c.html\n"
                                     "- HTTPS://example.org/d\n"
                                     "match *+ x*\n"
                                     "-minus\n"
                                     "marks c\n"
                                     "idf e.idf"),
                                 STR("/top"), &out),
                     ST_OK);
    assert_str(buf_str(&out), "+ /top/a b.html\n"
                              "sun + moon\n"
                              "- /top/../bad.html\n"
                              "+ /abs/c.html\n"
                              "- HTTPS://example.org/d\n"
                              "match *+ x*\n"
                              "-minus\n"
                              "marks /top/c\n"
                              "idf /top/e.idf\n");
    t = from_text(out.data);
    assert_int_equal(topic_example_line(t, 1), 3);
    assert_str(topic_example(t, 1, NULL), "/top/../bad.html");
    topic_free(t);
    assert_int_equal(topic_place(STR("+ a.html\n"), STR("/top"), &small), ST_LIMIT);
    buf_free(&out);
    buf_free(&small);
}

static void a_topic_of_examples_alone_is_a_topic(void **state UNUSED)
{
    struct topic *t = from_text("+ a.html\n");

    assert_int_equal(topic_terms(t), 0);
    assert_int_equal(example_add(t, STR("solar panels"), true), ST_OK);
    assert_int_equal(example_add(t, STR(" . "), true), ST_INVALID);
    topic_free(t);
    assert_refused("- a.html\n", "no words");
}

static void assert_described(struct topic *t, const char *part)
{
    struct buf out = BUF_INIT(2000);

    topic_describe(t, &out);
    if (strstr(out.data, part) == NULL)
        fail_msg("'%s' is not in '%s'", part, out.data);
    buf_free(&out);
}

static void what_examples_were_used_for_is_said(void **state UNUSED)
{
    struct topic *t = from_text("solar\n+ a.html\n- b.html\n");
    const struct term *terms;
    bool positive;
    size_t n;

    for (int i = 0; i < 6; i++)
        assert_int_equal(example_add(t, STR("solar panels"), true), ST_OK);
    topic_train(t, NULL); /* nothing to tell them apart from */
    assert_null(topic_classifier(t));
    assert_described(t, "tf-idf cosine with a query moved by 6 positive and 0 negative examples "
                        "(Rocchio); a classifier needs negative examples too (lines '- FILE|URL')");
    for (int i = 0; i < 7; i++)
        assert_int_equal(example_add(t, STR("the horoscope"), false), ST_OK);
    assert_int_equal(topic_add_sample(t, NULL, 0, false), ST_INVALID);
    assert_int_equal(topic_samples(t), 13);
    terms = topic_sample(t, 12, &n, &positive);
    assert_int_equal(n, 1);
    assert_int_equal(terms[0].count, 1);
    assert_false(positive);
    topic_train(t, NULL);
    assert_non_null(topic_classifier(t));
    assert_described(t, "solar; measured by a classifier (logistic) from 6 positive and 7 negative "
                        "examples, held-out accuracy 1.00, AUC 1.00, precision 1.00, recall 1.00 "
                        "(6-fold); document frequencies of the examples; a probability, "
                        "calibrated on the examples");
    topic_free(t);
    t = from_text("+ a.html\n");
    assert_int_equal(example_add(t, STR("solar panels"), true), ST_OK);
    assert_int_equal(example_add(t, STR("horoscope"), false), ST_OK);
    topic_train(t, NULL);
    assert_described(t, "no words, only examples; measured by a classifier (logistic) from 1 "
                        "positive and 1 negative example, not estimated");
    assert_described(t, "unsure: only 1 positive example (give at least 5)");
    topic_free(t);
}

static void keywords_alone_on_a_line_are_words(void **state UNUSED)
{
    struct topic *t = from_text("match\nidf\n");

    assert_terms(t, "match:1 idf:1");
    topic_free(t);
}

static void words_that_touch_are_a_phrase(void **state UNUSED)
{
    struct topic *t = NULL;
    struct buf out = BUF_INIT(1000);

    assert_int_equal(topic_from_words(STR("ÆÐ太 e-mail"), STR("zh"), &t), ST_OK);
    assert_terms(t, "æð:2 太:1 e:1 mail:1");
    topic_describe(t, &out);
    assert_non_null(strstr(out.data, "\"æð 太\", æð, e, mail"));
    buf_free(&out);
    topic_free(t);
}

static void the_language_decides_stop_words_and_stems(void **state UNUSED)
{
    struct topic *t = NULL;

    assert_int_equal(topic_from_words(STR("die Häuser und der Garten"), STR("de-AT,en"), &t),
                     ST_OK);
    assert_terms(t, "haus:1 gart:1");
    assert_str(topic_lang(t), "de");
    topic_free(t);
}

static void too_many_words_are_refused(void **state UNUSED)
{
    struct buf text = BUF_INIT(1 << 20);
    struct topic *t = NULL;

    for (int i = 0; i < 10000; i++)
        buf_addf(&text, "w%d ", i);
    assert_int_equal(topic_from_words(buf_str(&text), STR("en"), &t), ST_LIMIT);
    assert_null(t);
    buf_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_become_terms_without_stop_words),
        cmocka_unit_test(stop_words_stay_where_nothing_else_is_left),
        cmocka_unit_test(numbers_on_the_command_line_are_words),
        cmocka_unit_test(the_source_makes_the_same_topic),
        cmocka_unit_test(an_empty_topic_is_refused_with_a_sentence),
        cmocka_unit_test(a_file_has_weights_phrases_negatives_patterns_and_examples),
        cmocka_unit_test(bad_lines_are_named),
        cmocka_unit_test(files_are_placed_in_the_folder_of_the_topic),
        cmocka_unit_test(a_topic_of_examples_alone_is_a_topic),
        cmocka_unit_test(what_examples_were_used_for_is_said),
        cmocka_unit_test(keywords_alone_on_a_line_are_words),
        cmocka_unit_test(words_that_touch_are_a_phrase),
        cmocka_unit_test(the_language_decides_stop_words_and_stems),
        cmocka_unit_test(too_many_words_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
