/* compare.c - compares two models on the same topics: differences, tests, intervals; and judges the
 * claims of a plan.
 * SPDX-License-Identifier: MIT */
#include "lab/report/report_int.h"

#include "base/mem.h"
#include "base/rng.h"
#include "lab/report/stats.h"

#include <math.h>
#include <stdlib.h>

#define BOOTSTRAP_DRAWS 2000
#define BOOTSTRAP_SEED  20050101 /* any; fixed, so that a report is the same every time */

/* The pairs without a NAN, packed; returns how many. */
static size_t take_pairs(const double *a, const double *b, size_t n, double *x, double *y)
{
    size_t kept = 0;

    for (size_t i = 0; i < n; i++) {
        if (isnan(a[i]) || isnan(b[i]))
            continue;
        x[kept] = a[i];
        y[kept++] = b[i];
    }
    return kept;
}

/* Rounds to ten decimals, so that equal differences are equal for the ranks in spite of rounding
 * errors in the means over repeats. */
static double rounded(double d)
{
    return rint(d * 1e10) / 1e10;
}

/* Fills topics, means, difference, interval and uncorrected p from n pairs, of which
 * those with a NAN are left out. */
static void compare_values(const double *a, const double *b, size_t n, struct comparison *c)
{
    LOCAL_HEAP double *x = mem_alloc((n + 1) * sizeof *x), *y = mem_alloc((n + 1) * sizeof *y);
    struct rng rng;

    c->topics = take_pairs(a, b, n, x, y);
    c->mean_a = stats_mean(x, c->topics);
    c->mean_b = stats_mean(y, c->topics);
    for (size_t i = 0; i < c->topics; i++) {
        x[i] = rounded(x[i] - y[i]);
        y[i] = 0;
    }
    c->difference = stats_mean(x, c->topics);
    c->low = c->high = c->t_p = c->wilcoxon_p = NAN;
    if (c->topics >= 2) {
        c->t_p = stats_t_paired(x, y, c->topics).p;
        c->wilcoxon_p = stats_wilcoxon(x, y, c->topics).p;
    }
    c->by_t = c->topics >= 2 && c->topics < COMPARE_BOOTSTRAP;
    if (c->by_t) {
        double half = stats_half_width(x, c->topics);

        c->low = c->difference - half;
        c->high = c->difference + half;
    } else if (c->topics >= 2) {
        rng_init(&rng, BOOTSTRAP_SEED);
        stats_bootstrap(x, c->topics, BOOTSTRAP_DRAWS, &rng, &c->low, &c->high);
    }
}

/* Holm's correction of one of the two p values; pairs without a test do not count. */
static void correct(struct comparison *all, size_t count, size_t offset)
{
    double *p = mem_alloc((count + 1) * sizeof *p);
    size_t n = 0;

#define P(i) (*(double *)((char *)&all[i] + offset))
    for (size_t i = 0; i < count; i++)
        if (!isnan(P(i)))
            p[n++] = P(i);
    stats_holm(p, n);
    n = 0;
    for (size_t i = 0; i < count; i++)
        if (!isnan(P(i)))
            P(i) = p[n++];
#undef P
    free(p);
}

size_t compare_all(const struct results *r, uint32_t world, int metric, struct quantity at,
                   struct comparison **ret)
{
    size_t n = r->plan->nmodels, count = 0;
    struct comparison *all = mem_zero(n * n / 2 + 1, sizeof *all);
    struct summary s;

    summary_make(r, world, metric, at, &s);
    for (uint32_t a = 0; a < n; a++) {
        for (uint32_t b = a + 1; b < n; b++) {
            struct comparison *c = &all[count++];

            *c = (struct comparison){.world = world, .a = a, .b = b, .metric = metric, .at = at};
            compare_values(s.values + a * s.ntopics, s.values + b * s.ntopics, s.ntopics, c);
        }
    }
    summary_free(&s);
    correct(all, count, offsetof(struct comparison, t_p));
    correct(all, count, offsetof(struct comparison, wilcoxon_p));
    *ret = all;
    return count;
}

struct comparison comparison_turned(struct comparison c)
{
    struct comparison t = c;

    t.a = c.b;
    t.b = c.a;
    t.mean_a = c.mean_b;
    t.mean_b = c.mean_a;
    t.difference = -c.difference;
    t.low = -c.high;
    t.high = -c.low;
    return t;
}

double comparison_p(const struct comparison *c)
{
    return c->t_p > c->wilcoxon_p ? c->t_p : c->wilcoxon_p;
}

size_t compare_topics_needed(size_t pairs)
{
    size_t n = 1;

    for (double least = (double)pairs; least >= COMPARE_LEVEL; least /= 2)
        n++;
    return n;
}

bool comparison_is_decided(const struct comparison *c)
{
    return c->t_p < COMPARE_LEVEL && c->wilcoxon_p < COMPARE_LEVEL;
}

/* ---- verdicts of claims -------------------------------------------------- */

#define TEXT_OF(x) TEXT(x)
#define TEXT(x)    #x
#define TOO_FEW    "too few topics: " TEXT_OF(CLAIM_TOPICS) " are needed"

const char *finding_name(enum claim_finding f)
{
    static const char *const names[] = {[CLAIM_HOLDS] = "holds",
                                        [CLAIM_FAILS] = "fails",
                                        [CLAIM_UNDECIDED] = "undecided",
                                        [CLAIM_TOO_FEW] = "too few topics"};

    return names[f];
}

const char *verdict_name(enum verdict_kind v)
{
    static const char *const names[] = {[CLAIM_REPRODUCED] = "reproduced",
                                        [CLAIM_NOT_REPRODUCED] = "not reproduced",
                                        [CLAIM_MIXED] = "mixed",
                                        [CLAIM_OPEN] = "undecided",
                                        [CLAIM_UNTESTED] = "untested"};

    return names[v];
}

static uint32_t find_model(const struct results *r, const char *label)
{
    for (uint32_t m = 0; label && m < r->plan->nmodels; m++)
        if (strcmp(r->plan->models[m].label, label) == 0)
            return m;
    return COMPARE_NO_MODEL;
}

static int find_metric(const struct results *r, const char *name)
{
    for (size_t m = 0; m < r->nmetrics; m++)
        if (strcmp(r->metrics[m], name) == 0)
            return (int)m;
    return -1;
}

/* Against a value: every topic is compared with it. */
static struct comparison against_value(const struct results *r, uint32_t world, int metric,
                                       const struct plan_claim *claim, uint32_t better)
{
    struct comparison c = {
        .world = world, .a = better, .b = COMPARE_NO_MODEL, .metric = metric, .at = claim->at};
    struct summary s;
    double *same;

    summary_make(r, world, metric, claim->at, &s);
    same = mem_alloc((s.ntopics + 1) * sizeof *same);
    for (size_t i = 0; i < s.ntopics; i++)
        same[i] = claim->value;
    compare_values(s.values + better * s.ntopics, same, s.ntopics, &c);
    free(same);
    summary_free(&s);
    return c;
}

static struct comparison against_model(const struct results *r, uint32_t world, int metric,
                                       struct quantity at, uint32_t better, uint32_t than)
{
    struct comparison *all, found = {0};
    size_t count = compare_all(r, world, metric, at, &all);

    for (size_t i = 0; i < count; i++) {
        if (all[i].a == better && all[i].b == than)
            found = all[i];
        else if (all[i].a == than && all[i].b == better)
            found = comparison_turned(all[i]);
    }
    free(all);
    return found;
}

static enum claim_finding finding_of(bool holds, bool fails)
{
    return holds ? CLAIM_HOLDS : fails ? CLAIM_FAILS : CLAIM_UNDECIDED;
}

static enum claim_finding judge(const struct plan_claim *claim, const struct comparison *c,
                                bool less_is_better)
{
    double gain = less_is_better ? -c->difference : c->difference;
    double low = less_is_better ? -c->high : c->low, high = less_is_better ? -c->low : c->high;
    double within = claim->within, by = claim->by;

    if (c->topics < CLAIM_TOPICS)
        return CLAIM_TOO_FEW;
    if (within > 0)
        return finding_of(low >= -within && high <= within, low > within || high < -within);
    if (by < 0) /* not worse within a margin: the whole interval is above it */
        return finding_of(low >= by, high < by);
    return finding_of(gain > 0 && gain >= by && low > 0, high <= 0 || high < by);
}

static enum verdict_kind sum_up(const struct claim_result *c)
{
    size_t holds = 0, fails = 0, tested = 0;

    for (size_t i = 0; i < c->count; i++) {
        tested += c->finding[i] != CLAIM_TOO_FEW;
        holds += c->finding[i] == CLAIM_HOLDS;
        fails += c->finding[i] == CLAIM_FAILS;
    }
    if (tested == 0)
        return CLAIM_UNTESTED;
    return holds == tested          ? CLAIM_REPRODUCED
           : fails == tested        ? CLAIM_NOT_REPRODUCED
           : holds > 0 && fails > 0 ? CLAIM_MIXED
                                    : CLAIM_OPEN;
}

static void judge_claim(const struct results *r, struct claim_result *c)
{
    const struct plan_claim *claim = c->claim;
    uint32_t better = find_model(r, claim->better), than = find_model(r, claim->than);
    int metric = find_metric(r, claim->metric);

    c->verdict = CLAIM_UNTESTED;
    if (metric < 0 || better == COMPARE_NO_MODEL || (claim->than && than == COMPARE_NO_MODEL)) {
        c->note = metric < 0 ? "its metric was not measured" : "its models were not run";
        return;
    }
    for (uint32_t w = 0; w < r->plan->nworlds; w++) {
        if (claim->world && strcmp(claim->world, r->plan->worlds[w].name) != 0)
            continue;
        c->where[c->count] = claim->than ? against_model(r, w, metric, claim->at, better, than)
                                         : against_value(r, w, metric, claim, better);
        c->finding[c->count] = judge(claim, &c->where[c->count], report_less_is_better(r, metric));
        c->count++;
    }
    c->verdict = sum_up(c);
    if (c->verdict == CLAIM_UNTESTED)
        c->note = c->count ? TOO_FEW : "its world is not there";
}

struct claim_result *claims_judge(const struct results *r)
{
    struct claim_result *all = mem_zero(r->plan->nclaims + 1, sizeof *all);

    for (size_t i = 0; i < r->plan->nclaims; i++) {
        all[i].claim = &r->plan->claims[i];
        all[i].where = mem_zero(r->plan->nworlds + 1, sizeof *all[i].where);
        all[i].finding = mem_zero(r->plan->nworlds + 1, sizeof *all[i].finding);
        judge_claim(r, &all[i]);
    }
    return all;
}

void claims_free(struct claim_result *c, size_t count)
{
    for (size_t i = 0; c && i < count; i++) {
        free(c[i].where);
        free(c[i].finding);
    }
    free(c);
}
