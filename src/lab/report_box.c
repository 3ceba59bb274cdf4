/* report_box.c - box plots by topic, as SVG: sharp in print, no script needed.
 *
 * One row a model. Left the names, then the plot; colours come from page.css.
 * SPDX-License-Identifier: MIT */
#include "lab/report_markup.h"

#include "base/mem.h"
#include "lab/stats.h"

#include <math.h>
#include <stdlib.h>

#define BOX_WIDTH  860.0
#define BOX_NAMES  250.0 /* columns of names end here */
#define BOX_RIGHT  18.0
#define BOX_ROW    26.0
#define BOX_TOP    8.0
#define BOX_AXIS   24.0
#define NAME_CHARS 34

struct scale {
    double low, high, step; /* of the axis, in the metric's unit */
};

/* A round step that gives 4 to 10 ticks. */
static double round_step(double range)
{
    double power = pow(10, floor(log10(range / 5))), share = range / 5 / power;

    return power * (share < 1.5 ? 1 : share < 3.5 ? 2 : share < 7.5 ? 5 : 10);
}

static struct scale scale_of(const struct summary *s)
{
    struct scale c = {.low = INFINITY, .high = -INFINITY};

    for (size_t i = 0; i < s->nmodels * s->ntopics; i++) {
        if (isnan(s->values[i]))
            continue;
        c.low = fmin(c.low, s->values[i]);
        c.high = fmax(c.high, s->values[i]);
    }
    if (!isfinite(c.low)) {
        c.low = 0;
        c.high = 1;
    }
    if (!(c.high - c.low > 1e-9 * fabs(c.high))) /* all the same */
        c.high = c.low + (fabs(c.low) > 0 ? fabs(c.low) : 1);
    c.step = round_step(c.high - c.low);
    c.low = floor(c.low / c.step) * c.step;
    c.high = ceil(c.high / c.step) * c.step;
    return c;
}

static double place(const struct scale *c, double v)
{
    return BOX_NAMES + (v - c->low) / (c->high - c->low) * (BOX_WIDTH - BOX_NAMES - BOX_RIGHT);
}

static void axis(struct buf *out, const struct scale *c, double bottom)
{
    int ticks = (int)lround((c->high - c->low) / c->step);

    for (int i = 0; i <= ticks; i++) {
        double v = c->low + i * c->step, x = place(c, v);
        int digits = c->step >= 1 ? 0 : (int)ceil(-log10(c->step) - 1e-9);

        (void)buf_addf(out,
                       "<line class=\"grid\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>"
                       "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\">%.*f</text>",
                       x, BOX_TOP, x, bottom, x, bottom + 16, digits,
                       fabs(v) < c->step / 1000 ? 0.0 : v);
    }
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void box(struct buf *out, const struct scale *c, const double *sorted, size_t n, double y)
{
    double q1 = stats_quantile(sorted, n, 0.25), q3 = stats_quantile(sorted, n, 0.75);
    double median = place(c, stats_quantile(sorted, n, 0.5)), reach = 1.5 * (q3 - q1);
    double low = q1, high = q3;

    for (size_t i = n; i-- > 0;)
        low = sorted[i] >= q1 - reach ? fmin(low, sorted[i]) : low;
    for (size_t i = 0; i < n; i++)
        high = sorted[i] <= q3 + reach ? fmax(high, sorted[i]) : high;
    (void)buf_addf(out,
                   "<line class=\"whisker\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>"
                   "<rect class=\"box\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"14\"/>"
                   "<line class=\"median\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>",
                   place(c, low), y, place(c, high), y, place(c, q1), y - 7,
                   fmax(place(c, q3) - place(c, q1), 1), median, y - 7, median, y + 7);
}

static void dots(struct buf *out, const struct results *r, uint32_t world, const struct scale *c,
                 const double *values, size_t n, double y)
{
    for (size_t t = 0; t < n; t++) {
        if (isnan(values[t]))
            continue;
        /* Spread a little, always the same way, so that equal values are seen. */
        (void)buf_addf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.2\"><title>",
                       place(c, values[t]), y + (double)(t * 7 % 9) - 4);
        markup_text(out, str_of(r->worlds[world].topics[t]));
        (void)buf_add_z(out, ": ");
        say_number(out, values[t]);
        (void)buf_add_z(out, "</title></circle>");
    }
}

/* The first characters of a label, with an ellipsis where it is cut. */
static void short_name(struct buf *out, const char *label)
{
    size_t chars = 0, cut = 0;

    for (size_t i = 0; label[i]; i++) {
        if (((unsigned char)label[i] & 0xc0) == 0x80)
            continue;
        if (++chars == NAME_CHARS)
            cut = i;
    }
    markup_text(out, (struct str){label, chars > NAME_CHARS ? cut : strlen(label)});
    if (chars > NAME_CHARS)
        (void)buf_add_z(out, "\xe2\x80\xa6");
}

static void model_row(struct buf *out, const struct results *r, uint32_t world,
                      const struct scale *c, const struct summary *s, uint32_t m)
{
    const double *values = s->values + m * s->ntopics;
    double *sorted = mem_alloc((s->ntopics + 1) * sizeof *sorted);
    double y = BOX_TOP + BOX_ROW * (m + 0.5);
    size_t n = 0;

    for (size_t t = 0; t < s->ntopics; t++)
        if (!isnan(values[t]))
            sorted[n++] = values[t];
    qsort(sorted, n, sizeof *sorted, ascending);
    (void)buf_addf(out, "<text class=\"name\" x=\"%.1f\" y=\"%.1f\">%u ", BOX_NAMES - 10, y + 4,
                   m + 1);
    short_name(out, r->plan->models[m].label);
    (void)buf_add_z(out, "</text><g ");
    markup_style(out, m);
    (void)buf_add_char(out, '>');
    if (n > 0)
        box(out, c, sorted, n, y);
    dots(out, r, world, c, values, s->ntopics, y);
    (void)buf_add_z(out, "</g>\n");
    free(sorted);
}

void markup_boxes(struct buf *out, const struct results *r, uint32_t world, int metric,
                  const struct summary *s)
{
    struct scale c = scale_of(s);
    double bottom = BOX_TOP + BOX_ROW * (double)s->nmodels;

    (void)buf_addf(out,
                   "<div class=\"scroll\"><svg class=\"boxes\" viewBox=\"0 0 %.0f %.0f\" "
                   "role=\"img\" aria-label=\"",
                   BOX_WIDTH, bottom + BOX_AXIS);
    markup_wrap(out, "Box plot of ", str_of(r->metrics[metric]), " by topic, a row a model\">\n");
    axis(out, &c, bottom);
    for (uint32_t m = 0; m < s->nmodels; m++)
        model_row(out, r, world, &c, s, m);
    (void)buf_add_z(out, "</svg></div>\n");
}
