/* The parts of the model brood, computed by hand: yields, the numbers of a link, the fit of
 * the weights, the life of policies. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "agent/population.h"
#include "base/mem.h"
#include "models/brood/policies.h"
#include "models/models.h"

#include <math.h>
#include <stdlib.h>

static void assert_near(double got, double expected, double within)
{
    if (!(fabs(got - expected) <= within))
        fail_msg("%.9g, not %.9g", got, expected);
}

/* ---- the map ---- */

/* Page 0 (URL 1, label .5) names 2 and 3; then 2 comes with label 1. */
static void map_open(struct web_map *m)
{
    web_map_init(m);
    assert_int_equal(web_map_visit(m, 1, 0.5, 0.1), 0);
    assert_non_null(web_map_names(m, 2));
    assert_non_null(web_map_names(m, 3));
    assert_null(web_map_names(m, 3)); /* a page names a URL once */
    assert_null(web_map_names(m, 1)); /* and never itself */
    web_map_link(m, 2)->is_waiting = web_map_link(m, 3)->is_waiting = true;
    web_map_close(m);
    assert_int_equal(m->ndirty, 2);
    assert_near((double)m->pages[0].used, 0.05 + 0.4 * 0.5, 1e-6);
    for (size_t i = 0; i < m->ndirty; i++)
        m->links[m->dirty[i]].is_dirty = false;
    m->ndirty = 0;
    assert_int_equal(web_map_visit(m, 2, 1, 0.3), 1);
}

/* One observation (.5, 1) more: c1 = 42 / 105, c0 = 1.8 / 21. */
static void label_is_credited_to_the_page_that_linked(void **state UNUSED)
{
    struct web_map m;

    map_open(&m);
    assert_near(m.c1, 0.4, 1e-9);
    assert_near(m.c0, 1.8 / 21, 1e-9);
    assert_near(m.base, 3.5 / 12, 1e-6);
    assert_near(page_yield(&m, &m.pages[0]), (1 + 3 * (1.8 / 21 + 0.2)) / 4, 1e-6);
    assert_int_equal(m.ndirty, 1); /* the yield moved: the other link is to be scored again */
    assert_int_equal(m.dirty[0], 3);
    assert_near(web_map_near(&m, 0), (2 * 3.5 / 12 + 1) / 3, 1e-6);
    web_map_clear(&m);
}

static void hub_is_known_when_it_comes(void **state UNUSED)
{
    struct web_map m;

    map_open(&m);
    (void)web_map_visit(&m, 4, 0.1, 0);
    (void)web_map_names(&m, 2); /* visited, label 1 */
    (void)web_map_names(&m, 5);
    web_map_close(&m);
    assert_near((double)m.pages[2].links.count, 1, 1e-9);
    assert_near((double)m.pages[2].links.sum, 1, 1e-9);
    assert_true((double)m.pages[2].used > 0.3);
    web_map_clear(&m);
}

static void groups_have_yields(void **state UNUSED)
{
    struct web_map m;

    web_map_init(&m);
    web_map_link(&m, 1)->host = web_map_group(&m, 77);
    web_map_link(&m, 2)->host = web_map_group(&m, 77);
    (void)web_map_visit(&m, 1, 0.25, 0);
    (void)web_map_visit(&m, 2, 0.5, 0);
    assert_int_equal(m.ngroups, 1);
    assert_near((double)m.groups[0].yield.sum, 0.75, 1e-6);
    m.pages[0].p = 1;
    web_map_count(&m);
    assert_near((double)m.groups[0].yield.sum, 1.5, 1e-6);
    web_map_clear(&m);
}

static void saved_map_is_the_same(void **state UNUSED)
{
    struct web_map m, again;
    struct buf saved = BUF_INIT(1 << 16), twice = BUF_INIT(1 << 16);
    struct cursor c;

    map_open(&m);
    web_map_link(&m, 3)->place = web_map_group(&m, 5);
    web_map_save(&m, &saved);
    web_map_init(&again);
    c = (struct cursor){.rest = buf_str(&saved)};
    assert_int_equal(web_map_load(&again, &c, false), ST_OK);
    web_map_save(&again, &twice);
    assert_true(str_eq(buf_str(&saved), buf_str(&twice)));
    assert_int_equal(again.links[3].edge, m.links[3].edge);
    assert_true(again.c0 == m.c0 && again.base == m.base);
    web_map_clear(&again);
    for (size_t cut = 0; cut < saved.len; cut++) {
        web_map_init(&again);
        c = (struct cursor){.rest = str_sub(buf_str(&saved), 0, cut)};
        assert_int_equal(web_map_load(&again, &c, false), ST_CORRUPT);
        web_map_clear(&again);
    }
    web_map_clear(&m);
    buf_free(&saved);
    buf_free(&twice);
}

#define LINK_BYTES 33 /* of a link that is saved: its URL, four groups, three numbers, a byte … */
#define NAME_AT    28 /* … and where the last of the numbers is, which is new */

static void a_map_of_version_0_2_can_be_loaded(void **state UNUSED)
{
    struct web_map m, again;
    struct buf saved = BUF_INIT(1 << 16), old = BUF_INIT(1 << 16), twice = BUF_INIT(1 << 16);
    struct cursor c;
    size_t links = 0, from;

    map_open(&m);
    web_map_save(&m, &saved);
    for (size_t url = 0; url < m.nlinks; url++)
        links += m.links[url].edge || m.links[url].page || m.links[url].host;
    from = saved.len - links * LINK_BYTES;
    buf_add(&old, saved.data, from);
    for (; from < saved.len; from += LINK_BYTES) {
        buf_add(&old, saved.data + from, NAME_AT);
        buf_add(&old, saved.data + from + NAME_AT + 4, LINK_BYTES - NAME_AT - 4);
    }
    web_map_init(&again);
    c = (struct cursor){.rest = buf_str(&old)};
    assert_int_equal(web_map_load(&again, &c, true), ST_OK);
    assert_int_equal(c.rest.len, 0);
    web_map_save(&again, &twice);
    assert_true(links > 2 && str_eq(buf_str(&saved), buf_str(&twice)));
    web_map_clear(&again);
    web_map_clear(&m);
    buf_free(&saved);
    buf_free(&old);
    buf_free(&twice);
}

/* ---- the predictor ---- */

static void a_predictor_of_version_0_2_can_be_loaded(void **state UNUSED)
{
    struct buf old = BUF_INIT(1 << 16);
    struct predictor usual, p;
    struct cursor c;

    for (int i = 0; i < 9; i++)
        buf_put_f64(&old, i + 1);
    buf_put_u64(&old, 1); /* seen */
    buf_put_u64(&old, 20);
    buf_put_u32(&old, 0);
    buf_put_u32(&old, 1); /* samples */
    for (int i = 0; i < 9; i++)
        buf_put_f32(&old, (float)i);
    buf_put_u32(&old, 0);
    predictor_init(&usual);
    predictor_init(&p);
    c = (struct cursor){.rest = buf_str(&old)};
    assert_int_equal(predictor_load(&p, &c, 1, true), ST_OK);
    assert_int_equal(c.rest.len, 0);
    assert_true(p.w[F_PLACE] == 9 && p.w[F_URL] == usual.w[F_URL] && p.w[F_URL] > 0);
    assert_true(p.samples[0].x[F_PLACE] == 8 && p.samples[0].x[F_BESIDE] == 0);
    predictor_clear(&p);
    predictor_clear(&usual);
    buf_free(&old);
}

static void link_is_eleven_numbers(void **state UNUSED)
{
    struct web_map m;
    struct map_link *l;
    float x[FEATURES];
    double yield = (1 + 3 * (1.8 / 21 + 0.2)) / 4, mean = (yield + 2 * 3.5 / 12) / 3;
    double beside = (1 + 2 * mean) / 3; /* the one link before it brought a page of label 1 */

    map_open(&m);
    l = web_map_link(&m, 3);
    l->anchor = 2;
    l->name = 3;
    l->context = 3;
    link_features(&m, l, x);
    assert_near((double)x[F_BIAS], 1, 0);
    assert_near((double)x[F_YIELD], 0.5 * log(mean / (1 - mean)), 1e-5);
    assert_near((double)x[F_ANCHOR], 1, 1e-6);
    assert_near((double)x[F_CONTEXT], 3, 1e-6);
    assert_near((double)x[F_HOST], 0.5 * log(3.5 / 8.5), 1e-5); /* no page of it so far */
    assert_near((double)x[F_WORDS], 0.3, 1e-6);
    assert_near((double)x[F_LINKS], log(2), 1e-6);
    assert_near((double)x[F_BESIDE],
                0.5 * log(beside / (1 - beside)) - 0.5 * log(mean / (1 - mean)), 1e-5);
    assert_near((double)x[F_URL], 1.5, 1e-6);
    web_map_clear(&m);
}

/* Of the links 2 to 8 of one page, 2, 3 and 8 were visited: beside 7, at distances 5, 4 and 1. The
 * first is too far away. */
static void links_beside_count_by_their_distance(void **state UNUSED)
{
    struct web_map m;
    float x[FEATURES];
    double mean, beside;

    web_map_init(&m);
    (void)web_map_visit(&m, 1, 0.5, 0);
    for (uint32_t url = 2; url <= 8; url++)
        assert_non_null(web_map_names(&m, url));
    web_map_close(&m);
    (void)web_map_visit(&m, 2, 0.9, 0);
    (void)web_map_visit(&m, 3, 1, 0);
    (void)web_map_visit(&m, 8, 0.5, 0);
    link_features(&m, web_map_link(&m, 7), x);
    mean = 1 / (1 + exp(-2 * (double)x[F_YIELD]));
    beside = (1.0 / 4 + 0.5 + 2 * mean) / (1.0 / 4 + 1 + 2);
    assert_near((double)x[F_BESIDE],
                0.5 * log(beside / (1 - beside)) - 0.5 * log(mean / (1 - mean)), 1e-5);
    web_map_clear(&m);
}

/* Twenty links that are nothing but a bias brought pages of label 1/2: the weight w solves
 * (-1 - w) + 20 (1/2 - 1 / (1 + exp(-w))) = 0. */
static void weights_are_fitted_to_what_links_brought(void **state UNUSED)
{
    struct web_map m;
    struct predictor p;
    float x[FEATURES] = {1};

    map_open(&m);
    predictor_init(&p);
    assert_near(link_worth(p.w, x), 1 / (1 + exp(1)), 1e-9);
    for (int i = 0; i < 20; i++) {
        assert_false(predictor_is_due(&p));
        predictor_learn(&p, x, 0);
    }
    assert_true(predictor_is_due(&p));
    predictor_fit(&p, &m);
    assert_near(p.w[F_BIAS], -0.16699, 1e-4);
    assert_near(p.w[F_YIELD], 2, 1e-9); /* nothing was learned of it */
    assert_false(predictor_is_due(&p));
    predictor_clear(&p);
    web_map_clear(&m);
}

/* A hundred links of pages whose yields are .2 bring pages of label .7: far from what the prior
 * expects, where whole steps of Newton's method lead to weights of some hundreds. */
static void surprise_does_not_drive_the_weights_away(void **state UNUSED)
{
    struct web_map m;
    struct predictor p;
    float x[FEATURES] = {[F_BIAS] = 1, [F_YIELD] = (float)(0.5 * log(0.2 / 0.8))};

    map_open(&m);
    m.pages[0].p = 0.7f;
    predictor_init(&p);
    x[F_HOST] = x[F_DIRECTORY] = x[F_PLACE] = x[F_YIELD];
    x[F_LINKS] = (float)log(2);
    for (int i = 0; i < 100; i++)
        predictor_learn(&p, x, 0);
    predictor_fit(&p, &m);
    assert_near(link_worth(p.w, x), 0.7, 0.05);
    for (int i = 0; i < FEATURES; i++)
        assert_true(fabs(p.w[i]) < 10);
    predictor_clear(&p);
    web_map_clear(&m);
}

/* ---- policies ---- */

struct stage {
    struct model_ctx ctx;
    struct model model;
    struct policies policies;
    struct percept page;
};

static void ignore(void *ctx UNUSED, const struct event *e UNUSED)
{
}

static void stage_open(struct stage *s, uint32_t size)
{
    *s = (struct stage){.page = {.page = 1, .first = true}};
    s->ctx.population = population_new(ignore, NULL);
    rng_init(&s->ctx.rng, 3);
    s->model.ctx = &s->ctx;
    policies_init(&s->model, &s->policies, size, 0.05);
    policies_begin(&s->model, &s->policies);
}

static void rich_policy_divides_and_the_poorest_dies(void **state UNUSED)
{
    struct stage s;
    struct population_counts n;

    stage_open(&s, 3);
    policies_paid(&s.model, &s.policies, 2, &s.page, 0.9); /* 1 + .9 */
    assert_near(agent_energy(s.ctx.population, 2), 1.9, 1e-9);
    policies_paid(&s.model, &s.policies, 2, &s.page, 0.9); /* the mean is .018 by now */
    n = population_counts(s.ctx.population);
    assert_int_equal(n.born, 4);
    assert_int_equal(n.alive, 3);
    assert_false(agent_is_alive(s.ctx.population, 1)); /* of two with the energy 1 the older */
    assert_near(agent_energy(s.ctx.population, 2), (1.9 + 0.882) / 2, 1e-9);
    assert_int_equal(agent_of(s.ctx.population, 4)->parent, 2);
    population_free(s.ctx.population);
}

static void poor_policy_starves_and_the_richest_divides(void **state UNUSED)
{
    struct stage s;

    stage_open(&s, 2);
    s.policies.mean = 0.9;
    policies_paid(&s.model, &s.policies, 1, &s.page, 0);
    assert_true(agent_is_alive(s.ctx.population, 1));
    policies_paid(&s.model, &s.policies, 1, &s.page, 0); /* 1 - .9 - .882 */
    assert_false(agent_is_alive(s.ctx.population, 1));
    assert_int_equal(population_counts(s.ctx.population).alive, 2);
    assert_int_equal(agent_of(s.ctx.population, 3)->parent, 2);
    assert_near(agent_energy(s.ctx.population, 3), 0.5, 1e-9);
    policies_paid(&s.model, &s.policies, 1, &s.page, 1); /* an answer for the dead: nothing */
    population_free(s.ctx.population);
}

/* As after a resume with more agents asked for than there are. */
static void last_policy_does_not_starve(void **state UNUSED)
{
    struct stage s;

    stage_open(&s, 1);
    s.policies.size = 5;
    s.policies.mean = 0.9;
    for (int i = 0; i < 3; i++)
        policies_paid(&s.model, &s.policies, 1, &s.page, 0);
    assert_true(agent_is_alive(s.ctx.population, 1));
    population_free(s.ctx.population);
}

static void first_policy_is_the_predictor(void **state UNUSED)
{
    struct stage s;
    double w[FEATURES] = {3, 4};
    float x[FEATURES] = {1, 2};

    stage_open(&s, 2);
    assert_near(policy_likes(&s.model, 1, w, x), 11.0 / 5, 1e-9);
    assert_true(fabs(policy_likes(&s.model, 2, w, x) - 11.0 / 5) > 1e-6);
    population_free(s.ctx.population);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(label_is_credited_to_the_page_that_linked),
        cmocka_unit_test(hub_is_known_when_it_comes),
        cmocka_unit_test(groups_have_yields),
        cmocka_unit_test(saved_map_is_the_same),
        cmocka_unit_test(a_map_of_version_0_2_can_be_loaded),
        cmocka_unit_test(a_predictor_of_version_0_2_can_be_loaded),
        cmocka_unit_test(link_is_eleven_numbers),
        cmocka_unit_test(links_beside_count_by_their_distance),
        cmocka_unit_test(weights_are_fitted_to_what_links_brought),
        cmocka_unit_test(surprise_does_not_drive_the_weights_away),
        cmocka_unit_test(rich_policy_divides_and_the_poorest_dies),
        cmocka_unit_test(poor_policy_starves_and_the_richest_divides),
        cmocka_unit_test(last_policy_does_not_starve),
        cmocka_unit_test(first_policy_is_the_predictor),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
