/* Names to addresses, asked of a DNS server inside the test.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/mem.h"
#include "fetch/dns.h"
#include "fetch/guard.h"

#include <arpa/inet.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

/* ---- the server ------------------------------------------------------------ */

#define TYPE_A    1
#define TYPE_AAAA 28

/* What the server knows. A name without a line does not exist. */
static const struct {
    const char *name;
    int type;
    const char *address; /* NULL: never answered */
} zone[] = {
    {"both.test", TYPE_A, "93.184.215.14"},           {"both.test", TYPE_AAAA, "2606:2800::1"},
    {"six.test", TYPE_AAAA, "2606:2800::6"},          {"several.test", TYPE_A, "10.0.0.1"},
    {"several.test", TYPE_A, "93.184.215.15"},        {"rebind.test", TYPE_A, "127.0.0.1"},
    {"rebind.test", TYPE_AAAA, "::ffff:192.168.1.1"}, {"half.test", TYPE_A, "169.254.169.254"},
    {"half.test", TYPE_AAAA, "2606:2800::7"},         {"silent.test", TYPE_A, NULL},
};

struct server {
    int fd;
    uint16_t port;
    pthread_t thread;
    atomic_bool stopping;
};

/* The dotted name of a question; returns the bytes it takes. */
static size_t name_read(const uint8_t *at, const uint8_t *end, char *ret, size_t room)
{
    const uint8_t *from = at;
    size_t n = 0;

    while (at < end && *at != 0) {
        size_t len = *at++;

        if (len > 63 || at + len >= end || n + len + 2 > room)
            break;
        if (n > 0)
            ret[n++] = '.';
        memcpy(ret + n, at, len);
        n += len;
        at += len;
    }
    ret[n] = '\0';
    return (size_t)(at - from) + 1;
}

static void record_add(struct buf *out, int type, const char *address)
{
    uint8_t bytes[16];
    size_t len = type == TYPE_A ? 4 : 16;

    inet_pton(type == TYPE_A ? AF_INET : AF_INET6, address, bytes);
    buf_add(out, "\xc0\x0c\0", 3); /* the name of the question */
    buf_add_char(out, (char)type);
    buf_add(out, "\0\1\0\0\0\x3c\0", 7); /* class IN, 60 s */
    buf_add_char(out, (char)len);
    buf_add(out, bytes, len);
}

/* False: say nothing. */
static bool reply_make(const uint8_t *query, size_t len, struct buf *out)
{
    char name[256];
    size_t used = name_read(query + 12, query + len, name, sizeof name);
    int type = query[12 + used + 1];
    bool exists = false;
    char count = 0;

    buf_add(out, query, 12 + used + 4);
    for (size_t i = 0; i < ARRAY_LEN(zone); i++) {
        if (strcasecmp(zone[i].name, name) != 0)
            continue;
        exists = true;
        if (zone[i].address == NULL)
            return false;
        if (zone[i].type == type) {
            record_add(out, type, zone[i].address);
            count++;
        }
    }
    memcpy(out->data + 2, exists ? "\x85\x80" : "\x85\x83", 2); /* NOERROR, NXDOMAIN */
    memcpy(out->data + 4, "\0\1\0\0\0\0\0\0", 8);
    out->data[7] = count;
    return true;
}

static void *server_main(void *ctx)
{
    struct server *s = ctx;
    struct pollfd p = {.fd = s->fd, .events = POLLIN};

    while (!atomic_load(&s->stopping)) {
        struct buf out = BUF_INIT(4096);
        struct sockaddr_in from;
        socklen_t from_len = sizeof from;
        uint8_t query[512];
        ssize_t n;

        if (poll(&p, 1, 20) <= 0)
            continue;
        n = recvfrom(s->fd, query, sizeof query, 0, (struct sockaddr *)&from, &from_len);
        if (n > 16 && reply_make(query, (size_t)n, &out))
            (void)sendto(s->fd, out.data, out.len, 0, (struct sockaddr *)&from, from_len);
        buf_free(&out);
    }
    return NULL;
}

static void server_begin(struct server *s)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof at;

    *s = (struct server){.fd = socket(AF_INET, SOCK_DGRAM, 0)};
    assert_int_equal(bind(s->fd, (struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(getsockname(s->fd, (struct sockaddr *)&at, &len), 0);
    s->port = ntohs(at.sin_port);
    pthread_create(&s->thread, NULL, server_main, s);
}

static void server_end(struct server *s)
{
    atomic_store(&s->stopping, true);
    pthread_join(s->thread, NULL);
    close(s->fd);
}

/* ---- asking ---------------------------------------------------------------- */

struct fixture {
    struct server server;
    uv_loop_t uv;
    struct resolve_rules *rules;
    struct dns *dns;
};

struct result {
    bool came;
    enum fetch_error error;
    char address[46];
    uint16_t port;
};

static void on_answer(void *ctx, void *what, const struct dns_answer *answer)
{
    struct result *r = what;

    (void)ctx;
    assert_false(r->came);
    r->came = true;
    r->error = answer->error;
    r->port = answer->port;
    address_show(&answer->address, r->address);
    if (answer->error != FETCH_OK)
        assert_non_null(answer->text);
}

static void fixture_begin(struct fixture *f, bool allow_private)
{
    char servers[64];
    struct dns_config config = {
        .uv = &f->uv, .allow_private = allow_private, .servers = servers, .fn = on_answer};

    server_begin(&f->server);
    (void)snprintf(servers, sizeof servers, "127.0.0.1:%u", (unsigned)f->server.port);
    assert_int_equal(uv_loop_init(&f->uv), 0);
    assert_int_equal(resolve_rules_new(NULL, &f->rules), ST_OK);
    config.rules = f->rules;
    assert_int_equal(dns_new(&config, &f->dns), ST_OK);
}

static void fixture_end(struct fixture *f)
{
    dns_close(f->dns);
    uv_run(&f->uv, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&f->uv), 0);
    dns_free(f->dns);
    resolve_rules_free(f->rules);
    server_end(&f->server);
}

static struct result ask(struct fixture *f, const char *host)
{
    struct result r = {0};

    dns_ask(f->dns, str_of(host), 80, &r);
    while (!r.came)
        uv_run(&f->uv, UV_RUN_ONCE);
    return r;
}

static void expect(struct fixture *f, const char *host, enum fetch_error error, const char *address)
{
    struct result r = ask(f, host);

    assert_int_equal(r.error, error);
    assert_string_equal(r.address, address);
    assert_int_equal(r.port, error == FETCH_OK ? 80 : 0);
}

/* ---- tests ----------------------------------------------------------------- */

static void ipv4_is_preferred_and_ipv6_is_enough(void **state)
{
    struct fixture f;

    (void)state;
    fixture_begin(&f, false);
    expect(&f, "both.test", FETCH_OK, "93.184.215.14");
    expect(&f, "BOTH.test", FETCH_OK, "93.184.215.14");
    expect(&f, "six.test", FETCH_OK, "2606:2800::6");
    fixture_end(&f);
}

static void answers_that_lead_inside_are_refused(void **state)
{
    struct fixture f;

    (void)state;
    fixture_begin(&f, false);
    expect(&f, "rebind.test", FETCH_REFUSED, "");
    expect(&f, "several.test", FETCH_OK, "93.184.215.15"); /* the public one of two */
    expect(&f, "half.test", FETCH_OK, "2606:2800::7");
    fixture_end(&f);
    fixture_begin(&f, true);
    expect(&f, "rebind.test", FETCH_OK, "127.0.0.1");
    fixture_end(&f);
}

static void a_name_without_an_address_is_said_so(void **state)
{
    struct fixture f;

    (void)state;
    fixture_begin(&f, false);
    expect(&f, "nowhere.test", FETCH_RESOLVE, "");
    expect(&f, "0x7f.0.0.1", FETCH_RESOLVE, "");
    expect(&f, "bad..name", FETCH_RESOLVE, "");
    fixture_end(&f);
}

static void many_questions_are_open_at_once(void **state)
{
    struct result results[100] = {0};
    struct fixture f;
    size_t came = 0;

    (void)state;
    fixture_begin(&f, false);
    for (size_t i = 0; i < ARRAY_LEN(results); i++)
        dns_ask(f.dns, i % 2 ? STR("both.test") : STR("nowhere.test"), 443, &results[i]);
    while (came < ARRAY_LEN(results)) {
        uv_run(&f.uv, UV_RUN_ONCE);
        for (came = 0; came < ARRAY_LEN(results) && results[came].came;)
            came++;
    }
    for (size_t i = 0; i < ARRAY_LEN(results); i++)
        assert_int_equal(results[i].error, i % 2 ? FETCH_OK : FETCH_RESOLVE);
    fixture_end(&f);
}

static void closing_answers_what_is_open(void **state)
{
    struct result r = {0};
    struct fixture f;

    (void)state;
    fixture_begin(&f, false);
    dns_ask(f.dns, STR("silent.test"), 80, &r);
    uv_run(&f.uv, UV_RUN_NOWAIT);
    assert_false(r.came);
    fixture_end(&f);
    assert_true(r.came);
    assert_int_equal(r.error, FETCH_CANCELLED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ipv4_is_preferred_and_ipv6_is_enough),
        cmocka_unit_test(answers_that_lead_inside_are_refused),
        cmocka_unit_test(a_name_without_an_address_is_said_so),
        cmocka_unit_test(many_questions_are_open_at_once),
        cmocka_unit_test(closing_answers_what_is_open),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
