/* wire.c - makes the running parts from the options: the only place that names implementations.
 * SPDX-License-Identifier: MIT */
#include "crawl/looks.h"
#include "crawl/wire.h"

#include "agent/population.h"
#include "models/models.h"
#include "base/limits.h"
#include "base/os/log.h"
#include "base/mem.h"
#include "bus/bus.h"
#include "crawl/watch/base_from.h"
#include "crawl/watch/copies.h"
#include "crawl/crawl_int.h"
#include "crawl/digest.h"
#include "crawl/documents/documents.h"
#include "crawl/start/topic.h"
#include "crawl/identity.h"
#include "crawl/watch/look_up.h"
#include "crawl/judge/judged.h"
#include "crawl/judge/spool.h"
#include "crawl/tell/nature.h"
#include "crawl/node/node.h"
#include "crawl/watch/refresh.h"
#include "crawl/repeats.h"
#include "crawl/start/search_later.h"
#include "crawl/watch/prompt.h"
#include "crawl/tell/wordbook.h"
#include "fetch/identity.h"
#include "frontier/frontier.h"
#include "frontier/scope.h"
#include "store/store.h"
#include "text/profile.h"
#include "text/vocab.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#define HOST_STEP      100  /* pages that a host gets for a page with relevance 1 */
#define URL_STEP       1000 /* more URLs that its domain may name for such a page */
#define LATENCY_FACTOR 2.0  /* a host that answers in 3 s is asked every 6 s */

/* ---- fetch --------------------------------------------------------------- */

const struct fetch_ops *wire_fetch_ops(void)
{
    return &fetch_web;
}

enum status wire_fetch_config(struct wire_fetch *w, const struct crawl_options *o)
{
    enum status st;

    *w = (struct wire_fetch){.user_agent = BUF_INIT(1000)};
    st = credentials_read(o, &w->own);
    if (st == ST_OK && o->identity)
        st = identity_load(o->identity, &w->identity);
    if (st != ST_OK) {
        wire_fetch_config_clear(w);
        return st;
    }
    buf_add_z(&w->user_agent, BROOD_SOFTWARE);
    if (o->contact)
        buf_addf(&w->user_agent, " (+%s)", o->contact);
    w->config = (struct fetch_config){
        .threads = (unsigned)o->threads,
        .connections = (unsigned)o->connections,
        .timeout = o->timeout,
        .connect_timeout = o->timeout / 2,
        .rate = o->rate,
        .user_agent = w->user_agent.data,
        .from = o->contact && strchr(o->contact, '@') ? o->contact : NULL,
        .purpose = o->purpose,
        .identity = w->identity,
        .proxy = o->proxy,
        .ca_file = o->ca_file,
        .cookies = o->cookies,
        .headers = w->own.lines,
        .resolve = (const char *const *)o->resolve.items,
        .allow_private = o->allow_private,
        .private_only = o->contact == NULL,
        .archive = !o->no_warc,
    };
    return ST_OK;
}

void wire_fetch_config_clear(struct wire_fetch *w)
{
    credentials_clear(&w->own);
    identity_free(w->identity);
    buf_free(&w->user_agent);
}

/* ---- the crawl's parts --------------------------------------------------- */

static struct str href_of(void *engine, uint32_t url)
{
    struct url_view view;

    return frontier_url(((struct crawl *)engine)->frontier, url, &view) ? view.href : STR("");
}

static float score_words(void *engine, const struct percept *p, struct span words, bool raw)
{
    struct crawl *c = engine;

    return raw ? profile_span_raw(c->profiler, p->profile, words)
               : profile_span(c->profiler, p->profile, words, c->table);
}

static void model_dropped(void *engine, uint32_t url)
{
    struct event e = {.kind = EVENT_DROP, .drop = {.id = url, .why = DROP_MODEL}};
    struct crawl *c = engine;
    struct url_view view;

    e.at = c->now;
    if (frontier_url(c->frontier, url, &view))
        e.drop.url = view.href;
    bus_post(c->bus, &e);
}

static void model_says(void *engine, const char *sentence)
{
    struct crawl *c = engine;

    log_line(c->log, LOG_WARN, c->now, "%s", sentence);
    free(c->said);
    c->said = str_dup(str_of(sentence));
}

void wire_population_event(void *ctx, const struct event *e)
{
    nature_hear(ctx, e);
    bus_post(((struct crawl *)ctx)->bus, e);
}

enum status wire_make_scope(const struct crawl_options *o, struct scope *ret)
{
    LOCAL_BUF text = BUF_INIT(LIMIT_SEEDS_FILE);

    for (size_t i = 0; i < o->scope.count; i++)
        TRY(scope_allow(ret, str_of(o->scope.items[i])));
    for (size_t i = 0; i < o->exclude.count; i++)
        TRY(scope_exclude(ret, str_of(o->exclude.items[i])));
    if (o->exclude_hosts) {
        TRY(option_file_read("exclude-hosts", o->exclude_hosts, &text));
        TRY(scope_exclude_hosts(ret, buf_str(&text)));
    }
    return ST_OK;
}

enum status wire_make_hosts(const struct crawl_options *o, struct host_settings *into)
{
    enum status st = ST_OK;

    for (size_t i = 0; i < o->hosts.count && st == ST_OK; i++) {
        st = host_settings_add(into, str_of(o->hosts.items[i]));
        if (st != ST_OK)
            st = status_prefix(st, "--hosts");
    }
    return st;
}

enum status wire_scope(struct crawl *c)
{
    c->scope = scope_new();
    TRY(wire_make_scope(c->options, c->scope));
    return wire_make_hosts(c->options, &c->hosts);
}

void wire_frontier(struct crawl *c)
{
    const struct crawl_options *o = c->options;
    struct frontier_config config = {
        .delay = o->delay,
        .latency_factor = o->delay > 0 ? LATENCY_FACTOR : 0,
        .per_host = (uint32_t)o->per_host,
        .max_depth = o->max_depth < 0 ? UINT32_MAX : (uint32_t)o->max_depth,
        .pages_per_host = o->pages_per_host ? (uint32_t)o->pages_per_host : UINT32_MAX,
        .host_budget = (uint32_t)o->host_budget,
        .host_step = HOST_STEP,
        .host_urls = (uint32_t)o->host_urls,
        .url_step = URL_STEP,
        .urls_bytes = c->memory.ceiling / 2,
        .robots_bytes = c->memory.ceiling / 8,
        .now = c->now,
        .max_waiting = LIMIT_WAITING,
        .max_urls = LIMIT_URLS,
        .retries = (uint32_t)o->retries,
        .robots = !o->no_robots,
        .resolve = o->proxy == NULL,
        .token = STR(BROOD_TOKEN),
        .scope = c->scope,
        .hosts = &c->hosts,
        .validators = model_refreshes(c->model) ? refresh_validators : NULL,
        .validators_ctx = c,
        .foreign = c->foreign,
        .foreign_ctx = c->node,
        .foreign_whole = model_roams(c->model->ops),
    };

    c->frontier = frontier_new(&config);
}

/* --idf FILE, or the topic file's own `idf FILE`; NULL: learned during the crawl. */
static char *idf_path(const struct crawl *c)
{
    struct str named = topic_idf_file(c->topic);

    if (c->options->idf)
        return str_dup(str_of(c->options->idf));
    return named.len ? str_dup(named) : NULL;
}

static enum status make_vocab(struct crawl *c)
{
    LOCAL_BUF text = BUF_INIT(LIMIT_IDF_FILE);
    char *path = idf_path(c);
    enum status st;

    c->vocab = vocab_new();
    c->fixed_vocab = path != NULL;
    if (path == NULL)
        return ST_OK;
    st = option_file_read("idf", path, &text);
    if (st == ST_OK)
        st = vocab_load(c->vocab, buf_str(&text), path);
    if (st == ST_OK)
        c->table = vocab_publish(c->vocab);
    free(path);
    return st;
}

enum status wire_find_model(const char *name, bool in_lab, const struct model_ops **ret)
{
    TRY(model_need(str_of(name), ret));
    if ((*ret)->lab_only && !in_lab)
        return status_fail(ST_USAGE,
                           "the model '%s' is for the lab only: it needs to know the right answers",
                           name);
    return ST_OK;
}

/* --seeds-are is an option of every crawl, and of the model that heeds it. */
static enum status make_model(struct crawl *c, const struct model_ops *ops)
{
    const struct crawl_options *o = c->options;
    LOCAL_LIST settings = {0};

    if (o->seeds_are != 0)
        text_list_add(&settings, STR("seeds=places"));
    for (size_t i = 0; i < o->set.count; i++)
        text_list_add(&settings, str_of(o->set.items[i]));
    return model_new(ops, &settings, &c->model_ctx, &c->model);
}

enum status wire_model(struct crawl *c, bool in_lab)
{
    static const struct late_calls late = {crawl_host, crawl_wish};
    static const struct talk_calls talk = {.send = crawl_send, .say = model_says};
    const struct model_ops *ops;

    TRY(wire_find_model(c->options->model, in_lab, &ops));
    c->model_ctx = (struct model_ctx){
        .topic = c->topic,
        .population = c->population,
        .parallel = (unsigned)c->options->connections,
        .pages = (uint64_t)c->options->pages,
        .engine = c,
        .late = &late,
        .score = score_words,
        .href = href_of,
        .dropped = model_dropped,
        .talk = &talk,
        .table = c->table,
    };
    rng_init(&c->model_ctx.rng, (uint64_t)c->options->rng);
    if (ops->walks)
        c->model_ctx.look_up = look_up_page;
    return make_model(c, ops);
}

bool wire_looks_back(const struct crawl *c)
{
    return c->model->ops->walks || model_refreshes(c->model);
}

/* libcurl would not report a missing file. */
static enum status check_file(const char *option, const char *path)
{
    if (path == NULL || access(path, R_OK) == 0)
        return ST_OK;
    return status_fail(ST_USAGE, "--%s %s: %s", option, path, strerror(errno));
}

static enum status check_files(struct crawl *c)
{
    TRY(check_file("ca-file", c->options->ca_file));
    return check_file("cookies", c->options->cookies);
}

static enum status make_topic(struct crawl *c)
{
    return topic_make(c->options, &c->topic);
}

static enum status make_documents(struct crawl *c)
{
    return documents_new(c->options->types, &c->documents);
}

static enum status train_topic(struct crawl *c)
{
    topic_train(c->topic, c->table);
    return ST_OK;
}

static enum status make_live_model(struct crawl *c)
{
    TRY(wire_model(c, false));
    if (wire_looks_back(c))
        c->look_up =
            look_up_archive_new(memory_share(c, 8, LIMIT_SHELF), model_refreshes(c->model));
    nature_begin(c);
    return ST_OK;
}

static void make_digest(struct crawl *c)
{
    c->digest = digest_new(c->topic, c->options->lang, (unsigned)c->options->threads);
    if (!documents_text(c->documents))
        digest_no_text(c->digest);
    if (c->options->requisites)
        digest_requisites(c->digest);
    if (!c->options->no_warc)
        digest_pack(c->digest, WARC_LEVEL);
    if (c->table)
        digest_publish(c->digest, df_hold(c->table));
}

enum status wire_parts(struct crawl *c)
{
    static enum status (*const steps[])(struct crawl *) = {
        make_topic, make_documents, check_files,     wire_scope,
        make_vocab, train_topic,    make_live_model, node_prepare,
    };

    memory_begin(c); /* first, because it opens files that may be missing */
    c->bus = bus_new();
    c->messages = post_new();
    c->population = population_new(wire_population_event, c);
    c->feed_dates = feed_dates_new();
    if (!c->options->keep_repeats)
        c->repeats = repeats_new();
    if (c->options->requisites || c->options->wishes)
        c->looks = looks_new();
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        TRY(steps[i](c));
    wire_frontier(c);
    if (model_refreshes(c->model))
        c->prompts = prompts_new();
    c->profiler = profiler_new(c->topic);
    make_digest(c);
    return ST_OK;
}

enum status wire_fetch(struct crawl *c)
{
    TRY(wire_fetch_config(&c->wire, c->options));
    c->wire.config.digest = digest_reply;
    c->wire.config.digest_ctx = c->digest;
    c->wire.config.wants_type = documents_want;
    c->wire.config.slow = documents_slow;
    c->wire.config.convert = documents_convert;
    c->wire.config.wants_ctx = c->wire.config.convert_ctx = c->documents;
    c->wire.config.usage = &c->memory.usage;
    if (c->node)
        c->wire.config.until = &c->ask_until;
    c->fetch = wire_fetch_ops();
    return c->fetch->start(&c->wire.config, &c->fetch_self);
}

void wire_free(struct crawl *c)
{
    if (c == NULL)
        return;
    if (c->fetch_self)
        c->fetch->stop(c->fetch_self);
    documents_free(c->documents);
    wire_fetch_config_clear(&c->wire);
    look_up_free(c->look_up);
    base_free(c->base);
    model_free(c->model);
    population_free(c->population);
    frontier_free(c->frontier);
    scope_free(c->scope);
    host_settings_free(&c->hosts);
    digest_free(c->digest);
    profiler_free(c->profiler);
    df_release(c->table);
    vocab_free(c->vocab);
    topic_free(c->topic);
    bus_free(c->bus);
    post_free(c->messages);
    feed_dates_free(c->feed_dates);
    prompts_free(c->prompts);
    copies_free(c->copies);
    judged_free(c->judged);
    spool_free(c->spool);
    nature_free(c->nature);
    wordbook_free(c->wordbook);
    looks_free(c->looks);
    repeats_free(c->repeats);
    log_close(c->log);
    memory_end(c);
    map_free(&c->guesses);
    search_later_free(c->search_later);
    free(c->search_trouble);
    free(c->said);
    free(c->retry);
    free(c->dir);
    free(c->control);
    free(c);
}
