/* Foragers' paths: pages, documents, rewards, and what remains of them in memory.
 * SPDX-License-Identifier: MIT */
#include "ground.h"
#include "../told.h"

#include <math.h>

/* ---- paths ----------------------------------------------------------------------- */

/* 1 -> 2 -> 3 … : a step, then a look at the next page, which is the next step. The
 * start and 100 choices: step 101 is page 101, the look at 102 is visit 202, and then
 * it starts again (rl without weblog: at the seed). */
static void a_path_has_101_pages(void **state)
{
    struct choice c;

    (void)state;
    ground_open(ALONE "kind=rl start_size=1", 1);
    for (uint32_t i = 1; i < PAGES; i++)
        LINK(i, i + 1);
    for (uint32_t n = 1; n <= 202; n++) {
        assert_true(ask(&c));
        assert_int_equal(c.url, n % 2 ? (n + 1) / 2 : n / 2 + 1);
        answer(c);
    }
    assert_int_equal(forager(1)->path.nsteps, 101);
    assert_string_equal(visits(4), "1 2 2 3");
    assert_int_equal(foragers_of(g.model)->paths, 1);
    assert_int_equal(forager(1)->td.steps, 100); /* one a transition, none into a start */
    ground_close();
}

/* 1 -> 2, and 2 leads nowhere: after the second step there is nothing to choose. */
static void a_path_ends_where_nothing_is_left(void **state)
{
    (void)state;
    ground_open(ALONE "kind=rl start_size=1", 1);
    LINK(1, 2);
    assert_string_equal(visits(7), "1 2 2 1 2 2 1");
    ground_close();
}

/* 1 links to 2, 3, 2, itself and 4: each other page is looked at once, in the order of
 * the page, then they are visited in that order (no states: all are worth the same). 2
 * links back to 1, which was visited: it is looked at, and not visited. */
static void every_linked_page_is_looked_at_once_a_step(void **state)
{
    (void)state;
    ground_open(ALONE "kind=wl start_size=1", 1);
    LINK(1, 2, 3, 2, 1, 4);
    LINK(2, 1);
    assert_string_equal(visits(8), "1 2 3 4 2 1 3 4");
    ground_close();
    ground_open(ALONE "kind=wl links=2", 1);
    LINK(1, 2, 3, 2, 1, 4);
    assert_string_equal(visits(5), "1 2 3 2 3");
    ground_close();
}

/* 3 leads to 2, 4 is gone: 3 is visited as 3 and 2 not once more, 4 never. */
static void moved_pages_are_met_once_and_missing_ones_left_out(void **state)
{
    (void)state;
    ground_open(ALONE "kind=wl", 1);
    LINK(1, 3, 4, 2);
    g.pages[3].moved = 2;
    g.pages[4].gone = true;
    assert_string_equal(visits(5), "1 3 4 2 3");
    assert_int_equal(forager(1)->path.open, 0);
    ground_close();
}

/* ---- looks that have to wait for their host --------------------------------------- */

/* 1 leads to 3 and 4. Who waits to look at 3 need not, when another came there meanwhile. */
static void look_that_waited_is_not_made_where_another_has_looked(void **state)
{
    struct choice c, other;

    (void)state;
    ground_open("min_foragers=1 learn=0 recheck=1h kind=wl start_size=1", 1);
    LINK(1, 3, 4);
    assert_string_equal(visits(1), "1");
    assert_true(ask(&c));
    assert_int_equal(c.url, 3);
    assert_false(g.model->ops->again(g.model, &c, &other)); /* nothing has happened */
    forage_page(&foragers_of(g.model)->pages, forage_pages_at(&foragers_of(g.model)->pages, 3))
        ->looked_at = g.ctx.now;
    assert_true(g.model->ops->again(g.model, &c, &other));
    assert_int_equal(other.url, 4);
    assert_int_equal(foragers_of(g.model)->open, 1);
    answer(other);
    assert_int_equal(foragers_of(g.model)->open, 0);
    ground_close();
}

/* 1 leads to 2 and 3, both were looked at, and 2 is the next step: until 3 is worth more. */
static void step_that_waited_goes_where_most_is_promised_by_then(void **state)
{
    struct choice c, other;

    (void)state;
    ground_open(ALONE "kind=wl start_size=1", 1);
    LINK(1, 2, 3);
    assert_string_equal(visits(3), "1 2 3");
    assert_true(ask(&c));
    assert_int_equal(c.url, 2);
    assert_false(g.model->ops->again(g.model, &c, &other));
    forage_path_value(&forager(1)->path, 3, 1);
    assert_true(g.model->ops->again(g.model, &c, &other));
    assert_int_equal(other.url, 3);
    assert_int_equal(other.agent, 1);
    answer(other);
    assert_int_equal(forager(1)->path.nsteps, 2);
    ground_close();
}

/* ---- documents, rewards, scores -------------------------------------------------- */

/* Both start at the only page. 1 is first: +1 - 0.05; 2 sends it too: -0.05. */
static void the_first_is_rewarded_and_the_second_pays(void **state)
{
    (void)state;
    ground_open("learn=0 recheck=0 relevant=0", 1);
    assert_string_equal(visits(2), "1 1");
    assert_int_equal(forager(1)->score, 2019);
    assert_int_equal(forager(2)->score, 1999);
    assert_float_equal(agent_energy(g.ctx.population, 1), 100.95, 1e-9);
    assert_float_equal(agent_energy(g.ctx.population, 2), 99.95, 1e-9);
    (void)visits(10); /* sent once by each, never again */
    assert_int_equal(forager(1)->score, 2019);
    assert_int_equal(forager(2)->score, 1999);
    ground_close();
}

/* Once; not again; again when its text is another; and nothing older than a day. */
static void a_changed_page_is_another_document(void **state)
{
    (void)state;
    ground_open(ALONE "relevant=0", 1);
    (void)visits(3);
    assert_int_equal(forager(1)->relevant, 1);
    g.pages[1].version = 1;
    (void)visits(3);
    assert_int_equal(forager(1)->relevant, 2);
    g.pages[1].version = 2;
    g.pages[1].date = g.ctx.now - DAY - HOUR;
    (void)visits(3);
    assert_int_equal(forager(1)->relevant, 2);
    assert_int_equal(forager(1)->sent, 2);
    ground_close();
    ground_open(ALONE "relevant=0 identity=url", 1);
    (void)visits(1);
    g.pages[1].version = 1;
    (void)visits(3);
    assert_int_equal(forager(1)->sent, 1);
    ground_close();
}

/* Page 1 is of the topic, page 2 is not: it costs 0.05 and -1, or is not sent. */
static void the_topic_decides_and_a_forager_may_ask_it_first(void **state)
{
    static const char *const settings[] = {ALONE "relevant=0.5",
                                           ALONE "relevant=0.5 send=relevant"};
    static const int64_t scores[] = {2018, 2019};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        ground_open(settings[i], 1);
        LINK(1, 2);
        g.pages[1].relevance = 0.5f;
        g.pages[2].relevance = 0.4f;
        (void)visits(3);
        assert_int_equal(forager(1)->score, scores[i]);
        ground_close();
    }
}

/* Start at 1 (100), looks at 2 (100) and 3 (not of the topic, -1): 199 at step 1. Step 2
 * is page 2, whose document was sent. Then the path is over, 1 and 2 and 3 have been
 * visited: 1 is worth 199, 2 and 3 nothing. 1 was in the weblog, with 0: 0.3 * 199. */
static void a_path_writes_the_weblog(void **state)
{
    struct weblog *w;

    (void)state;
    ground_open(ALONE "kind=wl relevant=0.5", 1);
    LINK(1, 2, 3);
    g.pages[1].relevance = g.pages[2].relevance = 1;
    assert_string_equal(visits(5), "1 2 3 2 3");
    w = &forager(1)->weblog;
    assert_int_equal(w->count, 1); /* before the first path is over: the seed */
    assert_float_equal(w->entries[0].value, 0, 0);
    (void)visits(1);
    assert_int_equal(w->count, 3);
    assert_int_equal(w->entries[0].url, 1);
    assert_float_equal(w->entries[0].value, 59.7, 1e-9);
    assert_int_equal(w->entries[1].url, 2);
    assert_float_equal(w->entries[1].value, 0, 0);
    ground_close();
}

/* As before; then the second path has begun. Two documents of 3 sent were new and of the
 * topic: 100 + 2 - 3 * .05. Kind wl does not learn, and without clusters it has no words. */
static void a_forager_tells_of_weblog_and_score(void **state)
{
    (void)state;
    ground_open(ALONE "kind=wl relevant=0.5", 1);
    LINK(1, 2, 3);
    g.pages[1].relevance = g.pages[2].relevance = 1;
    (void)visits(6);
    assert_string_equal(
        told(g.model, 1),
        "{\"facts\":[{\"name\":\"score\",\"label\":\"its score\",\"value\":101.85},"
        "{\"name\":\"max_score\",\"label\":\"the score at which it multiplies\",\"value\":200},"
        "{\"name\":\"sent\",\"label\":\"documents it sent\",\"value\":3},"
        "{\"name\":\"relevant\",\"label\":\"of these new and on topic\",\"value\":2},"
        "{\"name\":\"weblog\",\"label\":\"places it may start from\",\"value\":3},"
        "{\"name\":\"path\",\"label\":\"paths it has begun\",\"value\":2},"
        "{\"name\":\"steps\",\"label\":\"steps on the present one\",\"value\":1},"
        "{\"name\":\"start\",\"label\":\"which began at\",\"value\":\"#1\"}],"
        "\"places\":[{\"url\":\"#1\",\"value\":59.7},{\"url\":\"#2\",\"value\":0},"
        "{\"url\":\"#3\",\"value\":0}],"
        "\"values\":\"where its paths begin, and what paths from there brought\"}");
    ground_close();
}

/* The same, but what 3 cost does not count: 0.3 * 200. */
static void penalties_may_be_left_out_of_the_weblog(void **state)
{
    (void)state;
    ground_open(ALONE "kind=wl relevant=0.5 gain=rewards", 1);
    LINK(1, 2, 3);
    g.pages[1].relevance = g.pages[2].relevance = 1;
    (void)visits(6);
    assert_float_equal(weblog_find(&forager(1)->weblog, 1)->value, 60, 1e-9);
    ground_close();
}

/* A page that stands as it was is looked at, and has not changed. */
static void a_starting_page_is_known_by_its_changes(void **state)
{
    const struct change_seen *seen;

    (void)state;
    ground_open(ALONE "kind=wl", 1);
    (void)visits(3);
    seen = &weblog_find(&forager(1)->weblog, 1)->seen;
    assert_int_equal(seen->visits, 2);
    assert_int_equal(seen->changes, 0);
    g.pages[1].version = 1;
    (void)visits(2);
    seen = &weblog_find(&forager(1)->weblog, 1)->seen;
    assert_int_equal(seen->visits, 4);
    assert_int_equal(seen->changes, 1);
    ground_close();
}

/* ---- memory ---------------------------------------------------------------------- */

/* 1 and 2 link to each other and to 3. Within ten minutes linked pages are not asked for
 * twice; a step always is. 3 is gone: not again within an hour. */
static void a_page_just_looked_at_is_not_asked_for(void **state)
{
    (void)state;
    ground_open("min_foragers=1 learn=0 kind=rl start_size=1 recheck=10m relevant=0", 1);
    LINK(1, 2, 3);
    LINK(2, 1, 3);
    g.pages[3].gone = true;
    assert_string_equal(visits(6), "1 2 3 2 1 2");
    g.ctx.now += 10 * 60 * SECOND;
    assert_string_equal(visits(4), "1 1 2 2"); /* a look back at 1, then the next path */
    g.ctx.now += HOUR;
    assert_string_equal(visits(3), "1 3 1");
    assert_int_equal(forager(1)->sent, 2);
    ground_close();
}

/* The page was fetched by the first; the second, who never had it, sends it from memory
 * and pays. */
static void a_look_from_memory_counts_as_one(void **state)
{
    (void)state;
    ground_open("learn=0 recheck=10m relevant=0", 1);
    LINK(1, 2);
    (void)visits(20);
    assert_int_equal(forager(1)->sent, 2);
    assert_int_equal(forager(2)->sent, 2);
    assert_int_equal(foragers_of(g.model)->agent.relevant, 2);
    ground_close();
}

/* ---- feeds and sitemaps ---------------------------------------------------------- */

/* 1 leads to the feed 2, which is worth as much as a seed when it is found, and no more
 * when it was found before. */
static void a_feed_is_a_place_to_start(void **state)
{
    (void)state;
    for (int feeds = 0; feeds < 2; feeds++) {
        ground_open(feeds ? ALONE "kind=wl" : ALONE "kind=wl feeds=no", 1);
        LINK(1, 2);
        g.pages[2].kind = PAGE_FEED;
        assert_string_equal(visits(2), "1 2");
        assert_int_equal(forager(1)->weblog.count, 1 + feeds);
        assert_true(!feeds || forager(1)->weblog.entries[1].url == 2);
        weblog_remove(&forager(1)->weblog, 2);
        assert_string_equal(visits(1), "2"); /* as a step of the first path */
        assert_null(weblog_find(&forager(1)->weblog, 2));
        ground_close();
    }
    ground_open(ALONE "kind=rl", 1);
    LINK(1, 2);
    g.pages[2].kind = PAGE_FEED;
    (void)visits(2);
    assert_non_null(weblog_find(&foragers_of(g.model)->seeds, 2));
    ground_close();
}

static void offer_sitemap(uint32_t url)
{
    struct link link = {.kind = LINK_SITEMAP};
    struct link_mark mark = {.url = url, .score = NAN};
    struct page body = {.kind = PAGE_SITEMAP, .links = &link, .nlinks = 1};
    struct profile profile = {0};
    struct percept p = {.body = &body, .profile = &profile, .marks = &mark};

    g.model->ops->perceive(g.model, &p);
}

/* robots.txt names 5, which lists 1, 6 and 7: what nobody visited comes first. */
static void a_sitemap_is_a_place_to_start(void **state)
{
    (void)state;
    ground_open(ALONE "kind=wl feeds=no", 1);
    offer_sitemap(5);
    assert_null(weblog_find(&forager(1)->weblog, 5));
    ground_close();
    ground_open(ALONE "kind=wl start_size=1", 1);
    LINK(5, 1, 6, 7);
    g.pages[5].kind = PAGE_SITEMAP;
    assert_string_equal(visits(1), "1");
    offer_sitemap(5);
    assert_int_equal(forager(1)->weblog.count, 2);
    assert_float_equal(weblog_find(&forager(1)->weblog, 5)->value, 0, 0);
    weblog_remove(&forager(1)->weblog, 1); /* it comes back when the path is over: behind 5 */
    forager(1)->path.nsteps = 0;
    assert_string_equal(visits(4), "5 6 7 1");
    ground_close();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_path_has_101_pages),
        cmocka_unit_test(look_that_waited_is_not_made_where_another_has_looked),
        cmocka_unit_test(step_that_waited_goes_where_most_is_promised_by_then),
        cmocka_unit_test(a_path_ends_where_nothing_is_left),
        cmocka_unit_test(every_linked_page_is_looked_at_once_a_step),
        cmocka_unit_test(moved_pages_are_met_once_and_missing_ones_left_out),
        cmocka_unit_test(the_first_is_rewarded_and_the_second_pays),
        cmocka_unit_test(a_changed_page_is_another_document),
        cmocka_unit_test(the_topic_decides_and_a_forager_may_ask_it_first),
        cmocka_unit_test(a_path_writes_the_weblog),
        cmocka_unit_test(a_forager_tells_of_weblog_and_score),
        cmocka_unit_test(penalties_may_be_left_out_of_the_weblog),
        cmocka_unit_test(a_starting_page_is_known_by_its_changes),
        cmocka_unit_test(a_page_just_looked_at_is_not_asked_for),
        cmocka_unit_test(a_look_from_memory_counts_as_one),
        cmocka_unit_test(a_feed_is_a_place_to_start),
        cmocka_unit_test(a_sitemap_is_a_place_to_start),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
