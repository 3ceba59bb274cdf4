/* infospiders, computed by hand: what children inherit, and what they have of their own.
 * SPDX-License-Identifier: MIT */
#include "spiders.h"
#include "text/vocab.h"

/* wax 4, oak 3, elm 2: sim = 4 / sqrt(29 * 2); theta = 1: it divides itself at once. The
 * child has oak as a third word. */
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

/* What was learned, not what the first net was: here .75, -.25 and .125. */
static void children_inherit_the_learned_net(void **state)
{
    const double learned[] = {.75, -.25, .125};
    struct pond p;

    (void)state;
    pond_open(&p, birth, "bee wax", "infospiders", BIRTH "expand=none", SEED(1));
    memcpy(spider_of(&p, 1)->net.weights, learned, sizeof learned);
    visit(&p, 1);
    assert_int_equal(net_size(&spider_of(&p, 2)->net), 3);
    for (int i = 0; i < 3; i++)
        assert_true(spider_of(&p, 2)->net.weights[i] == learned[i]);
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

/* A topic of examples alone has no words: such an agent sees nothing of a link, and has
 * nothing to replace; its bias stays what it is. */
static void an_agent_without_words_can_live_and_breed(void **state)
{
    static const char *const variants[] = {
        BIRTH "expand=replace_weakest",
        BIRTH "expand=replace_weakest variant=frontier",
    };

    (void)state;
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        struct spider *s;
        struct pond p;

        pond_open(&p, birth, "bee wax", "infospiders", variants[i], SEED(1));
        s = spider_of(&p, 1);
        net_clear(&s->net);
        net_init(&s->net, 0, 0, NET_EVEN, &p.ctx.rng);
        s->bag.keywords = 0;
        visit(&p, 1);
        assert_int_equal(alive(&p), 2);
        assert_int_equal(spider_of(&p, 2)->net.inputs, 0);
        assert_true(spider_of(&p, 2)->net.weights[0] == 0);
        visit(&p, 2);
        pond_close(&p);
    }
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(children_learn_the_commonest_word_of_their_page),
        cmocka_unit_test(children_inherit_the_learned_net),
        cmocka_unit_test(or_replace_the_word_that_counts_least),
        cmocka_unit_test(an_agent_without_words_can_live_and_breed),
        cmocka_unit_test(children_differ),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
