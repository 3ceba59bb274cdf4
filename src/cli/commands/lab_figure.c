/* lab_figure.c - brood lab figure: results drawn as SVG.
 * SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "base/os/file.h"
#include "cli/commands/commands.h"
#include "lab/report/report.h"

struct figure_options {
    char *out, *figure, *results, *metric, *world, *x, *title;
    struct text_list models;
    uint32_t runs;
};

#define AT(field) .offset = offsetof(struct figure_options, field)

static const struct option figure_option_table[] = {
    {TEXT_OPTION("out", out, "FILE"), .letter = 'o',
     .help = "where the SVG goes; standard output by default"},
    {TEXT_OPTION("figure", figure, "ID"), .letter = 'f',
     .help = "one of the plan's figures; the first one by default"},
    {TEXT_OPTION("results", results, "DIR"),
     .help = "with a plan: where its results are; results/NAME by default"},
    {TEXT_OPTION("metric", metric, "NAME"),
     .help = "draw this metric instead of a figure of the plan"},
    {TEXT_OPTION("world", world, "NAME"),
     .help = "draw only this world; by default a panel for each"},
    {LIST_OPTION("model", models, "LABEL"),
     .help = "draw these models, named by their labels; by default all"},
    {TEXT_OPTION("x", x, "AXIS"),
     .help = "what the axis counts: pages, share (of the reachable pages) or time; by default as "
             "sampled"},
    {U32_OPTION("runs", runs, "N", "5", 0, PLAN_FIGURE_RUNS_MOST),
     .help = "with --metric: how many single runs of each model are drawn"},
    {TEXT_OPTION("title", title, "TEXT"), .help = "with --metric: the title above the figure"},
    {.name = NULL},
};

static const struct plan_figure *figure_find(const struct plan *p, const char *id)
{
    for (size_t i = 0; i < p->nfigures; i++)
        if (id == NULL || strcmp(p->figures[i].id, id) == 0)
            return &p->figures[i];
    return NULL;
}

static enum status no_figure(const struct plan *p, const char *id)
{
    LOCAL_BUF ids = BUF_INIT(4096);

    for (size_t i = 0; i < p->nfigures; i++)
        buf_addf(&ids, "%s%s", ids.len ? ", " : "", p->figures[i].id);
    if (ids.len == 0)
        return status_fail(ST_USAGE, "the plan %s has no figures; name a metric: --metric recall",
                           p->name);
    return status_fail(ST_USAGE, "the plan %s has no figure '%s'; there are: %.*s", p->name, id,
                       STR_ARG(buf_str(&ids)));
}

/* What the options name; it borrows their texts. */
static enum status draw_metric(const struct results *r, const struct figure_options *o,
                               struct buf *out)
{
    struct plan_figure f;

    plan_figure_init(&f);
    f.metric = o->metric;
    f.world = o->world;
    f.models = o->models;
    f.says = o->title;
    f.runs = o->runs;
    if (o->x && !plan_axis(str_of(o->x), &f.x))
        return status_fail(ST_USAGE, "--x %s: there are pages, share and time", o->x);
    return report_figure(r, &f, out);
}

static enum status draw(const struct results *r, const struct plan *p,
                        const struct figure_options *o, struct buf *out)
{
    const struct plan_figure *f;

    if (o->metric)
        return draw_metric(r, o, out);
    if (o->world || o->models.count || o->x || o->title)
        return status_fail(ST_USAGE, "--world, --model, --x and --title need --metric: the plan "
                                     "says what its own figures show");
    f = figure_find(p, o->figure);
    return f ? report_figure(r, f, out) : no_figure(p, o->figure);
}

/* A plan's figures may be newer than those kept with its results. */
static enum status load(const char *path, const char *results, struct plan **ret_plan,
                        struct results **ret)
{
    LOCAL_BUF dir = BUF_INIT(8192);

    if (!str_ends(str_of(path), STR(".plan")))
        return results_load(path, ret);
    TRY(plan_load(path, ret_plan));
    if (results)
        buf_add_z(&dir, results);
    else
        buf_addf(&dir, "results/%s", (*ret_plan)->name);
    return results_load(dir.data, ret);
}

static int figure_command(struct invocation *in)
{
    const struct figure_options *o = in->options;
    struct buf out = BUF_INIT(LIMIT_REPORT);
    struct results *r = NULL;
    struct plan *p = NULL;
    enum status st = load(in->args.items[0], o->results, &p, &r);
    int code;

    if (st == ST_OK)
        st = draw(r, p ? p : r->plan, o, &out);
    if (st == ST_OK && o->out)
        st = file_write(o->out, buf_str(&out));
    code = st != ST_OK ? report_failure(st) : o->out ? EXIT_DONE : report_out(&out);
    if (st != ST_OK || o->out)
        buf_free(&out);
    results_free(r);
    plan_free(p);
    return code;
}

const struct command command_lab_figure = {
    .name = "lab figure",
    TAKES("PLAN|DIR", 1, 1),
    .summary = "draw a metric over the course of the crawls of an experiment, as SVG",
    .details = "DIR is what 'brood lab run' made; with a PLAN it is results/NAME. A plan names its "
               "figures under 'figures:' (docs/lab.md); --metric draws any metric. A thick line is "
               "the mean over topics with its 95 % band, thin lines are single runs. A line ends "
               "where its crawl ended. The same results give the same bytes.",
    .example = "brood lab figure experiments/e1.plan -o e1.svg\n"
               "  brood lab figure results/baselines --metric recall --x pages -o recall.svg",
    OPTIONS(figure_option_table, struct figure_options),
    .run = figure_command,
};
