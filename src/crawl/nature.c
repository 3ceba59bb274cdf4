/* nature.c - what the model tells of its agents, kept. See nature.h.
 * SPDX-License-Identifier: MIT */
#include "crawl/nature.h"

#include "agent/population.h"
#include "agent/url_set.h"
#include "base/clock.h"
#include "base/limits.h"
#include "base/mem.h"
#include "bus/bus.h"
#include "crawl/crawl_int.h"
#include "crawl/wordbook.h"
#include "frontier/frontier.h"

#include <stdlib.h>

struct nature {
    uint32_t *queue; /* agents to be told, who waits longest first */
    size_t count, cap;
    struct url_set queued; /* their numbers */
    struct buf text;       /* room */
};

static struct str word_of(void *engine, uint32_t term)
{
    return wordbook_word(((struct crawl *)engine)->wordbook, term);
}

static struct str href_of(void *engine, uint32_t url)
{
    struct url_view view;

    return frontier_url(((struct crawl *)engine)->frontier, url, &view) ? view.href : STR("");
}

/* Also model_ctx.changed. */
static void changed(void *crawl, uint32_t agent)
{
    struct nature *n = ((struct crawl *)crawl)->nature;

    if (!url_set_add(&n->queued, agent))
        return;
    MEM_GROW(n->queue, n->count, &n->cap);
    n->queue[n->count++] = agent;
}

void nature_begin(struct crawl *c)
{
    if (c->simulation || c->model->ops->tell == NULL)
        return;
    c->nature = MEM_NEW(struct nature);
    c->nature->text = BUF_INIT(LIMIT_TOLD);
    c->wordbook = wordbook_new(c->topic);
    c->model_ctx.word = word_of;
    c->model_ctx.href = href_of;
    c->model_ctx.changed = changed;
}

void nature_free(struct nature *n)
{
    if (n == NULL)
        return;
    url_set_clear(&n->queued);
    buf_free(&n->text);
    free(n->queue);
    free(n);
}

void nature_all_changed(struct crawl *c)
{
    uint32_t alive = population_counts(c->population).alive;

    for (uint32_t i = 0; c->nature && i < alive; i++)
        changed(c, population_nth(c->population, i)->id);
}

void nature_put(struct crawl *c, uint32_t agent, struct json *j)
{
    if (c->nature && agent_is_alive(c->population, agent))
        c->model->ops->tell(c->model, agent, j);
}

static void keep(struct crawl *c, uint32_t agent)
{
    struct event e = {.kind = EVENT_TOLD, .at = c->now, .told = {.agent = agent}};
    struct buf *text = &c->nature->text;
    struct json j;

    buf_clear(text);
    json_init(&j, text);
    json_open_object(&j, NULL);
    nature_put(c, agent, &j);
    json_close(&j);
    e.told.text = buf_str(text);
    if (!text->full && text->len > strlen("{}"))
        bus_post(c->bus, &e);
}

void nature_hear(struct crawl *c, const struct event *e)
{
    if (c->nature == NULL)
        return;
    if (e->kind == EVENT_BORN)
        changed(c, e->born.id);
    else if (e->kind == EVENT_VISIT)
        changed(c, e->visit.agent);
    else if (e->kind == EVENT_DIED)
        keep(c, e->died.id);
}

void nature_post(struct crawl *c, bool all)
{
    struct nature *n = c->nature;
    int64_t until = clock_now() + NATURE_TIME;
    size_t at = 0, told = 0;

    if (n == NULL)
        return;
    for (; at < n->count && (all || (told < NATURE_AT_ONCE && clock_now() < until)); at++) {
        url_set_remove(&n->queued, n->queue[at]);
        if (!agent_is_alive(c->population, n->queue[at])) /* it was told when it died */
            continue;
        keep(c, n->queue[at]);
        told++;
    }
    n->count -= at;
    memmove(n->queue, n->queue + at, n->count * sizeof *n->queue);
}
