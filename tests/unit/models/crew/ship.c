/* ship.c - an engine for the crew. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "ship.h"
#include "models/models.h"

#include "base/mem.h"
#include "text/words/stem.h"
#include "text/topic.h"
#include "text/vocab.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void ignore(void *ctx, const struct event *e)
{
    (void)ctx, (void)e;
}

/* Facilitators are F1, F2 …, assistants A1 …, crawlers C1 …, in order of birth. */
static const char *short_name(const struct ship *s, uint32_t agent, char ret[16])
{
    const struct crew *st = ship_crew(s);

    for (uint32_t i = 0; i < st->ngroups; i++)
        if (st->groups[i].facilitator == agent)
            (void)snprintf(ret, 16, "F%u", i + 1);
    for (uint32_t i = 0; i < st->ndesks; i++) {
        if (st->desks[i].crawler == agent)
            (void)snprintf(ret, 16, "C%u", i + 1);
        if (st->desks[i].assistant == agent)
            (void)snprintf(ret, 16, "A%u", i + 1);
    }
    return ret;
}

static void post(void *engine, const struct message *msg)
{
    struct ship *s = engine;
    struct ship_letter l = {.msg = *msg};
    char from[16] = "?", to[16] = "?";

    l.performative = str_dup(msg->performative);
    l.content = str_dup(msg->content);
    l.msg.performative = str_of(l.performative);
    l.msg.content = str_of(l.content);
    MEM_GROW(s->post, s->nposted, &s->post_cap);
    s->post[s->nposted++] = l;
    buf_addf(&s->log, "%s %s> %s: %s\n", short_name(s, msg->sender, from), l.performative,
             short_name(s, msg->receiver, to), l.content);
}

static void dropped(void *engine, uint32_t url)
{
    assert_true(url > 0);
    ((struct ship *)engine)->dropped++;
}

static void keep(void *engine, const char *name, struct str value)
{
    buf_clear(&((struct ship *)engine)->kept);
    buf_addf(&((struct ship *)engine)->kept, "%s=%.*s\n", name, STR_ARG(value));
}

static void say(void *engine, const char *sentence)
{
    struct ship *s = engine;

    s->said++;
    (void)snprintf(s->words, sizeof s->words, "%s", sentence);
}

static struct str unknown(void *engine, uint32_t number)
{
    (void)engine, (void)number;
    return STR("");
}

static void changed(void *engine, uint32_t agent)
{
    (void)engine, (void)agent;
}

void ship_open(struct ship *s, const char *settings, uint32_t seeds)
{
    static const struct talk_calls talk = {.send = post, .say = say};
    struct str rest = str_of(settings), one;
    struct text_list list = {0};
    uint32_t urls[100];

    *s = (struct ship){.log = BUF_INIT(1 << 24), .kept = BUF_INIT(1 << 20)};
    assert_int_equal(topic_from_words(STR("bees"), STR("en"), &s->topic), ST_OK);
    s->ctx = (struct model_ctx){.engine = s,
                                .topic = s->topic,
                                .parallel = 1,
                                .now = SECOND,
                                .talk = &talk,
                                .tell = &s->tell,
                                .dropped = dropped};
    s->tell = (struct tell_calls){.word = unknown, .changed = changed, .keep = keep};
    s->ctx.population = population_new(ignore, NULL);
    text_list_add(&list, STR("wordnet=none"));
    while (str_cut(&rest, ' ', &one))
        text_list_add(&list, one);
    if (model_new(model_find(STR("crew")), &list, &s->ctx, &s->model) != ST_OK)
        fail_msg("%s", status_text());
    text_list_free(&list);
    for (uint32_t i = 0; i < seeds; i++)
        urls[i] = i + 1;
    s->model->ops->start(s->model, urls, seeds);
}

void ship_close(struct ship *s)
{
    while (s->nposted > 0)
        ship_lose(s, 0);
    free(s->post);
    model_free(s->model);
    population_free(s->ctx.population);
    topic_free(s->topic);
    buf_free(&s->log);
    buf_free(&s->kept);
}

static struct ship_letter take(struct ship *s, size_t i)
{
    struct ship_letter l = s->post[i];

    s->nposted--;
    memmove(&s->post[i], &s->post[i + 1], (s->nposted - i) * sizeof *s->post);
    return l;
}

void ship_deliver(struct ship *s, size_t i)
{
    struct ship_letter l = take(s, i);

    s->model->ops->talks->receive(s->model, &l.msg);
    free(l.performative);
    free(l.content);
}

void ship_lose(struct ship *s, size_t i)
{
    struct ship_letter l = take(s, i);

    free(l.performative);
    free(l.content);
}

size_t ship_find(const struct ship *s, const char *performative)
{
    for (size_t i = 0; i < s->nposted; i++)
        if (strcmp(s->post[i].performative, performative) == 0)
            return i;
    return SIZE_MAX;
}

void ship_turn(struct ship *s)
{
    for (size_t n = s->nposted; n > 0; n--)
        ship_deliver(s, 0);
    s->model->ops->talks->tick(s->model);
}

void ship_settle(struct ship *s)
{
    do
        ship_turn(s);
    while (s->nposted > 0);
}

void ship_pass(struct ship *s, int64_t us)
{
    s->ctx.now += us;
    ship_settle(s);
}

bool ship_next(struct ship *s, struct choice *ret)
{
    if (s->model->ops->next(s->model, 0, ret))
        return true;
    ship_settle(s);
    return s->model->ops->next(s->model, 0, ret);
}

/* ---- pages ----------------------------------------------------------------------- */

struct text {
    struct term terms[64];
    uint32_t sequence[64];
    uint64_t stops[1];
    uint32_t nterms, nsequence;
};

static uint32_t term_of(struct str word)
{
    struct stemmer *s = stemmer_new(64);
    bool stop;
    uint32_t id = term_id(stem_word(s, stem_lang(STR("en")), word, &stop));

    stemmer_free(s);
    return id;
}

static int by_id(const void *a, const void *b)
{
    const struct term *x = a, *y = b;

    return x->id < y->id ? -1 : x->id > y->id;
}

/* Words that count as the page's, each once. */
static void add_terms(struct text *t, const char *words)
{
    struct str rest = str_of(words), one;

    while (str_cut(&rest, ' ', &one))
        t->terms[t->nterms++] = (struct term){term_of(one), 1};
    qsort(t->terms, t->nterms, sizeof *t->terms, by_id);
}

static struct span add_anchor(struct text *t, const char *words)
{
    struct str rest = str_of(words), one;
    struct span span = {t->nsequence - 1, t->nsequence - 1};

    while (str_cut(&rest, ' ', &one)) {
        t->sequence[t->nsequence++] = term_of(one);
        span.to++;
    }
    return span;
}

void ship_page(struct ship *s, struct choice c, const char *words, const struct ship_link *links)
{
    struct text t = {.nsequence = 1};
    struct link list[SHIP_LINKS] = {0};
    struct link_mark marks[SHIP_LINKS] = {0};
    struct page page = {.links = list};
    struct profile profile = {.terms = t.terms, .sequence = t.sequence, .stops = t.stops};
    struct percept p = {.choice = c,
                        .page = ++s->pages,
                        .first = !c.refresh,
                        .body = &page,
                        .profile = &profile,
                        .marks = marks};

    add_terms(&t, words);
    for (uint32_t i = 0; links && links[i].to; i++) {
        list[i].anchor = add_anchor(&t, links[i].anchor);
        marks[i] = (struct link_mark){.url = links[i].to, .score = NAN, .is_new = true};
        page.nlinks++;
    }
    page.nwords = t.nsequence - 1;
    profile.nterms = profile.length = t.nterms;
    profile.nsequence = t.nsequence;
    s->model->ops->perceive(s->model, &p);
}

void ship_give(struct ship *s, uint32_t desk, uint32_t url, double score)
{
    link_found(s->model, ship_desk(s, desk), url, score);
}

void ship_reload(struct ship *s)
{
    struct buf saved = BUF_INIT(1 << 24), again = BUF_INIT(1 << 24);
    struct model *m = s->model;

    m->ops->save(m, &saved);
    m->ops->finish(m);
    memset(m->state, 0, m->ops->state_size);
    if (m->ops->load(m, buf_str(&saved)) != ST_OK)
        fail_msg("%s", status_text());
    m->ops->save(m, &again);
    assert_int_equal(again.len, saved.len);
    assert_memory_equal(again.data, saved.data, saved.len);
    buf_free(&saved);
    buf_free(&again);
}

void ship_give_all(struct ship *s, uint32_t desk, uint32_t from, uint32_t count, double score)
{
    for (uint32_t i = 0; i < count; i++)
        ship_give(s, desk, from + i, score);
}

bool ship_said(const struct ship *s, const char *line)
{
    return s->log.data && strstr(s->log.data, line) != NULL;
}

void ship_assert_said(const struct ship *s, const char *line)
{
    if (!ship_said(s, line))
        fail_msg("nobody said '%s' but\n%s", line, s->log.data ? s->log.data : "");
}
