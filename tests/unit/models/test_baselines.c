/* What every frontier model must do, whatever its rule: on a web drawn at random,
 * with many visits under way, answers out of order, failures, redirects and pages
 * that nobody asked for. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "tank.h"

#include "base/rng.h"

#include <math.h>
#include <stdio.h>

/* Those that end with every page they can reach have seen all of them. */
static const struct {
    const char *name, *settings;
    bool everything;
} models[] = {
    {"breadth-first", "", true},
    {"best-first", "", true},
    {"best-first", "n=4 parents=mean", true},
    {"fish", "width=2", true},
    {"fish", "width=2 form=score parents=mean prefer=order", true},
    {"fish", "depth=1 width=1 zero=discard buffer=5 match=relevance threshold=0.5", false},
    {"shark", "depth=60", true},
    {"shark", "depth=2 parents=mean buffer=7", false},
    {"pagerank", "every=3", true},
    {"pagerank", "every=2 pages=4 buffer=6 parents=mean", false},
    {"oracle", "", true},
    {"oracle", "parents=mean buffer=4", false},
    {"link-oracle", "", true},
};

#define OPEN_MOST 6

static struct tank_page drawn[TANK_PAGES + 1];

/* Page i links to i + 1, so that all can be reached, and to others. No page that
 * moved is moved to. */
static void web_draw(uint64_t seed)
{
    static const char *const urls[] = {"http://a.example/x", "http://b.example/", "https://c/y"};
    struct rng r;

    rng_init(&r, seed);
    memset(drawn, 0, sizeof drawn);
    for (uint32_t i = 1; i <= TANK_PAGES; i++) {
        struct tank_page *p = &drawn[i];

        p->similarity = (float)rng_below(&r, 4) / 4;
        p->relevance = (float)rng_below(&r, 8) / 8;
        p->url = urls[rng_below(&r, 3)];
        p->latency = (int64_t)rng_below(&r, 20000000);
        p->truth = rng_below(&r, 2);
        for (uint32_t j = 0; j < 6; j++)
            p->links[j] = (struct tank_link){
                .to = j ? 1 + (uint32_t)rng_below(&r, TANK_PAGES) : i % TANK_PAGES + 1,
                .anchor = rng_below(&r, 3) ? 0 : 0.5f,
                .window = (float)rng_below(&r, 4) / 4,
            };
    }
}

struct crawl_log {
    char visits[4 * TANK_PAGES + 1];
    unsigned visited;
};

/* Answers one of the open visits at random; one in ten fails where `failures`. */
static void answer_one(struct tank *t, struct rng *r, struct choice *open, size_t *count,
                       bool failures)
{
    size_t i = (size_t)rng_below(r, *count);
    struct choice c = open[i];

    open[i] = open[--*count];
    if (failures && rng_below(r, 10) == 0)
        tank_fail(t, c);
    else
        tank_answer(t, c);
}

/* A page that the engine came to by itself: its choice has no URL. */
static void surprise(struct tank *t, uint32_t to)
{
    struct link link = {.kind = LINK_SITEMAP};
    struct link_mark mark = {.url = to, .score = NAN, .taken = t->taken[to]};
    struct page page = {.kind = PAGE_SITEMAP, .links = &link, .nlinks = 1};
    struct profile profile = {0};
    struct percept p = {.body = &page, .profile = &profile, .marks = &mark};

    t->model->ops->perceive(t->model, &p);
}

/* A whole crawl; saved and loaded after every `stop` visits, unless that is 0. */
static void crawl(size_t which, uint64_t seed, bool failures, unsigned stop, struct crawl_log *log)
{
    struct choice open[OPEN_MOST], c;
    size_t count = 0;
    struct tank t;
    struct rng r;

    *log = (struct crawl_log){0};
    rng_init(&r, seed);
    tank_open(&t, drawn, models[which].name, models[which].settings, SEED(1, 7));
    t.ctx.parallel = OPEN_MOST;
    surprise(&t, 9);
    for (;;) {
        while (count < OPEN_MOST && tank_next(&t, &c)) {
            open[count++] = c;
            (void)snprintf(log->visits + 3 * log->visited, 4, "%02u ", c.url);
            log->visited++;
        }
        if (count == 0)
            break;
        answer_one(&t, &r, open, &count, failures);
        if (stop && log->visited % stop == 0)
            tank_resume(&t, models[which].name, models[which].settings);
    }
    assert_false(tank_next(&t, &c)); /* and it stays so */
    tank_close(&t);
}

static void every_page_is_visited_once(void **state)
{
    struct crawl_log log;

    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        web_draw(seed);
        for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
            crawl(i, seed, false, 0, &log);
            if (models[i].everything)
                assert_int_equal(log.visited, TANK_PAGES);
        }
    }
}

static void same_draws_give_the_same_visits_also_when_stopped_and_resumed(void **state)
{
    struct crawl_log once, again, resumed;

    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        web_draw(seed);
        for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
            crawl(i, seed, true, 0, &once);
            crawl(i, seed, true, 0, &again);
            crawl(i, seed, true, 3, &resumed);
            assert_string_equal(once.visits, again.visits);
            assert_string_equal(once.visits, resumed.visits);
        }
    }
}

/* Half of the pages lie somewhere else than was asked; every choice is still
 * answered once, and nothing is kept of those that ended. */
static void redirects_are_answered_too(void **state)
{
    (void)state;
    web_draw(3);
    for (uint32_t i = 2; i < TANK_PAGES; i += 2)
        drawn[i].moved = i + 1;
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        struct tank t;
        struct buf saved = BUF_INIT(1 << 20);

        tank_open(&t, drawn, models[i].name, models[i].settings, SEED(1));
        for (struct choice c; t.model->ops->next(t.model, 0, &c);) {
            if (t.taken[c.url]) { /* somebody was sent here: the frontier says no */
                tank_fail(&t, c);
                continue;
            }
            t.taken[c.url] = true;
            tank_answer(&t, c);
        }
        t.model->ops->save(t.model, &saved);
        assert_true(strncmp(models[i].name, "shark", 5) != 0 || saved.len == 4 + 36 + 4 + 4);
        buf_free(&saved);
        tank_close(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_page_is_visited_once),
        cmocka_unit_test(same_draws_give_the_same_visits_also_when_stopped_and_resumed),
        cmocka_unit_test(redirects_are_answered_too),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
