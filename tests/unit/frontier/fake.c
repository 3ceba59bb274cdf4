/* fake.c - a frontier with a clock of its own and a web that answers as told.
 * SPDX-License-Identifier: MIT */
#include "fake.h"

#include "parse/url_norm.h"

#include <stdlib.h>

struct frontier_config fake_config(void)
{
    return (struct frontier_config){
        .delay = US_PER_S,
        .per_host = 1,
        .max_depth = UINT32_MAX,
        .pages_per_host = UINT32_MAX,
        .max_waiting = 100000,
        .max_urls = 1000000,
        .retries = 2,
        .robots = true,
        .resolve = true,
        .token = STR("brood"),
    };
}

void fake_init(struct fake *k, const struct frontier_config *config)
{
    memset(k, 0, sizeof *k);
    k->config = *config;
    k->f = frontier_new(config);
    k->now = INT64_C(1800000000) * US_PER_S;
}

void fake_free(struct fake *k)
{
    for (size_t i = 0; i < k->ndue; i++)
        free(k->due[i]);
    arrival_release(k->last);
    frontier_free(k->f);
}

uint32_t fake_meet(struct fake *k, const char *url, uint16_t depth, enum drop *ret_why)
{
    struct link link = {.url = str_of(url), .key = url_key(str_of(url))};
    uint32_t id;
    bool is_new;
    enum drop why = frontier_meet(k->f, &link, 0, depth, &id, &is_new);

    if (ret_why)
        *ret_why = why;
    return id;
}

enum drop fake_add(struct fake *k, const char *url, float score)
{
    enum drop why;
    struct choice c = {.url = fake_meet(k, url, 0, &why), .agent = 1, .score = score};

    return why != DROP_NONE ? why : frontier_add(k->f, &c, k->now);
}

static void on_due(void *ctx, struct request *r)
{
    struct fake *k = ctx;

    assert_true(k->ndue < FAKE_MAX);
    k->due[k->ndue++] = r;
}

static void on_drop(void *ctx, const struct choice *c, enum drop why)
{
    struct fake *k = ctx;

    assert_true(k->ndropped < FAKE_MAX);
    k->why[k->ndropped] = why;
    k->dropped[k->ndropped++] = *c;
}

size_t fake_release(struct fake *k)
{
    return frontier_release(
        k->f, k->now,
        &(struct release){.max = UINT32_MAX, .ctx = k, .on_due = on_due, .on_drop = on_drop});
}

size_t fake_step(struct fake *k)
{
    int64_t next = frontier_next_time(k->f);

    if (next == INT64_MAX)
        return 0;
    if (next > k->now)
        k->now = next;
    return fake_release(k);
}

struct reply_verdict fake_answer(struct fake *k, struct answer what)
{
    struct request *r;
    struct arrival *a;
    struct reply_verdict v;

    assert_true(k->ndue > 0);
    r = k->due[0];
    memmove(k->due, k->due + 1, --k->ndue * sizeof *k->due);
    a = arrival_new(r);
    a->reply.error = what.error;
    a->reply.status = what.error && !what.broke_off ? 0 : what.status ? what.status : 200;
    a->reply.started_at = k->now;
    k->now += what.latency;
    a->reply.done_at = k->now;
    a->reply.location = str_of(what.location);
    a->reply.retry_after = str_of(what.retry_after);
    if (what.body)
        buf_add_z(&a->reply.body, what.body);
    assert_int_equal(buf_check(&a->reply.body), ST_OK);
    if (r->kind == REQUEST_RESOLVE && what.error == FETCH_OK) {
        a->reply.status = 0;
        a->reply.peer = (struct address){4,
                                         {10, 0, what.ip ? 0 : (uint8_t)(r->host_id >> 8),
                                          what.ip ? what.ip : (uint8_t)r->host_id}};
        a->reply.connect_port = r->port;
    }
    v = frontier_replied(k->f, a, k->now);
    arrival_release(k->last);
    k->last = a;
    return v;
}

struct request *fake_page(struct fake *k, const char *robots)
{
    for (int i = 0; i < 100; i++) {
        if (k->ndue == 0 && fake_step(k) == 0 && frontier_next_time(k->f) == INT64_MAX)
            return NULL;
        if (k->ndue == 0)
            continue;
        if (k->due[0]->kind == REQUEST_PAGE)
            return k->due[0];
        fake_answer(k, (struct answer){.body = robots});
    }
    return NULL;
}

enum drop fake_dropped(const struct fake *k, uint32_t url)
{
    for (size_t i = 0; i < k->ndropped; i++)
        if (k->dropped[i].url == url)
            return k->why[i];
    return DROP_NONE;
}
