/* json.c - tables, comparisons and verdicts for programs.
 * SPDX-License-Identifier: MIT */
#include "lab/report/report_int.h"

#include "base/json.h"

#include <math.h>
#include <stdlib.h>

static void comparison_json(const struct results *r, const struct comparison *c, struct json *j)
{
    json_open_object(j, NULL);
    json_put_z(j, "world", r->plan->worlds[c->world].name);
    json_put_z(j, "a", r->plan->models[c->a].label);
    json_put_z(j, "b", c->b == COMPARE_NO_MODEL ? NULL : r->plan->models[c->b].label);
    json_put_int(j, "topics", (int64_t)c->topics);
    json_put_num(j, "mean_a", c->mean_a);
    json_put_num(j, "mean_b", c->mean_b);
    json_put_num(j, "difference", c->difference);
    json_put_num(j, "low", c->low);
    json_put_num(j, "high", c->high);
    json_put_z(j, "interval", isnan(c->low) ? NULL : c->by_t ? "t" : "bootstrap");
    json_put_num(j, "t_p", c->t_p);
    json_put_num(j, "wilcoxon_p", c->wilcoxon_p);
}

void place_json(const struct results *r, uint32_t world, int metric, struct quantity at,
                struct json *j)
{
    LOCAL_BUF place = BUF_INIT(64);
    struct comparison *all;
    struct summary s;
    size_t count = compare_all(r, world, metric, at, &all);

    quantity_show(at, &place);
    summary_make(r, world, metric, at, &s);
    json_open_object(j, NULL);
    json_put_z(j, "metric", r->metrics[metric]);
    json_put_str(j, "at", buf_str(&place));
    json_open_array(j, "models");
    for (size_t m = 0; m < s.nmodels; m++) {
        json_open_object(j, NULL);
        json_put_z(j, "model", r->plan->models[m].label);
        json_put_num(j, "mean", s.mean[m]);
        json_put_num(j, "half", s.half[m]);
        json_put_int(j, "topics", (int64_t)s.topics[m]);
        json_put_bool(j, "best", s.best[m]);
        json_close(j);
    }
    json_close(j);
    json_open_array(j, "pairs");
    for (size_t i = 0; i < count; i++) {
        comparison_json(r, &all[i], j);
        json_put_bool(j, "decided", comparison_is_decided(&all[i]));
        json_close(j);
    }
    json_close(j);
    json_close(j);
    summary_free(&s);
    free(all);
}

/* What a page costs with each model, in microseconds of a core: mean over its runs. */
static void cost_json(const struct results *r, uint32_t world, struct json *j)
{
    json_open_array(j, "cost");
    for (uint32_t m = 0; m < r->plan->nmodels; m++) {
        double cpu = 0, pages = 0;

        for (size_t i = 0; i < r->nruns; i++)
            if (r->runs[i].world == world && r->runs[i].model == m && !isnan(r->runs[i].cpu)) {
                cpu += r->runs[i].cpu;
                pages += (double)r->runs[i].pages;
            }
        json_open_object(j, NULL);
        json_put_z(j, "model", r->plan->models[m].label);
        json_put_num(j, "cpu_us_per_page", pages > 0 ? cpu * 1e6 / pages : NAN);
        json_close(j);
    }
    json_close(j);
}

void claims_json(const struct results *r, const struct claim_result *claims, struct json *j)
{
    LOCAL_BUF asks = BUF_INIT(1 << 16);

    json_open_array(j, "claims");
    for (size_t i = 0; i < r->plan->nclaims; i++) {
        const struct claim_result *c = &claims[i];

        json_open_object(j, NULL);
        json_put_z(j, "id", c->claim->id);
        json_put_z(j, "says", c->claim->says);
        buf_clear(&asks);
        say_claim(&asks, c->claim);
        json_put_str(j, "asks", buf_str(&asks));
        json_put_z(j, "source", c->claim->source);
        json_put_z(j, "since", c->claim->since);
        json_put_z(j, "was", c->claim->was);
        json_put_z(j, "verdict", verdict_name(c->verdict));
        json_put_z(j, "note", c->note);
        json_open_array(j, "where");
        for (size_t k = 0; k < c->count; k++) {
            comparison_json(r, &c->where[k], j);
            json_put_z(j, "finding", finding_name(c->finding[k]));
            json_close(j);
        }
        json_close(j);
        json_close(j);
    }
    json_close(j);
}

void report_json(const struct results *r, struct buf *out)
{
    struct claim_result *claims = claims_judge(r);
    struct json j;

    json_begin(&j, out);
    json_put_z(&j, "plan", r->plan->name);
    json_put_int(&j, "runs", (int64_t)r->nruns);
    json_put_int(&j, "wanted", (int64_t)results_wanted(r));
    json_put_bool(&j, "complete", results_complete(r));
    json_open_array(&j, "worlds");
    for (uint32_t w = 0; w < r->plan->nworlds; w++) {
        json_open_object(&j, NULL);
        json_put_z(&j, "name", r->plan->worlds[w].name);
        json_put_int(&j, "pages", r->worlds[w].pages);
        json_put_int(&j, "topics", (int64_t)r->worlds[w].ntopics);
        json_put_int(&j, "topics_needed", (int64_t)report_needs_topics(r, w));
        json_open_array(&j, "tables");
        for (int m = 0; m < (int)r->nmetrics; m++)
            for (size_t k = 0; k < r->plan->nat && report_applies(r, w, m); k++)
                place_json(r, w, m, r->plan->at[k], &j);
        json_close(&j);
        cost_json(r, w, &j);
        json_close(&j);
    }
    json_close(&j);
    claims_json(r, claims, &j);
    json_open_array(&j, "figures");
    for (size_t i = 0; i < r->plan->nfigures; i++) {
        json_open_object(&j, NULL);
        json_put_z(&j, "id", r->plan->figures[i].id);
        json_put_z(&j, "says", r->plan->figures[i].says);
        json_put_z(&j, "source", r->plan->figures[i].source);
        json_close(&j);
    }
    json_end(&j);
    claims_free(claims, r->plan->nclaims);
}
