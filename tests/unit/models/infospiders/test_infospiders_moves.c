/* infospiders on several machines: an agent is carried from one pond to another by hand.
 * SPDX-License-Identifier: MIT */
#include "spiders.h"

#include <string.h>

/* Two ponds, and an agent of the first on its way to page 2, which is the other's. */
struct crossing {
    struct pond home, there;
    struct choice choice;
    struct buf record, mind;
};

static void leave(struct crossing *x)
{
    uint32_t url;

    x->record = x->mind = BUF_INIT(10000);
    pond_open(&x->home, two_links, "bee wax", "infospiders", ONE "beta=100", SEED(1));
    visit(&x->home, 1);
    assert_true(pond_next(&x->home, &x->choice));
    assert_true(x->home.model->ops->moves->record(x->home.model, x->choice.agent, &x->mind, &url));
    assert_int_equal(url, x->choice.url);
    x->home.model->ops->moves->let_go(x->home.model, x->choice.agent);
    agent_leave(x->home.ctx.population, 2, x->choice.agent, &x->record);
    pond_open(&x->there, two_links, "bee wax", "infospiders", ONE "beta=100", NULL);
    x->there.ctx.seeds = 1; /* which was given to the other */
}

static enum status come(struct crossing *x, struct str mind)
{
    struct cursor from = {.rest = buf_str(&x->record)};
    uint32_t agent;

    assert_int_equal(agent_come(x->there.ctx.population, 3, &from, &agent), ST_OK);
    return x->there.model->ops->moves->unpack(x->there.model, agent, x->choice.url, mind);
}

static void end(struct crossing *x)
{
    pond_close(&x->home);
    pond_close(&x->there);
    buf_free(&x->record);
    buf_free(&x->mind);
}

static void an_agent_takes_its_net_and_its_words_along(void **state)
{
    struct crossing x;
    struct choice next;
    const struct spider *s;
    double weights[3];
    uint32_t words[2];
    float estimate;

    (void)state;
    leave(&x);
    assert_int_equal(alive(&x.home), 0);
    pond_close(&x.home); /* once more, to see what it was like before it left */
    pond_open(&x.home, two_links, "bee wax", "infospiders", ONE "beta=100", SEED(1));
    visit(&x.home, 1);
    s = spider_of(&x.home, 1);
    memcpy(weights, s->net.weights, sizeof weights);
    memcpy(words, s->words, sizeof words);
    estimate = s->estimate;
    assert_false(pond_next(&x.there, &next));
    assert_int_equal(come(&x, buf_str(&x.mind)), ST_OK);
    s = spider_of(&x.there, x.choice.agent);
    assert_int_equal(s->net.inputs, 2);
    assert_memory_equal(s->net.weights, weights, sizeof weights);
    assert_memory_equal(s->words, words, sizeof words);
    assert_near((double)s->estimate, (double)estimate);
    assert_true(s->by_link);
    assert_true(pond_next(&x.there, &next));
    assert_int_equal(next.url, x.choice.url);
    assert_int_equal(next.agent, x.choice.agent);
    pond_answer(&x.there, next);
    assert_int_equal(agent_of(x.there.ctx.population, next.agent)->at, next.url);
    books_are_balanced(&x.there);
    end(&x);
}

static void a_mind_that_is_cut_or_no_number_is_refused(void **state)
{
    struct crossing x;
    double nan_weight = NAN;

    (void)state;
    leave(&x);
    for (size_t cut = 0; cut < x.mind.len; cut++) {
        assert_int_equal(come(&x, str_sub(buf_str(&x.mind), 0, cut)), ST_INVALID);
        agent_died(x.there.ctx.population, 4, x.choice.agent, "damaged");
    }
    memcpy(x.mind.data + 8, &nan_weight, sizeof nan_weight); /* behind inputs and hidden */
    assert_int_equal(come(&x, buf_str(&x.mind)), ST_INVALID);
    end(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_agent_takes_its_net_and_its_words_along),
        cmocka_unit_test(a_mind_that_is_cut_or_no_number_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
