/* Hubs: what they are asked, what they may say, and what anybody else may not.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/limits.h"
#include "base/mem.h"
#include "base/os/clock.h"
#include "crawl/watch/push.h"

#include <openssl/hmac.h>
#include <stdio.h>
#include <stdlib.h>

#define FEED  "http://f.example/feed?a=1&b=2"
#define TOPIC "hub.topic=http%3A%2F%2Ff.example%2Ffeed%3Fa%3D1%26b%3D2"

static const struct hub hub = {STR("https://hub.example/"), STR(FEED), false};
static const struct hub cloud = {STR("http://cloud.example/please"), STR(FEED), true};

static struct push *p;
static char token[300], secret[300]; /* token: the whole address */
static int64_t now;

static int set_up(void **state)
{
    (void)state;
    now = US_PER_S;
    return push_new("https://w.example/hook/", NULL, false, &p) == ST_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    push_free(p);
    return 0;
}

static void field(struct str form, const char *name, char *ret)
{
    struct buf text = BUF_INIT(300);

    assert_true(push_field(form, str_of(name), &text));
    (void)snprintf(ret, 300, "%.*s", STR_ARG(buf_str(&text)));
    buf_free(&text);
}

/* The next request; false: none is due. */
static bool asks(void)
{
    struct buf where = BUF_INIT(1000), form = BUF_INIT(10000);
    bool asked = push_ask(p, now, &where, &form);

    if (asked && str_eq(buf_str(&where), hub.url)) {
        char text[300];

        field(buf_str(&form), "hub.mode", text);
        assert_string_equal(text, "subscribe");
        field(buf_str(&form), "hub.topic", text);
        assert_string_equal(text, FEED);
        field(buf_str(&form), "hub.callback", token);
        field(buf_str(&form), "hub.secret", secret);
        assert_true(strncmp(token, "https://w.example/hook/", 23) == 0);
        assert_int_equal(strlen(secret), 64);
    } else if (asked) {
        char text[300];

        field(buf_str(&form), "url1", text);
        assert_string_equal(text, FEED);
        field(buf_str(&form), "protocol", text);
        assert_string_equal(text, "https-post");
        field(buf_str(&form), "domain", text);
        assert_string_equal(text, "w.example");
        field(buf_str(&form), "path", token);
        assert_true(strncmp(token, "/hook/", 6) == 0);
    }
    buf_free(&where);
    buf_free(&form);
    return asked;
}

static char said[3000];

static unsigned get(const char *path, const char *query)
{
    struct push_request r = {.path = str_of(path), .query = str_of(query)};
    struct buf answer = BUF_INIT(3000);
    unsigned code = push_answer(p, &r, now, &answer);

    (void)snprintf(said, sizeof said, "%.*s", STR_ARG(buf_str(&answer)));
    buf_free(&answer);
    return code;
}

static unsigned post(const char *body, const char *signature)
{
    struct push_request r = {.is_post = true,
                             .path = str_of(token),
                             .body = str_of(body),
                             .signature = str_of(signature)};
    struct buf answer = BUF_INIT(3000);
    unsigned code = push_answer(p, &r, now, &answer);

    buf_free(&answer);
    return code;
}

static const char *sign(const char *name, const EVP_MD *how, const char *body)
{
    static char text[300];
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned len;
    int at = snprintf(text, sizeof text, "%s=", name);

    assert_non_null(HMAC(how, secret, (int)strlen(secret), (const unsigned char *)body,
                         strlen(body), digest, &len));
    for (unsigned i = 0; i < len; i++)
        at += snprintf(text + at, sizeof text - (size_t)at, "%02x", digest[i]);
    return text;
}

static bool takes(void)
{
    struct buf url = BUF_INIT(1000);
    bool taken = push_take(p, now, &url);

    if (taken)
        assert_str(buf_str(&url), FEED);
    buf_free(&url);
    return taken;
}

static void subscribe(void)
{
    push_want(p, STR(FEED), &hub, now);
    assert_true(asks());
    push_asked(p, 202, now);
    assert_int_equal(get(token, "hub.mode=subscribe&" TOPIC "&hub.challenge=x%2By&"
                                "hub.lease_seconds=1000"),
                     200);
    assert_string_equal(said, "x+y");
}

static void only_what_was_asked_for_is_confirmed_and_once(void **state)
{
    (void)state;
    assert_int_equal(get("/hook/00112233445566778899aabbccddeeff", "hub.mode=subscribe"), 410);
    push_want(p, STR(FEED), &hub, now);
    assert_true(asks());
    assert_int_equal(get(token, "hub.mode=subscribe&hub.topic=http://other/&hub.challenge=x"), 404);
    assert_int_equal(get(token, "hub.mode=unsubscribe&" TOPIC "&hub.challenge=x"), 404);
    assert_int_equal(get(token, "hub.mode=subscribe&" TOPIC), 404);
    assert_int_equal(push_counts(p).active, 0);
    assert_int_equal(get(token, "hub.mode=subscribe&" TOPIC "&hub.challenge=x"), 200);
    assert_int_equal(push_counts(p).active, 1);
    assert_int_equal(get(token, "hub.mode=subscribe&" TOPIC "&hub.challenge=x"), 404);
    assert_string_equal(said, "");
}

static void only_signed_messages_count(void **state)
{
    (void)state;
    subscribe();
    assert_int_equal(post("<feed/>", ""), 202);
    assert_int_equal(post("<feed/>", "sha256=00"), 202);
    assert_int_equal(post("<feed/>", "sha256="), 202);
    assert_int_equal(post("<feed>", sign("sha256", EVP_sha256(), "<feed/>")), 202);
    assert_int_equal(post("<feed/>", sign("sha1", EVP_sha256(), "<feed/>")), 202);
    assert_false(takes());
    assert_int_equal(push_counts(p).refused, 5);
    assert_int_equal(post("<feed/>", sign("sha256", EVP_sha256(), "<feed/>")), 202);
    assert_true(takes());
    now += PUSH_REST;
    assert_int_equal(post("<feed/>", sign("sha1", EVP_sha1(), "<feed/>")), 202);
    assert_true(takes());
    assert_int_equal(push_counts(p).told, 2);
}

static void a_feed_rests_between_two_looks(void **state)
{
    (void)state;
    subscribe();
    assert_int_equal(post("x", sign("sha512", EVP_sha512(), "x")), 202);
    assert_true(takes());
    assert_int_equal(post("x", sign("sha512", EVP_sha512(), "x")), 202);
    assert_false(takes());
    now += PUSH_REST;
    assert_true(takes());
    assert_false(takes());
}

static void a_lease_is_renewed_before_it_ends(void **state)
{
    (void)state;
    subscribe();
    now += 799 * US_PER_S;
    assert_false(asks());
    now += 2 * US_PER_S;
    assert_true(asks());
    assert_int_equal(push_counts(p).active, 1);
    now += 200 * US_PER_S; /* nobody confirmed */
    assert_false(asks());
    assert_int_equal(push_counts(p).active, 0);
    assert_int_equal(post("x", sign("sha1", EVP_sha1(), "x")), 202);
    assert_false(takes());
}

static void a_hub_that_fails_is_asked_less_and_less(void **state)
{
    int64_t waited[3];

    (void)state;
    push_want(p, STR(FEED), &hub, now);
    for (size_t i = 0; i < ARRAY_LEN(waited); i++) {
        int64_t from = now;

        while (!asks())
            now += US_PER_S;
        waited[i] = now - from;
        push_asked(p, i == 1 ? 0 : 500, now);
    }
    assert_int_equal(waited[0], 0);
    assert_true(waited[1] >= 60 * US_PER_S);
    assert_true(waited[2] > 2 * waited[1]);
    assert_int_equal(get(token, "hub.mode=denied&" TOPIC), 200);
    now += 3600 * US_PER_S;
    assert_false(asks());
}

static void a_cloud_is_asked_and_heard(void **state)
{
    (void)state;
    push_want(p, STR(FEED), &cloud, now);
    assert_true(asks());
    assert_int_equal(get(token, "url=http%3A%2F%2Fother%2F&challenge=abc"), 404);
    assert_int_equal(get(token, "url=http%3A%2F%2Ff.example%2Ffeed%3Fa%3D1%26b%3D2&challenge=abc"),
                     200);
    assert_string_equal(said, "abc");
    push_asked(p, 200, now);
    assert_int_equal(post("url=http%3A%2F%2Fother%2F", ""), 202);
    assert_false(takes());
    assert_int_equal(post("url=http%3A%2F%2Ff.example%2Ffeed%3Fa%3D1%26b%3D2", ""), 202);
    assert_true(takes());
    now += INT64_C(24) * 3600 * US_PER_S;
    assert_true(asks());
}

static void subscriptions_have_a_ceiling(void **state)
{
    char feed[100];

    (void)state;
    for (int i = 0; i < LIMIT_PUSH_TOPICS + 10; i++) {
        (void)snprintf(feed, sizeof feed, "http://f.example/%d", i);
        push_want(p, str_of(feed), &hub, now);
    }
    assert_int_equal(push_counts(p).topics, LIMIT_PUSH_TOPICS);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(only_what_was_asked_for_is_confirmed_and_once),
        TEST(only_signed_messages_count),
        TEST(a_feed_rests_between_two_looks),
        TEST(a_lease_is_renewed_before_it_ends),
        TEST(a_hub_that_fails_is_asked_less_and_less),
        TEST(a_cloud_is_asked_and_heard),
        TEST(subscriptions_have_a_ceiling),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
