/* test_crew_storm.c - a hundred thousand messages over a network that loses, delays,
 * doubles and reorders them, with agents that die: no link is ever in two places, or in
 * none. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "ship.h"

#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>

#define MESSAGES 100000
#define LINKS    300   /* that wait at once, about */
#define URLS     60000 /* in all */

enum fate { NOT_FOUND, FOUND, VISITED };

struct storm {
    struct ship ship;
    struct rng rng;
    uint8_t fate[URLS]; /* by URL */
    uint32_t urls;      /* found so far */
    bool again;         /* links are found on several pages, by several crawlers */
    uint64_t waiting;   /* found, not visited */
    uint64_t delivered, lost, doubled, visits, contracts;
    uint32_t deaths;
};

static uint64_t below(struct storm *t, uint64_t n)
{
    return rng_below(&t->rng, n);
}

/* A URL that is found once has to be in exactly one place until it is visited. One that is
 * found again is in one or more (the model itself asserts in which), and visited once. */
static void check(struct storm *t, bool all)
{
    if (t->again)
        return;
    assert_int_equal(crew_links(t->ship.model), t->waiting);
    for (uint32_t url = 1; all && url <= t->urls; url++)
        if (crew_places(t->ship.model, url) != (t->fate[url] == FOUND))
            fail_msg("URL %u is in %u places", url, crew_places(t->ship.model, url));
}

static void deliver(struct storm *t)
{
    struct ship *s = &t->ship;
    size_t i = below(t, 4) ? 0 : (size_t)below(t, s->nposted);
    uint64_t fate = below(t, 100);

    if (fate < 10) {
        ship_lose(s, i);
        t->lost++;
        return;
    }
    if (fate < 15) {
        struct message copy = s->post[i].msg;

        s->ctx.talk->send(s, &copy);
        t->doubled++;
    }
    ship_deliver(s, i);
    check(t, ++t->delivered % 1000 == 0);
}

/* A page with up to three links that nobody has seen, and maybe one that somebody has; every
 * other crawler finds poor ones only. */
static void visit(struct storm *t)
{
    static const char *const texts[] = {"bees", "bees honey wax", "roads bees", "cars bees"};
    struct ship_link links[5] = {{0}};
    uint32_t old = 1 + (uint32_t)below(t, t->urls);
    struct choice c;
    int fresh = 0;

    if (!t->ship.model->ops->next(t->ship.model, 0, &c))
        return;
    assert_int_equal(t->fate[c.url], FOUND);
    t->fate[c.url] = VISITED;
    t->waiting--;
    t->visits++;
    for (uint64_t i = 0, n = t->waiting < LINKS ? 1 + below(t, 3) : below(t, 2); i < n; i++) {
        if (t->urls + 1 >= URLS)
            break;
        links[fresh++] = (struct ship_link){++t->urls, c.agent / 4 % 2 ? "bees" : "here"};
        t->fate[t->urls] = FOUND;
        t->waiting++;
    }
    if (t->again && t->fate[old] == FOUND) /* of others the engine knows that they are taken */
        links[fresh] = (struct ship_link){old, "bees"};
    if (below(t, 10))
        ship_page(&t->ship, c, texts[below(t, 4)], links);
    else { /* the visit fails; its links are found by nobody */
        for (int i = 0; i < fresh; i++) {
            t->fate[links[i].to] = NOT_FOUND;
            t->waiting--;
        }
        t->ship.model->ops->failed(t->ship.model, &c, DROP_NETWORK);
    }
}

static void kill_one(struct storm *t, uint32_t most)
{
    if (t->deaths >= most)
        return;
    crew_lose(t->ship.model, (uint32_t)below(t, ship_crew(&t->ship)->ndesks), "lost");
    t->deaths = 0;
    for (uint32_t i = 0; i < ship_crew(&t->ship)->ndesks; i++)
        t->deaths += ship_desk(&t->ship, i)->gone;
    check(t, true);
}

static void weather(struct storm *t)
{
    struct ship *s = &t->ship;

    for (uint64_t n = below(t, 24); n > 0 && s->nposted > 0; n--)
        deliver(t);
    s->ctx.now += (int64_t)below(t, 3) * (int64_t)below(t, SECOND / 20);
    s->model->ops->talks->tick(s->model);
    check(t, false);
    for (uint64_t n = below(t, 3); n > 0; n--)
        visit(t);
    if (below(t, 1000) == 0)
        kill_one(t, 3);
    if (below(t, 2000) == 0)
        ship_reload(s);
}

/* The sky clears: whatever was under way comes to its end, and every link is visited. */
static void calm(struct storm *t)
{
    struct ship *s = &t->ship;

    for (int i = 0; i < 20000 && (t->waiting > 0 || ship_crew(s)->ndeals > 0); i++) {
        struct choice c;

        ship_turn(s);
        while (s->model->ops->next(s->model, 0, &c)) {
            assert_int_equal(t->fate[c.url], FOUND);
            t->fate[c.url] = VISITED;
            t->waiting--;
            ship_page(s, c, "bees", NULL);
        }
        check(t, false);
        s->ctx.now += SECOND;
    }
    assert_int_equal(t->waiting, 0);
    assert_int_equal(ship_crew(s)->ndeals, 0);
}

static void storm(const char *settings, uint64_t seed, bool again)
{
    struct storm *t = MEM_NEW(struct storm);

    t->again = again;
    rng_init(&t->rng, seed);
    ship_open(&t->ship, settings, 6);
    for (t->urls = 0; t->urls < 6;)
        t->fate[++t->urls] = FOUND;
    t->waiting = 6;
    while (t->delivered < MESSAGES / 4)
        weather(t);
    calm(t);
    print_message("# %s: %llu messages, %llu lost, %llu doubled, %u dead, %llu visits\n", settings,
                  (unsigned long long)t->delivered, (unsigned long long)t->lost,
                  (unsigned long long)t->doubled, t->deaths, (unsigned long long)t->visits);
    for (enum contract_state s = CONTRACT_FINAL; s < CONTRACT_STATES; s++) {
        t->contracts += ship_crew(&t->ship)->ended[s];
        print_message("#   %s %llu\n", contract_state_names[s],
                      (unsigned long long)ship_crew(&t->ship)->ended[s]);
    }
    assert_true(t->lost > 1000 && t->doubled > 500 && t->deaths > 0 && t->visits > 1000);
    assert_true(t->contracts > 100 && ship_crew(&t->ship)->ended[CONTRACT_DONE] > 10);
    ship_close(&t->ship);
    free(t);
}

/* No URL is visited twice, and none is forgotten, though many are found twice. */
static void found_again_is_visited_once(void **state)
{
    (void)state;
    storm("crawlers=8 threshold=0.6 interval=2s window=60 deadline=1s award=min_ability share=0.5",
          5, true);
    storm("crawlers=4 groups=2 threshold=0.6 interval=2s window=60 deadline=1s managers=all "
          "award=min_ability share=0.5",
          6, true);
}

static void no_link_is_lost_or_doubled(void **state)
{
    (void)state;
    storm("crawlers=8 threshold=0.6 interval=3s window=60 deadline=1s think=10ms", 1, false);
    storm("crawlers=4 groups=2 threshold=0.6 interval=3s window=60 deadline=1s managers=all "
          "share=0.5",
          2, false);
    storm("crawlers=8 threshold=0.6 interval=3s window=60 deadline=1s award=min_ability "
          "offer=alternate",
          3, false);
    storm("crawlers=8 threshold=0.6 interval=3s window=60 deadline=2s organisation=wyy think=1ms "
          "bid=at-most",
          4, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_link_is_lost_or_doubled),
        cmocka_unit_test(found_again_is_visited_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
