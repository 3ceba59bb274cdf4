/* test_profile.c - relevance and similarity, computed by hand.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"
#include "support/example.h"

#include "base/limits.h"
#include "base/mem.h"
#include "text/profile.h"
#include "text/words/stem.h"
#include "text/words/token.h"
#include "text/vec.h"
#include "text/vocab.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct fixture {
    struct topic *topic;
    struct profiler *profiler;
    struct arena arena;
    struct profile profile;
};

static void begin(struct fixture *f, const char *topic_text)
{
    arena_init(&f->arena, MIB(64));
    if (topic_from_text(str_of(topic_text), "t", STR("en"), &f->topic) != ST_OK)
        fail_msg("%s", status_text());
    f->profiler = profiler_new(f->topic);
}

static void end(struct fixture *f)
{
    profiler_free(f->profiler);
    topic_free(f->topic);
    arena_free(&f->arena);
}

static struct page page_of(struct fixture *f, const char *title, const char *text, const char *lang)
{
    struct page page = page_of_text(str_of(text), &f->arena);

    page.title = str_of(title);
    page.lang = str_of(lang);
    return page;
}

static enum drop profile_lang(struct fixture *f, const char *title, const char *text,
                              const char *lang)
{
    struct page page = page_of(f, title, text, lang);

    return profile_page(f->profiler, &page, STR("http://example.org/A"), NULL, &f->arena,
                        &f->profile);
}

static float relevance(struct fixture *f, const char *text)
{
    assert_int_equal(profile_lang(f, "", text, "en"), DROP_NONE);
    return f->profile.relevance;
}

static void assert_near(double got, double expected)
{
    if (fabs(got - expected) > 1e-6)
        fail_msg("%.9g is not %.9g", got, expected);
}

static void a_page_is_counted_without_stop_words(void **state UNUSED)
{
    struct fixture f;

    begin(&f, "solar\n");
    profile_lang(&f, "The Solar page", "Solar panels and the panel of solar power", "en");
    assert_int_equal(f.profile.length, 7);
    assert_int_equal(f.profile.nterms, 4); /* solar 3, page 1, panel 2, power 1 */
    assert_int_equal(vec_find(f.profile.terms, 4, term_id(STR("solar"))), 3);
    assert_int_equal(vec_find(f.profile.terms, 4, term_id(STR("panel"))), 2);
    assert_int_equal(vec_find(f.profile.terms, 4, term_id(STR("the"))), 0);
    for (uint32_t i = 1; i < f.profile.nterms; i++)
        assert_true(f.profile.terms[i - 1].id < f.profile.terms[i].id);
    end(&f);
}

/* A menu of one word, then main text that begins with "honey" and is longer than its lead. */
static struct page page_with_a_menu(struct fixture *f, struct passage *main)
{
    static const char *text = "menu honey the the the the the the the the the the the the the the"
                              " the the the the the the the the the the the the the the the the"
                              " the the the the the the the the the late honey";
    struct page page = page_of(f, "Bees", text, "en");

    *main = (struct passage){.off = (uint32_t)strlen("menu "), .len = (uint32_t)strlen(text) - 5};
    page.main = main;
    page.nmain = 1;
    return page;
}

static void check_lead(const struct profile *p)
{
    struct term t[4];

    assert_int_equal(p->nterms, 4);
    profile_terms(p, t);
    assert_int_equal(vec_find(t, 4, term_id(STR("bee"))), 9); /* of the title */
    assert_int_equal(vec_find(t, 4, term_id(STR("menu"))), 1);
    assert_int_equal(vec_find(t, 4, term_id(STR("honey"))), 10); /* once in the lead, once later */
    assert_int_equal(vec_find(t, 4, term_id(STR("late"))), 1);   /* word 41 */
}

#define MENU "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda "
#define BODY                                                                                 \
    "river stone cloud bridge apple horse candle winter garden silver mirror forest copper " \
    "ladder "                                                                                \
    "thunder window basket harbour lantern meadow orchard"

/* A page with a menu, read with these parts of its main text alone. */
static struct profile read_by(struct fixture *f, const char *text, size_t menu, unsigned parts)
{
    struct page page = page_of(f, "Bees", text, "en");
    struct passage main = {.off = (uint32_t)menu, .len = (uint32_t)(strlen(text) - menu)};
    struct profile ret;

    page.main = &main;
    page.nmain = 1;
    profiler_read_main(f->profiler, parts);
    (void)profile_page(f->profiler, &page, STR("http://a.example/"), NULL, &f->arena, &ret);
    return ret;
}

/* The menu is no part of a copy, no term and no word around a link, each where it is asked for. */
static void main_text_may_be_read_alone(void **state UNUSED)
{
    struct profile all, bare, part;
    struct fixture f;

    begin(&f, "solar\n");
    all = read_by(&f, MENU BODY, strlen(MENU), 0);
    bare = read_by(&f, BODY, 0, 0);
    assert_true(all.simhash != bare.simhash && all.nterms == bare.nterms + 11);
    part = read_by(&f, MENU BODY, strlen(MENU), PROFILE_MAIN_SIMHASH);
    assert_true(part.simhash == bare.simhash && part.nterms == all.nterms);
    part = read_by(&f, MENU BODY, strlen(MENU), PROFILE_MAIN_TERMS);
    assert_true(part.simhash == all.simhash && part.nterms == bare.nterms);
    assert_true(part.nsequence == all.nsequence && part.length == bare.length);
    assert_int_equal(part.stops[0], all.stops[0]);
    part = read_by(&f, MENU BODY, strlen(MENU), PROFILE_MAIN_CONTEXTS);
    assert_int_equal(part.stops[0] >> (part.ntitle + 1) & 0xfff, 0x7ff);
    assert_int_equal(part.nterms, all.nterms);
    part = read_by(&f, MENU BODY, strlen(MENU BODY) - 30, PROFILE_MAIN_TERMS); /* a few words */
    assert_int_equal(part.nterms, all.nterms);
    end(&f);
}

static void words_of_title_and_lead_count_more(void **state UNUSED)
{
    struct fixture f;
    struct passage main;
    struct profile copy;
    struct page page;

    begin(&f, "solar\n");
    page = page_with_a_menu(&f, &main);
    (void)profile_page(f.profiler, &page, STR("http://a.example/"), NULL, &f.arena, &f.profile);
    check_lead(&f.profile);
    copy = profile_copy(&f.profile);
    end(&f);
    assert_int_equal(copy.nsequence, 1 + 1 + 40);
    check_lead(&copy);
    profile_drop(&copy);
}

static void similarity_is_the_cosine_of_raw_counts(void **state UNUSED)
{
    struct fixture f;

    begin(&f, "solar energy\n");
    /* page (solar 3, wind 4), topic (solar 1, energy 1): 3 / (5 * sqrt 2) */
    profile_lang(&f, "", "solar solar solar wind wind wind wind", "en");
    assert_near(f.profile.similarity, 3 / (5 * sqrt(2)));
    profile_lang(&f, "", "wind", "en");
    assert_near(f.profile.similarity, 0);
    profile_lang(&f, "", "energy solar", "en");
    assert_near(f.profile.similarity, 1);
    profile_lang(&f, "", "", "en");
    assert_near(f.profile.similarity, 0);
    end(&f);
}

static void relevance_without_documents_has_idf_1(void **state UNUSED)
{
    struct fixture f;
    double s = 1 + log(3), w = 1 + log(4);

    begin(&f, "solar energy\n");
    assert_near(relevance(&f, "solar solar solar wind wind wind wind"),
                s / (sqrt(2) * sqrt(s * s + w * w)));
    assert_near(relevance(&f, "solar energies"), 1);
    assert_near(relevance(&f, "wind"), 0);
    assert_near(relevance(&f, ""), 0);
    assert_near(f.profile.simhash == 0, 1);
    end(&f);
}

static void weights_multiply_the_query(void **state UNUSED)
{
    struct fixture f;

    begin(&f, "solar 3\nenergy 4\n");
    assert_near(relevance(&f, "solar"), 3.0 / 5);
    assert_near(relevance(&f, "energy"), 4.0 / 5);
    end(&f);
}

static void relevance_weighs_rare_words_more(void **state UNUSED)
{
    struct fixture f;
    struct vocab *v = vocab_new();
    struct df_table *df;
    struct page page;
    double solar = log(1 + 4.0 / 1), energy = log(1 + 4.0 / 4), wind = log(1 + 4.0 / 2);
    double tf2 = 1 + log(2);

    begin(&f, "solar energy\n");
    for (int i = 0; i < 4; i++) {
        page = page_of(&f, "",
                       i == 0   ? "solar energy wind"
                       : i == 1 ? "energy wind"
                                : "energy",
                       "");
        profile_learn(f.profiler, &page, v);
    }
    df = vocab_publish(v);
    page = page_of(&f, "", "energy wind wind", "en");
    assert_int_equal(profile_page(f.profiler, &page, STR(""), df, &f.arena, &f.profile), DROP_NONE);
    assert_near(f.profile.relevance, energy * energy /
                                         (sqrt(solar * solar + energy * energy) *
                                          sqrt(energy * energy + tf2 * wind * tf2 * wind)));
    /* a new table is noticed, and so is none */
    assert_near(relevance(&f, "solar"), 1 / sqrt(2));
    page = page_of(&f, "", "solar", "en");
    assert_int_equal(profile_page(f.profiler, &page, STR(""), df, &f.arena, &f.profile), DROP_NONE);
    assert_near(f.profile.relevance, solar / sqrt(solar * solar + energy * energy));
    df_release(df);
    vocab_free(v);
    end(&f);
}

static void a_phrase_is_a_dimension_of_its_own(void **state UNUSED)
{
    struct fixture f;
    double tf2 = 1 + log(2);

    begin(&f, "\"heat pump\" 2\nsolar\n");
    /* solar 1, heat 1, pump 1, "heat pump" 1: (1*1 + 2*1) / (sqrt 5 * sqrt 4) */
    assert_near(relevance(&f, "Solar heat pumps"), 3 / (sqrt(5) * 2));
    assert_near(relevance(&f, "pump heat"), 0);
    assert_near(relevance(&f, "heat of the pump"), 0);
    assert_near(relevance(&f, "heat pump heat pump"), 2 * tf2 / (sqrt(5) * sqrt(3 * tf2 * tf2)));
    end(&f);
}

static void a_phrase_may_hold_stop_words_and_ends_with_the_title(void **state UNUSED)
{
    struct fixture f;

    begin(&f, "\"state of the art\"\n");
    assert_true(relevance(&f, "the state of the art") > 0.5f);
    assert_near(relevance(&f, "state art"), 0);
    profile_lang(&f, "state of", "the art", "en");
    assert_near(f.profile.relevance, 0);
    profile_lang(&f, "The state of the art", "nothing", "en");
    assert_true(f.profile.relevance > 0.4f);
    end(&f);
}

static void negative_words_subtract_down_to_0(void **state UNUSED)
{
    struct fixture f;

    begin(&f, "solar\n-astrology 0.5\n");
    assert_near(relevance(&f, "solar"), 1); /* the negative word costs only pages that have it */
    assert_near(relevance(&f, "solar wind"), 1 / sqrt(2));
    assert_near(relevance(&f, "solar astrology"), (1 - 0.5) / sqrt(2));
    assert_near(relevance(&f, "solar astrology astrology astrology astrology"), 0);
    assert_near(f.profile.similarity, 1 / sqrt(17));
    end(&f);
}

static void stop_word_topics_count_stop_words(void **state UNUSED)
{
    struct fixture f;

    begin(&f, "IT\n");
    assert_near(relevance(&f, "It works"), 1 / sqrt(2));
    assert_near(f.profile.similarity, 1 / sqrt(2));
    assert_near(relevance(&f, "the works"), 0);
    end(&f);
}

static void topic_words_meet_pages_in_other_languages(void **state UNUSED)
{
    struct fixture f;

    /* both words have other stems in French and in German than in English */
    begin(&f, "energies informations\n");
    profile_lang(&f, "", "energies et informations", "fr");
    assert_near(f.profile.relevance, 1);
    profile_lang(&f, "", "energies informations", "de-at");
    assert_near(f.profile.relevance, 1);
    profile_lang(&f, "", "energy information", "tlh"); /* unknown: the topic's language */
    assert_near(f.profile.relevance, 1);
    end(&f);
}

static void words_that_are_stop_words_in_the_language_of_a_page_do_not_count(void **state UNUSED)
{
    struct fixture f;

    begin(&f, "Geschichte der Netzwerke\n"); /* taken for English, which has no word "der" */
    profile_lang(&f, "", "die Geschichte des Netzwerks", "de");
    assert_near(f.profile.relevance, 1);
    assert_near(f.profile.similarity, 1);
    end(&f);
    begin(&f, "der die\n"); /* nothing else is left: they stay */
    profile_lang(&f, "", "der Hund", "de");
    assert_true(f.profile.relevance >= 0);
    end(&f);
}

static void match_patterns_decide_between_something_and_0(void **state UNUSED)
{
    struct fixture f;

    begin(&f, "panel\nmatch *SOLAR*\nmatch *other.org/*\n");
    assert_near(relevance(&f, "panel of cells"), 0);
    assert_true(f.profile.similarity > 0);
    assert_true(relevance(&f, "panel of Solar cells") > 0.3f);
    profile_lang(&f, "Solar", "panel", "en");
    assert_true(f.profile.relevance > 0.5f);
    end(&f);
}

static void reject_patterns_drop(void **state UNUSED)
{
    struct fixture f;

    begin(&f, "panel\nreject *casino*\nreject example.org/a?*\n");
    assert_int_equal(profile_lang(&f, "", "panel", "en"), DROP_NONE);
    assert_int_equal(profile_lang(&f, "", "Casino panel", "en"), DROP_REJECTED);
    assert_true(f.profile.nterms == 2);
    assert_int_equal(profile_lang(&f, "CASINO", "panel", "en"), DROP_REJECTED);
    end(&f);
    begin(&f, "panel\nreject example.org/?\n");
    assert_int_equal(profile_lang(&f, "", "panel", "en"), DROP_REJECTED);
    end(&f);
}

static void examples_move_the_query(void **state UNUSED)
{
    struct fixture f;
    double plus = 0.75 / sqrt(2), minus = 0.25;

    begin(&f, "solar\n");
    assert_near(relevance(&f, "photovoltaic"), 0);
    profiler_free(f.profiler);
    assert_int_equal(example_add(f.topic, STR("photovoltaic cell"), true), ST_OK);
    assert_int_equal(example_add(f.topic, STR("astrology"), false), ST_OK);
    f.profiler = profiler_new(f.topic);
    /* q = solar 1, photovoltaic .53, cell .53, astrology -.25 */
    assert_near(relevance(&f, "photovoltaic"), plus / sqrt(1 + 2 * plus * plus));
    assert_near(relevance(&f, "solar astrology"),
                (1 - minus) / (sqrt(2) * sqrt(1 + 2 * plus * plus)));
    assert_near(relevance(&f, "astrology"), 0);
    end(&f);
}

static void a_topic_of_examples_alone_measures(void **state UNUSED)
{
    struct fixture f;

    begin(&f, "+ file\n");
    assert_near(relevance(&f, "solar"), 0);
    profiler_free(f.profiler);
    assert_int_equal(example_add(f.topic, STR("solar cells"), true), ST_OK);
    f.profiler = profiler_new(f.topic);
    assert_near(relevance(&f, "cell of solar"), 1);
    assert_near(f.profile.similarity, 0);
    end(&f);
}

/* Positive (solar), negative (horoscope), three of each: margins +x and -x, x (1 + e^x)
 * = 30, so p = 4/5 and 1/5 by three examples of either kind held out; an unknown word, or
 * both of them, is in the middle. The topic's own words have nothing more to say. */
static void with_both_kinds_of_examples_relevance_is_a_probability(void **state UNUSED)
{
    struct fixture f;

    begin(&f, "sun -astrology\nreject *casino*\n");
    for (int i = 0; i < 3; i++) {
        assert_int_equal(example_add(f.topic, STR("solar"), true), ST_OK);
        assert_int_equal(example_add(f.topic, STR("horoscope"), false), ST_OK);
    }
    topic_train(f.topic, NULL);
    assert_true(relevance(&f, "solar") > 0.79f);
    assert_true(relevance(&f, "horoscopes") < 0.21f);
    assert_near(relevance(&f, "solar horoscope"), 0.5);
    assert_near(relevance(&f, "sun"), 0.5);
    assert_near(relevance(&f, ""), 0);
    assert_int_equal(profile_lang(&f, "", "solar casino", "en"), DROP_REJECTED);
    /* without documents: the topic gives sun 1, astrology -1, solar .75, horoscope -.25;
     * solar keeps 1 - 1/.75 < 0 of its cosine, sun and solar 1 - 1/1.75 */
    assert_near(relevance(&f, "solar astrology"), 0);
    assert_near(relevance(&f, "sun solar astrology") / relevance(&f, "sun solar wind"),
                1 - 1 / 1.75);
    end(&f);
}

static void spans_are_measured_like_pages(void **state UNUSED)
{
    struct fixture f;
    struct page page;

    begin(&f, "solar \"heat pump\"\n");
    page = page_of(&f, "solar", "wind and solar heat pump wind", "en");
    assert_int_equal(profile_page(f.profiler, &page, STR(""), NULL, &f.arena, &f.profile),
                     DROP_NONE);
    assert_near(profile_span(f.profiler, &f.profile, (struct span){0, 2}, NULL), 0);
    assert_near(profile_span(f.profiler, &f.profile, (struct span){1, 3}, NULL), 1 / sqrt(2));
    assert_near(profile_span(f.profiler, &f.profile, (struct span){2, 5}, NULL), 2 / (sqrt(2) * 2));
    assert_near(profile_span_raw(f.profiler, &f.profile, (struct span){2, 5}), 1);
    assert_near(profile_span_raw(f.profiler, &f.profile, (struct span){0, 3}),
                1 / (sqrt(3) * sqrt(2)));
    assert_near(profile_span(f.profiler, &f.profile, (struct span){3, 3}, NULL), 0);
    assert_near(profile_span(f.profiler, &f.profile, (struct span){5, 99}, NULL), 0);
    assert_near(profile_span_raw(f.profiler, &f.profile, (struct span){9, 99}), 0);
    end(&f);
}

/* A page that was profiled without a topic gets the same verdict to the bit. */
static void a_shared_profile_is_judged_like_a_page(void **state UNUSED)
{
    static const char *const topics[] = {"solar \"heat pump\" -wind\n", "it\n",
                                         "solar 2.5\n+ file\n",
                                         "solar -\"heat pump\" 0.1\n+ good\n- bad\n"};

    for (size_t i = 0; i < ARRAY_LEN(topics); i++) {
        struct profile shared, own;
        struct profiler *blind;
        struct fixture f;
        struct page page;

        begin(&f, topics[i]);
        if (i >= 2)
            assert_int_equal(example_add(f.topic, STR("solar cells and wind"), true), ST_OK);
        if (i >= 3) {
            assert_int_equal(example_add(f.topic, STR("heat of the moment"), false), ST_OK);
            topic_train(f.topic, NULL);
        }
        page = page_of(&f, "It is solar", "wind and solar heat pump, it was the heat pump", "en");
        blind = profiler_new(NULL);
        (void)profile_page(blind, &page, STR("x"), NULL, &f.arena, &shared);
        (void)profile_page(f.profiler, &page, STR("x"), NULL, &f.arena, &own);
        assert_true(shared.relevance == 0 && own.relevance > 0);
        assert_int_equal(profile_judge(f.profiler, &page, STR("x"), NULL, &shared), DROP_NONE);
        assert_true(shared.relevance == own.relevance);
        assert_true(shared.similarity == own.similarity);
        assert_true(profile_span(f.profiler, &shared, (struct span){1, 7}, NULL) ==
                    profile_span(f.profiler, &own, (struct span){1, 7}, NULL));
        profiler_free(blind);
        end(&f);
    }
}

static void learning_writes_a_table_of_stems(void **state UNUSED)
{
    struct fixture f;
    struct vocab *v = vocab_new();
    struct buf out = BUF_INIT(1000);
    struct page page;

    begin(&f, "x\n");
    vocab_keep_text(v);
    page = page_of(&f, "Solar", "The energies of the sun", "en");
    profile_learn(f.profiler, &page, v);
    page = page_of(&f, "", "energy! Energy", "en");
    profile_learn(f.profiler, &page, v);
    vocab_write(v, &out);
    assert_str(buf_str(&out), "# brood idf 1 2\nenergi\t2\nsolar\t1\nsun\t1\n");
    buf_free(&out);
    vocab_free(v);
    end(&f);
}

static void without_a_topic_nothing_is_relevant(void **state UNUSED)
{
    struct fixture f;
    struct page page;

    begin(&f, "x\n");
    profiler_free(f.profiler);
    f.profiler = profiler_new(NULL);
    page = page_of(&f, "", "solar energy", "");
    assert_int_equal(profile_page(f.profiler, &page, STR(""), NULL, &f.arena, &f.profile),
                     DROP_NONE);
    assert_int_equal(f.profile.nterms, 2);
    assert_near(f.profile.relevance, 0);
    assert_near(profile_span(f.profiler, &f.profile, (struct span){0, 2}, NULL), 0);
    end(&f);
}

static void a_full_arena_leaves_the_verdict(void **state UNUSED)
{
    struct fixture f;
    struct arena tiny;
    struct page page;

    begin(&f, "solar\n");
    arena_init(&tiny, 4);
    page = page_of(&f, "", "solar energy", "");
    assert_int_equal(profile_page(f.profiler, &page, STR(""), NULL, &tiny, &f.profile), DROP_NONE);
    assert_int_equal(f.profile.nterms, 0);
    assert_near(f.profile.relevance, 1 / sqrt(2));
    arena_free(&tiny);
    end(&f);
}

/* Rows of a listing: a name, and a date and a size that all listings of the host have. */
static uint64_t listing_of(struct fixture *f, const char *name)
{
    struct buf text = BUF_INIT(1 << 16);
    uint64_t ret;

    for (int i = 0; i < 24; i++)
        buf_addf(&text, "%s%c%c html 22-Sep-2025 07:45 6813 ", name, 'a' + i, 'z' - i);
    (void)relevance(f, text.data);
    ret = f->profile.simhash;
    buf_free(&text);
    return ret;
}

static void listings_of_two_directories_are_not_alike(void **state UNUSED)
{
    struct fixture f;

    begin(&f, "solar\n");
    assert_true(__builtin_popcountll(listing_of(&f, "book") ^ listing_of(&f, "image")) > 3);
    assert_true(listing_of(&f, "book") == listing_of(&f, "book"));
    end(&f);
}

static void the_same_page_gives_the_same_bits(void **state UNUSED)
{
    struct fixture f, g;
    struct buf text = BUF_INIT(1 << 20);
    float first;

    for (int i = 0; i < 20000; i++)
        buf_addf(&text, "word%d solar ", i * 7919 % 5003);
    begin(&f, "solar word3 word99 2\n");
    begin(&g, "solar word3 word99 2\n");
    for (int i = 0; i < 3000; i++) { /* another history of the cache */
        char other[32];

        snprintf(other, sizeof other, "Other%d", i);
        (void)relevance(&g, other);
    }
    first = relevance(&f, text.data);
    assert_true(first > 0 && first == relevance(&g, text.data));
    assert_true(f.profile.simhash == g.profile.simhash);
    assert_true(first == relevance(&f, text.data));
    buf_free(&text);
    end(&f);
    end(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_is_counted_without_stop_words),
        cmocka_unit_test(words_of_title_and_lead_count_more),
        cmocka_unit_test(main_text_may_be_read_alone),
        cmocka_unit_test(similarity_is_the_cosine_of_raw_counts),
        cmocka_unit_test(relevance_without_documents_has_idf_1),
        cmocka_unit_test(weights_multiply_the_query),
        cmocka_unit_test(relevance_weighs_rare_words_more),
        cmocka_unit_test(a_phrase_is_a_dimension_of_its_own),
        cmocka_unit_test(a_phrase_may_hold_stop_words_and_ends_with_the_title),
        cmocka_unit_test(negative_words_subtract_down_to_0),
        cmocka_unit_test(stop_word_topics_count_stop_words),
        cmocka_unit_test(topic_words_meet_pages_in_other_languages),
        cmocka_unit_test(words_that_are_stop_words_in_the_language_of_a_page_do_not_count),
        cmocka_unit_test(match_patterns_decide_between_something_and_0),
        cmocka_unit_test(reject_patterns_drop),
        cmocka_unit_test(examples_move_the_query),
        cmocka_unit_test(a_topic_of_examples_alone_measures),
        cmocka_unit_test(with_both_kinds_of_examples_relevance_is_a_probability),
        cmocka_unit_test(spans_are_measured_like_pages),
        cmocka_unit_test(a_shared_profile_is_judged_like_a_page),
        cmocka_unit_test(learning_writes_a_table_of_stems),
        cmocka_unit_test(without_a_topic_nothing_is_relevant),
        cmocka_unit_test(a_full_arena_leaves_the_verdict),
        cmocka_unit_test(listings_of_two_directories_are_not_alike),
        cmocka_unit_test(the_same_page_gives_the_same_bits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
