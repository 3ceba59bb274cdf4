/* call.h - one request on its way through the dashboard, and the list of routes.
 *
 *   server.c   checks Host, Origin, token and sizes; finds the route
 *   routes.c   the list; reads the parameters into the route's struct
 *   api/       a route each: its parameters, its handler (which appends to `out` and returns a
 *              status), and how its answer looks
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
    REPLY_API,    /* data: not to be cached */
    REPLY_PAGE,   /* a file of the page itself */
    REPLY_STORED, /* bytes of strangers: sandboxed, no script, no network */
    REPLY_REPORT, /* a report of the lab: its own script, sandboxed, no network */
    REPLY_EVENTS, /* an event stream: events.c goes on */
};

struct call {
    struct dash *dash;
    const struct route *route;
    struct dash_crawl *crawl; /* ID of the path; usually entered (crawls.h) when the handler runs */
    uint32_t number;          /* N of the path */
    uint64_t far_number;      /* the same for a crawl on several machines (cluster/question.h) */
    char name[128];           /* NAME of the path */
    void *params;             /* the route's struct, filled */
    struct buf query;         /* for a crawl on several machines instead: as question.more */
    json_t *body;             /* of a POST: an object, perhaps empty */
    enum reply_kind kind;
    const char *type; /* content type */
    const char *file; /* name of a download; NULL: it is not a download */
    bool told;        /* after a failure: the handler has written the answer to `out` itself */
    struct buf out;
};

typedef enum status route_fn(struct call *r);

struct route {
    const char *method;          /* "GET", "POST" */
    const char *path;            /* segments in capitals are variables: ID, N, NAME */
    const char *summary;         /* one line */
    const char *answer;          /* its form */
    const char *body;            /* POST: the form of the request's body; NULL: none */
    const struct option *params; /* of the query; NULL: none */
    size_t params_size;
    route_fn *fn;
    enum reply_kind kind;
    const char *type; /* NULL: application/json */
    bool light;       /* it needs only totals and samples */
    bool apart;       /* the handler enters the crawl itself, or needs no database */
    bool heavy;       /* at most LIMIT_DASH_DOWNLOADS of them run at once */
};

/* How a route begins, and its parameters if it has any. */
#define ROUTE_GET(path_, summary_, fn_) \
    .method = "GET", .path = path_, .summary = summary_, .fn = fn_
#define ROUTE_POST(path_, summary_, fn_) \
    .method = "POST", .path = path_, .summary = summary_, .fn = fn_
#define PARAMS(table, type_) .params = table, .params_size = sizeof(type_)

/* Lists of routes, the last row of each without a path; NULL ends them. */
extern const struct route *const route_lists[];

/* Finds the route of a path. ST_MISSING if there is none, ST_REFUSED if it has another method. Sets
 * crawl (not entered), number and name. */
enum status route_find(struct dash *d, const char *method, struct str path,
                       struct call *ret) MUST_USE;

/* For a call whose route is known: these prepare it, set one of its parameters, call the route's
 * handler, and end it. */
void call_init(struct call *r);
enum status call_param(struct call *r, struct str name, struct str value) MUST_USE;
enum status call_answer(struct call *r) MUST_USE;
void call_clear(struct call *r);

/* ---- what handlers share ---- */

/* Writes a JSON value that was read; NULL becomes null (routes.c). */
void put_value(struct json *j, const char *name, const json_t *value);

/* The parameter `n`: the largest number of rows in the answer. */
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

/* ---- the routes of api/: a list for each file ---- */

extern const struct route crawl_routes[], pages_routes[], page_routes[], tree_routes[],
    agent_routes[], map_routes[], talk_routes[], watch_routes[], overlap_routes[], reports_routes[],
    metrics_routes[], start_routes[], change_routes[];

/* Parameters of routes that need only a number of rows. */
struct agent_query {
    uint32_t n;
};
