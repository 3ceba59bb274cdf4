/* change.c - what a browser may change in a crawl: all changes are commands to DIR/control
 * (crawl/ask.h).
 * SPDX-License-Identifier: MIT */
#include "base/os/clock.h"
#include "base/limits.h"
#include "base/units.h"
#include "crawl/ask.h"
#include "dash/dash_int.h"

#include <stdlib.h>

#define PATIENCE (30 * US_PER_S)

/* Sends a command, and answers with its answer. Takes the reference. */
static enum status tell(struct call *r, json_t *command)
{
    char *line = json_dumps(command, JSON_COMPACT), *text;
    json_t *answer = NULL;
    enum status st = control_ask(r->crawl->dir, str_of(line), PATIENCE, &answer);

    json_decref(command);
    free(line);
    if (st == ST_MISSING)
        st = status_fail(ST_BUSY, "this crawl is not running");
    if (st == ST_OK) {
        text = json_dumps(answer, JSON_COMPACT);
        buf_add_z(&r->out, text);
        free(text);
        (void)pthread_mutex_lock(&r->crawl->lock);
        r->crawl->live.asked_at = 0; /* its state may have changed */
        (void)pthread_mutex_unlock(&r->crawl->lock);
    }
    json_decref(answer);
    return st;
}

static enum status api_pause(struct call *r)
{
    return tell(r, json_pack("{s:s}", "do", "pause"));
}

static enum status api_continue(struct call *r)
{
    return tell(r, json_pack("{s:s}", "do", "continue"));
}

static enum status api_stop(struct call *r)
{
    return tell(r, json_pack("{s:s}", "do", "stop"));
}

/* A number, or a text with a unit: "10m", "2Gi". */
static enum status unit_of(const json_t *value, const char *name, bool is_time, int64_t *ret)
{
    uint64_t bytes;

    if (json_is_integer(value) && json_integer_value(value) >= 0) {
        *ret = json_integer_value(value) * (is_time ? US_PER_S : 1);
        return json_integer_value(value) < INT64_MAX / US_PER_S
                   ? ST_OK
                   : status_fail(ST_USAGE, "%s is too large", name);
    }
    if (!json_is_string(value))
        return status_fail(ST_USAGE, "%s: a number, or a text such as %s", name,
                           is_time ? "\"10m\"" : "\"2Gi\"");
    if (is_time)
        return units_duration(str_of(json_string_value(value)), ret);
    if (units_size(str_of(json_string_value(value)), &bytes) != ST_OK)
        return ST_USAGE;
    *ret = (int64_t)bytes;
    return ST_OK;
}

static enum status api_limits(struct call *r)
{
    static const struct {
        const char *name;
        bool is_time;
    } limits[] = {{"pages", false}, {"for", true}, {"bytes", false}};
    json_t *command = json_pack("{s:s}", "do", "limits");
    enum status st = ST_OK;

    for (size_t i = 0; i < sizeof limits / sizeof *limits && st == ST_OK; i++) {
        const json_t *value = json_object_get(r->body, limits[i].name);
        int64_t n = 0;

        if (value == NULL || json_is_null(value))
            continue;
        st = unit_of(value, limits[i].name, limits[i].is_time, &n);
        (void)json_object_set_new(command, limits[i].name, json_integer(n));
    }
    if (st == ST_OK)
        return tell(r, command);
    json_decref(command);
    return st;
}

static enum status api_seeds(struct call *r)
{
    json_t *urls = json_object_get(r->body, "urls");

    if (!json_is_array(urls))
        return status_fail(ST_USAGE, "urls: a list of places to start");
    return tell(r, json_pack("{s:s, s:O}", "do", "seeds", "urls", urls));
}

static enum status api_mark(struct call *r)
{
    json_t *url = json_object_get(r->body, "url"), *relevant = json_object_get(r->body, "relevant");
    bool taught = false;
    enum status st;

    if (!json_is_string(url) || json_string_length(url) == 0 ||
        json_string_length(url) > LIMIT_URL || strlen(json_string_value(url)) == 0)
        return status_fail(ST_USAGE, "url: which page is it?");
    if (relevant == NULL || !(json_is_boolean(relevant) || json_is_null(relevant)))
        return status_fail(ST_USAGE, "relevant: true, false or null");
    st = control_mark(r->crawl->dir, json_string_value(url),
                      json_is_null(relevant) ? -1 : json_is_true(relevant), &taught);
    if (st == ST_OK)
        buf_addf(&r->out, "{\"ok\":true,\"taught\":%s}", taught ? "true" : "false");
    return st;
}

const struct route change_routes[] = {
    {ROUTE_POST("/api/crawls/ID/pause", "no new request is made", api_pause), .apart = true,
     .answer = "{ok: true}"},
    {ROUTE_POST("/api/crawls/ID/continue", "and on again", api_continue), .apart = true,
     .answer = "{ok: true}"},
    {ROUTE_POST("/api/crawls/ID/stop", "ends it, keeping everything", api_stop), .apart = true,
     .answer = "{ok: true}"},
    {ROUTE_POST("/api/crawls/ID/limits",
                "other limits; what is not named stays, 0 is none; one that is reached ends the "
                "crawl",
                api_limits),
     .apart = true,
     .body = "{pages: N, for: seconds or \"10m\", bytes: N or "
             "\"2Gi\"}",
     .answer = "{ok: true, pages}"},
    {ROUTE_POST("/api/crawls/ID/seeds", "more places to start", api_seeds), .apart = true,
     .body = "{urls: [URL]}", .answer = "{ok: true, taken: N}"},
    {ROUTE_POST("/api/crawls/ID/mark",
                "says that a page is relevant or not; kept as a label (`relevant`, `irrelevant`), "
                "and an example for a model that learns from them",
                api_mark),
     .apart = true, .body = "{url, relevant: true|false|null}",
     .answer = "{ok: true, taught: is it an example now?}"},
    {.path = NULL},
};
