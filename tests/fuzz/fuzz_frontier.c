/* A checkpoint of any bytes: the frontier takes it or refuses it, and what it
 * took can be run to its end. SPDX-License-Identifier: MIT */
#include "base/buf.h"
#include "base/os/clock.h"
#include "base/limits.h"
#include "flow.h"
#include "frontier/frontier.h"

#include <stdint.h>
#include <stdlib.h>

#define ROUNDS 200

struct flight {
    struct request *requests[16];
    size_t count;
};

static void on_due(void *ctx, struct request *r)
{
    struct flight *flight = ctx;

    flight->requests[flight->count++] = r;
}

static void on_drop(void *ctx, const struct choice *c, enum drop why)
{
    (void)ctx;
    if (c->url == 0 || why == DROP_NONE || why >= DROP_COUNT)
        abort();
}

static void on_host(void *ctx, uint32_t id, struct str name, struct str state)
{
    (void)ctx;
    if (id == 0 || name.len == 0 || state.len == 0)
        abort();
}

/* The web answers as the bytes say. */
static void answer(struct frontier *f, struct request *r, int64_t now, uint8_t how)
{
    static const int statuses[] = {200, 301, 404, 429, 500, 503, 304, 0};
    struct arrival *a = arrival_new(r);

    a->reply.status = statuses[how & 7];
    a->reply.error = how & 8 ? (enum fetch_error)(how >> 4 & 7) : FETCH_OK;
    a->reply.location = STR("http://b.org/x");
    a->reply.peer = (struct address){4, {10, 0, 0, how & 3}};
    if (frontier_replied(f, a, now).verdict == VERDICT_REDIRECT)
        (void)frontier_redirect(f, a, 1 + how % 4u, now);
    arrival_release(a);
}

static void run(struct frontier *f, int64_t now, struct cursor *c)
{
    for (int i = 0; i < ROUNDS && frontier_next_time(f) != INT64_MAX; i++) {
        struct flight flight = {.count = 0};

        if (frontier_next_time(f) > now)
            now = frontier_next_time(f);
        frontier_release(
            f, now,
            &(struct release){.max = 16, .ctx = &flight, .on_due = on_due, .on_drop = on_drop});
        for (size_t k = 0; k < flight.count; k++)
            answer(f, flight.requests[k], now, cursor_u8(c));
    }
}

/* u8 count of URLs, then each: str, u8 state, u8 drop, u8 page; u8 count of
 * hosts, then each: str name, str state; str state of the frontier; the rest
 * drives the answers. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cursor c = {.rest = {(const char *)data, size}};
    struct frontier_config config = {
        .delay = US_PER_S,
        .latency_factor = 1,
        .per_host = 2,
        .max_depth = 5,
        .pages_per_host = 3,
        .max_waiting = 100,
        .max_urls = 1000,
        .retries = 1,
        .robots = true,
        .resolve = true,
        .token = STR("brood"),
    };
    struct frontier *f = frontier_new(&config);
    struct buf out = BUF_INIT(MIB(4));
    int64_t now = INT64_C(1800000000) * US_PER_S;
    bool good = true;
    uint8_t count = cursor_u8(&c);

    for (uint32_t id = 1; id <= count && good; id++) {
        struct str href = cursor_str(&c);
        struct url_view v = {.state = cursor_u8(&c), .page = 0};

        v.drop = cursor_u8(&c);
        v.page = cursor_u8(&c);
        good = frontier_restore_url(f, href, id, &v) == ST_OK;
    }
    count = cursor_u8(&c);
    for (uint32_t id = 1; id <= count && good; id++) {
        struct str name = cursor_str(&c);

        good = frontier_restore_host(f, id, name, cursor_str(&c), now) == ST_OK;
    }
    if (good && frontier_restore(f, cursor_str(&c), now) == ST_OK) {
        run(f, now, &c);
        frontier_save(f, &out);
        frontier_changed_hosts(f, on_host, NULL);
    }
    buf_free(&out);
    frontier_free(f);
    return 0;
}
