/* fetch_web and servers that lie, stall, break off or never end.
 * SPDX-License-Identifier: MIT */
#include "fixture.h"

#include "fetch/rate.h"

#include <stdlib.h>

static bool send_forever(struct client *c, struct str piece)
{
    while (client_send(c, piece))
        ;
    return false;
}

static bool answer_big(struct client *c, const char *type, size_t len)
{
    char *body = calloc(1, len + 1);
    bool ok;

    memset(body, 'x', len);
    ok = client_sendf(c, "HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %zu\r\n\r\n", type,
                      len) &&
         client_send(c, (struct str){body, len});
    free(body);
    return ok;
}

/* Bytes that fill a body's buffer so that the last of them makes it grow, to *ret_cap: who
 * sees it grown knows that all have come. */
static size_t half_film(size_t *ret_cap)
{
    struct buf b = BUF_INIT(LIMIT_BODY);
    size_t len = 0;

    (void)buf_room(&b, MIB(1));
    while (b.cap < MIB(4)) {
        b.len = len = b.cap;
        (void)buf_room(&b, 0);
    }
    *ret_cap = b.cap;
    buf_free(&b);
    return len;
}

static bool send_half_film(struct client *c)
{
    size_t cap, len = half_film(&cap);
    char *zeros = calloc(1, len);
    bool ok = client_send(c, (struct str){zeros, len});

    free(zeros);
    return ok;
}

static bool lie(struct client *c, struct str path)
{
    if (str_eq(path, STR("/long-promise")))
        return client_send(c, STR("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort")), false;
    if (str_eq(path, STR("/short-promise")))
        return client_send(c, STR("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nshort and more")),
               false;
    if (str_eq(path, STR("/broken-chunks")))
        return client_send(c, STR("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                                  "5\r\nhello\r\nzz\r\n")),
               false;
    if (str_eq(path, STR("/cut-chunks")))
        return client_send(c, STR("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                                  "50\r\nhello")),
               false;
    if (str_eq(path, STR("/09")))
        return client_send(c, STR("<p>no header at all, as in 1991")), false;
    if (str_eq(path, STR("/nul")))
        return client_send(c, STR("HTTP/1.1 200 OK\r\nX: a\0b\r\nContent-Length: 0\r\n\r\n")),
               false;
    return false; /* "/nothing": closes without a word */
}

static bool answer(struct client *c, struct str head, struct str path)
{
    (void)head;
    if (str_eq(path, STR("/endless-body")))
        return client_send(c, STR("HTTP/1.1 200 OK\r\n\r\n")) &&
               send_forever(c, STR("and so on and so on and so on and so on and so on, "));
    if (str_eq(path, STR("/endless-headers")))
        return client_send(c, STR("HTTP/1.1 200 OK\r\n")) && send_forever(c, STR("X: y\r\n"));
    if (str_eq(path, STR("/wide-headers")))
        return client_send(c, STR("HTTP/1.1 200 OK\r\n")) &&
               send_forever(c, STR("X: yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"
                                   "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"
                                   "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"
                                   "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"
                                   "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"
                                   "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"
                                   "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"
                                   "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"
                                   "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"
                                   "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"
                                   "\r\n"));
    if (str_eq(path, STR("/one-line")))
        return client_send(c, STR("HTTP/1.1 200 OK\r\nX: ")) &&
               send_forever(c, STR("yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"));
    if (str_eq(path, STR("/interim-for-ever")))
        return send_forever(c, STR("HTTP/1.1 103 Early Hints\r\n\r\n"));
    if (str_eq(path, STR("/image")))
        return answer_big(c, "image/png", 1000);
    if (str_eq(path, STR("/film")))
        return answer_big(c, "video/mp4", MIB(4));
    if (str_eq(path, STR("/robots.txt")))
        return answer_big(c, "text/plain", MIB(1));
    if (str_eq(path, STR("/silence")))
        return client_wait(c, 600000);
    if (str_eq(path, STR("/half-film")))
        return client_send(c, STR("HTTP/1.1 200 OK\r\nContent-Length: 9000000\r\n\r\n")) &&
               send_half_film(c) && client_wait(c, 600000);
    if (str_eq(path, STR("/half-head")))
        return client_send(c, STR("HTTP/1.1 200 OK\r\nX-")) && client_wait(c, 600000);
    if (str_eq(path, STR("/half-body")))
        return client_send(c, STR("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")) &&
               client_wait(c, 600000);
    if (str_eq(path, STR("/reset-head")) || str_eq(path, STR("/reset-body"))) {
        (void)client_send(c, str_eq(path, STR("/reset-head"))
                                 ? STR("HTTP/1.1 200")
                                 : STR("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"));
        client_reset(c);
        return false;
    }
    if (str_eq(path, STR("/fine")))
        return client_answer(c, "200 OK\r\nContent-Type: text/html", STR("fine"));
    return lie(c, path);
}

struct expectation {
    const char *path;
    enum fetch_error error;
    int status;
};

static void expect(struct fixture *f, const struct expectation *all, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct arrival *a = fixture_get(f, all[i].path);

        if (a->reply.error != all[i].error)
            print_error("%s: %s (%.*s)\n", all[i].path, fetch_error_name(a->reply.error),
                        STR_ARG(a->reply.error_text));
        assert_int_equal(a->reply.error, all[i].error);
        assert_int_equal(a->reply.status, all[i].status);
        assert_true((a->reply.error == FETCH_OK) == (a->reply.error_text.len == 0));
        arrival_release(a);
        a = fixture_get(f, "/fine"); /* and the crawl goes on */
        assert_int_equal(a->reply.error, FETCH_OK);
        assert_str(buf_str(&a->reply.body), "fine");
        arrival_release(a);
    }
}

static void broken_answers_have_a_name(void **state)
{
    static const struct expectation cases[] = {
        {"/nothing", FETCH_PROTOCOL, 0},
        {"/09", FETCH_PROTOCOL, 0},
        {"/nul", FETCH_PROTOCOL, 0},
        {"/long-promise", FETCH_PROTOCOL, 200},
        {"/broken-chunks", FETCH_PROTOCOL, 200},
        {"/cut-chunks", FETCH_PROTOCOL, 200},
        {"/short-promise", FETCH_OK, 200},
        {"/reset-head", FETCH_PROTOCOL, 0},
        {"/reset-body", FETCH_PROTOCOL, 200},
        {"/endless-headers", FETCH_SIZE, 0},
        {"/wide-headers", FETCH_SIZE, 0},
        {"/one-line", FETCH_SIZE, 0},
        {"/interim-for-ever", FETCH_SIZE, 0},
    };
    struct fixture f;

    (void)state;
    fixture_init(&f, answer);
    fixture_start(&f);
    expect(&f, cases, sizeof cases / sizeof *cases);
    fixture_end(&f);
}

static void the_deadline_covers_every_stage(void **state)
{
    static const struct expectation cases[] = {
        {"/silence", FETCH_TIMEOUT, 0},
        {"/half-head", FETCH_TIMEOUT, 0},
        {"/half-body", FETCH_TIMEOUT, 200},
    };
    struct fixture f;

    (void)state;
    fixture_init(&f, answer);
    f.config.timeout = 4 * US_PER_S;
    fixture_start(&f);
    expect(&f, cases, sizeof cases / sizeof *cases);
    fixture_end(&f);
}

static void an_endless_body_is_cut_and_said_so(void **state)
{
    struct fixture f;
    struct arrival *a;

    (void)state;
    fixture_init(&f, answer);
    fixture_start(&f);
    a = fixture_get(&f, "/endless-body");
    assert_int_equal(a->reply.error, FETCH_OK);
    assert_true(a->reply.truncated);
    assert_int_equal(a->reply.body.len, LIMIT_BODY);
    arrival_release(a);
    fixture_end(&f);
}

static void robots_txt_is_cut_at_its_own_ceiling(void **state)
{
    struct fixture f;
    struct arrival *a;
    struct request *r;

    (void)state;
    fixture_init(&f, answer);
    fixture_start(&f);
    r = fixture_request(&f, "site.test", "/robots.txt");
    r->kind = REQUEST_ROBOTS;
    a = fixture_ask(&f, r);
    assert_int_equal(a->reply.error, FETCH_OK);
    assert_true(a->reply.truncated);
    assert_int_equal(a->reply.body.len, LIMIT_ROBOTS);
    arrival_release(a);
    fixture_end(&f);
}

static bool wants_html(void *ctx, struct str type)
{
    (void)ctx;
    return str_starts(type, STR("text/html"));
}

static void bodies_nobody_reads_are_not_downloaded(void **state)
{
    struct fixture f;
    struct arrival *a;

    (void)state;
    fixture_init(&f, answer);
    f.config.wants_type = wants_html;
    fixture_start(&f);
    a = fixture_get(&f, "/image"); /* small: read and thrown away */
    assert_int_equal(a->reply.error, FETCH_OK);
    assert_true(a->reply.skipped && !a->reply.truncated);
    assert_int_equal(a->reply.body.len, 0);
    arrival_release(a);
    a = fixture_get(&f, "/fine"); /* so that the connection is kept */
    assert_false(a->reply.skipped);
    assert_int_equal(server_connections(f.server), 1);
    arrival_release(a);
    a = fixture_get(&f, "/film"); /* large: broken off */
    assert_int_equal(a->reply.error, FETCH_OK);
    assert_true(a->reply.skipped);
    assert_true(fetch_web.counts(f.fetch).bytes < MIB(3));
    arrival_release(a);
    fixture_end(&f);
}

static void bodies_are_counted_and_large_ones_given_up_where_all_are_too_large(void **state)
{
    struct usage usage = {.bodies_most = (int64_t)MIB(8)};
    struct fixture f;
    struct arrival *a;

    (void)state;
    fixture_init(&f, answer);
    f.config.usage = &usage;
    fixture_start(&f);
    a = fixture_get(&f, "/film");
    assert_int_equal(a->reply.error, FETCH_OK);
    assert_int_equal(a->reply.body.len, MIB(4));
    assert_in_range(usage_now(&usage, USAGE_BODIES), MIB(4), MIB(16));
    arrival_release(a);
    assert_int_equal(usage_now(&usage, USAGE_BODIES), 0);
    usage_add(&usage, USAGE_BODIES, (int64_t)MIB(9)); /* what others hold */
    a = fixture_get(&f, "/film");
    assert_int_equal(a->reply.error, FETCH_MEMORY);
    assert_int_equal(a->reply.body.len, 0);
    arrival_release(a);
    a = fixture_get(&f, "/fine"); /* small ones always fit */
    assert_int_equal(a->reply.error, FETCH_OK);
    arrival_release(a);
    assert_int_equal(usage_now(&usage, USAGE_BODIES), MIB(9));
    assert_in_range(atomic_load(&usage.peak[USAGE_BODIES]), MIB(9), MIB(24));
    fixture_end(&f);
}

static void silent_bodies_are_given_up_too_the_large_ones_only(void **state)
{
    struct usage usage = {.bodies_most = (int64_t)MIB(16)};
    struct arrival *a = NULL;
    struct fixture f;
    size_t cap;

    (void)state;
    (void)half_film(&cap);
    fixture_init(&f, answer);
    f.config.usage = &usage;
    f.config.timeout = 120 * US_PER_S;
    fixture_start(&f);
    assert_true(fetch_web.submit(f.fetch, fixture_request(&f, "test.test", "/half-body")));
    assert_true(fetch_web.submit(f.fetch, fixture_request(&f, "test.test", "/half-film")));
    while (usage_now(&usage, USAGE_BODIES) < (int64_t)cap)
        assert_int_equal(fetch_web.take(f.fetch, &a, 1, US_PER_MS), 0);
    usage_add(&usage, USAGE_BODIES, (int64_t)MIB(16)); /* what others hold */
    while (a == NULL)
        (void)fetch_web.take(f.fetch, &a, 1, US_PER_S);
    assert_int_equal(a->reply.error, FETCH_MEMORY);
    assert_int_equal(a->reply.body.len, 0);
    assert_true(str_ends(a->request->href, STR("/half-film")));
    arrival_release(a);
    assert_in_range(usage_now(&usage, USAGE_BODIES), MIB(16), MIB(17));
    assert_int_equal(fetch_web.counts(f.fetch).in_flight, 1); /* the small one may go on */
    fixture_end(&f);
}

static void the_pace_spreads_starts_and_waits_off_debts(void **state)
{
    struct rate p;

    (void)state;
    rate_init(&p, 0, 0);
    assert_int_equal(rate_wait(&p, 0), 0); /* no rate: never waits */
    rate_init(&p, 100000, 0);
    assert_int_equal(rate_wait(&p, 0), 0);
    rate_start(&p);
    assert_true(rate_wait(&p, 0) > 300000); /* 32 KiB expected, at 100 kB/s */
    rate_done(&p, 1000);                    /* it was smaller */
    assert_true(rate_wait(&p, 0) < 20000);
    rate_start(&p);
    rate_done(&p, 1000000); /* a large one: ten seconds of debt */
    assert_true(rate_wait(&p, 0) > 9 * US_PER_S);
    assert_int_equal(rate_wait(&p, 11 * US_PER_S), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(broken_answers_have_a_name),
        cmocka_unit_test(the_deadline_covers_every_stage),
        cmocka_unit_test(an_endless_body_is_cut_and_said_so),
        cmocka_unit_test(robots_txt_is_cut_at_its_own_ceiling),
        cmocka_unit_test(bodies_nobody_reads_are_not_downloaded),
        cmocka_unit_test(bodies_are_counted_and_large_ones_given_up_where_all_are_too_large),
        cmocka_unit_test(silent_bodies_are_given_up_too_the_large_ones_only),
        cmocka_unit_test(the_pace_spreads_starts_and_waits_off_debts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
