/* server.c - HTTP: which requests are accepted, and the headers of the answers.
 *
 * Order of the checks: the URL's spelling, Host (a name that was bent to this machine by
 * DNS is none of ours), method and path, then, for requests that change something, Origin and
 * token, then the size of the body. Only then is the request handled.
 *
 * Threads: the library has a few, each with an event loop of its own; a handler runs to
 * its end on one of them. SPDX-License-Identifier: MIT */
#include "base/os/clock.h"
#include "base/limits.h"
#include "base/mem.h"
#include "cluster/question.h"
#include "dash/dash_int.h"
#include "dash/far/far.h"
#include "dash/guard.h"
#include "dash/listen.h"

#include <errno.h>
#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#define THREADS      4
#define PORTS_TRIED  100
#define IDLE_SECONDS 30 /* a client that neither reads nor writes */

/* One request while it is read. */
struct exchange {
    bool begun;   /* the head was checked */
    bool bad_url; /* its spelling */
    struct buf body;
    size_t held; /* bytes of the answer, until it was read */
};

/* ---- answers ------------------------------------------------------------- */

#define PAGE_POLICY                                                                   \
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " \
    "connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; "

static const struct {
    const char *policy, *cache;
} kinds[] = {
    [REPLY_API] = {PAGE_POLICY "frame-ancestors 'none'", "no-store"},
    [REPLY_PAGE] = {PAGE_POLICY "frame-ancestors 'none'", "no-cache"},
    [REPLY_STORED] = {"sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
                      "base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
                      "no-store"},
    [REPLY_REPORT] = {"sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; "
                      "style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action "
                      "'none'; frame-ancestors 'self'",
                      "no-store"},
    [REPLY_EVENTS] = {PAGE_POLICY "frame-ancestors 'none'", "no-store"},
};

static void add_headers(struct MHD_Response *answer, enum reply_kind kind, const char *type)
{
    (void)MHD_add_response_header(answer, "Content-Type", type);
    (void)MHD_add_response_header(answer, "Content-Security-Policy", kinds[kind].policy);
    (void)MHD_add_response_header(answer, "Cache-Control", kinds[kind].cache);
    (void)MHD_add_response_header(answer, "X-Content-Type-Options", "nosniff");
    (void)MHD_add_response_header(answer, "Referrer-Policy", "no-referrer");
    (void)MHD_add_response_header(answer, "Cross-Origin-Opener-Policy", "same-origin");
    (void)MHD_add_response_header(answer, "Cross-Origin-Embedder-Policy", "require-corp");
    (void)MHD_add_response_header(answer, "Cross-Origin-Resource-Policy", "same-origin");
    (void)MHD_add_response_header(answer, "Permissions-Policy",
                                  "camera=(), geolocation=(), microphone=()");
    /* a policy forbids requests, but not DNS lookups for them */
    (void)MHD_add_response_header(answer, "X-DNS-Prefetch-Control", "off");
}

static enum MHD_Result reply(struct MHD_Connection *connection, unsigned code, struct buf *out,
                             const struct call *r)
{
    size_t len = 0;
    char *data = buf_take(out, &len);
    struct MHD_Response *answer = MHD_create_response_from_buffer(
        len, data ? data : (void *)"", data ? MHD_RESPMEM_MUST_FREE : MHD_RESPMEM_PERSISTENT);
    enum MHD_Result queued;

    if (answer == NULL) {
        free(data);
        return MHD_NO;
    }
    add_headers(answer, r->kind, r->type ? r->type : "application/json; charset=utf-8");
    if (r->file) {
        char text[200];

        (void)snprintf(text, sizeof text, "attachment; filename=\"%s\"", r->file);
        (void)MHD_add_response_header(answer, "Content-Disposition", text);
    }
    queued = MHD_queue_response(connection, code, answer);
    MHD_destroy_response(answer);
    return queued;
}

static enum MHD_Result refuse(struct MHD_Connection *connection, unsigned code, const char *text)
{
    struct buf out = BUF_INIT(KIB(64));
    struct call r = {.kind = REPLY_API};
    struct json j;

    json_init(&j, &out);
    json_open_object(&j, NULL);
    json_put_z(&j, "error", text);
    json_close(&j);
    return reply(connection, code, &out, &r);
}

static unsigned code_of(enum status st)
{
    static const unsigned codes[] = {
        [ST_OK] = 200,      [ST_USAGE] = 400,    [ST_INVALID] = 400, [ST_LIMIT] = 413,
        [ST_MISSING] = 404, [ST_EXISTS] = 409,   [ST_IO] = 500,      [ST_NET] = 502,
        [ST_REFUSED] = 409, [ST_BUSY] = 409,     [ST_CORRUPT] = 500, [ST_STARVED] = 500,
        [ST_STOPPED] = 503, [ST_INTERNAL] = 500,
    };

    return codes[st];
}

/* ---- who may ask --------------------------------------------------------- */

static const char *header_of(struct MHD_Connection *connection, const char *name)
{
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

/* Returns 0 if the request is accepted, else the status to refuse it with. */
static unsigned check_reader(const struct dash *d, struct MHD_Connection *connection,
                             const char **ret_why)
{
    *ret_why = "this dashboard answers only under its own name";
    if (!guard_host(d->bind, d->port, str_of(header_of(connection, "Host"))))
        return 403;
    *ret_why = "another site's page gets nothing from here";
    return guard_fetch(str_of(header_of(connection, "Sec-Fetch-Site")),
                       str_of(header_of(connection, "Sec-Fetch-Mode")),
                       str_of(header_of(connection, "Sec-Fetch-Dest")))
               ? 0
               : 403;
}

static unsigned check_changer(const struct dash *d, struct MHD_Connection *connection,
                              const char **ret_why)
{
    const char *origin = header_of(connection, "Origin");

    *ret_why = "another site's page may change nothing here";
    if (origin && !guard_origin(d->bind, d->port, str_of(origin)))
        return 403;
    *ret_why = "this needs the token of the URL that the command printed (X-Brood-Token)";
    return guard_token(d->token, str_of(header_of(connection, "X-Brood-Token"))) ? 0 : 403;
}

static unsigned check_body(struct MHD_Connection *connection, bool changes, const char **ret_why)
{
    const char *length = header_of(connection, "Content-Length");
    const char *type = header_of(connection, "Content-Type");
    uint64_t n = 0;

    *ret_why = "a body has one length";
    if (length && header_of(connection, "Transfer-Encoding"))
        return 400;
    *ret_why = "the body is too large";
    if (length && (!str_to_u64(str_of(length), &n) || n > LIMIT_DASH_BODY))
        return 413;
    *ret_why = "the body has to be application/json";
    if (changes && n > 0 && !str_starts_i(str_of(type), STR("application/json")))
        return 415;
    return 0;
}

/* ---- parameters and the handler ------------------------------------------ */

struct call_reading {
    struct call *r;
    enum status status;
};

static enum MHD_Result on_param(void *ctx, enum MHD_ValueKind kind, const char *key,
                                size_t key_size, const char *value, size_t value_size)
{
    struct call_reading *reading = ctx;
    struct call *r = reading->r;
    struct str name = {key, key_size}, text = {value, value ? value_size : 0};

    (void)kind;
    if (r->crawl && r->crawl->far)
        question_add(&r->query, name, text);
    else
        reading->status = call_param(r, name, text);
    return reading->status == ST_OK ? MHD_YES : MHD_NO;
}

static enum status read_params(struct MHD_Connection *connection, struct call *r)
{
    struct call_reading reading = {r, ST_OK};

    call_init(r);
    (void)MHD_get_connection_values_n(connection, MHD_GET_ARGUMENT_KIND, on_param, &reading);
    return reading.status;
}

static enum status read_body(struct call *r, const struct buf *body)
{
    json_error_t error;

    if (strcmp(r->route->method, "POST") != 0)
        return ST_OK;
    r->body = body->len ? json_loadb(body->data, body->len, JSON_REJECT_DUPLICATES, &error)
                        : json_object();
    if (r->body == NULL)
        return status_fail(ST_INVALID, "the body is not JSON: %s (line %d)", error.text,
                           error.line);
    if (!json_is_object(r->body))
        return status_fail(ST_INVALID, "the body has to be a JSON object");
    return ST_OK;
}

static enum status handle(struct call *r)
{
    int *downloads = &r->dash->downloads;
    enum status st;

    if (r->crawl && r->crawl->far)
        return far_answer(r->crawl->far, r);
    if (!r->route->heavy)
        return call_answer(r);
    if (__atomic_add_fetch(downloads, 1, __ATOMIC_RELAXED) > LIMIT_DASH_DOWNLOADS)
        st = status_fail(ST_STOPPED, "other downloads are being made: try again");
    else
        st = call_answer(r);
    (void)__atomic_sub_fetch(downloads, 1, __ATOMIC_RELAXED);
    return st;
}

static enum MHD_Result open_stream(struct dash *d, struct MHD_Connection *connection,
                                   struct call *r)
{
    struct MHD_Response *answer = events_open(&d->events, r->crawl, connection);
    enum MHD_Result queued;

    if (answer == NULL)
        return refuse(connection, 503, "too many event streams are open");
    add_headers(answer, REPLY_EVENTS, "text/event-stream");
    queued = MHD_queue_response(connection, 200, answer);
    MHD_destroy_response(answer);
    return queued;
}

/* Answers wait in memory until they are read: all of them together have a ceiling. */
static bool hold(struct dash *d, struct exchange *x, size_t len)
{
    if (__atomic_add_fetch(&d->held, len, __ATOMIC_RELAXED) > LIMIT_DASH_HELD && len > MIB(1)) {
        (void)__atomic_sub_fetch(&d->held, len, __ATOMIC_RELAXED);
        return false;
    }
    x->held = len;
    return true;
}

static enum MHD_Result serve(struct dash *d, struct MHD_Connection *connection, struct call *r,
                             struct exchange *x)
{
    enum MHD_Result queued;
    enum status st = read_params(connection, r);

    if (st == ST_OK)
        st = read_body(r, &x->body);
    if (st == ST_OK)
        st = handle(r);
    if (st != ST_OK && r->told)
        queued = reply(connection, code_of(st), &r->out, r);
    else if (st != ST_OK)
        queued = refuse(connection, code_of(st), status_text());
    else if (r->kind == REPLY_EVENTS)
        queued = open_stream(d, connection, r);
    else if (!hold(d, x, r->out.len))
        queued = refuse(connection, 503, "other answers have to be read first");
    else
        queued = reply(connection, 200, &r->out, r);
    return queued;
}

/* ---- the library's calls ------------------------------------------------- */

/* The first call of a request, with its URL as it was sent. */
static void *on_url(void *ctx, const char *url, struct MHD_Connection *connection)
{
    struct exchange *x = MEM_NEW(struct exchange);

    (void)ctx, (void)connection;
    x->body = BUF_INIT(LIMIT_DASH_BODY);
    x->bad_url = !guard_url(str_of(url));
    return x;
}

static struct connection *connection_of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

    return info ? info->socket_context : NULL;
}

/* The head has arrived. Returns 0 if the body should be read, else the status to refuse with. */
static unsigned check_head(struct dash *d, struct MHD_Connection *connection,
                           const struct exchange *x, const char *path, const char *method,
                           struct call *r, const char **ret_why)
{
    bool changes = strcmp(method, "POST") == 0;
    enum status st;
    unsigned code;

    *ret_why = "the URL is malformed";
    if (x->bad_url)
        return 400;
    code = check_reader(d, connection, ret_why);
    if (code)
        return code;
    st = route_find(d, method, str_of(path), r);
    *ret_why = status_text();
    if (st != ST_OK)
        return st == ST_REFUSED ? 405 : 404;
    if (changes && (code = check_changer(d, connection, ret_why)) != 0)
        return code;
    return check_body(connection, changes, ret_why);
}

static enum MHD_Result on_request(void *ctx, struct MHD_Connection *connection, const char *path,
                                  const char *method, const char *version, const char *data,
                                  size_t *size, void **state)
{
    struct dash *d = ctx;
    struct exchange *x = *state;
    struct call r = {.dash = d};
    const char *why;
    enum MHD_Result queued;
    unsigned code = check_head(d, connection, x, path, method, &r, &why);

    (void)version;
    if (code) {
        connections_busy(&d->connections, connection_of(connection), false, clock_now());
        return x->begun ? MHD_NO : refuse(connection, code, why);
    }
    if (!x->begun) {
        x->begun = true;
        return MHD_YES;
    }
    if (*size > 0) {
        buf_add(&x->body, data, *size);
        if (x->body.full)
            return MHD_NO;
        *size = 0;
        return MHD_YES;
    }
    connections_busy(&d->connections, connection_of(connection), r.route->kind == REPLY_EVENTS,
                     clock_now());
    queued = serve(d, connection, &r, x);
    call_clear(&r);
    return queued;
}

static void on_completed(void *ctx, struct MHD_Connection *connection, void **state,
                         enum MHD_RequestTerminationCode how)
{
    struct dash *d = ctx;
    struct exchange *x = *state;

    (void)how;
    connections_idle(&d->connections, connection_of(connection), clock_now());
    if (x) {
        (void)__atomic_sub_fetch(&d->held, x->held, __ATOMIC_RELAXED);
        buf_free(&x->body);
    }
    free(x);
    *state = NULL;
}

static void on_connection(void *ctx, struct MHD_Connection *connection, void **state,
                          enum MHD_ConnectionNotificationCode what)
{
    struct dash *d = ctx;
    const union MHD_ConnectionInfo *info;

    if (what == MHD_CONNECTION_NOTIFY_STARTED) {
        info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
        *state = info ? connections_add(&d->connections, info->connect_fd, clock_now()) : NULL;
    } else {
        connections_remove(&d->connections, *state);
        *state = NULL;
    }
}

/* ---- listening ----------------------------------------------------------- */

/* *port -1: the first free one. */
static enum status listen_somewhere(struct dash *d, int port)
{
    int tried = port < 0 ? DASH_PORT : port, got = 0;
    enum status st = listen_open(d->bind, tried, &d->listener, &got);

    for (int i = 1; port < 0 && st == ST_BUSY && i < PORTS_TRIED; i++)
        st = listen_open(d->bind, tried + i, &d->listener, &got);
    if (port < 0 && st == ST_BUSY)
        st = listen_open(d->bind, 0, &d->listener, &got);
    d->port = (uint16_t)got;
    return st;
}

/* libmicrohttpd cannot go on, nor be stopped, and would abort: as in base/mem.h. */
static void on_panic(void *ctx, const char *file, unsigned line, const char *reason)
{
    (void)ctx, (void)file, (void)line;
    fprintf(stderr, "brood: the server of the dashboard gave up: %s\n",
            reason ? reason : "it does not say why");
    _exit(EXIT_FAILURE);
}

enum status server_start(struct dash *d, int port)
{
    enum status st = listen_somewhere(d, port);

    if (st != ST_OK)
        return st;
    MHD_set_panic_func(on_panic, NULL);
    d->daemon = MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, on_request, d,
        MHD_OPTION_LISTEN_SOCKET, d->listener, MHD_OPTION_THREAD_POOL_SIZE, (unsigned)THREADS,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)LIMIT_DASH_CONNECTIONS,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS, MHD_OPTION_URI_LOG_CALLBACK, on_url,
        d, MHD_OPTION_NOTIFY_COMPLETED, on_completed, d, MHD_OPTION_NOTIFY_CONNECTION,
        on_connection, d, MHD_OPTION_END);
    if (d->daemon == NULL) {
        (void)close(d->listener);
        return status_fail(ST_IO, "the dashboard's server does not start: %s", strerror(errno));
    }
    return ST_OK;
}

void server_stop(struct dash *d)
{
    if (d->daemon)
        MHD_stop_daemon(d->daemon);
    d->daemon = NULL;
}
