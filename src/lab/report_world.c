/* report_world.c - one world in HTML: its figures, the legend, its metrics, how its
 * runs ended. SPDX-License-Identifier: MIT */
#include "lab/report_markup.h"

#include "base/mem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void figure(struct buf *out, const char *name, double v)
{
    if (isnan(v))
        return;
    (void)buf_addf(out, "<div><dt>%s</dt><dd>", name);
    say_number(out, v);
    (void)buf_add_z(out, "</dd></div>\n");
}

/* "1,234,567" */
static void count(struct buf *out, const char *name, uint64_t n)
{
    char digits[32];
    int len = snprintf(digits, sizeof digits, "%llu", (unsigned long long)n);

    (void)buf_addf(out, "<div><dt>%s</dt><dd>", name);
    for (int i = 0; i < len; i++) {
        if (i > 0 && (len - i) % 3 == 0)
            (void)buf_add_char(out, ',');
        (void)buf_add_char(out, digits[i]);
    }
    (void)buf_add_z(out, "</dd></div>\n");
}

static void figures(struct buf *out, const struct result_world *w)
{
    (void)buf_add_z(out, "<dl class=\"figures\">\n");
    count(out, "pages", w->pages);
    count(out, "hosts", w->hosts);
    count(out, "links", w->links);
    count(out, "topics", w->ntopics);
    if (w->skipped)
        count(out, "topics without seeds", w->skipped);
    if (w->versions > w->pages)
        count(out, "versions", w->versions);
    figure(out, "out-degree exponent", w->out_exponent);
    figure(out, "in-degree exponent", w->in_exponent);
    figure(out, "clustering", w->clustering);
    figure(out, "mean distance", w->mean_distance);
    figure(out, "topical locality", w->locality);
    (void)buf_add_z(out, "</dl>\n");
}

static void legend(struct buf *out, const struct results *r, uint32_t world)
{
    (void)buf_addf(out,
                   "<div class=\"legend\" data-world=\"%u\" role=\"group\" "
                   "aria-label=\"Curves shown\">\n",
                   world);
    for (uint32_t m = 0; m < r->plan->nmodels; m++) {
        (void)buf_addf(out,
                       "<button type=\"button\" class=\"key\" data-model=\"%u\" "
                       "aria-pressed=\"true\"><svg class=\"swatch\" viewBox=\"0 0 28 10\" "
                       "aria-hidden=\"true\"><g ",
                       m);
        markup_style(out, m);
        (void)buf_add_z(out,
                        "><line class=\"stroke\" x1=\"0\" y1=\"5\" x2=\"28\" y2=\"5\"/></g></svg>");
        markup_model(out, r, m);
        (void)buf_add_z(out, "</button>\n");
    }
    (void)buf_add_z(out, "</div>\n");
}

/* ---- how the runs ended ---- */

static int by_end(const void *a, const void *b)
{
    const struct result_run *x = *(const struct result_run *const *)a;
    const struct result_run *y = *(const struct result_run *const *)b;
    int order = strcmp(x->end ? x->end : "", y->end ? y->end : "");

    return order ? order : (x->model > y->model) - (x->model < y->model);
}

/* A row a way to end, with the models whose runs ended so. */
static void end_row(struct buf *out, const struct results *r, const struct result_run *const *runs,
                    size_t n)
{
    markup_wrap(out, "<tr><td>", str_of(runs[0]->end ? runs[0]->end : "unknown"), "</td>");
    (void)buf_addf(out, "<td class=\"num\">%zu</td><td>", n);
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && runs[i]->model == runs[i - 1]->model)
            continue;
        if (i > 0)
            (void)buf_add_z(out, ", ");
        markup_text(out, str_of(r->plan->models[runs[i]->model].label));
    }
    (void)buf_add_z(out, "</td></tr>\n");
}

static void endings(struct buf *out, const struct results *r, uint32_t world)
{
    const struct result_run **runs = mem_zero(r->nruns + 1, sizeof *runs);
    size_t n = 0;

    for (size_t i = 0; i < r->nruns; i++)
        if (r->runs[i].world == world)
            runs[n++] = &r->runs[i];
    qsort(runs, n, sizeof *runs, by_end);
    (void)buf_add_z(out, "<h3>How the runs ended</h3>\n<div class=\"scroll\"><table><thead><tr>"
                         "<th>end</th><th class=\"num\">runs</th><th>models</th></tr></thead>"
                         "<tbody>\n");
    for (size_t from = 0, to; from < n; from = to) {
        for (to = from + 1; to < n && strcmp(runs[to]->end ? runs[to]->end : "",
                                             runs[from]->end ? runs[from]->end : "") == 0;
             to++)
            ;
        end_row(out, r, runs + from, to - from);
    }
    (void)buf_add_z(out, "</tbody></table></div>\n");
    free(runs);
}

void markup_world(struct buf *out, const struct results *r, uint32_t world)
{
    (void)buf_addf(out, "<section class=\"world\" id=\"w%u\">\n", world + 1);
    markup_wrap(out, "<h2>World ", str_of(r->plan->worlds[world].name), "</h2>\n");
    figures(out, &r->worlds[world]);
    legend(out, r, world);
    for (int m = 0; m < (int)r->nmetrics; m++)
        if (report_applies(r, world, m))
            markup_metric(out, r, world, m);
    endings(out, r, world);
    (void)buf_add_z(out, "</section>\n");
}
