/* model.c - making a model with its options.
 * SPDX-License-Identifier: MIT */
#include "agent/model.h"

#include "base/mem.h"
#include "base/str.h"

#include <stdlib.h>

static const char *nth_option(const void *ctx, size_t i)
{
    return ctx ? ((const struct option *)ctx)[i].name : NULL;
}

/* `others`: options that every crawl has; NULL: not known here. */
static enum status no_option(const struct model_ops *ops, struct str name,
                             const struct option *others)
{
    const char *near = str_nearest(name, nth_option, ops->options);

    if (others && option_find(others, name))
        return status_fail(ST_USAGE,
                           "the model %s has no option '%.*s', but every crawl has: write --%.*s",
                           ops->name, STR_ARG(name), STR_ARG(name));
    if (near)
        return status_fail(ST_USAGE, "the model %s has no option '%.*s'; did you mean '%s'?",
                           ops->name, STR_ARG(name), near);
    return status_fail(ST_USAGE,
                       "the model %s has no option '%.*s' ('brood models %s --all' lists them)",
                       ops->name, STR_ARG(name), ops->name);
}

static enum status model_set(const struct model_ops *ops, void *options, struct str setting,
                             const struct option *others)
{
    struct str name, value = setting;
    const struct option *o;

    if (!str_cut(&value, '=', &name) || value.ptr == NULL)
        return status_fail(ST_USAGE, "--set %.*s: write key=value", STR_ARG(setting));
    o = option_find(ops->options, name);
    return o ? option_set(o, options, value) : no_option(ops, name, others);
}

void model_check(const struct model_ops *ops, const struct text_list *settings,
                 const struct option *others, struct mistakes *ret)
{
    void *options = mem_zero(1, ops->options_size);
    size_t before = ret->count;

    options_init(ops->options, options);
    for (size_t i = 0; i < settings->count; i++) {
        struct str rest = str_of(settings->items[i]), key = STR("");
        struct buf name = BUF_INIT(200);

        (void)str_cut(&rest, '=', &key);
        buf_addf(&name, "set.%.*s", STR_ARG(str_sub(key, 0, 100)));
        mistakes_note(ret, name.data, model_set(ops, options, str_of(settings->items[i]), others));
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
        st = model_set(ops, m->options, str_of(settings->items[i]), NULL);
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
    const struct model_returns *r = m->ops->returns;

    return r && (r->watches || r->repeats(m->options));
}

bool model_watches(const struct model_ops *ops)
{
    return ops->returns && ops->returns->watches;
}

double model_on_pages(const struct model *m)
{
    const struct model_walks *w = m->ops->walks;

    return w && w->on_pages ? w->on_pages(m) : 0;
}

void model_free(struct model *m)
{
    if (m == NULL)
        return;
    m->ops->finish(m);
    options_free(m->ops->options, m->options);
    free(m->options);
    free(m->state);
    free(m);
}
