/* infospiders, computed by hand: nets begin with equal weights, so with
 * the two words "bee wax" w = (.5, .5), b = 0. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "agent/models/infospiders_int.h"
#include "pond.h"
#include "text/vocab.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ONE "population=1 theta=2 max_pages=100 "

static void assert_near(double a, double b)
{
    if (fabs(a - b) > 1e-6)
        fail_msg("%.9g is not %.9g", a, b);
}

static void assert_all_near(const float *a, size_t n, const double *b)
{
    for (size_t i = 0; i < n; i++)
        assert_near((double)a[i], b[i]);
}

static struct spider *spider_of(const struct pond *p, uint32_t agent)
{
    return agent_of(p->ctx.population, agent)->traits;
}

static double energy_of(const struct pond *p, uint32_t agent)
{
    return agent_energy(p->ctx.population, agent);
}

static uint32_t alive(const struct pond *p)
{
    return population_counts(p->ctx.population).alive;
}

static void visit(struct pond *p, uint32_t url)
{
    struct choice c;

    assert_true(pond_next(p, &c));
    assert_int_equal(c.url, url);
    pond_answer(p, c);
}

static void books_are_balanced(const struct pond *p)
{
    struct ledger l = population_ledger(p->ctx.population);

    assert_true(ledger_error(&l, 0) < 1e-9);
}

/* ---- links ------------------------------------------------------------------- */

/* bee 2, wax 1, oak, elm, ash 1: |p|^2 = 8, sim = 3 / sqrt(8 * 2) = .75.
 * Link to 2: bee twice just before, wax one link on: in = (2, 1/2), tanh(1.25) = .8482836
 * Link to 3: bee one link back, wax in its anchor: in = (1, 1),     tanh(1)    = .7615942
 * c_t = 1 * 2 / 100 = .02, a page costs .01: 1 + .75 - .01 = 1.74 */
static const struct pond_page two_links[POND_PAGES + 1] = {
    [1] = {"<p>bee bee <a href=2>oak</a> elm <a href=3>ash wax</a>"},
    [2] = {"<p>oak"},
    [3] = {"<p>oak"},
};

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
 * 2: sim = 1 / sqrt(2 * 2) = .5; its link: in = (0, 1), lambda = tanh(.5) = .4621172 */
static const struct pond_page lesson[POND_PAGES + 1] = {
    [1] = {"<p>bee bee <a href=2>oak</a>"},
    [2] = {"<p>wax <a href=3>oak</a>"},
    [3] = {"<p>oak <a href=1>elm</a>"},
};

/* delta = .5 + .5 * .4621172 - .7615942 = -.0305356; eta .1:
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

/* ---- energy --------------------------------------------------------------------- */

/* c_t = founders * theta : max_pages; ten agents on three seeds, twelve on twelve. */
static void c_t_follows_founders_theta_and_pages(void **state)
{
    static const struct pond_page none[POND_PAGES + 1];
    struct pond p;

    (void)state;
    pond_open(&p, none, "bee", "infospiders", "", SEED(1, 2, 3));
    assert_int_equal(alive(&p), 10);
    assert_near(spiders_c_t(p.model), 10 * .2 / 1000.);
    assert_int_equal(spider_of(&p, 1)->to, 1);
    assert_int_equal(spider_of(&p, 6)->to, 3);
    p.model->ops->start(p.model, SEED(7), 1); /* later: one agent more, the same c_t */
    assert_int_equal(alive(&p), 11);
    assert_near(spiders_c_t(p.model), 10 * .2 / 1000.);
    pond_close(&p);
    pond_open(&p, none, "bee", "infospiders", "theta=3 max_pages=500",
              SEED(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
    assert_int_equal(alive(&p), 12);
    assert_near(spiders_c_t(p.model), 12 * 3 / 500.);
    assert_near(energy_of(&p, 12), 1.5);
    pond_close(&p);
}

/* sim = .5, c_t = .02. Of 30 s the download took 6: a fifth; 60 s: no more than all. */
static void costs_are_constant_or_by_the_clock_or_drawn(void **state)
{
    static const struct pond_page fast[POND_PAGES + 1] = {[1] = {"<p>wax oak", 6000000, 0}};
    static const struct pond_page slow[POND_PAGES + 1] = {[1] = {"<p>wax oak", 60000000, 0}};
    struct rng r;
    struct pond p;

    (void)state;
    pond_open(&p, fast, "bee wax", "infospiders", ONE, SEED(1));
    visit(&p, 1);
    assert_near(energy_of(&p, 1), 1 + .5 - .01);
    pond_close(&p);
    pond_open(&p, fast, "bee wax", "infospiders", ONE "cost=latency", SEED(1));
    visit(&p, 1);
    assert_near(energy_of(&p, 1), 1 + .5 - .004);
    pond_close(&p);
    pond_open(&p, slow, "bee wax", "infospiders", ONE "cost=latency", SEED(1));
    visit(&p, 1);
    assert_near(energy_of(&p, 1), 1 + .5 - .02);
    pond_close(&p);
    pond_open(&p, slow, "bee wax", "infospiders", ONE "cost=simulated", SEED(1));
    r = p.ctx.rng;
    visit(&p, 1);
    assert_near(energy_of(&p, 1), 1 + .5 - .02 * rng_unit(&r));
    pond_close(&p);
}

/* A visit that fails costs what a page does; one that was never sent a tenth of c_t. A
 * founder whose seed is not there has nowhere to be. */
static void failures_cost_too(void **state)
{
    static const struct pond_page web[POND_PAGES + 1] = {
        [1] = {"<p>wax <a href=2>oak</a> <a href=3>oak</a>"}, [3] = {"<p>oak"}};
    struct choice c;
    struct pond p;

    (void)state;
    pond_open(&p, web, "bee wax", "infospiders", ONE "expand=none", SEED(1));
    visit(&p, 1);
    assert_true(pond_next(&p, &c));
    pond_fail(&p, c, DROP_STATUS);
    assert_near(p.last_visit.visit.delta, -.01);
    assert_true(pond_next(&p, &c)); /* the other link of the page */
    pond_fail(&p, c, DROP_ROBOTS);
    assert_near(p.last_visit.visit.delta, -.002);
    assert_int_equal(p.last_visit.visit.page, 0);
    assert_false(pond_next(&p, &c));
    books_are_balanced(&p);
    pond_close(&p);
    pond_open(&p, web, "bee wax", "infospiders", ONE "cost=latency", SEED(1));
    assert_true(pond_next(&p, &c));
    pond_fail(&p, c, DROP_TIMEOUT);
    assert_near(p.last_visit.visit.delta, -.02);
    assert_false(pond_next(&p, &c));
    pond_close(&p);
    pond_open(&p, web, "bee wax", "infospiders", ONE, SEED(4, 1));
    visit(&p, 4);
    visit(&p, 1);
    assert_true(pond_next(&p, &c));
    assert_string_equal(p.cause, "no start");
    pond_answer(&p, c);
    pond_close(&p);
}

/* theta = 1, no cost: .5 + .5 is exactly theta. theta = 1, max_pages = 2: c_t = .5, and
 * a page without the words that took all the time leaves exactly 0. */
static void thresholds_are_reached_or_passed(void **state)
{
    static const struct pond_page rich[POND_PAGES + 1] = {[1] = {"<p>wax oak", 0, 0}};
    static const struct pond_page poor[POND_PAGES + 1] = {[1] = {"<p>oak elm", 30000000, 0}};
    struct pond p;

    (void)state;
    pond_open(&p, rich, "bee wax", "infospiders", ONE "theta=1 cost=latency", SEED(1));
    visit(&p, 1);
    assert_int_equal(alive(&p), 2);
    assert_true(energy_of(&p, 1) == .5 && energy_of(&p, 2) == .5);
    assert_int_equal(p.last_born.born.parent, 1);
    assert_int_equal(p.last_born.born.page, 1);
    books_are_balanced(&p);
    pond_close(&p);
    pond_open(&p, rich, "bee wax", "infospiders", ONE "theta=1 cost=latency thresholds=passed",
              SEED(1));
    visit(&p, 1);
    assert_int_equal(alive(&p), 1);
    pond_close(&p);
    pond_open(&p, poor, "bee wax", "infospiders", "population=1 theta=1 cost=latency max_pages=2",
              SEED(1));
    visit(&p, 1);
    assert_int_equal(alive(&p), 0);
    assert_string_equal(p.cause, "starved");
    books_are_balanced(&p);
    pond_close(&p);
    pond_open(&p, poor, "bee wax", "infospiders",
              "population=1 theta=1 cost=latency max_pages=2 thresholds=passed", SEED(1));
    visit(&p, 1);
    assert_int_equal(alive(&p), 1);
    assert_true(energy_of(&p, 1) == 0);
    pond_close(&p);
}

static void nobody_is_born_beyond_the_ceiling(void **state)
{
    static const struct pond_page rich[POND_PAGES + 1] = {[1] = {"<p>wax oak", 0, 0}};
    struct pond p;

    (void)state;
    pond_open(&p, rich, "bee wax", "infospiders", ONE "theta=1 cost=latency max_population=1",
              SEED(1));
    visit(&p, 1);
    assert_int_equal(alive(&p), 1);
    assert_true(energy_of(&p, 1) == 1);
    pond_close(&p);
}

/* Two agents on one seed: who is first is paid, the other pays a tenth of c_t = .04. */
static void only_the_first_visit_pays(void **state)
{
    struct choice c, again;
    struct pond p;

    (void)state;
    pond_open(&p, lesson, "bee wax", "infospiders", "population=2 theta=2 max_pages=100", SEED(1));
    assert_true(pond_next(&p, &c));
    assert_int_equal(c.agent, 1);
    assert_false(pond_next(&p, &again)); /* the other one waits for the page */
    pond_answer(&p, c);
    assert_near(energy_of(&p, 1), 1 + 2 / sqrt(10) - .02);
    assert_near(energy_of(&p, 2), 1);
    assert_true(pond_next(&p, &c)); /* it walks; then the first goes on */
    assert_int_equal(c.agent, 1);
    assert_int_equal(c.url, 2);
    assert_near(energy_of(&p, 2), 1 - .004);
    assert_false(p.last_visit.visit.first);
    assert_false(pond_next(&p, &again)); /* it wants to go to 2 as well */
    pond_answer(&p, c);
    books_are_balanced(&p);
    pond_close(&p);
}

/* ---- offspring ------------------------------------------------------------------- */

/* wax 4, oak 3, elm 2: sim = 4 / sqrt(29 * 2); theta = 1: it divides itself at once. The
 * child has oak as a third word. */
static const struct pond_page birth[POND_PAGES + 1] = {
    [1] = {"<p>wax wax wax wax oak oak oak elm <a href=2>elm</a>", 0, 0},
    [2] = {"<p>oak", 0, 0},
};
#define BIRTH ONE "theta=1 cost=latency mutation=0 "

static void children_learn_the_commonest_word_of_their_page(void **state)
{
    const double half = (.5 + 4 / sqrt(58)) / 2;
    struct spider *mother, *child;
    struct pond p;

    (void)state;
    pond_open(&p, birth, "bee wax", "infospiders", BIRTH, SEED(1));
    visit(&p, 1);
    mother = spider_of(&p, 1);
    child = spider_of(&p, 2);
    assert_int_equal(mother->net.inputs, 2);
    assert_int_equal(child->net.inputs, 3);
    assert_int_equal(child->words[1], term_id(STR("wax")));
    assert_int_equal(child->words[2], term_id(STR("oak")));
    assert_near(child->net.weights[0], .5);
    assert_near(child->net.weights[2], 1 / 3.);
    assert_near(child->net.weights[3], 0);
    assert_near(energy_of(&p, 1), half);
    assert_near(energy_of(&p, 2), half);
    assert_int_equal(agent_of(p.ctx.population, 2)->at, 1);
    assert_int_equal(child->to, 2); /* and sees the page with its own words: */
    assert_near((double)child->in[1], 4);
    assert_near((double)child->in[2], 3);
    pond_close(&p);
    pond_open(&p, birth, "bee wax", "infospiders", BIRTH "max_keywords=2", SEED(1));
    visit(&p, 1);
    assert_int_equal(spider_of(&p, 2)->net.inputs, 2);
    pond_close(&p);
    pond_open(&p, birth, "bee wax", "infospiders", BIRTH "expand=none", SEED(1));
    visit(&p, 1);
    assert_int_equal(spider_of(&p, 2)->net.inputs, 2);
    pond_close(&p);
}

/* bee counts less (its weight is .1): oak or elm takes its place. */
static void or_replace_the_word_that_counts_least(void **state)
{
    struct spider *child;
    struct pond p;

    (void)state;
    pond_open(&p, birth, "bee wax", "infospiders", BIRTH "expand=replace_weakest", SEED(1));
    spider_of(&p, 1)->net.weights[0] = -.1;
    visit(&p, 1);
    child = spider_of(&p, 2);
    assert_int_equal(child->net.inputs, 2);
    assert_int_equal(child->words[1], term_id(STR("wax")));
    assert_true(child->words[0] == term_id(STR("oak")) || child->words[0] == term_id(STR("elm")));
    assert_near(child->net.weights[0], .5);
    assert_near(child->net.weights[1], .5);
    pond_close(&p);
}

/* mutation = 1, noise = .5: every weight differs, by no more than half. */
static void children_differ(void **state)
{
    struct pond p;

    (void)state;
    pond_open(&p, birth, "bee wax", "infospiders",
              ONE "theta=1 cost=latency mutation=1 beta_noise=0.5 beta=4 expand=none", SEED(1));
    visit(&p, 1);
    for (int i = 0; i < 2; i++) {
        double w = spider_of(&p, 2)->net.weights[i];

        assert_true(w >= .25 && w < .75 && w != .5);
        assert_true(spider_of(&p, 1)->net.weights[i] == .5);
    }
    assert_true(spider_of(&p, 2)->beta >= 2 && spider_of(&p, 2)->beta <= 5);
    assert_true(spider_of(&p, 2)->beta != 4 && spider_of(&p, 1)->beta == 4);
    pond_close(&p);
}

/* ---- walking -------------------------------------------------------------------- */

/* 2 is a dead end: back to 1, and not there again. */
static void dead_ends_are_left_by_the_way_back(void **state)
{
    static const struct pond_page web[POND_PAGES + 1] = {
        [1] = {"<p><a href=2>wax wax wax wax</a> oak <a href=3>elm</a>"},
        [2] = {"<p>oak"},
        [3] = {"<p>oak <a href=4>oak</a> <a href=3>here</a>"},
        [4] = {"<p>oak"},
    };
    struct pond p;

    (void)state;
    pond_open(&p, web, "bee wax", "infospiders", ONE "beta=100", SEED(1));
    visit(&p, 1);
    visit(&p, 2);
    visit(&p, 3);
    assert_int_equal(agent_of(p.ctx.population, 1)->from, 1);
    assert_int_equal(p.visits, 4); /* 1, 2, back on 1, 3 */
    assert_string_equal(pond_order(&p, 9), "4");
    pond_close(&p);
    pond_open(&p, web, "bee wax", "infospiders", ONE "beta=100", SEED(1));
    p.forgets = true; /* nothing can be looked up: no way back */
    assert_string_equal(pond_order(&p, 9), "12");
    assert_string_equal(p.cause, "dead end");
    pond_close(&p);
}

/* A ring of three, a link out of it that leads to nothing: when everything was visited
 * the model says so at once, whoever is alive. */
static void when_all_is_visited_nobody_walks(void **state)
{
    struct choice c;
    struct pond p;

    (void)state;
    pond_open(&p, lesson, "bee wax", "infospiders", "theta=2 max_population=10", SEED(1));
    assert_string_equal(pond_order(&p, 99), "123");
    assert_int_equal(alive(&p), 10);
    assert_false(pond_next(&p, &c));
    pond_close(&p);
}

/* 4 can be reached from 5 only, and nobody is there: the agents walk round the ring for
 * a while, and are given up; with cache_cost=0 too. */
static void agents_that_find_nothing_are_given_up(void **state)
{
    static const struct pond_page web[POND_PAGES + 1] = {
        [1] = {"<p>oak <a href=2>oak</a>"},
        [2] = {"<p>oak <a href=1>oak</a>"},
        [5] = {"<p>oak <a href=4>oak</a> <a href=6>oak</a>"},
    };
    struct choice c;
    struct pond p;

    (void)state;
    pond_open(&p, web, "bee wax", "infospiders", ONE "cache_cost=0", SEED(1, 5));
    visit(&p, 1);
    visit(&p, 5);
    spider_die(p.model, spider_of(&p, 2), "test");
    visit(&p, 2);
    assert_false(pond_next(&p, &c));
    assert_int_equal(alive(&p), 1);
    assert_true(p.looks > 4000 && p.looks < 10000);
    pond_close(&p);
    pond_open(&p, web, "bee wax", "infospiders", ONE "max_pages=10", SEED(1, 5));
    visit(&p, 1);
    visit(&p, 5);
    spider_die(p.model, spider_of(&p, 2), "test");
    visit(&p, 2);
    assert_false(pond_next(&p, &c)); /* each step costs a tenth of c_t = .4 */
    assert_int_equal(alive(&p), 0);
    assert_string_equal(p.cause, "starved");
    books_are_balanced(&p);
    pond_close(&p);
}

/* 2 moved to 7. Who wants to go to 2 later walks onto 7. */
static void a_redirect_leads_to_the_same_place_for_everybody(void **state)
{
    static const struct pond_page web[POND_PAGES + 1] = {
        [1] = {"<p>oak <a href=2>oak</a>"},
        [2] = {.moved = 7},
        [7] = {"<p>oak <a href=8>oak</a>"},
        [8] = {"<p>oak <a href=2>oak</a> <a href=9>oak</a>"},
        [9] = {"<p>oak"},
    };
    struct pond p;

    (void)state;
    pond_open(&p, web, "bee wax", "infospiders", "population=3", SEED(1));
    assert_string_equal(pond_order(&p, 99), "1289");
    pond_close(&p);
}

/* Nobody is on a page that the engine came to by itself. */
static void pages_nobody_asked_for_are_passed_over(void **state)
{
    struct pond_read r;
    struct percept sitemap;
    struct pond p;

    (void)state;
    pond_open(&p, lesson, "bee wax", "infospiders", ONE, SEED(1));
    pond_read(&p, 2, &r);
    sitemap = (struct percept){.body = r.page, .profile = &r.profile, .marks = r.marks};
    p.model->ops->perceive(p.model, &sitemap);
    pond_unread(&r);
    assert_string_equal(pond_order(&p, 99), "123");
    pond_close(&p);
}

/* ---- variant=frontier ------------------------------------------------------------- */

/* sim({bee, wax}, 1) = .75 as above; alpha = .25:
 * .25 * .8482836 + .75 * .75 = .7745709;  .25 * .7615942 + .5625 = .7528985 */
static void kept_links_mix_net_and_page(void **state)
{
    static const double scores[] = {0.7745709099893782, 0.7528985389889412};
    struct spider *s;
    struct pond p;

    (void)state;
    pond_open(&p, two_links, "bee wax", "infospiders", ONE "variant=frontier alpha=0.25", SEED(1));
    visit(&p, 1);
    assert_all_near(p.scores, 2, scores);
    s = spider_of(&p, 1);
    assert_int_equal(s->bag.count, 2);
    assert_near((double)s->bag.scores[0], scores[0]);
    assert_near((double)s->bag.in[0], 2);
    assert_near((double)s->bag.in[3], 1);
    assert_int_equal(strlen(pond_order(&p, 99)), 2); /* both, without a way back */
    assert_int_equal(p.visits, 3);
    assert_string_equal(p.cause, "dead end"); /* nothing is left */
    pond_close(&p);
}

/* Seven links, the mother keeps four, the child gets three: all of them once. The child
 * has one word more; its links know nothing of it. */
static void children_get_half_of_the_frontier(void **state)
{
    static const struct pond_page web[POND_PAGES + 1] = {
        [1] = {"<p>wax wax wax wax wax wax wax wax <a href=2>oak</a> <a href=3>oak</a> <a "
               "href=4>oak</a>"
               " <a href=5>elm</a> <a href=6>elm</a> <a href=7>oak</a> <a href=8>ash</a>"},
    };
    struct spider *mother, *child;
    uint32_t seen = 0;
    struct pond p;

    (void)state;
    pond_open(&p, web, "bee wax", "infospiders", BIRTH "variant=frontier", SEED(1));
    visit(&p, 1);
    mother = spider_of(&p, 1);
    child = spider_of(&p, 2);
    assert_int_equal(mother->bag.count, 4);
    assert_int_equal(child->bag.count, 3);
    assert_int_equal(child->bag.keywords, 3);
    for (size_t i = 0; i < 4; i++)
        seen |= 1u << mother->bag.urls[i];
    for (size_t i = 0; i < 3; i++) {
        float near = child->bag.urls[i] <= 6 ? 8.0f / (float)(child->bag.urls[i] - 1) : 0;

        seen |= 1u << child->bag.urls[i];
        assert_near((double)child->bag.in[3 * i + 1], (double)near);
        assert_near((double)child->bag.in[3 * i + 2], 0);
    }
    assert_int_equal(seen, 0x1fc);
    pond_resume(&p, "infospiders", BIRTH "variant=frontier");
    pond_close(&p);
}

/* max_buffer = 16: with 17 links 15 are left, a sixteenth of the room being free again;
 * the two worst have gone, those farthest from the words. */
static void lowest_links_leave_a_full_buffer(void **state)
{
    static const struct pond_page web[POND_PAGES + 1] = {
        [1] = {"<p>wax wax wax wax <a href=2>oak</a> <a href=3>oak</a> <a href=4>oak</a>"
               " <a href=5>o</a> <a href=6>o</a> <a href=7>o</a> <a href=8>o</a>"
               " <a href=9>o</a> <a href=10>o</a> <a href=11>o</a> <a href=12>o</a>"
               " <a href=13>o</a> <a href=14>o</a> <a href=15>o</a> <a href=16>o</a>"
               " <a href=17>o</a> <a href=18>o</a>"},
        [2] = {"<p>oak"},
    };
    struct spider *s;
    struct pond p;

    (void)state;
    pond_open(&p, web, "bee wax", "infospiders", ONE "variant=frontier rho=15 max_buffer=16",
              SEED(1));
    visit(&p, 1);
    s = spider_of(&p, 1);
    assert_int_equal(s->bag.count, 15);
    assert_int_equal(p.ndropped, 2);
    assert_int_equal(p.dropped[0] + p.dropped[1], 17 + 18);
    spider_die(p.model, s, "test"); /* and takes its links with it */
    assert_int_equal(p.ndropped, 17);
    pond_close(&p);
}

/* Twelve links that score alike, kept by both agents: 24, of which nine have to go. Four
 * or five of each: nobody is robbed for being older. */
static void of_equal_links_every_agent_gives_its_share(void **state)
{
    static const struct pond_page web[POND_PAGES + 1] = {
        [1] = {"<p>o <a href=2>o</a> <a href=3>o</a> <a href=4>o</a> <a href=5>o</a>"
               " <a href=6>o</a> <a href=7>o</a> <a href=8>o</a> <a href=9>o</a>"
               " <a href=10>o</a> <a href=11>o</a> <a href=12>o</a> <a href=13>o</a>"},
    };
    struct choice c;
    struct pond p;

    (void)state;
    pond_open(&p, web, "bee wax", "infospiders", "population=2 variant=frontier max_buffer=16",
              SEED(1));
    visit(&p, 1);
    assert_int_equal(spider_of(&p, 1)->bag.count, 12);
    assert_true(pond_next(&p, &c)); /* the second walks there; the first takes a link */
    assert_int_equal(c.agent, 1);
    assert_int_equal(spider_of(&p, 1)->bag.count + spider_of(&p, 2)->bag.count, 14);
    assert_in_range(spider_of(&p, 2)->bag.count, 7, 8);
    assert_int_equal(spiders_of(p.model)->kept, 14);
    pond_answer(&p, c);
    pond_close(&p);
}

/* Both agents keep 2 and 3; the first of them there fetches, the other walks and pays. */
static void kept_links_may_have_been_visited_by_others(void **state)
{
    struct pond p;

    (void)state;
    pond_open(&p, two_links, "bee wax", "infospiders",
              "population=2 theta=2 max_pages=100 variant=frontier cost=latency", SEED(1));
    visit(&p, 1);
    assert_int_equal(strlen(pond_order(&p, 99)), 2);
    assert_int_equal(alive(&p), 0);
    assert_int_equal(p.visits, 6); /* two agents, three pages */
    books_are_balanced(&p);
    pond_close(&p);
}

/* The agent has learned oak: with its own words 2 is worth 1 / sqrt(1 * 3), without 0. */
static void reward_can_follow_the_agents_own_words(void **state)
{
    static const struct {
        const char *settings;
        double worth;
    } cases[] = {
        {BIRTH "variant=frontier reward_vector=agent max_population=2", 1},
        {BIRTH "variant=frontier max_population=2", 0},
        {BIRTH "reward_vector=agent max_population=2", 1},
        {BIRTH "max_population=2", 0},
    };

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        struct choice c;
        struct pond p;

        pond_open(&p, birth, "bee wax", "infospiders", cases[i].settings, SEED(1));
        visit(&p, 1);
        if (options_of(p.model)->variant == VARIANT_FRONTIER) { /* one link: give it to the child */
            struct spider *mother = spider_of(&p, 1), *child = spider_of(&p, 2);
            const float in[3] = {0};

            mother->bag.count = 0;
            (void)link_bag_add(&child->bag, 2, 0, in);
        }
        assert_true(pond_next(&p, &c));
        if (c.agent == 1) { /* the mother is too early: let her fail, and the child go */
            spider_of(&p, 1)->under_way = false;
            c.agent = 2;
            spider_of(&p, 2)->under_way = true;
            spider_of(&p, 2)->to = 2;
        }
        pond_answer(&p, c);
        assert_near(p.last_visit.visit.delta, cases[i].worth / sqrt(3));
        pond_close(&p);
    }
}

/* ---- checkpoints ------------------------------------------------------------------ */

/* Thirty pages in a thicket; saved and loaded after every few visits, with one under way,
 * the crawl is the same as without. */
static void thicket(struct pond_page web[POND_PAGES + 1], char html[POND_PAGES + 1][400])
{
    static const char *const words[] = {"oak", "bee", "elm", "wax", "ash"};
    struct rng r;

    rng_init(&r, 5);
    memset(web, 0, sizeof(struct pond_page) * (POND_PAGES + 1));
    for (int i = 1; i <= 36; i++) {
        int n = snprintf(html[i], 400, "<p>");

        for (int k = 0; k < 5; k++)
            n += snprintf(html[i] + n, 400 - (size_t)n, "%s <a href=%d>%s</a> ",
                          words[rng_below(&r, 5)], 1 + (int)rng_below(&r, POND_PAGES),
                          words[rng_below(&r, 5)]);
        web[i].html = html[i];
    }
}

static void resumed_run_goes_on_as_it_would_have(void **state)
{
    static const char *const settings[] = {
        "population=4 theta=0.8 max_pages=60 hidden=2 beta_noise=0.3",
        "population=4 theta=0.8 max_pages=60 variant=frontier max_buffer=32",
        "population=4 theta=0.8 max_pages=60 expand=replace_weakest cost=simulated",
    };
    static struct pond_page web[POND_PAGES + 1];
    static char html[POND_PAGES + 1][400];
    char want[POND_PAGES * 4 + 2];

    (void)state;
    thicket(web, html);
    for (size_t i = 0; i < 3; i++) {
        struct choice c;
        struct pond p;
        size_t n = 0;

        pond_open(&p, web, "bee wax", "infospiders", settings[i], SEED(1, 2));
        (void)snprintf(want, sizeof want, "%s", pond_order(&p, 99));
        assert_true(strlen(want) > 25 && p.born > 6);
        books_are_balanced(&p);
        pond_close(&p);
        pond_open(&p, web, "bee wax", "infospiders", settings[i], SEED(1, 2));
        while (pond_next(&p, &c)) {
            p.order[n++] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFG"[c.url];
            if (n % 3 == 0)
                pond_resume(&p, "infospiders", settings[i]);
            pond_answer(&p, c);
        }
        p.order[n] = '\0';
        assert_string_equal(p.order, want);
        pond_close(&p);
    }
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
        cmocka_unit_test(c_t_follows_founders_theta_and_pages),
        cmocka_unit_test(costs_are_constant_or_by_the_clock_or_drawn),
        cmocka_unit_test(failures_cost_too),
        cmocka_unit_test(thresholds_are_reached_or_passed),
        cmocka_unit_test(nobody_is_born_beyond_the_ceiling),
        cmocka_unit_test(only_the_first_visit_pays),
        cmocka_unit_test(children_learn_the_commonest_word_of_their_page),
        cmocka_unit_test(or_replace_the_word_that_counts_least),
        cmocka_unit_test(children_differ),
        cmocka_unit_test(dead_ends_are_left_by_the_way_back),
        cmocka_unit_test(when_all_is_visited_nobody_walks),
        cmocka_unit_test(agents_that_find_nothing_are_given_up),
        cmocka_unit_test(a_redirect_leads_to_the_same_place_for_everybody),
        cmocka_unit_test(pages_nobody_asked_for_are_passed_over),
        cmocka_unit_test(kept_links_mix_net_and_page),
        cmocka_unit_test(children_get_half_of_the_frontier),
        cmocka_unit_test(lowest_links_leave_a_full_buffer),
        cmocka_unit_test(of_equal_links_every_agent_gives_its_share),
        cmocka_unit_test(kept_links_may_have_been_visited_by_others),
        cmocka_unit_test(reward_can_follow_the_agents_own_words),
        cmocka_unit_test(resumed_run_goes_on_as_it_would_have),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
