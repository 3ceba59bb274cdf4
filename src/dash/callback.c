/* callback.c - see callback.h. SPDX-License-Identifier: MIT */
#include "dash/callback.h"

#include "base/buf.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/os/clock.h"
#include "crawl/watch/push.h"
#include "dash/connections.h"
#include "dash/listen.h"

#include <errno.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <unistd.h>

#define IDLE_SECONDS 10

struct callback {
    struct push *push;
    struct MHD_Daemon *daemon;
    struct connections connections;
    int port;
};

/* One request while it is read. */
struct callback_exchange {
    bool begun;     /* its head was seen */
    struct buf url; /* as it was sent */
    struct buf body;
};

static enum MHD_Result reply(struct MHD_Connection *connection, unsigned code, struct str text)
{
    struct MHD_Response *answer = MHD_create_response_from_buffer(
        text.len, text.len ? (void *)(uintptr_t)text.ptr : (void *)"", MHD_RESPMEM_MUST_COPY);
    enum MHD_Result queued;

    if (answer == NULL)
        return MHD_NO;
    (void)MHD_add_response_header(answer, "Content-Type", "text/plain; charset=utf-8");
    (void)MHD_add_response_header(answer, "X-Content-Type-Options", "nosniff");
    (void)MHD_add_response_header(answer, "Cache-Control", "no-store");
    queued = MHD_queue_response(connection, code, answer);
    MHD_destroy_response(answer);
    return queued;
}

static struct connection *connection_of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

    return info ? info->socket_context : NULL;
}

static enum MHD_Result serve(struct callback *c, struct MHD_Connection *connection,
                             const struct callback_exchange *x, bool is_post)
{
    struct str rest = buf_str(&x->url), path = STR("");
    struct push_request r = {.is_post = is_post, .body = buf_str(&x->body)};
    struct buf text = BUF_INIT(KIB(4));
    enum MHD_Result queued;
    unsigned code;

    (void)str_cut(&rest, '?', &path);
    r.path = path;
    r.query = rest;
    r.signature =
        str_of(MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "X-Hub-Signature"));
    code = push_answer(c->push, &r, clock_now(), &text);
    queued = reply(connection, code, buf_str(&text));
    buf_free(&text);
    return queued;
}

/* ---- the library's calls ------------------------------------------------- */

static void *on_url(void *ctx, const char *url, struct MHD_Connection *connection)
{
    struct callback_exchange *x = MEM_NEW(struct callback_exchange);

    (void)ctx, (void)connection;
    x->url = BUF_INIT(KIB(16));
    x->body = BUF_INIT(LIMIT_PUSH_BODY);
    buf_add_z(&x->url, url);
    return x;
}

static enum MHD_Result on_request(void *ctx, struct MHD_Connection *connection, const char *path,
                                  const char *method, const char *version, const char *data,
                                  size_t *size, void **state)
{
    struct callback *c = ctx;
    struct callback_exchange *x = *state;
    bool is_post = strcmp(method, "POST") == 0;

    (void)path, (void)version;
    if (!x->begun) {
        x->begun = true;
        if (x->url.full || (!is_post && strcmp(method, "GET") != 0))
            return reply(connection, x->url.full ? 414 : 405, STR(""));
        return MHD_YES;
    }
    if (*size > 0) {
        buf_add(&x->body, data, *size);
        if (x->body.full)
            return MHD_NO; /* the client sees the connection end */
        *size = 0;
        return MHD_YES;
    }
    connections_busy(&c->connections, connection_of(connection), false, clock_now());
    return serve(c, connection, x, is_post);
}

static void on_completed(void *ctx, struct MHD_Connection *connection, void **state,
                         enum MHD_RequestTerminationCode how)
{
    struct callback *c = ctx;
    struct callback_exchange *x = *state;

    (void)how;
    connections_idle(&c->connections, connection_of(connection), clock_now());
    if (x) {
        buf_free(&x->url);
        buf_free(&x->body);
    }
    free(x);
    *state = NULL;
}

static void on_connection(void *ctx, struct MHD_Connection *connection, void **state,
                          enum MHD_ConnectionNotificationCode what)
{
    struct callback *c = ctx;
    const union MHD_ConnectionInfo *info;

    if (what == MHD_CONNECTION_NOTIFY_STARTED) {
        info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
        *state = info ? connections_add(&c->connections, info->connect_fd, clock_now()) : NULL;
    } else {
        connections_remove(&c->connections, *state);
        *state = NULL;
    }
}

/* ---- birth and death ----------------------------------------------------- */

static enum status listen_where(const char *where, int *ret_fd, int *ret_port)
{
    struct str text = str_of(where), address = STR("127.0.0.1");
    size_t colon = text.len;
    uint64_t port;
    char *bind_to;
    enum status st;

    while (colon > 0 && text.ptr[colon - 1] != ':')
        colon--;
    if (colon > 0)
        address = str_sub(text, 0, colon - 1);
    if (address.len > 2 && address.ptr[0] == '[' && address.ptr[address.len - 1] == ']')
        address = str_sub(address, 1, address.len - 1);
    if (!str_to_u64(str_sub(text, colon, text.len), &port) || port > 65535)
        return status_fail(ST_USAGE, "'%.100s' is neither a port nor ADDR:PORT", where);
    bind_to = str_dup(address);
    st = listen_open(bind_to, (int)port, ret_fd, ret_port);
    free(bind_to);
    return st;
}

enum status callback_open(const char *where, struct push *push, struct callback **ret)
{
    struct callback *c;
    int fd, port;
    enum status st = listen_where(where, &fd, &port);

    if (st != ST_OK)
        return status_prefix(st == ST_BUSY ? ST_USAGE : st, "--callback-listen");
    c = MEM_NEW(struct callback);
    c->push = push;
    c->port = port;
    connections_init(&c->connections, LIMIT_PUSH_CONNECTIONS);
    c->daemon = MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD, 0, NULL, NULL, on_request, c,
                                 MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_CONNECTION_LIMIT,
                                 (unsigned)LIMIT_PUSH_CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT,
                                 (unsigned)IDLE_SECONDS, MHD_OPTION_URI_LOG_CALLBACK, on_url, c,
                                 MHD_OPTION_NOTIFY_COMPLETED, on_completed, c,
                                 MHD_OPTION_NOTIFY_CONNECTION, on_connection, c, MHD_OPTION_END);
    if (c->daemon == NULL) {
        st =
            status_fail(ST_IO, "--callback-listen: the server does not start: %s", strerror(errno));
        (void)close(fd);
        connections_clear(&c->connections);
        free(c);
        return st;
    }
    *ret = c;
    return ST_OK;
}

int callback_port(const struct callback *c)
{
    return c->port;
}

void callback_sweep(struct callback *c)
{
    connections_sweep(&c->connections, clock_now());
}

void callback_close(struct callback *c)
{
    if (c == NULL)
        return;
    MHD_stop_daemon(c->daemon);
    connections_clear(&c->connections);
    free(c);
}
