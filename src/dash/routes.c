/* routes.c - the one list of routes. Each stands with its parameters and the shape of its answer
 * beside its handler. docs/api.md is made from the list.
 * SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "base/os/file.h"
#include "dash/call.h"
#include "dash/dash_int.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- the page's files ----------------------------------------------------
 *
 * As tools/embed built them in (empty: the program was built without the page). */

extern const char ui_index_html[], ui_app_js[], ui_app_css[], ui_favicon_svg[];
extern const size_t ui_index_html_len, ui_app_js_len, ui_app_css_len, ui_favicon_svg_len;

static enum status give(struct call *r, const char *name, const char *data, size_t len)
{
    char path[4096];

    if (r->dash->page) {
        if (snprintf(path, sizeof path, "%s/%s", r->dash->page, name) >= (int)sizeof path)
            return status_fail(ST_USAGE, "the name of the directory is too long");
        return file_read(path, &r->out);
    }
    if (len == 0)
        return status_fail(ST_MISSING, "this brood was built without the page; its API is under "
                                       "/api (docs/api.md)");
    buf_add(&r->out, data, len);
    return buf_check(&r->out);
}

static enum status page_index(struct call *r)
{
    return give(r, "index.html", ui_index_html, ui_index_html_len);
}

static enum status page_script(struct call *r)
{
    return give(r, "app.js", ui_app_js, ui_app_js_len);
}

static enum status page_style(struct call *r)
{
    return give(r, "app.css", ui_app_css, ui_app_css_len);
}

static enum status page_icon(struct call *r)
{
    return give(r, "favicon.svg", ui_favicon_svg, ui_favicon_svg_len);
}

static const struct route file_routes[] = {
    {ROUTE_GET("/", "the page; its own routes are behind the '#'", page_index), .kind = REPLY_PAGE,
     .type = "text/html; charset=utf-8"},
    {ROUTE_GET("/app.js", "its script", page_script), .kind = REPLY_PAGE,
     .type = "text/javascript; charset=utf-8"},
    {ROUTE_GET("/app.css", "its style", page_style), .kind = REPLY_PAGE,
     .type = "text/css; charset=utf-8"},
    {ROUTE_GET("/favicon.svg", "its icon", page_icon), .kind = REPLY_PAGE, .type = "image/svg+xml"},
    {.path = NULL},
};

/* Writes it again member by member, because values from a database are not trusted. */
void put_value(struct json *j, const char *name, const json_t *value)
{
    char *dump = value ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;

    json_put_raw(j, name, str_of(dump ? dump : "null"));
    free(dump);
}

/* ---- the list ------------------------------------------------------------ */

const struct route *const route_lists[] = {
    file_routes,    crawl_routes,   pages_routes, page_routes,   tree_routes,
    agent_routes,   map_routes,     talk_routes,  watch_routes,  overlap_routes,
    reports_routes, metrics_routes, start_routes, change_routes, NULL,
};

/* ---- finding one --------------------------------------------------------- */

static bool is_variable(struct str segment)
{
    return segment.len > 0 && segment.ptr[0] >= 'A' && segment.ptr[0] <= 'Z';
}

static bool is_name(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!ascii_is_alpha(s.ptr[i]) && !ascii_is_digit(s.ptr[i]) && !strchr("-_.", s.ptr[i]))
            return false;
    return s.len > 0 && s.ptr[0] != '.';
}

static bool take_number(struct str s, struct call *c)
{
    if (!str_to_u64(s, &c->far_number) || c->far_number == 0)
        return false;
    c->number = c->far_number > UINT32_MAX ? 0 : (uint32_t)c->far_number;
    return true;
}

/* One segment of the path against one of the pattern. `ID` is only kept here: whether
 * there is such a crawl is a question of its own. */
static bool take_segment(struct str pattern, struct str segment, struct call *c, struct str *id)
{
    if (!is_variable(pattern))
        return str_eq(pattern, segment);
    if (str_eq(pattern, STR("N")))
        return take_number(segment, c);
    if (!is_name(segment) || segment.len >= sizeof c->name)
        return false;
    if (str_eq(pattern, STR("ID"))) {
        *id = segment;
    } else {
        memcpy(c->name, segment.ptr, segment.len);
        c->name[segment.len] = '\0';
    }
    return true;
}

static bool matches(const struct route *route, struct str path, struct call *c, struct str *id)
{
    struct str pattern = str_of(route->path), want, have;

    if (path.len > 1 && str_ends(path, STR("/")))
        return false;
    for (;;) {
        bool more = str_cut(&pattern, '/', &want), there = str_cut(&path, '/', &have);

        if (!more || !there)
            return more == there;
        if (!take_segment(want, have, c, id))
            return false;
    }
}

/* The route of a list that has this path and method; NULL: none. *known: another method would do. */
static const struct route *find_in(const struct route *list, const char *method, struct str path,
                                   struct call *ret, struct str *id, bool *known)
{
    for (; list->path; list++) {
        *id = STR("");
        if (!matches(list, path, ret, id))
            continue;
        *known = true;
        if (strcmp(list->method, method) == 0)
            return list;
    }
    return NULL;
}

enum status route_find(struct dash *d, const char *method, struct str path, struct call *ret)
{
    bool known = false;
    struct str id = STR("");

    ret->route = NULL;
    if (strcmp(method, "HEAD") == 0)
        method = "GET";
    for (size_t i = 0; route_lists[i] && ret->route == NULL; i++)
        ret->route = find_in(route_lists[i], method, path, ret, &id, &known);
    if (ret->route == NULL)
        return known ? status_fail(ST_REFUSED, "this path does not take the method %.16s", method)
                     : status_fail(ST_MISSING, "there is nothing at %.*s",
                                   (int)(path.len < 200 ? path.len : 200), path.ptr);
    ret->crawl = id.len ? crawls_find(&d->crawls, id) : NULL;
    if (id.len && ret->crawl == NULL)
        return status_fail(ST_MISSING, "there is no crawl '%.*s'", STR_ARG(id));
    if (ret->far_number > UINT32_MAX && ret->crawl && ret->crawl->far == NULL)
        return status_fail(ST_MISSING, "there is nothing with this number");
    return ST_OK;
}

/* ---- a call -------------------------------------------------------------- */

void call_init(struct call *r)
{
    r->out = BUF_INIT(LIMIT_DASH_ANSWER);
    r->query = BUF_INIT(LIMIT_DASH_URL);
    r->kind = r->route->kind;
    r->type = r->route->type;
    if (r->route->params) {
        r->params = mem_zero(1, r->route->params_size);
        options_init(r->route->params, r->params);
    }
}

enum status call_param(struct call *r, struct str name, struct str value)
{
    const struct option *o = r->route->params ? option_find(r->route->params, name) : NULL;

    if (o == NULL || str_find_char(name, '\0', 0) != SIZE_MAX)
        return status_fail(ST_USAGE, "there is no parameter '%.*s' here",
                           (int)(name.len < 100 ? name.len : 100), name.ptr);
    if (str_find_char(value, '\0', 0) != SIZE_MAX)
        return status_fail(ST_USAGE, "%s: a value must not contain NUL", o->name);
    return value.len > 0 ? option_set(o, r->params, value) : ST_OK;
}

enum status call_answer(struct call *r)
{
    bool enters = r->crawl && !r->route->apart;
    enum status st = enters ? crawl_enter(r->crawl, !r->route->light) : ST_OK;

    if (st != ST_OK)
        return st;
    st = r->route->fn(r);
    if (enters)
        crawl_leave(r->crawl);
    if (st == ST_OK && r->out.full)
        st = status_fail(ST_LIMIT, "the answer is too large: ask for less");
    if (st == ST_STOPPED)
        (void)status_fail(ST_STOPPED, "this takes too long: ask for less");
    return st;
}

void call_clear(struct call *r)
{
    if (r->params)
        options_free(r->route->params, r->params);
    free(r->params);
    json_decref(r->body);
    buf_free(&r->out);
    buf_free(&r->query);
}

/* ---- docs/api.md --------------------------------------------------------- */

static const char *const preface =
    "# The dashboard's API\n"
    "\n"
    "Made from the table of routes (`brood manual --api`); do not edit.\n"
    "\n"
    "`brood serve` and `brood crawl --dashboard` answer HTTP on 127.0.0.1 and print a URL, "
    "`http://127.0.0.1:PORT/#token=T`. Answers are JSON; an error is `{\"error\": \"sentence\"}` "
    "with "
    "400 (a wrong question), 403 (not allowed), 404 (not there), 405 (not this method), 409 (not "
    "in this state), 413 (too much), 415 (not JSON) or 503 (it would take too long). Times are "
    "texts (`2026-11-15T10:00:00.123Z`) unless said otherwise. What is unknown or not there is "
    "`null`: a time, a page, an agent, a title. An unknown parameter is an error.\n"
    "\n"
    "**Who may ask.** The `Host` header has to be 127.0.0.1, localhost, [::1] or what `--bind` "
    "named. "
    "Everything that changes something (POST) needs the header `X-Brood-Token: T`, a body of type "
    "`application/json`, and where a browser sends `Origin`, our own.\n"
    "\n"
    "**Why it is slow.** `waiting` of the overview, and the curves `wait.*`: `politeness` choices "
    "whose "
    "host wants to be left alone, `patience` hosts left idle because their links promise too "
    "little, `dns` names being looked up, `robots` robots.txt files and "
    "`server` "
    "pages under way; `cpu` the share of the time in which the mind was busy, `store` the share of "
    "its "
    "turns in which the writer had no room.\n"
    "\n"
    "**Marks.** A mark is kept at once, as a label of the URL (table `label`). A model "
    "that learns from examples (`classifier`) takes it as one of them, `taught` says so, and is "
    "trained with it when the next page comes, at most every five seconds; `resume` tells it all "
    "marks again. The crawl's relevance stays as it is: pages of one crawl are comparable. For a "
    "later crawl the line `marks DIR` of a topic file ([topic.md](topic.md)) makes examples of "
    "all marked pages, without asking for them.\n"
    "\n"
    "**Pause.** A paused crawl makes no request; what is under way arrives, timers and messages go "
    "on, and "
    "the time of `--for` too. Crawls that were started from the page go on when `brood serve` "
    "ends.\n";

static void add_params(struct buf *out, const struct option *o)
{
    if (o == NULL)
        return;
    buf_add_z(out, "\n| parameter | default | meaning |\n|---|---|---|\n");
    for (; o->name; o++) {
        struct buf range = BUF_INIT(400);

        option_range(o, &range);
        buf_addf(out, "| `%s` | %s | %s%s%.*s%s |\n", o->name, o->fallback ? o->fallback : "",
                 o->help, range.len ? " (" : "", (int)range.len, range.len ? range.data : "",
                 range.len ? ")" : "");
        buf_free(&range);
    }
}

void dash_manual(struct buf *out)
{
    buf_add_z(out, preface);
    for (const struct route *const *list = route_lists; *list; list++)
        for (const struct route *r = *list; r->path; r++) {
            buf_addf(out, "\n## %s %s\n\n%s.\n", r->method, r->path, r->summary);
            if (r->body)
                buf_addf(out, "\nBody: `%s`\n", r->body);
            if (r->answer)
                buf_addf(out, "\nAnswer: `%s`\n", r->answer);
            add_params(out, r->params);
        }
}
