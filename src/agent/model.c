/* model.c - the registry of models, and making one with its options.
 * SPDX-License-Identifier: MIT */
#include "agent/model.h"

#include "agent/models/models.h"
#include "base/mem.h"
#include "base/nearest.h"

#include <stdlib.h>

static const struct model_ops *const registry[] = {
    &model_breadth_first, &model_best_first, &model_fish,     &model_shark,       &model_pagerank,
    &model_classifier,    &model_endogenous, &model_balanced, &model_infospiders, &model_crew,
    &model_foragers,      &model_revisit,    &model_oracle,   &model_link_oracle, NULL,
};

const struct model_ops *const *model_registry(void)
{
    return registry;
}

const struct model_ops *model_find(struct str name)
{
    for (size_t i = 0; registry[i]; i++)
        if (str_eq(name, str_of(registry[i]->name)))
            return registry[i];
    return NULL;
}

static const char *nth_live(const void *ctx, size_t i)
{
    (void)ctx;
    return registry[i] && !registry[i]->lab_only ? registry[i]->name : NULL; /* they come last */
}

enum status model_need(struct str name, const struct model_ops **ret)
{
    const char *near;

    *ret = model_find(name);
    if (*ret)
        return ST_OK;
    near = nearest_name(name, nth_live, NULL);
    if (near)
        return status_fail(ST_USAGE, "there is no model '%.*s'; did you mean '%s'?",
                           STR_ARG(str_sub(name, 0, 100)), near);
    return status_fail(ST_USAGE, "there is no model '%.*s' ('brood models' lists them)",
                       STR_ARG(str_sub(name, 0, 100)));
}

static const char *nth_option(const void *ctx, size_t i)
{
    return ctx ? ((const struct option *)ctx)[i].name : NULL;
}

static enum status no_option(const struct model_ops *ops, struct str name)
{
    const char *near = nearest_name(name, nth_option, ops->options);

    if (near)
        return status_fail(ST_USAGE, "the model %s has no option '%.*s'; did you mean '%s'?",
                           ops->name, STR_ARG(name), near);
    return status_fail(ST_USAGE, "the model %s has no option '%.*s' ('brood models %s' lists them)",
                       ops->name, STR_ARG(name), ops->name);
}

static enum status model_set(const struct model_ops *ops, void *options, struct str setting)
{
    struct str name, value = setting;
    const struct option *o;

    if (!str_cut(&value, '=', &name) || value.ptr == NULL)
        return status_fail(ST_USAGE, "--set %.*s: write key=value", STR_ARG(setting));
    o = option_find(ops->options, name);
    return o ? option_set(o, options, value) : no_option(ops, name);
}

void model_check(const struct model_ops *ops, const struct text_list *settings,
                 struct mistakes *ret)
{
    void *options = mem_zero(1, ops->options_size);
    size_t before = ret->count;

    options_init(ops->options, options);
    for (size_t i = 0; i < settings->count; i++) {
        struct str rest = str_of(settings->items[i]), key = STR("");
        struct buf name = BUF_INIT(200);

        (void)str_cut(&rest, '=', &key);
        (void)buf_addf(&name, "set.%.*s", STR_ARG(str_sub(key, 0, 100)));
        mistakes_note(ret, name.data, model_set(ops, options, str_of(settings->items[i])));
        buf_free(&name);
    }
    if (ops->check && ret->count == before)
        mistakes_note(ret, "set", ops->check(options));
    options_free(ops->options, options);
    free(options);
}

enum status model_new(const struct model_ops *ops, const struct text_list *settings,
                      struct model_ctx *ctx, struct model **ret)
{
    struct model *m = MEM_NEW(struct model);
    enum status st = ST_OK;

    m->ops = ops;
    m->ctx = ctx;
    m->options = mem_zero(1, ops->options_size);
    m->state = mem_zero(1, ops->state_size);
    options_init(ops->options, m->options);
    for (size_t i = 0; st == ST_OK && i < settings->count; i++)
        st = model_set(ops, m->options, str_of(settings->items[i]));
    if (st == ST_OK && ops->check)
        st = ops->check(m->options);
    if (st == ST_OK)
        *ret = m;
    else
        model_free(m);
    return st;
}

bool model_refreshes(const struct model *m)
{
    return m->ops->revisits || (m->ops->repeats && m->ops->repeats(m->options));
}

void model_free(struct model *m)
{
    if (m == NULL)
        return;
    if (m->ops->finish)
        m->ops->finish(m);
    options_free(m->ops->options, m->options);
    free(m->options);
    free(m->state);
    free(m);
}
