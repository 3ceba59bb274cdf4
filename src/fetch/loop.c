/* loop.c - one fetch thread: a libuv loop that drives libcurl and c-ares.
 *
 * In: requests from an inbox. Out: arrivals, digested here. A request's way:
 *
 *     inbox --> look_up (dns) --> wait (rate) --> run (curl multi) --> deliver
 *
 * where each of the middle steps may be skipped: a request that names its
 * address is not looked up, without --rate nothing waits, and a REQUEST_RESOLVE
 * is delivered after the look-up.
 *
 * libcurl says which sockets it wants watched and when it wants to be called;
 * libuv calls back; after every call loop_settle() does what is due at once and
 * hands over what is complete. A timeout of zero, which libcurl asks for with
 * every new transfer, is served there and never becomes a timer.
 *
 * Idle connections and handles are kept: the former by libcurl, up to
 * LIMIT_CONNECTIONS_KEPT over all loops, the latter in `idle`.
 * SPDX-License-Identifier: MIT */
#include "fetch/loop.h"

#include "base/os/clock.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/ring.h"
#include "base/os/port.h"
#include "base/os/queue.h"
#include "fetch/dns.h"
#include "fetch/guard.h"
#include "fetch/jar.h"
#include "fetch/rate.h"
#include "fetch/transfer.h"
#include "fetch/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define INBOX_BATCH 32 /* requests taken from the inbox at once */
#define DUE_ROUNDS  8  /* calls in a row before other sockets get their turn */
#define SPARE_MS    50 /* between two checks for silent bodies */

/* A growing stack of pointers. */
struct stack {
    void **items;
    size_t count, cap;
};

struct loop {
    const struct loop_setup *setup;
    unsigned index;
    pthread_t thread;
    struct queue *inbox; /* of struct request */
    uv_loop_t uv;
    uv_async_t call;          /* the inbox has something, or it is time to stop */
    uv_timer_t timer;         /* libcurl's */
    uv_timer_t rate_timer;    /* runs while requests wait for the rate */
    uv_timer_t spare_timer;   /* memory may be short while no data arrive */
    uv_prepare_t before_poll; /* hands over what is ready before the loop sleeps */
    struct watches watches;   /* libcurl's sockets */
    struct dns *dns;
    CURLM *multi;
    struct jar jar; /* cookies and TLS sessions, of this thread only */
    struct transfer_setup transfers;
    struct rate rate;
    struct stack idle;           /* transfers without a request */
    struct stack running;        /* transfers in the multi handle */
    struct arrival_batch *ready; /* arrivals not yet handed over, or NULL */
    struct ring waiting;         /* arrivals held back by the rate */
    bool due;                    /* libcurl wants to be called at once */
    atomic_bool stopping;
    atomic_ullong requests, bytes;
};

static void push(struct stack *s, void *item)
{
    MEM_GROW(s->items, s->count, &s->cap);
    s->items[s->count++] = item;
}

static void *pop(struct stack *s)
{
    return s->count > 0 ? s->items[--s->count] : NULL;
}

static void take_out(struct stack *s, const void *item)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->items[i] == item) {
            s->items[i] = s->items[--s->count];
            return;
        }
}

/* ---- deliver --------------------------------------------------------------- */

static void batch_free(struct arrival_batch *b)
{
    for (size_t i = 0; i < b->count; i++)
        arrival_release(b->arrivals[i]);
    free(b);
}

static void ready_flush(struct loop *l)
{
    if (l->ready != NULL && !queue_add(l->setup->batches, l->ready))
        batch_free(l->ready); /* the queue is closed: we are stopping */
    l->ready = NULL;
}

static void on_before_poll(uv_prepare_t *prepare)
{
    ready_flush(prepare->data);
}

static void digest_and_add(struct loop *l, struct arrival *a)
{
    const struct fetch_config *config = l->setup->config;

    if (atomic_load_explicit(&l->stopping, memory_order_relaxed)) {
        arrival_release(a); /* it will not be taken, so it is not digested */
        return;
    }
    if (config->digest != NULL)
        config->digest(config->digest_ctx, l->index, a);
    arrival_count(a);
    if (l->ready == NULL)
        l->ready = MEM_NEW(struct arrival_batch);
    l->ready->arrivals[l->ready->count++] = a;
    if (l->ready->count == BATCH_MAX)
        ready_flush(l);
}

/* A reply that takes long to read is converted by a thread of libuv's pool first: the transfers
 * of this loop go on meanwhile. */
struct conversion {
    uv_work_t work;
    struct loop *loop;
    struct arrival *arrival;
};

static void on_conversion(uv_work_t *work)
{
    struct conversion *c = work->data;
    const struct fetch_config *config = c->loop->setup->config;

    config->convert(config->convert_ctx, c->arrival, &c->loop->stopping);
}

static void on_converted(uv_work_t *work, int status)
{
    struct conversion *c = work->data;

    (void)status; /* cancelled only when we are stopping */
    digest_and_add(c->loop, c->arrival);
    free(c);
}

static void deliver(struct loop *l, struct arrival *a)
{
    const struct fetch_config *config = l->setup->config;
    struct conversion *c;

    if (config->slow == NULL || !config->slow(config->convert_ctx, a)) {
        digest_and_add(l, a);
        return;
    }
    c = MEM_NEW(struct conversion);
    *c = (struct conversion){.work.data = c, .loop = l, .arrival = a};
    if (uv_queue_work(&l->uv, &c->work, on_conversion, on_converted) != 0) {
        digest_and_add(l, a);
        free(c);
    }
}

static void deliver_error(struct loop *l, struct arrival *a, enum fetch_error error,
                          const char *text)
{
    int64_t now = clock_now();

    if (a->reply.started_at == 0)
        a->reply.started_at = now;
    a->reply.done_at = now;
    a->reply.error = error;
    a->reply.error_text = arena_str(&a->memory, str_of(text));
    deliver(l, a);
}

/* ---- run ------------------------------------------------------------------- */

static void run(struct loop *l, struct arrival *a)
{
    struct transfer *t = pop(&l->idle);

    if (t == NULL)
        t = transfer_new(&l->transfers);
    if (!transfer_begin(t, a, clock_now())) {
        push(&l->idle, t);
        deliver_error(l, a, a->reply.error, "the URL is too long");
        return;
    }
    atomic_fetch_add_explicit(&l->requests, 1, memory_order_relaxed);
    rate_start(&l->rate);
    push(&l->running, t);
    (void)curl_multi_add_handle(l->multi, transfer_easy(t));
}

static void run_end(struct loop *l, CURL *easy, CURLcode code)
{
    struct transfer *t = transfer_of(easy);
    struct arrival *a;
    unsigned cookies;
    uint64_t bytes;

    a = transfer_end(t, code, clock_now(), &cookies, &bytes);
    (void)curl_multi_remove_handle(l->multi, easy);
    take_out(&l->running, t);
    push(&l->idle, t);
    if (cookies > 0)
        jar_add(&l->jar, easy, cookies);
    rate_done(&l->rate, bytes);
    atomic_fetch_add_explicit(&l->bytes, bytes, memory_order_relaxed);
    deliver(l, a);
}

/* ---- spare ----------------------------------------------------------------- */

static struct transfer *largest(const struct loop *l)
{
    struct transfer *found = NULL;
    size_t most = 0;

    for (size_t i = 0; i < l->running.count; i++) {
        size_t bytes = transfer_spares(l->running.items[i]);

        if (bytes > most) {
            most = bytes;
            found = l->running.items[i];
        }
    }
    return found;
}

/* A body that grows is given up while it grows (transfer.c); one that has fallen silent is given
 * up here, the largest first. */
static void on_spare(uv_timer_t *timer)
{
    struct loop *l = timer->data;
    struct transfer *t;

    while (usage_is_crowded(l->setup->config->usage) && (t = largest(l)) != NULL) {
        transfer_give_up(t);
        run_end(l, transfer_easy(t), CURLE_ABORTED_BY_CALLBACK);
    }
}

/* ---- wait ------------------------------------------------------------------ */

static void on_rate(uv_timer_t *timer);

/* Starts waiting requests, as far as the rate allows. */
static void waiting_run(struct loop *l)
{
    int64_t us = 0;

    while (l->waiting.count > 0) {
        us = rate_wait(&l->rate, clock_now());
        if (us > 0)
            break;
        run(l, *RING_TAKE(&l->waiting, struct arrival *));
    }
    if (l->waiting.count > 0)
        (void)uv_timer_start(&l->rate_timer, on_rate, (uint64_t)(us / US_PER_MS + 1), 0);
}

/* ---- settle ---------------------------------------------------------------- */

static void loop_settle(struct loop *l);

static void on_rate(uv_timer_t *timer)
{
    struct loop *l = timer->data;

    waiting_run(l);
    loop_settle(l);
}

static void on_timer(uv_timer_t *timer)
{
    struct loop *l = timer->data;

    l->due = true;
    loop_settle(l);
}

static void loop_settle(struct loop *l)
{
    struct CURLMsg *message;
    int running, left;

    for (int i = 0; l->due && i < DUE_ROUNDS; i++) {
        l->due = false;
        (void)curl_multi_socket_action(l->multi, CURL_SOCKET_TIMEOUT, 0, &running);
    }
    while ((message = curl_multi_info_read(l->multi, &left)) != NULL)
        if (message->msg == CURLMSG_DONE)
            run_end(l, message->easy_handle, message->data.result);
    if (l->waiting.count > 0)
        waiting_run(l);
    if (l->due) /* let the other sockets have their turn first */
        (void)uv_timer_start(&l->timer, on_timer, 0, 0);
}

/* libcurl wants to be called in `ms`; it must not be called from here. */
static int on_curl_timer(CURLM *multi, long ms, void *ctx)
{
    struct loop *l = ctx;

    (void)multi;
    l->due = ms == 0;
    if (ms > 0)
        (void)uv_timer_start(&l->timer, on_timer, (uint64_t)ms, 0);
    else
        (void)uv_timer_stop(&l->timer);
    return 0;
}

static int on_curl_socket(CURL *easy, curl_socket_t fd, int what, void *ctx, void *own)
{
    static const int events[] = {
        [CURL_POLL_IN] = WATCH_READ,
        [CURL_POLL_OUT] = WATCH_WRITE,
        [CURL_POLL_INOUT] = WATCH_READ | WATCH_WRITE,
        [CURL_POLL_REMOVE] = 0,
    };
    struct loop *l = ctx;

    (void)easy;
    (void)own;
    watches_want(&l->watches, fd, events[what]);
    return 0;
}

static void on_ready(void *ctx, int fd, int events)
{
    struct loop *l = ctx;
    int running, mask = 0;

    if (events & WATCH_READ)
        mask |= CURL_CSELECT_IN;
    if (events & WATCH_WRITE)
        mask |= CURL_CSELECT_OUT;
    (void)curl_multi_socket_action(l->multi, fd, mask, &running);
    loop_settle(l);
}

/* ---- look_up --------------------------------------------------------------- */

static void on_address(void *ctx, void *what, const struct dns_answer *answer)
{
    struct loop *l = ctx;
    struct arrival *a = what;
    char text[120];

    if (answer->error == FETCH_CANCELLED) {
        arrival_release(a);
    } else if (answer->error != FETCH_OK) {
        (void)snprintf(text, sizeof text, "%s%s",
                       answer->error == FETCH_REFUSED ? "the address is refused: " : "",
                       answer->text);
        deliver_error(l, a, answer->error, text);
    } else if (a->request->kind == REQUEST_RESOLVE) {
        a->reply.peer = answer->address;
        a->reply.connect_port = answer->port;
        a->reply.done_at = clock_now();
        deliver(l, a);
    } else {
        a->request->address = answer->address;
        a->request->connect_port = answer->port;
        *RING_ADD(&l->waiting, struct arrival *) = a;
        waiting_run(l);
        loop_settle(l);
    }
}

/* ---- inbox ----------------------------------------------------------------- */

/* Checks what is known before a request: the port, and the host's name behind a proxy, where we see
 * no address. Returns false if it was refused; then the refusal was delivered. */
static bool may_ask(struct loop *l, struct arrival *a)
{
    const struct fetch_config *config = l->setup->config;
    const char *what = "port", *why = port_refuses(a->request->port);
    char text[120];

    if (why == NULL && config->proxy != NULL) {
        what = "address";
        why = guard_judge_host(a->request->host, config->allow_private, config->private_only);
    }
    if (why == NULL)
        return true;
    (void)snprintf(text, sizeof text, "the %s is refused: %s", what, why);
    deliver_error(l, a, FETCH_REFUSED, text);
    return false;
}

static void accept_request(struct loop *l, struct request *r)
{
    struct arrival *a = arrival_new(r);
    bool is_known = r->address.family != 0 || l->setup->config->proxy != NULL;

    a->usage = l->setup->config->usage;
    if (!may_ask(l, a))
        return;
    if (r->connect_port == 0)
        r->connect_port = r->port;
    if (r->kind != REQUEST_RESOLVE && is_known) {
        *RING_ADD(&l->waiting, struct arrival *) = a;
        return;
    }
    a->reply.started_at = clock_now();
    dns_ask(l->dns, r->host, r->port, a);
}

static void inbox_empty(struct loop *l)
{
    void *requests[INBOX_BATCH];
    size_t n;

    do {
        n = queue_take(l->inbox, requests, INBOX_BATCH, 0);
        for (size_t i = 0; i < n; i++)
            accept_request(l, requests[i]);
        waiting_run(l);
        loop_settle(l);
    } while (n == INBOX_BATCH);
}

static void loop_close(struct loop *l);

static void on_call(uv_async_t *call)
{
    struct loop *l = call->data;

    if (atomic_load(&l->stopping))
        loop_close(l);
    else
        inbox_empty(l);
}

void loop_submit(struct loop *l, struct request *r)
{
    (void)queue_add(l->inbox, r);
}

void loop_wake(struct loop *l)
{
    (void)uv_async_send(&l->call);
}

void loop_count(struct loop *l, struct fetch_counts *sum)
{
    sum->requests += atomic_load_explicit(&l->requests, memory_order_relaxed);
    sum->bytes += atomic_load_explicit(&l->bytes, memory_order_relaxed);
}

/* ---- start ----------------------------------------------------------------- */

static void multi_make(struct loop *l)
{
    const struct fetch_config *config = l->setup->config;
    long kept = LIMIT_CONNECTIONS_KEPT / (long)config->threads;

    if (kept < (long)config->connections)
        kept = (long)config->connections;
    l->multi = curl_multi_init();
    if (l->multi == NULL)
        mem_out();
    (void)curl_multi_setopt(l->multi, CURLMOPT_MAXCONNECTS, kept);
    (void)curl_multi_setopt(l->multi, CURLMOPT_SOCKETFUNCTION, on_curl_socket);
    (void)curl_multi_setopt(l->multi, CURLMOPT_SOCKETDATA, l);
    (void)curl_multi_setopt(l->multi, CURLMOPT_TIMERFUNCTION, on_curl_timer);
    (void)curl_multi_setopt(l->multi, CURLMOPT_TIMERDATA, l);
}

static void *loop_main(void *ctx)
{
    struct loop *l = ctx;

    (void)pthread_setname_np(pthread_self(), "fetch");
    (void)uv_run(&l->uv, UV_RUN_DEFAULT);
    return NULL;
}

/* Blocks signals, which are for the main thread; a write to a closed socket then gives an
 * error instead of SIGPIPE. */
static int thread_start(struct loop *l)
{
    sigset_t all, old;
    int rc;

    sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &old);
    rc = pthread_create(&l->thread, NULL, loop_main, l);
    (void)pthread_sigmask(SIG_SETMASK, &old, NULL);
    return rc;
}

static void loop_free(struct loop *l)
{
    (void)uv_run(&l->uv, UV_RUN_DEFAULT); /* the close callbacks */
    (void)uv_loop_close(&l->uv);
    dns_free(l->dns);
    queue_free(l->inbox);
    free(l->idle.items);
    free(l->running.items);
    ring_free(&l->waiting);
    free(l);
}

static void loop_init(struct loop *l)
{
    uint64_t rate = l->setup->config->rate / l->setup->config->threads;

    (void)uv_async_init(&l->uv, &l->call, on_call);
    (void)uv_timer_init(&l->uv, &l->timer);
    (void)uv_timer_init(&l->uv, &l->rate_timer);
    (void)uv_timer_init(&l->uv, &l->spare_timer);
    if (l->setup->config->usage != NULL)
        (void)uv_timer_start(&l->spare_timer, on_spare, SPARE_MS, SPARE_MS);
    (void)uv_prepare_init(&l->uv, &l->before_poll);
    (void)uv_prepare_start(&l->before_poll, on_before_poll);
    l->call.data = l->timer.data = l->rate_timer.data = l->spare_timer.data = l;
    l->before_poll.data = l;
    watches_init(&l->watches, &l->uv, on_ready, l);
    rate_init(&l->rate, rate, clock_now());
    multi_make(l);
    jar_init(&l->jar, l->setup->config->cookies);
    l->transfers = (struct transfer_setup){.config = l->setup->config,
                                           .headers = l->setup->headers,
                                           .share = l->jar.share,
                                           .watches = &l->watches,
                                           .rate = rate};
}

/* libuv aborts if it cannot make a pipe for its signals, so we try to make one first. */
static int uv_open(uv_loop_t *uv)
{
    int ends[2];

    if (pipe2(ends, O_CLOEXEC) != 0)
        return uv_translate_sys_error(errno);
    (void)close(ends[0]);
    (void)close(ends[1]);
    return uv_loop_init(uv);
}

enum status loop_start(const struct loop_setup *setup, unsigned index, struct loop **ret)
{
    struct loop *l = MEM_NEW(struct loop);
    struct dns_config dns = {.uv = &l->uv,
                             .rules = setup->rules,
                             .allow_private = setup->config->allow_private,
                             .private_only = setup->config->private_only,
                             .fn = on_address,
                             .ctx = l};
    enum status st;
    int rc;

    l->setup = setup;
    l->index = index;
    rc = uv_open(&l->uv);
    if (rc != 0) {
        free(l);
        return status_fail(ST_IO, "no event loop: %s", uv_strerror(rc));
    }
    l->inbox = queue_new(setup->config->connections);
    loop_init(l);
    st = dns_new(&dns, &l->dns);
    if (st == ST_OK && thread_start(l) != 0)
        st = status_fail(ST_IO, "no thread for the network");
    if (st != ST_OK) {
        loop_close(l);
        loop_free(l);
        return st;
    }
    *ret = l;
    return ST_OK;
}

/* ---- end ------------------------------------------------------------------- */

static void requests_drop(struct loop *l)
{
    void *request;

    while (queue_take(l->inbox, &request, 1, 0) > 0)
        free(request);
    while (l->waiting.count > 0)
        arrival_release(*RING_TAKE(&l->waiting, struct arrival *));
}

/* Closes everything on the loop, so that it ends by itself. */
static void loop_close(struct loop *l)
{
    struct transfer *t;

    if (uv_is_closing((uv_handle_t *)&l->call))
        return;
    requests_drop(l);
    ready_flush(l);
    dns_close(l->dns);
    while ((t = pop(&l->running)) != NULL) {
        (void)curl_multi_remove_handle(l->multi, transfer_easy(t));
        transfer_free(t);
    }
    while ((t = pop(&l->idle)) != NULL)
        transfer_free(t);
    (void)curl_multi_cleanup(l->multi);
    jar_clear(&l->jar);
    watches_clear(&l->watches);
    uv_close((uv_handle_t *)&l->call, NULL);
    uv_close((uv_handle_t *)&l->timer, NULL);
    uv_close((uv_handle_t *)&l->rate_timer, NULL);
    uv_close((uv_handle_t *)&l->spare_timer, NULL);
    uv_close((uv_handle_t *)&l->before_poll, NULL);
}

void loop_stop(struct loop *l)
{
    atomic_store(&l->stopping, true);
    (void)uv_async_send(&l->call);
}

void loop_join(struct loop *l)
{
    (void)pthread_join(l->thread, NULL);
    requests_drop(l);
    loop_free(l);
}
