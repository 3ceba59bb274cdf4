/* topic.c - brood topic test and brood topic idf: the relevance of texts, and the rarity of words.
 * SPDX-License-Identifier: MIT */
#include "cli/commands/commands.h"

#include "base/os/clock.h"
#include "base/os/file.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/mem.h"
#include "crawl/start/get.h"
#include "crawl/start/topic.h"
#include "parse/page/page.h"
#include "store/read/query.h"
#include "text/classify.h"
#include "text/estimate.h"
#include "text/profile.h"
#include "text/vocab.h"

#include <ftw.h>
#include <stdio.h>
#include <sys/stat.h>

/* ---- topic test ---------------------------------------------------------- */

struct topic_options {
    bool json, allow_private;
    char *idf, *lang;
    struct text_list resolve;
};

#define AT(field) .offset = offsetof(struct topic_options, field)

static const struct option test_option_table[] = {
    {TEXT_OPTION("idf", idf, "FILE"), .help = "document frequencies made by 'brood topic idf'"},
    {TEXT_OPTION("lang", lang, "LANG"), .fallback = "en", .help = "language of the topic's words"},
    {FLAG_OPTION("allow-private", allow_private), .help = "allow private and loopback addresses"},
    {LIST_OPTION("resolve", resolve, "HOST:PORT:ADDR[/BITS][:PORT]"),
     .help = "where a host is to be found; may be repeated"},
    {FLAG_OPTION("json", json), .help = "as JSON"},
    {.name = NULL},
};

static bool is_url(const char *what)
{
    return str_starts_i(str_of(what), STR("http://")) ||
           str_starts_i(str_of(what), STR("https://"));
}

/* --idf FILE, or the topic file's own `idf FILE`; without either there is no table. */
static enum status load_table(const char *given, struct str named, struct df_table **ret)
{
    LOCAL_BUF text = BUF_INIT(LIMIT_IDF_FILE);
    LOCAL_HEAP char *path = str_dup(given ? str_of(given) : named);
    struct vocab *v = vocab_new();
    enum status st = *path ? file_read(path, &text) : ST_OK;

    if (st == ST_OK && *path)
        st = vocab_load(v, buf_str(&text), path);
    if (st == ST_OK && *path)
        *ret = vocab_publish(v);
    vocab_free(v);
    return st;
}

struct tester {
    const struct topic_options *options;
    struct crawl_options fetch;
    struct getter *getter;
    struct profiler *profiler;
    struct page_parser *parser;
    struct df_table *table;
    struct buf out;
    struct json json;
};

static enum status load_text(struct tester *t, const char *what, struct buf *payload,
                             char **ret_url, char **ret_type)
{
    if (!is_url(what)) {
        *ret_url = str_dup(STR("http://localhost/"));
        return file_read(what, payload);
    }
    if (t->getter == NULL)
        TRY(getter_new(&t->fetch, &t->getter));
    return getter_text(t->getter, str_of(what), payload, ret_url, ret_type);
}

static void show_score(struct tester *t, const char *what, const struct page *page,
                       const struct profile *p, enum drop why)
{
    if (t->options->json) {
        json_open_object(&t->json, NULL);
        json_put_z(&t->json, "what", what);
        json_put_str(&t->json, "title", page->title);
        json_put_num(&t->json, "relevance", (double)p->relevance);
        json_put_num(&t->json, "similarity", (double)p->similarity);
        json_put_bool(&t->json, "rejected", why == DROP_REJECTED);
        report_topics_json(&t->json, p);
        json_close(&t->json);
        return;
    }
    buf_addf(&t->out, "%.4f%s  %s  ", (double)p->relevance,
             why == DROP_REJECTED ? " (rejected)" : "", what);
    report_text(&t->out, page->title, 60);
    for (uint32_t i = 0; i < p->ntopics; i++)
        buf_addf(&t->out, "\n    %.4f  %.*s", (double)p->topics[i].relevance,
                 STR_ARG(p->topics[i].topic));
    buf_add_char(&t->out, '\n');
}

static enum status test_one(struct tester *t, const char *what)
{
    LOCAL_BUF payload = BUF_INIT(LIMIT_DECODED);
    LOCAL_HEAP char *url = NULL, *type = NULL;
    const struct page *page;
    struct profile profile;
    LOCAL_ARENA arena = ARENA_INIT(LIMIT_PAGE_ARENA);
    enum status st = load_text(t, what, &payload, &url, &type);

    if (st == ST_OK) {
        struct page_input in = {.payload = buf_str(&payload),
                                .url = str_of(url),
                                .content_type = str_of(type),
                                .now = clock_now()};

        if (page_parse(t->parser, &in, &arena, &page) != DROP_NONE)
            st = status_fail(ST_INVALID, "%s: %s", what, drop_sentence(DROP_TYPE));
    }
    if (st == ST_OK) {
        enum drop why = profile_page(t->profiler, page, str_of(url), t->table, &arena, &profile);

        show_score(t, what, page, &profile, why);
    }
    return st;
}

/* Writes which measure is used, and its quality on held-out examples. */
static void topic_json(const struct topic *topic, struct json *j)
{
    struct buf about = BUF_INIT(LIMIT_TOPIC_FILE);
    const struct classifier *c = topic_classifier(topic);
    const struct estimate *e = c ? classify_estimate(c) : NULL;

    topic_describe(topic, &about);
    json_put_str(j, "topic", buf_str(&about));
    json_put_z(j, "measure", c ? "classifier" : "cosine");
    buf_free(&about);
    if (e == NULL || e->folds == 0)
        return;
    json_open_object(j, "held_out");
    json_put_int(j, "folds", e->folds);
    json_put_int(j, "positive", (int64_t)e->positive);
    json_put_int(j, "negative", (int64_t)e->negative);
    json_put_num(j, "accuracy", e->accuracy);
    json_put_num(j, "precision", e->precision);
    json_put_num(j, "recall", e->recall);
    json_put_num(j, "auc", e->auc);
    json_put_num(j, "log_loss", e->log_loss);
    json_close(j);
}

static void tester_begin(struct tester *t, const struct topic *topic)
{
    json_init(&t->json, &t->out);
    if (t->options->json) {
        json_open_object(&t->json, NULL);
        topic_json(topic, &t->json);
        json_open_array(&t->json, "pages");
        return;
    }
    topic_describe(topic, &t->out);
    buf_add_char(&t->out, '\n');
}

/* A text that cannot be read does not affect the others. */
static int tester_run(struct tester *t, struct topic *topic, const struct text_list *args)
{
    int code = EXIT_DONE, said;

    t->profiler = profiler_new(topic);
    t->parser = page_parser_new();
    tester_begin(t, topic);
    for (size_t i = 1; i < args->count; i++) {
        enum status st = test_one(t, args->items[i]);

        if (st != ST_OK)
            code = report_failure(st);
    }
    if (t->options->json) {
        json_close(&t->json);
        json_close(&t->json);
        buf_add_char(&t->out, '\n');
    }
    profiler_free(t->profiler);
    page_parser_free(t->parser);
    getter_free(t->getter);
    said = report_out(&t->out);
    return code != EXIT_DONE ? code : said;
}

static int topic_test_command(struct invocation *in)
{
    struct tester t = {.options = in->options, .out = BUF_INIT(16 << 20)};
    struct topic *topic = NULL;
    struct stat file;
    enum status st;
    int code;

    crawl_options_init(&t.fetch);
    t.fetch.allow_private = t.options->allow_private;
    t.fetch.contact = str_dup(STR("brood topic test"));
    t.fetch.lang = str_dup(str_of(t.options->lang));
    for (size_t i = 0; i < t.options->resolve.count; i++)
        text_list_add(&t.fetch.resolve, str_of(t.options->resolve.items[i]));
    if (stat(in->args.items[0], &file) == 0 && !S_ISDIR(file.st_mode))
        text_list_add(&t.fetch.topic, str_of(in->args.items[0]));
    else if (str_ends(str_of(in->args.items[0]), STR(".topic"))) /* misspelt, not meant as words */
        text_list_add(&t.fetch.topic, str_of(in->args.items[0]));
    else
        t.fetch.words = str_dup(str_of(in->args.items[0]));
    st = topic_make(&t.fetch, &topic);
    if (st == ST_OK)
        st = load_table(t.options->idf, topic_idf_file(topic), &t.table);
    if (st == ST_OK) {
        topic_train(topic, t.table);
        code = tester_run(&t, topic, &in->args);
    } else {
        code = report_failure(st);
    }
    df_release(t.table);
    topic_free(topic);
    crawl_options_free(&t.fetch);
    return code;
}

const struct command command_topic_test = {
    .name = "topic test",
    TAKES("TOPIC FILE|URL...", 2, SIZE_MAX),
    .summary = "measure how relevant pages are to a topic (words, or a topic file)",
    .example = "brood topic test \"solar energy\" page.html http://example.org/",
    OPTIONS(test_option_table, struct topic_options),
    .run = topic_test_command,
};

/* ---- topic idf ----------------------------------------------------------- */

struct counter {
    struct vocab *vocab;
    struct profiler *profiler;
    struct page_parser *parser;
    struct query *query; /* of the crawl being read */
};

static void count_page(struct counter *c, struct str payload, struct str type)
{
    struct page_input in = {
        .payload = payload, .url = STR("http://localhost/"), .content_type = type};
    const struct page *page;
    LOCAL_ARENA arena = ARENA_INIT(LIMIT_PAGE_ARENA);

    if (page_parse(c->parser, &in, &arena, &page) == DROP_NONE)
        profile_learn(c->profiler, page, c->vocab);
}

static struct counter *walking; /* nftw passes no context */

static int count_file(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
    LOCAL_BUF payload = BUF_INIT(LIMIT_DECODED);

    (void)st, (void)ftw;
    if (flag == FTW_F) {
        if (file_read(path, &payload) == ST_OK)
            count_page(walking, buf_str(&payload), STR(""));
    }
    return 0;
}

static enum status count_stored(void *ctx, const struct query_page *page)
{
    LOCAL_BUF text = BUF_INIT(LIMIT_DECODED);
    struct counter *c = ctx;

    if (query_text(c->query, page->id, &text) == ST_OK)
        count_page(c, buf_str(&text), STR("text/plain; charset=utf-8"));
    return ST_OK;
}

static enum status count_crawl(struct counter *c, const char *dir)
{
    enum status st;

    TRY(query_open(dir, &c->query));
    st = query_pages(c->query, count_stored, c);
    query_close(c->query);
    return st;
}

static enum status count_argument(struct counter *c, const char *what)
{
    char path[4096];
    struct stat st;

    (void)snprintf(path, sizeof path, "%s/crawl.db", what);
    if (stat(path, &st) == 0)
        return count_crawl(c, what);
    if (stat(what, &st) != 0)
        return status_fail(ST_MISSING, "%s: no such file or directory", what);
    walking = c;
    (void)nftw(what, count_file, 16, FTW_PHYS);
    return ST_OK;
}

static int topic_idf_command(struct invocation *in)
{
    struct buf out = BUF_INIT(LIMIT_IDF_FILE);
    struct counter c = {.vocab = vocab_new(), .parser = page_parser_new()};
    enum status st = ST_OK;

    vocab_keep_text(c.vocab);
    c.profiler = profiler_new(NULL);
    for (size_t i = 0; st == ST_OK && i < in->args.count; i++)
        st = count_argument(&c, in->args.items[i]);
    if (st == ST_OK && vocab_documents(c.vocab) == 0)
        st = status_fail(ST_INVALID, "no document with text was found");
    if (st == ST_OK)
        vocab_write(c.vocab, &out);
    vocab_free(c.vocab);
    profiler_free(c.profiler);
    page_parser_free(c.parser);
    return report_end(st, &out);
}

const struct command command_topic_idf = {
    .name = "topic idf",
    TAKES("DIR|FILE...", 1, SIZE_MAX),
    .summary = "make a table of document frequencies from crawls, folders or files",
    .details =
        "The table goes to standard output; 'brood crawl --idf FILE' or a line 'idf FILE' in a "
        "topic file uses it instead of frequencies learned as the crawl goes on.",
    .example = "brood topic idf old-crawl > table.idf",
    .run = topic_idf_command,
};
