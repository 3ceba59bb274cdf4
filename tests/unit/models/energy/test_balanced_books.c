/* The books of energy over long walks: 25,000 pages, every variant of `balanced`.
 *
 * The web is drawn page by page from the number of the page: one in twenty is about
 * the topic, and links to its like more often; many have relevance 0 exactly. The
 * model asserts its books at every step where tests run with AddressSanitizer; here
 * they are looked at again from outside. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "agent/model.h"
#include "models/models.h"
#include "agent/population.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PAGES  40000 /* of the web */
#define LINKS  10
#define VISITS 25000

struct meadow {
    struct model_ctx ctx;
    struct model *model;
    bool *taken; /* by URL */
    uint32_t visits;
    /* Since LB was reached first: */
    bool begun;
    uint32_t low, high;   /* LB, UB */
    uint32_t least, most; /* alive */
};

static void ignore(void *ctx, const struct event *e)
{
    (void)ctx, (void)e;
}

static double draw(uint32_t page, uint32_t what)
{
    struct rng r;

    rng_init(&r, (uint64_t)page << 8 | what);
    return rng_unit(&r);
}

static bool on_topic(uint32_t page)
{
    return page % 20 == 0;
}

static float relevance_of(uint32_t page)
{
    double x = draw(page, 0);

    return (float)(on_topic(page) ? .2 + .6 * x : x < .5 ? 0 : .2 * (x - .5) * x);
}

/* Pages of the topic lead to others of it four times out of ten. */
static uint32_t link_of(uint32_t page, uint32_t i)
{
    uint32_t to = 1 + (uint32_t)(draw(page, 2 * i + 1) * (PAGES - 1));

    if (draw(page, 2 * i + 2) < (on_topic(page) ? .4 : .02))
        to = to / 20 * 20 + 20;
    return to > PAGES ? PAGES : to;
}

static float score(void *engine, const struct percept *p, struct span words, bool raw)
{
    (void)engine, (void)p, (void)raw;
    return (float)(.5 * draw(words.from, 99) + (on_topic(words.from) ? .3 : 0));
}

static void answer(struct meadow *w, struct choice c)
{
    struct link links[LINKS] = {0};
    struct link_mark marks[LINKS] = {0};
    struct page page = {.links = links, .nlinks = LINKS};
    struct profile profile = {.relevance = relevance_of(c.url)};
    struct percept p = {.choice = c,
                        .page = ++w->visits,
                        .first = true,
                        .body = &page,
                        .profile = &profile,
                        .marks = marks};

    for (uint32_t i = 0; i < LINKS; i++) {
        uint32_t to = link_of(c.url, i);

        links[i].window = (struct span){to, to + 1};
        marks[i] = (struct link_mark){.url = to, .score = NAN, .taken = w->taken[to]};
    }
    w->model->ops->perceive(w->model, &p);
}

static double on_pages(const struct meadow *w)
{
    struct buf text = BUF_INIT(1 << 16);
    struct json j;
    const char *at;
    double ret;

    json_init(&j, &text);
    json_open_object(&j, NULL);
    w->model->ops->describe(w->model, &j);
    json_close(&j);
    at = strstr(text.data, "\"energy_on_pages\":");
    assert_non_null(at);
    ret = strtod(at + strlen("\"energy_on_pages\":"), NULL);
    buf_free(&text);
    return ret;
}

static double books_error(const struct meadow *w)
{
    struct ledger l = population_ledger(w->ctx.population);

    return ledger_error(&l, on_pages(w));
}

static void note_population(struct meadow *w)
{
    uint32_t alive = population_counts(w->ctx.population).alive;

    if (!w->begun && alive < w->low)
        return;
    if (!w->begun)
        w->least = w->most = alive;
    w->begun = true;
    w->least = alive < w->least ? alive : w->least;
    w->most = alive > w->most ? alive : w->most;
}

static void open_meadow(struct meadow *w, const char *settings)
{
    struct str rest = str_of(settings), one;
    struct text_list list = {0};
    const uint32_t seeds[] = {20, 40, 60};

    *w = (struct meadow){
        .ctx = {.engine = w, .parallel = 1, .score = score}, .low = 50, .high = 250};
    rng_init(&w->ctx.rng, 1);
    w->taken = mem_zero(PAGES + 1, sizeof *w->taken);
    w->ctx.population = population_new(ignore, NULL);
    while (rest.len > 0 && str_cut(&rest, ' ', &one))
        text_list_add(&list, one);
    assert_int_equal(model_new(model_find(STR("balanced")), &list, &w->ctx, &w->model), ST_OK);
    text_list_free(&list);
    w->model->ops->start(w->model, seeds, 3);
}

/* How many visits there were. */
static uint32_t graze(struct meadow *w, uint32_t visits)
{
    struct choice c;

    while (w->visits < visits && w->model->ops->next(w->model, 0, &c)) {
        assert_false(w->taken[c.url]);
        assert_true(agent_is_alive(w->ctx.population, c.agent));
        w->taken[c.url] = true;
        note_population(w);
        answer(w, c);
        note_population(w);
    }
    return w->visits;
}

static void close_meadow(struct meadow *w)
{
    model_free(w->model);
    population_free(w->ctx.population);
    free(w->taken);
}

/* Every rule that claims to conserve energy does, over 25,000 pages; those without a
 * buffer until their population dies out. */
static void nothing_is_lost_and_nothing_made(void **state)
{
    static const char *const runs[] = {
        "",
        "C=0.5 G=30",
        "balance=step",
        "balance=exact",
        "lambda=printed",
        "sign=printed",
        "cold=nothing",
        "crowd=clamp",
        "crowd=printed",
        "reproduction=floor_plus_1",
        "reproduction=halve",
        "revisits=printed",
        "teleport=charged",
        "links=all pick=linear rescue=1",
        "pick=softmax p_db=0.5",
        "history=last:500",
        "history=decay:500",
        "cap=200",
        "buffer=off",
        "buffer=off revisits=printed",
    };

    (void)state;
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        struct meadow w;

        open_meadow(&w, runs[i]);
        (void)graze(&w, VISITS);
        if (!(books_error(&w) <= 1e-9))
            fail_msg("'%s': the books are wrong by %g", runs[i], books_error(&w));
        if (strncmp(runs[i], "buffer=off", 10) != 0)
            assert_int_equal(w.visits, VISITS);
        close_meadow(&w);
    }
}

/* The first printed copy's rule: for 1 < E < 2 an agent becomes two of E. */
static void hal000_makes_energy(void **state)
{
    struct meadow w;

    (void)state;
    open_meadow(&w, "reproduction=hal000");
    (void)graze(&w, 1000);
    assert_true(books_error(&w) > .01);
    close_meadow(&w);
}

/* Of whole numbers the second one makes 1; f is a whole number now and then where E = 1
 * meets the step: 1 + 10 = 11. */
static void copy001_makes_energy_of_whole_numbers(void **state)
{
    struct meadow w;

    (void)state;
    open_meadow(&w, "reproduction=copy001");
    (void)graze(&w, 1000);
    assert_true(books_error(&w) > 1e-6);
    close_meadow(&w);
}

/* From LB - 1 (who falls below 0 at LB dies) to UB + ceil(G + C) (at UB one page may
 * feed as many clones). */
static void with_a_buffer_the_population_stays_inside_its_bounds(void **state)
{
    struct meadow w;

    (void)state;
    open_meadow(&w, "G=30");
    assert_int_equal(graze(&w, VISITS), VISITS);
    assert_true(w.begun);
    assert_true(w.least >= 49);
    assert_true(w.most <= 250 + 31);
    close_meadow(&w);
}

static void without_one_it_does_not(void **state)
{
    struct meadow w;

    (void)state;
    open_meadow(&w, "G=30 buffer=off");
    (void)graze(&w, VISITS);
    assert_true(w.least < 49 || w.most > 250 + 31);
    close_meadow(&w);
}

/* A model that is saved and loaded in the middle ends where the other does. */
static void a_long_walk_can_be_interrupted(void **state)
{
    struct meadow a, b;
    struct buf saved = BUF_INIT(1 << 26);
    struct model *again;
    struct text_list none = {0};

    (void)state;
    open_meadow(&a, "buffer=on");
    open_meadow(&b, "buffer=on");
    (void)graze(&a, 4000);
    (void)graze(&b, 2000);
    b.model->ops->save(b.model, &saved);
    model_free(b.model);
    assert_int_equal(model_new(model_find(STR("balanced")), &none, &b.ctx, &again), ST_OK);
    b.model = again;
    assert_int_equal(b.model->ops->load(b.model, buf_str(&saved)), ST_OK);
    (void)graze(&b, 4000);
    assert_memory_equal(a.taken, b.taken, PAGES + 1);
    assert_true(on_pages(&a) == on_pages(&b));
    assert_int_equal(population_counts(a.ctx.population).born,
                     population_counts(b.ctx.population).born);
    buf_free(&saved);
    close_meadow(&a);
    close_meadow(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_lost_and_nothing_made),
        cmocka_unit_test(hal000_makes_energy),
        cmocka_unit_test(copy001_makes_energy_of_whole_numbers),
        cmocka_unit_test(with_a_buffer_the_population_stays_inside_its_bounds),
        cmocka_unit_test(without_one_it_does_not),
        cmocka_unit_test(a_long_walk_can_be_interrupted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
