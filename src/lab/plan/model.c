/* model.c - the models of a plan: sweeps are multiplied out, each variant
 * is checked against its model's table of options. SPDX-License-Identifier: MIT */
#include "lab/plan/plan_int.h"

#include "agent/model.h"
#include "models/models.h"
#include "base/limits.h"
#include "base/mem.h"

#include <stdlib.h>

/* What stands under one entry of `models`. */
struct model_entry {
    const struct model_ops *ops;
    const struct tree *set; /* may be NULL */
};

static enum status model_name(struct plan_reader *r, const struct tree *t, void *into)
{
    struct model_entry *e = into;
    LOCAL_BUF names = BUF_INIT(1000);

    TRY(plan_expect(r, t, TREE_TEXT, "the name of a model", "best-first"));
    e->ops = model_find(str_of(t->text));
    if (e->ops)
        return ST_OK;
    for (const struct model_ops *const *m = model_registry(); *m; m++)
        buf_addf(&names, "%s%s", names.len ? ", " : "", (*m)->name);
    return plan_wrong(r, t->line, "there is no model '%s'; there are: %s", t->text, names.data);
}

static enum status model_settings(struct plan_reader *r, const struct tree *t, void *into)
{
    ((struct model_entry *)into)->set = t;
    return plan_expect(r, t, TREE_MAP, "a mapping", "{n: [1, 256]}");
}

static const struct plan_key model_keys[] = {
    {"name", model_name, 0},
    {"set", model_settings, 0},
    {NULL, NULL, 0},
};

/* ---- one variant --------------------------------------------------------- */

/* The model's name, then what differs from the defaults, in the table's order. */
static char *label_of(const struct model_ops *ops, const void *options, const void *defaults)
{
    struct buf label = BUF_INIT(LIMIT_PLAN_FILE);

    buf_add_z(&label, ops->name);
    for (const struct option *o = ops->options; o && o->name; o++) {
        struct buf now = BUF_INIT(LIMIT_PLAN_FILE), then = BUF_INIT(LIMIT_PLAN_FILE);

        option_show(o, options, &now);
        option_show(o, defaults, &then);
        if (!str_eq(buf_str(&now), buf_str(&then)))
            buf_addf(&label, " %s=%.*s", o->name, STR_ARG(buf_str(&now)));
        buf_free(&now);
        buf_free(&then);
    }
    return buf_take(&label, NULL);
}

/* The value of the i-th setting in the variant, counted through like an odometer
 * whose last wheel turns fastest. */
static const struct tree *value_of(const struct tree *set, size_t i, size_t variant)
{
    const struct tree *t = set->items[i];

    for (size_t k = set->count - 1; k > i; k--)
        if (set->items[k]->kind == TREE_LIST)
            variant /= set->items[k]->count;
    return t->kind == TREE_LIST ? t->items[variant % t->count] : t;
}

static enum status set_values(struct plan_reader *r, const struct model_entry *e, size_t variant,
                              void *options, struct plan_model *m)
{
    enum status st = ST_OK;

    for (size_t i = 0; st == ST_OK && e->set && i < e->set->count; i++) {
        const struct tree *t = value_of(e->set, i, variant);
        const char *key = e->set->items[i]->key;
        struct buf pair = BUF_INIT(LIMIT_PLAN_FILE);

        st = plan_option(r, t, option_find(e->ops->options, str_of(key)), options);
        if (st == ST_OK) {
            buf_addf(&pair, "%s=%s", key, t->text);
            text_list_add(&m->settings, buf_str(&pair));
        }
        buf_free(&pair);
    }
    return st;
}

static enum status check_label(struct plan_reader *r, const struct plan_model *m)
{
    const struct plan *p = r->plan;

    for (const struct plan_model *o = p->models; o < m; o++)
        if (strcmp(o->label, m->label) == 0)
            return plan_wrong(r, m->line, "the model '%s' is here twice (first in line %u)",
                              m->label, o->line);
    return ST_OK;
}

static enum status add_variant(struct plan_reader *r, const struct model_entry *e, size_t variant,
                               unsigned line, size_t *cap)
{
    struct plan *p = r->plan;
    void *options = mem_zero(1, e->ops->options_size + 1);
    void *defaults = mem_zero(1, e->ops->options_size + 1);
    struct plan_model *m;
    enum status st;

    MEM_GROW(p->models, p->nmodels, cap);
    m = &p->models[p->nmodels++];
    *m = (struct plan_model){.name = str_dup(str_of(e->ops->name)), .line = line};
    options_init(e->ops->options, options);
    options_init(e->ops->options, defaults);
    st = set_values(r, e, variant, options, m);
    if (st == ST_OK && e->ops->check && e->ops->check(options) != ST_OK)
        st = status_prefix(ST_USAGE, "%s:%u", r->file, line);
    if (st == ST_OK)
        m->label = label_of(e->ops, options, defaults);
    if (st == ST_OK)
        st = check_label(r, m);
    options_free(e->ops->options, options);
    options_free(e->ops->options, defaults);
    free(options);
    free(defaults);
    return st;
}

/* ---- all of them --------------------------------------------------------- */

/* The keys are options of the model, lists have values; how many variants? */
static enum status count_variants(struct plan_reader *r, const struct model_entry *e, size_t *ret)
{
    LOCAL_BUF what = BUF_INIT(200);

    *ret = 1;
    buf_addf(&what, "the model %s", e->ops->name);
    for (size_t i = 0; e->set && i < e->set->count; i++) {
        const struct tree *t = e->set->items[i];

        if (option_find(e->ops->options, str_of(t->key)) == NULL)
            TRY(plan_options(r, &(struct tree){.items = (struct tree **)&t, .count = 1},
                             e->ops->options, what.data, NULL));
        else if (t->kind == TREE_LIST && t->count == 0)
            return plan_wrong(r, t->line, "%s: the list is empty", t->key);
        else if (t->kind == TREE_LIST && (*ret *= t->count) > LIMIT_PLAN_MODELS)
            return plan_wrong(r, t->line, "%s has more than %d variants", what.data,
                              LIMIT_PLAN_MODELS);
    }
    return ST_OK;
}

static enum status read_model(struct plan_reader *r, const struct tree *t, size_t *cap)
{
    struct model_entry e = {0};
    size_t variants = 0;
    enum status st;

    if (t->kind == TREE_TEXT)
        st = model_name(r, t, &e);
    else if ((st = plan_expect(r, t, TREE_MAP, "a model", "best-first or {name: …, set: {…}}")) ==
             ST_OK)
        st = plan_map(r, t, model_keys, "a model", &e);
    if (st == ST_OK && e.ops == NULL)
        st = plan_wrong(r, t->line, "a model needs a 'name'");
    if (st == ST_OK)
        st = count_variants(r, &e, &variants);
    if (st == ST_OK && r->plan->nmodels + variants > LIMIT_PLAN_MODELS)
        st = plan_wrong(r, t->line, "the plan has more than %d models", LIMIT_PLAN_MODELS);
    for (size_t v = 0; st == ST_OK && v < variants; v++)
        st = add_variant(r, &e, v, t->line, cap);
    return st;
}

enum status plan_read_models(struct plan_reader *r, const struct tree *t, void *plan)
{
    enum status st =
        plan_expect(r, t, TREE_LIST, "a list of models", "[breadth-first, best-first]");
    size_t cap = 0;

    (void)plan;
    if (st == ST_OK && t->count == 0)
        st = plan_wrong(r, t->line, "models: the list is empty");
    for (size_t i = 0; st == ST_OK && i < t->count; i++)
        st = read_model(r, t->items[i], &cap);
    return st;
}
