/* Foragers on webs of a few pages that change as a test likes; every visit takes a
 * second. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "agent/models/foragers_int.h"
#include "base/clock.h"
#include "base/mem.h"
#include "text/clusters.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PAGES  220
#define LINKS  8
#define SECOND ((int64_t)US_PER_S)
#define HOUR   (3600 * SECOND)
#define DAY    (24 * HOUR)

struct ground_page {
    uint32_t links[LINKS]; /* 0 ends them */
    float relevance;
    int64_t date;     /* 0: when it is first seen */
    uint32_t version; /* counted from 0 */
    uint32_t moved;   /* a visit ends there */
    bool gone;
    uint32_t words; /* its only term; 0: none */
    enum page_kind kind;
    /* the engine's */
    bool visited;
    uint32_t stored; /* version */
    int64_t first_at;
};

static struct ground {
    struct model_ctx ctx;
    struct model *model;
    struct ground_page pages[PAGES + 1];
    char cause[20];
    char said[100], performative[20];
    uint32_t deaths, births, messages;
} g;

static void hear(void *ctx, const struct event *e)
{
    (void)ctx;
    g.births += e->kind == EVENT_BORN;
    if (e->kind == EVENT_DIED) {
        g.deaths++;
        (void)snprintf(g.cause, sizeof g.cause, "%.*s", STR_ARG(e->died.cause));
    }
}

static void deliver(void *engine, const struct message *msg)
{
    (void)engine;
    g.messages++;
    (void)snprintf(g.said, sizeof g.said, "%.*s", STR_ARG(msg->content));
    (void)snprintf(g.performative, sizeof g.performative, "%.*s", STR_ARG(msg->performative));
    g.model->ops->receive(g.model, msg);
}

static struct model *model_make(const char *settings)
{
    struct str rest = str_of(settings), one;
    struct text_list list = {0};
    struct model *m = NULL;

    while (rest.len > 0 && str_cut(&rest, ' ', &one))
        text_list_add(&list, one);
    if (model_new(model_find(STR("foragers")), &list, &g.ctx, &m) != ST_OK)
        fail_msg("%s", status_text());
    text_list_free(&list);
    return m;
}

/* Clears the web too: draw it afterwards. */
static void ground_open(const char *settings, uint32_t seed)
{
    g = (struct ground){0};
    g.ctx = (struct model_ctx){.engine = &g, .parallel = 16, .now = 100 * DAY, .send = deliver};
    rng_init(&g.ctx.rng, 1);
    g.ctx.population = population_new(hear, NULL);
    g.model = model_make(settings);
    g.model->ops->start(g.model, &seed, 1);
}

static void ground_close(void)
{
    model_free(g.model);
    population_free(g.ctx.population);
}

static bool ask(struct choice *c)
{
    return g.model->ops->next(g.model, c);
}

static void links_of(const struct ground_page *page, struct page *body, struct link_mark *marks)
{
    body->kind = page->kind;
    for (; body->nlinks < LINKS && page->links[body->nlinks]; body->nlinks++) {
        uint32_t to = page->links[body->nlinks];

        marks[body->nlinks] =
            (struct link_mark){.url = to, .score = NAN, .taken = g.pages[to].visited};
    }
}

static void answer(struct choice c)
{
    struct link links[LINKS] = {0};
    struct link_mark marks[LINKS] = {0};
    struct page body = {.links = links, .kind = PAGE_HTML};
    struct term term;
    struct profile profile = {.terms = &term};
    struct percept p = {.choice = c, .body = &body, .profile = &profile, .marks = marks};
    struct ground_page *page = &g.pages[c.url];

    g.ctx.now += SECOND;
    if (page->moved)
        page = &g.pages[p.choice.url = page->moved];
    if (page->gone) {
        g.model->ops->failed(g.model, &p.choice, DROP_STATUS);
        return;
    }
    links_of(page, &body, marks);
    p.first = !page->visited;
    p.change = p.first ? CHANGE_NEW : page->stored == page->version ? CHANGE_NONE : CHANGE_TEXT;
    if (p.change != CHANGE_NONE)
        page->first_at = g.ctx.now;
    p.date = page->date ? page->date : page->first_at;
    p.page = p.choice.url + 1000 * page->version;
    page->visited = true;
    page->stored = page->version;
    profile.relevance = page->relevance;
    term = (struct term){.id = page->words, .count = 5};
    profile.nterms = page->words != 0;
    g.model->ops->perceive(g.model, &p);
}

/* The next `n` visits, one after the other: "1 2 2 1". */
static const char *visits(int n)
{
    static struct buf text = BUF_INIT(1 << 16);
    struct choice c;

    buf_clear(&text);
    for (int i = 0; i < n; i++) {
        g.model->ops->tick(g.model);
        if (!ask(&c)) {
            (void)buf_add_z(&text, i ? " -" : "-");
            break;
        }
        assert_true(c.refresh);
        (void)buf_addf(&text, "%s%u", i ? " " : "", c.url);
        answer(c);
    }
    return text.data;
}

static struct forager *forager(uint32_t id)
{
    struct forager *f = forager_find(g.model, id);

    assert_non_null(f);
    return f;
}

#define LINK(from, ...) \
    memcpy(g.pages[from].links, (const uint32_t[LINKS]){__VA_ARGS__}, sizeof g.pages[0].links)
#define ALONE "min_foragers=1 learn=0 recheck=0 "

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

/* ---- life ------------------------------------------------------------------------ */

/* Two documents at step 1: 2038 units; at 2030 a forager multiplies. Both have 2000
 * then, and the weblog, which has one URL, is copied. */
static void who_finds_enough_multiplies(void **state)
{
    (void)state;
    ground_open(ALONE "kind=wl relevant=0 max_score=101.5", 1);
    LINK(1, 2);
    (void)visits(2);
    assert_int_equal(forager(1)->score, 2038);
    assert_int_equal(g.births, 1);
    (void)visits(1);
    assert_int_equal(g.births, 2);
    assert_int_equal(forager(1)->score, 2000);
    assert_int_equal(forager(2)->score, 2000);
    assert_int_equal(forager(2)->weblog.count, 1);
    assert_int_equal(agent_of(g.ctx.population, 2)->parent, 1);
    assert_float_equal(agent_energy(g.ctx.population, 2), 100, 1e-9);
    assert_true(forager(1)->td.weights[0] != forager(2)->td.weights[0]);
    assert_false(url_set_has(&forager(2)->marked, 1)); /* it has sent nothing */
    population_check(g.ctx.population, 0);
    ground_close();
}

static void a_learner_gives_its_child_what_it_learned(void **state)
{
    (void)state;
    ground_open(ALONE "kind=rl relevant=0 max_score=101.5", 1);
    g.model->ops->start(g.model, &(const uint32_t){2}, 1);
    LINK(1, 2);
    LINK(2, 1);
    (void)visits(4);
    assert_memory_equal(forager(1)->td.weights, forager(2)->td.weights, 50 * sizeof(double));
    assert_int_equal(forager(1)->weblog.count, 2); /* copied, not divided */
    assert_int_equal(forager(2)->weblog.count, 2);
    ground_close();
}

/* The second one sends what the first has sent: 1999 units, where 99.95 is the end. Not
 * while there are two at least to be. */
static void who_finds_nothing_is_deleted(void **state)
{
    (void)state;
    ground_open("learn=0 recheck=0 relevant=0 min_score=99.95", 1);
    (void)visits(6);
    assert_int_equal(g.deaths, 0);
    ground_close();
    ground_open("learn=0 recheck=0 relevant=0 min_score=99.95 min_foragers=2", 1);
    foragers_of(g.model)->rules.least = 1;
    (void)visits(6);
    assert_int_equal(g.deaths, 1);
    assert_string_equal(g.cause, "score");
    assert_int_equal(population_counts(g.ctx.population).alive, 1);
    population_check(g.ctx.population, 0);
    ground_close();
}

/* Ten seconds each, and a step that was begun may be ended: steps take two visits of a
 * second, so 1 works for 10 seconds, ends its fifth step, and 2 begins. */
static void slices_are_one_after_another(void **state)
{
    struct choice c, none;
    char order[31] = "";

    (void)state;
    ground_open("learn=0 recheck=0 kind=rl start_size=1 slice=9.5s", 1);
    for (uint32_t i = 1; i < PAGES; i++)
        LINK(i, i + 1);
    for (int i = 0; i < 30; i++) {
        assert_true(ask(&c));
        assert_false(ask(&none)); /* nobody else meanwhile */
        order[i] = (char)('0' + c.agent);
        answer(c);
    }
    assert_string_equal(order, "111111111122222222221111111111");
    ground_close();
}

/* Without slices both have a visit under way; not of the same page. */
static void without_slices_all_are_under_way(void **state)
{
    struct choice a, b;

    (void)state;
    ground_open("learn=0 recheck=0", 1);
    LINK(1, 2, 3);
    assert_true(ask(&a));
    assert_false(ask(&b)); /* 2 waits for the page that 1 fetches */
    answer(a);
    assert_true(ask(&a));
    assert_true(ask(&b));
    assert_int_not_equal(a.agent, b.agent);
    assert_int_not_equal(a.url, b.url);
    answer(b);
    answer(a);
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

/* ---- answers that come late ------------------------------------------------------ */

/* The path is 1, 2: both relevant, answered ten seconds later. Visits 1, 2 (look), 2
 * (step) take three seconds; then the next path begins, and at ten the answers come: 1
 * gets 0.3 * 200, 2, which was new then, has sent nothing at its own step. */
static void late_answers_reach_the_weblog(void **state)
{
    struct weblog_entry *one;

    (void)state;
    ground_open(ALONE "kind=wlrl relevant=0 lag=10s start_size=1", 1);
    LINK(1, 2);
    (void)visits(4);
    one = weblog_find(&forager(1)->weblog, 1);
    assert_float_equal(one->value, 0, 0);
    assert_int_equal(forager(1)->score, 2038); /* the score is the other's own business */
    assert_int_equal(foragers_of(g.model)->nlate, 2);
    g.ctx.now += 7 * SECOND;
    foragers_of(g.model)->late[0].due = g.ctx.now;
    g.model->ops->tick(g.model);
    one = weblog_find(&forager(1)->weblog, 1);
    assert_float_equal(one->value, 30, 1e-9);
    g.ctx.now += 60 * SECOND;
    g.model->ops->tick(g.model);
    one = weblog_find(&forager(1)->weblog, 1);
    assert_float_equal(one->value, 60, 1e-9);
    assert_float_equal(weblog_find(&forager(1)->weblog, 2)->value, 0, 0);
    assert_int_equal(foragers_of(g.model)->lost, 0);
    ground_close();
}

/* 1 is the start: nothing is learned of what came in there. The step to 2 brought the
 * document of 3, which is answered when the step is learned already. The state of 1 is
 * (1), the weight 0: the step without a reward adds 0.1 (0 + 0.9 0 - 0) = 0, the answer
 * 0.1 * 100 * 1. The answers of step 1 (documents of 1 and 2) add nothing. */
static void late_answers_reach_the_weights(void **state)
{
    static float one = 1;
    struct forager *f;

    (void)state;
    ground_open(ALONE "kind=rl relevant=0 lag=10s start_size=1 k=1", 1);
    LINK(1, 2);
    LINK(2, 3);
    f = forager(1);
    f->td.weights[0] = f->td.quick[0] = 0;
    forage_state_set(&foragers_of(g.model)->pages, forage_pages_at(&foragers_of(g.model)->pages, 1),
                     &one, 1);
    assert_string_equal(visits(5), "1 2 2 3 3");
    assert_int_equal(f->td.steps, 1);
    assert_float_equal(f->td.weights[0], 0, 0);
    assert_int_equal(foragers_of(g.model)->nlate, 3);
    g.ctx.now += 60 * SECOND;
    g.model->ops->tick(g.model);
    assert_float_equal(f->td.weights[0], 10, 1e-6);
    ground_close();
}

/* The same in time: r is what came in at the step that the transition led to. */
static void a_transition_is_learned_with_what_came_in_behind_it(void **state)
{
    static float one = 1;
    struct forager *f;

    (void)state;
    ground_open(ALONE "kind=rl relevant=0 start_size=1 k=1", 1);
    LINK(1, 2);
    LINK(2, 3);
    f = forager(1);
    f->td.weights[0] = f->td.quick[0] = 0;
    forage_state_set(&foragers_of(g.model)->pages, forage_pages_at(&foragers_of(g.model)->pages, 1),
                     &one, 1);
    assert_string_equal(visits(5), "1 2 2 3 3");
    assert_float_equal(f->td.weights[0], 10, 1e-6);
    ground_close();
}

/* The path is 1, 2, both of state (1), the weight 1, nothing comes in. The step to 2 is
 * the last: 1 + 0.1 (0.9 - 1) = 0.99, or 1 + 0.1 (0 - 1) = 0.9 from its reward alone. */
static void the_last_step_is_learned_with_or_without_a_next_value(void **state)
{
    static const char *const settings[] = {"", "last=reward"};
    static const double weights[] = {0.99, 0.9};
    static float one = 1;

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        char text[200];
        struct forager *f;

        (void)snprintf(text, sizeof text,
                       ALONE "kind=rl send=relevant relevant=1 start_size=1 k=1 %s", settings[i]);
        ground_open(text, 1);
        LINK(1, 2);
        f = forager(1);
        f->td.weights[0] = f->td.quick[0] = 1;
        for (uint32_t url = 1; url <= 2; url++)
            forage_state_set(&foragers_of(g.model)->pages,
                             forage_pages_at(&foragers_of(g.model)->pages, url), &one, 1);
        assert_string_equal(visits(4), "1 2 2 1");
        assert_float_equal(f->td.weights[0], weights[i], 1e-6);
        ground_close();
    }
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

/* ---- states ---------------------------------------------------------------------- */

/* Pages 2 to 9 are about two things, by turns. After eight documents there are two
 * clusters, and pages looked at from then on have states. */
static void clusters_are_learned_from_the_first_pages(void **state)
{
    const struct foragers *st;
    uint32_t record;

    (void)state;
    ground_open("min_foragers=1 recheck=0 kind=rl start_size=1 learn=8 k=2", 1);
    LINK(1, 2, 3, 4, 5, 6, 7, 8, 9);
    for (uint32_t i = 1; i <= 9; i++)
        g.pages[i].words = 10 + i % 2;
    st = foragers_of(g.model);
    (void)visits(7);
    assert_null(st->clusters);
    (void)visits(3);
    assert_non_null(st->clusters);
    assert_int_equal(st->clusters->k, 2);
    record = forage_pages_find(&st->pages, 9);
    assert_true(fabsf(forage_state(&st->pages, record)[0]) > 0.1f);
    (void)visits(200);
    ground_close();
}

static void what_diverges_is_said_and_does_no_harm(void **state)
{
    struct buf text = BUF_INIT(4096);
    struct json j;

    (void)state;
    ground_open("min_foragers=1 recheck=0 kind=rl start_size=1 learn=8 k=2 td=plain alpha=1", 1);
    LINK(1, 2, 3, 4, 5, 6, 7, 8, 9);
    for (uint32_t i = 1; i <= 9; i++)
        g.pages[i].words = 10 + i % 2;
    (void)visits(10);
    forager(1)->td.weights[0] = 9.9e8;
    forager(1)->td.weights[1] = -9.9e8;
    (void)visits(100);
    assert_int_equal(foragers_of(g.model)->diverged, 1);
    assert_string_equal(g.performative, "failure");
    assert_non_null(strstr(g.said, "diverged after"));
    json_init(&j, &text);
    json_open_object(&j, NULL);
    g.model->ops->describe(g.model, &j);
    json_close(&j);
    assert_non_null(strstr(text.data, "\"diverged\":1,\"diverged_after\":"));
    assert_true(isfinite(forager(1)->td.weights[0]));
    buf_free(&text);
    ground_close();
}

/* ---- talk ------------------------------------------------------------------------ */

/* 1 earns 100 at page 5, a seed of nobody: 2 puts it into its weblog with 0.3 * 199. */
static void the_others_are_told_where_a_reward_was(void **state)
{
    struct weblog_entry *e;

    (void)state;
    ground_open("learn=0 recheck=0 relevant=0 talk=yes kind=wl", 5);
    LINK(5, 6);
    weblog_remove(&forager(2)->weblog, 5);
    (void)weblog_add(&forager(2)->weblog, 7, 0);
    (void)visits(6);
    e = weblog_find(&forager(2)->weblog, 5);
    assert_non_null(e);
    assert_float_equal(e->value, 0.3 * 200, 1e-9);
    assert_true(g.messages > 0);
    ground_close();
}

/* ---- ends ------------------------------------------------------------------------ */

static void a_seed_that_cannot_be_had_is_tried_three_times(void **state)
{
    (void)state;
    ground_open(ALONE, 1);
    g.pages[1].gone = true;
    assert_string_equal(visits(5), "1 1 1 -");
    assert_int_equal(g.ctx.wake, 0); /* nothing was ever seen: starved */
    ground_close();
    ground_open(ALONE, 1);
    (void)visits(3);
    g.pages[1].gone = true;
    assert_string_equal(visits(5), "1 1 1 -");
    assert_int_equal(g.ctx.wake, g.ctx.now + 600 * SECOND);
    g.ctx.now = g.ctx.wake;
    g.pages[1].gone = false;
    assert_string_equal(visits(2), "1 1");
    ground_close();
}

static void patience_ends(void **state)
{
    (void)state;
    ground_open(ALONE "patience=5", 1);
    assert_string_equal(visits(20), "1 1 1 1 1 1 -");
    ground_close();
}

static void options_that_make_no_sense_are_refused(void **state)
{
    static const char *const wrong[] = {"min_foragers=20", "init_score=200", "min_score=100",
                                        "clusters=/nowhere/at.all"};

    (void)state;
    ground_open(ALONE, 1);
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        struct text_list list = {0};
        struct model *m = NULL;

        text_list_add(&list, str_of(wrong[i]));
        assert_int_not_equal(model_new(model_find(STR("foragers")), &list, &g.ctx, &m), ST_OK);
        text_list_free(&list);
    }
    ground_close();
}

/* ---- checkpoints ----------------------------------------------------------------- */

static void population_again(void)
{
    struct buf saved = BUF_INIT(1 << 20);
    struct cursor c;

    population_save(g.ctx.population, &saved);
    population_free(g.ctx.population);
    g.ctx.population = population_new(hear, NULL);
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
        g.model = model_make(settings);
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
    g.model = model_make(settings);
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
                    (void)buf_add_z(&straight, order);
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
        cmocka_unit_test(a_path_has_101_pages),
        cmocka_unit_test(a_path_ends_where_nothing_is_left),
        cmocka_unit_test(every_linked_page_is_looked_at_once_a_step),
        cmocka_unit_test(moved_pages_are_met_once_and_missing_ones_left_out),
        cmocka_unit_test(the_first_is_rewarded_and_the_second_pays),
        cmocka_unit_test(a_changed_page_is_another_document),
        cmocka_unit_test(the_topic_decides_and_a_forager_may_ask_it_first),
        cmocka_unit_test(a_path_writes_the_weblog),
        cmocka_unit_test(penalties_may_be_left_out_of_the_weblog),
        cmocka_unit_test(a_starting_page_is_known_by_its_changes),
        cmocka_unit_test(who_finds_enough_multiplies),
        cmocka_unit_test(a_learner_gives_its_child_what_it_learned),
        cmocka_unit_test(who_finds_nothing_is_deleted),
        cmocka_unit_test(slices_are_one_after_another),
        cmocka_unit_test(without_slices_all_are_under_way),
        cmocka_unit_test(a_page_just_looked_at_is_not_asked_for),
        cmocka_unit_test(a_look_from_memory_counts_as_one),
        cmocka_unit_test(late_answers_reach_the_weblog),
        cmocka_unit_test(late_answers_reach_the_weights),
        cmocka_unit_test(a_transition_is_learned_with_what_came_in_behind_it),
        cmocka_unit_test(the_last_step_is_learned_with_or_without_a_next_value),
        cmocka_unit_test(a_feed_is_a_place_to_start),
        cmocka_unit_test(a_sitemap_is_a_place_to_start),
        cmocka_unit_test(clusters_are_learned_from_the_first_pages),
        cmocka_unit_test(what_diverges_is_said_and_does_no_harm),
        cmocka_unit_test(the_others_are_told_where_a_reward_was),
        cmocka_unit_test(a_seed_that_cannot_be_had_is_tried_three_times),
        cmocka_unit_test(patience_ends),
        cmocka_unit_test(options_that_make_no_sense_are_refused),
        cmocka_unit_test(a_resumed_fleet_goes_the_same_way),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
