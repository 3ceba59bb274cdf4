/* test_relate.c - the neighbourhood of a query: terms, anchors, pages.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "small_wordnet.h"
#include "text/profile.h"
#include "models/crew/lexicon.h"
#include "models/crew/relate.h"
#include "models/crew/context.h"
#include "text/vocab.h"

#include <stdlib.h>

static uint32_t term(const char *word)
{
    struct stemmer *s = stemmer_new(64);
    bool stop;
    uint32_t id = term_id(stem_word(s, stem_lang(STR("en")), str_of(word), &stop));

    stemmer_free(s);
    return id;
}

static struct relate *relate_to(const struct wordnet *w, const struct cs_rules *rules,
                                const char *words)
{
    struct topic *topic;
    struct relate *r;

    assert_int_equal(topic_from_text(str_of(words), "t", STR("en"), &topic), ST_OK);
    r = relate_new(w, rules, topic);
    topic_free(topic);
    return r;
}

static void the_neighbourhood_has_kinds_and_parts(void **state UNUSED)
{
    static const struct {
        const char *word;
        double cs;
    } near[] = {
        {"dog", 1},     {"dogs", 1},     {"animal", .5},   {"entities", .25}, {"puppies", .5},
        {"whelp", .25}, {"rex", .5},     {"tail", 1. / 3}, {"pack", 1. / 3},  {"goose", 0},
        {"water", 0},   {"domestic", 0}, {"car", 0},
    };
    struct cs_rules rules = CS_USUAL;
    struct relate *r;
    struct small s;

    small_open(&s);
    r = relate_to(s.w, &rules, "dog\n");
    for (size_t i = 0; i < sizeof near / sizeof *near; i++)
        assert_float_equal(relate_term(r, term(near[i].word)), near[i].cs, 1e-7);
    relate_free(r);
    small_close(&s);
}

static void of_several_words_the_nearest_counts(void **state UNUSED)
{
    struct cs_rules rules = CS_USUAL;
    struct relate *r;
    struct small s;

    small_open(&s);
    r = relate_to(s.w, &rules, "animal\npuppies\n-water\n");
    assert_float_equal(relate_term(r, term("dog")), .5, 0);     /* by either */
    assert_float_equal(relate_term(r, term("animal")), 1, 0);   /* itself, and puppy's kind */
    assert_float_equal(relate_term(r, term("water")), 0, 0);    /* what the topic is not */
    assert_float_equal(relate_term(r, term("hydrogen")), 0, 0); /* nor its parts */
    relate_free(r);
    r = relate_to(s.w, &rules, "\"ice cream\"\n"); /* a lemma of two words, and two words */
    assert_float_equal(relate_term(r, term("entity")), .5, 0);
    assert_float_equal(relate_term(r, term("cream")), 1, 0);
    relate_free(r);
    small_close(&s);
}

static void without_a_dictionary_only_the_words_themselves(void **state UNUSED)
{
    struct cs_rules rules = CS_USUAL;
    struct relate *r = relate_to(NULL, &rules, "dogs\n");

    assert_float_equal(relate_term(r, term("dog")), 1, 0);
    assert_float_equal(relate_term(r, term("animal")), 0, 0);
    relate_free(r);
}

/* Sim of 20 terms of weight 1/rank with one value `cs` at `rank` (0: none).
 *   |d| = sqrt(SUM 1/i^2) = sqrt(1.596163) = 1.263394,  SUM 1/i = 3.597740
 *   repaired, cs at rank r alone: (cs/r) / (1.263394 cs) = 0.791519 / r
 *   printed, none: q = 0.001 everywhere: 3.597740 / (1.263394 sqrt(20)) = 0.636757
 *   printed, 1 at rank r: (1/r + .001 (3.597740 - 1/r)) / (1.263394 sqrt(1 + 19e-6)) */
static double sim(double floor, double cs, unsigned rank)
{
    float d[20], q[20];

    for (unsigned i = 0; i < 20; i++) {
        d[i] = 1.0f / (float)(i + 1);
        q[i] = (float)(i + 1 == rank ? cs : floor);
    }
    return (double)relate_cosine(d, q, 20);
}

static void unrelated_pages_have_similarity_0_not_the_printed_0_64(void **state UNUSED)
{
    assert_float_equal(sim(CS_PRINTED_FLOOR, 1, 0), .636757, 1e-5);
    assert_float_equal(sim(CS_PRINTED_FLOOR, 1, 5), .160991, 1e-5); /* .16: a lesser page */
    assert_float_equal(sim(0, 1, 0), 0, 0);
    assert_float_equal(sim(0, 1, 5), .158304, 1e-5);
}

static void similarity_falls_with_the_rank_of_the_related_term(void **state UNUSED)
{
    assert_float_equal(sim(0, .5, 2), .395760, 1e-5);
    assert_float_equal(sim(0, .5, 3), .263840, 1e-5);
    assert_float_equal(sim(0, .5, 10), .079152, 1e-5);
    assert_float_equal(sim(CS_PRINTED_FLOOR, 1, 2), .398208, 1e-5);  /* .40 */
    assert_float_equal(sim(CS_PRINTED_FLOOR, 1, 3), .266421, 1e-5);  /* .27 */
    assert_float_equal(sim(CS_PRINTED_FLOOR, 1, 10), .081919, 1e-5); /* .08 */
}

/* ---- a page ---- */

struct sample {
    struct topic *topic;
    struct profiler *profiler;
    struct arena arena;
    struct word words[64];
    struct page page;
    struct profile profile;
};

static void sample_open(struct sample *m, const char *text)
{
    struct str rest = str_of(text), part;

    *m = (struct sample){.page = {.text = str_of(text), .words = m->words}};
    while (str_cut(&rest, ' ', &part))
        m->words[m->page.nwords++] = (struct word){(uint32_t)(part.ptr - text), (uint16_t)part.len};
    arena_init(&m->arena, 1 << 20);
    assert_int_equal(topic_from_words(STR("dog"), STR("en"), &m->topic), ST_OK);
    m->profiler = profiler_new(m->topic);
    profile_page(m->profiler, &m->page, STR(""), NULL, &m->arena, &m->profile);
}

static void sample_close(struct sample *m)
{
    profiler_free(m->profiler);
    topic_free(m->topic);
    arena_free(&m->arena);
}

static void an_anchor_is_as_near_as_its_nearest_word(void **state UNUSED)
{
    struct cs_rules rules = CS_USUAL;
    struct relate *r;
    struct sample m;
    struct small s;

    small_open(&s);
    r = relate_to(s.w, &rules, "dog\n");
    sample_open(&m, "the goose has a tail and the animals are dogs");
    assert_float_equal(relate_span(r, &m.profile, (struct span){0, 2}), 0, 0);
    assert_float_equal(relate_span(r, &m.profile, (struct span){0, 5}), 1. / 3, 1e-7);
    assert_float_equal(relate_span(r, &m.profile, (struct span){4, 8}), .5, 0);
    assert_float_equal(relate_span(r, &m.profile, (struct span){4, 999}), 1, 0);
    assert_float_equal(relate_span(r, &m.profile, (struct span){3, 3}), 0, 0);
    sample_close(&m);
    relate_free(r);
    small_close(&s);
}

static void a_stop_word_says_nothing(void **state UNUSED)
{
    struct cs_rules rules = CS_USUAL;
    struct relate *r;
    struct sample m;
    struct small s;

    small_open(&s);
    r = relate_to(s.w, &rules, "helium\n");
    assert_float_equal(relate_term(r, term("he")), 1, 0); /* its symbol is a synonym */
    sample_open(&m, "he fills it with helium");
    assert_float_equal(relate_span(r, &m.profile, (struct span){0, 4}), 0, 0);
    assert_float_equal(relate_span(r, &m.profile, (struct span){0, 5}), 1, 0);
    sample_close(&m);
    relate_free(r);
    small_close(&s);
}

/* Terms tail 3, goose 1, stone 1; idf is 1: weights 1 + ln 3 = 2.098612, 1, 1.
 *   q = (1/3, 0, 0): Sim = 2.098612 / sqrt(2.098612^2 + 2) = .829281
 *   of the heaviest alone: 1 */
static void a_page_is_measured_by_its_heaviest_terms(void **state UNUSED)
{
    struct cs_rules rules = CS_USUAL;
    struct top_term top[8];
    struct relate *r;
    struct sample m;
    struct small s;

    small_open(&s);
    r = relate_to(s.w, &rules, "dog\n");
    sample_open(&m, "tail tail goose the tail stone");
    assert_float_equal(relate_page(r, &m.profile, NULL, 0), .829281, 1e-5);
    assert_float_equal(relate_page(r, &m.profile, NULL, 1), 1, 1e-6);
    assert_int_equal(top_terms(&m.profile, NULL, 8, top), 3);
    assert_int_equal(top[0].id, term("tail"));
    assert_float_equal(top[0].weight, 2.098612, 1e-5);
    assert_true(top[1].id < top[2].id);
    assert_int_equal(top_terms(&m.profile, NULL, 0, top), 0);
    sample_close(&m);
    sample_open(&m, "stone goose");
    assert_float_equal(relate_page(r, &m.profile, NULL, 0), 0, 0);
    sample_close(&m);
    relate_free(r);
    small_close(&s);
}

/* The table walks up and down from the query, cs_terms() only up from both words:
 * they must agree where no other lemma shares the stem (athletics, athlete). */
static void the_table_agrees_with_pairs_of_real_words(void **state UNUSED)
{
    static const char *const queries[] = {"sport", "music", "tree", "car"};
    static const char *const words[] = {"football", "hockey",  "piano",  "opera",   "oak",
                                        "forest",   "bark",    "wheel",  "vehicle", "taxi",
                                        "stadium",  "referee", "melody", "bus",     "lettuce"};
    struct cs_rules rules = CS_USUAL;
    struct wordnet *w = NULL;
    struct lexicon *x;

    if (wordnet_open(NULL, &w) != ST_OK)
        skip();
    x = lexicon_new(w, stem_lang(STR("en")));
    for (size_t q = 0; q < 4; q++) {
        struct relate *r = relate_to(w, &rules, queries[q]);

        for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
            uint32_t a = term(words[i]), b = term(queries[q]);
            float cs;

            cs_terms(x, &rules, &a, 1, &b, 1, &cs);
            assert_float_equal(relate_term(r, a), cs, 1e-7);
        }
        relate_free(r);
    }
    lexicon_free(x);
    wordnet_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_neighbourhood_has_kinds_and_parts),
        cmocka_unit_test(of_several_words_the_nearest_counts),
        cmocka_unit_test(without_a_dictionary_only_the_words_themselves),
        cmocka_unit_test(unrelated_pages_have_similarity_0_not_the_printed_0_64),
        cmocka_unit_test(similarity_falls_with_the_rank_of_the_related_term),
        cmocka_unit_test(an_anchor_is_as_near_as_its_nearest_word),
        cmocka_unit_test(a_stop_word_says_nothing),
        cmocka_unit_test(a_page_is_measured_by_its_heaviest_terms),
        cmocka_unit_test(the_table_agrees_with_pairs_of_real_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
