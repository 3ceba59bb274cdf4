/* The egress guard, from tests/data/guard.tsv. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "fetch/guard.h"

#include <stdlib.h>

#include <arpa/inet.h>
#include <netinet/in.h>

static const char *verdict(struct str text)
{
    struct address a;
    const char *why;

    if (!address_parse(text, &a))
        return "not-an-address";
    why = guard_refuses(&a);
    return why ? why : "public";
}

static void every_address_of_the_table_is_judged_as_it_says(void **state)
{
    struct buf table = BUF_INIT(1 << 20);
    struct str rest, line, text;
    unsigned count = 0;

    (void)state;
    test_read(test_file("guard.tsv"), &table);
    rest = buf_str(&table);
    while (str_cut(&rest, '\n', &line)) {
        if (line.len == 0 || line.ptr[0] == '#')
            continue;
        assert_true(str_cut(&line, '\t', &text));
        if (!str_eq(line, str_of(verdict(text))))
            print_error("%.*s: %s\n", STR_ARG(text), verdict(text));
        assert_str(line, verdict(text));
        count++;
    }
    assert_true(count >= 200);
    buf_free(&table);
}

static void allow_private_lets_every_address_through(void **state)
{
    struct buf table = BUF_INIT(1 << 20);
    struct str rest, line, text;
    unsigned lifted = 0;

    (void)state;
    test_read(test_file("guard.tsv"), &table);
    rest = buf_str(&table);
    while (str_cut(&rest, '\n', &line)) {
        struct address a;

        if (line.len == 0 || line.ptr[0] == '#' || !str_cut(&line, '\t', &text) ||
            !address_parse(text, &a))
            continue;
        assert_null(guard_judge(&a, true, false));
        lifted += guard_judge(&a, false, false) != NULL;
    }
    assert_true(lifted >= 150);
    buf_free(&table);
}

static void a_host_without_an_address_is_judged_by_its_name(void **state)
{
    static const char *const refused[] = {"127.0.0.1",
                                          "[::1]",
                                          "[::ffff:10.0.0.1]",
                                          "localhost",
                                          "LocalHost",
                                          "a.b.localhost.",
                                          "localhost.localdomain",
                                          "ip6-loopback",
                                          "printer.local",
                                          "metadata.google.internal",
                                          "foo.localhost..",
                                          "localhost6.localdomain6",
                                          "router.lan",
                                          "metadata",
                                          "redis."};
    static const char *const open[] = {"example.org",           "93.184.216.34",
                                       "[2606:4700::1]",        "notlocalhost.org",
                                       "localhost.example.org", "local.net"};

    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        assert_non_null(guard_judge_host(str_of(refused[i]), false, false));
        assert_null(guard_judge_host(str_of(refused[i]), true, true));
    }
    for (size_t i = 0; i < sizeof open / sizeof *open; i++) {
        assert_null(guard_judge_host(str_of(open[i]), false, false));
        assert_non_null(guard_judge_host(str_of(open[i]), true, true));
    }
}

static void no_address_is_refused(void **state)
{
    struct address none = {0};

    (void)state;
    assert_non_null(guard_refuses(&none));
}

static void text_and_binary_agree(void **state)
{
    static const char *const texts[] = {"1.2.3.4", "2606:4700::1", "::ffff:1.2.3.4", "::"};
    char shown[46];

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct address a;

        assert_true(address_parse(str_of(texts[i]), &a));
        assert_string_equal(address_show(&a, shown), texts[i]);
    }
    assert_string_equal(address_show(&(struct address){0}, shown), "");
}

static void sockets_tell_their_address(void **state)
{
    struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0x01020304)};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    struct sockaddr other = {.sa_family = AF_UNIX};
    struct address a = address_of_sockaddr((struct sockaddr *)&v4);
    char shown[46];

    (void)state;
    assert_string_equal(address_show(&a, shown), "1.2.3.4");
    a = address_of_sockaddr((struct sockaddr *)&v6);
    assert_string_equal(address_show(&a, shown), "::1");
    assert_int_equal(address_of_sockaddr(&other).family, 0);
}

static void text_that_holds_a_nul_or_is_too_long_is_no_address(void **state)
{
    struct address a;

    (void)state;
    assert_false(address_parse(STR("1.2.3.4\0"), &a));
    assert_false(address_parse(STR(""), &a));
    assert_false(address_parse(STR("0000:0000:0000:0000:0000:0000:0000:0000:0000:0000:0000"), &a));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_address_of_the_table_is_judged_as_it_says),
        cmocka_unit_test(allow_private_lets_every_address_through),
        cmocka_unit_test(a_host_without_an_address_is_judged_by_its_name),
        cmocka_unit_test(no_address_is_refused),
        cmocka_unit_test(text_and_binary_agree),
        cmocka_unit_test(sockets_tell_their_address),
        cmocka_unit_test(text_that_holds_a_nul_or_is_too_long_is_no_address),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
