/* model.c - the registry of models, and making one with its options.
 * SPDX-License-Identifier: MIT */
#include "agent/model.h"

#include "agent/models/models.h"
#include "base/mem.h"

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

static enum status model_set(struct model *m, struct str setting)
{
    struct str name, value = setting;
    const struct option *o;

    if (!str_cut(&value, '=', &name) || value.ptr == NULL)
        return status_fail(ST_USAGE, "--set %.*s: write key=value", STR_ARG(setting));
    o = option_find(m->ops->options, name);
    if (o == NULL)
        return status_fail(ST_USAGE,
                           "the model %s has no option '%.*s' ('brood models %s' lists them)",
                           m->ops->name, STR_ARG(name), m->ops->name);
    return option_set(o, m->options, value);
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
        st = model_set(m, str_of(settings->items[i]));
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
