/* The guide on pages of two or three words, computed by hand. Without a table every idf is 1.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/mem.h"
#include "base/parts.h"
#include "text/guide.h"
#include "text/guide_fit.h"
#include "text/topic.h"
#include "text/vocab.h"

#include <math.h>
#include <stdlib.h>

static void assert_near(double got, double expected, double within)
{
    if (!(fabs(got - expected) <= within))
        fail_msg("%.9g, not %.9g", got, expected);
}

struct made {
    struct term terms[9];
    uint32_t sequence[10];
    uint64_t stops[1];
    struct profile profile;
};

static int by_id(const void *a, const void *b)
{
    uint32_t x = ((const struct term *)a)->id, y = ((const struct term *)b)->id;

    return x < y ? -1 : x > y;
}

/* A page of these words, each once; an untitled one. */
static const struct profile *page(struct made *m, const char *words)
{
    struct str rest = str_of(words), word;
    uint32_t n = 0;

    *m = (struct made){0};
    while (rest.len > 0 && str_cut(&rest, ' ', &word)) {
        m->terms[n] = (struct term){term_id(word), 1};
        m->sequence[++n] = term_id(word);
    }
    qsort(m->terms, n, sizeof *m->terms, by_id);
    m->profile = (struct profile){.terms = m->terms,
                                  .nterms = n,
                                  .sequence = m->sequence,
                                  .stops = m->stops,
                                  .nsequence = n + 1};
    return &m->profile;
}

static struct guide *open_guide(struct topic **ret_topic, size_t memory)
{
    struct guide_config config = {.memory = memory};

    assert_int_equal(topic_from_words(STR("bee"), STR("en"), ret_topic), ST_OK);
    return guide_new(*ret_topic, &config);
}

static double p_of(struct guide *g, const char *words)
{
    struct made m;

    return guide_probability(g, page(&m, words), NULL);
}

static double add(struct guide *g, const char *words, uint32_t number, bool is_seed)
{
    struct made m;

    return guide_add(g, page(&m, words), NULL, number, is_seed);
}

static void words_alone_are_a_cosine(void **state UNUSED)
{
    struct topic *t;
    struct guide *g = open_guide(&t, 100);

    assert_near(p_of(g, "bee car"), 0.70711, 1e-4); /* 1 / sqrt(2) */
    assert_near(p_of(g, "car"), 0.01, 1e-9);        /* the least there is */
    guide_free(g);
    topic_free(t);
}

/* q = (1, 0), c = (1, 1) / sqrt 2, q + c = (1.70711, .70711) of length 1.84776. Without itself
 * the start page has .7071 with q, so 1.5 times that is certain. The length of a usual page is
 * sqrt 2, so a single word is divided by .7 + .3 sqrt 2 = 1.12426. */
static void start_pages_are_examples(void **state UNUSED)
{
    struct topic *t;
    struct guide *g = open_guide(&t, 100);
    struct made m;

    assert_near(add(g, "bee hive", 0, true), 1, 1e-6);
    assert_near(p_of(g, "hive"), 0.38268 / 1.06066 / 1.12426, 1e-4);
    assert_near(p_of(g, "bee"), 0.92388 / 1.06066 / 1.12426, 1e-4);
    guide_read(g, page(&m, "bee hive car"), NULL);
    assert_near(guide_span(g, (struct span){0, 1}), 4 * 0.92388, 1e-4);
    assert_near(guide_span(g, (struct span){0, 2}), 4 * (0.92388 + 0.38268) / 1.41421, 1e-4);
    assert_near(guide_span(g, (struct span){2, 3}), 0, 1e-9);
    assert_near(guide_span(g, (struct span){3, 9}), 0, 1e-9); /* beyond the page */
    guide_free(g);
    topic_free(t);
}

/* Both have the word bee, each one of the others, whose share is 1/2: C = (2, 1/4, 1/4) / sqrt 2,
 * c = (.98473, .12309, .12309), q + c of length 1.99235. */
static void what_start_pages_share_counts_most(void **state UNUSED)
{
    struct topic *t;
    struct guide *g = open_guide(&t, 100);
    struct made m;

    assert_near(add(g, "bee hive", 0, true), 1, 1e-6);
    assert_near(add(g, "bee wax", 1, true), 1, 1e-6);
    guide_read(g, page(&m, "bee hive wax"), NULL);
    assert_near(guide_span(g, (struct span){0, 1}), 4 * 1.98473 / 1.99235, 1e-4);
    assert_near(guide_span(g, (struct span){1, 2}), 4 * 0.12309 / 1.99235, 1e-4);
    assert_near(guide_span(g, (struct span){2, 3}), 4 * 0.12309 / 1.99235, 1e-4);
    guide_free(g);
    topic_free(t);
}

static void start_page_off_the_topic_does_not_count(void **state UNUSED)
{
    struct topic *t;
    struct guide *g = open_guide(&t, 100);

    (void)add(g, "bee hive", 0, true);
    (void)add(g, "bee hive", 1, true);
    assert_near(add(g, "car road", 2, true), 0, 1e-6);
    assert_near(guide_seed_weight(g, 0), 1, 1e-6);
    assert_near(guide_seed_weight(g, 2), 0, 1e-6);
    assert_true(p_of(g, "hive") > 0.1 && p_of(g, "road") < 0.02);
    guide_free(g);
    topic_free(t);
}

static void negative_word_speaks_against_a_page(void **state UNUSED)
{
    struct guide_config config = {.memory = 100};
    struct topic *plain, *barred;
    struct guide *a, *b;

    assert_int_equal(topic_from_words(STR("bee"), STR("en"), &plain), ST_OK);
    assert_int_equal(topic_from_words(STR("bee -car"), STR("en"), &barred), ST_OK);
    assert_int_equal(topic_against(barred), 1);
    a = guide_new(plain, &config);
    b = guide_new(barred, &config);
    assert_near(p_of(a, "bee road"), p_of(b, "bee road"), 0.3);
    assert_true(p_of(a, "bee car") > 0.5);
    assert_near(p_of(b, "bee car"), 0.01, 1e-6); /* as much against as for */
    guide_free(a);
    guide_free(b);
    topic_free(plain);
    topic_free(barred);
}

/* Its nearness is below zero, and the square of that is not. */
static void start_page_against_the_topic_does_not_count(void **state UNUSED)
{
    struct guide_config config = {.memory = 100};
    struct topic *t;
    struct guide *g;

    assert_int_equal(topic_from_words(STR("bee -car"), STR("en"), &t), ST_OK);
    g = guide_new(t, &config);
    assert_near(add(g, "bee hive", 0, true), 1, 1e-6);
    assert_near(add(g, "car road", 1, true), 0, 1e-6);
    assert_near(guide_seed_weight(g, 0), 1, 1e-6);
    guide_free(g);
    topic_free(t);
}

static void no_label(void *ctx, uint32_t number, double p)
{
    (void)ctx, (void)number, (void)p;
}

/* A start page e1 and a counterexample e2, each with the cost .6: with w = 4 e1 + a1 e1 + a2 e2
 * and bias a1 + a2 the errors give 3.4 a1 + 1.2 a2 = -3.6 and 1.2 a1 + 3.4 a2 = -1.2, so that
 * w = 2.93281 e1 + .02372 e2 and the bias is -1.04348. A usual page has the length 1, so three words
 * are divided by .7 sqrt 3 + .3 = 1.51244. */
static void training_is_a_ridge_regression(void **state UNUSED)
{
    struct topic *t;
    struct guide *g = open_guide(&t, 100);

    (void)add(g, "bee", 0, true);
    (void)add(g, "car", 1, false);
    guide_train(g, NULL, NULL, no_label, NULL);
    assert_near(p_of(g, "bee"), 0.99, 1e-9);
    assert_near(p_of(g, "bee sky sea"), 0.5 + 0.5 * (2.93281 / 1.51244 - 1.04348), 1e-4);
    assert_near(p_of(g, "bee car sky"), 0.5 + 0.5 * (2.95652 / 1.51244 - 1.04348), 1e-4);
    assert_near(p_of(g, "sky"), 0.01, 1e-9);
    guide_free(g);
    topic_free(t);
}

/* x: nine words, the topic's among them; c = x, |q + x| = 1.63299, w0 x = 3.26599, of which x
 * gave 4 / 1.63299 = 2.44949 itself. 3.4 a1 + 1.2 a2 = -2.71919 and 1.2 a1 + 3.4 a2 = -1.2:
 * a1 = -.77127, bias -.85200. Without its own part and its a1, twice, w x = 1.58777. */
static void start_page_is_no_witness_for_itself(void **state UNUSED)
{
    static const char x[] = "bee hive wax honey comb drone queen swarm nectar";
    struct topic *t;
    struct guide *g = open_guide(&t, 100);

    (void)add(g, x, 0, true);
    (void)add(g, "car road tyre fuel gear motor wheel brake seat", 1, false);
    guide_train(g, NULL, NULL, no_label, NULL);
    assert_near(p_of(g, x), 0.99, 1e-9);
    assert_near(guide_seed_probability(g, 0, -1), 0.5 + 0.5 * (1.58777 - 0.85200), 1e-4);
    guide_free(g);
    topic_free(t);
}

#define WORDS 40
#define PAGES 60

/* How far an example is from its equation: its error is to be its alpha / (2 cost). */
static double rest_of(const struct example *e, const float *w, double bias)
{
    return e->y - guide_dot(e->page, w) - bias - e->alpha / (2 * e->cost);
}

/* Pages of eight words, some of them twice and with different labels. Every seventh does not count.
 * The others count almost nothing, as usual, or as much as one of 3,000 that is of another kind. */
static void a_solution_solves_all_equations(void **state UNUSED)
{
    static const double costs[] = {1e-9, 0.3, 450};
    struct guide_page pages[PAGES] = {0};
    struct term terms[PAGES][8];
    float x[PAGES][8];
    struct rng r;

    rng_init(&r, 3);
    for (size_t i = 0; i < PAGES; i++) {
        pages[i] = (struct guide_page){.terms = terms[i], .x = x[i], .nterms = 8};
        for (uint32_t k = 0; k < 8; k++) {
            terms[i][k] =
                i % 9 == 1 ? terms[i - 1][k] : (struct term){5 * k + (uint32_t)rng_below(&r, 5), 1};
            x[i][k] = i % 9 == 1 ? x[i - 1][k] : (float)rng_unit(&r) / 2;
            pages[i].square += (double)x[i][k] * (double)x[i][k];
        }
    }
    for (size_t c = 0; c < ARRAY_LEN(costs); c++) {
        struct example all[PAGES] = {0};
        float w[WORDS] = {1, 0, -1};
        double bias = 0.5;

        for (size_t i = 0; i < PAGES; i++)
            all[i] = (struct example){
                .page = &pages[i], .y = i % 3 ? -1 : 1, .cost = i % 7 ? costs[c] : 0};
        guide_solve(all, PAGES, WORDS, w, &bias);
        for (size_t i = 0; i < PAGES; i++)
            assert_near(i % 7 ? rest_of(&all[i], w, bias) : all[i].alpha, 0, 1e-3);
    }
}

static void nothing_to_solve_changes_nothing(void **state UNUSED)
{
    struct guide_page page = {.nterms = 0};
    struct example e = {.page = &page, .y = 1, .cost = 0};
    double bias = 0.5;
    float w = 2;

    guide_solve(&e, 1, 1, &w, &bias);
    guide_solve(&e, 0, 1, &w, &bias);
    e.cost = 1;
    e.y = 0.5; /* without an error */
    guide_solve(&e, 1, 1, &w, &bias);
    assert_near((double)w, 2, 0);
    assert_near(bias, 0.5, 0);
}

/* A start page of nine words, eight pages "car" and one page `best`: their lengths are 3, 1 and 1,
 * that of a usual page is 1.2, and the best tenth by the words is one page. */
static double weight_beside(const char *best)
{
    struct topic *t;
    struct guide *g = open_guide(&t, 100);
    double ret;

    assert_near(add(g, "bee hive wax honey comb drone queen swarm nectar", 0, true), 1, 1e-6);
    for (uint32_t i = 1; i <= 8; i++)
        (void)add(g, "car", i, false);
    (void)add(g, best, 9, false);
    guide_train(g, NULL, NULL, no_label, NULL);
    ret = guide_seed_weight(g, 0);
    guide_free(g);
    topic_free(t);
    return ret;
}

/* The start page has 1 / (.7 * 3 + .36) = .40650 with the words. The page "bee" has
 * 1 / 1.06 = .94340, so the share is .43089, and the weight (.43089 - .3) / .3. If no page has the
 * words, nothing is known. */
static void a_lone_start_page_is_compared_with_what_was_found(void **state UNUSED)
{
    assert_near(weight_beside("bee"), 0.43631, 1e-4);
    assert_near(weight_beside("car"), 1, 1e-6);
}

static void trainings_come_at_halves_and_doublings(void **state UNUSED)
{
    static const uint64_t due[] = {8, 12, 18, 27, 41, 62, 93, 186};
    struct topic *t;
    struct guide *g = open_guide(&t, 30); /* it forgets pages, and still counts them */
    size_t at = 0;

    for (uint32_t i = 1; i <= 200; i++) {
        (void)add(g, i % 3 ? "car road" : "bee hive", i, i == 3);
        if (!guide_is_due(g))
            continue;
        assert_true(at < ARRAY_LEN(due));
        assert_int_equal(i, due[at++]);
        guide_train(g, NULL, NULL, no_label, NULL);
    }
    assert_int_equal(at, ARRAY_LEN(due));
    assert_int_equal(guide_trainings(g), ARRAY_LEN(due));
    assert_true(p_of(g, "bee hive") > p_of(g, "car road") + 0.5);
    guide_free(g);
    topic_free(t);
}

/* Example pages "bee", of the topic, and "car", not of it. */
static struct guide *open_taught(const char *topic, struct topic **ret_topic)
{
    struct term bee = {term_id(STR("bee")), 1}, car = {term_id(STR("car")), 1};
    struct guide_config config = {.memory = 100};

    assert_int_equal(topic_from_words(str_of(topic), STR("en"), ret_topic), ST_OK);
    assert_int_equal(topic_add_sample(*ret_topic, &bee, 1, true), ST_OK);
    assert_int_equal(topic_add_sample(*ret_topic, &car, 1, false), ST_OK);
    return guide_new(*ret_topic, &config);
}

/* w = (a, -a), a = 20 (1 - a); nothing can be held out of one example a kind, so the curve has
 * slope 2. */
static void example_pages_train_a_machine(void **state UNUSED)
{
    struct topic *t;
    struct guide *g = open_taught("anything", &t);

    assert_near(p_of(g, "bee"), 0.870429, 1e-4);
    assert_near(p_of(g, "car"), 1 - 0.870429, 1e-4);
    for (uint32_t i = 0; i < 20; i++)
        (void)add(g, "bee car", i, false);
    assert_false(guide_is_due(g));
    guide_free(g);
    topic_free(t);
}

/* w begins at (2, 0), and "bee" needs no more. For "car" it is b = -20 (1 + 2 b), and w = (2, b),
 * bias b. The words alone give margins of 2 and 0, to which the curve is fitted: its slope is ln 2,
 * its shift -ln 2. */
static void words_lead_the_machine(void **state UNUSED)
{
    struct topic *t;
    struct guide *g = open_taught("bee", &t);

    assert_near(p_of(g, "bee"), 0.587836, 1e-4);
    assert_near(p_of(g, "car"), 0.202722, 1e-4);
    guide_free(g);
    topic_free(t);
}

/* By the examples alone, "hive" has the margin 0. It joins them with its whole weight. Now an error
 * costs 7.5 for "bee" and "hive", and 15 for "car": a = 15 (1 - 3 a - c) for the two, c = -30 (1 +
 * 2 a + 2 c) for "car", bias 2 a + c, so a = .716159 and c = -1.196222. */
static void start_pages_join_examples(void **state UNUSED)
{
    struct topic *t;
    struct guide *g = open_taught("anything", &t);

    assert_near(add(g, "hive", 0, true), 1, 0);
    assert_near(p_of(g, "bee"), 0.870401, 1e-4);
    assert_near(p_of(g, "hive"), 0.870401, 1e-4);
    assert_near(guide_seed_probability(g, 0, -1), 0.276853, 1e-4); /* without 2 a of its margin */
    guide_free(g);
    topic_free(t);
}

/* .129571 against .870429: less than half, so 4 (.148859)^2. */
static void start_page_unlike_the_examples_counts_less(void **state UNUSED)
{
    struct topic *t;
    struct guide *g = open_taught("anything", &t);

    (void)add(g, "bee", 0, true);
    assert_near(add(g, "car", 1, true), 0.088636, 1e-3);
    assert_near(guide_seed_weight(g, 0), 1, 0);
    for (uint32_t i = 2; i < 10; i++)
        assert_near(add(g, "bee", i, true), 1, 0);
    assert_true(add(g, "bee", 10, true) < 1); /* ten have joined: it is judged like any page */
    assert_near(guide_seed_probability(g, 10, -1), -1, 0);
    guide_free(g);
    topic_free(t);
}

static void marks_move_the_guide(void **state UNUSED)
{
    struct topic *t;
    struct guide *g = open_guide(&t, 100);
    struct made m;
    double before;

    for (uint32_t i = 0; i < 10; i++)
        (void)add(g, i % 2 ? "bee hive" : "car road", i, false);
    guide_train(g, NULL, NULL, no_label, NULL);
    before = p_of(g, "road");
    (void)page(&m, "car road");
    guide_teach(g, 7, m.profile.terms, m.profile.nterms, 1);
    for (uint32_t i = 10; !guide_is_due(g); i++)
        (void)add(g, "sky", i, false);
    guide_train(g, NULL, NULL, no_label, NULL);
    assert_true(p_of(g, "road") > before + 0.1);
    guide_teach(g, 7, NULL, 0, -1);
    guide_train(g, NULL, NULL, no_label, NULL);
    assert_true(p_of(g, "road") < before + 0.1);
    guide_free(g);
    topic_free(t);
}

/* Figures, then all parts. */
static void save(const struct guide *g, struct buf *out)
{
    guide_save(g, out);
    guide_save_all(g, 0, out);
}

static enum status load(struct guide *g, struct str saved)
{
    struct cursor c = {.rest = saved};
    enum status st = guide_load(g, &c);
    uint32_t number;
    struct str bytes;

    while (st == ST_OK && parts_next(&c, &number, &bytes)) {
        struct cursor part = {.rest = bytes};

        st = guide_load_part(g, number, &part);
    }
    return st == ST_OK ? guide_loaded(g, 40) : st;
}

static void saved_is_the_same(struct topic *t, struct guide *g)
{
    struct guide *again;
    struct guide_config config = {.memory = 20};
    struct buf saved = BUF_INIT(1 << 20), twice = BUF_INIT(1 << 20), none = BUF_INIT(1 << 20);

    for (uint32_t i = 0; i < 40; i++) {
        (void)add(g, i % 3 ? "car road" : "bee hive", i, i == 0);
        if (guide_is_due(g))
            guide_train(g, NULL, NULL, no_label, NULL);
    }
    save(g, &saved);
    again = guide_new(t, &config);
    assert_int_equal(load(again, buf_str(&saved)), ST_OK);
    save(again, &twice);
    guide_save_parts(again, 0, &none);
    assert_int_equal(none.len, 0); /* nothing has changed since */
    assert_true(str_eq(buf_str(&saved), buf_str(&twice)));
    assert_true(p_of(g, "hive") == p_of(again, "hive"));
    for (size_t cut = 0; cut < saved.len; cut += 7) {
        struct guide *part = guide_new(t, &config);

        assert_int_equal(load(part, str_sub(buf_str(&saved), 0, cut)), ST_CORRUPT);
        guide_free(part);
    }
    guide_free(g);
    guide_free(again);
    topic_free(t);
    buf_free(&saved);
    buf_free(&twice);
    buf_free(&none);
}

static void saved_guide_says_the_same(void **state UNUSED)
{
    struct topic *t;
    struct guide *g = open_guide(&t, 20);

    saved_is_the_same(t, g);
    g = open_taught("anything", &t);
    saved_is_the_same(t, g);
}

/* After the first checkpoint the next one has the pages and terms that are new. */
static void parts_are_what_changed(void **state UNUSED)
{
    struct topic *t;
    struct guide *g = open_guide(&t, 100);
    struct buf out = BUF_INIT(1 << 20);
    struct cursor c;
    struct str bytes;
    uint32_t number;

    for (uint32_t i = 0; i < 20; i++)
        (void)add(g, i % 3 ? "car road" : "bee hive", i, false);
    guide_train(g, NULL, NULL, no_label, NULL);
    guide_save_parts(g, 0, &out);
    buf_clear(&out);
    (void)add(g, "car road", 20, false);
    guide_save_parts(g, 7, &out);
    c = (struct cursor){.rest = buf_str(&out)};
    assert_true(parts_next(&c, &number, &bytes));
    assert_int_equal(number, 7 + (1 << 24) + 20);
    assert_int_equal(c.rest.len, 0);
    guide_free(g);
    topic_free(t);
    buf_free(&out);
}

/* w is 4 in the direction of bee, and a word that no page had says nothing. */
static void words_of_a_url_speak_for_the_topic(void **state UNUSED)
{
    struct topic *t;
    struct guide *g = open_guide(&t, 100);

    (void)add(g, "bee hive", 0, false);
    assert_near(guide_url(g, STR("http://hive.example/bees.html")), 4, 1e-6);
    assert_near(guide_url(g, STR("http://bee.example/a/bee-hive?car=1")), 4 / sqrt(2), 1e-6);
    assert_near(guide_url(g, STR("http://bee.example/hive/")), 0, 1e-9);
    assert_near(guide_url(g, STR("http://bee.example")), 0, 1e-9);
    guide_free(g);
    topic_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_alone_are_a_cosine),
        cmocka_unit_test(start_pages_are_examples),
        cmocka_unit_test(negative_word_speaks_against_a_page),
        cmocka_unit_test(what_start_pages_share_counts_most),
        cmocka_unit_test(start_page_off_the_topic_does_not_count),
        cmocka_unit_test(start_page_against_the_topic_does_not_count),
        cmocka_unit_test(training_is_a_ridge_regression),
        cmocka_unit_test(start_page_is_no_witness_for_itself),
        cmocka_unit_test(a_solution_solves_all_equations),
        cmocka_unit_test(nothing_to_solve_changes_nothing),
        cmocka_unit_test(a_lone_start_page_is_compared_with_what_was_found),
        cmocka_unit_test(trainings_come_at_halves_and_doublings),
        cmocka_unit_test(example_pages_train_a_machine),
        cmocka_unit_test(words_lead_the_machine),
        cmocka_unit_test(start_pages_join_examples),
        cmocka_unit_test(start_page_unlike_the_examples_counts_less),
        cmocka_unit_test(marks_move_the_guide),
        cmocka_unit_test(saved_guide_says_the_same),
        cmocka_unit_test(parts_are_what_changed),
        cmocka_unit_test(words_of_a_url_speak_for_the_topic),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
