/* oracle.c - reference crawlers, which know the truth.
 *
 * In: a page and its links. Out: the best link that waits.
 *
 *     oracle       score(link) = 1 if the page that has it is of the topic, else 0
 *     link-oracle  score(link) = 1 if the page it leads to is of the topic, else 0
 *
 * The truth is a world's label, which only the lab knows (ctx->truth); without
 * it they choose nothing. `oracle` is a reference, not a bound: a model that
 * can tell the good links of a page from the bad ones may be better.
 * `link-oracle` never wastes a visit as long as it knows a good link, but is
 * greedy: it does not dig for more.
 * SPDX-License-Identifier: MIT */

#include "agent/model.h"
#include "agent/greedy.h"

struct oracle_options {
    int parents;
    int64_t buffer;
};

#define AT(field) .offset = offsetof(struct oracle_options, field)

static const struct option oracle_option_table[] = {
    GREEDY_PARENTS(parents),
    GREEDY_BUFFER(buffer),
    {.name = NULL},
};

struct oracle {
    struct greedy greedy;
};

static struct oracle *oracle_of(struct model *m)
{
    const struct oracle_options *o = m->options;
    struct oracle *s = m->state;

    greedy_init(m, &s->greedy, o->buffer, o->parents);
    return s;
}

/* 1 if the page behind this URL is about the topic. */
static double truth(struct model *m, uint32_t url)
{
    return url && m->ctx->truth && m->ctx->truth(m->ctx->engine, url) ? 1 : 0;
}

static void oracle_begin(struct model *m, const uint32_t *urls, size_t count, const char *kind)
{
    struct oracle *s = oracle_of(m);

    if (m->ctx->truth == NULL)
        return;
    greedy_begin(m, &s->greedy, kind);
    for (size_t i = 0; i < count; i++)
        (void)greedy_add(m, &s->greedy, urls[i], 1.0);
}

static void oracle_start(struct model *m, const uint32_t *urls, size_t count)
{
    oracle_begin(m, urls, count, "oracle");
}

static void link_oracle_start(struct model *m, const uint32_t *urls, size_t count)
{
    oracle_begin(m, urls, count, "link-oracle");
}

static bool oracle_next(struct model *m, uint32_t host, struct choice *ret)
{
    return m->ctx->truth && greedy_take(&oracle_of(m)->greedy, host, ret, NULL);
}

static void follow(struct model *m, struct percept *p, bool by_target)
{
    struct oracle *s = oracle_of(m);
    double parent = by_target ? 0 : truth(m, p->choice.url);

    link_queue_page(&s->greedy.queue);
    for (uint32_t i = 0; i < p->body->nlinks; i++) {
        struct link_mark *mark = &p->marks[i];
        double score;

        if (!mark_is_open(mark))
            continue;
        score = by_target ? truth(m, mark->url) : parent;
        mark->score = (float)score;
        (void)greedy_add(m, &s->greedy, mark->url, score);
    }
    greedy_visited(m, &s->greedy, p);
}

static void oracle_perceive(struct model *m, struct percept *p)
{
    follow(m, p, false);
}

static void link_oracle_perceive(struct model *m, struct percept *p)
{
    follow(m, p, true);
}

static void oracle_failed(struct model *m, const struct choice *c, enum drop why)
{
    (void)m, (void)c, (void)why;
}

static void oracle_save(const struct model *m, struct buf *out)
{
    greedy_save(&((const struct oracle *)m->state)->greedy, out);
}

static enum status oracle_load(struct model *m, struct str state)
{
    struct cursor c = {.rest = state, .most = m->ctx->urls};

    return greedy_load(&oracle_of(m)->greedy, &c);
}

static void oracle_finish(struct model *m)
{
    greedy_clear(&((struct oracle *)m->state)->greedy);
}

#define ORACLE_COMMON                                                                       \
    .options = oracle_option_table, .options_size = sizeof(struct oracle_options),          \
    .state_size = sizeof(struct oracle), .lab_only = true, .late = &greedy_late,            \
    .next = oracle_next, .failed = oracle_failed, .save = oracle_save, .load = oracle_load, \
    .describe = greedy_describe_model, .finish = oracle_finish

const struct model_ops model_oracle = {
    .name = "oracle",
    .summary = "knows the right answers: links on pages about the topic come next",
    .advice = "To measure others: how well the topic's own pages point to more of it.",
    .common = "parents",
    .source = "ours: best-first on the parent's label",
    .start = oracle_start,
    .perceive = oracle_perceive,
    ORACLE_COMMON,
};

const struct model_ops model_link_oracle = {
    .name = "link-oracle",
    .summary = "knows the right answers: links that lead to pages about the topic come next",
    .advice = "To measure others: no crawler can do better.",
    .common = "parents",
    .source = "ours: best-first on the label of the target",
    .start = link_oracle_start,
    .perceive = link_oracle_perceive,
    ORACLE_COMMON,
};
