/* test_classifier.c - best-first guided by a classifier, on webs computed by hand.
 *
 * Documents are made of the words A and B. With one positive example (A), one
 * negative one (B), logistic regression and C = 1 + e the margins are 1 for a page
 * of A, -1 for one of B, 0 for one of both (test_classify.c); the curve through one
 * example of either kind has p(1) = 2/3 and p(-1) = 1/3, so p(0) = 1/2.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "agent/model.h"
#include "models/models.h"
#include "agent/page_memory.h"
#include "agent/population.h"
#include "base/mem.h"
#include "text/classify.h"
#include "text/topic.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PAGES 400
#define LINKS 8
#define WORDS 4
#define BAIT  PAGES /* an empty page that may be visited many times */

enum { A = 10, B = 20, C = 30 };

struct made_page {
    struct term words[WORDS]; /* ascending; id 0 ends them */
    float relevance;
    uint32_t links[LINKS]; /* 0 ends them */
};

struct engine {
    struct model_ctx ctx;
    struct model *model;
    const struct made_page *web;
    struct topic *topic;
    bool taken[PAGES + 1];
    float scores[LINKS]; /* marks of the page perceived last */
};

static void ignore(void *ctx UNUSED, const struct event *e UNUSED)
{
}

static void dropped(void *ctx UNUSED, uint32_t url UNUSED)
{
}

static struct model *model_make(struct engine *e, const char *settings)
{
    struct str rest = str_of(settings), one;
    struct text_list list = {0};
    struct model *m = NULL;

    while (rest.len > 0 && str_cut(&rest, ' ', &one))
        text_list_add(&list, one);
    if (model_new(model_find(STR("classifier")), &list, &e->ctx, &m) != ST_OK)
        fail_msg("%s", status_text());
    text_list_free(&list);
    return m;
}

/* `examples`: of A and of B, so many of each. */
static void engine_open(struct engine *e, const struct made_page *web, size_t examples,
                        const char *settings)
{
    struct term a = {A, 1}, b = {B, 1};
    uint32_t seed = 1;

    *e = (struct engine){.web = web};
    assert_int_equal(topic_from_words(STR("anything"), STR("en"), &e->topic), ST_OK);
    for (size_t i = 0; i < examples; i++) {
        assert_int_equal(topic_add_sample(e->topic, &a, 1, true), ST_OK);
        assert_int_equal(topic_add_sample(e->topic, &b, 1, false), ST_OK);
    }
    e->ctx = (struct model_ctx){.engine = e, .topic = e->topic, .dropped = dropped, .parallel = 1};
    e->ctx.population = population_new(ignore, NULL);
    e->model = model_make(e, settings);
    e->model->ops->start(e->model, &seed, 1);
}

static void engine_close(struct engine *e)
{
    model_free(e->model);
    population_free(e->ctx.population);
    topic_free(e->topic);
}

/* Shows a page as the answer to a choice; one without a URL answers none. */
static void answer(struct engine *e, struct choice choice, uint32_t number)
{
    const struct made_page *made = &e->web[number];
    struct link links[LINKS] = {0};
    struct link_mark marks[LINKS] = {0};
    struct page page = {.links = links};
    struct profile profile = {.terms = made->words, .relevance = made->relevance};
    struct percept p = {.choice = choice,
                        .page = number,
                        .first = true,
                        .body = &page,
                        .profile = &profile,
                        .marks = marks};

    while (profile.nterms < WORDS && made->words[profile.nterms].id)
        profile.nterms++;
    for (; page.nlinks < LINKS && made->links[page.nlinks]; page.nlinks++) {
        uint32_t to = made->links[page.nlinks];

        marks[page.nlinks] = (struct link_mark){.url = to, .score = NAN, .taken = e->taken[to]};
    }
    e->model->ops->perceive(e->model, &p);
    for (uint32_t i = 0; i < page.nlinks; i++)
        e->scores[i] = marks[i].score;
}

static uint32_t visit(struct engine *e, float *ret_score)
{
    struct choice c;

    if (!e->model->ops->next(e->model, 0, &c))
        return 0;
    assert_false(e->taken[c.url]);
    e->taken[c.url] = true;
    *ret_score = c.score;
    answer(e, c, c.url);
    return c.url;
}

/* What the model thinks of a page's first link now. */
static double worth(struct engine *e, uint32_t page)
{
    e->taken[BAIT] = false;
    answer(e, (struct choice){0}, page);
    return (double)e->scores[0];
}

/* The numbers of the pages visited, at most `most`, behind `out`. */
static void visits(struct engine *e, size_t most, struct buf *out)
{
    uint32_t page;
    float score;

    while (most-- > 0 && (page = visit(e, &score)) != 0)
        buf_addf(out, "%u ", page);
}

static void assert_near(double got, double expected)
{
    if (!(fabs(got - expected) < 1e-5))
        fail_msg("%.9g is not %.9g", got, expected);
}

static double figure(struct engine *e, const char *name)
{
    struct buf out = BUF_INIT(1000);
    struct json j;
    char *at;
    double value;

    json_init(&j, &out);
    json_open_object(&j, NULL);
    e->model->ops->describe(e->model, &j);
    json_close(&j);
    at = strstr(out.data, name);
    value = at ? atof(at + strlen(name) + 2) : NAN;
    buf_free(&out);
    return value;
}

/* ---- computed by hand ---------------------------------------------------- */

#define EXACT "learner=logistic C=3.718281828459045"

static const struct made_page small[] = {
    [1] = {{{A, 1}}, 0, {2, 3, 4}},
    [2] = {{{B, 1}}, 0, {5}},
    [3] = {{{A, 1}}, 0, {5, 6}},
    [4] = {{{B, 1}}, 0, {7}},
    [5] = {{{A, 1}, {B, 1}}, 0, {7, 8}},
    [6] = {{{B, 1}}, 0, {8}},
    [7] = {{{B, 1}}, 0, {0}},
    [8] = {{{0, 0}}, 0, {0}},
};

static void a_link_is_worth_the_probability_of_its_parent(void **state UNUSED)
{
    struct engine e;

    engine_open(&e, small, 1, EXACT);
    assert_near(worth(&e, 1), 2.0 / 3);
    assert_true(e.scores[0] == e.scores[1]);
    assert_near(worth(&e, 2), 1.0 / 3);
    assert_near(worth(&e, 5), 1.0 / 2);
    assert_near(figure(&e, "trainings"), 1);
    assert_true(isnan(figure(&e, "auc"))); /* nothing could be held out */
    engine_close(&e);
}

/* 1 gives 2 3 4 .667; 2 gives 5 .333, and 3 gives 5 and 6 .667. By the maximum 5 waits
 * longer than 6 and comes first; by the mean it has .5 and comes after it. 7 and 8 get
 * .333 or more, 7 first. */
static void several_parents_are_joined(void **state UNUSED)
{
    static const char *const cases[][2] = {{EXACT " parents=max", "1 2 3 4 5 6 7 8 "},
                                           {EXACT " parents=mean", "1 2 3 4 6 5 7 8 "}};

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct buf out = BUF_INIT(100);
        struct engine e;

        engine_open(&e, small, 1, cases[i][0]);
        visits(&e, 99, &out);
        assert_str(buf_str(&out), cases[i][1]);
        buf_free(&out);
        engine_close(&e);
    }
}

/* ---- learning ------------------------------------------------------------ */

/* Page i links to the next ones; every other page is of A and C, the others are of B
 * and a word of their own. */
static void web_fill(struct made_page *web, uint32_t n)
{
    memset(web, 0, (n + 1) * sizeof *web);
    for (uint32_t i = 1; i <= n; i++) {
        web[i].words[0] = (struct term){i % 2 ? B : A, 1 + i % 3};
        web[i].words[1] = (struct term){i % 2 ? 100 + i : C, 1};
        web[i].relevance = i % 2 ? 0.01f : 0.1f + 0.001f * (float)i;
        for (uint32_t k = 0; k < 3 && 3 * i + k - 1 <= n; k++)
            web[i].links[k] = 3 * i + k - 1; /* 1: 2 3 4, 2: 5 6 7, ... */
    }
}

/* Before: C stands in no example, so a page of it is worth p(0) = .5, as one of a word
 * that nobody has. Pages of A and C are sure enough to become examples; then C speaks
 * for the topic. */
static void sure_pages_become_examples(void **state UNUSED)
{
    static struct made_page web[PAGES + 1];
    struct engine e;
    float score;

    web_fill(web, 300);
    web[301] = (struct made_page){.words = {{C, 1}}, .links = {BAIT}};
    engine_open(&e, web, 1, EXACT " retrain=30 high=0.55 low=0.45 parents=first");
    web[302] = (struct made_page){.words = {{999, 1}}, .links = {BAIT}};
    assert_near(worth(&e, 301), 0.5);
    assert_near(worth(&e, 302), 0.5);
    for (int i = 0; i < 28; i++)
        assert_true(visit(&e, &score) != 0);
    assert_near(figure(&e, "trainings"), 2);
    assert_true(worth(&e, 301) > worth(&e, 302) + 0.05);
    for (int i = 0; i < 27; i++)
        assert_true(visit(&e, &score) != 0);
    assert_near(figure(&e, "trainings"), 2);
    assert_true(visit(&e, &score) != 0); /* the 60th: twice as many */
    assert_near(figure(&e, "trainings"), 3);
    engine_close(&e);
}

/* Without examples the relevance decides for 25 pages; then pages of A and C, which
 * the topic's relevance is high for, are positive ones. A page of C alone is now worth
 * more than one of B, whatever its relevance, and links that wait have new scores. */
static void without_examples_it_learns_from_relevance(void **state UNUSED)
{
    static struct made_page web[PAGES + 1];
    struct engine e;
    float score = 0;

    web_fill(web, 300);
    web[301] = (struct made_page){.words = {{C, 1}}, .links = {BAIT}};
    web[302] = (struct made_page){.words = {{B, 1}}, .relevance = 0.05f, .links = {BAIT}};
    engine_open(&e, web, 0, "bootstrap=25 retrain=0");
    for (int i = 0; i < 24; i++)
        assert_true(visit(&e, &score) != 0);
    assert_near(figure(&e, "trainings"), 0);
    assert_true(score < 0.5f);
    assert_near(worth(&e, 302), 0.05);
    assert_near(figure(&e, "trainings"), 1);
    assert_near(figure(&e, "remembered"), 0); /* it will not be trained again */
    assert_true(worth(&e, 302) < 0.5);
    assert_true(worth(&e, 301) > 0.5);
    assert_true(visit(&e, &score) != 0);
    assert_true(score > 0.5f);
    engine_close(&e);
}

/* All pages are alike: there is nothing to learn, and it goes on by relevance. */
static void what_does_not_differ_teaches_nothing(void **state UNUSED)
{
    static struct made_page web[PAGES + 1];
    struct engine e;
    float score;

    web_fill(web, PAGES);
    for (uint32_t i = 0; i <= PAGES; i++)
        web[i].relevance = 0.25f;
    engine_open(&e, web, 0, "bootstrap=25 retrain=0");
    for (int i = 0; i < 120; i++)
        assert_true(visit(&e, &score) != 0);
    assert_near(figure(&e, "trainings"), 0);
    assert_true(score == 0.25f);
    engine_close(&e);
}

/* Only what was scored after the training is different. */
static void links_that_wait_keep_their_scores_where_asked(void **state UNUSED)
{
    static struct made_page web[PAGES + 1];
    struct engine e;
    float score;

    web_fill(web, PAGES);
    engine_open(&e, web, 0, "bootstrap=25 retrain=0 rescore=no");
    for (int i = 0; i < 25; i++)
        assert_true(visit(&e, &score) != 0);
    assert_near(figure(&e, "trainings"), 1);
    assert_true(visit(&e, &score) != 0);
    assert_true(score < 0.5f); /* a relevance */
    engine_close(&e);
}

static void a_saved_model_goes_on_as_if_nothing_had_happened(void **state UNUSED)
{
    static const struct {
        size_t examples;
        const char *settings;
    } cases[] = {
        {3, ""},
        {3, "retrain=25 high=0.5 low=0.5 memory=40 parents=mean"},
        {0, "bootstrap=30 retrain=30 memory=35"},
        {0, "bootstrap=90 n=7 buffer=60"},
    };
    static struct made_page web[PAGES + 1];

    web_fill(web, PAGES);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct buf whole = BUF_INIT(10000), parts = BUF_INIT(10000), state_of = BUF_INIT(1 << 24);
        struct engine e;

        engine_open(&e, web, cases[i].examples, cases[i].settings);
        visits(&e, PAGES, &whole);
        engine_close(&e);
        engine_open(&e, web, cases[i].examples, cases[i].settings);
        for (int k = 0; k < 12; k++) {
            visits(&e, 20, &parts);
            buf_clear(&state_of);
            e.model->ops->save(e.model, &state_of);
            model_free(e.model);
            e.model = model_make(&e, cases[i].settings);
            assert_int_not_equal(
                e.model->ops->load(e.model, str_sub(buf_str(&state_of), 0, state_of.len / 2)),
                ST_OK);
            model_free(e.model);
            e.model = model_make(&e, cases[i].settings);
            assert_int_equal(e.model->ops->load(e.model, buf_str(&state_of)), ST_OK);
        }
        visits(&e, PAGES, &parts);
        assert_str(buf_str(&parts), whole.data);
        engine_close(&e);
        buf_free(&whole);
        buf_free(&parts);
        buf_free(&state_of);
    }
}

/* ---- marks --------------------------------------------------------------- */

static void teach(struct engine *e, uint32_t page, int relevant)
{
    const struct made_page *made = &e->web[page];
    size_t n = 0;

    while (n < WORDS && made->words[n].id)
        n++;
    e->model->ops->learns->taught(e->model, page, made->words, n, relevant);
}

/* C stands in no example: a page of it is worth p(0) = .5. Marked relevant it is an
 * example as good as the one of A, so it is worth more than one half; marked irrelevant,
 * less; the mark taken back, one half again. A mark is learned when the next page comes,
 * the second one not before 5 s have passed. */
static void a_marked_page_is_an_example(void **state UNUSED)
{
    static const struct made_page web[] = {
        [1] = {{{A, 1}}, 0, {BAIT}}, [2] = {{{C, 1}}, 0, {BAIT}}, [3] = {{{0, 0}}, 0, {0}}};
    struct engine e;

    engine_open(&e, web, 1, EXACT " high=1 low=0");
    assert_near(worth(&e, 2), 0.5);
    teach(&e, 2, 1);
    assert_near(figure(&e, "trainings"), 1);
    (void)worth(&e, 3); /* the page that comes next */
    assert_near(figure(&e, "trainings"), 2);
    assert_near(figure(&e, "marks"), 1);
    assert_true(worth(&e, 2) > 0.55);
    teach(&e, 2, 1); /* nothing new */
    teach(&e, 2, 0);
    e.ctx.now = 4999999;
    (void)worth(&e, 3);
    assert_true(worth(&e, 2) > 0.55);
    e.ctx.now = 5000000;
    (void)worth(&e, 3);
    assert_near(figure(&e, "trainings"), 3);
    assert_true(worth(&e, 2) < 0.45);
    e.ctx.now = 10000000;
    teach(&e, 2, -1);
    (void)worth(&e, 3);
    assert_near(figure(&e, "trainings"), 4);
    assert_near(worth(&e, 2), 0.5);
    assert_true(isnan(figure(&e, "marks")));
    engine_close(&e);
}

/* Of words alone: four marks of either kind change nothing before the first training,
 * five are examples enough. Even pages (A and C) are marked irrelevant here, odd ones
 * relevant: the reverse of what their relevance says. */
static void enough_marks_are_examples_of_a_topic_of_words(void **state UNUSED)
{
    static struct made_page web[PAGES + 1];
    struct engine e;

    web_fill(web, 300);
    web[301] = (struct made_page){.words = {{A, 1}}, .relevance = 0.9f, .links = {BAIT}};
    web[302] = (struct made_page){.words = {{B, 1}}, .relevance = 0.1f, .links = {BAIT}};
    engine_open(&e, web, 0, "");
    for (uint32_t i = 1; i <= 9; i++)
        teach(&e, i, i % 2);
    assert_near(worth(&e, 301), 0.9); /* 5 relevant, 4 irrelevant */
    assert_near(worth(&e, 302), 0.1);
    assert_near(figure(&e, "trainings"), 0);
    teach(&e, 10, 0);
    (void)worth(&e, 301);
    assert_near(figure(&e, "trainings"), 1);
    assert_true(worth(&e, 301) < 0.5);
    assert_true(worth(&e, 302) > 0.5);
    engine_close(&e);
}

/* The teacher takes pages of A and C for positive ones. One that the user marked is none
 * of its guesses any more. */
static void what_the_user_says_is_not_guessed(void **state UNUSED)
{
    static struct made_page web[PAGES + 1];
    struct engine e;
    double before;
    float score;

    web_fill(web, 300);
    web[2] = (struct made_page){.words = {{A, 1}, {77, 3}}, .relevance = 0.9f, .links = {5, 6, 7}};
    engine_open(&e, web, 0, "bootstrap=25");
    for (int i = 0; i < 25; i++)
        assert_true(visit(&e, &score) != 0);
    assert_near(figure(&e, "trainings"), 1);
    e.taken[5] = false;
    before = worth(&e, 2);
    assert_true(before > 0.5);
    teach(&e, 2, 0);
    (void)worth(&e, 300);
    assert_near(figure(&e, "trainings"), 2);
    e.taken[5] = false;
    assert_true(worth(&e, 2) < before - 0.2);
    engine_close(&e);
}

/* ---- the memory ---------------------------------------------------------- */

static void the_newest_pages_are_remembered(void **state UNUSED)
{
    struct link_mark marks[3] = {{.url = 7}, {.url = 8, .drop = DROP_SCOPE}, {.url = 9}};
    struct page body = {.nlinks = 3};
    struct page_memory m;

    page_memory_init(&m, 3);
    for (uint32_t i = 1; i <= 5; i++) {
        struct term words[] = {{i, i}};
        struct profile profile = {.terms = words, .nterms = 1, .relevance = (float)i};
        struct percept p = {.body = &body, .profile = &profile, .marks = marks};

        page_memory_add(&m, &p);
        profile.nterms = 0; /* nothing to remember */
        page_memory_add(&m, &p);
    }
    assert_int_equal(m.count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        const struct remembered_page *p = page_memory_at(&m, i);

        assert_int_equal(p->terms[0].count, i + 3);
        assert_true(p->relevance == (float)(i + 3));
        assert_int_equal(p->nlinks, 2);
        assert_int_equal(p->links[0], 7);
        assert_int_equal(p->links[1], 9);
    }
    page_memory_clear(&m);
    assert_int_equal(m.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_link_is_worth_the_probability_of_its_parent),
        cmocka_unit_test(several_parents_are_joined),
        cmocka_unit_test(sure_pages_become_examples),
        cmocka_unit_test(without_examples_it_learns_from_relevance),
        cmocka_unit_test(what_does_not_differ_teaches_nothing),
        cmocka_unit_test(links_that_wait_keep_their_scores_where_asked),
        cmocka_unit_test(a_saved_model_goes_on_as_if_nothing_had_happened),
        cmocka_unit_test(a_marked_page_is_an_example),
        cmocka_unit_test(enough_marks_are_examples_of_a_topic_of_words),
        cmocka_unit_test(what_the_user_says_is_not_guessed),
        cmocka_unit_test(the_newest_pages_are_remembered),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
