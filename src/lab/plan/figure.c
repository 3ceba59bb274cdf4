/* figure.c - the figures of a plan, one by one. Checks that need the rest of the plan are in
 * check.c. SPDX-License-Identifier: MIT */
#include "lab/plan/plan_int.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

#define KEY(member, read) PLAN_KEY(struct plan_figure, member, read)

bool plan_axis(struct str name, enum quantity_kind *ret)
{
    static const struct {
        const char *name;
        enum quantity_kind kind;
    } axes[] = {{"pages", QUANTITY_PAGES}, {"share", QUANTITY_SHARE}, {"time", QUANTITY_TIME}};

    for (size_t i = 0; i < ARRAY_LEN(axes); i++)
        if (str_eq(name, str_of(axes[i].name))) {
            *ret = axes[i].kind;
            return true;
        }
    return false;
}

static enum status figure_x(struct plan_reader *r, const struct tree *t, void *into)
{
    TRY(plan_expect(r, t, TREE_TEXT, "what the axis counts", "pages, share or time"));
    if (!plan_axis(str_of(t->text), into))
        return plan_wrong(r, t->line, "x: '%s' will not do: write pages, share or time", t->text);
    return ST_OK;
}

static enum status figure_runs(struct plan_reader *r, const struct tree *t, void *into)
{
    double runs = 0;

    TRY(plan_number(r, t, &runs));
    if (!(runs >= 0 && runs <= PLAN_FIGURE_RUNS_MOST && runs == floor(runs)))
        return plan_wrong(r, t->line, "runs: '%s' will not do: a whole number up to %d", t->text,
                          PLAN_FIGURE_RUNS_MOST);
    *(uint32_t *)into = (uint32_t)runs;
    return ST_OK;
}

static const struct plan_key figure_keys[] = {
    KEY(id, plan_text),    KEY(says, plan_text),    KEY(source, plan_text), KEY(metric, plan_text),
    KEY(world, plan_text), KEY(models, plan_texts), KEY(x, figure_x),       KEY(to, plan_quantity),
    KEY(low, plan_number), KEY(high, plan_number),  KEY(runs, figure_runs), {NULL, NULL, 0},
};

/* Checks the figure by itself; plan_check() checks models and worlds. */
static enum status check_figure(struct plan_reader *r, const struct plan_figure *f)
{
    if (f->id == NULL || f->metric == NULL)
        return plan_wrong(r, f->line, "a figure needs an 'id' and a 'metric'");
    if (f->to.kind != QUANTITY_NONE && f->x != QUANTITY_NONE && f->to.kind != f->x)
        return plan_wrong(r, f->line, "the figure %s: 'to' is no quantity of its axis 'x'", f->id);
    if (f->low >= f->high)
        return plan_wrong(r, f->line, "the figure %s: 'low' must be below 'high'", f->id);
    for (const struct plan_figure *o = r->plan->figures; o < f; o++)
        if (strcmp(o->id, f->id) == 0)
            return plan_wrong(r, f->line, "there are two figures %s (the other in line %u)", f->id,
                              o->line);
    return ST_OK;
}

void plan_figure_init(struct plan_figure *f)
{
    *f = (struct plan_figure){.low = NAN, .high = NAN, .runs = PLAN_FIGURE_RUNS};
}

enum status plan_read_figures(struct plan_reader *r, const struct tree *t, void *plan)
{
    struct plan *p = plan;

    TRY(plan_expect(r, t, TREE_LIST, "a list of figures", "[{id: …, metric: …}]"));
    if (t->count == 0)
        return plan_wrong(r, t->line, "figures: the list is empty");
    p->figures = mem_zero(t->count, sizeof *p->figures);
    while (p->nfigures < t->count) {
        const struct tree *one = t->items[p->nfigures];
        struct plan_figure *f = &p->figures[p->nfigures++];

        plan_figure_init(f);
        f->line = one->line;
        TRY(plan_expect(r, one, TREE_MAP, "a figure", "{id: …, metric: …}"));
        TRY(plan_map(r, one, figure_keys, "a figure", f));
        TRY(check_figure(r, f));
    }
    return ST_OK;
}

void plan_figure_clear(struct plan_figure *f)
{
    free(f->id);
    free(f->says);
    free(f->source);
    free(f->metric);
    free(f->world);
    text_list_free(&f->models);
}
