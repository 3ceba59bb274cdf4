/* web.c - the web as a fetch_ops: requests are assigned to loops, one queue leads back.
 *
 * In: struct request from the mind. Out: struct arrival. A request goes to the
 * loop that its host name hashes to, so that a host's connections, TLS sessions
 * and cookies all live on one thread and need no lock.
 *
 * At most config.connections requests are between submit() and take(), which is
 * what bounds every queue here: none of them can ever be full. Threads are
 * woken as rarely as possible, since that costs more than moving a pointer:
 * requests are announced at the next take(), arrivals come in batches.
 * SPDX-License-Identifier: MIT */
#include "fetch/fetch.h"

#include "base/hash.h"
#include "base/os/clock.h"
#include "base/mem.h"
#include "base/os/queue.h"
#include "fetch/headers.h"
#include "fetch/loop.h"
#include "fetch/dns.h"

#include <ares.h>
#include <stdlib.h>
#include <uv.h>

struct live_web {
    struct fetch_config config;
    struct loop_setup setup; /* what the loops share */
    struct headers headers;
    struct resolve_rules *rules;
    struct queue *batches; /* of arrivals, from all loops */
    struct loop **loops;
    bool *news; /* by loop: it has requests that it was not told of yet */
    unsigned nloops;
    unsigned in_flight;          /* submitted and not taken; used by the mind only */
    struct arrival_batch *batch; /* taken from the queue, not yet all handed out */
    size_t at;                   /* its next arrival */
};

static void web_announce(struct live_web *w)
{
    for (unsigned i = 0; i < w->nloops; i++) {
        if (w->news[i])
            loop_wake(w->loops[i]);
        w->news[i] = false;
    }
}

static size_t web_take(void *self, struct arrival **ret, size_t max, int64_t wait_us)
{
    struct live_web *w = self;
    void *batch;
    size_t n = 0;

    web_announce(w);
    while (n < max) {
        if (w->batch == NULL) { /* wait only for the first one */
            if (queue_take(w->batches, &batch, 1, n == 0 ? wait_us : 0) == 0)
                break;
            w->batch = batch;
            w->at = 0;
        }
        ret[n++] = w->batch->arrivals[w->at++];
        if (w->at == w->batch->count) {
            free(w->batch);
            w->batch = NULL;
        }
    }
    w->in_flight -= (unsigned)n;
    return n;
}

static void web_stop(void *self)
{
    struct live_web *w = self;
    struct arrival *a;

    if (w->batches != NULL)
        queue_close(w->batches);
    for (unsigned i = 0; i < w->nloops; i++)
        loop_stop(w->loops[i]);
    for (unsigned i = 0; i < w->nloops; i++)
        loop_join(w->loops[i]);
    w->nloops = 0;
    while (w->batches != NULL && web_take(w, &a, 1, 0) > 0)
        arrival_release(a);
    queue_free(w->batches);
    resolve_rules_free(w->rules);
    headers_free(&w->headers);
    free(w->loops);
    free(w->news);
    free(w);
    curl_global_cleanup();
}

static enum status web_open(struct live_web *w)
{
    enum status st = resolve_rules_new(w->config.resolve, &w->rules);

    if (st == ST_OK)
        st = headers_make(&w->config, &w->headers);
    if (st != ST_OK)
        return st;
    w->batches = queue_new(w->config.connections);
    w->setup = (struct loop_setup){
        .config = &w->config, .rules = w->rules, .headers = &w->headers, .batches = w->batches};
    w->loops = mem_zero(w->config.threads, sizeof(struct loop *));
    w->news = mem_zero(w->config.threads, sizeof(bool));
    while (st == ST_OK && w->nloops < w->config.threads) {
        st = loop_start(&w->setup, w->nloops, &w->loops[w->nloops]);
        if (st == ST_OK)
            w->nloops++;
    }
    return st;
}

/* The libraries use base/mem.h, which never returns NULL for small sizes. So they cannot mistake a
 * lack of memory for a fault of the server. */
static void *resize(void *old, size_t size)
{
    return mem_resize(old, 1, size);
}

static char *copy(const char *z)
{
    return str_dup(str_of(z));
}

static bool libraries_start(void)
{
    (void)uv_replace_allocator(mem_alloc, resize, mem_zero, free);
    return ares_library_init_mem(ARES_LIB_INIT_ALL, mem_alloc, free, resize) == ARES_SUCCESS &&
           curl_global_init_mem(CURL_GLOBAL_DEFAULT, mem_alloc, free, resize, copy, mem_zero) ==
               CURLE_OK;
}

static enum status web_start(const struct fetch_config *config, void **ret_self)
{
    struct live_web *w;
    enum status st;

    if (!libraries_start())
        return status_fail(ST_INTERNAL, "libcurl does not start");
    w = MEM_NEW(struct live_web);
    w->config = *config;
    if (w->config.threads == 0)
        w->config.threads = 1;
    if (w->config.connections == 0)
        w->config.connections = 1;
    st = web_open(w);
    if (st != ST_OK) {
        web_stop(w);
        return st;
    }
    *ret_self = w;
    return ST_OK;
}

static unsigned web_slots(void *self)
{
    const struct live_web *w = self;

    return w->config.connections - w->in_flight;
}

static bool web_submit(void *self, struct request *r)
{
    struct live_web *w = self;
    unsigned i;

    if (web_slots(w) == 0)
        return false;
    i = (unsigned)(hash_str(r->host) % w->nloops);
    w->in_flight++;
    w->news[i] = true;
    loop_submit(w->loops[i], r);
    return true;
}

static void web_wake(void *self)
{
    struct live_web *w = self;

    queue_poke(w->batches);
}

static struct fetch_counts web_counts(void *self)
{
    const struct live_web *w = self;
    struct fetch_counts sum = {.in_flight = w->in_flight};

    for (unsigned i = 0; i < w->nloops; i++)
        loop_count(w->loops[i], &sum);
    return sum;
}

static int64_t web_now(void *self)
{
    (void)self;
    return clock_now();
}

const struct fetch_ops fetch_web = {
    .name = "web",
    .start = web_start,
    .submit = web_submit,
    .slots = web_slots,
    .take = web_take,
    .wake = web_wake,
    .counts = web_counts,
    .now = web_now,
    .stop = web_stop,
};
