/* Words and sentences of a generated web. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "sim/make/prose.h"
#include "sim/make/words.h"

#include <ctype.h>
#include <stdlib.h>

static void every_topic_has_a_name_words_and_all_classes(void **state)
{
    struct words *w = words_new(60, 1);

    (void)state;
    assert_int_equal(words_topics(w), 60);
    for (uint32_t t = 0; t < 60; t++) {
        assert_true(words_name(w, t).len > 0);
        assert_true(str_starts(words_query(w, t), words_name(w, t)));
        assert_true(words_query(w, t).len > words_name(w, t).len);
        for (uint32_t u = 0; u < t; u++)
            assert_false(str_eq(words_name(w, t), words_name(w, u)));
        for (int c = 0; c < WORDS_CLASSES; c++)
            assert_true(words_at(w, t, (enum words_class)c, 5).len > 0);
    }
    words_free(w);
}

static void a_text_shows_its_topic_by_the_words_a_crawler_is_told(void **state)
{
    struct words *w = words_new(24, 1);

    (void)state;
    for (uint32_t t = 0; t < 24; t++) {
        struct buf own = BUF_INIT(1 << 20), other = BUF_INIT(1 << 20);
        struct str query = words_query(w, t), word;
        size_t in_own = 0, in_other = 0;
        struct rng r;

        rng_init(&r, t);
        for (int i = 0; i < 200; i++) {
            prose_sentence(w, t, &r, &own);
            prose_sentence(w, (t + 7) % 24, &r, &other);
        }
        while (str_cut(&query, ' ', &word)) {
            for (size_t at = 0; (at = str_find_i(buf_str(&own), word, at)) != SIZE_MAX; at++)
                in_own++;
            for (size_t at = 0; (at = str_find_i(buf_str(&other), word, at)) != SIZE_MAX; at++)
                in_other++;
        }
        if (in_own < 40 || in_own < 3 * in_other)
            fail_msg("topic %u: %zu in its own text, %zu in another", t, in_own, in_other);
        buf_free(&own);
        buf_free(&other);
    }
    words_free(w);
}

static void sentences_are_whole_and_need_no_escaping(void **state)
{
    struct words *w = words_new(30, 2);
    struct rng r;

    (void)state;
    rng_init(&r, 4);
    for (int i = 0; i < 3000; i++) {
        struct buf s = BUF_INIT(4096);

        prose_sentence(w, i % 31 == 30 ? WORDS_NONE : (uint32_t)(i % 31), &r, &s);
        prose_title(w, i % 31 == 30 ? WORDS_NONE : (uint32_t)(i % 31), &r, &s);
        assert_true(isupper((unsigned char)s.data[0]) || isdigit((unsigned char)s.data[0]));
        assert_null(strpbrk(s.data, "{}<>&\"_"));
        assert_null(strstr(s.data, " a a"));
        assert_null(strstr(s.data, "  "));
        buf_free(&s);
    }
    words_free(w);
}

static void slugs_are_letters_digits_and_single_hyphens(void **state)
{
    static const char *const cases[][2] = {{"The  Golden, hive!", "the-golden-hive"},
                                           {"...", ""},
                                           {"12 bees", "12-bees"},
                                           {"-a-", "a"},
                                           {"caf\xc3\xa9 x", "caf-x"}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf out = BUF_INIT(100);

        prose_slug(str_of(cases[i][0]), &out);
        assert_str(buf_str(&out), cases[i][1]);
        buf_free(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_topic_has_a_name_words_and_all_classes),
        cmocka_unit_test(a_text_shows_its_topic_by_the_words_a_crawler_is_told),
        cmocka_unit_test(sentences_are_whole_and_need_no_escaping),
        cmocka_unit_test(slugs_are_letters_digits_and_single_hyphens),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
