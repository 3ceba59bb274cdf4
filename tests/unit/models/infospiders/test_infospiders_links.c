/* infospiders, computed by hand: what an agent thinks of links, and what it learns from them.
 * SPDX-License-Identifier: MIT */
#include "spiders.h"

#include "text/vocab.h"
#include "../told.h"

#include <stdio.h>

/* ---- links --------------------------------------------------------------------- */

/* bee 2, wax 1, oak, elm, ash 1: |p|^2 = 8, sim = 3 / sqrt(8 * 2) = .75.
 * Link to 2: bee twice just before, wax one link on: in = (2, 1/2), tanh(1.25) = .8482836
 * Link to 3: bee one link back, wax in its anchor: in = (1, 1),     tanh(1)    = .7615942
 * c_t = 1 * 2 / 100 = .02, a page costs .01: 1 + .75 - .01 = 1.74 */
static void links_are_scored_by_the_words_around_them(void **state)
{
    static const double scores[] = {0.8482836399575129, 0.7615941559557649};
    struct pond p;

    (void)state;
    pond_open(&p, two_links, "bee wax", "infospiders", ONE, SEED(1));
    assert_near(energy_of(&p, 1), 1);
    visit(&p, 1);
    assert_all_near(p.scores, 2, scores);
    assert_near(energy_of(&p, 1), 1.74);
    assert_true(p.last_visit.visit.first);
    assert_true(spider_of(&p, 1)->to == 2 || spider_of(&p, 1)->to == 3);
    pond_close(&p);
}

/* The first link's chance by softmax with beta = 4 is 1 / (1 + e^(4 (.7615942 - .8482836)))
 * = .585794; by the linear rule 1.8482836 / 3.6098778 = .512007. Of 4,000 worlds 2,343
 * and 2,048; deviation 32. */
static void links_are_drawn_by_their_scores(void **state)
{
    static const struct {
        const char *settings;
        int expected;
    } cases[] = {{ONE "beta=4", 2343}, {ONE "select=linear", 2048}, {ONE "beta=0", 2000}};

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct pond p;
        int first = 0;

        pond_open(&p, two_links, "bee wax", "infospiders", cases[i].settings, SEED(1));
        visit(&p, 1);
        for (int k = 0; k < 4000; k++) {
            spider_choose(p.model, spider_of(&p, 1));
            first += spider_of(&p, 1)->to == 2;
        }
        assert_true(abs(first - cases[i].expected) < 130);
        pond_close(&p);
    }
}

/* Both links lead to 2: their inputs are added, in = (3, 1.5), tanh(2.25). */
static void links_to_one_target_are_one(void **state)
{
    static const struct pond_page twice[POND_PAGES + 1] = {
        [1] = {"<p>bee bee <a href=2>oak</a> elm <a href=2>ash wax</a>"},
        [2] = {"<p>oak"},
    };
    struct pond p;

    (void)state;
    pond_open(&p, twice, "bee wax", "infospiders", ONE, SEED(1));
    visit(&p, 1);
    assert_near((double)p.scores[0], tanh(2.25));
    assert_near((double)p.scores[1], tanh(2.25));
    assert_near((double)spider_of(&p, 1)->in[0], 3);
    assert_near((double)spider_of(&p, 1)->in[1], 1.5);
    pond_close(&p);
}

/* ---- learning ------------------------------------------------------------------ */

/* Link 1 -> 2: in = (2, 0), lambda = tanh(1) = .7615942.
 * 2: sim = 1 / sqrt(2 * 2) = .5; its link: in = (0, 1), lambda = tanh(.5) = .4621172
 * delta = .5 + .5 * .4621172 - .7615942 = -.0305356; eta .1:
 * step = .1 * delta * (1 - .7615942^2) = -.001282416; w_bee moves twice that. */
static void q_learning_looks_one_page_ahead(void **state)
{
    struct pond p;

    (void)state;
    pond_open(&p, lesson, "bee wax", "infospiders", ONE "eta=0.1", SEED(1));
    visit(&p, 1);
    assert_near(spider_of(&p, 1)->net.weights[0], .5); /* a seed teaches nothing */
    visit(&p, 2);
    assert_near(spider_of(&p, 1)->net.weights[0], 0.497435168203362);
    assert_near(spider_of(&p, 1)->net.weights[1], .5);
    assert_near(spider_of(&p, 1)->net.weights[2], -0.0012824158983190223);
    pond_close(&p);
}

/* delta = .5 - .7615942; step = -.010986284 */
static void supervised_learning_looks_at_the_page_alone(void **state)
{
    struct pond p;

    (void)state;
    pond_open(&p, lesson, "bee wax", "infospiders", ONE "eta=0.1 learn=supervised", SEED(1));
    visit(&p, 1);
    visit(&p, 2);
    assert_near(spider_of(&p, 1)->net.weights[0], 0.4780274333164802);
    assert_near(spider_of(&p, 1)->net.weights[2], -0.010986283341759922);
    pond_close(&p);
    pond_open(&p, lesson, "bee wax", "infospiders", ONE "eta=0.1 learn=none", SEED(1));
    visit(&p, 1);
    visit(&p, 2);
    assert_near(spider_of(&p, 1)->net.weights[0], .5);
    pond_close(&p);
}

/* 1 is visited again, from 3: no energy, but a lesson. Link 3 -> 1: in = (0, 0), so its
 * lambda is tanh(b), and b moves by .1 (sim - tanh b)(1 - tanh^2 b), sim = 2 / sqrt(10). */
static void known_pages_teach_too(void **state)
{
    struct pond p;
    struct choice c;
    double b, out;

    (void)state;
    pond_open(&p, lesson, "bee wax", "infospiders", ONE "eta=0.1 learn=supervised max_population=1",
              SEED(1));
    visit(&p, 1);
    visit(&p, 2);
    visit(&p, 3);
    b = spider_of(&p, 1)->net.weights[2];
    out = tanh(b);
    assert_int_equal(spider_of(&p, 1)->to, 1);
    assert_false(pond_next(&p, &c)); /* nothing is left to fetch: it does not even walk */
    assert_int_equal(spider_step(p.model, spider_of(&p, 1)), STEP_WALKED);
    assert_near(spider_of(&p, 1)->net.weights[2], b + .1 * (2 / sqrt(10) - out) * (1 - out * out));
    assert_false(p.last_visit.visit.first);
    assert_near(p.last_visit.visit.delta, -.002); /* a tenth of c_t */
    books_are_balanced(&p);
    pond_close(&p);
}

/* ---- what is told of it -------------------------------------------------------- */

static struct str spelled(void *engine, uint32_t term)
{
    (void)engine;
    return term == term_id(STR("bee")) ? STR("bee") : STR("");
}

static struct str href(void *engine, uint32_t url)
{
    (void)engine;
    return url == 3 ? STR("http://w.example/3") : STR("");
}

static const struct tell_calls tell = {.word = spelled};

/* As q_learning_looks_one_page_ahead(): w_bee = .4974352, w_wax = .5, b = -.0012824.
 * Nothing: tanh(b) = -.0012824. bee: tanh(w_bee + b) - tanh(b) = .460369; wax .462390.
 * The link to 3 has wax in its gap: tanh(.4987176) = .461108. */
static void a_spider_tells_what_its_words_add(void **state)
{
    char expected[600];
    struct pond p;

    (void)state;
    pond_open(&p, lesson, "bee wax", "infospiders", ONE "eta=0.1", SEED(1));
    p.ctx.tell = &tell;
    p.ctx.href = href;
    visit(&p, 1);
    visit(&p, 2);
    (void)snprintf(
        expected, sizeof expected,
        "{\"keywords\":[{\"word\":\"#%08x\",\"weight\":0.46239},"
        "{\"word\":\"bee\",\"weight\":0.460369}],"
        "\"weights\":\"what the word beside a link adds to the net's guess of its worth\","
        "\"facts\":[{\"name\":\"keywords\",\"label\":\"words it knows\",\"value\":2},"
        "{\"name\":\"guess\",\"label\":\"its guess of a link with none of them\","
        "\"value\":-0.00128242},"
        "{\"name\":\"beta\",\"label\":\"how sharply it prefers better links\",\"value\":5},"
        "{\"name\":\"estimate\",\"label\":\"its guess of the link it follows\","
        "\"value\":0.461108},"
        "{\"name\":\"to\",\"label\":\"wants to go to\",\"value\":\"http://w.example/3\"}]}",
        term_id(STR("wax")));
    assert_string_equal(told(p.model, 1), expected);
    assert_string_equal(told(p.model, 99), "{}"); /* nobody */
    pond_close(&p);
}

/* A word that repels has a weight below 0, and stands by its size. With one hidden unit
 * h = tanh(w_1 in_1 + w_2 in_2), out = tanh(v h): w = (1, -2), v = .5:
 * bee tanh(.5 tanh 1) = .363399, wax tanh(.5 tanh -2) = -.447855. */
static void a_word_that_repels_is_below_zero(void **state)
{
    struct pond p;
    double *w;

    (void)state;
    pond_open(&p, lesson, "bee wax", "infospiders", ONE "hidden=1", SEED(1));
    p.ctx.tell = &tell;
    p.ctx.href = href;
    w = spider_of(&p, 1)->net.weights; /* w_1 w_2 b_1 v b */
    w[0] = 1;
    w[1] = -2;
    w[2] = w[4] = 0;
    w[3] = .5;
    assert_non_null(
        strstr(told(p.model, 1), "\"weight\":-0.447855},{\"word\":\"bee\",\"weight\":0.363399}]"));
    pond_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_are_scored_by_the_words_around_them),
        cmocka_unit_test(links_are_drawn_by_their_scores),
        cmocka_unit_test(links_to_one_target_are_one),
        cmocka_unit_test(q_learning_looks_one_page_ahead),
        cmocka_unit_test(supervised_learning_looks_at_the_page_alone),
        cmocka_unit_test(known_pages_teach_too),
        cmocka_unit_test(a_spider_tells_what_its_words_add),
        cmocka_unit_test(a_word_that_repels_is_below_zero),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
