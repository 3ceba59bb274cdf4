/* test_stem.c - from words to terms. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/mem.h"
#include "text/words/stem.h"
#include "text/words/token.h"
#include "text/vocab.h"

#include <stdio.h>
#include <stdlib.h>

static void assert_stem(struct stemmer *s, const char *lang, const char *word, const char *stem,
                        bool is_stop)
{
    bool stop;
    struct str got = stem_word(s, stem_lang(str_of(lang)), str_of(word), &stop);

    assert_str(got, stem);
    assert_int_equal(stop, is_stop);
}

static void languages_are_found_by_their_primary_subtag(void **state UNUSED)
{
    int de = stem_lang(STR("de"));

    assert_int_not_equal(de, STEM_NONE);
    assert_int_equal(stem_lang(STR("de-at")), de);
    assert_int_equal(stem_lang(STR("DE_CH")), de);
    assert_int_equal(stem_lang(STR("nb")), stem_lang(STR("no")));
    assert_int_equal(stem_lang(STR("")), STEM_NONE);
    assert_int_equal(stem_lang(STR("tlh")), STEM_NONE);
    assert_int_equal(stem_lang(STR("d")), STEM_NONE);
    assert_str(stem_lang_code(de), "de");
}

static void words_become_stems(void **state UNUSED)
{
    struct stemmer *s = stemmer_new(0);

    assert_stem(s, "en", "Panels", "panel", false);
    assert_stem(s, "en", "ENERGY", "energi", false);
    assert_stem(s, "en", "dog’s", "dog", false);
    assert_stem(s, "de", "Häuser", "haus", false);
    assert_stem(s, "fr", "l'homme", "homm", false);
    assert_stem(s, "fr", "aujourd'hui", "aujourd'hui", true);
    assert_stem(s, "it", "dell'energia", "energ", false);
    assert_stem(s, "xx", "Panels", "panels", false);
    stemmer_free(s);
}

static void stop_words_are_told(void **state UNUSED)
{
    struct stemmer *s = stemmer_new(0);

    assert_stem(s, "en", "The", "the", true);
    assert_stem(s, "en", "Don't", "don't", true);
    assert_stem(s, "de", "und", "und", true);
    assert_stem(s, "ru", "И", "и", true);
    assert_stem(s, "fr", "c'est", "est", true);
    stemmer_keep(s, STR("the"));
    assert_stem(s, "en", "The", "the", false);
    stemmer_free(s);
}

/* A stop word that the tokenizer would cut or lower could never be met. */
static void stop_lists_are_lower_case_words(void **state UNUSED)
{
    static const char *const codes[] = {"en", "de", "fr", "es", "it", "pt", "nl",
                                        "sv", "da", "no", "fi", "ru", "pl"};

    for (size_t i = 0; i < ARRAY_LEN(codes); i++) {
        struct str list = stop_words(str_of(codes[i])), word;

        assert_true(list.len > 300);
        while (str_cut(&list, ' ', &word)) {
            char lower[2 * TOKEN_MAX];
            size_t at = 0, off, len;

            assert_true(token_next(word, &at, &off, &len));
            assert_int_equal(len, word.len);
            assert_str(word, (lower[token_lower(word.ptr, word.len, lower)] = '\0', lower));
        }
    }
    assert_int_equal(stop_words(STR("xx")).len, 0);
}

static void the_cache_never_changes_an_answer(void **state UNUSED)
{
    /* far more words than places, each asked for several times */
    struct stemmer *small = stemmer_new(8), *none = stemmer_new(8);
    int en = stem_lang(STR("en"));
    struct buf text = BUF_INIT(1 << 20);
    struct word words[500];
    uint32_t ids[500], kept[500];

    for (unsigned i = 0; i < 500; i++) {
        words[i].off = (uint32_t)text.len;
        buf_addf(&text, i % 7 ? "Running%u" : "the", i % 150 * (i % 3 ? 1 : 7919));
        for (unsigned k = 0; i % 11 == 0 && k < i % 50; k++)
            buf_add_char(&text, 'z');
        words[i].len = (uint16_t)(text.len - words[i].off);
        buf_add_char(&text, i % 2 ? ' ' : 'x');
    }
    for (int round = 0; round < 3; round++) {
        size_t n = stem_words(small, en, buf_str(&text), words, 500, ids, kept, NULL, 0), k = 0;

        for (size_t i = 0; i < 500; i++) {
            bool stop;
            struct str word = {text.data + words[i].off, words[i].len};

            assert_int_equal(ids[i], term_id(stem_word(none, en, word, &stop)));
            if (!stop)
                assert_int_equal(kept[k++], ids[i]);
        }
        assert_int_equal(k, n);
    }
    buf_free(&text);
    stemmer_free(small);
    stemmer_free(none);
}

static void a_word_has_its_own_term_in_each_language(void **state UNUSED)
{
    struct stemmer *s = stemmer_new(0);
    struct word word = {.off = 0, .len = 3};
    uint32_t id, kept;

    assert_int_equal(stem_words(s, stem_lang(STR("de")), STR("die"), &word, 1, &id, &kept, NULL, 0),
                     0);
    assert_int_equal(stem_words(s, stem_lang(STR("en")), STR("die"), &word, 1, &id, &kept, NULL, 0),
                     1);
    assert_int_equal(id, term_id(STR("die")));
    stemmer_free(s);
}

static void snowball_vocabularies_match(void **state UNUSED)
{
    static const struct {
        const char *folder, *lang;
    } sets[] = {{"english", "en"},
                {"french", "fr"},
                {"german", "de"},
                {"spanish", "es"},
                {"porter", "porter"}};
    struct stemmer *s;
    size_t compared = 0;

    NEED_DATA(probe, "stemmer/english/voc.txt");
    (void)probe;
    s = stemmer_new(0);
    for (size_t i = 0; i < ARRAY_LEN(sets); i++) {
        struct buf voc = BUF_INIT(1 << 24), output = BUF_INIT(1 << 24);
        struct str words, stems, word, stem;
        char name[64];

        snprintf(name, sizeof name, "stemmer/%s/voc.txt", sets[i].folder);
        test_read(test_data(name), &voc);
        snprintf(name, sizeof name, "stemmer/%s/output.txt", sets[i].folder);
        test_read(test_data(name), &output);
        words = buf_str(&voc);
        stems = buf_str(&output);
        while (str_cut(&words, '\n', &word) && str_cut(&stems, '\n', &stem)) {
            struct str got = stem_snowball(s, stem_lang(str_of(sets[i].lang)), word);

            if (!str_eq(got, stem))
                fail_msg("%s: %.*s gave %.*s, not %.*s", sets[i].folder, STR_ARG(word),
                         STR_ARG(got), STR_ARG(stem));
            compared++;
        }
        assert_int_equal(words.len, stems.len);
        buf_free(&voc);
        buf_free(&output);
    }
    assert_true(compared > 100000);
    stemmer_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(languages_are_found_by_their_primary_subtag),
        cmocka_unit_test(words_become_stems),
        cmocka_unit_test(stop_words_are_told),
        cmocka_unit_test(stop_lists_are_lower_case_words),
        cmocka_unit_test(the_cache_never_changes_an_answer),
        cmocka_unit_test(a_word_has_its_own_term_in_each_language),
        cmocka_unit_test(snowball_vocabularies_match),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
