/* test_classify.c - a linear classifier on problems whose solution is known.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/mem.h"
#include "text/classify.h"
#include "text/lens.h"
#include "text/estimate.h"
#include "text/vocab.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

static const struct term a[] = {{10, 1}}, b[] = {{20, 1}}, both[] = {{10, 1}, {20, 1}};

#define POSITIVE(doc)                                               \
    {                                                               \
        .terms = doc, .nterms = ARRAY_LEN(doc), .is_positive = true \
    }
#define NEGATIVE(doc)                          \
    {                                          \
        .terms = doc, .nterms = ARRAY_LEN(doc) \
    }

static void assert_near(double got, double expected)
{
    if (!(fabs(got - expected) < 1e-5))
        fail_msg("%.9g is not %.9g", got, expected);
}

static struct classifier *train_with(const struct classify_example *examples, size_t n,
                                     const struct df_table *df, enum learner learner, double cost)
{
    struct classify_config config = {.learner = learner, .c = cost};
    struct classifier *c = NULL;

    assert_int_equal(classify_train(examples, n, df, &config, &c), ST_OK);
    return c;
}

/* What a document of this term alone, which has length 1, adds to the bias. */
static double weight_of(const struct classifier *c, uint32_t term)
{
    const struct term t = {term, 1};

    return classify_margin(c, &t, 1, -1) - classify_margin(c, NULL, 0, -1);
}

/* Documents (1,0) and (0,1): by symmetry w = (x,-x) and no bias, with x^2 + 2 C ln(1 +
 * e^-x) least, so x (1 + e^x) = C. For C = 1 + e that is x = 1. */
static void logistic_weights_are_those_of_the_formula(void **state UNUSED)
{
    struct classify_example examples[] = {POSITIVE(a), NEGATIVE(b)};
    struct classifier *c = train_with(examples, 2, NULL, LEARNER_LOGISTIC, 1 + M_E);

    assert_near(weight_of(c, 10), 1);
    assert_near(weight_of(c, 20), -1);
    assert_near(weight_of(c, 30), 0);
    assert_near(classify_margin(c, NULL, 0, -1), 0);
    assert_near(classify_margin(c, a, 1, -1), 1);
    assert_near(classify_margin(c, both, 2, -1), 0);
    classify_free(c);
}

/* The same with x^2 + 2 C (1 - x)^2 least: x = 2 C / (1 + 2 C). */
static void svm_weights_are_those_of_the_formula(void **state UNUSED)
{
    struct classify_example examples[] = {NEGATIVE(b), POSITIVE(a)}; /* order says nothing */
    struct classifier *c = train_with(examples, 2, NULL, LEARNER_SVM, 1);

    assert_near(weight_of(c, 10), 2.0 / 3);
    assert_near(weight_of(c, 20), -2.0 / 3);
    assert_near(classify_margin(c, NULL, 0, -1), 0);
    classify_free(c);
}

/* One against three: the classes weigh 4/2 each as a whole, so it is as above with
 * twice the cost, and still without a bias. */
static void classes_of_different_size_weigh_the_same(void **state UNUSED)
{
    struct classify_example examples[] = {NEGATIVE(b), POSITIVE(a), NEGATIVE(b), NEGATIVE(b)};
    struct classifier *c = train_with(examples, 4, NULL, LEARNER_LOGISTIC, (1 + M_E) / 2);

    assert_near(weight_of(c, 10), 1);
    assert_near(weight_of(c, 20), -1);
    assert_near(classify_margin(c, NULL, 0, -1), 0);
    classify_free(c);
}

/* Margins +1 and -1, n of each: p(1) = (n + 1) / (n + 2), so the slope is ln(n + 1).
 * One at +1 and three at -1: p(1) = 2/3 and p(-1) = 1/5, so slope + shift = ln 2 and
 * shift - slope = -ln 4. */
static void known_margins_give_the_known_curve(void **state UNUSED)
{
    static const double margins[] = {1, 1, 1, -1, -1, -1};
    static const bool positive[] = {true, true, true, false, false, false};
    struct platt p;

    assert_true(platt_fit(margins, positive, 6, &p));
    assert_near(p.slope, log(4));
    assert_near(p.shift, 0);
    assert_near(platt_probability(&p, 1), 4.0 / 5);
    assert_true(platt_fit(margins + 2, positive + 2, 4, &p));
    assert_near(p.slope, 1.5 * log(2));
    assert_near(p.shift, -0.5 * log(2));
    assert_near(platt_probability(&p, -1), 1.0 / 5);
    assert_true(platt_probability(&p, 1e6) == 1 && platt_probability(&p, -1e6) == 0);
}

static void margins_that_say_nothing_give_no_curve(void **state UNUSED)
{
    static const double margins[] = {-1, -2, 1, 2};
    static const bool wrong[] = {true, true, false, false}, one[] = {true, true, true, true};
    struct platt p = {7, 8};

    assert_false(platt_fit(margins, wrong, 4, &p));
    assert_false(platt_fit(margins, one, 4, &p));
    assert_false(platt_fit(NULL, NULL, 0, &p));
    assert_true(p.slope == 7 && p.shift == 8);
}

/* Three folds, each told apart by two examples of either kind: margins are +x and -x
 * throughout. A fold's curve comes from the two others: p = 3/4; the classifier's own
 * from all three: 4/5. */
static void examples_that_differ_are_told_apart(void **state UNUSED)
{
    struct classify_example examples[] = {POSITIVE(a), POSITIVE(a), POSITIVE(a),
                                          NEGATIVE(b), NEGATIVE(b), NEGATIVE(b)};
    struct classifier *c = train_with(examples, 6, NULL, LEARNER_LOGISTIC, 1);
    const struct estimate *e = classify_estimate(c);
    struct buf out = BUF_INIT(1000);

    assert_int_equal(e->folds, 3);
    assert_int_equal(e->positive, 3);
    assert_int_equal(e->negative, 3);
    assert_near(e->accuracy, 1);
    assert_near(e->auc, 1);
    assert_near(e->precision, 1);
    assert_near(e->recall, 1);
    assert_near(e->log_loss, -log(0.75));
    assert_true(classify_probability(c, a, 1, -1) > 0.79f);
    assert_near((double)classify_probability(c, both, 2, -1), 0.5);
    estimate_describe(e, &out);
    buf_add_z(&out, "; ");
    estimate_doubt(e, &out);
    assert_str(buf_str(&out), "held-out accuracy 1.00, AUC 1.00, precision 1.00, recall 1.00 "
                              "(3-fold); unsure: only 3 positive examples (give at least 5)");
    buf_free(&out);
    classify_free(c);
}

/* Called at .5 or more: 3 and 5, one of them rightly. Of the pairs (3 | 1 2) both are
 * right, of (4 | 1 2) one and a tie. */
static void an_estimate_counts(void **state UNUSED)
{
    static const double margins[] = {-2, -1, 3, -1, 1};
    static const double p[] = {0.1, 0.2, 0.8, 0.25, 0.5};
    static const bool positive[] = {false, false, true, true, false};
    struct estimate e = {0};

    estimate_fill(&e, margins, p, positive, 5);
    assert_int_equal(e.positive, 2);
    assert_int_equal(e.negative, 3);
    assert_near(e.accuracy, 3.0 / 5);
    assert_near(e.precision, 1.0 / 2);
    assert_near(e.recall, 1.0 / 2);
    assert_near(e.auc, (3 + 1.5) / 6);
    assert_near(e.log_loss, -(log(0.9) + log(0.8) + log(0.8) + log(0.25) + log(0.5)) / 5);
}

static void examples_that_do_not_differ_are_reported(void **state UNUSED)
{
    struct classify_example examples[] = {POSITIVE(a), NEGATIVE(a), POSITIVE(b), NEGATIVE(b)};
    struct classifier *c = train_with(examples, 4, NULL, LEARNER_SVM, 1);
    struct buf out = BUF_INIT(1000);

    assert_true(classify_estimate(c)->auc < 0.6);
    estimate_doubt(classify_estimate(c), &out);
    assert_str(buf_str(&out), "very unsure: by their words the examples hardly differ");
    assert_near((double)classify_probability(c, a, 1, -1), 0.5);
    buf_free(&out);
    classify_free(c);
}

static void one_example_of_a_kind_gives_no_estimate(void **state UNUSED)
{
    struct classify_example examples[] = {POSITIVE(a), NEGATIVE(b), NEGATIVE(b)};
    struct classifier *c = train_with(examples, 3, NULL, LEARNER_LOGISTIC, 1);
    struct buf out = BUF_INIT(1000);

    assert_int_equal(classify_estimate(c)->folds, 0);
    assert_true(classify_probability(c, a, 1, -1) > classify_probability(c, b, 1, -1));
    estimate_describe(classify_estimate(c), &out);
    assert_non_null(strstr(out.data, "not estimated"));
    buf_free(&out);
    classify_free(c);
}

static void both_kinds_are_needed(void **state UNUSED)
{
    struct classify_example examples[] = {POSITIVE(a), POSITIVE(b)};
    struct classify_config config = {.c = 1};
    struct classifier *c = NULL;

    assert_int_equal(classify_train(examples, 2, NULL, &config, &c), ST_INVALID);
    assert_int_equal(classify_train(NULL, 0, NULL, &config, &c), ST_INVALID);
    assert_null(c);
}

/* Two vouched for of either kind: two folds, whatever was guessed. */
static void guesses_are_trained_on_but_not_held_out(void **state UNUSED)
{
    struct classify_example examples[] = {POSITIVE(a), NEGATIVE(b),    POSITIVE(a),
                                          NEGATIVE(b), POSITIVE(both), POSITIVE(both)};
    struct classifier *c, *only;

    examples[4].is_guess = examples[5].is_guess = true;
    c = train_with(examples, 6, NULL, LEARNER_LOGISTIC, 1);
    only = train_with(examples, 4, NULL, LEARNER_LOGISTIC, 1);
    assert_int_equal(classify_estimate(c)->folds, 2);
    assert_int_equal(classify_estimate(c)->positive, 2);
    assert_true(classify_margin(c, both, 2, -1) > classify_margin(only, both, 2, -1) + 0.01);
    classify_free(c);
    classify_free(only);
    for (size_t i = 0; i < 6; i++)
        examples[i].is_guess = true; /* nothing else: then they are */
    c = train_with(examples, 6, NULL, LEARNER_LOGISTIC, 1);
    assert_int_equal(classify_estimate(c)->positive, 4);
    classify_free(c);
}

/* Terms 10 and 20 stand in one of two examples each: idf ln(1 + 2/1), as that of a term
 * never seen. A table where 10 is common makes it weigh less. */
static void document_frequencies_are_fixed_in_training(void **state UNUSED)
{
    static const struct term other[] = {{10, 1}, {30, 1}};
    struct classify_example examples[] = {POSITIVE(a), NEGATIVE(b)};
    struct profile page = {.terms = a, .nterms = 1};
    struct vocab *v = vocab_new();
    struct classifier *own = train_with(examples, 2, NULL, LEARNER_LOGISTIC, 1 + M_E), *c;
    struct df_table *df;
    double common = log(1 + 4.0 / 4), rare = log(1 + 4.0);

    for (int i = 0; i < 4; i++)
        vocab_add(v, &page);
    df = vocab_publish(v);
    c = train_with(examples, 2, df, LEARNER_LOGISTIC, 1 + M_E);
    assert_null(classify_table(own));
    assert_ptr_equal(classify_table(c), df);
    assert_near(classify_margin(own, other, 2, -1), 1 / sqrt(2));
    assert_near(classify_margin(own, other, 2, 99), 1 / sqrt(2)); /* its own table, its own sum */
    assert_near(classify_margin(c, other, 2, -1), common / sqrt(common * common + rare * rare));
    assert_true(classify_margin(c, other, 2, lens_square(other, 2, df)) ==
                classify_margin(c, other, 2, -1));
    classify_free(own);
    df_release(df); /* the classifier holds it */
    vocab_free(v);
    assert_near(classify_margin(c, a, 1, -1), 1);
    classify_free(c);
}

/* ---- many examples -------------------------------------------------------- */

#define DOCS  60
#define WORDS 40

struct corpus {
    struct term terms[DOCS][WORDS];
    struct classify_example examples[DOCS];
};

/* Documents that share words, the classes with different ones more often. */
static void corpus_make(struct corpus *k)
{
    for (uint32_t i = 0; i < DOCS; i++) {
        bool positive = i % 3 == 0;

        for (uint32_t w = 0; w < WORDS; w++)
            k->terms[i][w] = (struct term){
                1 + w * 100 + (i * 31 + w * (positive ? 7 : 11)) % (positive ? 60 : 100),
                1 + (i + w) % 5};
        k->examples[i] = (struct classify_example){
            .terms = k->terms[i], .nterms = WORDS, .is_positive = positive};
    }
}

static void *train_and_save(void *arg)
{
    struct corpus *k = arg;
    struct buf *out = MEM_NEW(struct buf);

    buf_init(out, 1 << 20);
    for (int learner = LEARNER_LOGISTIC; learner <= LEARNER_SVM; learner++) {
        struct classifier *c =
            train_with(k->examples, DOCS, NULL, (enum learner)learner, CLASSIFY_C);

        classify_save(c, out);
        classify_free(c);
    }
    return out;
}

static void threads_train_the_same_bits(void **state UNUSED)
{
    struct corpus k;
    pthread_t threads[4];
    struct buf *first, *again;

    corpus_make(&k);
    first = train_and_save(&k);
    for (size_t i = 0; i < ARRAY_LEN(threads); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, train_and_save, &k), 0);
    for (size_t i = 0; i < ARRAY_LEN(threads); i++) {
        void *result;

        pthread_join(threads[i], &result);
        again = result;
        assert_int_equal(again->len, first->len);
        assert_memory_equal(again->data, first->data, first->len);
        buf_free(again);
        free(again);
    }
    buf_free(first);
    free(first);
}

static void a_saved_classifier_answers_the_same(void **state UNUSED)
{
    struct corpus k;
    struct buf out = BUF_INIT(1 << 20), again = BUF_INIT(1 << 20);
    struct classifier *c, *loaded = NULL;
    struct cursor from;

    corpus_make(&k);
    c = train_with(k.examples, DOCS, NULL, LEARNER_SVM, 1);
    classify_save(c, &out);
    from = (struct cursor){.rest = buf_str(&out)};
    assert_int_equal(classify_load(&from, NULL, &loaded), ST_OK);
    assert_int_equal(from.rest.len, 0);
    for (size_t i = 0; i < DOCS; i++)
        assert_true(classify_probability(c, k.terms[i], WORDS, -1) ==
                    classify_probability(loaded, k.terms[i], WORDS, -1));
    classify_save(loaded, &again);
    assert_int_equal(again.len, out.len);
    assert_memory_equal(again.data, out.data, out.len);
    classify_free(loaded);
    for (size_t cut = 0; cut < out.len; cut += cut < 120 ? 1 : 997) {
        from = (struct cursor){.rest = str_sub(buf_str(&out), 0, cut)};
        assert_int_equal(classify_load(&from, NULL, &loaded), ST_CORRUPT);
    }
    classify_free(c);
    buf_free(&out);
    buf_free(&again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logistic_weights_are_those_of_the_formula),
        cmocka_unit_test(svm_weights_are_those_of_the_formula),
        cmocka_unit_test(classes_of_different_size_weigh_the_same),
        cmocka_unit_test(known_margins_give_the_known_curve),
        cmocka_unit_test(margins_that_say_nothing_give_no_curve),
        cmocka_unit_test(examples_that_differ_are_told_apart),
        cmocka_unit_test(an_estimate_counts),
        cmocka_unit_test(examples_that_do_not_differ_are_reported),
        cmocka_unit_test(one_example_of_a_kind_gives_no_estimate),
        cmocka_unit_test(both_kinds_are_needed),
        cmocka_unit_test(guesses_are_trained_on_but_not_held_out),
        cmocka_unit_test(document_frequencies_are_fixed_in_training),
        cmocka_unit_test(threads_train_the_same_bits),
        cmocka_unit_test(a_saved_classifier_answers_the_same),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
