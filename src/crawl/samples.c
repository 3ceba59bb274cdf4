/* samples.c - current figures, once a second: for curves, and to show what a crawl waits for.
 *
 *   wait.politeness   choices whose host wants to be left alone a while
 *   wait.patience     hosts that could be asked, and have nothing worth it (--patience)
 *   wait.dns          names being looked up        wait.robots   robots.txt under way
 *   wait.server       pages under way
 *   wait.cpu          share of the second in which the mind was busy
 *   wait.store        share of its turns in which the store had no room
 *   left              seconds until it ends, where that can be told
 *   memory            bytes of the process in memory
 *   found, expected   pages of the topic, where the model can tell (enough.h)
 *   copies, copies.age, copies.freshness, copies.looks, copies.changes   of a watch (copies.h)
 *   model.NAME        every number that the model says of itself
 *
 * Thread: the mind. SPDX-License-Identifier: MIT */
#include "agent/population.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/os/clock.h"
#include "bus/bus.h"
#include "crawl/crawl_int.h"
#include "crawl/watch/copies.h"
#include "frontier/frontier.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>

/* ---- the books of energy, as keys of the crawl: with each checkpoint ---- */

static void key_number(struct crawl *c, const char *name, double number)
{
    struct event e = {.kind = EVENT_KEY, .at = c->now, .key = {.name = str_of(name)}};
    char value[40];

    (void)snprintf(value, sizeof value, "%.17g", number);
    e.key.value = str_of(value);
    bus_post(c->bus, &e);
}

void books_post(struct crawl *c)
{
    const struct model *m = c->model;
    struct ledger l = population_ledger(c->population);
    const struct {
        const char *name;
        double value;
    } accounts[] = {
        {"energy.living", l.living},         {"energy.dead", l.dead},   {"energy.cut", l.cut},
        {"energy.pages", model_on_pages(m)}, {"energy.given", l.given}, {"energy.earned", l.earned},
        {"energy.burnt", l.burnt},
    };

    if (!(l.given > 0) && !(fabs(l.came) > 0)) /* a model without energy */
        return;
    if (c->node) {
        key_number(c, "energy.left", l.left);
        key_number(c, "energy.came", l.came);
        key_number(c, "energy.lost", l.lost);
    }
    for (size_t i = 0; i < ARRAY_LEN(accounts); i++)
        key_number(c, accounts[i].name, accounts[i].value);
}

/* ---- the model's own figures ----
 *
 * A key of the crawl: JSON, with each checkpoint and at the end. In a simulated run, which stores
 * nothing, listeners get it. */

#define FIGURES_MAX 65536

/* Returns false if the model has no figures of its own, or too many. */
static bool figures_describe(const struct crawl *c, struct buf *out)
{
    struct json j;

    json_begin(&j, out);
    c->model->ops->describe(c->model, &j);
    json_close(&j);
    return !out->full;
}

void figures_post(struct crawl *c)
{
    struct event e = {.kind = EVENT_KEY, .at = c->now, .key = {.name = STR("model.figures")}};
    LOCAL_BUF text = BUF_INIT(FIGURES_MAX);
    bool whole = figures_describe(c, &text);

    e.key.value = buf_str(&text);
    if (whole)
        bus_post(c->bus, &e);
}

/* Posts the totals that cannot be counted from the rows, under the names that all views use. */
void totals_post(struct crawl *c)
{
    struct crawl_status s;
    struct {
        const char *name;
        double value;
    } totals[4];

    crawl_status(c, &s);
    totals[0].name = "total.failed", totals[0].value = (double)s.failed;
    totals[1].name = "total.received", totals[1].value = (double)s.received;
    totals[2].name = "total.hosts_met", totals[2].value = s.hosts_met;
    totals[3].name = "total.seconds", totals[3].value = (double)s.elapsed / 1e6;
    for (size_t i = 0; i < ARRAY_LEN(totals); i++)
        key_number(c, totals[i].name, totals[i].value);
    if (c->looks) {
        key_number(c, "total.requisites", (double)s.requisites);
        key_number(c, "total.requisite_bytes", (double)s.requisite_bytes);
    }
}

void outlook_post(struct crawl *c)
{
    const struct outlook *o = &c->outlook;

    if (!o->is_known)
        return;
    key_number(c, "outlook.found", o->found);
    key_number(c, "outlook.more", o->more);
    key_number(c, "outlook.least", o->least);
    key_number(c, "outlook.most", o->most);
    key_number(c, "outlook.share", o->share);
}

/* ---- samples ---- */

#define MODEL_SAMPLES 24 /* of the model's own */
#define DESCRIBED_MAX KIB(256)

static void put(struct crawl *c, const char *name, double value)
{
    struct event e = {.kind = EVENT_SAMPLE, .at = c->now, .sample = {str_of(name), value}};

    bus_post(c->bus, &e);
}

static void put_counts(struct crawl *c)
{
    struct frontier_counts f = frontier_counts(c->frontier);
    struct crawl_status s;

    crawl_status(c, &s);
    if (s.left >= 0)
        put(c, "left", (double)s.left / 1e6);
    put(c, "pages", (double)c->pages);
    put(c, "relevant", (double)c->relevant);
    put(c, "mean_relevance", c->pages ? c->relevance_sum / (double)c->pages : 0);
    put(c, "population", population_counts(c->population).alive);
    put(c, "born", population_counts(c->population).born);
    put(c, "urls", f.urls);
    put(c, "waiting", f.waiting + f.wishes);
    put(c, "in_flight", f.in_flight);
    put(c, "bytes", (double)(c->bytes_before + c->bytes));
    put(c, "memory", (double)c->memory.resident);
    if (s.outlook.is_known) {
        put(c, "found", s.outlook.found);
        put(c, "expected", s.outlook.more);
    }
}

static void put_waits(struct crawl *c)
{
    struct waits *w = &c->waits;
    int64_t span = c->now - w->since;

    put(c, "wait.politeness", frontier_delayed(c->frontier, c->now));
    put(c, "wait.patience", frontier_counts(c->frontier).held);
    put(c, "wait.dns", w->under_way[REQUEST_RESOLVE]);
    put(c, "wait.robots", w->under_way[REQUEST_ROBOTS]);
    put(c, "wait.server", w->under_way[REQUEST_PAGE]);
    if (w->since && span > 0) {
        double busy = 1 - (double)w->waited / (double)span;

        put(c, "wait.cpu", busy < 0 ? 0 : busy);
        put(c, "wait.store", w->turns ? (double)w->stuck / w->turns : 0);
    }
    w->since = c->now;
    w->waited = 0;
    w->turns = w->stuck = 0;
}

static void put_energy(struct crawl *c)
{
    struct ledger l = population_ledger(c->population);

    if (!(l.given > 0))
        return;
    put(c, "energy.agents", l.living);
    put(c, "energy.pages", model_on_pages(c->model));
}

static void put_copies(struct crawl *c)
{
    struct copies_state s;

    if (c->copies == NULL)
        return;
    s = copies_state(c->copies, c->now);
    put(c, "copies", (double)s.copies);
    put(c, "copies.looks", (double)s.looks);
    put(c, "copies.changes", (double)s.changes);
    if (isnan(s.freshness))
        return;
    put(c, "copies.age", s.age);
    put(c, "copies.freshness", s.freshness);
}

/* Posts the model's numbers. Its figures are read back from JSON, because only the model knows
 * them. */
static void put_model(struct crawl *c)
{
    LOCAL_BUF text = BUF_INIT(DESCRIBED_MAX);
    int left = MODEL_SAMPLES;
    const char *name;
    json_t *all, *value;
    bool whole = figures_describe(c, &text);

    all = whole ? json_loadb(text.data, text.len, 0, NULL) : NULL;
    json_object_foreach(all, name, value)
    {
        char metric[80];

        if (!json_is_number(value) || left-- <= 0)
            continue;
        (void)snprintf(metric, sizeof metric, "model.%.60s", name);
        put(c, metric, json_number_value(value));
    }
    json_decref(all);
}

void samples_post(struct crawl *c, bool now)
{
    if (c->store == NULL || (!now && c->now < c->sample_at) || c->trouble[0] != '\0')
        return;
    c->sample_at = c->now + (c->sample_step ? c->sample_step : US_PER_S);
    put_counts(c);
    put_waits(c);
    put_energy(c);
    put_copies(c);
    put_model(c);
    if (c->range.most) {
        put(c, "bounds.low", c->range.least);
        put(c, "bounds.high", c->range.most);
    }
    if (population_cap(c->population))
        put(c, "bounds.cap", population_cap(c->population));
}

void samples_hear(void *crawl, const struct event *e)
{
    struct crawl *c = crawl;

    if (e->kind != EVENT_RANGE)
        return;
    c->range.least = e->range.least;
    c->range.most = e->range.most;
}
