/* test_prtfidf.c - Pr(C|w) and Pr(C|d) on six documents, worked out by hand.
 *
 * Words 1 to 5; class 0 has documents 0 to 2, class 1 has 3 and 4, class 2 has 5.
 *
 *              TF(w,d)            |d|       Pr(w|d) = TF / |d|
 *     d0   1:2  2:1  3:1           4        1/2   1/4   1/4
 *     d1   1:1  2:1                2        1/2   1/2
 *     d2   2:3  4:1                4              3/4         1/4
 *     d3   3:1  4:1                2                    1/2   1/2
 *     d4   4:3  1:1                4        1/4               3/4
 *     d5   5:4  3:1                5                    1/5         4/5
 *
 *     sums of Pr(w|d)    w1     w2     w3     w4     w5
 *     class 0            1      3/2    1/4    1/4    0
 *     class 1            1/4    0      1/2    5/4    0
 *     class 2            0      0      1/5    0      4/5
 *     DF'(w)             5/4    3/2    19/20  3/2    4/5
 *
 *     Pr(C|w)  class 0   4/5    1      5/19   1/6    0
 *              class 1   1/5    0      10/19  5/6    0
 *              class 2   0      0      4/19   0      1
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "models/foragers/prtfidf.h"

#include <math.h>

#define DOCS    6
#define CLASSES 3
#define WORDS   5

static void assert_near(double got, double want, double within)
{
    assert_float_equal((float)got, (float)want, (float)within);
}

static const struct term d0[] = {{1, 2}, {2, 1}, {3, 1}}, d1[] = {{1, 1}, {2, 1}},
                         d2[] = {{2, 3}, {4, 1}}, d3[] = {{3, 1}, {4, 1}}, d4[] = {{1, 1}, {4, 3}},
                         d5[] = {{3, 1}, {5, 4}};
static const struct vec docs[DOCS] = {{d0, 3}, {d1, 2}, {d2, 2}, {d3, 2}, {d4, 2}, {d5, 2}};
static const uint32_t class_of[DOCS] = {0, 0, 0, 1, 1, 2};

static struct prtfidf *trained(void)
{
    return prtfidf_train(docs, DOCS, class_of, CLASSES, NULL, 0);
}

static void the_table_is_pr_of_class_given_word(void **state UNUSED)
{
    static const double want[WORDS][CLASSES] = {{4 / 5., 1 / 5., 0},
                                                {1, 0, 0},
                                                {5 / 19., 10 / 19., 4 / 19.},
                                                {1 / 6., 5 / 6., 0},
                                                {0, 0, 1}};
    static const double df[WORDS] = {5 / 4., 3 / 2., 19 / 20., 3 / 2., 4 / 5.};
    struct prtfidf *t = trained();

    assert_int_equal(t->words, WORDS);
    for (uint32_t w = 0; w < WORDS; w++) {
        const float *row = prtfidf_row(t, w + 1);

        assert_non_null(row);
        assert_near(t->shares[w], df[w] / DOCS, 1e-6);
        for (uint32_t c = 0; c < CLASSES; c++)
            assert_near(row[c], want[w][c], 1e-6);
    }
    assert_null(prtfidf_row(t, 6));
    prtfidf_free(t);
}

/* d' = 1:1 3:2 4:1, |d'| = 4:
 *     class 0   1/4 * 4/5 + 1/2 * 5/19  + 1/4 * 1/6 = .2 + .131579 + .041667 = .373246
 *     class 1   1/4 * 1/5 + 1/2 * 10/19 + 1/4 * 5/6 = .05 + .263158 + .208333 = .521491
 *     class 2               1/2 * 4/19              = .105263 */
static const struct term unseen[] = {{1, 1}, {3, 2}, {4, 1}};

static void a_text_is_the_mean_of_its_words(void **state UNUSED)
{
    struct prtfidf *t = trained();
    float p[CLASSES];

    assert_near(prtfidf_judge(t, unseen, 3, p), 1, 0);
    assert_near(p[0], .373246, 1e-5);
    assert_near(p[1], .521491, 1e-5);
    assert_near(p[2], .105263, 1e-5);
    assert_near(p[0] + p[1] + p[2], 1, 1e-6);
    prtfidf_free(t);
}

static double pr_word_in(const struct vec *d, uint32_t word)
{
    double length = 0;

    for (size_t i = 0; i < d->n; i++)
        length += d->terms[i].count;
    return vec_find(d->terms, d->n, word) / length;
}

/* score = Pr(C) SUM_w Pr(w|C) Pr(w|d') IDF'(w)^2, from the definitions alone */
static double tfidf_form(uint32_t class, const struct vec *text)
{
    double score = 0, members = 0;

    for (int d = 0; d < DOCS; d++)
        members += class_of[d] == class;
    for (uint32_t w = 1; w <= WORDS; w++) {
        double in_class = 0, df = 0, idf;

        for (int d = 0; d < DOCS; d++) {
            df += pr_word_in(&docs[d], w);
            if (class_of[d] == class)
                in_class += pr_word_in(&docs[d], w) / members;
        }
        idf = sqrt(DOCS / df);
        score += in_class * pr_word_in(text, w) * idf * idf;
    }
    return score * members / DOCS;
}

static void the_tfidf_form_gives_the_same(void **state UNUSED)
{
    struct prtfidf *t = trained();
    struct vec text = {unseen, 3};
    float p[CLASSES];

    (void)prtfidf_judge(t, unseen, 3, p);
    for (uint32_t c = 0; c < CLASSES; c++)
        assert_near(p[c], tfidf_form(c, &text), 1e-6);
    for (int d = 0; d < DOCS; d++) {
        (void)prtfidf_judge(t, docs[d].terms, docs[d].n, p);
        for (uint32_t c = 0; c < CLASSES; c++)
            assert_near(p[c], tfidf_form(c, &docs[d]), 1e-6);
    }
    prtfidf_free(t);
}

/* Twice word 2 and six times a word of no document: known are 2 of 8. */
static void unknown_words_are_skipped(void **state UNUSED)
{
    static const struct term half_known[] = {{2, 2}, {77, 6}}, stranger[] = {{77, 1}};
    struct prtfidf *t = trained();
    float p[CLASSES];

    assert_near(prtfidf_judge(t, half_known, 2, p), .25, 0);
    assert_near(p[0], 1, 1e-6);
    assert_near(p[1], 0, 0);
    assert_near(prtfidf_judge(t, stranger, 1, p), 0, 0);
    for (uint32_t c = 0; c < CLASSES; c++)
        assert_near(p[c], 0, 0);
    assert_near(prtfidf_judge(t, NULL, 0, p), 0, 0);
    prtfidf_free(t);
}

/* Of words 1 and 4 alone: d0 = 1, d1 = 1, d2 = 4, d3 = 4 (all Pr 1), d4 = 1/4 and 3/4;
 * d5 has none. Sums of word 1: 2, 1/4, so 8/9 and 1/9; of word 4: 1, 7/4, so 4/11 and 7/11.
 * Word 99 stands nowhere and gets no row. */
static void a_vocabulary_is_all_that_is_seen(void **state UNUSED)
{
    static const uint32_t words[] = {1, 4, 99};
    struct prtfidf *t = prtfidf_train(docs, DOCS, class_of, CLASSES, words, 3);

    assert_int_equal(t->words, 2);
    assert_near(prtfidf_row(t, 1)[0], 8 / 9., 1e-6);
    assert_near(prtfidf_row(t, 1)[1], 1 / 9., 1e-6);
    assert_near(prtfidf_row(t, 4)[0], 4 / 11., 1e-6);
    assert_near(prtfidf_row(t, 4)[1], 7 / 11., 1e-6);
    assert_null(prtfidf_row(t, 2));
    assert_null(prtfidf_row(t, 99));
    prtfidf_free(t);
}

static void nothing_trains_an_empty_table(void **state UNUSED)
{
    struct prtfidf *t = prtfidf_train(NULL, 0, NULL, 2, NULL, 0);
    float p[2];

    assert_int_equal(t->words, 0);
    assert_near(prtfidf_judge(t, unseen, 3, p), 0, 0);
    prtfidf_free(t);
    prtfidf_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_is_pr_of_class_given_word),
        cmocka_unit_test(a_text_is_the_mean_of_its_words),
        cmocka_unit_test(the_tfidf_form_gives_the_same),
        cmocka_unit_test(unknown_words_are_skipped),
        cmocka_unit_test(a_vocabulary_is_all_that_is_seen),
        cmocka_unit_test(nothing_trains_an_empty_table),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
