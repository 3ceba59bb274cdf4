/* text.c - the tables in the terminal. SPDX-License-Identifier: MIT */
#include "lab/report/report_int.h"

#include "base/mem.h"
#include "lab/run/metric.h"
#include "lab/report/table.h"

#include <math.h>
#include <stdlib.h>

#define WIDTH      100
#define PLACES     4 /* of `at` side by side */
#define ALL_PAIRS  6 /* models; with more, only the best is compared with each */
#define PLUS_MINUS " \xc2\xb1 "

static void add_figure(struct text_table *t, const char *name, double v)
{
    struct buf text = BUF_INIT(64);

    if (isnan(v))
        return;
    table_cell(t, "%s", name);
    say_number(&text, v);
    table_take(t, &text);
}

static void world_figures(const struct result_world *w, struct buf *out)
{
    struct text_table t;

    buf_addf(out, "  %u page%s on %u host%s, %llu links, %zu topic%s\n", w->pages,
             w->pages == 1 ? "" : "s", w->hosts, w->hosts == 1 ? "" : "s",
             (unsigned long long)w->links, w->ntopics, w->ntopics == 1 ? "" : "s");
    table_init(&t, 10);
    add_figure(&t, "out-exponent", w->out_exponent);
    add_figure(&t, "in-exponent", w->in_exponent);
    add_figure(&t, "clustering", w->clustering);
    add_figure(&t, "distance", w->mean_distance);
    add_figure(&t, "locality", w->locality);
    table_print(&t, 2, out);
    table_free(&t);
}

static void mean_cell(struct text_table *t, const struct summary *s, size_t m)
{
    struct buf text = BUF_INIT(64);

    say_number(&text, s->mean[m]);
    say_half(&text, s->half[m], s->mean[m]);
    buf_add_z(&text, s->best[m] ? " *" : "  ");
    table_take(t, &text);
}

/* Models by places, some places at a time. */
static void means_table(const struct results *r, uint32_t world, int metric, size_t from,
                        size_t count, struct buf *out)
{
    struct summary s[PLACES];
    struct text_table t;

    table_init(&t, count + 1);
    table_cell(&t, "%s", from ? "" : "model");
    for (size_t k = 0; k < count; k++) {
        struct buf head = BUF_INIT(64);

        summary_make(r, world, metric, r->plan->at[from + k], &s[k]);
        buf_add_z(&head, "at ");
        quantity_show(r->plan->at[from + k], &head);
        buf_add_z(&head, "  ");
        table_take(&t, &head);
    }
    for (size_t m = 0; m < r->plan->nmodels; m++) {
        table_cell(&t, "%2zu %s%s", m + 1, r->plan->models[m].label,
                   report_is_lab_only(r, (uint32_t)m) ? " (lab only)" : "");
        for (size_t k = 0; k < count; k++)
            mean_cell(&t, &s[k], m);
    }
    table_print(&t, 2, out);
    table_free(&t);
    for (size_t k = 0; k < count; k++)
        summary_free(&s[k]);
}

static void pair_row(struct text_table *t, const struct results *r, const struct comparison *c,
                     int direction)
{
    struct buf difference = BUF_INIT(64), interval = BUF_INIT(96), p = BUF_INIT(64),
               w = BUF_INIT(64);

    table_cell(t, "%2u", c->a + 1);
    table_cell(t, "%s",
               report_needs_topics(r, c->world) ? "minus"
               : !comparison_is_decided(c)      ? "~"
               : direction * c->difference > 0  ? "beats"
                                                : "loses to");
    table_cell(t, "%2u %s", c->b + 1, r->plan->models[c->b].label);
    say_signed(&difference, c->difference);
    table_take(t, &difference);
    say_interval(&interval, c);
    table_take(t, &interval);
    say_p(&p, c->t_p);
    table_take(t, &p);
    say_p(&w, c->wilcoxon_p);
    table_take(t, &w);
}

static struct comparison find_pair(const struct comparison *all, size_t count, uint32_t a,
                                   uint32_t b)
{
    size_t i = 0;

    while (i < count && !(all[i].a == a && all[i].b == b) && !(all[i].a == b && all[i].b == a))
        i++;
    return i == count ? (struct comparison){0} : all[i].a == a ? all[i] : comparison_turned(all[i]);
}

/* Rows of one model: against those behind it, or against all. */
static void rank_rows(struct text_table *t, const struct results *r, const struct comparison *all,
                      size_t count, const uint32_t *order, size_t rank, bool behind)
{
    for (size_t i = behind ? rank + 1 : 0; i < r->plan->nmodels; i++) {
        struct comparison c = find_pair(all, count, order[rank], order[i]);

        if (c.topics > 0)
            pair_row(t, r, &c, report_direction(r, c.metric));
    }
}

/* Each against each where they are few, else the best against all. */
static void pairs_table(const struct results *r, uint32_t world, int metric, struct buf *out)
{
    static const char *const heads[] = {"", "", "", "difference", "95 % interval", "p(t)", "p(W)"};
    LOCAL_HEAP uint32_t *order = mem_zero(r->plan->nmodels + 1, sizeof *order);
    struct comparison *all;
    struct summary s;
    struct text_table t;
    size_t count = compare_all(r, world, metric, report_place(r), &all), best = 0;

    summary_make(r, world, metric, report_place(r), &s);
    summary_order(&s, report_direction(r, metric), order);
    while (best + 1 < s.nmodels && report_is_lab_only(r, order[best]))
        best++;
    table_init(&t, ARRAY_LEN(heads));
    t.left[1] = t.left[2] = true;
    for (size_t i = 0; i < ARRAY_LEN(heads); i++)
        table_cell(&t, "%s", heads[i]);
    if (s.nmodels > ALL_PAIRS)
        rank_rows(&t, r, all, count, order, best, false);
    for (size_t rank = 0; s.nmodels <= ALL_PAIRS && rank < s.nmodels; rank++)
        rank_rows(&t, r, all, count, order, rank, true);
    table_print(&t, 2, out);
    table_free(&t);
    summary_free(&s);
    free(all);
}

static void metric_text(const struct results *r, uint32_t world, int metric, struct buf *out)
{
    int row = metric_find(str_of(r->metrics[metric]));
    int direction = report_direction(r, metric);
    struct buf place = BUF_INIT(200);

    buf_addf(out, "\n  %s%s%s%s\n", r->metrics[metric], row >= 0 ? ": " : "",
             row >= 0 ? metric_table[row].help : "", direction < 0 ? " (less is better)" : "");
    for (size_t from = 0; from < r->plan->nat; from += PLACES) {
        size_t left = r->plan->nat - from;

        means_table(r, world, metric, from, left < PLACES ? left : PLACES, out);
    }
    if (direction == 0 || r->plan->nmodels < 2 || r->worlds[world].ntopics < 2)
        return;
    if (report_is_alike(r, world, metric)) {
        buf_add_z(out, "  the same for every model\n");
        return;
    }
    say_place(&place, report_place(r));
    buf_addf(out, "  %s, at %.*s%s\n",
             report_needs_topics(r, world) ? "differences" : "which beats which",
             STR_ARG(buf_str(&place)),
             r->plan->nmodels <= ALL_PAIRS ? "" : " (the best against each)");
    buf_clear(&place);
    if (report_needs_topics(r, world)) {
        say_too_few(&place, r, world);
        table_paragraph(buf_str(&place), 2, WIDTH, out);
    }
    buf_free(&place);
    pairs_table(r, world, metric, out);
}

static void claim_row(struct text_table *t, const struct results *r, const struct claim_result *c,
                      size_t i)
{
    const struct comparison *w = &c->where[i];
    struct buf difference = BUF_INIT(64), interval = BUF_INIT(96);

    table_cell(t, "%s", r->plan->worlds[w->world].name);
    table_cell(t, "%s", finding_name(c->finding[i]));
    say_signed(&difference, w->difference);
    table_take(t, &difference);
    say_interval(&interval, w);
    table_take(t, &interval);
    table_cell(t, "%zu topic%s", w->topics, w->topics == 1 ? "" : "s");
}

static void claim_text(const struct results *r, const struct claim_result *c, struct buf *out)
{
    struct buf line = BUF_INIT(1 << 16);
    struct text_table t;

    buf_addf(&line, "%s  %s", c->claim->id ? c->claim->id : "claim", verdict_name(c->verdict));
    if (c->note)
        buf_addf(&line, " (%s)", c->note);
    if (c->claim->says)
        buf_addf(&line, ": %s", c->claim->says);
    table_paragraph(buf_str(&line), 2, WIDTH, out);
    buf_clear(&line);
    if (c->claim->since)
        buf_addf(&line, "written in %s", c->claim->since);
    if (c->claim->was)
        buf_addf(&line, "%sadjusted after the fact, it was: %s", c->claim->since ? "; " : "",
                 c->claim->was);
    if (line.len)
        table_paragraph(buf_str(&line), 6, WIDTH, out);
    buf_clear(&line);
    say_claim(&line, c->claim);
    table_paragraph(buf_str(&line), 6, WIDTH, out);
    buf_free(&line);
    table_init(&t, 5);
    t.left[1] = true;
    for (size_t i = 0; i < c->count; i++)
        claim_row(&t, r, c, i);
    table_print(&t, 6, out);
    table_free(&t);
}

static void heading(struct buf *out, const char *word, const char *name)
{
    LOCAL_BUF line = BUF_INIT(1 << 12);

    buf_addf(&line, "%s %s", word, name);
    buf_add_char(out, '\n');
    table_paragraph(buf_str(&line), 0, WIDTH, out);
}

static void paragraphs(struct str text, struct buf *out)
{
    struct str rest = text, line;

    while (str_cut(&rest, '\n', &line))
        table_paragraph(line, 2, WIDTH, out);
}

static const char footnote[] =
    "Means over topics" PLUS_MINUS
    "half of their 95 % interval; * marks the best (lab-only models are "
    "there to measure against). p(t): paired t test, p(W): Wilcoxon's signed ranks, both "
    "Holm-corrected over all pairs; \"beats\" where both are below 0.05. Intervals of differences "
    "by bootstrap, below 10 topics Student's (t).";

void report_terminal(const struct results *r, struct buf *out)
{
    struct claim_result *claims = claims_judge(r);
    struct buf findings = BUF_INIT(1 << 22);

    table_paragraph(str_of(r->plan->name), 0, WIDTH, out);
    if (r->plan->about)
        table_paragraph(str_of(r->plan->about), 2, WIDTH, out);
    say_findings(r, claims, &findings);
    buf_add_z(out, "\nfindings\n");
    paragraphs(buf_str(&findings), out);
    buf_free(&findings);
    for (uint32_t w = 0; w < r->plan->nworlds; w++) {
        heading(out, "world", r->plan->worlds[w].name);
        world_figures(&r->worlds[w], out);
        for (int m = 0; m < (int)r->nmetrics; m++)
            if (report_applies(r, w, m))
                metric_text(r, w, m, out);
    }
    if (r->plan->nclaims)
        buf_add_z(out, "\nclaims\n");
    for (size_t i = 0; i < r->plan->nclaims; i++)
        claim_text(r, &claims[i], out);
    buf_add_char(out, '\n');
    table_paragraph(str_of(footnote), 0, WIDTH, out);
    claims_free(claims, r->plan->nclaims);
}
