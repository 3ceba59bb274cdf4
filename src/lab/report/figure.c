/* figure.c - a figure of a plan as SVG: a panel a world, the mean of each model with its band,
 * some single runs, a legend. Same results, same bytes. SPDX-License-Identifier: MIT */
#include "lab/report/report_int.h"

#include "base/mem.h"
#include "lab/report/svg.h"

#include <math.h>
#include <stdlib.h>

#define PANEL_WIDTH  460
#define PANEL_HEIGHT 310
#define PANELS_A_ROW 2
#define TITLE        34 /* pixels above the panels */
#define LEGEND_ROW   18
#define EARLY        0.98 /* of its budget */
#define RUN_POINTS   160  /* of a single run; more cannot be told apart on a panel */
#define BANDS        5    /* models; the intervals of more hide each other */
#define LABEL_LEFT   100
#define LETTER       6.9 /* pixels; what a letter of the legend needs at most, on average */

/* Okabe and Ito's colours, which colour-blind readers can distinguish; then the same, dashed. */
static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                      "#e69f00", "#56b4e9", "#222222", "#8c6bb1"};
static const char *const dashes[] = {NULL, "7 3", "2 3", "9 3 2 3"};

struct figure {
    const struct results *r;
    const struct plan_figure *spec;
    int metric;
    enum quantity_kind x;
    double scale; /* values of the axis are multiplied by it: days, per cent */
    const char *x_name;
    uint32_t *models; /* numbers of those that are drawn */
    size_t nmodels;
    uint32_t *worlds;
    size_t nworlds;
    struct buf *out;
};

/* ---- what the figure names ---- */

static enum status find_metric(struct figure *f)
{
    LOCAL_BUF names = BUF_INIT(4096);

    for (size_t i = 0; i < f->r->nmetrics; i++) {
        if (strcmp(f->r->metrics[i], f->spec->metric) == 0) {
            f->metric = (int)i;
            return ST_OK;
        }
        buf_addf(&names, "%s%s", names.len ? ", " : "", f->r->metrics[i]);
    }
    return status_fail(ST_USAGE, "'%s' was not measured; there are: %.*s", f->spec->metric,
                       STR_ARG(buf_str(&names)));
}

static enum status find_worlds(struct figure *f)
{
    const struct plan *p = f->r->plan;

    f->worlds = mem_zero(p->nworlds + 1, sizeof *f->worlds);
    for (uint32_t w = 0; w < p->nworlds; w++)
        if (f->spec->world ? strcmp(f->spec->world, p->worlds[w].name) == 0
                           : report_applies(f->r, w, f->metric))
            f->worlds[f->nworlds++] = w;
    if (f->nworlds > 0)
        return ST_OK;
    return f->spec->world ? status_fail(ST_USAGE, "the results have no world '%s'", f->spec->world)
                          : status_fail(ST_USAGE, "no run has a value of '%s'", f->spec->metric);
}

static enum status find_models(struct figure *f)
{
    const struct text_list *wanted = &f->spec->models;
    const struct plan *p = f->r->plan;

    f->models = mem_zero((wanted->count ? wanted->count : p->nmodels) + 1, sizeof *f->models);
    for (uint32_t m = 0; wanted->count == 0 && m < p->nmodels; m++)
        f->models[f->nmodels++] = m;
    for (size_t i = 0; i < wanted->count; i++) {
        uint32_t m = 0;

        while (m < p->nmodels && strcmp(p->models[m].label, wanted->items[i]) != 0)
            m++;
        if (m == p->nmodels)
            return status_fail(ST_USAGE, "the results have no model '%s'", wanted->items[i]);
        f->models[f->nmodels++] = m;
    }
    return ST_OK;
}

/* ---- axes ---- */

/* The furthest that any run goes, in pages, a share or seconds. */
static double last_x(const struct figure *f, uint32_t world)
{
    double last = 0;

    for (size_t i = 0; i < f->r->nruns; i++)
        if (f->r->runs[i].world == world)
            last = fmax(last, curve_end(f->r, &f->r->runs[i], f->x));
    return last;
}

static double end_of(const struct figure *f, uint32_t world)
{
    struct quantity to = f->spec->to;

    if (to.kind == QUANTITY_NONE)
        return last_x(f, world);
    return to.kind == QUANTITY_TIME ? to.value / 1e6 : to.value;
}

static enum status choose_axis(struct figure *f)
{
    static const struct {
        double from, size;
        const char *name;
    } units[] = {{2 * 86400, 86400, "days"},
                 {2 * 3600, 3600, "hours"},
                 {120, 60, "minutes"},
                 {0, 1, "seconds"}};
    size_t u = 0;

    f->x = f->spec->x ? f->spec->x : f->spec->to.kind ? f->spec->to.kind : f->r->plan->sample.kind;
    f->scale = f->x == QUANTITY_SHARE ? 100 : 1;
    f->x_name = f->x == QUANTITY_SHARE ? "% of the pages that can be reached" : "pages";
    if (f->spec->to.kind != QUANTITY_NONE && f->spec->to.kind != f->x)
        return status_fail(ST_USAGE, "the end of the axis is no quantity of it");
    if (f->x != QUANTITY_TIME)
        return ST_OK;
    while (end_of(f, f->worlds[0]) < units[u].from)
        u++;
    f->scale = 1 / units[u].size;
    f->x_name = units[u].name;
    return ST_OK;
}

/* ---- one panel ---- */

struct panel {
    const struct figure *f;
    uint32_t world;
    struct curves curves; /* x in the figure's unit */
    struct svg_plot plot;
};

/* A run as drawn: few points, in the figure's unit. */
struct run_line {
    double x[RUN_POINTS + 1], y[RUN_POINTS + 1];
    size_t n;
};

static void run_line_make(const struct figure *f, const struct result_run *run,
                          struct run_line *ret)
{
    size_t n = run->npoints < RUN_POINTS ? run->npoints : RUN_POINTS;

    ret->n = n;
    for (size_t i = 0; i < n; i++) {
        size_t k = n > 1 ? i * (run->npoints - 1) / (n - 1) : 0;

        ret->x[i] = curve_x(f->r, run, k, f->x) * f->scale;
        ret->y[i] = run->values[k * f->r->nmetrics + (size_t)f->metric];
    }
}

static size_t count_runs(const struct figure *f, uint32_t world, uint32_t model)
{
    size_t n = 0;

    for (size_t i = 0; i < f->r->nruns; i++)
        n += f->r->runs[i].world == world && f->r->runs[i].model == model;
    return n;
}

/* Calls fn for the runs that are drawn: spec->runs of them, evenly spread. */
static void each_run(struct panel *p, uint32_t model,
                     void (*fn)(struct panel *, const struct result_run *, const char *colour),
                     const char *colour)
{
    const struct figure *f = p->f;
    size_t n = count_runs(f, p->world, model), wanted = f->spec->runs, seen = 0, drawn = 0;

    wanted = wanted < n ? wanted : n;
    for (size_t i = 0; i < f->r->nruns && drawn < wanted; i++) {
        const struct result_run *run = &f->r->runs[i];

        if (run->world != p->world || run->model != model)
            continue;
        if (seen++ == drawn * n / wanted) {
            fn(p, run, colour);
            drawn++;
        }
    }
}

static void widen(struct panel *p, const double *x, const double *y, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (isfinite(y[i]) && x[i] <= p->plot.x1) {
            p->plot.y0 = fmin(p->plot.y0, y[i]);
            p->plot.y1 = fmax(p->plot.y1, y[i]);
        }
}

static void widen_by_run(struct panel *p, const struct result_run *run, const char *colour)
{
    struct run_line line;

    (void)colour;
    run_line_make(p->f, run, &line);
    widen(p, line.x, line.y, line.n);
}

/* Chooses the range of the axis: from 0, or lower if there are negative values, up to a tick above
 * all values. */
static void choose_range(struct panel *p)
{
    const struct figure *f = p->f;
    const struct curves *c = &p->curves;

    p->plot.x1 = end_of(f, p->world) * f->scale;
    for (size_t i = 0; i < f->nmodels; i++) {
        widen(p, c->x, c->mean + f->models[i] * c->npoints, c->npoints);
        each_run(p, f->models[i], widen_by_run, NULL);
    }
    p->plot.y1 = svg_above(p->plot.y0, p->plot.y1);
    if (!isnan(f->spec->low))
        p->plot.y0 = f->spec->low;
    if (!isnan(f->spec->high))
        p->plot.y1 = f->spec->high;
    if (!(p->plot.y1 > p->plot.y0))
        p->plot.y1 = p->plot.y0 + 1;
    if (!(p->plot.x1 > 0))
        p->plot.x1 = 1;
}

/* Neither budget was spent: the agents died out, or nothing was left to visit. */
static bool ended_early(const struct results *r, const struct result_run *run)
{
    const struct plan *p = r->plan;

    return (p->pages.kind == QUANTITY_NONE ||
            (double)run->pages < EARLY * (double)quantity_pages(p->pages, 1, run->reachable)) &&
           (p->time.kind == QUANTITY_NONE || run->seconds < EARLY * p->time.value / 1e6);
}

static void draw_run(struct panel *p, const struct result_run *run, const char *colour)
{
    const struct figure *f = p->f;
    struct run_line line;
    size_t last = 0;

    run_line_make(f, run, &line);
    svg_line(
        f->out, &p->plot,
        &(struct svg_line){.x = line.x, .y = line.y, .n = line.n, .colour = colour, .thin = true});
    for (size_t i = 0; i < line.n; i++)
        last = isfinite(line.y[i]) ? i : last;
    if (line.n > 0 && isfinite(line.y[last]) && ended_early(f->r, run))
        svg_cross(f->out, &p->plot, line.x[last], line.y[last], colour);
}

static const char *colour_of(size_t i)
{
    return colours[i % ARRAY_LEN(colours)];
}

static const char *dash_of(size_t i)
{
    return dashes[i / ARRAY_LEN(colours) % ARRAY_LEN(dashes)];
}

static void draw_mean(const struct panel *p, size_t i)
{
    const struct figure *f = p->f;
    size_t from = f->models[i] * p->curves.npoints;

    svg_line(f->out, &p->plot,
             &(struct svg_line){.x = p->curves.x,
                                .y = p->curves.mean + from,
                                .half = f->nmodels <= BANDS ? p->curves.half + from : NULL,
                                .n = p->curves.npoints,
                                .colour = colour_of(i),
                                .dash = dash_of(i)});
}

static void draw_panel(const struct figure *f, size_t number)
{
    struct panel p = {.f = f, .world = f->worlds[number]};
    const struct result_world *w = &f->r->worlds[p.world];
    LOCAL_BUF name = BUF_INIT(4096);

    p.plot = (struct svg_plot){.left = (double)(number % PANELS_A_ROW) * PANEL_WIDTH + 64,
                               .top = TITLE + (double)(number / PANELS_A_ROW) * PANEL_HEIGHT + 24,
                               .width = PANEL_WIDTH - 84,
                               .height = PANEL_HEIGHT - 72,
                               .number = (unsigned)number};
    curves_make(f->r, p.world, f->metric, f->x, &p.curves);
    for (size_t k = 0; k < p.curves.npoints; k++)
        p.curves.x[k] *= f->scale;
    choose_range(&p);
    buf_addf(&name, "%s: %u pages, %zu topics", f->r->plan->worlds[p.world].name, w->pages,
             w->ntopics);
    svg_text(f->out, p.plot.left, p.plot.top - 8, SVG_START, 12, name.data);
    svg_axes(f->out, &p.plot, f->x_name, f->spec->metric);
    for (size_t i = 0; i < f->nmodels; i++)
        each_run(&p, f->models[i], draw_run, colour_of(i));
    for (size_t i = 0; i < f->nmodels; i++)
        draw_mean(&p, i);
    curves_free(&p.curves);
}

/* ---- the whole ---- */

static double width_of(const struct figure *f)
{
    double width = PANEL_WIDTH * (double)(f->nworlds < PANELS_A_ROW ? f->nworlds : PANELS_A_ROW);

    return width < 560 ? 560 : width;
}

/* Returns how much of a label fits into a row of the legend: whole words, unless they are too
 * long. */
static size_t label_piece(const struct figure *f, const char *label)
{
    size_t most = (size_t)((width_of(f) - LABEL_LEFT) / LETTER), n = strlen(label), at;

    if (n <= most)
        return n;
    for (at = most; at > 0 && label[at] != ' '; at--)
        ;
    return at > 0 ? at : most;
}

/* Rows that the labels need; draws them from top on unless that is negative. */
static size_t draw_labels(const struct figure *f, double top)
{
    LOCAL_BUF piece = BUF_INIT(4096);
    size_t rows = 0;

    for (size_t i = 0; i < f->nmodels; i++) {
        const char *label = f->r->plan->models[f->models[i]].label;

        if (top >= 0)
            svg_sample(f->out, 64, top + LEGEND_ROW * (double)rows, colour_of(i), dash_of(i));
        for (size_t n; *label; label += n + (label[n] == ' '), rows++) {
            n = label_piece(f, label);
            buf_clear(&piece);
            buf_addf(&piece, "%.*s", (int)n, label);
            if (top >= 0)
                svg_text(f->out, LABEL_LEFT, top + LEGEND_ROW * (double)rows + 4, SVG_START, 12,
                         piece.data);
        }
    }
    return rows;
}

static void draw_legend(const struct figure *f, double top)
{
    double y = top + LEGEND_ROW * (double)draw_labels(f, top);

    svg_text(f->out, 64, y + 4, SVG_START, 10,
             f->nmodels <= BANDS
                 ? "Thick: mean and 95 % interval of the topics still being crawled, until half "
                   "have ended."
                 : "Thick: mean of the topics still being crawled, until half have ended.");
    if (f->spec->runs > 0)
        svg_text(f->out, 64, y + 4 + LEGEND_ROW, SVG_START, 10,
                 "Thin: single crawls; x: a crawl that ended before its budget was spent.");
}

static void draw(const struct figure *f)
{
    size_t rows = (f->nworlds + PANELS_A_ROW - 1) / PANELS_A_ROW;
    double top = TITLE + PANEL_HEIGHT * (double)rows;
    const struct plan_figure *s = f->spec;
    LOCAL_BUF title = BUF_INIT(4096), about = BUF_INIT(4096);

    buf_add_z(&title, s->says ? s->says : s->metric);
    buf_addf(&about, "Plan %s%s%s; %zu runs, brood %s", f->r->plan->name, s->source ? "; " : "",
             s->source ? s->source : "", f->r->nruns, BROOD_VERSION);
    svg_open(f->out, width_of(f), top + LEGEND_ROW * (double)(draw_labels(f, -1) + 2) + 8,
             title.data, about.data);
    svg_text(f->out, 20, 22, SVG_START, 14, title.data);
    for (size_t i = 0; i < f->nworlds; i++)
        draw_panel(f, i);
    draw_legend(f, top + 8);
    svg_close(f->out);
}

enum status report_figure(const struct results *r, const struct plan_figure *spec, struct buf *out)
{
    struct figure f = {.r = r, .spec = spec, .out = out};
    enum status st = find_metric(&f);

    if (st == ST_OK)
        st = find_worlds(&f);
    if (st == ST_OK)
        st = find_models(&f);
    if (st == ST_OK)
        st = choose_axis(&f);
    if (st == ST_OK)
        draw(&f);
    free(f.worlds);
    free(f.models);
    return st == ST_OK ? buf_check(out) : st;
}
