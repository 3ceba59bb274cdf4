/* crawl.c - the list of crawls, the overview of one, its curves.
 * SPDX-License-Identifier: MIT */
#include "agent/outlook.h"
#include "base/os/clock.h"
#include "crawl/options.h"
#include "dash/dash_int.h"
#include "dash/far/far.h"

#include <math.h>
#include <stdio.h>

/* ---- figures ------------------------------------------------------------- */

static int64_t pages_limit(struct dash_crawl *c)
{
    double kept;

    if (c->live.answers && c->live.pages_limit >= 0)
        return c->live.pages_limit;
    kept = crawl_key_number(c, "option.pages", 0);
    return kept > 0 && kept < 1e18 ? (int64_t)kept : 0;
}

static void put_key(struct json *j, struct dash_crawl *c, const char *name, const char *key)
{
    struct buf text = BUF_INIT(LIMIT_TOPIC_FILE);

    crawl_key(c, key, &text);
    json_put_text(j, name, buf_str(&text));
    buf_free(&text);
}

static void put_totals(struct json *j, struct dash_crawl *c)
{
    const struct view_totals *t = view_totals(c->view);

    json_put_int(j, "pages", (int64_t)t->pages);
    json_put_ref(j, "pages_limit", (uint64_t)pages_limit(c));
    json_put_int(j, "relevant", (int64_t)t->relevant);
    json_put_int(j, "alive", (int64_t)t->alive);
    json_put_int(j, "born", (int64_t)t->born);
    json_put_int(j, "hosts", (int64_t)t->hosts);
    json_put_int(j, "hosts_met", (int64_t)t->hosts_met);
    json_put_int(j, "failed", (int64_t)t->failed);
    json_put_int(j, "bytes", (int64_t)t->bytes);
    json_put_int(j, "received", (int64_t)t->received);
    json_put_num(j, "seconds", t->seconds);
}

/* Writes how much of the topic is found, if the crawl has an estimate. */
static void put_outlook(struct json *j, struct dash_crawl *c)
{
    struct outlook o = {.found = crawl_key_number(c, "outlook.found", -1),
                        .more = crawl_key_number(c, "outlook.more", 0),
                        .least = crawl_key_number(c, "outlook.least", 0),
                        .most = crawl_key_number(c, "outlook.most", 0),
                        .share = crawl_key_number(c, "outlook.share", 0)};

    o.is_known = o.found >= 0;
    outlook_put(&o, j);
}

static void put_identity(struct json *j, struct dash_crawl *c)
{
    json_put_z(j, "id", c->id);
    json_put_z(j, "dir", c->dir);
    json_put_z(j, "name", c->name);
}

/* A row of /api/crawls. */
static void crawl_put(struct json *j, struct dash_crawl *c)
{
    put_identity(j, c);
    put_key(j, c, "topic", "topic");
    put_key(j, c, "model", "model");
    json_put_z(j, "state", crawl_state_name(crawl_state(c)));
    json_put_z(j, "kind", crawl_is_watch(c) ? "watch" : "crawl");
    put_key(j, c, "started_at", "started_at");
    put_totals(j, c);
}

/* Writes a crawl that cannot be read, because it has no database yet, could not begin, or has too
 * large a database. One whose directory is gone is left out. */
static void put_unread(struct json *j, struct dash_crawl *c, enum status st)
{
    char why[512];
    bool started, lives;

    (void)snprintf(why, sizeof why, "%s", status_text());
    crawl_birth(c, &started, &lives);
    if (!started && st != ST_STOPPED)
        return;
    json_open_object(j, NULL);
    put_identity(j, c);
    json_put_z(j, "state", lives ? "starting" : "dead");
    json_put_z(j, "trouble", lives ? NULL : why);
    json_close(j);
}

/* One on several machines: its overview begins with the members of a row. */
static void put_far(struct json *j, struct dash_crawl *c)
{
    struct buf text = BUF_INIT(MIB(4));
    uint64_t version;
    int state;

    if (far_overview(c->far, false, &text, &state, &version) == ST_OK && !text.full)
        json_put_raw(j, NULL, buf_str(&text));
    buf_free(&text);
}

void crawls_put(struct json *j, struct dash *d)
{
    struct dash_crawl *c;

    crawls_scan(&d->crawls, false);
    json_open_array(j, NULL);
    for (size_t i = 0; (c = crawls_at(&d->crawls, i)) != NULL; i++) {
        enum status st;

        if (c->far) {
            put_far(j, c);
            continue;
        }
        crawl_ask(c);
        st = crawl_enter(c, false);
        if (st == ST_OK) {
            json_open_object(j, NULL);
            crawl_put(j, c);
            json_close(j);
            crawl_leave(c);
        } else {
            put_unread(j, c, st);
        }
    }
    json_close(j);
}

static enum status api_crawls(struct call *r)
{
    struct json j;

    json_init(&j, &r->out);
    crawls_put(&j, r->dash);
    return ST_OK;
}

/* ---- overview ------------------------------------------------------------ */

/* Writes a sample's newest value, or null. */
static void put_last(struct json *j, struct dash_crawl *c, const char *name, const char *metric)
{
    json_put_num(j, name, series_last(&c->series, metric));
}

static void put_waiting(struct json *j, struct dash_crawl *c)
{
    static const char *const reasons[] = {"politeness", "patience", "dns",  "robots",
                                          "server",     "cpu",      "store"};

    json_open_object(j, "waiting");
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        char metric[40];

        (void)snprintf(metric, sizeof metric, "wait.%s", reasons[i]);
        put_last(j, c, reasons[i], metric);
    }
    json_close(j);
}

static enum status put_drop(void *ctx, struct str name, uint64_t n)
{
    char text[64];

    (void)snprintf(text, sizeof text, "%.*s", STR_ARG(name));
    json_put_int(ctx, text, (int64_t)n);
    return ST_OK;
}

static void put_energy(struct json *j, struct dash_crawl *c)
{
    static const char *const accounts[] = {"living", "dead",   "pages", "cut",
                                           "given",  "earned", "burnt"};

    if (isnan(crawl_key_number(c, "energy.living", (double)NAN))) {
        json_put_null(j, "energy");
        return;
    }
    json_open_object(j, "energy");
    json_put_num(j, "agents", crawl_key_number(c, "energy.living", 0));
    for (size_t i = 0; i < sizeof accounts / sizeof *accounts; i++) {
        char key[40];

        (void)snprintf(key, sizeof key, "energy.%s", accounts[i]);
        json_put_num(j, accounts[i], crawl_key_number(c, key, 0));
    }
    json_close(j);
}

/* The range the population should stay in: the model's own options. */
static void put_bounds(struct json *j, struct dash_crawl *c)
{
    static const struct {
        const char *name, *metric;
    } bounds[] = {
        {"low", "bounds.low"},
        {"high", "bounds.high"},
        {"cap", "bounds.cap"},
    };

    json_open_object(j, "bounds");
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
        put_last(j, c, bounds[i].name, bounds[i].metric);
    json_close(j);
}

static void put_describe(struct json *j, struct dash_crawl *c)
{
    json_t *figures = crawl_figures(c);

    put_value(j, "describe", figures);
    json_decref(figures);
}

/* Writes why it has paused by itself, or why it ended early and what to do. */
static void put_trouble(struct json *j, struct dash_crawl *c, enum crawl_state state)
{
    bool runs = state == STATE_RUNNING || state == STATE_PAUSED;
    struct buf text = BUF_INIT(KIB(8));

    if (runs)
        buf_add_z(&text, c->live.trouble);
    else if (state == STATE_DEAD || view_totals(c->view)->pages == 0)
        children_said(c->dir, &text);
    if (state == STATE_DEAD)
        buf_addf(&text, "%s\nWhat it had stored is there. To go on: brood %s %s",
                 text.len ? "" : "Its process ended without a message.",
                 crawl_is_watch(c) ? "watch --out" : "resume", c->dir);
    json_put_text(j, "trouble", buf_str(&text));
    buf_free(&text);
}

static void put_live(struct json *j, struct dash_crawl *c)
{
    const struct view_totals *t = view_totals(c->view);
    enum crawl_state state = crawl_state(c);
    bool runs = state == STATE_RUNNING || state == STATE_PAUSED;

    json_put_num(j, "rate_1s", runs ? series_rate(&c->series, "pages", 900 * US_PER_MS) : 0);
    json_put_num(j, "rate_60s", series_rate(&c->series, "pages", 60 * US_PER_S));
    if (state == STATE_RUNNING)
        put_last(j, c, "left", "left");
    json_put_num(j, "mean_relevance", t->pages ? t->relevance_sum / (double)t->pages : 0);
    json_put_num(j, "relevant_threshold", t->threshold);
    put_outlook(j, c);
    json_put_int(j, "duplicates", (int64_t)t->duplicates);
    json_put_int(j, "hidden", (int64_t)t->hidden);
    put_last(j, c, "urls", "urls");
    put_last(j, c, "queue", "waiting");
    put_last(j, c, "in_flight", "in_flight");
    put_waiting(j, c);
    json_open_object(j, "drops");
    (void)!query_drops(c->view, put_drop, j);
    json_close(j);
    json_open_object(j, "agents");
    json_put_int(j, "alive", (int64_t)t->alive);
    json_put_int(j, "born", (int64_t)t->born);
    json_put_int(j, "died", (int64_t)t->died);
    json_close(j);
    put_energy(j, c);
    put_bounds(j, c);
    put_describe(j, c);
    json_put_time(j, "commit_at", c->series.frames ? c->series.at[c->series.frames - 1] : 0);
    put_trouble(j, c, state);
    put_key(j, c, "end", "end");
}

struct option_list {
    struct json *json;
    const struct crawl_options *defaults;
};

/* The path of the user's cookies is private. */
static bool is_private(struct str key)
{
    return str_eq(key, STR("option.header")) || str_eq(key, STR("option.proxy")) ||
           str_eq(key, STR("option.cookies"));
}

/* An option's value, as the database has it. It may contain secrets if somebody else, or
 * an older version, made the crawl. */
static void show_value(struct str name, struct str value, struct buf *out)
{
    const struct option *op = option_find(crawl_option_table, name);
    struct str line;

    for (bool first = true; str_cut(&value, '\n', &line); first = false) {
        buf_add_z(out, first ? "" : "\n");
        secret_hide(op ? op->secret : SECRET_NONE, line, out);
    }
}

static enum status put_option(void *ctx, struct str key, struct str value)
{
    struct buf shown = BUF_INIT(MIB(1));
    struct option_list *list = ctx;
    char name[64];

    if (!str_starts(key, STR("option.")) || value.len == 0 || is_private(key))
        return ST_OK;
    (void)snprintf(name, sizeof name, "%.*s", STR_ARG(str_sub(key, strlen("option."), key.len)));
    show_value(str_of(name), value, &shown);
    json_put_str(list->json, name, buf_str(&shown));
    buf_free(&shown);
    return ST_OK;
}

/* The name of an option that was not changed. */
static enum status put_usual(void *ctx, struct str key, struct str value)
{
    struct option_list *list = ctx;
    struct buf usual = BUF_INIT(KIB(64));

    for (const struct option *op = crawl_option_table; op->name; op++) {
        if (!str_starts(key, STR("option.")) ||
            !str_eq(str_sub(key, strlen("option."), key.len), str_of(op->name)))
            continue;
        crawl_option_text(op, list->defaults, &usual);
        if (str_eq(buf_str(&usual), value))
            json_put_z(list->json, NULL, op->name);
        break;
    }
    buf_free(&usual);
    return ST_OK;
}

static void put_options(struct json *j, struct dash_crawl *c)
{
    struct crawl_options defaults;
    struct option_list options = {j, &defaults};

    crawl_options_init(&defaults);
    json_open_object(j, "options");
    (void)!query_keys(c->view, put_option, &options);
    json_close(j);
    json_open_array(j, "usual");
    (void)!query_keys(c->view, put_usual, &options);
    json_close(j);
    crawl_options_free(&defaults);
}

static enum status put_seed(void *ctx, const struct query_page *p)
{
    json_put_str(ctx, NULL, p->url);
    return ST_OK;
}

/* Writes the seeds as they were given, or else those that were fetched. */
static void put_seeds(struct json *j, struct dash_crawl *c)
{
    struct buf text = BUF_INIT(MIB(1)), shown = BUF_INIT(MIB(1));
    struct str rest, one;

    json_open_array(j, "seeds");
    crawl_key(c, "option.seed", &text);
    show_value(STR("seed"), buf_str(&text), &shown);
    rest = buf_str(&shown);
    while (str_cut(&rest, '\n', &one))
        if (one.len)
            json_put_str(j, NULL, one);
    if (text.len == 0)
        (void)!query_seeds(c->view, 100, put_seed, j);
    json_close(j);
    buf_free(&text);
    buf_free(&shown);
}

static enum status put_name(void *ctx, struct str name)
{
    json_put_str(ctx, NULL, name);
    return ST_OK;
}

void overview_put(struct json *j, struct dash_crawl *c, bool all)
{
    crawl_put(j, c);
    put_live(j, c);
    if (!all)
        return;
    put_seeds(j, c);
    json_open_array(j, "topics");
    (void)!query_topic_names(c->view, put_name, j);
    json_close(j);
    put_options(j, c);
    json_open_array(j, "metrics");
    for (size_t i = 0; i < c->series.metrics; i++)
        json_put_z(j, NULL, c->series.names[i]);
    json_close(j);
}

static enum status api_overview(struct call *r)
{
    enum status st;
    struct json j;

    crawl_ask(r->crawl);
    st = crawl_enter(r->crawl, false);
    if (st != ST_OK)
        return st;
    json_init(&j, &r->out);
    json_open_object(&j, NULL);
    overview_put(&j, r->crawl, true);
    json_close(&j);
    crawl_leave(r->crawl);
    return ST_OK;
}

/* ---- curves -------------------------------------------------------------- */

struct samples_query {
    char *metric;
    int64_t points;
};

#define AT(field) .offset = offsetof(struct samples_query, field)

static const struct option samples_params[] = {
    {TEXT_OPTION("metric", metric, "A,B"),
     .help = "names of curves, separated by commas (the overview lists them in `metrics`)"},
    PARAM_POINTS(struct samples_query, "500"),
    {.name = NULL},
};
#undef AT

static enum status api_samples(struct call *r)
{
    const struct samples_query *q = r->params;
    const struct series *s = &r->crawl->series;
    size_t points = s->frames < (size_t)q->points ? s->frames : (size_t)q->points;
    struct str rest = str_of(q->metric), one;
    struct json j;

    for (size_t n = 0; str_cut(&rest, ',', &one);)
        if (++n > LIMIT_DASH_METRICS)
            return status_fail(ST_USAGE, "metric: at most %d curves", LIMIT_DASH_METRICS);
    rest = str_of(q->metric);
    json_init(&j, &r->out);
    json_open_object(&j, NULL);
    json_open_array(&j, "at");
    for (size_t i = 0; i < points; i++)
        json_put_num(&j, NULL, (double)s->at[series_frame(s, i, points)] / 1e6);
    json_close(&j);
    while (str_cut(&rest, ',', &one)) {
        size_t column = series_find(s, one);
        char name[80];

        (void)snprintf(name, sizeof name, "%.*s", STR_ARG(one));
        json_open_array(&j, name);
        for (size_t i = 0; i < points; i++)
            json_put_num(&j, NULL,
                         column == SIZE_MAX
                             ? (double)NAN
                             : s->values[series_frame(s, i, points) * LIMIT_DASH_METRICS + column]);
        json_close(&j);
    }
    json_close(&j);
    return ST_OK;
}

static enum status api_histogram(struct call *r)
{
    const struct view_totals *t = view_totals(r->crawl->view);
    json_t *figures = crawl_figures(r->crawl);
    const json_t *R = json_object_get(figures, "R");
    struct json j;

    json_init(&j, &r->out);
    json_open_object(&j, NULL);
    json_open_array(&j, "bins");
    for (size_t i = 0; i < VIEW_BINS; i++)
        json_put_int(&j, NULL, (int64_t)t->bins[i]);
    json_close(&j);
    json_put_num(&j, "R", json_is_number(R) ? json_number_value(R) : (double)NAN);
    json_close(&j);
    json_decref(figures);
    return ST_OK;
}

struct events_query {
    char *crawl;
};

static const struct option events_params[] = {
    {.name = "crawl",
     .type = OPTION_TEXT,
     .metavar = "ID",
     .help = "of one crawl; else of the list"},
    {.name = NULL},
};

static enum status api_events(struct call *r)
{
    const char *id = ((const struct events_query *)r->params)->crawl;

    if (id == NULL)
        return ST_OK;
    r->crawl = crawls_find(&r->dash->crawls, str_of(id));
    return r->crawl ? ST_OK : status_fail(ST_MISSING, "there is no crawl '%.40s'", id);
}

const struct route crawl_routes[] = {
    {ROUTE_GET("/api/crawls", "all crawls, running and finished", api_crawls),
     .answer =
         "[{id, dir, name, topic, model, state: \"starting\"|\"running\"|\"paused\"|"
         "\"finished\"|\"dead\", kind: \"crawl\"|\"watch\", started_at, pages, pages_limit, "
         "relevant, alive, born, hosts, hosts_met, failed, bytes, received, seconds}]; of one that "
         "could not begin: {id, "
         "dir, name, state, trouble: what it said}"},
    {ROUTE_GET("/api/crawls/ID", "the overview of one", api_overview), .apart = true,
     .answer =
         "a row of /api/crawls, and {rate_1s, rate_60s, left: seconds, mean_relevance, "
         "relevant_threshold, outlook: {found, more, least, most, share} (where the model can "
         "tell), duplicates, hidden, urls, queue, in_flight, waiting: "
         "{politeness, dns, robots, "
         "server, cpu, store}, drops: {REASON: N}, agents: {alive, born, died}, energy: "
         "{agents, living, dead, pages, cut, given, earned, burnt} or null, bounds: {low, "
         "high, cap}, describe: {…}, commit_at, trouble, end, seeds: [URL], topics: [name] (where "
         "there "
         "are several), options: {…}, usual: [option that was not changed], metrics: [NAME]}; of a "
         "crawl on several machines also {far: true, free_partitions, nodes: [{id, host, state: "
         "\"busy\"|\"idle\"|\"gone\", answers: bool, partitions, pages, relevant, urls, agents, "
         "left "
         "and came: agents that moved, unsent: batches for other nodes, lost: batches}]}"},
    {ROUTE_GET("/api/crawls/ID/samples", "curves over time", api_samples),
     PARAMS(samples_params, struct samples_query), .light = true,
     .answer = "{at: [seconds since 1970], NAME: [value or null], …}"},
    {ROUTE_GET("/api/crawls/ID/histogram", "how relevance is spread", api_histogram), .light = true,
     .answer = "{bins: [50 counts, of 0 to 1], R: the model's threshold or null}"},
    {ROUTE_GET("/api/events",
               "what changes, as server-sent events: `tick` (the overview without seeds, options "
               "and metrics; or the list of crawls), `state` {state}, a comment every 15 s",
               api_events),
     PARAMS(events_params, struct events_query), .kind = REPLY_EVENTS, .type = "text/event-stream"},
    {.path = NULL},
};
