/* summary.c - figures of one (world, metric, place), and which of them are best.
 * SPDX-License-Identifier: MIT */
#include "lab/report/report_int.h"

#include "agent/model.h"
#include "models/models.h"
#include "base/mem.h"
#include "lab/run/metric.h"
#include "lab/report/stats.h"

#include <math.h>
#include <stdlib.h>

/* Figures that say how a crawl went, not how good it was. */
static const char *const not_merits[] = {"pages",    "seconds",   "population",       "energy",
                                         "messages", "contracts", "links-transferred"};

bool report_less_is_better(const struct results *r, int metric)
{
    int row = metric_find(str_of(r->metrics[metric]));

    return row >= 0 && metric_table[row].less_is_better;
}

int report_direction(const struct results *r, int metric)
{
    for (size_t i = 0; i < ARRAY_LEN(not_merits); i++)
        if (strcmp(not_merits[i], r->metrics[metric]) == 0)
            return 0;
    return report_less_is_better(r, metric) ? -1 : 1;
}

bool report_applies(const struct results *r, uint32_t world, int metric)
{
    const char *x = r->plan->sample.kind == QUANTITY_TIME ? "seconds" : "pages";

    if (strcmp(r->metrics[metric], x) == 0)
        return false;
    for (size_t i = 0; i < r->nruns; i++)
        for (size_t k = 0; r->runs[i].world == world && k < r->runs[i].npoints; k++)
            if (!isnan(r->runs[i].values[k * r->nmetrics + (size_t)metric]))
                return true;
    return false;
}

/* To six digits: the last ones come from the order of sums. */
static bool is_same(double a, double b)
{
    return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-6 * fmax(fabs(a), fabs(b));
}

bool report_is_alike(const struct results *r, uint32_t world, int metric)
{
    bool alike = r->plan->nmodels > 1;
    struct summary s;

    summary_make(r, world, metric, report_place(r), &s);
    for (size_t m = 1; m < s.nmodels; m++)
        for (size_t t = 0; t < s.ntopics; t++)
            alike = alike && is_same(s.values[t], s.values[m * s.ntopics + t]);
    summary_free(&s);
    return alike;
}

size_t report_needs_topics(const struct results *r, uint32_t world)
{
    size_t n = r->plan->nmodels, needed = n > 1 ? compare_topics_needed(n * (n - 1) / 2) : 0;

    return r->worlds[world].ntopics < needed ? needed : 0;
}

bool report_is_lab_only(const struct results *r, uint32_t model)
{
    const struct model_ops *ops = model_find(str_of(r->plan->models[model].name));

    return ops && ops->lab_only;
}

struct quantity report_place(const struct results *r)
{
    static const struct quantity everything = {.kind = QUANTITY_SHARE, .value = 1};

    return r->plan->nat ? r->plan->at[r->plan->nat - 1] : everything;
}

/* Mean and interval of one model over the topics it was run on. */
static void summarise(struct summary *s, size_t model)
{
    const double *row = s->values + model * s->ntopics;
    LOCAL_HEAP double *kept = mem_alloc((s->ntopics + 1) * sizeof *kept);
    size_t n = 0;

    for (size_t t = 0; t < s->ntopics; t++)
        if (!isnan(row[t]))
            kept[n++] = row[t];
    s->topics[model] = n;
    s->mean[model] = stats_mean(kept, n);
    s->half[model] = stats_half_width(kept, n);
}

/* Marks the best model; models whose printed values are equal are all marked. */
static void mark_best(const struct results *r, int direction, struct summary *s)
{
    double best = NAN;
    LOCAL_BUF text = BUF_INIT(64), other = BUF_INIT(64);

    for (uint32_t m = 0; m < s->nmodels; m++)
        if (!isnan(s->mean[m]) && !report_is_lab_only(r, m) &&
            (isnan(best) || direction * s->mean[m] > direction * best))
            best = s->mean[m];
    say_number(&text, best);
    for (uint32_t m = 0; direction != 0 && m < s->nmodels; m++) {
        buf_clear(&other);
        say_number(&other, s->mean[m]);
        s->best[m] = !isnan(s->mean[m]) && !report_is_lab_only(r, m) &&
                     str_eq(buf_str(&text), buf_str(&other));
    }
}

void summary_make(const struct results *r, uint32_t world, int metric, struct quantity at,
                  struct summary *ret)
{
    struct summary s = {.nmodels = r->plan->nmodels, .ntopics = r->worlds[world].ntopics};

    s.values = mem_zero(s.nmodels * s.ntopics + 1, sizeof *s.values);
    s.mean = mem_zero(s.nmodels + 1, sizeof *s.mean);
    s.half = mem_zero(s.nmodels + 1, sizeof *s.half);
    s.topics = mem_zero(s.nmodels + 1, sizeof *s.topics);
    s.best = mem_zero(s.nmodels + 1, sizeof *s.best);
    for (uint32_t m = 0; m < s.nmodels; m++) {
        for (uint32_t t = 0; t < s.ntopics; t++)
            s.values[m * s.ntopics + t] = result_topic_mean(r, world, t, m, metric, at);
        summarise(&s, m);
    }
    mark_best(r, report_direction(r, metric), &s);
    *ret = s;
}

void summary_free(struct summary *s)
{
    free(s->values);
    free(s->mean);
    free(s->half);
    free(s->topics);
    free(s->best);
}

/* Insertion sort: a plan has tens of models, and equal means keep the plan's order. */
void summary_order(const struct summary *s, int direction, uint32_t *ret_order)
{
    double sign = direction < 0 ? -1 : 1;

    for (uint32_t m = 0; m < s->nmodels; m++) {
        size_t at = m;

        while (at > 0 && !isnan(s->mean[m]) &&
               !(sign * s->mean[ret_order[at - 1]] >= sign * s->mean[m])) {
            ret_order[at] = ret_order[at - 1];
            at--;
        }
        ret_order[at] = m;
    }
}
