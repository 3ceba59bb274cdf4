/* watch_resume.c - the options with which an existing watch was begun. Its options are kept as a
 * crawl's are ("option.NAME"), those of its own as "watch.NAME". SPDX-License-Identifier: MIT */
#include "cli/commands/watch.h"

#include "base/os/clock.h"
#include "base/mem.h"
#include "bus/bus.h"
#include "crawl/start/trust.h"
#include "store/read/query.h"
#include "store/store.h"

#include <stdlib.h>
#include <unistd.h>

#define WATCH_KEY "watch" /* what makes a crawl a watch */

enum status watch_find(const char *dir, bool *ret)
{
    LOCAL_BUF path = BUF_INIT(8192), text = BUF_INIT(100);
    LOCAL_QUERY *q = NULL;
    enum status st = ST_OK;

    *ret = false;
    buf_addf(&path, "%s/crawl.db", dir);
    if (path.data && access(path.data, F_OK) == 0 && !store_is_unbegun(dir)) {
        st = query_open(dir, &q);
        if (st == ST_OK)
            st = query_key(q, WATCH_KEY, &text);
        if (st == ST_MISSING)
            st = status_fail(ST_USAGE,
                             "%s is a crawl, not a watch: 'brood resume' goes on with it; a watch "
                             "needs a directory of its own (--seeds-from %s starts at its best "
                             "pages)",
                             dir, dir);
        *ret = st == ST_OK;
    }
    return st;
}

/* Rows behind those of a crawl. */
static const struct option *own_rows(void)
{
    return option_find(watch_option_table, STR("max-age"));
}

static bool is_own(const struct option *op)
{
    return op >= own_rows();
}

/* Is this option kept? Options of a single run are not: directory, output and limits. */
static bool is_kept(const struct option *op)
{
    static const char *const each_time[] = {"once", "for",   "pages",           "bytes", "sendmail",
                                            "out",  "quiet", "without-secrets", "trust"};

    for (size_t i = 0; i < ARRAY_LEN(each_time); i++)
        if (strcmp(op->name, each_time[i]) == 0)
            return false;
    return true;
}

static enum status read_key(struct query *q, const struct option *op, struct buf *ret)
{
    LOCAL_BUF name = BUF_INIT(100);

    buf_addf(&name, is_own(op) ? "watch.%s" : "option.%s", op->name);
    return query_key(q, name.data, ret);
}

/* What cannot change while the watch goes on. */
static enum status check_same(const struct option *op, struct str now, struct str then)
{
    static const char *const fixed[] = {"words", "topic", "model", "seed"};

    for (size_t i = 0; i < ARRAY_LEN(fixed); i++)
        if (strcmp(op->name, fixed[i]) == 0 && !str_eq(now, then))
            return status_fail(ST_USAGE,
                               "this watch was begun with %s '%.*s', not '%.*s': another one "
                               "needs another directory",
                               op->name, STR_ARG(then), STR_ARG(now));
    return ST_OK;
}

/* Is the option given: on the command line with any value, or elsewhere with another value than the
 * default? */
static bool is_said(const struct option *op, const struct text_list *given, struct str now,
                    const struct watch_options *defaults)
{
    LOCAL_BUF usual = BUF_INIT(1 << 20);
    bool said;

    crawl_option_text(op, &defaults->crawl, &usual);
    said = !str_eq(now, buf_str(&usual));
    for (size_t i = 0; i < given->count && !said; i++)
        said = strcmp(given->items[i], op->name) == 0;
    return said;
}

/* Adds the name of an option that is said to `ret_said`. */
static enum status restore_one(struct query *q, const struct option *op,
                               const struct text_list *given, const struct watch_options *defaults,
                               struct watch_options *o, struct text_list *ret_said)
{
    LOCAL_BUF now = BUF_INIT(1 << 20), then = BUF_INIT(1 << 20);
    enum status st = read_key(q, op, &then);

    crawl_option_text(op, &o->crawl, &now);
    if (st == ST_OK && then.len > 0) {
        if (is_said(op, given, buf_str(&now), defaults)) {
            text_list_add(ret_said, str_of(op->name));
            st = check_same(op, buf_str(&now), buf_str(&then));
        } else {
            st = crawl_option_restore(op, &o->crawl, buf_str(&then));
        }
    }
    return st == ST_MISSING ? ST_OK : st;
}

void watch_switch_off(struct watch_options *o)
{
    for (const struct option *op = own_rows(); op->name; op++) {
        char **text = (char **)((char *)o + op->offset);

        if (op->type == OPTION_TEXT && op->fallback == NULL && *text && **text == '\0') {
            free(*text);
            *text = NULL;
        }
    }
}

enum status watch_restore(const char *dir, const struct text_list *given, struct watch_options *o)
{
    struct watch_options defaults = {0};
    struct buf topic = BUF_INIT(1 << 24);
    struct text_list said = {0}; /* on the command line, in --config, in the environment */
    struct query *q = NULL;
    enum status st = query_open(dir, &q);

    options_init(watch_option_table, &defaults);
    for (const struct option *op = watch_option_table; st == ST_OK && op->name; op++)
        if (is_kept(op))
            st = restore_one(q, op, given, &defaults, o, &said);
    if (st == ST_OK && (st = query_key(q, "topic", &topic)) == ST_OK) {
        free(o->crawl.topic_text);
        o->crawl.topic_text = buf_take(&topic, NULL);
    }
    if (st == ST_MISSING)
        st = ST_OK;
    buf_free(&topic);
    if (st == ST_OK && !o->trust)
        st = trust_check(dir, q, &said);
    query_close(q);
    text_list_free(&said);
    options_free(watch_option_table, &defaults);
    return st;
}

static void post_key(struct crawl *c, const char *name, struct str value)
{
    struct event e = {.kind = EVENT_KEY, .at = clock_now(), .key = {str_of(name), value}};

    bus_post(crawl_bus(c), &e);
}

/* Uses the full path of a file, because the next start may be in another directory. */
static void own_value(const struct option *op, const struct watch_options *o, struct buf *out)
{
    struct buf value = BUF_INIT(1 << 20);
    char *path;

    option_show(op, o, &value);
    secret_hide(op->secret, buf_str(&value), out);
    buf_free(&value);
    if (out->len == 0 || op->metavar == NULL || strcmp(op->metavar, "FILE") != 0)
        return;
    path = realpath(out->data, NULL);
    if (path) {
        buf_clear(out);
        buf_add_z(out, path);
    }
    free(path);
}

void watch_mark(struct crawl *c)
{
    post_key(c, WATCH_KEY, STR("1"));
}

void watch_keep(struct crawl *c, const struct watch_options *o)
{
    for (const struct option *op = own_rows(); op->name; op++) {
        struct buf name = BUF_INIT(100), value = BUF_INIT(1 << 20);

        buf_addf(&name, "watch.%s", op->name);
        own_value(op, o, &value);
        if (is_kept(op))
            post_key(c, name.data, buf_str(&value));
        buf_free(&name);
        buf_free(&value);
    }
}
