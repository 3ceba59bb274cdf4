/* topic.c - makes the topic from the user's options. SPDX-License-Identifier: MIT */
#include "crawl/start/topic.h"

#include "base/limits.h"
#include "base/mem.h"
#include "base/os/file.h"
#include "crawl/judge/marks.h"
#include "crawl/start/get.h"
#include "parse/page/page.h"
#include "text/profile.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* In error messages. */
#define STORED_TOPIC  "the stored topic"
#define JOINED_TOPICS "the topic files, joined"

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
    LOCAL_ARENA arena = ARENA_INIT(LIMIT_PAGE_ARENA);
    enum status st;

    if (!str_starts_i(where, STR("http")))
        in.url = STR("http://localhost/");
    if (page_parse(r->parser, &in, &arena, &page) == DROP_NONE) {
        (void)profile_page(r->profiler, page, in.url, NULL, &arena, &profile);
        if (positive)
            topic_spell(r->topic, page, &profile);
        st = topic_add_sample(r->topic, profile.terms, profile.nterms, positive);
        if (st != ST_OK)
            st = status_prefix(st, "%.*s", STR_ARG(where));
    } else {
        st = status_fail(ST_INVALID, "%.*s: no text that could be an example", STR_ARG(where));
    }
    return st;
}

static enum status add_example(struct example_reader *r, struct str where, bool positive)
{
    LOCAL_BUF text = BUF_INIT(LIMIT_DECODED);
    LOCAL_HEAP char *path = str_dup(where);

    if (str_starts_i(where, STR("http://")) || str_starts_i(where, STR("https://"))) {
        if (r->getter == NULL)
            TRY(getter_new(r->options, &r->getter));
        TRY(getter_text(r->getter, where, &text, NULL, NULL));
    } else {
        TRY(file_read(path, &text));
    }
    return add_example_text(r, buf_str(&text), where, positive);
}

const char *topic_read_from(const struct crawl_options *o)
{
    if (o->topic_text)
        return STORED_TOPIC;
    return o->topic.count == 1 ? o->topic.items[0] : JOINED_TOPICS;
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
            st = status_prefix(st, "%s:%zu", topic_read_from(o), topic_example_line(t, i));
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
            st = status_prefix(st, "%s:%zu", topic_read_from(o), line);
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

/* Names in a topic file are relative to its folder; in a topic that has no folder (a pipe), to the
 * working directory. Returns the full path, because resume may run somewhere else. */
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

/* Giving words instead of a file is a common mistake. */
static enum status read_file(const char *path, struct buf *text)
{
    enum status st = option_file_read("topic", path, text);

    if (st == ST_OK || access(path, F_OK) == 0 || strchr(path, '/') != NULL ||
        strcmp(path, "-") == 0)
        return st;
    return status_fail(ST_USAGE,
                       "--topic reads a file, and there is none called '%s'. Words are given as "
                       "the argument: \"%s\" (in a config file as 'words')",
                       path, path);
}

/* Reads the file's lines, with full paths. */
static enum status read_placed(const char *path, struct buf *ret)
{
    LOCAL_BUF text = BUF_INIT(LIMIT_TOPIC_FILE);
    LOCAL_HEAP char *folder = topic_folder(path);
    enum status st = read_file(path, &text);

    return st == ST_OK ? topic_place(buf_str(&text), str_of(folder), ret) : st;
}

/* A topic has the name of its file: bees for topics/bees.topic. */
static void add_heading(const char *path, struct buf *out)
{
    struct str name = str_of(path);
    size_t at;

    while ((at = str_find_char(name, '/', 0)) != SIZE_MAX)
        name = str_sub(name, at + 1, name.len);
    at = str_find_char(name, '.', 0);
    if (at != SIZE_MAX && at > 0)
        name = str_sub(name, 0, at);
    buf_addf(out, "[%.*s]\n", STR_ARG(name));
}

/* Joins several files. Each is first read by itself, so that errors name its own lines. */
static enum status join_files(const struct crawl_options *o, struct str lang, struct buf *ret)
{
    enum status st = ST_OK;

    for (size_t i = 0; i < o->topic.count && st == ST_OK; i++) {
        struct buf text = BUF_INIT(LIMIT_TOPIC_FILE);
        struct topic *t = NULL;

        st = read_placed(o->topic.items[i], &text);
        if (st == ST_OK)
            st = topic_from_text(buf_str(&text), o->topic.items[i], lang, &t);
        if (st == ST_OK && topic_parts(t) == 0)
            add_heading(o->topic.items[i], ret);
        buf_add_str(ret, buf_str(&text));
        if (st == ST_OK)
            st = buf_check(ret);
        topic_free(t);
        buf_free(&text);
    }
    return st;
}

static enum status read_topic_files(const struct crawl_options *o, struct str lang, struct buf *ret)
{
    bool words = o->words && *o->words;
    enum status st =
        o->topic.count == 1 ? read_placed(o->topic.items[0], ret) : join_files(o, lang, ret);

    if (st != ST_OK || !words)
        return st;
    if (topic_has_headings(buf_str(ret)))
        return status_fail(ST_USAGE,
                           "to which of the topics do the words \"%s\" belong? Write "
                           "them into its file",
                           o->words);
    buf_addf(ret, "%s\n", o->words);
    return buf_check(ret);
}

enum status topic_read(const struct crawl_options *o, struct topic **ret)
{
    LOCAL_BUF text = BUF_INIT(LIMIT_TOPIC_FILE);
    struct str lang = STR("en"), rest = str_of(o->lang);

    (void)str_cut(&rest, ',', &lang);
    if (o->topic_text) {
        TRY(topic_from_text(str_of(o->topic_text), STORED_TOPIC, lang, ret));
    } else if (o->topic.count > 0) {
        TRY(read_topic_files(o, lang, &text));
        TRY(topic_from_text(buf_str(&text), topic_read_from(o), lang, ret));
    } else {
        TRY(topic_from_words(str_of(o->words), lang, ret));
    }
    return ST_OK;
}

/* Examples and marks of a topic, or of each of several. */
static enum status add_all(struct topic *t, const struct crawl_options *o)
{
    enum status st = ST_OK;

    for (size_t i = 0; i < topic_parts(t) && st == ST_OK; i++)
        st = add_all(topic_part(t, i), o);
    if (topic_parts(t) > 0)
        return st;
    st = add_examples(t, o);
    return st == ST_OK ? add_marks(t, o) : st;
}

enum status topic_make(const struct crawl_options *o, struct topic **ret)
{
    struct topic *t = NULL;
    enum status st = topic_read(o, &t);

    if (st == ST_OK)
        st = add_all(t, o);
    if (st == ST_OK)
        *ret = t;
    else
        topic_free(t);
    return st;
}
