/* ground.c - see ground.h. SPDX-License-Identifier: MIT */
#include "ground.h"
#include "models/models.h"

#include <math.h>
#include <stdio.h>

struct ground g;

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
    g.model->ops->talks->receive(g.model, msg);
}

static void say(void *engine, const char *sentence)
{
    (void)engine, (void)sentence;
}

struct model *ground_model(const char *settings)
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

struct population *ground_population(void)
{
    return population_new(hear, NULL);
}

void ground_open(const char *settings, uint32_t seed)
{
    static const struct talk_calls talk = {.send = deliver, .say = say};

    g = (struct ground){0};
    g.ctx = (struct model_ctx){.engine = &g, .parallel = 16, .now = 100 * DAY, .talk = &talk};
    rng_init(&g.ctx.rng, 1);
    g.ctx.population = ground_population();
    g.model = ground_model(settings);
    g.model->ops->start(g.model, &seed, 1);
}

void ground_close(void)
{
    model_free(g.model);
    population_free(g.ctx.population);
}

bool ask(struct choice *c)
{
    return g.model->ops->next(g.model, 0, c);
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

void answer(struct choice c)
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

const char *visits(int n)
{
    static struct buf text = BUF_INIT(1 << 16);
    struct choice c;

    buf_clear(&text);
    for (int i = 0; i < n; i++) {
        g.model->ops->talks->tick(g.model);
        if (!ask(&c)) {
            buf_add_z(&text, i ? " -" : "-");
            break;
        }
        assert_true(c.refresh);
        buf_addf(&text, "%s%u", i ? " " : "", c.url);
        answer(c);
    }
    return text.data;
}

struct forager *forager(uint32_t id)
{
    struct forager *f = forager_find(g.model, id);

    assert_non_null(f);
    return f;
}
