/* report_metric.c - one metric of one world in HTML: curve, means, boxes, pairs, topics.
 * SPDX-License-Identifier: MIT */
#include "lab/report_markup.h"

#include "base/mem.h"
#include "lab/metric.h"

#include <math.h>
#include <stdlib.h>

static void place_heading(struct buf *out, struct quantity at)
{
    struct buf text = BUF_INIT(64);

    quantity_show(at, &text);
    markup_text(out, buf_str(&text));
    buf_free(&text);
}

static void mean_cell(struct buf *out, const struct summary *s, size_t m)
{
    (void)buf_addf(out, "<td class=\"num%s\">", s->best[m] ? " best" : "");
    say_number(out, s->mean[m]);
    (void)buf_add_z(out, "<span class=\"half\">");
    say_half(out, s->half[m], s->mean[m]);
    (void)buf_add_z(out, "</span>");
    (void)buf_add_z(out, "</td>");
}

static void means_table(struct buf *out, const struct results *r, uint32_t world, int metric)
{
    size_t nat = r->plan->nat;
    struct summary *s = mem_zero(nat + 1, sizeof *s);

    (void)buf_add_z(out, "<div class=\"scroll\"><table class=\"means\"><thead><tr><th>model</th>");
    for (size_t k = 0; k < nat; k++) {
        summary_make(r, world, metric, r->plan->at[k], &s[k]);
        (void)buf_add_z(out, "<th class=\"num\">at ");
        place_heading(out, r->plan->at[k]);
        (void)buf_add_z(out, "</th>");
    }
    (void)buf_add_z(out, "</tr></thead><tbody>\n");
    for (uint32_t m = 0; m < r->plan->nmodels; m++) {
        (void)buf_add_z(out, "<tr><th>");
        markup_model(out, r, m);
        (void)buf_add_z(out, "</th>");
        for (size_t k = 0; k < nat; k++)
            mean_cell(out, &s[k], m);
        (void)buf_add_z(out, "</tr>\n");
    }
    (void)buf_add_z(out, "</tbody></table></div>\n");
    for (size_t k = 0; k < nat; k++)
        summary_free(&s[k]);
    free(s);
}

/* ---- which beats which ---- */

static struct comparison pair_of(const struct comparison *all, size_t count, uint32_t a, uint32_t b)
{
    for (size_t i = 0; i < count; i++) {
        if (all[i].a == a && all[i].b == b)
            return all[i];
        if (all[i].a == b && all[i].b == a)
            return comparison_turned(all[i]);
    }
    return (struct comparison){.difference = NAN, .t_p = NAN, .wilcoxon_p = NAN};
}

static void add_p(struct buf *out, const char *before, double p)
{
    struct buf text = BUF_INIT(32);

    say_p(&text, p);
    markup_wrap(out, before, buf_str(&text), "");
    buf_free(&text);
}

/* Where there are too few topics no p could be small: it would mislead. */
static void pair_cell(struct buf *out, const struct comparison *c, int direction, bool show_p)
{
    const char *class = !comparison_is_decided(c)       ? "even"
                        : direction * c->difference > 0 ? "win"
                                                        : "lose";

    if (c->topics == 0) {
        (void)buf_add_z(out, "<td class=\"num none\">\xe2\x80\x93</td>");
        return;
    }
    (void)buf_addf(out, "<td class=\"num %s\" title=\"95 %% interval ", class);
    say_interval(out, c);
    add_p(out, "; t test p ", c->t_p);
    add_p(out, ", Wilcoxon p ", c->wilcoxon_p);
    (void)buf_addf(out, "; %zu topics\">", c->topics);
    say_signed(out, c->difference);
    if (show_p) {
        add_p(out, "<span class=\"p\">p ", comparison_p(c));
        (void)buf_add_z(out, "</span>");
    }
    (void)buf_add_z(out, "</td>");
}

static void matrix(struct buf *out, const struct results *r, uint32_t world, int metric,
                   struct quantity at)
{
    size_t n = r->plan->nmodels;
    struct comparison *all;
    size_t count = compare_all(r, world, metric, at, &all);

    (void)buf_add_z(out, "<div class=\"scroll\"><table class=\"matrix\"><caption>at ");
    place_heading(out, at);
    (void)buf_add_z(out, "</caption><thead><tr><th>row minus column</th>");
    for (uint32_t b = 0; b < n; b++) {
        (void)buf_add_z(out, "<th class=\"num\" title=\"");
        markup_text(out, str_of(r->plan->models[b].label));
        (void)buf_addf(out, "\">%u</th>", b + 1);
    }
    (void)buf_add_z(out, "</tr></thead><tbody>\n");
    for (uint32_t a = 0; a < n; a++) {
        (void)buf_add_z(out, "<tr><th>");
        markup_model(out, r, a);
        (void)buf_add_z(out, "</th>");
        for (uint32_t b = 0; b < n; b++) {
            struct comparison c = pair_of(all, count, a, b);

            if (a == b)
                (void)buf_add_z(out, "<td class=\"self\"></td>");
            else
                pair_cell(out, &c, report_direction(r, metric), report_needs_topics(r, world) == 0);
        }
        (void)buf_add_z(out, "</tr>\n");
    }
    (void)buf_add_z(out, "</tbody></table></div>\n");
    free(all);
}

static void pairs(struct buf *out, const struct results *r, uint32_t world, int metric, bool open)
{
    (void)buf_addf(out, "<details%s><summary>Which beats which</summary>\n", open ? " open" : "");
    if (report_needs_topics(r, world)) {
        (void)buf_add_z(out, "<p class=\"note\"><strong>");
        say_too_few(out, r, world);
        (void)buf_add_z(out, ".</strong></p>\n");
    }
    (void)buf_add_z(
        out,
        "<p class=\"note\">Mean difference over topics, row minus column, with p: the larger of "
        "the paired t test&#39;s and Wilcoxon&#39;s, both corrected after Holm over all pairs. "
        "<span class=\"win\">Blue: the row is better</span>, <span class=\"lose\">orange: "
        "worse</span>, both with p &lt; 0.05.</p>\n");
    for (size_t k = r->plan->nat; k-- > 0;)
        matrix(out, r, world, metric, r->plan->at[k]);
    (void)buf_add_z(out, "</details>\n");
}

/* ---- by topic ---- */

static uint32_t targets_of(const struct results *r, uint32_t world, uint32_t topic)
{
    for (size_t i = 0; i < r->nruns; i++)
        if (r->runs[i].world == world && r->runs[i].topic == topic)
            return r->runs[i].targets;
    return 0;
}

static void topics(struct buf *out, const struct results *r, uint32_t world,
                   const struct summary *s)
{
    const struct result_world *w = &r->worlds[world];

    (void)buf_add_z(out, "<details><summary>By topic</summary>\n<div class=\"scroll\">"
                         "<table class=\"sortable\"><thead><tr><th>topic</th>"
                         "<th class=\"num\">targets</th>");
    for (uint32_t m = 0; m < s->nmodels; m++) {
        (void)buf_add_z(out, "<th class=\"num\" title=\"");
        markup_text(out, str_of(r->plan->models[m].label));
        (void)buf_addf(out, "\">%u</th>", m + 1);
    }
    (void)buf_add_z(out, "</tr></thead><tbody>\n");
    for (uint32_t t = 0; t < s->ntopics; t++) {
        (void)buf_add_z(out, "<tr><th");
        if (w->words && w->words[t])
            markup_wrap(out, " title=\"", str_of(w->words[t]), "\"");
        markup_wrap(out, ">", str_of(w->topics[t]), "</th>");
        (void)buf_addf(out, "<td class=\"num\">%u</td>", targets_of(r, world, t));
        for (uint32_t m = 0; m < s->nmodels; m++)
            markup_number(out, s->values[m * s->ntopics + t]);
        (void)buf_add_z(out, "</tr>\n");
    }
    (void)buf_add_z(out, "</tbody></table></div></details>\n");
}

/* ---- together ---- */

static void heading(struct buf *out, const struct results *r, uint32_t world, int metric)
{
    int row = metric_find(str_of(r->metrics[metric]));

    (void)buf_addf(out, "<h3 id=\"w%u-m%d\">", world + 1, metric + 1);
    markup_wrap(out, "", str_of(r->metrics[metric]), "</h3>\n<p class=\"note\">");
    if (row >= 0)
        markup_text(out, str_of(metric_table[row].help));
    (void)buf_add_z(out, report_direction(r, metric) < 0 ? " Less is better.</p>\n" : "</p>\n");
}

static void boxes(struct buf *out, const struct results *r, uint32_t world, int metric,
                  const struct summary *s, bool open)
{
    (void)buf_addf(out, "<details%s><summary>Box plots by topic, at ", open ? " open" : "");
    place_heading(out, report_place(r));
    (void)buf_add_z(out, "</summary>\n");
    markup_boxes(out, r, world, metric, s);
    (void)buf_add_z(out, "</details>\n");
}

/* The first one that is worth something, whose details stand open. */
static bool is_first(const struct results *r, uint32_t world, int metric)
{
    for (int m = 0; m < metric; m++)
        if (report_applies(r, world, m) && report_direction(r, m) != 0)
            return false;
    return report_direction(r, metric) != 0;
}

void markup_metric(struct buf *out, const struct results *r, uint32_t world, int metric)
{
    bool open = is_first(r, world, metric);
    struct summary s;

    (void)buf_add_z(out, "<section class=\"metric\">\n");
    heading(out, r, world, metric);
    if (uplot_js_len) {
        (void)buf_addf(out, "<figure class=\"chart\" data-world=\"%u\" data-metric=\"", world);
        markup_wrap(out, "", str_of(r->metrics[metric]), "\"></figure>\n");
    }
    means_table(out, r, world, metric);
    summary_make(r, world, metric, report_place(r), &s);
    if (r->worlds[world].ntopics > 1)
        boxes(out, r, world, metric, &s, open);
    if (r->plan->nmodels > 1 && report_is_alike(r, world, metric))
        (void)buf_add_z(out, "<p class=\"note\">The same for every model.</p>\n");
    else if (report_direction(r, metric) != 0 && r->plan->nmodels > 1)
        pairs(out, r, world, metric, open);
    topics(out, r, world, &s);
    summary_free(&s);
    (void)buf_add_z(out, "</section>\n");
}
