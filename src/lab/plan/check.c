/* check.c - the checks that need the whole plan: do its parts fit together?
 * SPDX-License-Identifier: MIT */
#include "lab/plan/plan_int.h"

#include "agent/model.h"
#include "models/models.h"
#include "base/limits.h"
#include "base/mem.h"
#include "lab/run/metric.h"

/* Returns the line of a key, or the first line of the plan if it is missing. */
static unsigned line_of(const struct plan_reader *r, const char *key)
{
    const struct tree *t = tree_get(r->root, key);

    return t ? t->key_line : r->root->line;
}

static enum status check_given(struct plan_reader *r)
{
    static const struct {
        const char *key, *write;
    } needed[] = {
        {"worlds", "worlds: [DIR], or [{make: {kind: topical, pages: 20000}}]"},
        {"topics", "topics: labels, or [solar energy, heat pumps]"},
        {"models", "models: [breadth-first, best-first]"},
    };

    for (size_t i = 0; i < ARRAY_LEN(needed); i++)
        if (tree_get(r->root, needed[i].key) == NULL)
            return plan_wrong(r, r->root->line, "the plan has no '%s'; write %s", needed[i].key,
                              needed[i].write);
    if (r->plan->pages.kind == QUANTITY_NONE && r->plan->time.kind == QUANTITY_NONE)
        return plan_wrong(r, r->root->line,
                          "the plan has no budget; write pages: 20%% (or 1500), or time: 60m");
    return ST_OK;
}

/* Sets ten positive and forty negative pages if a model learns from examples. */
static void default_examples(struct plan_reader *r)
{
    struct plan *p = r->plan;

    if (tree_get(r->root, "examples"))
        return;
    for (size_t i = 0; i < p->nmodels; i++)
        if (model_find(str_of(p->models[i].name))->learns) {
            p->positive = 10;
            p->negative = 40;
        }
}

static enum status check_topics(struct plan_reader *r)
{
    const struct plan *p = r->plan;
    uint32_t given = p->positive + (p->seed_rule == SEEDS_DISTANCE ? 0 : p->seed_count);

    if (p->label_topics && p->label_min <= given)
        return plan_wrong(
            r, line_of(r, "topics"),
            "a label with %u pages is left without one to find: %u are given as seeds "
            "and examples; write {labels: {min: %u}} or more",
            p->label_min, given, given + 1);
    return ST_OK;
}

/* ---- places -------------------------------------------------------------- */

static bool is_beyond(struct quantity at, struct quantity budget)
{
    return at.kind == budget.kind && at.value > budget.value;
}

static enum status check_place(struct plan_reader *r, unsigned line, const char *what,
                               struct quantity q)
{
    const struct plan *p = r->plan;
    LOCAL_BUF at = BUF_INIT(100), end = BUF_INIT(100);
    enum status st = ST_OK;

    if (is_beyond(q, p->pages) || is_beyond(q, p->time)) {
        quantity_show(q, &at);
        quantity_show(q.kind == QUANTITY_TIME ? p->time : p->pages, &end);
        st = plan_wrong(r, line, "%s: %s is beyond the budget, which is %s", what, at.data,
                        end.data);
    }
    return st;
}

/* A place before the first sample has no figures. */
static enum status check_sampled(struct plan_reader *r, unsigned line, struct quantity at)
{
    struct quantity step = r->plan->sample;

    if (at.kind == step.kind && at.value < step.value)
        return plan_wrong(r, line, "at: this is before the first sample; make 'sample' finer");
    return ST_OK;
}

/* A run keeps LIMIT_RUN_POINTS points: a place after the last one would get an old value. */
static enum status check_points(struct plan_reader *r)
{
    const struct plan *p = r->plan;
    struct quantity most = p->sample.kind == QUANTITY_TIME ? p->time : p->pages;

    if (p->sample.kind == QUANTITY_SHARE && most.kind != QUANTITY_SHARE)
        most = (struct quantity){QUANTITY_SHARE, 1};
    if (most.kind == p->sample.kind && most.value / p->sample.value > LIMIT_RUN_POINTS)
        return plan_wrong(r, line_of(r, "sample"),
                          "sample: more than %d points along one crawl; make it coarser",
                          LIMIT_RUN_POINTS);
    return ST_OK;
}

static enum status check_places(struct plan_reader *r)
{
    struct plan *p = r->plan;
    const struct tree *t = tree_get(r->root, "at");

    for (size_t i = 0; i < p->nat; i++) {
        unsigned line = t->kind == TREE_LIST ? t->items[i]->line : t->line;

        TRY(check_place(r, line, "at", p->at[i]));
        TRY(check_sampled(r, line, p->at[i]));
    }
    TRY(check_place(r, line_of(r, "sample"), "sample", p->sample));
    TRY(check_points(r));
    if (p->nat > 0)
        return ST_OK;
    p->at = mem_zero(1, sizeof *p->at); /* the end */
    p->at[p->nat++] = p->pages.kind == QUANTITY_NONE ? p->time : p->pages;
    return ST_OK;
}

/* A hundred points along the budget. */
static void default_sample(struct plan *p)
{
    if (p->sample.kind != QUANTITY_NONE)
        return;
    p->sample = p->pages.kind == QUANTITY_NONE ? p->time : p->pages;
    if (p->sample.kind == QUANTITY_SHARE)
        p->sample.value = 0.01;
    else if (p->sample.kind == QUANTITY_PAGES && p->sample.value >= 200)
        p->sample.value = (double)(uint64_t)(p->sample.value / 100);
    else if (p->sample.kind == QUANTITY_PAGES)
        p->sample.value = 1;
    else
        p->sample.value = (double)(uint64_t)(p->sample.value / 100 + 1);
}

/* ---- metrics, claims, figures -------------------------------------------------- */

static enum status unknown_metric(struct plan_reader *r, unsigned line, const char *name)
{
    LOCAL_BUF names = BUF_INIT(1000);

    for (const struct metric *m = metric_table; m->name; m++)
        buf_addf(&names, "%s%s", names.len ? ", " : "", m->name);
    return plan_wrong(r, line, "there is no metric '%s'; there are: %s", name, names.data);
}

static enum status check_metric(struct plan_reader *r, unsigned line, const char *name)
{
    int m = metric_find(str_of(name));

    if (m < 0)
        return unknown_metric(r, line, name);
    if (metric_table[m].needs_labels && !r->plan->label_topics)
        return plan_wrong(r, line, "the metric '%s' needs labels; write 'topics: labels'", name);
    return ST_OK;
}

static enum status check_metrics(struct plan_reader *r)
{
    const struct text_list *l = &r->plan->metrics;
    const struct tree *t = tree_get(r->root, "metrics");

    for (size_t i = 0; i < l->count; i++) {
        unsigned line = t->kind == TREE_LIST ? t->items[i]->line : t->line;

        TRY(check_metric(r, line, l->items[i]));
        for (size_t k = 0; k < i; k++)
            if (strcmp(l->items[i], l->items[k]) == 0)
                return plan_wrong(r, line, "the metric '%s' is here twice", l->items[i]);
    }
    return ST_OK;
}

static bool is_measured(const struct plan *p, const char *metric)
{
    for (size_t i = 0; i < p->metrics.count; i++)
        if (strcmp(p->metrics.items[i], metric) == 0)
            return true;
    return p->metrics.count == 0;
}

/* A part of the plan that refers to models and worlds, which must be in the plan; `what` is "claim"
 * or "figure". */
struct plan_part {
    const char *what, *id;
    unsigned line;
};

static enum status check_label(struct plan_reader *r, struct plan_part part, const char *label)
{
    const struct plan *p = r->plan;
    LOCAL_BUF labels = BUF_INIT(1000);

    for (size_t i = 0; i < p->nmodels; i++)
        if (label == NULL || strcmp(p->models[i].label, label) == 0)
            return ST_OK;
    for (size_t i = 0; i < p->nmodels; i++)
        buf_addf(&labels, "%s'%s'", labels.len ? ", " : "", p->models[i].label);
    return plan_wrong(r, part.line,
                      "the %s %s is about '%s', which the plan does not have; it has: "
                      "%.*s",
                      part.what, part.id, label, STR_ARG(buf_str(&labels)));
}

static enum status check_world(struct plan_reader *r, struct plan_part part, const char *world)
{
    const struct plan *p = r->plan;
    LOCAL_BUF names = BUF_INIT(1000);

    for (size_t i = 0; i < p->nworlds; i++)
        if (world == NULL || strcmp(p->worlds[i].name, world) == 0)
            return ST_OK;
    for (size_t i = 0; i < p->nworlds; i++)
        buf_addf(&names, "%s'%s'", names.len ? ", " : "", p->worlds[i].name);
    return plan_wrong(r, part.line, "the %s %s is about the world '%s'; there are: %.*s", part.what,
                      part.id, world, STR_ARG(buf_str(&names)));
}

static enum status check_part(struct plan_reader *r, struct plan_part part, const char *metric,
                              const char *world)
{
    TRY(check_metric(r, part.line, metric));
    if (!is_measured(r->plan, metric))
        return plan_wrong(r, part.line,
                          "the %s %s needs '%s', which is not among the plan's metrics", part.what,
                          part.id, metric);
    return check_world(r, part, world);
}

static enum status check_claim(struct plan_reader *r, struct plan_claim *c)
{
    const struct plan *p = r->plan;
    struct plan_part part = {"claim", c->id, c->line};
    enum status st = check_part(r, part, c->metric, c->world);

    if (st == ST_OK)
        st = check_label(r, part, c->better);
    if (st == ST_OK)
        st = check_label(r, part, c->than);
    if (st == ST_OK && c->than && strcmp(c->than, c->better) == 0)
        st = plan_wrong(r, c->line, "the claim %s compares '%s' with itself", c->id, c->than);
    if (c->at.kind == QUANTITY_NONE)
        c->at = p->at[p->nat - 1];
    if (st == ST_OK)
        st = check_place(r, c->line, "at", c->at);
    return st == ST_OK ? check_sampled(r, c->line, c->at) : st;
}

static enum status check_figure(struct plan_reader *r, const struct plan_figure *f)
{
    struct plan_part part = {"figure", f->id, f->line};
    enum status st = check_part(r, part, f->metric, f->world);

    for (size_t i = 0; st == ST_OK && i < f->models.count; i++)
        st = check_label(r, part, f->models.items[i]);
    return st;
}

enum status plan_check(struct plan_reader *r)
{
    struct plan *p = r->plan;

    TRY(check_given(r));
    default_examples(r);
    TRY(check_topics(r));
    default_sample(p);
    TRY(check_places(r));
    TRY(check_metrics(r));
    for (size_t i = 0; i < p->nclaims; i++)
        TRY(check_claim(r, &p->claims[i]));
    for (size_t i = 0; i < p->nfigures; i++)
        TRY(check_figure(r, &p->figures[i]));
    return ST_OK;
}
