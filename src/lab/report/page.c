/* page.c - what the HTML report shows, as JSON for page/page.js: findings, claims,
 * worlds with their metrics and curves, and every parameter of the experiment.
 * SPDX-License-Identifier: MIT */
#include "lab/report/report_int.h"

#include "agent/model.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/units.h"
#include "lab/run/metric.h"
#include "models/models.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- curves ---- */

/* Five digits are more than a plot shows, and keep the file small. */
static void put_rounded(struct json *j, const double *v, size_t n, const char *name)
{
    json_open_array(j, name);
    for (size_t i = 0; i < n; i++) {
        char text[32];

        (void)snprintf(text, sizeof text, "%.5g", v[i]);
        json_put_num(j, NULL, isfinite(v[i]) ? strtod(text, NULL) : NAN);
    }
    json_close(j);
}

/* A member "curve": {x, mean, half}, the last two by model. */
static void curve_json(const struct results *r, uint32_t world, int metric, struct json *j)
{
    struct curves c;

    curves_make(r, world, metric, QUANTITY_NONE, &c);
    json_open_object(j, "curve");
    put_rounded(j, c.x, c.npoints, "x");
    json_open_array(j, "mean");
    for (size_t m = 0; m < c.nmodels; m++)
        put_rounded(j, c.mean + m * c.npoints, c.npoints, NULL);
    json_close(j);
    json_open_array(j, "half");
    for (size_t m = 0; m < c.nmodels; m++)
        put_rounded(j, c.half + m * c.npoints, c.npoints, NULL);
    json_close(j);
    json_close(j);
    curves_free(&c);
}

/* ---- findings ---- */

static void findings_json(const struct results *r, const struct claim_result *claims,
                          struct json *j)
{
    LOCAL_BUF text = BUF_INIT(1 << 22);
    struct str rest, line;

    say_findings(r, claims, &text);
    rest = buf_str(&text);
    json_open_array(j, "findings");
    while (str_cut(&rest, '\n', &line))
        json_put_str(j, NULL, line);
    json_close(j);
}

/* ---- a world ---- */

static void figures_json(const struct result_world *w, struct json *j)
{
    json_open_object(j, "counts");
    json_put_int(j, "pages", w->pages);
    json_put_int(j, "hosts", w->hosts);
    json_put_int(j, "links", (int64_t)w->links);
    json_put_int(j, "topics", (int64_t)w->ntopics);
    if (w->skipped)
        json_put_int(j, "topics without seeds", w->skipped);
    if (w->versions > w->pages)
        json_put_int(j, "versions", w->versions);
    json_close(j);
    json_open_object(j, "figures");
    json_put_num(j, "out-degree exponent", w->out_exponent);
    json_put_num(j, "in-degree exponent", w->in_exponent);
    json_put_num(j, "clustering", w->clustering);
    json_put_num(j, "mean distance", w->mean_distance);
    json_put_num(j, "topical locality", w->locality);
    json_close(j);
}

static uint32_t targets_of(const struct results *r, uint32_t world, uint32_t topic)
{
    for (size_t i = 0; i < r->nruns; i++)
        if (r->runs[i].world == world && r->runs[i].topic == topic)
            return r->runs[i].targets;
    return 0;
}

static void topics_json(const struct results *r, uint32_t world, struct json *j)
{
    const struct result_world *w = &r->worlds[world];

    json_open_array(j, "topics");
    for (uint32_t t = 0; t < w->ntopics; t++) {
        json_open_object(j, NULL);
        json_put_z(j, "name", w->topics[t]);
        json_put_z(j, "words", w->words ? w->words[t] : NULL);
        json_put_int(j, "targets", targets_of(r, world, t));
        json_close(j);
    }
    json_close(j);
}

/* By model, then by topic, at the place that boxes and topics look at. */
static void values_json(const struct results *r, uint32_t world, int metric, struct json *j)
{
    struct summary s;

    summary_make(r, world, metric, report_place(r), &s);
    json_open_array(j, "values");
    for (size_t m = 0; m < s.nmodels; m++) {
        json_open_array(j, NULL);
        for (size_t t = 0; t < s.ntopics; t++)
            json_put_num(j, NULL, s.values[m * s.ntopics + t]);
        json_close(j);
    }
    json_close(j);
    summary_free(&s);
}

static void metric_json(const struct results *r, uint32_t world, int metric, struct json *j)
{
    int row = metric_find(str_of(r->metrics[metric]));

    json_open_object(j, NULL);
    json_put_z(j, "name", r->metrics[metric]);
    json_put_z(j, "help", row >= 0 ? metric_table[row].help : "");
    json_put_bool(j, "share", row >= 0 && metric_table[row].is_share);
    json_put_int(j, "direction", report_direction(r, metric));
    json_put_bool(j, "alike", report_is_alike(r, world, metric));
    json_open_array(j, "places");
    for (size_t k = 0; k < r->plan->nat; k++)
        place_json(r, world, metric, r->plan->at[k], j);
    json_close(j);
    values_json(r, world, metric, j);
    curve_json(r, world, metric, j);
    json_close(j);
}

static int by_end(const void *a, const void *b)
{
    const struct result_run *x = *(const struct result_run *const *)a;
    const struct result_run *y = *(const struct result_run *const *)b;
    int order = strcmp(x->end ? x->end : "", y->end ? y->end : "");

    return order ? order : (x->model > y->model) - (x->model < y->model);
}

/* A way to end, with the models whose runs ended so. */
static void ending_json(const struct result_run *const *runs, size_t n, struct json *j)
{
    json_open_object(j, NULL);
    json_put_z(j, "end", runs[0]->end ? runs[0]->end : "unknown");
    json_put_int(j, "runs", (int64_t)n);
    json_open_array(j, "models");
    for (size_t i = 0; i < n; i++)
        if (i == 0 || runs[i]->model != runs[i - 1]->model)
            json_put_int(j, NULL, runs[i]->model);
    json_close(j);
    json_close(j);
}

static void endings_json(const struct results *r, uint32_t world, struct json *j)
{
    const struct result_run **runs = mem_zero(r->nruns + 1, sizeof *runs);
    size_t n = 0;

    for (size_t i = 0; i < r->nruns; i++)
        if (r->runs[i].world == world)
            runs[n++] = &r->runs[i];
    qsort(runs, n, sizeof *runs, by_end);
    json_open_array(j, "endings");
    for (size_t from = 0, to; from < n; from = to) {
        const char *end = runs[from]->end ? runs[from]->end : "";

        for (to = from + 1; to < n && strcmp(runs[to]->end ? runs[to]->end : "", end) == 0; to++)
            ;
        ending_json(runs + from, to - from, j);
    }
    json_close(j);
    free(runs);
}

static void world_json(const struct results *r, uint32_t world, struct json *j)
{
    LOCAL_BUF few = BUF_INIT(1000);

    if (report_needs_topics(r, world))
        say_too_few(&few, r, world);
    json_open_object(j, NULL);
    json_put_z(j, "name", r->plan->worlds[world].name);
    json_put_text(j, "too_few", buf_str(&few));
    figures_json(&r->worlds[world], j);
    topics_json(r, world, j);
    json_open_array(j, "metrics");
    for (int m = 0; m < (int)r->nmetrics; m++)
        if (report_applies(r, world, m))
            metric_json(r, world, m, j);
    json_close(j);
    endings_json(r, world, j);
    json_close(j);
}

/* ---- models ---- */

static void option_json(const struct option *o, const void *values, const void *defaults,
                        struct json *j)
{
    LOCAL_BUF value = BUF_INIT(4096), usual = BUF_INIT(4096);

    option_show(o, values, &value);
    option_show(o, defaults, &usual);
    json_open_object(j, NULL);
    json_put_z(j, "name", o->name);
    json_put_str(j, "value", buf_str(&value));
    json_put_str(j, "default", buf_str(&usual));
    json_put_z(j, "help", o->help);
    json_close(j);
}

/* The options as the runs had them: defaults, then the plan's settings. */
static void options_json(const struct model_ops *ops, const struct plan_model *m, struct json *j)
{
    void *values = mem_zero(1, ops->options_size + 1);
    void *defaults = mem_zero(1, ops->options_size + 1);

    options_init(ops->options, values);
    options_init(ops->options, defaults);
    for (size_t i = 0; i < m->settings.count; i++) {
        struct str value = str_of(m->settings.items[i]), name;
        const struct option *o;

        (void)str_cut(&value, '=', &name);
        o = option_find(ops->options, name);
        if (o && option_set(o, values, value) != ST_OK)
            continue; /* the plan was checked: its runs had this setting */
    }
    for (const struct option *o = ops->options; o->name; o++)
        option_json(o, values, defaults, j);
    options_free(ops->options, values);
    options_free(ops->options, defaults);
    free(values);
    free(defaults);
}

static void models_json(const struct results *r, struct json *j)
{
    json_open_array(j, "models");
    for (uint32_t i = 0; i < r->plan->nmodels; i++) {
        const struct plan_model *m = &r->plan->models[i];
        const struct model_ops *ops = model_find(str_of(m->name));

        json_open_object(j, NULL);
        json_put_z(j, "label", m->label);
        json_put_bool(j, "lab_only", report_is_lab_only(r, i));
        json_put_z(j, "summary", ops ? ops->summary : NULL);
        json_put_z(j, "source", ops ? ops->source : NULL);
        json_open_array(j, "options");
        if (ops && ops->options)
            options_json(ops, m, j);
        json_close(j);
        json_close(j);
    }
    json_close(j);
}

/* ---- settings of the plan, defaults included: pairs of name and value ---- */

static void setting(struct json *j, const char *name, const char *fmt, ...) PRINTF_LIKE(3, 4);
static void setting(struct json *j, const char *name, const char *fmt, ...)
{
    LOCAL_BUF text = BUF_INIT(1 << 16);
    va_list args;

    va_start(args, fmt);
    buf_addv(&text, fmt, args);
    va_end(args);
    json_open_array(j, NULL);
    json_put_z(j, NULL, name);
    json_put_str(j, NULL, buf_str(&text));
    json_close(j);
}

static void quantity_setting(struct json *j, const char *name, const struct quantity *q, size_t n)
{
    LOCAL_BUF text = BUF_INIT(4096);

    for (size_t i = 0; i < n; i++) {
        buf_add_z(&text, i ? ", " : "");
        quantity_show(q[i], &text);
    }
    if (n > 0 && q[0].kind != QUANTITY_NONE)
        setting(j, name, "%.*s", STR_ARG(buf_str(&text)));
}

static void list_setting(struct json *j, const char *name, const struct text_list *l,
                         const char *empty)
{
    LOCAL_BUF text = BUF_INIT(1 << 16);

    for (size_t i = 0; i < l->count; i++)
        buf_addf(&text, "%s%s", i ? ", " : "", l->items[i]);
    setting(j, name, "%s", l->count ? text.data : empty);
}

static void topic_settings(struct json *j, const struct plan *p)
{
    if (p->label_topics)
        setting(j, "topics", "labels with at least %u targets and at most %g %% of the pages%s",
                p->label_min, p->label_max * 100, p->label_most ? ", spread evenly" : "");
    else
        list_setting(j, "topics", &p->topics, "none");
    if (p->label_topics && p->label_most)
        setting(j, "topics at most", "%u", p->label_most);
    if (p->seed_rule == SEEDS_DISTANCE)
        setting(j, "seeds", "%u, %u links back from targets", p->seed_count, p->seed_distance);
    else if (p->seeds_off)
        setting(j, "seeds", "%u on the topic, %u off it", p->seed_count, p->seeds_off);
    else
        setting(j, "seeds", p->seed_rule == SEEDS_APART ? "%u on as many hosts" : "%u on the topic",
                p->seed_count);
    if (p->positive || p->negative)
        setting(j, "examples", "%u on the topic, %u off it", p->positive, p->negative);
    if (p->idf == IDF_LEARNED)
        setting(j, "document frequencies", "learned during the crawl");
    if (!p->label_topics)
        setting(j, "relevant from", "%g", p->relevant);
}

static void world_setting(struct json *j, const struct plan_world *w)
{
    LOCAL_BUF name = BUF_INIT(4096), text = BUF_INIT(1 << 16);

    buf_addf(&name, "world %s", w->name);
    buf_addf(&text, w->dir ? "directory %s" : "made:", w->dir);
    for (size_t i = 0; i < w->made_of.count; i++)
        buf_addf(&text, " %s", w->made_of.items[i]);
    for (size_t i = 0; i < w->exclude.count; i++)
        buf_addf(&text, "%s%s", i ? ", " : "; without ", w->exclude.items[i]);
    for (size_t i = 0; i < w->main.count; i++)
        buf_addf(&text, "%s%s", i ? ", " : "; of main text alone: ", w->main.items[i]);
    setting(j, name.data, "%s", text.data);
}

static void settings_json(const struct plan *p, struct json *j)
{
    char delay[UNITS_TEXT];

    json_open_array(j, "settings");
    for (size_t w = 0; w < p->nworlds; w++)
        world_setting(j, &p->worlds[w]);
    topic_settings(j, p);
    quantity_setting(j, "pages a run", &p->pages, 1);
    quantity_setting(j, "simulated time a run", &p->time, 1);
    setting(j, "repeats", "%u", p->repeats);
    setting(j, "rng", "%llu", (unsigned long long)p->rng);
    setting(j, "connections", "%u", p->connections);
    setting(j, "connections a host", "%u", p->per_host);
    setting(j, "delay", "%s", units_show_duration(p->delay, delay));
    setting(j, "a download takes", "%s",
            p->latency    ? units_show_duration(p->latency, delay)
            : p->measured ? "as measured on the web"
                          : "as the world says");
    setting(j, "robots.txt", "%s", p->robots ? "obeyed" : "not looked at");
    setting(j, "pages a host", p->host_budget ? "%u" : "any number", p->host_budget);
    quantity_setting(j, "sampled every", &p->sample, 1);
    quantity_setting(j, "looked at", p->at, p->nat);
    list_setting(j, "metrics", &p->metrics, "all that apply");
    setting(j, "brood", "%s", BROOD_VERSION);
    json_close(j);
}

/* ---- all ---- */

void report_page_json(const struct results *r, const char *command, struct buf *out)
{
    static const char *const units[] = {[QUANTITY_NONE] = "pages",
                                        [QUANTITY_PAGES] = "pages",
                                        [QUANTITY_SHARE] = "share",
                                        [QUANTITY_TIME] = "seconds"};
    struct claim_result *claims = claims_judge(r);
    struct json j;

    json_begin(&j, out);
    json_put_z(&j, "name", r->plan->name);
    json_put_z(&j, "about", r->plan->about);
    json_put_z(&j, "version", BROOD_VERSION);
    json_put_z(&j, "command", command);
    json_put_z(&j, "unit", units[r->plan->sample.kind]);
    json_put_int(&j, "repeats", r->plan->repeats);
    json_put_int(&j, "runs", (int64_t)r->nruns);
    findings_json(r, claims, &j);
    claims_json(r, claims, &j);
    models_json(r, &j);
    json_open_array(&j, "worlds");
    for (uint32_t w = 0; w < r->plan->nworlds; w++)
        world_json(r, w, &j);
    json_close(&j);
    settings_json(r->plan, &j);
    json_put_str(&j, "plan", buf_str(&r->plan->text));
    json_close(&j);
    claims_free(claims, r->plan->nclaims);
}
