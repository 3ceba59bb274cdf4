/* results_write.c - results.json and results.csv: same runs, same bytes.
 *
 * They have no data of the machine: paths are those of the plan, and times are simulated.
 * SPDX-License-Identifier: MIT */
#include "lab/run/results.h"

#include "base/os/file.h"
#include "base/json.h"

#include <openssl/evp.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define ANY_SIZE (SIZE_MAX / 2) /* of what we made ourselves */

/* ---- JSON ---------------------------------------------------------------- */

/* Ends a line after each of many similar items, so that files can be compared line by line. */
static void end_line(struct json *j)
{
    buf_add_char(j->out, '\n');
}

static void put_quantity(struct json *j, const char *name, struct quantity q)
{
    LOCAL_BUF b = BUF_INIT(100);

    quantity_show(q, &b);
    if (q.kind == QUANTITY_NONE)
        json_put_null(j, name);
    else
        json_put_str(j, name, buf_str(&b));
}

static void put_texts(struct json *j, const char *name, const struct text_list *l)
{
    json_open_array(j, name);
    for (size_t i = 0; i < l->count; i++)
        json_put_z(j, NULL, l->items[i]);
    json_close(j);
}

static void put_plan(struct json *j, const struct plan *p)
{
    json_open_object(j, "plan");
    json_put_z(j, "topics", p->label_topics ? "labels" : "words");
    if (p->label_topics) {
        json_put_int(j, "label_min", p->label_min);
        json_put_num(j, "label_max", p->label_max);
        json_put_int(j, "label_most", p->label_most);
    }
    json_put_z(j, "seeds",
               p->seed_rule == SEEDS_DISTANCE ? "distance"
               : p->seed_rule == SEEDS_APART  ? "apart"
                                              : "on-topic");
    json_put_int(j, "seed_count", p->seed_count);
    json_put_int(j, "seed_distance", p->seed_distance);
    json_put_int(j, "positive", p->positive);
    json_put_int(j, "negative", p->negative);
    put_quantity(j, "pages", p->pages);
    put_quantity(j, "time", p->time);
    put_quantity(j, "sample", p->sample);
    json_open_array(j, "at");
    for (size_t i = 0; i < p->nat; i++)
        put_quantity(j, NULL, p->at[i]);
    json_close(j);
    json_put_int(j, "repeats", p->repeats);
    json_put_int(j, "rng", (int64_t)p->rng);
    json_put_num(j, "relevant", p->relevant);
    json_put_z(j, "idf", p->idf == IDF_LEARNED ? "learned" : "world");
    json_put_int(j, "connections", p->connections);
    json_put_int(j, "per_host", p->per_host);
    json_put_num(j, "delay", (double)p->delay / 1e6);
    json_put_num(j, "patience", p->patience);
    if (p->latency)
        json_put_num(j, "latency", (double)p->latency / 1e6);
    if (p->measured)
        json_put_bool(j, "measured", true);
    if (p->slow > 0) {
        json_put_num(j, "slow", p->slow);
        json_put_num(j, "slow_latency", (double)p->slow_latency / 1e6);
    }
    json_put_bool(j, "robots", p->robots);
    json_put_int(j, "host_budget", p->host_budget);
    json_close(j);
    end_line(j);
}

static void put_topics(struct json *j, const struct result_world *w)
{
    json_open_array(j, "topics");
    for (size_t i = 0; i < w->ntopics; i++) {
        json_open_object(j, NULL);
        json_put_z(j, "name", w->topics[i]);
        json_put_z(j, "words", w->words[i]);
        json_close(j);
    }
    json_close(j);
}

static void put_worlds(struct json *j, const struct results *r)
{
    json_open_array(j, "worlds");
    for (size_t i = 0; i < r->plan->nworlds; i++) {
        const struct result_world *w = &r->worlds[i];

        json_open_object(j, NULL);
        json_put_z(j, "name", w->name);
        json_put_z(j, "dir", r->plan->worlds[i].dir);
        put_texts(j, "make", &r->plan->worlds[i].made_of);
        put_texts(j, "exclude", &r->plan->worlds[i].exclude);
        if (r->plan->worlds[i].main.count)
            put_texts(j, "main", &r->plan->worlds[i].main);
        json_put_int(j, "pages", w->pages);
        json_put_int(j, "hosts", w->hosts);
        json_put_int(j, "versions", w->versions);
        json_put_int(j, "links", (int64_t)w->links);
        json_put_num(j, "out_exponent", w->out_exponent);
        json_put_num(j, "in_exponent", w->in_exponent);
        json_put_num(j, "clustering", w->clustering);
        json_put_num(j, "mean_distance", w->mean_distance);
        json_put_num(j, "locality", w->locality);
        json_put_int(j, "skipped_topics", w->skipped);
        json_put_z(j, "digest", w->digest);
        put_topics(j, w);
        json_close(j);
        end_line(j);
    }
    json_close(j);
    end_line(j);
}

static void put_models(struct json *j, const struct plan *p)
{
    json_open_array(j, "models");
    for (size_t i = 0; i < p->nmodels; i++) {
        json_open_object(j, NULL);
        json_put_z(j, "label", p->models[i].label);
        json_put_z(j, "name", p->models[i].name);
        put_texts(j, "set", &p->models[i].settings);
        json_close(j);
        end_line(j);
    }
    json_close(j);
    end_line(j);
}

/* The mean over topics of one model in one world at one place, of every metric. */
static void put_summary(struct json *j, const struct results *r, uint32_t world, uint32_t model,
                        struct quantity at)
{
    json_open_object(j, NULL);
    json_put_z(j, "world", r->worlds[world].name);
    json_put_z(j, "model", r->plan->models[model].label);
    put_quantity(j, "at", at);
    json_put_int(j, "topics", (int64_t)r->worlds[world].ntopics);
    for (size_t k = 0; k < r->nmetrics; k++) {
        double sum = 0;
        size_t n = 0;

        for (uint32_t t = 0; t < r->worlds[world].ntopics; t++) {
            double v = result_topic_mean(r, world, t, model, (int)k, at);

            if (!isnan(v)) {
                sum += v;
                n++;
            }
        }
        json_put_num(j, r->metrics[k], n ? sum / (double)n : NAN);
    }
    json_close(j);
    end_line(j);
}

static void put_summaries(struct json *j, const struct results *r)
{
    json_open_array(j, "summary");
    for (uint32_t w = 0; w < r->plan->nworlds; w++)
        for (size_t a = 0; a < r->plan->nat; a++)
            for (uint32_t m = 0; m < r->plan->nmodels; m++)
                put_summary(j, r, w, m, r->plan->at[a]);
    json_close(j);
    end_line(j);
}

static void put_run(struct json *j, const struct results *r, const struct result_run *run)
{
    json_open_object(j, NULL);
    json_put_z(j, "world", r->worlds[run->world].name);
    json_put_z(j, "topic", r->worlds[run->world].topics[run->topic]);
    json_put_z(j, "model", r->plan->models[run->model].label);
    json_put_int(j, "repeat", run->repeat);
    json_put_int(j, "targets", run->targets);
    json_put_int(j, "reachable", run->reachable);
    json_put_int(j, "pages", (int64_t)run->pages);
    json_put_num(j, "seconds", run->seconds);
    json_put_z(j, "end", run->end);
    json_open_array(j, "x");
    for (size_t i = 0; i < run->npoints; i++)
        json_put_num(j, NULL, run->x[i]);
    json_close(j);
    json_open_object(j, "values");
    for (size_t k = 0; k < r->nmetrics; k++) {
        json_open_array(j, r->metrics[k]);
        for (size_t i = 0; i < run->npoints; i++)
            json_put_num(j, NULL, run->values[i * r->nmetrics + k]);
        json_close(j);
    }
    json_close(j);
    json_close(j);
    end_line(j);
}

/* Writes the origin of the figures: the program, and the plan (sha256sum of its file). */
static void put_provenance(struct json *j, const struct results *r)
{
    unsigned char digest[EVP_MAX_MD_SIZE];
    char hex[2 * EVP_MAX_MD_SIZE + 1] = "";
    struct str text = buf_str(&r->plan->text);
    unsigned len = 0;

    if (EVP_Digest(text.ptr, text.len, digest, &len, EVP_sha256(), NULL) != 1)
        len = 0;
    for (unsigned i = 0; i < len; i++)
        (void)snprintf(hex + 2 * i, 3, "%02x", digest[i]);
    json_put_z(j, "brood", BROOD_VERSION);
    json_put_z(j, "commit", r->commits);
    json_put_z(j, "plan_sha256", hex);
}

enum status results_write_json(const struct results *r, const char *path)
{
    LOCAL_BUF out = BUF_INIT(ANY_SIZE);
    struct json j;

    json_begin(&j, &out);
    json_put_z(&j, "name", r->plan->name);
    json_put_z(&j, "about", r->plan->about);
    put_provenance(&j, r);
    json_put_bool(&j, "complete", results_complete(r));
    put_plan(&j, r->plan);
    put_worlds(&j, r);
    put_models(&j, r->plan);
    json_open_array(&j, "metrics");
    for (size_t k = 0; k < r->nmetrics; k++)
        json_put_z(&j, NULL, r->metrics[k]);
    json_close(&j);
    end_line(&j);
    put_summaries(&j, r);
    json_open_array(&j, "runs");
    for (size_t i = 0; i < r->nruns; i++)
        put_run(&j, r, &r->runs[i]);
    json_close(&j);
    json_close(&j);
    end_line(&j);
    return file_write(path, buf_str(&out));
}

/* ---- CSV ----------------------------------------------------------------- */

static void put_field(struct buf *out, const char *text)
{
    if (strpbrk(text, ",\"\r\n") == NULL) {
        buf_add_z(out, text);
        return;
    }
    buf_add_char(out, '"');
    for (const char *c = text; *c; c++) {
        if (*c == '"')
            buf_add_char(out, '"');
        buf_add_char(out, *c);
    }
    buf_add_char(out, '"');
}

/* Writes nothing if it does not apply; else the shortest text that reads back as the same
 * number. */
static void put_number(struct buf *out, double v)
{
    char text[40];

    buf_add_char(out, ',');
    if (!isfinite(v))
        return;
    for (int digits = 6; digits <= 17; digits++) {
        (void)snprintf(text, sizeof text, "%.*g", digits, v);
        if (strtod(text, NULL) == v)
            break;
    }
    buf_add_z(out, text);
}

static void put_rows(struct buf *out, const struct results *r, const struct result_run *run)
{
    for (size_t i = 0; i < run->npoints; i++) {
        put_field(out, r->worlds[run->world].name);
        buf_add_char(out, ',');
        put_field(out, r->worlds[run->world].topics[run->topic]);
        buf_add_char(out, ',');
        put_field(out, r->plan->models[run->model].label);
        buf_addf(out, ",%u,%u,%u", run->repeat, run->targets, run->reachable);
        put_number(out, run->x[i]);
        for (size_t k = 0; k < r->nmetrics; k++)
            put_number(out, run->values[i * r->nmetrics + k]);
        buf_add_char(out, '\n');
    }
}

enum status results_write_csv(const struct results *r, const char *path)
{
    LOCAL_BUF out = BUF_INIT(ANY_SIZE);

    buf_add_z(&out, "world,topic,model,repeat,targets,reachable,x");
    for (size_t k = 0; k < r->nmetrics; k++)
        buf_addf(&out, ",%s", r->metrics[k]);
    buf_add_char(&out, '\n');
    for (size_t i = 0; i < r->nruns; i++)
        put_rows(&out, r, &r->runs[i]);
    return file_write(path, buf_str(&out));
}
