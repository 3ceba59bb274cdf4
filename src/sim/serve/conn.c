/* conn.c - one connection: its states and its answers.
 *
 * In: bytes of a client. Out: bytes to it. conn_advance() runs the function of
 * the connection's state until one of them has to wait: for the client
 * (c->wants), or for a moment (c->due).
 *
 * Workload: thousands of connections kept alive, most of them silent; an answer
 * of some KB goes out in one system call.
 * SPDX-License-Identifier: MIT
 */
#include "sim/serve/serve_int.h"

#include "base/os/clock.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/limits.h"
#include "sim/make/site.h"
#include "sim/serve/http.h"
#include "sim/serve/timeline.h"

#include <arpa/inet.h>
#include <errno.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#define READ_STEP  8192             /* bytes asked for at once */
#define TURN       32               /* answers in a row before others get theirs */
#define SLICE      (50 * US_PER_MS) /* of a limited speed */
#define TLS_INLINE KIB(64)          /* bodies up to here are sent with the head */

enum flow { FLOW_ON, FLOW_WAIT, FLOW_OVER };

/* ---- bytes in and out ---------------------------------------------------- */

/* Returns the result of the last call of OpenSSL: wait for the socket, or the end. */
static enum flow ssl_wants(struct conn *c, int result)
{
    int error = SSL_get_error(c->ssl, result);

    ERR_clear_error();
    if (error != SSL_ERROR_WANT_READ && error != SSL_ERROR_WANT_WRITE)
        return FLOW_OVER;
    c->wants = error == SSL_ERROR_WANT_READ ? EPOLLIN : EPOLLOUT;
    return FLOW_WAIT;
}

static enum flow errno_wants(struct conn *c, uint32_t events)
{
    if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)
        return FLOW_OVER;
    c->wants = events;
    return FLOW_WAIT;
}

/* Returns when the kernel received the bytes just read; 0 if it did not say. We may run much
 * later. */
static int64_t kernel_time(struct msghdr *message)
{
    struct cmsghdr *part = CMSG_FIRSTHDR(message);
    struct timespec at;

    if (part == NULL || part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_TIMESTAMPNS)
        return 0;
    memcpy(&at, CMSG_DATA(part), sizeof at);
    return at.tv_sec * US_PER_S + at.tv_nsec / 1000;
}

static enum flow receive(struct conn *c, char *to, size_t size, size_t *ret_len)
{
    char control[CMSG_SPACE(sizeof(struct timespec))] = {0};
    struct iovec part = {to, size};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control,
                             .msg_controllen = sizeof control};
    ssize_t n;

    if (c->ssl) {
        int got = SSL_read(c->ssl, to, (int)size);

        if (got <= 0)
            return ssl_wants(c, got);
        *ret_len = (size_t)got;
        return FLOW_ON;
    }
    n = recvmsg(c->fd, &message, 0);
    if (n < 0)
        return errno_wants(c, EPOLLIN);
    c->heard = kernel_time(&message);
    *ret_len = (size_t)n;
    return n == 0 ? FLOW_OVER : FLOW_ON;
}

/* Sends what is left of head and body, at most `most` bytes. */
static enum flow transmit(struct conn *c, size_t most, size_t *ret_len)
{
    size_t head = c->sent < c->head.len ? c->head.len - c->sent : 0;
    size_t skip = c->sent > c->head.len ? c->sent - c->head.len : 0;
    struct iovec parts[2] = {{c->head.data + c->sent, head < most ? head : most}, {NULL, 0}};
    ssize_t n;

    if (most > head)
        parts[1] =
            (struct iovec){(char *)(uintptr_t)c->body.ptr + skip,
                           c->body.len - skip < most - head ? c->body.len - skip : most - head};
    if (c->ssl) {
        struct iovec *p = parts[0].iov_len ? &parts[0] : &parts[1];
        int put = SSL_write(c->ssl, p->iov_base, (int)(p->iov_len < MIB(1) ? p->iov_len : MIB(1)));

        if (put <= 0)
            return ssl_wants(c, put);
        *ret_len = (size_t)put;
        return FLOW_ON;
    }
    struct msghdr message = {.msg_iov = parts[0].iov_len ? parts : parts + 1,
                             .msg_iovlen = parts[0].iov_len && parts[1].iov_len ? 2 : 1};
    n = sendmsg(c->fd, &message, MSG_NOSIGNAL);
    if (n < 0)
        return errno_wants(c, EPOLLOUT);
    *ret_len = (size_t)n;
    return FLOW_ON;
}

/* ---- an answer ----------------------------------------------------------- */

static void log_access(struct serve *s, const struct conn *c, const struct http_request *r,
                       int status, size_t bytes)
{
    LOCAL_BUF line = BUF_INIT(LIMIT_SERVE_HEAD * 8);
    char peer[INET_ADDRSTRLEN] = "", local[INET_ADDRSTRLEN] = "";
    struct json j;

    if (s->log == NULL)
        return;
    (void)inet_ntop(AF_INET, &c->peer.sin_addr, peer, sizeof peer);
    (void)inet_ntop(AF_INET, &c->local.sin_addr, local, sizeof local);
    json_begin(&j, &line);
    json_put_int(&j, "at", c->heard ? c->heard : s->now);
    json_put_z(&j, "client", peer);
    json_put_int(&j, "client_port", ntohs(c->peer.sin_port));
    json_put_z(&j, "local", local);
    json_put_bool(&j, "tls", c->ssl != NULL);
    json_put_str(&j, "method", r->method);
    json_put_str(&j, "host", r->host);
    json_put_str(&j, "path", r->path);
    json_put_int(&j, "status", status);
    json_put_int(&j, "bytes", (int64_t)bytes);
    json_end(&j);
    (void)fwrite(line.data, 1, line.len, s->log);
}

static int64_t delay_of(const struct serve *s, struct str host)
{
    uint64_t spread = s->config.host_latency > 0 ? (uint64_t)s->config.host_latency + 1 : 1;

    return s->config.latency + (int64_t)(hash_u64(hash_str(host)) % spread);
}

/* The moment of a world that moves. */
static int64_t world_moment(const struct serve *s)
{
    return timeline_moment(s->timeline, s->now - s->began, s->config.time);
}

/* Head and body are ready: they go out now, or when their time has come. */
static void start_answer(struct serve *s, struct conn *c, struct str host)
{
    int64_t delay = delay_of(s, host);

    if (c->ssl && c->body.len <= TLS_INLINE) { /* one record, one system call */
        buf_add_str(&c->head, c->body);
        c->body = (struct str){"", 0};
    }
    s->counts.requests++;
    s->counts.bytes += c->head.len + c->body.len;
    c->sent = 0;
    c->state = delay > 0 ? CONN_WAIT : CONN_WRITE;
    c->due = s->now + delay;
}

static void end_head(struct serve *s, struct conn *c)
{
    if (s->timeline) { /* so that a client can tell how old a page is */
        buf_add_z(&c->head, "Date: ");
        site_http_date(world_moment(s), &c->head);
        buf_add_z(&c->head, "\r\n");
    }
    buf_add_z(&c->head,
              c->closing ? "Connection: close\r\n\r\n" : "Connection: keep-alive\r\n\r\n");
}

/* Refuses what cannot be understood; the connection is of no more use. */
static void refuse(struct serve *s, struct conn *c, int status)
{
    struct http_request none = {.method = STR("?")};
    char body[128];
    int len = snprintf(body, sizeof body, "<!DOCTYPE html>\n<title>%d</title>\n<p>%s.</p>\n",
                       status, http_reason(status));

    c->closing = true;
    c->body = (struct str){"", 0};
    buf_clear(&c->head);
    buf_addf(&c->head,
             "HTTP/1.1 %d %s\r\nContent-Type: text/html; charset=utf-8\r\n"
             "Content-Length: %d\r\n%s",
             status, http_reason(status), len, status == 405 ? "Allow: GET, HEAD\r\n" : "");
    end_head(s, c);
    buf_add(&c->head, body, (size_t)len);
    log_access(s, c, &none, status, (size_t)len);
    start_answer(s, c, STR(""));
}

static bool is_unchanged(const struct http_request *r, const struct answer *a)
{
    if (a->status != 200)
        return false;
    if (r->if_none_match.len)
        return http_tag_matches(r->if_none_match, a->etag);
    return r->if_modified_since.len && str_eq(r->if_modified_since, a->last_modified);
}

/* 304 repeats the validators and nothing else (RFC 9110 15.4.5). */
static void head_unchanged(struct serve *s, struct conn *c, const struct answer *a)
{
    buf_addf(&c->head, "HTTP/1.1 304 %s\r\n", http_reason(304));
    if (a->etag.len)
        buf_addf(&c->head, "ETag: %.*s\r\n", STR_ARG(a->etag));
    if (a->last_modified.len)
        buf_addf(&c->head, "Last-Modified: %.*s\r\n", STR_ARG(a->last_modified));
    end_head(s, c);
}

/* A faulty host answers, if it is one. */
static bool answer_fault(struct serve *s, struct conn *c, const struct http_request *r)
{
    c->fault = faults_answer(s->faults, r->host, r->path, c->local.sin_addr.s_addr);
    if (c->fault == NULL)
        return false;
    c->body = (struct str){"", 0};
    c->drain = r->body;
    buf_clear(&c->head);
    (void)fault_reply_next(c->fault, &c->head);
    log_access(s, c, r, c->fault->status, 0);
    start_answer(s, c, r->host);
    return true;
}

static void answer_request(struct serve *s, struct conn *c, const struct http_request *r)
{
    if (s->timeline)
        cache_set_moment(s->cache, world_moment(s));
    struct answer *a = cache_get(s->cache, r->host, r->path);
    bool zip = a->zipped.len > 0 && r->codings & HTTP_GZIP;
    struct str body = buf_str(zip ? &a->zipped : &a->body);
    bool unchanged = is_unchanged(r, a);

    answer_release(c->answer);
    c->answer = a;
    c->closing = !r->keep_alive;
    buf_clear(&c->head);
    if (unchanged) {
        head_unchanged(s, c, a);
        body.len = 0;
    } else {
        buf_add_str(&c->head, buf_str(&a->head));
        if (a->zipped.len)
            buf_add_z(&c->head, "Vary: Accept-Encoding\r\n");
        if (zip)
            buf_add_z(&c->head, "Content-Encoding: gzip\r\n");
        buf_addf(&c->head, "Content-Length: %zu\r\n", body.len);
        end_head(s, c);
    }
    c->body = r->is_head ? (struct str){"", 0} : body;
    c->drain = r->body;
    log_access(s, c, r, unchanged ? 304 : a->status, c->body.len);
    start_answer(s, c, r->host);
}

/* ---- the states ---------------------------------------------------------- */

static enum flow on_shake(struct serve *s, struct conn *c)
{
    int result = SSL_do_handshake(c->ssl);

    (void)s;
    if (result != 1)
        return ssl_wants(c, result);
    c->state = CONN_READ;
    return FLOW_ON;
}

static void use_up(struct buf *b, size_t n)
{
    memmove(b->data, b->data + n, b->len - n);
    b->len -= n;
}

static enum flow on_read(struct serve *s, struct conn *c)
{
    struct http_request r;
    size_t used = 0, got = 0;
    int verdict = c->in.len ? http_parse(buf_str(&c->in), &r, &used) : HTTP_MORE;

    if (verdict == HTTP_READY && !r.is_get && !r.is_head)
        verdict = 405;
    if (verdict == HTTP_READY) {
        if (s->faults == NULL || !answer_fault(s, c, &r))
            answer_request(s, c, &r);
        use_up(&c->in, used);
        return FLOW_ON;
    }
    if (verdict != HTTP_MORE) {
        refuse(s, c, verdict);
        return FLOW_ON;
    }
    size_t room = LIMIT_SERVE_HEAD - c->in.len; /* above 0, else it is a 431 */
    char *to = buf_room(&c->in, room < READ_STEP ? room : READ_STEP);
    if (to == NULL)
        return FLOW_OVER;
    enum flow flow = receive(c, to, room < READ_STEP ? room : READ_STEP, &got);
    if (flow == FLOW_ON) {
        c->in.len += got;
        c->active = s->now;
    }
    return flow;
}

static enum flow on_wait(struct serve *s, struct conn *c)
{
    if (s->now < c->due) {
        c->wants = 0;
        return FLOW_WAIT;
    }
    c->state = CONN_WRITE;
    return FLOW_ON;
}

/* A piece of a faulty answer is out: the next one, or its end. */
static enum flow fault_go_on(struct serve *s, struct conn *c)
{
    enum fault_end then = c->fault->page->then;
    int64_t pause = c->fault->page->pause;

    buf_clear(&c->head);
    c->sent = 0;
    if (fault_reply_next(c->fault, &c->head)) {
        c->state = CONN_WAIT; /* without a pause too: others get their turn */
        c->due = s->now + pause;
        c->wants = 0;
        return FLOW_WAIT;
    }
    fault_reply_free(c->fault);
    c->fault = NULL;
    c->resets = then == FAULT_RESET;
    c->state = c->drain ? CONN_DRAIN : CONN_READ;
    return then == FAULT_KEEP ? FLOW_ON : FLOW_OVER;
}

static enum flow on_write(struct serve *s, struct conn *c)
{
    size_t left = c->head.len + c->body.len - c->sent, put = 0;
    size_t most = left;

    if (s->config.speed > 0) {
        size_t slice = (size_t)((double)s->config.speed * SLICE / US_PER_S) + 1;

        most = slice < left ? slice : left;
    }
    enum flow flow = left > 0 ? transmit(c, most, &put) : FLOW_ON;
    if (flow != FLOW_ON)
        return flow;
    c->sent += put;
    c->active = s->now;
    if (put < left) {
        if (s->config.speed > 0) {
            c->due = s->now + (int64_t)((double)put * US_PER_S / (double)s->config.speed);
            c->state = CONN_WAIT;
        }
        return FLOW_ON;
    }
    if (c->fault)
        return fault_go_on(s, c);
    answer_release(c->answer);
    c->answer = NULL;
    if (c->closing)
        return FLOW_OVER;
    c->state = c->drain ? CONN_DRAIN : CONN_READ;
    return FLOW_ON;
}

/* A GET with a body: it means nothing, and must not be read as a request. */
static enum flow on_drain(struct serve *s, struct conn *c)
{
    char scrap[READ_STEP];
    size_t got = c->in.len < c->drain ? c->in.len : (size_t)c->drain;

    if (got > 0) {
        use_up(&c->in, got);
    } else {
        enum flow flow =
            receive(c, scrap, c->drain < sizeof scrap ? (size_t)c->drain : sizeof scrap, &got);

        if (flow != FLOW_ON)
            return flow;
        c->active = s->now;
    }
    c->drain -= got;
    c->state = c->drain ? CONN_DRAIN : CONN_READ;
    return FLOW_ON;
}

static enum flow (*const states[])(struct serve *, struct conn *) = {
    [CONN_SHAKE] = on_shake, [CONN_READ] = on_read,   [CONN_WAIT] = on_wait,
    [CONN_WRITE] = on_write, [CONN_DRAIN] = on_drain,
};

bool conn_advance(struct serve *s, struct conn *c)
{
    uint64_t answered = s->counts.requests;

    for (;;) {
        enum flow flow = states[c->state](s, c);

        if (flow == FLOW_OVER)
            return false;
        if (flow == FLOW_WAIT)
            return true;
        if (s->counts.requests - answered >= TURN && c->state == CONN_READ) {
            c->state = CONN_WAIT; /* comes back in the next round, answers pending or not */
            c->due = s->now;
            c->wants = 0;
            c->head.len = c->body.len = c->sent = 0;
            return true;
        }
    }
}

void conn_free(struct conn *c)
{
    if (c->resets) /* closing now sends a reset */
        (void)setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &(struct linger){1, 0},
                         sizeof(struct linger));
    if (c->ssl) {
        if (SSL_is_init_finished(c->ssl) && !c->resets)
            (void)SSL_shutdown(c->ssl); /* sends our close_notify, and does not wait for theirs */
        ERR_clear_error();
        SSL_free(c->ssl);
    }
    (void)close(c->fd);
    answer_release(c->answer);
    fault_reply_free(c->fault);
    buf_free(&c->in);
    buf_free(&c->head);
    free(c);
}

void conn_reset(struct conn *c)
{
    c->resets = true;
    conn_free(c);
}
