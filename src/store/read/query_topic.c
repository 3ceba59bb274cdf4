/* query_topic.c - pages of a crawl with several topics. SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "store/read/as_json.h"
#include "store/read/query_int.h"
#include "text/topic.h"

/* Rows of the table page_topic. Crawls of earlier versions have no such table: *ret stays NULL. */
static enum status prepare(struct query *q, const char *sql, int64_t parameter, sqlite3_stmt **ret)
{
    int64_t there = 0;
    enum status st =
        db_int(q->db, "SELECT count(*) FROM sqlite_schema WHERE name = 'page_topic'", &there);

    return st == ST_OK && there > 0 ? query_prepare(q, sql, parameter, 0, ret) : st;
}

/* Is there another row? */
static bool next_row(struct query *q, sqlite3_stmt *st, enum status *status)
{
    return *status == ST_OK && st != NULL && db_row(q->db, st, status);
}

static struct query_topic read_topic(sqlite3_stmt *st)
{
    return (struct query_topic){
        .name = db_str(st, 0), .relevance = sqlite3_column_double(st, 1), .p = query_real(st, 2)};
}

enum status query_topics(struct query *q, uint32_t page, query_topic_fn *fn, void *ctx)
{
    sqlite3_stmt *st = NULL;
    enum status status =
        prepare(q, "SELECT topic, relevance, p FROM page_topic WHERE page_id = ? ORDER BY topic",
                page, &st);

    while (next_row(q, st, &status)) {
        struct query_topic t = read_topic(st);

        status = fn(ctx, &t);
    }
    query_done(q, st);
    return status;
}

enum status query_topic_totals(struct query *q, query_topic_total_fn *fn, void *ctx)
{
    sqlite3_stmt *st = NULL;
    enum status status = prepare(q,
                                 "SELECT topic, count(*), sum(relevance >= ?), avg(relevance)"
                                 " FROM page_topic GROUP BY topic ORDER BY topic",
                                 0, &st);

    if (st != NULL)
        (void)sqlite3_bind_double(st, 1, query_threshold(q));
    while (next_row(q, st, &status)) {
        struct query_topic_total t = {.name = db_str(st, 0),
                                      .pages = (uint64_t)sqlite3_column_int64(st, 1),
                                      .relevant = (uint64_t)sqlite3_column_int64(st, 2),
                                      .mean_relevance = sqlite3_column_double(st, 3)};

        status = fn(ctx, &t);
    }
    query_done(q, st);
    return status;
}

enum status query_topic_names(struct query *q, query_topic_name_fn *fn, void *ctx)
{
    sqlite3_stmt *st = NULL;
    enum status status = prepare(q,
                                 "SELECT topic FROM page_topic WHERE page_id ="
                                 " (SELECT min(page_id) FROM page_topic) ORDER BY topic",
                                 0, &st);

    while (next_row(q, st, &status))
        status = fn(ctx, db_str(st, 0));
    query_done(q, st);
    return status;
}

/* A crawl of an earlier version has not stored the words: they are read from the topic's text. */
static enum status words_of_text(struct query *q, const char *name, struct buf *ret)
{
    LOCAL_BUF text = BUF_INIT(LIMIT_TOPIC_FILE);
    struct topic *t = NULL;
    enum status st = query_key(q, "topic", &text);

    if (st == ST_OK && topic_from_text(buf_str(&text), "the stored topic", STR(""), &t) == ST_OK) {
        if (name == NULL)
            topic_words(t, ret);
        for (size_t i = 0; name && i < topic_parts(t); i++)
            if (str_eq(topic_name(topic_part(t, i)), str_of(name)))
                topic_words(topic_part(t, i), ret);
    }
    topic_free(t);
    return st;
}

enum status query_topic_words(struct query *q, const char *name, struct buf *ret)
{
    LOCAL_BUF key = BUF_INIT(KIB(4));
    enum status st;

    buf_addf(&key, "topic.words%s%s", name ? "." : "", name ? name : "");
    st = query_key(q, key.data, ret);
    return st == ST_MISSING ? words_of_text(q, name, ret) : st;
}

/* ---- the best pages of a topic ---- */

struct names {
    struct str wanted;
    struct buf all; /* for people */
    bool found;
};

static enum status note_name(void *ctx, struct str name)
{
    struct names *n = ctx;

    n->found |= str_eq(name, n->wanted);
    buf_addf(&n->all, "%s%.*s", n->all.len ? ", " : "", STR_ARG(name));
    return ST_OK;
}

enum status query_topic_check(struct query *q, struct str topic)
{
    struct names names = {.wanted = topic, .all = BUF_INIT(KIB(16))};
    enum status st = query_topic_names(q, note_name, &names);

    if (st == ST_OK && names.all.len == 0)
        st = status_fail(ST_USAGE, "this crawl has only one topic, so there is none to choose");
    else if (st == ST_OK && !names.found)
        st = status_fail(ST_USAGE, "this crawl has no topic '%.*s', but: %.*s", STR_ARG(topic),
                         STR_ARG(buf_str(&names.all)));
    buf_free(&names.all);
    return st;
}

/* A page with the verdict of one topic in place of the verdict of all topics. */
struct of_topic {
    struct str topic;
    struct query_page page;
};

static enum status take_verdict(void *ctx, const struct query_topic *t)
{
    struct of_topic *o = ctx;

    if (str_eq(t->name, o->topic)) {
        o->page.relevance = t->relevance;
        o->page.p = t->p;
    }
    return ST_OK;
}

enum status query_pass_topic(void *ctx, const struct query_page *page)
{
    struct query_passing *p = ctx;
    struct of_topic one = {p->topic, *page};
    enum status st = query_topics(p->query, page->id, take_verdict, &one);

    return st == ST_OK ? p->fn(p->ctx, &one.page) : st;
}

enum status query_top_of(struct query *q, struct str topic, uint32_t n, query_page_fn *fn,
                         void *ctx)
{
    struct query_passing p = {q, topic, fn, ctx};
    sqlite3_stmt *st = NULL;

    TRY(query_topic_check(q, topic));
    TRY(query_prepare(q,
                      "SELECT " QUERY_PAGE_COLUMNS
                      " FROM page_topic t JOIN page p ON p.id = t.page_id WHERE"
                      " t.topic = ?1 AND NOT p.hidden AND p.dup_of IS NULL AND " QUERY_NEWEST
                      " ORDER BY " QUERY_TOPIC_RANK " DESC, t.relevance DESC, p.id LIMIT ?2",
                      0, 0, &st));
    db_bind_str(st, 1, topic);
    (void)sqlite3_bind_int64(st, 2, n);
    return query_page_stream(q, st, query_pass_topic, &p);
}

/* ---- as JSON ---- */

static enum status put_topic(void *ctx, const struct query_topic *t)
{
    struct query_page page = {.relevance = t->relevance, .p = t->p};

    json_open_object(ctx, NULL);
    json_put_str(ctx, "topic", t->name);
    json_put_int(ctx, "sure", page_sure(&page));
    json_put_num(ctx, "relevance", t->relevance);
    json_put_num(ctx, "p", t->p);
    json_close(ctx);
    return ST_OK;
}

struct optional_array {
    struct json *json;
    bool open;
};

static enum status put_optional(void *ctx, const struct query_topic *t)
{
    struct optional_array *a = ctx;

    if (!a->open)
        json_open_array(a->json, "topics");
    a->open = true;
    return put_topic(a->json, t);
}

enum status page_topics_put(struct json *j, struct query *q, uint32_t page)
{
    struct optional_array a = {j, false};
    enum status st = query_topics(q, page, put_optional, &a);

    if (a.open)
        json_close(j);
    return st;
}
