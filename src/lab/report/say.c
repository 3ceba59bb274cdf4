/* say.c - figures and findings in words. SPDX-License-Identifier: MIT */
#include "lab/report/report_int.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

#define MINUS        "\xe2\x88\x92"
#define DASH         "\xe2\x80\x93"

#define PLUS_MINUS   " \xc2\xb1 "

#define NAMED_RIVALS 3

/* Three digits behind the point below 10, one below 1000, none above. */
static int digits_of(double size)
{
    return size < 9.9995 ? 3 : size < 999.95 ? 1 : 0;
}

static void add_size(struct buf *out, double v, int digits)
{
    if (!isfinite(v))
        buf_add_z(out, DASH);
    else
        buf_addf(out, "%s%.*f", v < 0 ? MINUS : "", digits, fabs(v));
}

void say_number(struct buf *out, double v)
{
    add_size(out, v, digits_of(fabs(v)));
}

void say_half(struct buf *out, double half, double mean)
{
    if (isnan(half))
        return;
    buf_add_z(out, PLUS_MINUS);
    add_size(out, half, digits_of(fabs(mean)));
}

/* Appends a signed number, in which a small difference does not become 0. */
void say_signed(struct buf *out, double v)
{
    if (v >= 0 && isfinite(v))
        buf_add_char(out, '+');
    add_size(out, v, fabs(v) < 0.00995 ? 4 : digits_of(fabs(v)));
}

void say_p(struct buf *out, double p)
{
    if (isnan(p))
        buf_add_z(out, DASH);
    else if (p < 0.001)
        buf_add_z(out, "< 0.001");
    else
        buf_addf(out, "%.3f", p);
}

void say_interval(struct buf *out, const struct comparison *c)
{
    if (isnan(c->low) || isnan(c->high)) {
        buf_add_z(out, DASH);
        return;
    }
    say_signed(out, c->low);
    buf_add_z(out, " to ");
    say_signed(out, c->high);
    buf_add_z(out, c->by_t ? " (t)" : "");
}

void say_too_few(struct buf *out, const struct results *r, uint32_t world)
{
    size_t n = r->worlds[world].ntopics, pairs = r->plan->nmodels * (r->plan->nmodels - 1) / 2;

    buf_addf(out,
             "%zu topic%s too few for any verdict: Wilcoxon over %zu pair%s needs at least "
             "%zu",
             n, n == 1 ? " is" : "s are", pairs, pairs == 1 ? "" : "s",
             report_needs_topics(r, world));
}

void say_place(struct buf *out, struct quantity at)
{
    quantity_show(at, out);
    if (at.kind == QUANTITY_SHARE)
        buf_add_z(out, " of the reachable pages");
    else if (at.kind == QUANTITY_PAGES)
        buf_add_z(out, " pages");
}

void say_claim(struct buf *out, const struct plan_claim *c)
{
    buf_addf(out, "%s at ", c->metric);
    say_place(out, c->at);
    buf_addf(out, ": %s ", c->better);
    if (c->within > 0)
        buf_addf(out, "within %g of ", c->within);
    else
        buf_add_z(out, "better than ");
    if (c->than)
        buf_add_z(out, c->than);
    else
        buf_addf(out, "%g", c->value);
    if (!(c->within > 0) && c->by > 0)
        buf_addf(out, " by %g or more", c->by);
}

/* ---- what was found ---- */

struct standing_row {
    const struct results *r;
    const struct summary *s;
    const struct comparison *all; /* of the same world, metric and place */
    size_t count;
    int direction;
    uint32_t best;
};

/* Is it a model that the best one beats (`beaten`), or one that does not differ decidedly from
 * it? */
static bool is_rival(const struct standing_row *st, uint32_t m, bool beaten)
{
    if (m == st->best || isnan(st->s->mean[m]) || report_is_lab_only(st->r, m))
        return false;
    for (size_t i = 0; i < st->count; i++) {
        const struct comparison *c = &st->all[i];

        if ((c->a == st->best && c->b == m) || (c->b == st->best && c->a == m))
            return comparison_is_decided(c) == beaten;
    }
    return false;
}

static size_t rivals(const struct standing_row *st, bool beaten)
{
    size_t n = 0;

    for (uint32_t m = 0; m < st->s->nmodels; m++)
        n += is_rival(st, m, beaten);
    return n;
}

static void name_rivals(const struct standing_row *st, bool beaten, struct buf *out)
{
    size_t left = rivals(st, beaten), shown = 0;

    for (uint32_t m = 0; m < st->s->nmodels; m++) {
        if (!is_rival(st, m, beaten))
            continue;
        buf_addf(out, "%s%s",
                 shown == 0          ? ""
                 : shown + 1 == left ? " and "
                                     : ", ",
                 st->r->plan->models[m].label);
        shown++;
    }
}

/* Appends the names if they are few, else their number. */
static void say_rivals(const struct standing_row *st, struct buf *out)
{
    size_t beaten = rivals(st, true), even = rivals(st, false);

    if (beaten + even == 0)
        return;
    buf_add_z(out, ". ");
    if (beaten > NAMED_RIVALS || (beaten > 1 && even == 0)) {
        buf_addf(out, even ? "It beats %zu of the %zu others" : "It beats all %zu others", beaten,
                 beaten + even);
    } else if (beaten > 0) {
        buf_add_z(out, "It beats ");
        name_rivals(st, true, out);
    }
    if (even > 0) {
        buf_add_z(out, beaten ? "; it cannot be told from " : "It cannot be told from ");
        name_rivals(st, false, out);
    }
}

static void say_marks(const struct standing_row *st, struct buf *out)
{
    bool any = false;

    for (uint32_t m = 0; m < st->s->nmodels; m++) {
        if (!report_is_lab_only(st->r, m) || isnan(st->s->mean[m]))
            continue;
        buf_addf(out, "%s%s ", any ? ", " : ". Marks: ", st->r->plan->models[m].label);
        say_number(out, st->s->mean[m]);
        any = true;
    }
}

static void say_best(const struct standing_row *st, uint32_t world, int metric, struct buf *out)
{
    const struct results *r = st->r;

    buf_addf(out, "On %s, %s at ", r->plan->worlds[world].name, r->metrics[metric]);
    say_place(out, report_place(r));
    buf_addf(out, ": %s has the %s mean, ", r->plan->models[st->best].label,
             st->direction < 0 ? "lowest" : "highest");
    say_number(out, st->s->mean[st->best]);
    say_half(out, st->s->half[st->best], st->s->mean[st->best]);
    buf_addf(out, " over %zu topic%s", st->s->topics[st->best],
             st->s->topics[st->best] == 1 ? "" : "s");
    if (report_needs_topics(r, world) == 0) /* otherwise no model can be beaten */
        say_rivals(st, out);
    say_marks(st, out);
    buf_add_z(out, ".\n");
}

static void say_metric(const struct results *r, uint32_t world, int metric, struct buf *out)
{
    struct standing_row st = {.r = r, .direction = report_direction(r, metric)};
    LOCAL_HEAP uint32_t *order = mem_zero(r->plan->nmodels + 1, sizeof *order);
    struct comparison *all;
    struct summary s;
    size_t first = 0;

    summary_make(r, world, metric, report_place(r), &s);
    st.count = compare_all(r, world, metric, report_place(r), &all);
    summary_order(&s, st.direction, order);
    while (first < s.nmodels && report_is_lab_only(r, order[first]))
        first++;
    if (first < s.nmodels && !isnan(s.mean[order[first]])) {
        st.s = &s;
        st.all = all;
        st.best = order[first];
        say_best(&st, world, metric, out);
    }
    free(all);
    summary_free(&s);
}

static void say_verdicts(const struct results *r, const struct claim_result *claims,
                         struct buf *out)
{
    size_t n[CLAIM_UNTESTED + 1] = {0};
    bool any = false;

    if (r->plan->nclaims == 0)
        return;
    for (size_t i = 0; i < r->plan->nclaims; i++)
        n[claims[i].verdict]++;
    buf_addf(out, "Of %zu claim%s ", r->plan->nclaims, r->plan->nclaims == 1 ? "" : "s");
    for (int v = 0; v <= CLAIM_UNTESTED; v++) {
        if (n[v] == 0)
            continue;
        buf_addf(out, "%s%zu %s %s", any ? ", " : "", n[v], n[v] == 1 ? "is" : "are",
                 verdict_name((enum verdict_kind)v));
        any = true;
    }
    buf_add_z(out, ".\n");
}

static void say_world(const struct results *r, uint32_t world, struct buf *out)
{
    if (r->worlds[world].ntopics > 0 && report_needs_topics(r, world) > 0) {
        buf_addf(out, "On %s ", r->plan->worlds[world].name);
        say_too_few(out, r, world);
        buf_add_z(out, ".\n");
    }
    for (int m = 0; m < (int)r->nmetrics; m++)
        if (report_direction(r, m) != 0 && report_applies(r, world, m) &&
            !report_is_alike(r, world, m))
            say_metric(r, world, m, out);
}

void say_findings(const struct results *r, const struct claim_result *claims, struct buf *out)
{
    if (!results_complete(r))
        buf_addf(out,
                 "Not finished: %zu of %zu runs are there%s; 'brood lab run' goes on where "
                 "it stopped.\n",
                 r->nruns, results_wanted(r),
                 results_looked_at(r) ? "" : ", and some worlds were not looked at yet");
    say_verdicts(r, claims, out);
    for (uint32_t w = 0; w < r->plan->nworlds; w++)
        say_world(r, w, out);
}
