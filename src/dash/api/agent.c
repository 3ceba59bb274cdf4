/* agent.c - an agent's card, and recent events of agents.
 * SPDX-License-Identifier: MIT */
#include "base/os/clock.h"
#include "base/limits.h"
#include "crawl/ask.h"
#include "dash/dash_int.h"

#include <stdio.h>

#define TELL_PATIENCE (500 * US_PER_MS) /* an idle crawl looks up every 200 ms */

static const struct option agent_params[] = {
    PARAM_N(struct agent_query, n, "200", "at most so many of its visits, children and finds"),
    {.name = NULL},
};

/* ---- what a node of the tree and the card have in common ----------------- */

static enum status put_best(void *ctx, const struct query_page *p)
{
    struct json *j = ctx;

    json_open_object(j, "best");
    page_put(j, p, page_named);
    json_close(j);
    return ST_OK;
}

void agent_row_put(struct json *j, struct dash_crawl *c, const struct query_agent *a)
{
    uint32_t best;

    agent_put(j, a, agent_row);
    if (view_best(c->view, a->id, &best, put_best, j) != ST_OK || best == 0)
        json_put_null(j, "best");
}

/* ---- the card ------------------------------------------------------------ */

struct card {
    struct json json;
    struct dash_crawl *crawl;
    uint32_t parent;
    bool dead;
    json_t *told;    /* by the model; NULL: nothing */
    int64_t told_at; /* 0: never */
};

static enum status put_relative(void *ctx, const struct query_agent *a)
{
    static const enum agent_member relative[] = {AGENT_ID,    AGENT_CALLED,  AGENT_ENERGY,
                                                 AGENT_PAGES, AGENT_DIED_AT, AGENT_END};
    struct card *card = ctx;

    json_open_object(&card->json, NULL);
    agent_put(&card->json, a, relative);
    json_close(&card->json);
    card->parent = a->parent;
    return ST_OK;
}

static enum status put_itself(void *ctx, const struct query_agent *a)
{
    static const enum agent_member birth[] = {AGENT_BORN_PAGE, AGENT_END};
    struct card *card = ctx;

    agent_row_put(&card->json, card->crawl, a);
    agent_put(&card->json, a, birth);
    card->parent = a->parent;
    card->dead = a->died_at != 0;
    return ST_OK;
}

static enum status put_step(void *ctx, const struct query_visit *v)
{
    static const enum visit_member step[] = {
        VISIT_PAGE,  VISIT_URL,    VISIT_TITLE, VISIT_AT,    VISIT_RELEVANCE,
        VISIT_FIRST, VISIT_BEFORE, VISIT_DELTA, VISIT_AFTER, VISIT_END,
    };
    struct card *card = ctx;

    json_open_object(&card->json, NULL);
    visit_put(&card->json, v, step);
    json_close(&card->json);
    return ST_OK;
}

static enum status put_energy(void *ctx, const struct query_visit *v)
{
    struct card *card = ctx;

    json_open_object(&card->json, NULL);
    json_put_num(&card->json, "at", (double)v->at / 1e6);
    json_put_num(&card->json, "value", v->after);
    json_close(&card->json);
    return ST_OK;
}

static enum status put_find(void *ctx, const struct query_page *p)
{
    struct card *card = ctx;

    json_open_object(&card->json, NULL);
    page_row_put(&card->json, card->crawl, p);
    json_close(&card->json);
    return ST_OK;
}

/* Its ancestors, the nearest first. */
static void put_parents(struct card *card, uint32_t n)
{
    json_open_array(&card->json, "parents");
    for (uint32_t id = card->parent; id && n > 0; n--) {
        card->parent = 0;
        if (query_agent(card->crawl->view, id, put_relative, card) != ST_OK || card->parent >= id)
            break;
        id = card->parent;
    }
    json_close(&card->json);
}

/* ---- what the model tells of it ------------------------------------------ */

/* Reads the description from the database; NULL if none was kept, or if it is not an object. */
static void read_kept(struct card *card, uint32_t id)
{
    struct buf text = BUF_INIT(LIMIT_TOLD);

    if (query_told(card->crawl->view, id, &card->told_at, &text) == ST_OK)
        card->told = json_loadb(text.len ? text.data : "", text.len, 0, NULL);
    if (!json_is_object(card->told)) {
        json_decref(card->told);
        card->told = NULL;
    }
    buf_free(&text);
}

/* Asks the running crawl, whose description is newer; but perhaps it does not run, is busy, or has
 * none. */
static bool ask_crawl(struct card *card, uint32_t id)
{
    json_t *answer = NULL, *told;
    char line[64];
    bool better;

    (void)snprintf(line, sizeof line, "{\"do\":\"agent\",\"id\":%u}", id);
    if (control_ask(card->crawl->dir, str_of(line), TELL_PATIENCE, &answer) != ST_OK)
        return false;
    told = json_object_get(answer, "told");
    better = json_object_size(told) > 0;
    if (better) {
        json_decref(card->told);
        card->told = json_incref(told);
        card->told_at = clock_now();
    }
    json_decref(answer);
    return better;
}

static void put_told(struct card *card, uint32_t id)
{
    bool live = !card->dead && ask_crawl(card, id);

    put_value(&card->json, "told", card->told);
    json_put_time(&card->json, "told_at", card->told_at);
    json_put_bool(&card->json, "told_live", live);
}

/* ---- all of it ----------------------------------------------------------- */

static enum status put_life(struct card *card, uint32_t id)
{
    struct query_life life = {0};
    enum status st = query_life(card->crawl->view, id, &life);

    life_put(&card->json, &life);
    return st;
}

/* Writes what the database knows of the agent; the crawl is entered. */
static enum status put_known(struct card *card, uint32_t id, uint32_t n)
{
    struct query *v = card->crawl->view;
    struct json *j = &card->json;
    uint64_t children = 0;
    enum status st = query_agent(v, id, put_itself, card);

    if (st != ST_OK)
        return st;
    read_kept(card, id);
    put_parents(card, n);
    json_open_array(j, "children");
    st = query_children(v, id, n, put_relative, card, &children);
    json_close(j);
    json_put_int(j, "children_total", (int64_t)children);
    json_open_array(j, "path");
    if (st == ST_OK)
        st = query_visits(v, id, n, put_step, card);
    json_close(j);
    json_open_array(j, "energy_curve");
    if (st == ST_OK)
        st = query_visits(v, id, n, put_energy, card);
    json_close(j);
    json_open_array(j, "finds");
    if (st == ST_OK)
        st = query_finds(v, id, n, put_find, card);
    json_close(j);
    return st == ST_OK ? put_life(card, id) : st;
}

/* Other requests need not wait while the running crawl is asked. */
static enum status api_agent(struct call *r)
{
    struct card card = {.crawl = r->crawl};
    enum status st = crawl_enter(r->crawl, true);

    if (st != ST_OK)
        return st;
    json_init(&card.json, &r->out);
    json_open_object(&card.json, NULL);
    st = put_known(&card, r->number, ((const struct agent_query *)r->params)->n);
    crawl_leave(r->crawl);
    if (st == ST_OK)
        put_told(&card, r->number);
    json_close(&card.json);
    json_decref(card.told);
    return st;
}

/* ---- what happened last --------------------------------------------------- */

static const struct option activity_params[] = {
    PARAM_N(struct agent_query, n, "20", "at most so many"),
    {.name = NULL},
};

static enum status put_activity(void *ctx, const struct query_activity *a)
{
    struct json *j = ctx;

    json_open_object(j, NULL);
    json_put_time(j, "at", a->at);
    json_put_z(j, "kind", a->kind);
    json_put_ref(j, "agent", a->agent);
    json_put_text(j, "name", a->name);
    json_put_ref(j, "parent", a->parent);
    json_put_text(j, "parent_name", a->parent_name);
    json_put_ref(j, "page", a->page);
    json_put_text(j, "title", a->title);
    json_put_num(j, "relevance", a->relevance);
    json_put_num(j, "p", a->p);
    json_put_text(j, "cause", a->cause);
    json_close(j);
    return ST_OK;
}

static enum status api_activity(struct call *r)
{
    const struct agent_query *q = r->params;
    struct json j;
    enum status st;

    json_init(&j, &r->out);
    json_open_object(&j, NULL);
    json_open_array(&j, "rows");
    st = query_activity(r->crawl->view, q->n, put_activity, &j);
    json_close(&j);
    json_close(&j);
    return st;
}

const struct route agent_routes[] = {
    {ROUTE_GET("/api/crawls/ID/agent/N", "an agent's card", api_agent),
     PARAMS(agent_params, struct agent_query), .apart = true,
     .answer =
         "{" AGENT_ROW ", best, born_page, parents: [{id, name, energy, pages, died_at}], "
         "children: [the same], children_total, told: {keywords: [{word, weight}], weights: "
         "what the weight is, facts: [{name, label, value}], places: [{url, value}], values: "
         "what the value is} or null, each where the model has it, told_at, told_live: bool (by "
         "the running crawl, not from its database), path: "
         "[{page, url, title, at, relevance, first, before, delta, after}], energy_curve: "
         "[{at: seconds since 1970, value}], finds: [" PAGE_ROW "], visits, found, gained, paid}"},
    {ROUTE_GET("/api/crawls/ID/activity", "what happened last, newest first", api_activity),
     PARAMS(activity_params, struct agent_query), .light = true,
     .answer = "{rows: [{at, kind: \"born\"|\"died\"|\"found\", agent, name, parent, parent_name, "
               "page, title, relevance, p, cause}]}"},
    {.path = NULL},
};
