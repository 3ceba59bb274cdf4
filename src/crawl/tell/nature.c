/* nature.c - keeps the model's descriptions of its agents. See nature.h.
 * SPDX-License-Identifier: MIT */
#include "crawl/tell/nature.h"

#include "agent/population.h"
#include "agent/url_set.h"
#include "base/os/clock.h"
#include "base/limits.h"
#include "base/mem.h"
#include "bus/bus.h"
#include "crawl/crawl_int.h"
#include "crawl/watch/look_up.h"
#include "crawl/tell/wordbook.h"
#include "frontier/frontier.h"

#include <stdlib.h>

#define SOURCES_MOST  64 /* pages whose words are wanted */
#define SOURCES_TRIES 3  /* checkpoints: a page may not be committed yet */

struct source {
    uint32_t page;
    int tries;
};

struct nature {
    uint32_t *queue; /* agents to be described, the longest waiting first */
    size_t count, cap;
    struct url_set queued; /* their numbers */
    struct buf text;       /* room */
    struct source sources[SOURCES_MOST];
    size_t nsources;
};

/* An agent may take a term from a page that it sees again and whose text is not in memory. */
static void want_text(struct crawl *c, uint32_t page)
{
    struct nature *n = c->nature;

    for (size_t i = 0; i < n->nsources; i++)
        if (n->sources[i].page == page)
            return;
    if (page && n->nsources < SOURCES_MOST)
        n->sources[n->nsources++] = (struct source){.page = page};
}

static struct str word_of(void *engine, uint32_t term)
{
    struct crawl *c = engine;
    size_t before = wordbook_questions(c->wordbook);
    struct str word = wordbook_word(c->wordbook, term);

    if (wordbook_questions(c->wordbook) > before)
        want_text(c, look_up_lent(c));
    return word;
}

/* Also tell_calls.changed. */
static void changed(void *crawl, uint32_t agent)
{
    struct nature *n = ((struct crawl *)crawl)->nature;

    if (!url_set_add(&n->queued, agent))
        return;
    MEM_GROW(n->queue, n->count, &n->cap);
    n->queue[n->count++] = agent;
}

static void keep_text(void *engine, const char *name, struct str value)
{
    struct event e = {.kind = EVENT_KEY, .key = {str_of(name), value}};
    struct crawl *c = engine;

    e.at = c->now;
    bus_post(c->bus, &e);
}

void nature_begin(struct crawl *c)
{
    static const struct tell_calls tell = {.word = word_of, .changed = changed, .keep = keep_text};

    if (c->model->ops->tells == NULL)
        return;
    c->nature = MEM_NEW(struct nature);
    c->nature->text = BUF_INIT(LIMIT_TOLD);
    c->wordbook = wordbook_new(c->topic);
    c->model_ctx.tell = &tell;
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

/* Looks for the words behind terms on the pages that they were taken from; the newest first,
 * whose agents are most likely to be asked for. */
static void read_sources(struct crawl *c, int64_t until)
{
    struct nature *n = c->nature;
    size_t before = wordbook_questions(c->wordbook), left = 0;

    for (size_t i = n->nsources; i-- > 0 && clock_now() < until;) {
        struct source *s = &n->sources[i];
        struct arrival *a = look_up_whole(c, s->page);

        s->tries = a ? SOURCES_TRIES : s->tries + 1;
        if (a == NULL)
            continue;
        wordbook_open(c->wordbook, a->page, &a->profile);
        wordbook_close(c->wordbook);
        arrival_release(a);
    }
    for (size_t i = 0; i < n->nsources; i++)
        if (n->sources[i].tries < SOURCES_TRIES)
            n->sources[left++] = n->sources[i];
    n->nsources = left;
    if (wordbook_questions(c->wordbook) < before)
        nature_all_changed(c); /* agents with such a term were described without its word */
}

void nature_put(struct crawl *c, uint32_t agent, struct json *j)
{
    if (c->nature && agent_is_alive(c->population, agent))
        c->model->ops->tells->tell(c->model, agent, j);
}

static void keep(struct crawl *c, uint32_t agent)
{
    struct event e = {.kind = EVENT_TOLD, .at = c->now, .told = {.agent = agent}};
    struct buf *text = &c->nature->text;
    struct json j;

    buf_clear(text);
    json_begin(&j, text);
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
    if (n->nsources > 0)
        read_sources(c, all ? INT64_MAX : until);
    for (; at < n->count && (all || (told < NATURE_AT_ONCE && clock_now() < until)); at++) {
        url_set_remove(&n->queued, n->queue[at]);
        if (!agent_is_alive(c->population, n->queue[at])) /* it was described when it died */
            continue;
        keep(c, n->queue[at]);
        told++;
    }
    n->count -= at;
    if (n->count > 0)
        memmove(n->queue, n->queue + at, n->count * sizeof *n->queue);
}
