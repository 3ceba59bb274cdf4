/* start.c - starts a crawl or a watch from the form. The command's own code finds all mistakes that
 * it would refuse; without mistakes a process of the same binary is started. No shell is used.
 * SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "base/os/clock.h"
#include "dash/api/order.h"
#include "dash/call.h"
#include "dash/dash_int.h"
#include "models/models.h"

/* ---- the models, for the form -------------------------------------------- */

static enum status api_models(struct call *r)
{
    const struct model_ops *const *all = model_registry();
    struct json j;

    json_init(&j, &r->out);
    json_open_array(&j, NULL);
    for (size_t i = 0; all[i]; i++)
        model_put(&j, all[i]);
    json_close(&j);
    return ST_OK;
}

/* ---- the form ------------------------------------------------------------ */

#define LAST_WAIT (30 * US_PER_S) /* for a process that is ending */

/* A directory of its own below the root: the topic's first letters and the time. */
static void make_dir(struct buf *dir, const char *root, const char *topic)
{
    char at[CLOCK_TEXT];
    size_t begin;

    clock_format(clock_now(), 3, at);
    buf_addf(dir, "%s/", root);
    begin = dir->len;
    for (size_t i = 0; topic && topic[i] && dir->len - begin < 40; i++)
        if (ascii_is_alpha(topic[i]) || ascii_is_digit(topic[i]))
            buf_add_char(dir, ascii_lower(topic[i]));
        else if (dir->len > begin && dir->data[dir->len - 1] != '-')
            buf_add_char(dir, '-');
    if (dir->len > begin && dir->data[dir->len - 1] != '-')
        buf_add_char(dir, '-');
    buf_addf(dir, "%s%.4s%.2s%.2s-%.2s%.2s%.2s%.3s", dir->len > begin ? "" : "crawl-", at, at + 5,
             at + 8, at + 11, at + 14, at + 17, at + 20);
}

/* The whole command line. */
static void make_argv(struct text_list *ret, const struct dash *d, const struct run_order *o,
                      const char *dir)
{
    struct buf out = BUF_INIT(5000);

    text_list_add(ret, str_of(d->program));
    text_list_add(ret, str_of(o->command));
    for (size_t i = 0; i < o->argv.count; i++)
        text_list_add(ret, str_of(o->argv.items[i]));
    text_list_add(ret, STR("--quiet"));
    buf_addf(&out, "--out=%s", dir);
    text_list_add(ret, buf_str(&out));
    if (o->words) {
        text_list_add(ret, STR("--"));
        text_list_add(ret, str_of(o->words));
    }
    buf_free(&out);
}

static void put_mistakes(struct json *j, const struct mistakes *m)
{
    json_open_array(j, "mistakes");
    for (size_t i = 0; i < m->count; i++) {
        json_open_object(j, NULL);
        json_put_text(j, "field", str_of(m->items[i].name));
        json_put_z(j, "error", m->items[i].sentence);
        json_close(j);
    }
    json_close(j);
}

/* Answers with the first mistake, and with all of them. */
static enum status refuse(struct call *r, const struct mistakes *m)
{
    struct json j;

    json_init(&j, &r->out);
    json_open_object(&j, NULL);
    json_put_z(&j, "error", m->items[0].sentence);
    json_put_text(&j, "field", str_of(m->items[0].name));
    put_mistakes(&j, m);
    json_close(&j);
    r->told = true;
    return ST_USAGE;
}

static enum status start(struct call *r, const struct text_list *argv, struct dash_crawl *crawl,
                         const char *dir)
{
    struct buf log = BUF_INIT(5000);
    enum status st = crawl ? ST_OK : status_fail(ST_LIMIT, "there are too many crawls");
    struct json j;

    buf_addf(&log, "%s.log", dir);
    if (st == ST_OK)
        st = children_start(&r->dash->children, argv, log.data, crawl);
    if (st == ST_OK) {
        json_init(&j, &r->out);
        json_open_object(&j, NULL);
        json_put_z(&j, "id", crawl->id);
        json_put_z(&j, "dir", crawl->dir);
        json_put_z(&j, "log", log.data);
        json_close(&j);
    }
    buf_free(&log);
    return st;
}

#define ONLY_SERVE "crawls are started from 'brood serve'"

static bool can_start(const struct dash *d)
{
    return d->root && d->program;
}

/* The request, its mistakes, and the command that would run. */
struct start_plan {
    struct run_order order;
    struct text_list argv;
    struct buf dir;
};

static enum status plan_make(struct start_plan *p, const struct call *r)
{
    struct mistakes said = {0};

    *p = (struct start_plan){.dir = BUF_INIT(4000)};
    if (!can_start(r->dash))
        return status_fail(ST_REFUSED, ONLY_SERVE);
    order_read(&p->order, r->body);
    make_dir(&p->dir, r->dash->root, p->order.words);
    make_argv(&p->argv, r->dash, &p->order, p->dir.data);
    if (r->dash->check)
        r->dash->check(&p->argv, &said);
    order_blame(&p->order, &said);
    mistakes_clear(&said);
    return p->dir.full ? status_fail(ST_LIMIT, "the name of the directory is too long") : ST_OK;
}

static void plan_clear(struct start_plan *p)
{
    text_list_free(&p->argv);
    buf_free(&p->dir);
    order_clear(&p->order);
}

static enum status api_start(struct call *r)
{
    struct start_plan p;
    enum status st = plan_make(&p, r);

    if (st == ST_OK)
        st = p.order.mistakes.count
                 ? refuse(r, &p.order.mistakes)
                 : start(r, &p.argv, crawls_add(&r->dash->crawls, p.dir.data), p.dir.data);
    plan_clear(&p);
    return st;
}

static enum status api_start_check(struct call *r)
{
    struct buf command = BUF_INIT(LIMIT_DASH_BODY * 4);
    struct start_plan p;
    struct json j;
    enum status st = plan_make(&p, r);

    if (st == ST_OK) {
        order_show(&p.order, &command);
        json_init(&j, &r->out);
        json_open_object(&j, NULL);
        json_put_z(&j, "command", command.data);
        put_mistakes(&j, &p.order.mistakes);
        json_close(&j);
    }
    buf_free(&command);
    plan_clear(&p);
    return st;
}

/* ---- going on ---- */

/* Does it run? And is it a watch? */
static enum status look_at(struct dash_crawl *c, bool *ret_watch)
{
    enum crawl_state state;
    enum status st = crawl_enter(c, false);

    if (st != ST_OK)
        return st;
    c->live.asked_at = 0;
    state = crawl_state(c);
    *ret_watch = crawl_is_watch(c);
    if (state != STATE_FINISHED && state != STATE_DEAD)
        st = status_fail(ST_BUSY, "it is running");
    crawl_leave(c);
    return st;
}

/* Waits for the end of its process, which may need a moment after its last message. */
static enum status await_child(struct dash *d, const struct dash_crawl *c)
{
    int64_t until = clock_now() + LAST_WAIT;
    bool started, lives;

    do {
        children_reap(&d->children);
        crawl_birth(c, &started, &lives);
        if (!lives)
            return ST_OK;
        clock_sleep(20 * US_PER_MS);
    } while (clock_now() < until);
    return status_fail(ST_BUSY, "it is running");
}

static enum status limit_of(const json_t *body, int64_t *ret)
{
    const json_t *pages = json_object_get(body, "pages");

    *ret = -1; /* as it was */
    if (pages == NULL || json_is_null(pages))
        return ST_OK;
    if (!json_is_integer(pages) || json_integer_value(pages) < 0 ||
        json_integer_value(pages) > 4000000000)
        return status_fail(ST_USAGE, "pages: a whole number, 0 to 4000000000");
    *ret = json_integer_value(pages);
    return ST_OK;
}

static void resume_argv(struct text_list *ret, const struct call *r, bool watch, int64_t pages)
{
    struct buf text = BUF_INIT(5000);

    text_list_add(ret, str_of(r->dash->program));
    text_list_add(ret, watch ? STR("watch") : STR("resume"));
    text_list_add(ret, STR("--quiet"));
    if (watch)
        buf_addf(&text, "--out=%s", r->crawl->dir);
    else
        buf_addf(&text, "--pages=%lld", (long long)pages);
    text_list_add(ret, buf_str(&text));
    if (!watch) {
        text_list_add(ret, STR("--"));
        text_list_add(ret, str_of(r->crawl->dir));
    }
    buf_free(&text);
}

static enum status api_resume(struct call *r)
{
    enum status st = can_start(r->dash) ? ST_OK : status_fail(ST_REFUSED, ONLY_SERVE);
    struct text_list argv = {0};
    bool watch = false;
    int64_t pages = -1;

    if (st == ST_OK)
        st = limit_of(r->body, &pages);
    if (st == ST_OK)
        st = look_at(r->crawl, &watch);
    if (st == ST_OK)
        st = await_child(r->dash, r->crawl);
    if (st == ST_OK) {
        resume_argv(&argv, r, watch, pages);
        st = start(r, &argv, r->crawl, r->crawl->dir);
    }
    text_list_free(&argv);
    return st;
}

const struct route start_routes[] = {
    {ROUTE_GET("/api/models", "the models and their options", api_models),
     .answer = "as `brood models --json`"},
    {ROUTE_POST("/api/crawls", "starts a crawl or a watch (brood serve only)", api_start),
     .body =
         "{kind: \"crawl\"|\"watch\", topic: words, topic_file: path, seeds: [URL], search: URL, "
         "search_queries, search_hits, model, set: "
         "{option: value}, limits: {pages, for, bytes}, relevant, delay, max_depth, lang, scope: "
         "[rule], exclude: [pattern], contact, resolve: [rule], allow_private: bool}; of a watch "
         "also max_age, changes, quiet_hours. Values are written as on the command line",
     .answer =
         "{id, dir, log}; or 400 and {error, field, mistakes: [{field, error}]}, where `field` "
         "is a member of what was sent (limits.for, set.n) or null"},
    {ROUTE_POST("/api/crawls/check",
                "what is wrong with such a form, and the command line it stands for; starts "
                "nothing",
                api_start_check),
     .body = "as of /api/crawls",
     .answer = "{command: text for a shell, mistakes: [{field, error}]}"},
    {ROUTE_POST("/api/crawls/ID/resume",
                "goes on with one that has ended or died, as `brood resume` (brood serve only)",
                api_resume),
     .apart = true,
     .body = "{pages: a new limit, counted from its beginning; 0: none; not named: the old one}",
     .answer = "{id, dir, log}"},
    {.path = NULL},
};
