/* tank.c - an engine for models, small enough to compute by hand.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "tank.h"
#include "models/models.h"

#include "agent/population.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void note_worth(void *ctx, const struct event *e)
{
    struct tank *t = ctx;

    if (e->kind == EVENT_VISIT && e->visit.first)
        t->worth = e->visit.worth;
}

/* Spans are [i, i + 1) for the anchor of link i, [i, i + 2) for its window. */
static float score(void *engine, const struct percept *p, struct span words, bool raw)
{
    const struct tank *t = engine;
    const struct tank_link *l = &t->web[t->now_on].links[words.from];
    float worth = words.to - words.from == 1 ? l->anchor : l->window;

    (void)p;
    return raw ? worth : worth / 2;
}

static void dropped(void *ctx, uint32_t url)
{
    struct tank *t = ctx;

    assert_true(url > 0 && t->ndropped < sizeof t->dropped / sizeof *t->dropped);
    t->dropped[t->ndropped++] = url;
}

static bool truth(void *engine, uint32_t url)
{
    return ((struct tank *)engine)->web[url].truth;
}

static struct model *model_make(struct tank *t, const char *name, const char *settings)
{
    struct str rest = str_of(settings), one;
    struct text_list list = {0};
    struct model *m = NULL;

    while (rest.len > 0 && str_cut(&rest, ' ', &one))
        text_list_add(&list, one);
    assert_int_equal(model_new(model_find(str_of(name)), &list, &t->ctx, &m), ST_OK);
    text_list_free(&list);
    return m;
}

void tank_open(struct tank *t, const struct tank_page *web, const char *model, const char *settings,
               const uint32_t *seeds)
{
    size_t n = 0;

    *t = (struct tank){.web = web};
    t->ctx = (struct model_ctx){
        .engine = t, .parallel = 1, .score = score, .dropped = dropped, .truth = truth};
    t->ctx.population = population_new(note_worth, t);
    t->model = model_make(t, model, settings);
    while (seeds && seeds[n])
        n++;
    if (seeds)
        t->model->ops->start(t->model, seeds, n);
}

void tank_close(struct tank *t)
{
    model_free(t->model);
    population_free(t->ctx.population);
}

bool tank_next(struct tank *t, struct choice *ret)
{
    if (!t->model->ops->next(t->model, 0, ret))
        return false;
    assert_true(ret->url > 0 && ret->url <= TANK_PAGES);
    assert_false(t->taken[ret->url]);
    assert_true(agent_is_alive(t->ctx.population, ret->agent));
    t->taken[ret->url] = true;
    return true;
}

/* The percept has choice, page and first; the rest is as in the table. */
static void show(struct tank *t, struct percept p, void (*hear)(struct model *m, struct percept *p))
{
    const struct tank_page *from = &t->web[p.choice.url];
    struct link links[TANK_LINKS] = {0};
    struct link_mark marks[TANK_LINKS] = {0};
    struct page page = {.links = links};
    struct profile profile = {0};

    t->now_on = p.choice.url;
    p.body = &page;
    profile.similarity = from->similarity;
    profile.relevance = from->relevance;
    p.profile = &profile;
    p.latency = from->latency;
    p.marks = marks;
    if (from->url && !t->no_base)
        page.base = str_of(from->url);
    for (uint32_t i = 0; i < TANK_LINKS && from->links[i].to; i++) {
        uint32_t to = from->links[i].to;

        links[i].anchor = (struct span){i, i + 1};
        links[i].window = (struct span){i, i + 2};
        links[i].url = t->web[to].url ? str_of(t->web[to].url) : STR("");
        marks[i] = (struct link_mark){.url = to, .score = NAN, .taken = t->taken[to]};
        page.nlinks++;
    }
    hear(t->model, &p);
    for (uint32_t i = 0; i < page.nlinks; i++)
        t->scores[i] = marks[i].score;
}

void tank_answer(struct tank *t, struct choice c)
{
    if (t->web[c.url].moved)
        c.url = t->web[c.url].moved;
    t->taken[c.url] = true;
    show(t, (struct percept){.choice = c, .page = c.url, .first = true}, t->model->ops->perceive);
}

void tank_adopt(struct tank *t, const uint32_t *urls)
{
    for (size_t i = 0; urls[i]; i++)
        t->taken[urls[i]] = true;
    for (size_t i = 0; urls[i]; i++)
        show(t, (struct percept){.choice = {.url = urls[i]}}, t->model->ops->walks->adopt);
    t->model->ops->walks->adopt(t->model, NULL);
}

void tank_fail(struct tank *t, struct choice c)
{
    t->model->ops->failed(t->model, &c, DROP_NETWORK);
}

const char *tank_order(struct tank *t, size_t most)
{
    struct choice c;
    size_t n = 0;

    while (n < most && n <= TANK_PAGES && tank_next(t, &c)) {
        t->order[n++] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFG"[c.url];
        tank_answer(t, c);
    }
    t->order[n] = '\0';
    return t->order;
}

void tank_resume(struct tank *t, const char *model, const char *settings)
{
    struct buf saved = BUF_INIT(1 << 20), again = BUF_INIT(1 << 20);
    struct str state;

    t->model->ops->save(t->model, &saved);
    model_free(t->model);
    t->model = model_make(t, model, settings);
    state = buf_str(&saved);
    assert_int_not_equal(t->model->ops->load(t->model, str_sub(state, 0, state.len / 2)), ST_OK);
    model_free(t->model);
    t->model = model_make(t, model, settings);
    assert_int_equal(t->model->ops->load(t->model, state), ST_OK);
    t->model->ops->save(t->model, &again);
    assert_int_equal(again.len, saved.len);
    assert_memory_equal(again.data, saved.data, saved.len);
    buf_free(&saved);
    buf_free(&again);
}
