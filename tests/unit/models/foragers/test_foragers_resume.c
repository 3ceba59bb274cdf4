/* A fleet of foragers goes on from a checkpoint as if nothing had been.
 * SPDX-License-Identifier: MIT */
#include "ground.h"

#include "base/mem.h"

/* ---- checkpoints ----------------------------------------------------------------- */

static void population_again(void)
{
    struct buf saved = BUF_INIT(1 << 20);
    struct cursor c;

    population_save(g.ctx.population, &saved);
    population_free(g.ctx.population);
    g.ctx.population = ground_population();
    c = (struct cursor){.rest = buf_str(&saved)};
    assert_int_equal(population_load(g.ctx.population, &c), ST_OK);
    buf_free(&saved);
}

/* Cut states are refused, changed ones do no harm, and the whole one is the same again. */
static void resume(const char *settings)
{
    struct buf saved = BUF_INIT(1 << 20), again = BUF_INIT(1 << 20);
    struct str state;
    struct rng r;

    rng_init(&r, 9);
    g.model->ops->save(g.model, &saved);
    state = buf_str(&saved);
    for (size_t part = 0; part < 40; part++) {
        size_t at = (size_t)rng_below(&r, state.len);
        char was = saved.data[at];

        model_free(g.model);
        population_again();
        g.model = ground_model(settings);
        if (part < 20) {
            assert_int_not_equal(
                g.model->ops->load(g.model, str_sub(state, 0, state.len * part / 20)), ST_OK);
        } else {
            saved.data[at] = (char)(was ^ (char)(1 << part % 8));
            (void)g.model->ops->load(g.model, state);
            saved.data[at] = was;
        }
    }
    model_free(g.model);
    population_again();
    g.model = ground_model(settings);
    assert_int_equal(g.model->ops->load(g.model, state), ST_OK);
    g.model->ops->save(g.model, &again);
    assert_int_equal(again.len, saved.len);
    assert_memory_equal(again.data, saved.data, saved.len);
    buf_free(&saved);
    buf_free(&again);
}

/* 30 pages, eight links each, changing as time goes by. */
static void weave(void)
{
    struct rng r;

    rng_init(&r, 4);
    for (uint32_t i = 1; i <= 30; i++) {
        for (size_t j = 0; j < LINKS; j++)
            g.pages[i].links[j] = (uint32_t)rng_below(&r, 30) + 1;
        g.pages[i].words = 10 + i % 3;
        g.pages[i].relevance = (float)(i % 3) / 2;
    }
}

static void a_resumed_fleet_goes_the_same_way(void **state)
{
    static const char *const settings[] = {
        "kind=wl learn=12 k=3 steps=5 max_score=102", "kind=rl learn=12 k=3 steps=5 slice=20s",
        "kind=wlrl learn=12 k=3 steps=5 lag=7s recheck=30s talk=yes",
        "kind=wlrl recheck=0 steps=4 max_score=101 starts=rate"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(settings); i++) {
        struct buf straight = BUF_INIT(1 << 16);

        for (int broken = 0; broken < 2; broken++) {
            ground_open(settings[i], 1);
            weave();
            for (int part = 0; part < 12; part++) {
                const char *order = visits(25);

                g.pages[part + 1].version++;
                if (broken)
                    assert_memory_equal(straight.data + straight.len, order, strlen(order));
                else
                    buf_add_z(&straight, order);
                if (broken) {
                    straight.len += strlen(order);
                    resume(settings[i]);
                }
            }
            if (!broken)
                straight.len = 0;
            ground_close();
        }
        buf_free(&straight);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_resumed_fleet_goes_the_same_way),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
