/* --resolve HOST:PORT:ADDR[/BITS][:PORT]. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "fetch/guard.h"

#include <stdlib.h>
#include "fetch/dns.h"

#include <stdio.h>

static struct resolve_rules *rules_of(const char *a, const char *b)
{
    const char *const texts[] = {a, b, NULL};
    struct resolve_rules *rules = NULL;

    assert_int_equal(resolve_rules_new(texts, &rules), ST_OK);
    return rules;
}

static void a_rule_sends_a_host_elsewhere(void **state)
{
    static const struct {
        const char *rule, *host;
        uint16_t port;
        const char *address; /* NULL: the rule does not fit */
        uint16_t connect_port;
    } cases[] = {
        {"a.test:80:1.2.3.4", "a.test", 80, "1.2.3.4", 80},
        {"a.test:80:1.2.3.4", "A.TEST", 80, "1.2.3.4", 80},
        {"a.test:80:1.2.3.4", "b.test", 80, NULL, 0},
        {"a.test:80:1.2.3.4", "a.test", 81, NULL, 0},
        {"*:80:1.2.3.4:8080", "any.test", 80, "1.2.3.4", 8080},
        {"*:443:[::1]:8443", "any.test", 443, "::1", 8443},
        {"a.test:80:[2001:db8::7]", "a.test", 80, "2001:db8::7", 80},
        {"*:80:1.2.3.4/32:81", "a.test", 80, "1.2.3.4", 81},
        {"[::1]:80:1.2.3.4", "::1", 80, "1.2.3.4", 80},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct resolve_rules *rules = rules_of(cases[i].rule, NULL);
        struct address a;
        uint16_t port;
        char text[46];
        bool fits = resolve_rules_find(rules, str_of(cases[i].host), cases[i].port, &a, &port);

        assert_int_equal(fits, cases[i].address != NULL);
        if (fits) {
            assert_string_equal(address_show(&a, text), cases[i].address);
            assert_int_equal(port, cases[i].connect_port);
        }
        resolve_rules_free(rules);
    }
}

static void a_prefix_gives_each_host_its_own_address(void **state)
{
    struct resolve_rules *rules = rules_of("*:80:127.0.0.0/8:9000", NULL);
    struct address first, again, other;
    uint16_t port;
    unsigned distinct = 0;

    (void)state;
    assert_true(resolve_rules_find(rules, STR("a.test"), 80, &first, &port));
    assert_true(resolve_rules_find(rules, STR("A.test"), 80, &again, &port));
    assert_memory_equal(&first, &again, sizeof first); /* the same, always */
    for (int i = 0; i < 200; i++) {
        char host[32];

        (void)snprintf(host, sizeof host, "h%d.test", i);
        assert_true(resolve_rules_find(rules, str_of(host), 80, &other, &port));
        assert_int_equal(other.bytes[0], 127);
        assert_int_equal(port, 9000);
        distinct += memcmp(&first, &other, sizeof first) != 0;
    }
    assert_int_equal(distinct, 200);
    resolve_rules_free(rules);
}

static void every_length_of_prefix_keeps_its_bits(void **state)
{
    (void)state;
    for (unsigned bits = 0; bits <= 128; bits++) {
        char text[80];
        struct resolve_rules *rules;
        struct address a;
        uint16_t port;

        (void)snprintf(text, sizeof text, "*:80:[ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff]/%u",
                       bits);
        rules = rules_of(text, NULL);
        assert_true(resolve_rules_find(rules, STR("host.test"), 80, &a, &port));
        for (unsigned i = 0; i < bits; i++)
            assert_true(a.bytes[i / 8] >> (7 - i % 8) & 1);
        resolve_rules_free(rules);
    }
}

static void small_prefixes_spare_their_first_and_last_address(void **state)
{
    struct resolve_rules *rules = rules_of("*:80:10.0.0.0/29", NULL);

    (void)state;
    for (int i = 0; i < 100; i++) {
        struct address a;
        uint16_t port;
        char host[32];

        (void)snprintf(host, sizeof host, "h%d", i);
        assert_true(resolve_rules_find(rules, str_of(host), 80, &a, &port));
        assert_in_range(a.bytes[3], 1, 6);
    }
    resolve_rules_free(rules);
}

static void the_first_rule_that_fits_decides(void **state)
{
    struct resolve_rules *rules = rules_of("a.test:80:1.1.1.1", "*:80:2.2.2.2");
    struct address a;
    uint16_t port;

    (void)state;
    assert_true(resolve_rules_find(rules, STR("a.test"), 80, &a, &port));
    assert_int_equal(a.bytes[0], 1);
    assert_true(resolve_rules_find(rules, STR("b.test"), 80, &a, &port));
    assert_int_equal(a.bytes[0], 2);
    resolve_rules_free(rules);
    assert_int_equal(resolve_rules_new(NULL, &rules), ST_OK);
    assert_false(resolve_rules_find(rules, STR("a.test"), 80, &a, &port));
    resolve_rules_free(rules);
}

static void nonsense_is_refused_with_a_sentence(void **state)
{
    static const char *const bad[] = {
        "",
        "a.test",
        "a.test:80",
        "a.test:80:",
        ":80:1.2.3.4",
        "a.test::1.2.3.4",
        "a.test:0:1.2.3.4",
        "a.test:65536:1.2.3.4",
        "a.test:http:1.2.3.4",
        "a.test:80:1.2.3",
        "a.test:80:b.test",
        "a.test:80:1.2.3.4/33",
        "a.test:80:1.2.3.4/",
        "a.test:80:1.2.3.4/x",
        "a.test:80:[::1]/129",
        "a.test:80:[::1",
        "a.test:80:::1",
        "a.test:80:1.2.3.4:",
        "a.test:80:1.2.3.4:0",
        "a.test:80:1.2.3.4:80:80",
        "a.test:80:1.2.3.4 ",
        "[::1:80:1.2.3.4",
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *const texts[] = {"*:80:1.1.1.1", bad[i], NULL};
        struct resolve_rules *rules = NULL;

        assert_int_equal(resolve_rules_new(texts, &rules), ST_USAGE);
        assert_null(rules);
        assert_true(strlen(status_text()) > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rule_sends_a_host_elsewhere),
        cmocka_unit_test(a_prefix_gives_each_host_its_own_address),
        cmocka_unit_test(every_length_of_prefix_keeps_its_bits),
        cmocka_unit_test(small_prefixes_spare_their_first_and_last_address),
        cmocka_unit_test(the_first_rule_that_fits_decides),
        cmocka_unit_test(nonsense_is_refused_with_a_sentence),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
