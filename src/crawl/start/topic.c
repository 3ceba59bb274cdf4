/* topic.c - from the user's options to a topic. SPDX-License-Identifier: MIT */
#include "crawl/start/topic.h"

#include "base/limits.h"
#include "base/os/file.h"
#include "crawl/marks.h"
#include "crawl/start/get.h"
#include "parse/page/page.h"
#include "text/profile.h"

#include <stdlib.h>
#include <sys/stat.h>

#define STORED_TOPIC "the stored topic" /* in error messages */

/* Reads the topic's examples one after the other. */
struct example_reader {
    struct topic *topic;
    const struct crawl_options *options;
    struct getter *getter; /* made for the first URL */
    struct page_parser *parser;
    struct profiler *profiler;
};

/* An example is seen as a page of the crawl would be: title and visible text,
 * stemmed in the language it declares. */
static enum status add_example_text(struct example_reader *r, struct str text, struct str where,
                                    bool positive)
{
    struct page_input in = {.payload = text, .url = where};
    const struct page *page;
    struct profile profile;
    struct arena arena;
    enum status st;

    if (!str_starts_i(where, STR("http")))
        in.url = STR("http://localhost/");
    arena_init(&arena, LIMIT_PAGE_ARENA);
    if (page_parse(r->parser, &in, &arena, &page) == DROP_NONE) {
        (void)profile_page(r->profiler, page, in.url, NULL, &arena, &profile);
        st = topic_add_sample(r->topic, profile.terms, profile.nterms, positive);
        if (st != ST_OK)
            st = status_prefix(st, "%.*s", STR_ARG(where));
    } else {
        st = status_fail(ST_INVALID, "%.*s: no text that could be an example", STR_ARG(where));
    }
    arena_free(&arena);
    return st;
}

static enum status add_example(struct example_reader *r, struct str where, bool positive)
{
    struct buf text = BUF_INIT(LIMIT_DECODED);
    char *path = str_dup(where);
    enum status st = ST_OK;

    if (str_starts_i(where, STR("http://")) || str_starts_i(where, STR("https://"))) {
        if (r->getter == NULL)
            st = getter_new(r->options, &r->getter);
        if (st == ST_OK)
            st = getter_text(r->getter, where, &text, NULL, NULL);
    } else {
        st = file_read(path, &text);
    }
    if (st == ST_OK)
        st = add_example_text(r, buf_str(&text), where, positive);
    free(path);
    buf_free(&text);
    return st;
}

static enum status add_examples(struct topic *t, const struct crawl_options *o)
{
    struct example_reader r = {.topic = t, .options = o};
    enum status st = ST_OK;

    if (topic_examples(t) == 0)
        return ST_OK;
    r.parser = page_parser_new();
    r.profiler = profiler_new(t);
    for (size_t i = 0; st == ST_OK && i < topic_examples(t); i++) {
        bool positive;
        struct str where = topic_example(t, i, &positive);

        st = add_example(&r, where, positive);
        if (st != ST_OK)
            st = status_prefix(st, "%s:%zu", o->topic_text ? STORED_TOPIC : o->topic,
                               topic_example_line(t, i));
    }
    getter_free(r.getter);
    page_parser_free(r.parser);
    profiler_free(r.profiler);
    return st;
}

static enum status add_marks(struct topic *t, const struct crawl_options *o)
{
    enum status st = ST_OK;
    bool wanted = topic_terms(t) > 0;

    for (size_t i = 0; st == ST_OK && i < topic_marks(t); i++) {
        size_t line;
        char *dir = str_dup(topic_mark(t, i, &line));

        st = marks_examples(dir, t);
        if (st != ST_OK)
            st = status_prefix(st, "%s:%zu", o->topic_text ? STORED_TOPIC : o->topic, line);
        free(dir);
    }
    for (size_t i = 0; i < topic_samples(t) && !wanted; i++) {
        size_t nterms;

        (void)topic_sample(t, i, &nterms, &wanted);
    }
    if (st == ST_OK && !wanted)
        st = status_fail(ST_USAGE, "the topic has neither words nor a page that was marked as "
                                   "relevant: nothing says what to look for");
    return st;
}

/* What a topic file names is named from its folder; of something that lies in none
 * (a pipe) from the working directory. The full name: resume may run somewhere else. */
static char *topic_folder(const char *file)
{
    struct str path = str_of(file), folder = STR(".");
    struct stat facts;
    char *name, *full;

    if (stat(file, &facts) == 0 && S_ISREG(facts.st_mode)) {
        while (path.len > 0 && path.ptr[path.len - 1] != '/')
            path.len--;
        folder = path.len ? path : folder;
    }
    name = str_dup(folder);
    full = realpath(name, NULL);
    if (full == NULL)
        return name;
    free(name);
    return full;
}

static enum status read_topic_file(const struct crawl_options *o, struct buf *ret_text)
{
    struct buf text = BUF_INIT(LIMIT_TOPIC_FILE);
    char *folder = topic_folder(o->topic);
    enum status st = option_file_read("topic", o->topic, &text);

    if (st == ST_OK)
        st = topic_place(buf_str(&text), str_of(folder), ret_text);
    if (st == ST_OK && o->words && *o->words) {
        buf_addf(ret_text, "%s\n", o->words);
        st = buf_check(ret_text);
    }
    free(folder);
    buf_free(&text);
    return st;
}

enum status topic_read(const struct crawl_options *o, struct topic **ret)
{
    struct buf text = BUF_INIT(LIMIT_TOPIC_FILE);
    struct str lang = STR("en"), rest = str_of(o->lang);
    enum status st;

    (void)str_cut(&rest, ',', &lang);
    if (o->topic_text) {
        st = topic_from_text(str_of(o->topic_text), STORED_TOPIC, lang, ret);
    } else if (o->topic) {
        st = read_topic_file(o, &text);
        if (st == ST_OK)
            st = topic_from_text(buf_str(&text), o->topic, lang, ret);
    } else {
        st = topic_from_words(str_of(o->words), lang, ret);
    }
    buf_free(&text);
    return st;
}

enum status topic_make(const struct crawl_options *o, struct topic **ret)
{
    struct topic *t = NULL;
    enum status st = topic_read(o, &t);

    if (st == ST_OK)
        st = add_examples(t, o);
    if (st == ST_OK)
        st = add_marks(t, o);
    if (st == ST_OK)
        *ret = t;
    else
        topic_free(t);
    return st;
}
