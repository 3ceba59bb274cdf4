/* test_wordnet.c - WordNet's files: words, synsets, relations, nearness of words.
 * SPDX-License-Identifier: MIT
 *
 * Most tests run on a dictionary of sixteen synsets that the test writes itself; those
 * of real words are skipped, by name, where WordNet is not installed. */
#include "support/support.h"

#include "small_wordnet.h"

#include "base/os/file.h"
#include "models/crew/lexicon.h"
#include "models/crew/relate.h"
#include "text/vocab.h"
#include "models/crew/wordnet.h"
#include "models/crew/wordnet_cs.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- looking up ---- */

static void a_lemma_has_its_senses_in_order(void **state UNUSED)
{
    uint32_t senses[WORDNET_SENSES];
    struct small s;

    small_open(&s);
    assert_int_equal(wordnet_senses(s.w, STR("bank"), senses), 2);
    assert_int_equal(senses[0], s.at[13]);
    assert_int_equal(senses[1], s.at[14]);
    assert_int_equal(wordnet_senses(s.w, STR("animal"), senses), 1); /* the first line */
    assert_int_equal(wordnet_senses(s.w, STR("whelp"), senses), 1);  /* the last one */
    assert_int_equal(wordnet_senses(s.w, STR("dogs"), senses), 0);
    assert_int_equal(wordnet_senses(s.w, STR(""), senses), 0);
    assert_int_equal(wordnet_senses(s.w, STR("zebra"), senses), 0);
    small_close(&s);
}

static void a_synset_gives_words_and_relations(void **state UNUSED)
{
    static const enum wordnet_relation relations[] = {
        WORDNET_HYPERNYM, WORDNET_HYPONYM, WORDNET_HYPONYM, WORDNET_MERONYM, WORDNET_HOLONYM};
    static const int targets[] = {1, 3, 10, 5, 4};
    enum wordnet_relation relation;
    struct synset synset;
    struct str word;
    uint32_t offset;
    struct small s;

    small_open(&s);
    assert_true(wordnet_synset(s.w, s.at[2], &synset));
    assert_true(synset_word(&synset, &word));
    assert_str(word, "dog");
    assert_true(synset_word(&synset, &word));
    assert_str(word, "domestic_dog");
    assert_false(synset_word(&synset, &word));
    for (int i = 0; i < 5; i++) {
        assert_true(synset_pointer(&synset, &relation, &offset));
        assert_int_equal(relation, relations[i]);
        assert_int_equal(offset, s.at[targets[i]]);
    }
    assert_false(synset_pointer(&synset, &relation, &offset)); /* the gloss is none */
    assert_true(wordnet_synset(s.w, s.at[2], &synset));        /* words may be passed over */
    assert_true(synset_pointer(&synset, &relation, &offset));
    assert_int_equal(offset, s.at[1]);
    assert_false(wordnet_synset(s.w, s.at[2] + 1, &synset)); /* no line begins there */
    assert_false(wordnet_synset(s.w, 99999999, &synset));
    assert_false(wordnet_synset(s.w, 0, &synset)); /* the licence */
    small_close(&s);
}

static void assert_forms(const struct wordnet *w, const char *word, const char *expected)
{
    struct wordnet_form forms[WORDNET_FORMS];
    size_t n = wordnet_forms(w, str_of(word), forms);
    struct buf out = BUF_INIT(1000);

    for (size_t i = 0; i < n; i++)
        buf_addf(&out, "%s%.*s", i ? " " : "", STR_ARG(wordnet_form_str(&forms[i])));
    assert_str(buf_str(&out), expected);
    buf_free(&out);
}

static void plurals_become_lemmas(void **state UNUSED)
{
    struct small s;

    small_open(&s);
    assert_forms(s.w, "dog", "dog");
    assert_forms(s.w, "Dogs", "dog");
    assert_forms(s.w, "geese", "goose");   /* the list of exceptions */
    assert_forms(s.w, "pupae", "pup");     /* pupa is not in the index */
    assert_forms(s.w, "puppies", "puppy"); /* ies -> y */
    assert_forms(s.w, "ice creams", "ice_cream");
    assert_forms(s.w, "water", "water");
    assert_forms(s.w, "dogss", "");
    assert_forms(s.w, "s", "");
    assert_forms(s.w, "", "");
    small_close(&s);
}

/* ---- nearness ---- */

static uint32_t term(struct stemmer *s, const char *word)
{
    bool stop;

    return term_id(stem_word(s, stem_lang(STR("en")), str_of(word), &stop));
}

/* The second word in the neighbourhood of the first, as it is written. */
static double near_in(const char *lang, const struct wordnet *w, const struct cs_rules *r,
                      const char *a, const char *b)
{
    struct stemmer *stemmer = stemmer_new(64);
    struct topic *topic;
    struct relate *near_a;
    double cs;

    assert_int_equal(topic_from_text(str_of(a), "t", str_of(lang), &topic), ST_OK);
    near_a = relate_new(w, r, topic);
    cs = (double)relate_term(near_a, term(stemmer, b));
    relate_free(near_a);
    topic_free(topic);
    stemmer_free(stemmer);
    return cs;
}

static double near(const struct wordnet *w, const struct cs_rules *r, const char *a, const char *b)
{
    return near_in("en", w, r, a, b);
}

static void relations_give_their_weights(void **state UNUSED)
{
    static const struct {
        const char *a, *b;
        double cs;
    } pairs[] = {
        {"car", "auto", 1},       {"dogs", "Dog", 1},          {"pups", "puppies", 1},
        {"dog", "animal", .5},    {"puppy", "animal", .25},    {"entity", "puppy", .125},
        {"entity", "whelp", 0},   {"rex", "dog", .5},          {"geese", "animal", .5},
        {"tail", "dog", 1.0 / 3}, {"pack", "dogs", 1.0 / 3},   {"hydrogen", "water", 1.0 / 3},
        {"tail", "puppy", 0},     {"tail", "pack", 0},         {"goose", "dog", 0},
        {"bank", "water", .5},    {"bank", "entity", .5},      {"\"ice cream\"", "entity", .5},
        {"nonsense", "dog", 0},   {"nonsense", "nonsense", 1}, {"unknowns", "unknown", 1},
    };
    struct cs_rules rules = CS_USUAL;
    struct small s;

    small_open(&s);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        assert_float_equal(near(s.w, &rules, pairs[i].a, pairs[i].b), pairs[i].cs, 1e-7);
    small_close(&s);
}

static void rules_are_parameters(void **state UNUSED)
{
    struct cs_rules rules = {.isa = .8, .part = .9, .floor = CS_PRINTED_FLOOR, .depth = 1};
    struct small s;

    small_open(&s);
    assert_float_equal(near(s.w, &rules, "dog", "animal"), .8, 1e-12);
    assert_float_equal(near(s.w, &rules, "puppy", "animal"), .001, 1e-7); /* direct only */
    assert_float_equal(near(s.w, &rules, "tail", "dog"), .9, 1e-7);
    assert_float_equal(near(s.w, &rules, "goose", "dog"), .001, 1e-7);
    small_close(&s);
}

static void without_a_dictionary_equal_stems_remain(void **state UNUSED)
{
    struct cs_rules rules = CS_USUAL;
    struct small s;

    assert_float_equal(near(NULL, &rules, "dogs", "dog"), 1, 0);
    assert_float_equal(near(NULL, &rules, "car", "auto"), 0, 0);
    small_open(&s); /* an English dictionary says nothing about German words */
    assert_float_equal(near_in("de", s.w, &rules, "car", "auto"), 0, 0);
    small_close(&s);
}

/* ---- terms ---- */

static size_t lemmas_of(const struct lexicon *x)
{
    size_t n = 0;

    while (lexicon_lemma(x, n).len > 0)
        n++;
    return n;
}

static void a_term_finds_its_lemmas(void **state UNUSED)
{
    struct stemmer *stemmer = stemmer_new(64);
    struct lexicon *x;
    struct small s;
    size_t first;

    small_open(&s);
    x = lexicon_new(s.w, stem_lang(STR("en")));
    assert_int_equal(lemmas_of(x), 19); /* of 21; not domestic_dog and ice_cream */
    assert_int_equal(lexicon_find(x, term(stemmer, "puppies"), &first), 1);
    assert_str(lexicon_lemma(x, first), "puppy");
    assert_str(lexicon_word(x, term(stemmer, "waters")), "water");
    assert_int_equal(lexicon_word(x, term(stemmer, "stone")).len, 0);
    lexicon_free(x);
    x = lexicon_new(s.w, stem_lang(STR("de")));
    assert_int_equal(lemmas_of(x), 0);
    lexicon_free(x);
    x = lexicon_new(NULL, stem_lang(STR("en")));
    assert_int_equal(lemmas_of(x), 0);
    lexicon_free(x);
    small_close(&s);
    stemmer_free(stemmer);
}

static void terms_are_as_near_as_their_words(void **state UNUSED)
{
    static const float expected[] = {.5f, 1, 0, 0, 0, 1}, alone[] = {0, 1, 0, 0, 0, 0};
    struct cs_rules rules = CS_USUAL;
    struct stemmer *stemmer = stemmer_new(64);
    uint32_t a[] = {term(stemmer, "dog"), term(stemmer, "water")};
    uint32_t b[] = {term(stemmer, "puppy"), term(stemmer, "dogs"), term(stemmer, "h2o")};
    struct kin_memory *kin = kin_memory_new();
    struct lexicon *x;
    float got[6];
    struct small s;

    small_open(&s);
    x = lexicon_new(s.w, stem_lang(STR("en")));
    cs_terms(x, &rules, a, 2, b, 3, got);
    for (int i = 0; i < 6; i++)
        assert_float_equal(got[i], expected[i], 1e-7);
    for (int round = 0; round < 2; round++) { /* looked up, and kept */
        cs_terms_kept(kin, x, &rules, a, 2, b, 3, got);
        for (int i = 0; i < 6; i++)
            assert_float_equal(got[i], expected[i], 0);
    }
    kin_memory_free(kin);
    cs_terms(x, &rules, b, 3, a, 2, got); /* symmetric */
    for (int i = 0; i < 6; i++)
        assert_float_equal(got[i % 3 * 2 + i / 3], expected[i], 1e-7);
    cs_terms(NULL, &rules, a, 2, b, 3, got);
    for (int i = 0; i < 6; i++)
        assert_float_equal(got[i], alone[i], 1e-7);
    lexicon_free(x);
    small_close(&s);
    stemmer_free(stemmer);
}

/* ---- files ---- */

static void write_file(const char *dir, const char *name, struct str text)
{
    char path[4096];

    (void)snprintf(path, sizeof path, "%s/%s", dir, name);
    assert_int_equal(file_write(path, text), ST_OK);
}

static void files_are_found_and_read(void **state UNUSED)
{
    const char *dir = test_dir();
    struct cs_rules rules = CS_USUAL;
    struct wordnet *w;
    struct small s;

    small_open(&s);
    assert_int_equal(wordnet_open(dir, &w), ST_MISSING);
    assert_non_null(strstr(status_text(), "index.noun"));
    write_file(dir, "index.noun", buf_str(&s.index));
    write_file(dir, "data.noun", buf_str(&s.data));
    assert_int_equal(wordnet_open(dir, &w), ST_OK);
    assert_float_equal(near(w, &rules, "dog", "animal"), .5, 0);
    assert_float_equal(near(w, &rules, "geese", "animal"), 0, 0); /* noun.exc is not there */
    wordnet_free(w);
    write_file(dir, "noun.exc", buf_str(&s.exceptions));
    setenv("WNSEARCHDIR", dir, 1);
    assert_int_equal(wordnet_open(NULL, &w), ST_OK);
    assert_float_equal(near(w, &rules, "geese", "animal"), .5, 0);
    wordnet_free(w);
    setenv("WNSEARCHDIR", "/nowhere", 1);
    assert_int_equal(wordnet_open("", &w), ST_MISSING);
    assert_non_null(strstr(status_text(), "WNSEARCHDIR"));
    unsetenv("WNSEARCHDIR");
    write_file(dir, "data.noun", STR("hello\n"));
    assert_int_equal(wordnet_open(dir, &w), ST_INVALID);
    write_file(dir, "data.noun", STR(""));
    assert_int_equal(wordnet_open(dir, &w), ST_INVALID);
    small_close(&s);
}

/* Every byte of the data file is damaged once, and the file is cut at every length. */
static void damaged_files_give_less_and_do_no_harm(void **state UNUSED)
{
    struct cs_rules rules = CS_USUAL;
    struct small s;

    small_open(&s);
    for (size_t i = 0; i < s.data.len; i++) {
        char *copy = malloc(i + 1); /* its own block: a byte too far is seen */
        struct wordnet w = {buf_str(&s.index), {copy, i + i % 2}, STR("")};

        memcpy(copy, s.data.data, i);
        copy[i] = '9';
        assert_in_range((int)(100 * near(&w, &rules, "puppy", "entity")), 0, 100);
        free(copy);
    }
    small_close(&s);
}

/* ---- the real one ---- */

static struct wordnet *real(void)
{
    struct wordnet *w = NULL;

    return wordnet_open(NULL, &w) == ST_OK ? w : NULL;
}

#define NEED_WORDNET(variable)         \
    struct wordnet *variable = real(); \
    if (variable == NULL)              \
    skip()

static void ten_pairs_of_real_words(void **state UNUSED)
{
    static const struct {
        const char *a, *b;
        double cs;
    } pairs[] = {
        {"car", "automobile", 1},     /* one synset */
        {"poodles", "dog", .5},       /* poodle -> dog */
        {"dog", "animal", .25},       /* dog -> domestic animal -> animal */
        {"geese", "waterfowl", .25},  /* goose -> anseriform bird -> waterfowl */
        {"hockey", "sport", .25},     /* field hockey -> outdoor sport -> sport */
        {"finger", "hand", 1.0 / 3},  /* part */
        {"tree", "forest", 1.0 / 3},  /* member */
        {"oxygen", "water", 1.0 / 3}, /* substance */
        {"Berlin", "capital", .25},   /* instance: Berlin -> national capital -> capital */
        {"lettuce", "stadium", 0},
    };
    struct cs_rules rules = CS_USUAL;

    NEED_WORDNET(w);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        assert_float_equal(near(w, &rules, pairs[i].a, pairs[i].b), pairs[i].cs, 1e-7);
    wordnet_free(w);
}

/* Every lemma of the index is found by the search, and every synset it names is there. */
static void every_real_word_is_found(void **state UNUSED)
{
    uint32_t senses[WORDNET_SENSES];
    struct synset synset;
    size_t senses_in_all = 0;
    struct lexicon *x;

    NEED_WORDNET(w);
    x = lexicon_new(w, stem_lang(STR("en")));
    assert_true(lemmas_of(x) > 50000);
    for (size_t i = 0; lexicon_lemma(x, i).len > 0; i++) {
        size_t n = wordnet_senses(w, lexicon_lemma(x, i), senses);

        assert_true(n > 0);
        senses_in_all += n;
        for (size_t k = 0; k < n; k++)
            assert_true(wordnet_synset(w, senses[k], &synset));
    }
    assert_true(senses_in_all > 70000);
    assert_str(lexicon_word(x, term_id(STR("dog"))), "dog");
    lexicon_free(x);
    wordnet_free(w);
}

static void real_plurals(void **state UNUSED)
{
    NEED_WORDNET(w);
    assert_forms(w, "glasses", "glasses glass");
    assert_forms(w, "axes", "ax axis");
    assert_forms(w, "women", "woman");
    assert_forms(w, "churches", "church");
    assert_forms(w, "boxesful", "boxful");
    assert_forms(w, "heat pumps", "heat_pump");
    wordnet_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lemma_has_its_senses_in_order),
        cmocka_unit_test(a_synset_gives_words_and_relations),
        cmocka_unit_test(plurals_become_lemmas),
        cmocka_unit_test(relations_give_their_weights),
        cmocka_unit_test(rules_are_parameters),
        cmocka_unit_test(without_a_dictionary_equal_stems_remain),
        cmocka_unit_test(a_term_finds_its_lemmas),
        cmocka_unit_test(terms_are_as_near_as_their_words),
        cmocka_unit_test(files_are_found_and_read),
        cmocka_unit_test(damaged_files_give_less_and_do_no_harm),
        cmocka_unit_test(ten_pairs_of_real_words),
        cmocka_unit_test(every_real_word_is_found),
        cmocka_unit_test(real_plurals),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
