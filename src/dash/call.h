/* call.h - one request on its way through the dashboard, and the table of routes.
 *
 *   server.c   checks Host, Origin, token and sizes; finds the route
 *   routes.c   the table; reads the parameters into the route's struct
 *   api/       answer: append to `out`, return a status
 *   server.c   status and bytes become the reply, with its headers
 *
 * A handler that fails returns a status with a sentence: the client gets
 * {"error": sentence} and a code that fits.
 */
#pragma once

#include "base/buf.h"
#include "base/json.h"
#include "base/option.h"

#include <jansson.h>

struct dash;
struct dash_crawl;

/* What the reply may do in a browser (server.c has the policies). */
enum reply_kind {
    REPLY_API,    /* data: not to be kept */
    REPLY_PAGE,   /* a file of the page itself */
    REPLY_STORED, /* bytes of strangers: sandboxed, no script, no network */
    REPLY_REPORT, /* a report of the lab: its own script, sandboxed, no network */
    REPLY_EVENTS, /* an event stream: events.c goes on */
};

struct call {
    struct dash *dash;
    const struct route *route;
    struct dash_crawl *crawl; /* ID of the path; mostly entered (crawls.h) while the handler runs */
    uint32_t number;          /* N of the path */
    char name[128];           /* NAME of the path */
    void *params;             /* the route's struct, filled */
    json_t *body;             /* of a POST: an object, perhaps empty */
    enum reply_kind kind;
    const char *type; /* content type */
    const char *file; /* name of a download; NULL: it is not a download */
    bool told;        /* a failure whose answer the handler has written to `out` */
    struct buf out;
};

typedef enum status route_fn(struct call *r);

struct route {
    const char *method;          /* "GET", "POST" */
    const char *path;            /* segments in capitals are variables: ID, N, NAME */
    const char *summary;         /* one line */
    const char *answer;          /* its shape */
    const char *body;            /* POST: the shape of what is sent; NULL: nothing */
    const struct option *params; /* of the query; NULL: none */
    size_t params_size;
    route_fn *fn;
    enum reply_kind kind;
    const char *type; /* NULL: application/json */
    bool light;       /* totals and samples are enough for it */
    bool apart;       /* the handler enters the crawl itself, or needs no database */
    bool heavy;       /* only LIMIT_DASH_DOWNLOADS of them at once */
};

extern const struct route route_table[]; /* the last has a NULL path */

/* The route of a path; ST_MISSING: none; ST_REFUSED: not with this method. Sets crawl (not
 * entered), number and name. */
enum status route_find(struct dash *d, const char *method, struct str path,
                       struct call *ret) MUST_USE;

/* ---- what handlers share ---- */

/* What was read as JSON, written again; NULL: null (routes.c). */
void put_value(struct json *j, const char *name, const json_t *value);

/* The parameter `n`: the most that is answered. */
#define PARAM_N(type_, field, usual, what)                                                       \
    {                                                                                            \
        .name = "n", .type = OPTION_U32, .fallback = (usual), .min = 1, .max = LIMIT_DASH_NODES, \
        .help = (what), .offset = offsetof(type_, field)                                         \
    }

/* The parameter `points` of curves. */
#define PARAM_POINTS(type_, usual)                                                                 \
    {                                                                                              \
        .name = "points", .type = OPTION_INT, .fallback = (usual), .min = 2, .max = SERIES_FRAMES, \
        .help = "at most so many, evenly spaced, the newest among them",                           \
        .offset = offsetof(type_, points)                                                          \
    }

/* ---- handlers ---- */

route_fn api_crawls, api_overview, api_samples, api_histogram, api_models; /* api/crawl.c … */
route_fn api_pages, api_pages_jsonl, api_pages_csv, api_page, api_text, api_markdown, api_stored;
route_fn api_tree, api_lives, api_agent, api_paths, api_map, api_activity;
route_fn api_messages, api_conversations, api_crew, api_lattice, api_news, api_timeline;
route_fn api_freshness;
route_fn api_overlap, api_reports, api_report, api_metrics, api_events;
route_fn api_start, api_start_check, api_resume, api_pause, api_continue, api_stop, api_limits,
    api_seeds, api_mark;

/* Their parameters: the tables stand beside the handlers. */
struct samples_query {
    char *metric;
    int64_t points;
};

struct pages_query {
    char *q, *host, *topic, *agent, *from, *to;
    double min;
    int seed, sort;
    bool snippet;
    uint32_t offset, n;
};

struct tree_query {
    uint32_t root, depth, n;
};

struct agent_query {
    uint32_t n;
};

struct map_query {
    char *host;
    uint32_t n;
};

struct messages_query {
    char *conversation;
    int64_t after;
    uint32_t n;
};

struct conversations_query {
    bool contracts;
    uint32_t n;
};

struct news_query {
    int64_t after;
    uint32_t n;
};

struct timeline_query {
    uint32_t bars;
};

struct freshness_query {
    int64_t points;
};

struct lattice_query {
    char *agent;
    uint32_t n;
};

struct overlap_query {
    char *ids;
};

struct events_query {
    char *crawl;
};

extern const struct option samples_params[], pages_params[], tree_params[], paths_params[],
    lives_params[], agent_params[], map_params[], messages_params[], conversations_params[],
    lattice_params[], events_params[], overlap_params[], news_params[], timeline_params[],
    freshness_params[], activity_params[];
