/* routes.c - THE table of routes: what may be asked, with which parameters, and how an
 * answer looks. docs/api.md is made from it (api/manual.c).
 * SPDX-License-Identifier: MIT */
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

/* Written again: what a database says is nothing to be trusted with. */
void put_value(struct json *j, const char *name, const json_t *value)
{
    char *dump = value ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;

    json_put_raw(j, name, str_of(dump ? dump : "null"));
    free(dump);
}

/* ---- the table ----------------------------------------------------------- */

#define ROW                                                                                      \
    "{rank, id, url, title, relevance, p: what the model or the end of the crawl says or null, " \
    "sure: 0 to 100, agent, agent_name, host, mime, "                                            \
    "fetched_at, date, status, depth, "                                                          \
    "seed: bool, label: \"relevant\"|\"irrelevant\"|null, version_of}"
#define AGENT "id, name, kind, generation, energy, pages, born_at, died_at, death"

const struct route route_table[] = {
    {"GET", "/", .summary = "the page; its own routes are behind the '#'", .fn = page_index,
     .kind = REPLY_PAGE, .type = "text/html; charset=utf-8"},
    {"GET", "/app.js", .summary = "its script", .fn = page_script, .kind = REPLY_PAGE,
     .type = "text/javascript; charset=utf-8"},
    {"GET", "/app.css", .summary = "its style", .fn = page_style, .kind = REPLY_PAGE,
     .type = "text/css; charset=utf-8"},
    {"GET", "/favicon.svg", .summary = "its icon", .fn = page_icon, .kind = REPLY_PAGE,
     .type = "image/svg+xml"},

    {"GET", "/api/crawls", .summary = "all crawls, running and finished", .fn = api_crawls,
     .answer =
         "[{id, dir, name, topic, model, state: \"starting\"|\"running\"|\"paused\"|"
         "\"finished\"|\"dead\", kind: \"crawl\"|\"watch\", started_at, pages, pages_limit, "
         "relevant, alive, born, hosts, hosts_met, failed, bytes, received, seconds}]; of one that "
         "could not begin: {id, "
         "dir, name, state, trouble: what it said}"},
    {"GET", "/api/crawls/ID", .summary = "the overview of one", .fn = api_overview, .apart = true,
     .answer =
         "a row of /api/crawls, and {rate_1s, rate_60s, left: seconds, mean_relevance, "
         "relevant_threshold, outlook: {found, more, least, most, share} (where the model can "
         "tell), duplicates, hidden, urls, queue, in_flight, waiting: "
         "{politeness, dns, robots, "
         "server, cpu, store}, drops: {REASON: N}, agents: {alive, born, died}, energy: "
         "{agents, living, dead, pages, cut, given, earned, burnt} or null, bounds: {low, "
         "high, cap}, describe: {…}, commit_at, trouble, end, seeds: [URL], topics: [name] (where "
         "there "
         "are several), options: {…}, usual: [option that was not changed], metrics: [NAME]}"},
    {"GET", "/api/crawls/ID/samples", .summary = "curves over time", .fn = api_samples,
     .params = samples_params, .params_size = sizeof(struct samples_query), .light = true,
     .answer = "{at: [seconds since 1970], NAME: [value or null], …}"},
    {"GET", "/api/crawls/ID/histogram", .summary = "how relevance is spread", .fn = api_histogram,
     .light = true, .answer = "{bins: [50 counts, of 0 to 1], R: the model's threshold or null}"},
    {"GET", "/api/crawls/ID/pages", .summary = "the ranked pages, filtered", .fn = api_pages,
     .params = pages_params, .params_size = sizeof(struct pages_query),
     .answer = "{total, rows: [" ROW
               "] (with `snippet` also {snippet: hits between U+0002 and U+0003}), searched: "
               "\"text\"|\"part\"|\"titles\"|null}; with `q` also {indexed: pages "
               "whose full text was searched, of: pages in all}"},
    {"GET", "/api/crawls/ID/pages.jsonl", .summary = "the same, all, as JSON lines",
     .fn = api_pages_jsonl, .params = pages_params, .params_size = sizeof(struct pages_query),
     .heavy = true, .type = "application/x-ndjson", .answer = "a row a line"},
    {"GET", "/api/crawls/ID/pages.csv", .summary = "the same, all, as CSV", .fn = api_pages_csv,
     .params = pages_params, .params_size = sizeof(struct pages_query), .heavy = true,
     .type = "text/csv; charset=utf-8",
     .answer = "rank,sure,relevance,url,title,host,agent,fetched_at,date,status,depth"},
    {"GET", "/api/crawls/ID/page/N", .summary = "all that is known of one page", .fn = api_page,
     .answer = "a row of pages (no rank), and {charset, lang, bytes, latency_ms, similarity, "
               "energy, dup_of, hidden, truncated, stored: bool, topics: [{topic, sure, relevance, "
               "p}] (of a crawl with several topics), via: {page, url, title} or null, "
               "links_out: [{url, anchor, score, page, dropped}], links_in: [{page, url, anchor, "
               "score}] or null while it runs, visits: [{agent, at, first, before, delta, after}], "
               "versions: [{page, fetched_at, title, relevance}]}"},
    {"GET", "/api/crawls/ID/text/N", .summary = "the text of a page", .fn = api_text,
     .type = "text/plain; charset=utf-8", .kind = REPLY_STORED, .answer = "plain text"},
    {"GET", "/api/crawls/ID/markdown/N", .summary = "the main text of a page as Markdown",
     .fn = api_markdown, .type = "text/plain; charset=utf-8", .kind = REPLY_STORED,
     .answer = "Markdown"},
    {"GET", "/api/crawls/ID/stored/N",
     .summary = "the stored copy of a page, for a sandboxed frame", .fn = api_stored,
     .kind = REPLY_STORED, .answer = "HTML or plain text, without script and network"},
    {"GET", "/api/crawls/ID/tree", .summary = "the family tree of the agents", .fn = api_tree,
     .params = tree_params, .params_size = sizeof(struct tree_query),
     .answer = "{children: [{" AGENT ", best: {page, url, title, relevance} or null, children: "
               "[…], more}], more}: `more` counts children that are not shown"},
    {"GET", "/api/crawls/ID/lives", .summary = "all agents as a flat list, to draw them",
     .fn = api_lives, .params = lives_params, .params_size = sizeof(struct agent_query),
     .answer = "{rows: [[id, parent's id or 0, name, energy, pages, born, died or null (seconds "
               "since 1970), why it died]], more}: parents come before their children"},
    {"GET", "/api/crawls/ID/agent/N", .summary = "an agent's card", .fn = api_agent,
     .params = agent_params, .params_size = sizeof(struct agent_query), .apart = true,
     .answer =
         "{" AGENT ", best, born_page, parents: [{id, name, energy, pages, died_at}], "
         "children: [the same], children_total, told: {keywords: [{word, weight}], weights: "
         "what the weight is, facts: [{name, label, value}], places: [{url, value}], values: "
         "what the value is} or null, each where the model has it, told_at, told_live: bool (by "
         "the running crawl, not from its database), path: "
         "[{page, url, title, at, relevance, first, before, delta, after}], energy_curve: "
         "[{at: seconds since 1970, value}], finds: [" ROW "], visits, found, gained, paid}"},
    {"GET", "/api/crawls/ID/paths", .summary = "which page led to which", .fn = api_paths,
     .params = paths_params, .params_size = sizeof(struct tree_query),
     .answer = "{children: [{id, url, title, relevance, children: […], more}], more}"},
    {"GET", "/api/crawls/ID/map",
     .summary = "hosts and how the crawl went from one to the other; or the pages of one host",
     .fn = api_map, .params = map_params, .params_size = sizeof(struct map_query),
     .answer =
         "{hosts: [{name, pages, relevance, waiting: links to it that were not followed yet "
         "(counted every few seconds), or null}], links: [{from, to, n}]}; with `host`: {pages: "
         "[{id, url, title, relevance}], links: [{from, to: page}], frontier: [{from: page, "
         "url, score}]}"},
    {"GET", "/api/crawls/ID/activity", .summary = "what happened last, newest first",
     .fn = api_activity, .params = activity_params, .params_size = sizeof(struct agent_query),
     .answer = "{rows: [{at, kind: \"born\"|\"died\"|\"found\", agent, name, parent, parent_name, "
               "page, title, relevance, p, cause}]}"},
    {"GET", "/api/crawls/ID/messages", .summary = "what agents said", .fn = api_messages,
     .params = messages_params, .params_size = sizeof(struct messages_query),
     .answer =
         "{last_at: when anybody spoke last, rows: [{id, at, conversation, performative, sender, "
         "receiver, reply_by, content}], parties: [{name, id, kind}] (of one conversation)}"},
    {"GET", "/api/crawls/ID/conversations", .summary = "the newest conversations, oldest first",
     .fn = api_conversations, .params = conversations_params,
     .params_size = sizeof(struct conversations_query),
     .answer = "{rows: [{id, at, last_at, state, contract: bool, performative, manager, receiver, "
               "contractor, links, passed, detail, messages}]}"},
    {"GET", "/api/crawls/ID/crew", .summary = "the groups of a crew, as its model tells them",
     .fn = api_crew, .light = true,
     .answer =
         "{groups: [{facilitator, crawlers: [{crawler, assistant, ability, S, M, links, pages, "
         "open, given, taken}]}], threshold, contracts: {state: N}, round, questions, denied, "
         "overlap, links_offered, links_transferred, wordnet}"},
    {"GET", "/api/crawls/ID/lattice", .summary = "what an agent has read, as concepts",
     .fn = api_lattice, .params = lattice_params, .params_size = sizeof(struct lattice_query),
     .answer = "{agent, kind, at, lattice: {objects, attributes, min_extent, complete, total, "
               "concepts: [{intent: [word], extent: N, up: [place]}]} or null (nothing read yet)}"},
    {"GET", "/api/crawls/ID/news", .summary = "what a watch announced, oldest first",
     .fn = api_news, .params = news_params, .params_size = sizeof(struct news_query),
     .answer = "{last: N, rows: [{id, at, page, url, title, relevance, date, changed: bool}]}"},
    {"GET", "/api/crawls/ID/timeline", .summary = "how much a watch announced, by time",
     .fn = api_timeline, .params = timeline_params, .params_size = sizeof(struct timeline_query),
     .answer = "{step: seconds, at: [beginning of each bar, seconds since 1970], new: [N], "
               "changed: [N], total: {new, changed}, day: {new, changed}}: bars from the beginning "
               "of the watch to its newest sample, empty ones too; day: the last 24 hours"},
    {"GET", "/api/crawls/ID/freshness",
     .summary = "how old and how fresh the copies of a watch are (watch.md)", .fn = api_freshness,
     .params = freshness_params, .params_size = sizeof(struct freshness_query), .light = true,
     .answer = "{at: [seconds since 1970], freshness: [0 to 1], age: [seconds], looks_hour: [N], "
               "now: {copies, freshness, age, looks, changes, looks_hour, changes_look} or null "
               "where none was kept}: the newest sample, its last two over the hour before "
               "it"},
    {"GET", "/api/overlap", .summary = "which pages several crawls have found, by their URLs",
     .fn = api_overlap, .params = overlap_params, .params_size = sizeof(struct overlap_query),
     .answer = "{ids: [ID], pages: N, sets: [{in: [place of a crawl in ids], pages, relevant: to "
               "one of them}]}: pages that these and no others have"},
    {"GET", "/api/reports", .summary = "reports of the lab (--lab)", .fn = api_reports,
     .answer = "[{name, dir, report: bool}]"},
    {"GET", "/reports/NAME", .summary = "one of them, for a sandboxed frame", .fn = api_report,
     .kind = REPLY_REPORT, .type = "text/html; charset=utf-8", .answer = "HTML"},
    {"GET", "/metrics", .summary = "figures of all crawls for Prometheus", .fn = api_metrics,
     .type = "text/plain; version=0.0.4; charset=utf-8", .answer = "its text format"},
    {"GET", "/api/models", .summary = "the models and their options", .fn = api_models,
     .answer = "as `brood models --json`"},
    {"GET", "/api/events",
     .summary = "what changes, as server-sent events: `tick` (the overview without seeds, options "
                "and metrics; or the list of crawls), `state` {state}, a comment every 15 s",
     .fn = api_events, .params = events_params, .params_size = sizeof(struct events_query),
     .kind = REPLY_EVENTS, .type = "text/event-stream"},
    {"POST", "/api/crawls", .summary = "starts a crawl or a watch (brood serve only)",
     .fn = api_start,
     .body =
         "{kind: \"crawl\"|\"watch\", topic: words, topic_file: path, seeds: [URL], search: URL, "
         "search_queries, search_hits, model, set: "
         "{option: value}, limits: {pages, for, bytes}, relevant, delay, max_depth, lang, scope: "
         "[rule], exclude: [pattern], contact, resolve: [rule], allow_private: bool}; of a watch "
         "also max_age, changes, quiet_hours. Values are written as on the command line",
     .answer =
         "{id, dir, log}; or 400 and {error, field, mistakes: [{field, error}]}, where `field` "
         "is a member of what was sent (limits.for, set.n) or null"},
    {"POST", "/api/crawls/check",
     .summary = "what is wrong with such a form, and the command line it stands for; starts "
                "nothing",
     .fn = api_start_check, .body = "as of /api/crawls",
     .answer = "{command: text for a shell, mistakes: [{field, error}]}"},
    {"POST", "/api/crawls/ID/pause", .summary = "no new request is made", .fn = api_pause,
     .apart = true, .answer = "{ok: true}"},
    {"POST", "/api/crawls/ID/continue", .summary = "and on again", .fn = api_continue,
     .apart = true, .answer = "{ok: true}"},
    {"POST", "/api/crawls/ID/stop", .summary = "ends it, keeping everything", .fn = api_stop,
     .apart = true, .answer = "{ok: true}"},
    {"POST", "/api/crawls/ID/resume",
     .summary = "goes on with one that has ended or died, as `brood resume` (brood serve only)",
     .fn = api_resume, .apart = true,
     .body = "{pages: a new limit, counted from its beginning; 0: none; not named: the old one}",
     .answer = "{id, dir, log}"},
    {"POST", "/api/crawls/ID/limits",
     .summary = "other limits; what is not named stays, 0 is none; one that is reached ends the "
                "crawl",
     .fn = api_limits, .apart = true,
     .body = "{pages: N, for: seconds or \"10m\", bytes: N or "
             "\"2Gi\"}",
     .answer = "{ok: true, pages}"},
    {"POST", "/api/crawls/ID/seeds", .summary = "more places to start", .fn = api_seeds,
     .apart = true, .body = "{urls: [URL]}", .answer = "{ok: true, taken: N}"},
    {"POST", "/api/crawls/ID/mark",
     .summary = "says that a page is relevant or not; kept as a label (`relevant`, `irrelevant`), "
                "and an example for a model that learns from them",
     .fn = api_mark, .apart = true, .body = "{url, relevant: true|false|null}",
     .answer = "{ok: true, taught: is it an example now?}"},
    {NULL},
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

static bool take_number(struct str s, uint32_t *ret)
{
    uint64_t n;

    if (!str_to_u64(s, &n) || n == 0 || n > UINT32_MAX)
        return false;
    *ret = (uint32_t)n;
    return true;
}

/* One segment of the path against one of the pattern. `ID` is only kept here: whether
 * there is such a crawl is a question of its own. */
static bool take_segment(struct str pattern, struct str segment, struct call *c, struct str *id)
{
    if (!is_variable(pattern))
        return str_eq(pattern, segment);
    if (str_eq(pattern, STR("N")))
        return take_number(segment, &c->number);
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

enum status route_find(struct dash *d, const char *method, struct str path, struct call *ret)
{
    bool known = false;

    if (strcmp(method, "HEAD") == 0)
        method = "GET";
    for (const struct route *route = route_table; route->path; route++) {
        struct str id = {NULL, 0};

        if (!matches(route, path, ret, &id))
            continue;
        known = true;
        if (strcmp(route->method, method) != 0)
            continue;
        ret->route = route;
        ret->crawl = id.len ? crawls_find(&d->crawls, id) : NULL;
        if (id.len && ret->crawl == NULL)
            return status_fail(ST_MISSING, "there is no crawl '%.*s'", STR_ARG(id));
        return ST_OK;
    }
    return known ? status_fail(ST_REFUSED, "this path does not take the method %.16s", method)
                 : status_fail(ST_MISSING, "there is nothing at %.*s",
                               (int)(path.len < 200 ? path.len : 200), path.ptr);
}
