/* lifecycle.c - making, resuming and closing a crawl.
 * SPDX-License-Identifier: MIT */
#include "crawl/crawl_int.h"
#include "crawl/documents/documents.h"
#include "crawl/judge/marks.h"

#include "base/os/clock.h"
#include "base/limits.h"
#include "base/os/log.h"
#include "base/mem.h"
#include "bus/bus.h"
#include "crawl/judge/appraise.h"
#include "crawl/judge/judged.h"
#include "crawl/watch/base_from.h"
#include "crawl/start/check.h"
#include "crawl/start/guesses.h"
#include "crawl/start/search_later.h"
#include "crawl/watch/copies.h"
#include "crawl/identity.h"
#include "crawl/watch/look_up.h"
#include "crawl/node/node.h"
#include "crawl/start/trust.h"
#include "crawl/wire.h"
#include "frontier/frontier.h"
#include "frontier/scope.h"
#include "parse/url.h"
#include "store/read/query.h"
#include "store/store.h"
#include "store/write/merge.h"

#include <glob.h>
#include <stdio.h>
#include <unistd.h>

#define WARC_FILE_BYTES 1000000000

static struct store_config store_config_of(const struct crawl *c)
{
    return (struct store_config){
        .warc = !c->options->no_warc,
        .warc_level = WARC_LEVEL,
        .warc_size = WARC_FILE_BYTES,
        .software = BROOD_SOFTWARE,
        .operator_ = c->options->contact,
        .robots = c->options->no_robots ? "ignore" : "obey",
        .over_barren = true,
        .full_text = !c->options->no_index,
        .log = c->log,
    };
}

/* The newest directory with such a name in which a crawl fetched nothing, or NULL. The name has only
 * letters, digits and '-', so that nothing in it is a wildcard. */
static char *barren_dir(struct str name)
{
#define DIGIT "[0-9]"
    static const char time[] =
        DIGIT DIGIT DIGIT DIGIT DIGIT DIGIT DIGIT DIGIT "-" DIGIT DIGIT DIGIT DIGIT DIGIT DIGIT;
#undef DIGIT
    struct buf pattern = BUF_INIT(256);
    char *ret = NULL;
    glob_t found;

    buf_addf(&pattern, "%.*s%s", STR_ARG(name), time);
    if (glob(pattern.data, 0, NULL, &found) == 0) {
        for (size_t i = found.gl_pathc; i > 0 && ret == NULL; i--)
            if (store_is_barren(found.gl_pathv[i - 1]))
                ret = str_dup(str_of(found.gl_pathv[i - 1]));
        globfree(&found);
    }
    buf_free(&pattern);
    return ret;
}

/* Without --out: the topic's first words and the time. A directory of the same words in which
 * nothing was fetched (the address may have been wrong) is used again: it would only be in the
 * way. */
static char *default_dir(const struct crawl *c)
{
    const char *words = c->options->words ? c->options->words : "crawl";
    struct buf name = BUF_INIT(100);
    char at[CLOCK_TEXT], *again;
    size_t stem;

    for (size_t i = 0; words[i] && name.len < 40; i++) {
        bool plain = ascii_is_alpha(words[i]) || ascii_is_digit(words[i]);

        if (plain)
            buf_add_char(&name, ascii_lower(words[i]));
        else if (name.len > 0 && name.data[name.len - 1] != '-')
            buf_add_char(&name, '-');
    }
    while (name.len > 0 && name.data[name.len - 1] == '-')
        name.len--;
    buf_add_z(&name, name.len ? "-" : "crawl-");
    again = barren_dir(buf_str(&name));
    if (again) {
        buf_free(&name);
        return again;
    }
    clock_format(c->now, 0, at);
    buf_addf(&name, "%.4s%.2s%.2s-%.2s%.2s%.2s", at, at + 5, at + 8, at + 11, at + 14, at + 17);
    stem = name.len;
    for (unsigned n = 2; access(name.data, F_OK) == 0 && n < 100; n++) { /* in the same second */
        name.len = stem;
        buf_addf(&name, "-%u", n);
    }
    return buf_take(&name, NULL);
}

static void scope_seeds(struct crawl *c, const struct text_list *seeds)
{
    for (size_t i = 0; i < seeds->count; i++) {
        struct arena arena;
        struct url u;

        arena_init(&arena, 1 << 18);
        if (url_parse(str_of(seeds->items[i]), NULL, &arena, &u) == ST_OK)
            scope_seed(c->scope, u.host);
        arena_free(&arena);
    }
}

/* Makes the seeds the first known URLs. There are no listeners yet: if none of them may be fetched,
 * no directory is made. */
enum status crawl_meet_seeds(struct crawl *c, const struct text_list *seeds)
{
    size_t count = 0;

    scope_seeds(c, seeds);
    for (size_t i = 0; i < seeds->count; i++) {
        enum drop why;

        (void)crawl_meet(c, str_of(seeds->items[i]), LINK_SEED, 0, 0, &why);
        count += why == DROP_NONE;
        if (why != DROP_NONE)
            (void)snprintf(c->complaint, sizeof c->complaint, "%s: %s", seeds->items[i],
                           drop_sentence(why));
    }
    if (count == 0)
        return status_fail(ST_USAGE, "no seed may be fetched: %s", c->complaint);
    return ST_OK;
}

/* Tells the store of the seeds, and the model of those that may be fetched. */
void crawl_start_model(struct crawl *c)
{
    uint32_t known = frontier_counts(c->frontier).urls;
    LOCAL_HEAP uint32_t *urls = mem_alloc(known * sizeof *urls);
    struct url_view view;
    size_t count = 0;

    for (uint32_t url = 1; url <= known && frontier_url(c->frontier, url, &view); url++) {
        struct link link = {.url = view.href, .kind = LINK_SEED};

        crawl_post_url(c, url, &link, 0, 0, view.drop);
        if (view.drop == DROP_NONE)
            urls[count++] = url;
    }
    c->model_ctx.now = c->now;
    c->model->ops->start(c->model, urls, count);
}

enum status crawl_more_seeds(struct crawl *c, const struct text_list *seeds, size_t *ret_taken)
{
    LOCAL_HEAP uint32_t *urls = mem_alloc((seeds->count + 1) * sizeof *urls);
    size_t count = 0;
    enum status st = seeds_need_contact(c->options, seeds);
    enum drop why = DROP_NONE;

    if (st == ST_OK)
        scope_seeds(c, seeds);
    for (size_t i = 0; st == ST_OK && i < seeds->count; i++) {
        uint32_t url = crawl_meet(c, str_of(seeds->items[i]), LINK_SEED, 0, 0, &why);

        if (url && why == DROP_NONE && frontier_state(c->frontier, url) == URL_KNOWN)
            urls[count++] = url;
    }
    if (count > 0) {
        c->model_ctx.now = c->now;
        c->model->ops->start(c->model, urls, count);
        c->model_idle = false;
    } else if (st == ST_OK) {
        st = status_fail(ST_USAGE, "nothing new to start from: %s",
                         why == DROP_NONE ? "all are known" : drop_sentence(why));
    }
    *ret_taken = count;
    return st;
}

static void key_post(struct crawl *c, const char *name, const char *value)
{
    struct event e = {.kind = EVENT_KEY, .at = c->now, .key = {str_of(name), str_of(value)}};

    bus_post(c->bus, &e);
}

/* Stores the words of the topic: lists show which of them a page has. */
static void words_post(struct crawl *c, const struct topic *t)
{
    struct buf name = BUF_INIT(KIB(1)), words = BUF_INIT(LIMIT_TOPIC_FILE);

    buf_add_z(&name, "topic.words");
    if (topic_name(t).len > 0)
        buf_addf(&name, ".%.*s", STR_ARG(topic_name(t)));
    topic_words(t, &words);
    key_post(c, name.data, words.data ? words.data : "");
    buf_free(&name);
    buf_free(&words);
    for (size_t i = 0; i < topic_parts(t); i++)
        words_post(c, topic_part(t, i));
}

static void keys_post(struct crawl *c)
{
    char text[CLOCK_TEXT];
    LOCAL_BUF about = BUF_INIT(LIMIT_TOPIC_FILE);

    clock_format(c->now, 3, text);
    key_post(c, "started_at", text);
    key_post(c, "software", BROOD_SOFTWARE);
    key_post(c, "model", c->options->model);
    buf_add_str(&about, topic_source(c->topic));
    key_post(c, "topic", about.data ? about.data : "");
    words_post(c, c->topic);
    (void)snprintf(text, sizeof text, "%g", c->options->relevant);
    key_post(c, "relevant_threshold", text);
    options_post(c);
}

static enum status open_log(struct crawl *c)
{
    LOCAL_BUF path = BUF_INIT(4096);

    buf_addf(&path, "%s/crawl.log", c->dir);
    TRY(log_open(path.data, LOG_INFO, &c->log));
    if (documents_lack(c->documents))
        log_line(c->log, LOG_WARN, c->now, "%s", documents_lack(c->documents));
    if (c->search_trouble)
        log_line(c->log, LOG_WARN, c->now, "--search: %s", c->search_trouble);
    return ST_OK;
}

/* Frees a half-made crawl, but keeps the message of the failure. */
static void crawl_abandon(struct crawl *c)
{
    char text[1024];

    (void)snprintf(text, sizeof text, "%s", status_text());
    node_close(c);
    if (c->store)
        (void)!store_close(c->store, NULL, NULL);
    wire_free(c);
    (void)status_fail(ST_INTERNAL, "%s", text);
}

static struct crawl *crawl_make(const struct crawl_options *o, const char *dir)
{
    struct crawl *c = MEM_NEW(struct crawl);

    c->options = o;
    c->now = c->started_at = clock_now();
    c->dir = dir ? str_dup(str_of(dir)) : NULL;
    (void)trust_ready();
    return c;
}

static enum status crawl_begin(struct crawl *c)
{
    LOCAL_LIST seeds = {0};
    struct store_config config;
    enum status st = wire_parts(c);

    if (st == ST_OK)
        st = base_open(c);
    if (st == ST_OK)
        st = seeds_gather(c, &seeds);
    if (st == ST_OK)
        st = seeds_need_contact(c->options, &seeds);
    if (st == ST_OK && c->node == NULL)
        st = crawl_meet_seeds(c, &seeds);
    if (st == ST_OK)
        st = held_files(c); /* before the threads of fetch and store */
    if (st == ST_OK && c->node) {
        scope_seeds(c, &seeds); /* each is met by the owner of its partition */
        st = node_open(c, &seeds);
    }
    if (st == ST_OK)
        st = wire_fetch(c);
    if (st == ST_OK) {
        config = store_config_of(c);
        st = store_create(c->dir, &config, &c->store);
    }
    if (st == ST_OK) {
        bus_join(c->bus, store_post, c->store);
        bus_join(c->bus, samples_hear, c);
        st = open_log(c);
        store_set_log(c->store, c->log);
    }
    if (st == ST_OK) {
        keys_post(c);
        crawl_start_model(c);
        guesses_offer(c);
        c->search_later = search_later_new(c->options);
        st = base_adopt(c);
    }
    if (st == ST_OK) {
        checkpoint_post(c);
        st = store_settle(c->store); /* from here on the crawl can be resumed */
    }
    return st;
}

enum status crawl_new(const struct crawl_options *o, struct crawl **ret)
{
    struct crawl *c = crawl_make(o, o->out);
    enum status st;

    if (c->dir == NULL)
        c->dir = default_dir(c);
    st = crawl_begin(c);
    if (st == ST_OK)
        *ret = c;
    else
        crawl_abandon(c);
    return st;
}

static enum status add_seed_host(void *ctx, uint32_t id, struct str href, uint32_t from_page,
                                 uint16_t depth, uint8_t state, enum drop drop, uint32_t page)
{
    struct arena arena;
    struct url u;

    (void)id, (void)from_page, (void)state, (void)drop, (void)page;
    if (depth > 0)
        return ST_OK;
    arena_init(&arena, 1 << 18);
    if (url_parse(href, NULL, &arena, &u) == ST_OK)
        scope_seed(((struct crawl *)ctx)->scope, u.host);
    arena_free(&arena);
    return ST_OK;
}

void crawl_found(const struct crawl *c, struct buf *ret)
{
    struct store_found found = store_found(c->store);

    buf_addf(ret, "%s: %llu page%s stored", c->dir, (unsigned long long)found.pages,
             found.pages == 1 ? " is" : "s are");
    if (found.cut > 0)
        buf_addf(ret, "; %llu bytes of archive behind them are cut off",
                 (unsigned long long)found.cut);
    if (found.swept > 0)
        buf_addf(ret, "; %u archive file%s begun after them %s removed", found.swept,
                 found.swept == 1 ? "" : "s", found.swept == 1 ? "is" : "are");
    if (found.lost > 0)
        buf_addf(ret, "; %llu page%s lost from the archive: `brood check %s` says which",
                 (unsigned long long)found.lost, found.lost == 1 ? " is" : "s are", c->dir);
    if (c->options->pages > 0 && found.pages >= (uint64_t)c->options->pages)
        buf_addf(ret, "; --pages %lld counts them too, so nothing is left to do",
                 (long long)c->options->pages);
    else if (c->open > 0)
        buf_addf(ret, "; %u visit%s open %s made again", c->open,
                 c->open == 1 ? " that was" : "s that were", c->open == 1 ? "is" : "are");
    if (c->options->base_from && c->base == NULL)
        buf_addf(ret, "; pages of the earlier crawl %s cannot be read again",
                 c->options->base_from);
}

static void log_found(const struct crawl *c)
{
    LOCAL_BUF text = BUF_INIT(8192);

    crawl_found(c, &text);
    log_line(c->log, LOG_INFO, c->now, "resumed: %.*s", STR_ARG(buf_str(&text)));
}

static enum status crawl_reopen(struct crawl *c)
{
    struct store_config config;

    TRY(wire_parts(c));
    TRY(open_log(c));
    TRY(held_files(c));
    config = store_config_of(c);
    TRY(store_open(c->dir, &config, &c->store));
    TRY(store_read_urls(c->store, add_seed_host, c));
    TRY(checkpoint_load(c));
    if (c->node) {
        scope_seeds(c, &c->options->seed);
        TRY(node_open(c, &c->options->seed));
    }
    base_recall(c);
    guesses_recall(c);
    log_found(c);
    marks_recall(c);
    judged_recall(c);
    bus_join(c->bus, store_post, c->store);
    bus_join(c->bus, samples_hear, c);
    return wire_fetch(c);
}

enum status crawl_resume(const char *dir, const struct crawl_options *o, struct crawl **ret)
{
    if (o->nats && !o->joins)
        return status_fail(ST_USAGE,
                           "%s is a node of the crawl %s on several machines: `brood node --nats "
                           "URL --crawl %s --out %s` goes on with it",
                           dir, o->name, o->name, dir);
    TRY(crawl_continue(dir, o, ret));
    options_post(*ret);
    return ST_OK;
}

enum status crawl_continue(const char *dir, const struct crawl_options *o, struct crawl **ret)
{
    struct crawl *c = crawl_make(o, dir);
    enum status st = crawl_reopen(c);

    if (st == ST_OK)
        *ret = c;
    else
        crawl_abandon(c);
    return st;
}

/* A merged crawl has pages, but no frontier. */
static enum status check_not_merged(const char *dir, struct query *q)
{
    LOCAL_BUF from = BUF_INIT(64);
    enum status st = ST_OK;

    if (query_key(q, MERGED_KEY, &from) == ST_OK)
        st = status_fail(ST_USAGE,
                         "%s was merged from %.*s directories: it can be read, but does not go on. "
                         "Go on with those, and merge them again",
                         dir, STR_ARG(buf_str(&from)));
    return st;
}

enum status options_recall(const char *dir, struct query *q, struct crawl_options *into)
{
    enum status st = ST_OK;

    for (const struct option *op = crawl_option_table; st == ST_OK && op->name; op++) {
        struct buf name = BUF_INIT(100), value = BUF_INIT(1 << 20);

        buf_addf(&name, "option.%s", op->name);
        st = query_key(q, name.data, &value);
        if (st == ST_OK)
            st = crawl_option_restore(op, into, buf_str(&value));
        else if (st == ST_MISSING)
            st = ST_OK; /* of a later version */
        buf_free(&name);
        buf_free(&value);
    }
    if (st == ST_OK && into->model == NULL)
        st = status_fail(ST_USAGE, "%s was not made by 'brood crawl': there is nothing to resume",
                         dir);
    if (st == ST_OK) {
        struct buf topic = BUF_INIT(LIMIT_TOPIC_FILE);

        st = query_key(q, "topic", &topic);
        if (st == ST_OK)
            into->topic_text = buf_take(&topic, NULL);
        else if (st == ST_MISSING)
            st = ST_OK;
        buf_free(&topic);
    }
    return st;
}

enum status crawl_options_read(const char *dir, bool trusted, const struct text_list *said,
                               struct crawl_options *into)
{
    LOCAL_QUERY *q = NULL;

    if (store_is_unbegun(dir))
        return status_fail(ST_MISSING,
                           "%s: the crawl was killed before its first request, so nothing was "
                           "stored: give the same `brood crawl` command again",
                           dir);
    TRY(query_open(dir, &q));
    TRY(check_not_merged(dir, q));
    TRY(options_recall(dir, q, into));
    if (!trusted)
        TRY(trust_check(dir, q, said));
    return ST_OK;
}

void crawl_pause(struct crawl *c, int64_t until)
{
    c->paused_until = until;
}

void crawl_sample_every(struct crawl *c, int64_t step)
{
    c->sample_step = step;
}

enum status crawl_count_looks(struct crawl *c)
{
    c->copies = copies_new();
    TRY(copies_recall(c->copies, c->dir));
    bus_join(c->bus, copies_listen, c->copies);
    return ST_OK;
}

enum status crawl_settle(struct crawl *c)
{
    checkpoint_post(c);
    return store_settle(c->store);
}

struct log *crawl_log(struct crawl *c)
{
    return c->log;
}

/* Indexing can take a while: the caller may stop it, and the missing pages are added to the index
 * at the first search. */
struct closing {
    struct crawl *crawl;
    crawl_index_fn *progress;
    void *ctx;
};

static void on_indexed(void *ctx, uint64_t done, uint64_t total)
{
    const struct closing *closing = ctx;

    if (closing->progress &&
        !closing->progress(closing->ctx, "indexing the full text", done, total))
        store_hurry(closing->crawl->store);
}

enum status crawl_close(struct crawl *c, crawl_index_fn *progress, void *ctx)
{
    struct closing closing = {c, progress, ctx};
    enum status st;

    node_close(c);
    if (c->fetch_self) {
        c->fetch->stop(c->fetch_self);
        c->fetch_self = NULL;
    }
    judged_conclude(c);
    appraise_pages(c, progress, ctx);
    look_up_free(c->look_up); /* nothing may read the database while it is closed */
    c->look_up = NULL;
    st = store_close(c->store, on_indexed, &closing);
    c->store = NULL;
    wire_free(c);
    return st;
}
