/* breadth-first and best-first on a small web computed by hand.
 *
 * A web of nine pages stands in for the engine: next() is asked, the page is
 * handed to perceive() at once, URLs count as taken when they were chosen.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "agent/model.h"
#include "models/models.h"
#include "agent/population.h"

#include <math.h>

#define PAGES 9

/* similarity and links of page i; 0 ends the links */
static const struct {
    float similarity, relevance;
    uint32_t links[5];
} web[PAGES + 1] = {
    [1] = {0.5f, 0.1f, {2, 3, 4, 0}}, [2] = {0.1f, 0.9f, {5, 6, 0}}, [3] = {0.9f, 0.2f, {7, 5, 0}},
    [4] = {0.3f, 0.3f, {8, 9, 0}},    [5] = {0.2f, 0.2f, {1, 0}},    [6] = {0.0f, 0.8f, {0}},
    [7] = {0.8f, 0.1f, {8, 0}},       [8] = {0.6f, 0.6f, {0}},       [9] = {0.4f, 0.4f, {2, 0}},
};

struct engine {
    struct model_ctx ctx;
    struct model *model;
    bool taken[PAGES + 1];
    uint32_t dropped[20];
    size_t ndropped;
};

static void ignore(void *ctx, const struct event *e)
{
    (void)ctx, (void)e;
}

/* The words around link i are worth i/10 where i is the first word's number. */
static float score(void *engine, const struct percept *p, struct span words, bool raw)
{
    (void)engine, (void)p, (void)raw;
    return (float)words.from / 10;
}

static void dropped(void *ctx, uint32_t url)
{
    struct engine *e = ctx;

    e->dropped[e->ndropped++] = url;
}

static void engine_start(struct engine *e, const char *name, const char *setting)
{
    struct text_list settings = {0};
    uint32_t seed = 1;

    *e = (struct engine){.ctx = {.score = score, .dropped = dropped}};
    e->ctx.engine = e;
    e->ctx.population = population_new(ignore, NULL);
    if (setting)
        text_list_add(&settings, str_of(setting));
    assert_int_equal(model_new(model_find(str_of(name)), &settings, &e->ctx, &e->model), ST_OK);
    text_list_free(&settings);
    e->model->ops->start(e->model, &seed, 1);
}

static void engine_stop(struct engine *e)
{
    model_free(e->model);
    population_free(e->ctx.population);
}

static void answer(struct engine *e, struct choice choice)
{
    struct link links[5] = {0};
    struct link_mark marks[5] = {0};
    struct page page = {.links = links};
    struct profile profile = {.similarity = web[choice.url].similarity,
                              .relevance = web[choice.url].relevance};
    struct percept p = {.choice = choice,
                        .page = choice.url,
                        .first = true,
                        .body = &page,
                        .profile = &profile,
                        .marks = marks};

    for (; web[choice.url].links[page.nlinks]; page.nlinks++) {
        uint32_t to = web[choice.url].links[page.nlinks];

        links[page.nlinks].node.from = to;
        marks[page.nlinks] = (struct link_mark){.url = to, .score = NAN, .taken = e->taken[to]};
    }
    e->model->ops->perceive(e->model, &p);
}

static bool choose(struct engine *e, struct choice *ret)
{
    if (!e->model->ops->next(e->model, 0, ret))
        return false;
    assert_false(e->taken[ret->url]);
    e->taken[ret->url] = true;
    return true;
}

/* The order of visits as digits: "123456789". */
static void assert_order(struct engine *e, const char *want)
{
    char order[PAGES + 2] = "";
    struct choice c;
    size_t n = 0;

    while (n <= PAGES && choose(e, &c)) {
        order[n++] = (char)('0' + c.url);
        answer(e, c);
    }
    assert_string_equal(order, want);
}

static void breadth_first_visits_in_the_order_of_discovery(void **state)
{
    struct engine e;

    (void)state;
    engine_start(&e, "breadth-first", NULL);
    assert_order(&e, "123456789");
    engine_stop(&e);
}

/* buffer 2: page 1 offers 2 3 4; two fill the queue and 4 is the one admitted
 * beyond it. Page 2 (queue 3 4, full) admits 5 only, 6 is dropped; page 3
 * (queue 4 5, full) admits 7; page 4 (queue 5 7) admits 8, 9 is dropped. */
static void breadth_first_with_a_full_queue_admits_one_link_a_page(void **state)
{
    struct engine e;

    (void)state;
    engine_start(&e, "breadth-first", "buffer=2");
    assert_order(&e, "1234578");
    assert_int_equal(e.ndropped, 2);
    assert_int_equal(e.dropped[0], 6);
    assert_int_equal(e.dropped[1], 9);
    engine_stop(&e);
}

/* 1 gives 2,3,4 a score of .5 (oldest first: 2); 2 gives 5,6 .1; 3 is next (.5)
 * and gives 7 .9 and raises 5 to .9 (it waited longer: 5 before 7); 5 gives
 * nothing new; 7 gives 8 .8; 8; then 4 (.5) gives 9 .3; 9; 6 (.1) last. */
static void best_first_follows_the_best_parent(void **state)
{
    struct engine e;

    (void)state;
    engine_start(&e, "best-first", NULL);
    assert_order(&e, "123578496");
    engine_stop(&e);
}

/* Mean: 5 has (.1+.9)/2 = .5 and came after 4 (.5): 7 (.9), 8 (.8), 4, then 5. */
static void best_first_takes_the_mean_of_parents_when_asked(void **state)
{
    struct engine e;

    (void)state;
    engine_start(&e, "best-first", "parents=mean");
    assert_order(&e, "123784596");
    engine_stop(&e);
}

/* By the topic's relevance: 1 gives .1; 2 gives 5,6 .9; they lead nowhere new;
 * 3 gives 7 .2 ; 7 gives 8 .1 after 4 (.1): 4 raises 8 to .3 and 9 .3. */
static void best_first_can_follow_the_topics_own_relevance(void **state)
{
    struct engine e;

    (void)state;
    engine_start(&e, "best-first", "similarity=topic");
    assert_order(&e, "125637489");
    engine_stop(&e);
}

/* context=1: a link is worth its own number / 10, so always the highest number:
 * 1 offers 2 3 4; 4 offers 8 9; 9 offers 2; 8; 3 offers 7 5; 7; 5; 2 offers 6. */
static void best_first_can_follow_the_words_around_the_link(void **state)
{
    struct engine e;

    (void)state;
    engine_start(&e, "best-first", "context=1");
    assert_order(&e, "149837526");
    engine_stop(&e);
}

/* n=2: rounds {1}, {2,3}, {5,7} (.9 both), {8,4}, {9,6}. A new round begins
 * only when the last one is answered. */
static void best_n_first_works_in_rounds(void **state)
{
    struct choice a, b, none;
    struct engine e;

    (void)state;
    engine_start(&e, "best-first", "n=2");
    assert_true(choose(&e, &a));
    assert_false(e.model->ops->next(e.model, 0, &none));
    answer(&e, a);
    assert_true(choose(&e, &a));
    assert_true(choose(&e, &b));
    assert_int_equal(a.url, 2);
    assert_int_equal(b.url, 3);
    assert_false(e.model->ops->next(e.model, 0, &none));
    answer(&e, b);
    assert_false(e.model->ops->next(e.model, 0, &none));
    e.model->ops->failed(e.model, &a, DROP_NETWORK); /* a failure ends it too */
    assert_true(choose(&e, &a));
    assert_true(choose(&e, &b));
    assert_int_equal(a.url, 7);
    assert_int_equal(b.url, 5);
    engine_stop(&e);
}

static void best_first_with_a_ceiling_drops_the_lowest_scores(void **state)
{
    struct engine e;

    (void)state;
    engine_start(&e, "best-first", "buffer=2");
    /* 1 offers 2,3,4 (.5): 4 leaves; 2 offers 5,6 (.1): with 3 waiting 5 fits
     * and 6 leaves; 3 offers 7 (.9) and raises 5; 7 offers 8 */
    assert_order(&e, "123578");
    assert_int_equal(e.dropped[0], 4);
    assert_int_equal(e.dropped[1], 6);
    engine_stop(&e);
}

static void saved_models_go_on_as_if_nothing_had_happened(void **state)
{
    static const char *const models[] = {"breadth-first", "best-first"};
    static const char *const rest[] = {"456789", "578496"};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct buf saved = BUF_INIT(100000);
        struct engine e, back;
        struct choice c;

        engine_start(&e, models[i], NULL);
        for (int n = 0; n < 3; n++) {
            assert_true(choose(&e, &c));
            answer(&e, c);
        }
        e.model->ops->save(e.model, &saved);
        engine_start(&back, models[i], NULL);
        model_free(back.model);
        assert_int_equal(model_new(model_find(str_of(models[i])), &(struct text_list){0}, &back.ctx,
                                   &back.model),
                         ST_OK);
        assert_int_equal(back.model->ops->load(back.model, buf_str(&saved)), ST_OK);
        memcpy(back.taken, e.taken, sizeof e.taken);
        assert_order(&back, rest[i]);
        engine_stop(&e);
        engine_stop(&back);
        buf_free(&saved);
    }
}

static void put_old_link(struct buf *out, uint32_t url, double score, uint64_t seq)
{
    buf_put_u32(out, url);
    buf_put_f64(out, score);
    buf_put_f64(out, score); /* the sum over its parents */
    buf_put_u32(out, 1);
    buf_put_u64(out, seq);
}

/* Checkpoints of versions that chose visits ahead: breadth-first had its agent and a list;
 * best-first its agent, the visits under way, what was left of a round, and its queue. */
static void states_of_older_versions_are_read(void **state)
{
    static const char *const settings[] = {NULL, NULL, "n=2"};
    static const char *const models[] = {"breadth-first", "best-first", "best-first"};
    static const char *const first[] = {"97", "97", "89"};

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct buf saved = BUF_INIT(1000);
        struct engine e;
        struct choice c;

        buf_put_u32(&saved, 1);
        if (i == 0) {
            buf_put_u32(&saved, 2);
            buf_put_u32(&saved, 9);
            buf_put_u32(&saved, 7);
        } else {
            buf_put_u32(&saved, 0);
            buf_put_u32(&saved, i == 2);
            if (i == 2) {
                buf_put_u32(&saved, 8);
                buf_put_f64(&saved, 0.1);
            }
            buf_put_u64(&saved, 2);
            buf_put_u32(&saved, 2);
            put_old_link(&saved, 7, 0.3, 0);
            put_old_link(&saved, 9, 0.8, 1);
        }
        engine_start(&e, models[i], settings[i]);
        assert_true(choose(&e, &c)); /* the seed, which the saved state knows nothing of */
        answer(&e, c);
        e.model->ops->finish(e.model);
        memset(e.model->state, 0, e.model->ops->state_size);
        assert_int_equal(e.model->ops->load(e.model, buf_str(&saved)), ST_OK);
        for (size_t k = 0; k < 2; k++) {
            assert_true(choose(&e, &c));
            assert_int_equal(c.url, first[i][k] - '0');
            if (i == 2) /* the round is over */
                answer(&e, c);
        }
        engine_stop(&e);
        buf_free(&saved);
    }
}

static void wrong_settings_are_refused_with_a_sentence(void **state)
{
    static const char *const wrong[] = {"n=0",        "n=x", "parents=median",
                                        "colour=red", "n",   "context=2"};

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct text_list settings = {0};
        struct model_ctx ctx = {0};
        struct model *m;

        text_list_add(&settings, str_of(wrong[i]));
        assert_int_equal(model_new(model_find(STR("best-first")), &settings, &ctx, &m), ST_USAGE);
        assert_true(strlen(status_text()) > 10);
        text_list_free(&settings);
    }
    assert_null(model_find(STR("worst-first")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(breadth_first_visits_in_the_order_of_discovery),
        cmocka_unit_test(breadth_first_with_a_full_queue_admits_one_link_a_page),
        cmocka_unit_test(best_first_follows_the_best_parent),
        cmocka_unit_test(best_first_takes_the_mean_of_parents_when_asked),
        cmocka_unit_test(best_first_can_follow_the_topics_own_relevance),
        cmocka_unit_test(best_first_can_follow_the_words_around_the_link),
        cmocka_unit_test(best_n_first_works_in_rounds),
        cmocka_unit_test(best_first_with_a_ceiling_drops_the_lowest_scores),
        cmocka_unit_test(saved_models_go_on_as_if_nothing_had_happened),
        cmocka_unit_test(states_of_older_versions_are_read),
        cmocka_unit_test(wrong_settings_are_refused_with_a_sentence),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
