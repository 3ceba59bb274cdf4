/* What an agent sees of a link, computed by hand. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "models/infospiders/keywords.h"
#include "pond.h"
#include "text/vocab.h"

#include <math.h>

static void assert_near(double a, double b)
{
    if (fabs(a - b) > 1e-6)
        fail_msg("%.9g is not %.9g", a, b);
}

static void inputs_of(const char *html, unsigned rho, float ret[20])
{
    static struct pond_page web[POND_PAGES + 1];
    const uint32_t words[2] = {term_id(STR("bee")), term_id(STR("wax"))};
    static const uint32_t rows[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    uint8_t lit[10] = {0};
    struct pond_read r;
    struct pond p;

    memset(ret, 0, 20 * sizeof *ret);
    web[1].html = html;
    pond_open(&p, web, "bee wax", NULL, NULL, NULL);
    pond_read(&p, 1, &r);
    assert_true(r.page->nlinks * 2 <= 20);
    keyword_inputs(r.page, &r.profile, words, 2, rho,
                   &(struct keyword_rows){.of = rows, .in = ret, .lit = lit});
    for (uint32_t i = 0; i < r.page->nlinks; i++)
        assert_int_equal(lit[i], ret[2 * i] > 0 || ret[2 * i + 1] > 0);
    pond_unread(&r);
    pond_close(&p);
}

/*   gap 0: bee   link 0   gap 1: wax   link 1 (bee)   gap 2   link 2   gap 3: wax
 * bee: gap 0 is at 1, 2, 3 of links 0, 1, 2; anchor 1 at 2, 1, 2:
 *      1 + 1/2, 1/2 + 1, 1/3 + 1/2
 * wax: gap 1 is at 1, 1, 2; gap 3 at 3, 2, 1:
 *      1 + 1/3, 1 + 1/2, 1/2 + 1 */
static const char three_links[] = "<title>bee wax bee</title><p>bee <a href=1>old</a> wax"
                                  " <a href=2>young bees</a> air <a href=3>new</a> wax";

static void nearer_keywords_count_more(void **state)
{
    float in[20];

    (void)state;
    inputs_of(three_links, 5, in);
    assert_near(in[0], 1 + 1 / 2.);
    assert_near(in[1], 1 + 1 / 3.);
    assert_near(in[2], 1 / 2. + 1);
    assert_near(in[3], 1 + 1 / 2.);
    assert_near(in[4], 1 / 3. + 1 / 2.);
    assert_near(in[5], 1 / 2. + 1);
}

/* rho = 1: only what touches a link, or stands in it. */
static void beyond_rho_links_nothing_counts(void **state)
{
    float in[20];

    (void)state;
    inputs_of(three_links, 1, in);
    assert_near(in[0], 1);
    assert_near(in[1], 1);
    assert_near(in[2], 1);
    assert_near(in[3], 1);
    assert_near(in[4], 0);
    assert_near(in[5], 1);
}

/* The alternate stands in the head: it is near nothing, and no link between. A link
 * that must not be followed is one nevertheless. */
static void links_of_the_head_are_near_nothing(void **state)
{
    float in[20];

    (void)state;
    inputs_of("<head><link rel=alternate type=application/rss+xml href=1></head>"
              "<p>bee <a rel=nofollow href=2>a</a> <a href=3>b</a>",
              5, in);
    assert_near(in[0], 0);
    assert_near(in[2], 1);
    assert_near(in[4], 1 / 2.);
}

static void page_without_keywords_gives_zeros(void **state)
{
    float in[20];

    (void)state;
    inputs_of("<p>nothing <a href=2>a</a> here <a href=3>b</a>", 5, in);
    for (size_t i = 0; i < 4; i++)
        assert_near(in[i], 0);
    inputs_of("<p>bee wax", 5, in); /* and no links: nothing to write */
}

/* Ten links, the word before the fifth, rho 4: links 4 to 7 at 1 … 4, links 3 to 0 too. */
static void the_window_reaches_rho_links_to_both_sides(void **state)
{
    static const double at[] = {1 / 4., 1 / 3., 1 / 2., 1, 1, 1 / 2., 1 / 3., 1 / 4., 0, 0};
    float in[20];

    (void)state;
    inputs_of("<p><a href=1>a</a> <a href=2>b</a> <a href=3>c</a> <a href=4>d</a> bee"
              " <a href=5>e</a> <a href=6>f</a> <a href=7>g</a> <a href=8>h</a>"
              " <a href=9>i</a> <a href=10>j</a>",
              4, in);
    for (size_t i = 0; i < 10; i++)
        assert_near(in[2 * i], at[i]);
}

/* bee 3 (one in the title), wax 1, hive 4, comb 4 (the lower number wins), air 1:
 * |page|^2 = 9 + 1 + 16 + 16 + 1 = 43. sim({bee, wax}) = (3 + 1) / sqrt(43 * 2). */
static void pages_are_compared_and_words_taken_from_them(void **state)
{
    static const struct pond_page web[POND_PAGES + 1] = {
        [1] = {"<title>bee</title>bee wax bee hive hive comb hive comb comb hive comb air"}};
    uint32_t words[5] = {term_id(STR("bee")), term_id(STR("wax"))}, next;
    uint32_t hive = term_id(STR("hive")), comb = term_id(STR("comb")), seen = 0;
    struct pond_read r;
    struct pond p;

    (void)state;
    pond_open(&p, web, "bee wax", NULL, NULL, NULL);
    pond_read(&p, 1, &r);
    assert_near(keyword_similarity(&r.profile, words, 2), 4 / sqrt(86));
    assert_near(keyword_similarity(&r.profile, words, 2), (double)r.profile.similarity);
    words[2] = keyword_commonest(&r.profile, words, 2);
    assert_int_equal(words[2], hive < comb ? hive : comb);
    words[3] = keyword_commonest(&r.profile, words, 3);
    assert_int_equal(words[3], hive < comb ? comb : hive);
    words[4] = keyword_commonest(&r.profile, words, 4);
    assert_int_equal(words[4], term_id(STR("air")));
    assert_int_equal(keyword_commonest(&r.profile, words, 5), 0);
    assert_int_equal(keyword_drawn(&r.profile, words, 5, &p.ctx.rng), 0);
    for (int i = 0; i < 900; i++) { /* hive 4, comb 4, air 1: 100 expected, deviation 9.4 */
        next = keyword_drawn(&r.profile, words, 2, &p.ctx.rng);
        assert_true(next == hive || next == comb || next == words[4]);
        seen += next == words[4];
    }
    assert_true(seen > 60 && seen < 140);
    pond_unread(&r);
    pond_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearer_keywords_count_more),
        cmocka_unit_test(beyond_rho_links_nothing_counts),
        cmocka_unit_test(links_of_the_head_are_near_nothing),
        cmocka_unit_test(page_without_keywords_gives_zeros),
        cmocka_unit_test(the_window_reaches_rho_links_to_both_sides),
        cmocka_unit_test(pages_are_compared_and_words_taken_from_them),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
