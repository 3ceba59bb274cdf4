/* All pages judged once more: on pages of a made web with two subjects.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/rng.h"
#include "text/appraisal.h"
#include "text/topic.h"
#include "text/vocab.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define WORDS  24 /* of a page */
#define SEEDS  3
#define SHARES 6 /* how many of its words are of the subject: sixths */

struct made {
    struct term terms[WORDS];
    struct profile profile;
};

static int by_id(const void *a, const void *b)
{
    uint32_t x = ((const struct term *)a)->id, y = ((const struct term *)b)->id;

    return x < y ? -1 : x > y;
}

/* Page i, of which so many sixths are words of the subject (40 words, "b0" among them), and the
 * rest are any of 400. */
static const struct profile *page(struct made *m, uint32_t i, unsigned sixths)
{
    uint32_t n = 0;
    struct rng r;

    rng_init(&r, i);
    for (unsigned k = 0; k < WORDS; k++) {
        char word[16];
        bool of_subject = k * SHARES < sixths * WORDS;

        (void)snprintf(word, sizeof word, of_subject ? "b%u" : "w%u",
                       (unsigned)rng_below(&r, of_subject ? 40 : 400));
        m->terms[k] = (struct term){term_id(str_of(word)), 1};
    }
    qsort(m->terms, WORDS, sizeof *m->terms, by_id);
    for (unsigned k = 0; k < WORDS; k++)
        if (n == 0 || m->terms[n - 1].id != m->terms[k].id)
            m->terms[n++] = m->terms[k];
    m->profile = (struct profile){.terms = m->terms, .nterms = n};
    return &m->profile;
}

/* One page in ten is of the subject, more or less. */
static unsigned sixths_of(uint32_t i)
{
    return i <= SEEDS ? 5 : i % 10 ? 0 : 1 + i / 10 % 5;
}

static struct appraisal *appraise(struct topic *t, uint32_t pages)
{
    struct appraisal *a = appraisal_new(t);

    for (uint32_t i = 1; i <= pages; i++) {
        struct made m;

        appraisal_see(a, i, page(&m, i, sixths_of(i)), i <= SEEDS);
    }
    appraisal_learn(a);
    return a;
}

static double p_of(struct appraisal *a, uint32_t i, unsigned sixths)
{
    struct made m;

    return appraisal_of(a, i, page(&m, i, sixths));
}

static struct topic *topic_of(const char *words)
{
    struct topic *t;

    assert_int_equal(topic_from_words(str_of(words), STR("en"), &t), ST_OK);
    return t;
}

static double mean_of(struct appraisal *a, unsigned sixths)
{
    double sum = 0;

    for (uint32_t i = 5001; i <= 5100; i++)
        sum += p_of(a, i, sixths) / 100;
    return sum;
}

static void a_page_with_more_of_the_subject_is_surer(void **state UNUSED)
{
    struct topic *t = topic_of("b0 b1");
    struct appraisal *a = appraise(t, 500);
    double before = 0;

    for (unsigned sixths = 0; sixths <= 5; sixths++) {
        double p = mean_of(a, sixths);

        if (!(p > before))
            fail_msg("%u sixths: %.3f, and with one less %.3f", sixths, p, before);
        before = p;
    }
    assert_true(mean_of(a, 0) < 0.3);
    assert_true(mean_of(a, 5) > 0.7);
    appraisal_free(a);
    topic_free(t);
}

/* What a user reads while a crawl goes on does not jump about: the thirty best of ten times as
 * many pages are nearer to the subject, so others fall a little. */
static void it_stays_much_the_same_as_pages_come(void **state UNUSED)
{
    struct topic *t = topic_of("b0 b1");
    struct appraisal *early = appraise(t, 300), *late = appraise(t, 3000); /* more than the draw */

    for (unsigned sixths = 0; sixths <= 5; sixths++)
        if (!(fabs(mean_of(early, sixths) - mean_of(late, sixths)) < 0.25))
            fail_msg("%u sixths: %.3f, later %.3f", sixths, mean_of(early, sixths),
                     mean_of(late, sixths));
    appraisal_free(early);
    appraisal_free(late);
    topic_free(t);
}

/* Two crawls of a web meet its pages in another order: what a page is worth does not depend on
 * it. */
static void the_order_of_pages_does_not_matter(void **state UNUSED)
{
    struct topic *t = topic_of("b0 b1");
    struct appraisal *forth = appraise(t, 500), *back = appraisal_new(t);
    struct made m;

    for (uint32_t i = 500; i > 0; i--)
        appraisal_see(back, i, page(&m, i, sixths_of(i)), i <= SEEDS);
    appraisal_learn(back);
    for (uint32_t i = 1; i <= 500; i++) {
        double a = p_of(forth, i, sixths_of(i)), b = p_of(back, i, sixths_of(i));

        if (fabs(a - b) > 0.01)
            fail_msg("page %u: %.3f and %.3f", i, a, b);
    }
    appraisal_free(forth);
    appraisal_free(back);
    topic_free(t);
}

/* The same words as a start page and as any page. */
static void a_start_page_is_judged_as_if_it_were_none(void **state UNUSED)
{
    struct topic *t = topic_of("b0 b1");
    struct appraisal *a = appraise(t, 500);
    struct made m;

    for (uint32_t i = 1; i <= SEEDS; i++) {
        double as_seed = p_of(a, i, 5), by_heart = appraisal_of(a, 9999, page(&m, i, 5));

        assert_true(as_seed <= by_heart);
        assert_true(as_seed > 0.5); /* the others speak for it */
    }
    appraisal_free(a);
    topic_free(t);
}

/* A word that only irrelevant pages have is learned from marks. */
static void marks_move_it(void **state UNUSED)
{
    struct topic *t = topic_of("b0 b1");
    struct appraisal *a = appraise(t, 500), *marked = appraisal_new(t);
    struct made m;

    for (uint32_t i = 1; i <= 500; i++) {
        appraisal_see(marked, i, page(&m, i, sixths_of(i)), i <= SEEDS);
        if (i == 7 || i == 17)
            appraisal_teach(marked, i, page(&m, i, sixths_of(i)), 1);
    }
    appraisal_learn(marked);
    assert_true(p_of(marked, 7, 0) > p_of(a, 7, 0) + 0.1);
    appraisal_free(a);
    appraisal_free(marked);
    topic_free(t);
}

static double document(const char *mime, size_t main, size_t linked, size_t all)
{
    struct text_extent e = {.all = all, .main = main, .linked = linked};

    return appraisal_document(str_of(mime), &e);
}

static void lists_of_links_and_feeds_count_less_than_documents(void **state UNUSED)
{
    double before = 0;

    assert_true(document("text/html; charset=utf-8", 0, 0, 1000) < 0.3);
    assert_true(document("application/rss+xml", 5000, 0, 1000) < 0.3);
    assert_true(document("text/html", 400, 0, 1000) >= 1);
    assert_true(document("text/html", SIZE_MAX, 0, 1000) >= 1);
    assert_true(document("application/xhtml+xml", 400, 0, 1000) >= 1);
    assert_true(document("text/html", 400, 0, 40000) < 0.4); /* a list with a foreword */
    assert_true(document("text/plain", 0, 0, 1000) >= 1);
    assert_true(document("application/pdf", 0, 0, 1000) >= 1);
    for (size_t bytes = 0; bytes < 400; bytes += 10) {
        assert_true(document("text/html", bytes, 0, 1000) > before);
        before = document("text/html", bytes, 0, 1000);
    }
    /* a table of contents: all of its main text is links */
    assert_true(document("text/html", 6000, 5900, 17000) < 0.3);
    assert_true(document("text/html", 6000, 7000, 17000) < 0.3); /* links that stand in links */
    assert_true(document("text/html", 6000, 2900, 17000) >= 1);
    before = 1;
    for (size_t linked = 3000; linked < 6000; linked += 100) {
        assert_true(document("text/html", 6000, linked + 100, 17000) < before);
        before = document("text/html", 6000, linked + 100, 17000);
    }
}

static void links_are_counted_where_they_are_main_text(void **state UNUSED)
{
    static const struct passage main[] = {{10, 10, 0}, {30, 5, 0}, {50, 100, 0}};
    static const struct span anchors[] = {{0, 5},   {8, 12},  {18, 33},
                                          {34, 52}, {60, 70}, {200, 210}};
    static const struct span again[] = {{10, 35}, {10, 35}, {12, 34}, {30, 60}};

    /* 10-12, 18-20, 30-33, 34-35, 50-52, 60-70 */
    assert_int_equal(text_linked(main, 3, anchors, 6), 2 + 2 + 3 + 1 + 2 + 10);
    assert_int_equal(text_linked(main, 3, NULL, 0), 0);
    assert_int_equal(text_linked(NULL, 0, anchors, 6), 0);

    /* No byte counts twice, however often a stored row says it. */
    assert_int_equal(text_linked(main, 3, again, 4), 10 + 5 + 10);
}

static void a_crawl_without_pages_is_no_matter(void **state UNUSED)
{
    struct topic *t = topic_of("b0");
    struct appraisal *a = appraisal_new(t);
    struct profile none = {0};

    appraisal_learn(a);
    assert_true(appraisal_of(a, 1, &none) <= 0.5);
    appraisal_free(a);
    appraisal_free(NULL);
    topic_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_with_more_of_the_subject_is_surer),
        cmocka_unit_test(it_stays_much_the_same_as_pages_come),
        cmocka_unit_test(the_order_of_pages_does_not_matter),
        cmocka_unit_test(a_start_page_is_judged_as_if_it_were_none),
        cmocka_unit_test(marks_move_it),
        cmocka_unit_test(lists_of_links_and_feeds_count_less_than_documents),
        cmocka_unit_test(links_are_counted_where_they_are_main_text),
        cmocka_unit_test(a_crawl_without_pages_is_no_matter),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
