/* pond.c - an engine for populations of agents.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "pond.h"
#include "models/models.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void hear(void *ctx, const struct event *e)
{
    struct pond *p = ctx;

    p->born += e->kind == EVENT_BORN;
    p->died += e->kind == EVENT_DIED;
    p->visits += e->kind == EVENT_VISIT;
    if (e->kind == EVENT_BORN)
        p->last_born = *e;
    if (e->kind == EVENT_VISIT)
        p->last_visit = *e;
    if (e->kind == EVENT_DIED)
        (void)snprintf(p->cause, sizeof p->cause, "%.*s", STR_ARG(e->died.cause));
}

static void dropped(void *ctx, uint32_t url)
{
    struct pond *p = ctx;

    assert_true(url > 0 && p->ndropped < sizeof p->dropped / sizeof *p->dropped);
    p->dropped[p->ndropped++] = url;
}

/* ---- pages ------------------------------------------------------------------- */

static uint32_t number_of(struct str url)
{
    const char *slash = memrchr(url.ptr, '/', url.len);
    uint32_t n = (uint32_t)strtoul(slash + 1, NULL, 10);

    assert_true(n > 0 && n <= POND_PAGES);
    return n;
}

void pond_read(struct pond *p, uint32_t url, struct pond_read *ret)
{
    struct page_input in = {.payload = str_of(p->web[url].html), .content_type = STR("text/html")};
    char href[40];

    (void)snprintf(href, sizeof href, "http://w.example/%u", url);
    in.url = str_of(href);
    arena_init(&ret->memory, 1 << 20);
    assert_int_equal(page_parse(p->parser, &in, &ret->memory, &ret->page), DROP_NONE);
    assert_int_equal(
        profile_page(p->profiler, ret->page, in.url, NULL, &ret->memory, &ret->profile), DROP_NONE);
    ret->marks = arena_array(&ret->memory, ret->page->nlinks, sizeof *ret->marks);
    for (uint32_t i = 0; i < ret->page->nlinks; i++) {
        const struct link *l = &ret->page->links[i];
        uint32_t to = number_of(l->url);

        ret->marks[i] = (struct link_mark){.url = to, .score = NAN, .taken = p->taken[to]};
        if (l->rel & REL_NOFOLLOW)
            ret->marks[i].drop = DROP_NOFOLLOW;
    }
}

void pond_unread(struct pond_read *r)
{
    arena_free(&r->memory);
    *r = (struct pond_read){0};
}

static struct percept percept_of(const struct pond *p, const struct pond_read *r, uint32_t url)
{
    return (struct percept){.choice = {.url = url},
                            .page = url,
                            .latency = p->web[url].latency,
                            .body = r->page,
                            .profile = &r->profile,
                            .marks = r->marks};
}

static bool look_up(void *engine, uint32_t url, struct percept *ret)
{
    struct pond *p = engine;

    p->looks++;
    if (p->forgets || !p->visited[url])
        return false;
    pond_unread(&p->shown);
    pond_read(p, url, &p->shown);
    *ret = percept_of(p, &p->shown, url);
    return true;
}

/* ---- the model ----------------------------------------------------------------- */

static struct model *model_make(struct pond *p, const char *name, const char *settings)
{
    struct str rest = str_of(settings), one;
    struct text_list list = {0};
    struct model *m = NULL;

    while (rest.len > 0 && str_cut(&rest, ' ', &one))
        text_list_add(&list, one);
    if (model_new(model_find(str_of(name)), &list, &p->ctx, &m) != ST_OK)
        fail_msg("%s", status_text());
    text_list_free(&list);
    return m;
}

void pond_open(struct pond *p, const struct pond_page *web, const char *words, const char *model,
               const char *settings, const uint32_t *seeds)
{
    size_t n = 0;

    *p = (struct pond){.web = web};
    assert_int_equal(topic_from_words(str_of(words), STR("en"), &p->topic), ST_OK);
    p->profiler = profiler_new(p->topic);
    p->parser = page_parser_new();
    p->ctx = (struct model_ctx){
        .topic = p->topic, .engine = p, .parallel = 1, .dropped = dropped, .look_up = look_up};
    rng_init(&p->ctx.rng, 1);
    p->ctx.population = population_new(hear, p);
    if (model == NULL)
        return;
    p->model = model_make(p, model, settings);
    while (seeds && seeds[n])
        n++;
    if (seeds)
        p->model->ops->start(p->model, seeds, n);
}

void pond_close(struct pond *p)
{
    pond_unread(&p->shown);
    model_free(p->model);
    population_free(p->ctx.population);
    page_parser_free(p->parser);
    profiler_free(p->profiler);
    topic_free(p->topic);
}

bool pond_next(struct pond *p, struct choice *ret)
{
    if (!p->model->ops->next(p->model, 0, ret))
        return false;
    assert_true(ret->url > 0 && ret->url <= POND_PAGES);
    assert_false(p->taken[ret->url]);
    assert_true(agent_is_alive(p->ctx.population, ret->agent));
    p->taken[ret->url] = true;
    return true;
}

void pond_fail(struct pond *p, struct choice c, enum drop why)
{
    p->model->ops->failed(p->model, &c, why);
}

void pond_answer(struct pond *p, struct choice c)
{
    struct pond_read r;
    struct percept percept;

    if (p->web[c.url].moved)
        c.url = p->web[c.url].moved;
    if (p->visited[c.url] || p->web[c.url].html == NULL) {
        pond_fail(p, c, p->visited[c.url] ? DROP_SEEN : DROP_STATUS);
        return;
    }
    p->taken[c.url] = p->visited[c.url] = true;
    pond_read(p, c.url, &r);
    percept = percept_of(p, &r, c.url);
    percept.choice = c;
    percept.first = true;
    p->model->ops->perceive(p->model, &percept);
    for (uint32_t i = 0; i < r.page->nlinks && i < 20; i++)
        p->scores[i] = r.marks[i].score;
    pond_unread(&r);
}

const char *pond_order(struct pond *p, size_t most)
{
    struct choice c;
    size_t n = 0;

    while (n < most && n <= POND_PAGES && pond_next(p, &c)) {
        p->order[n++] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFG"[c.url];
        pond_answer(p, c);
    }
    p->order[n] = '\0';
    return p->order;
}

static void population_again(struct pond *p)
{
    struct buf saved = BUF_INIT(1 << 20);
    struct cursor c;

    population_save(p->ctx.population, &saved);
    population_free(p->ctx.population);
    p->ctx.population = population_new(hear, p);
    c = (struct cursor){.rest = buf_str(&saved)};
    assert_int_equal(population_load(p->ctx.population, &c), ST_OK);
    buf_free(&saved);
}

void pond_resume(struct pond *p, const char *model, const char *settings)
{
    struct buf saved = BUF_INIT(1 << 20), again = BUF_INIT(1 << 20);
    struct str state;

    p->model->ops->save(p->model, &saved);
    state = buf_str(&saved);
    for (size_t part = 0; part < 8; part++) {
        model_free(p->model);
        population_again(p);
        p->model = model_make(p, model, settings);
        assert_int_not_equal(p->model->ops->load(p->model, str_sub(state, 0, state.len * part / 8)),
                             ST_OK);
    }
    model_free(p->model);
    population_again(p);
    p->model = model_make(p, model, settings);
    assert_int_equal(p->model->ops->load(p->model, state), ST_OK);
    p->model->ops->save(p->model, &again);
    assert_int_equal(again.len, saved.len);
    assert_memory_equal(again.data, saved.data, saved.len);
    buf_free(&saved);
    buf_free(&again);
}
