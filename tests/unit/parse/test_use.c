/* test_use.c - what the owner of a page wishes for its use. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/limits.h"
#include "flow.h"
#include "parse/robots/robots.h"
#include "parse/use.h"

#include <stdio.h>
#include <stdlib.h>

static void assert_robots(const char *file, const char *said)
{
    struct buf out = BUF_INIT(KIB(4));

    robots_wishes(str_of(file), STR("brood"), &out);
    assert_str(buf_str(&out), said);
    buf_free(&out);
}

static void signals_of_our_group_count(void **state UNUSED)
{
    assert_robots(
        "User-Agent: *\nContent-Signal: ai-train=no, search=yes, ai-input=yes\nAllow: /\n",
        "ai-train=no, search=yes, ai-input=yes");
    assert_robots("User-agent: *\ncontent-signal:search=NO\nUser-agent: x\n", "search=no");
    assert_robots("User-agent: other\nContent-Signal: search=no\n", "");
    assert_robots("User-agent: *\nContent-Signal: search=no\nDisallow: /x\n\n"
                  "User-agent: brood\nContent-Signal: search=yes\n",
                  "search=yes");
    assert_robots("User-agent: *\nContent-Signal: search=no\nDisallow: /x\n\n"
                  "User-agent: brood\nDisallow: /y\n",
                  "");
    assert_robots("Content-Signal: ai-train=no\nUser-agent: x\nDisallow: /\n", "ai-train=no");
    assert_robots("User-agent: *\nContent-Usage: train-ai=n, search=y\n",
                  "ai-train=no, search=yes");
}

static void a_licence_is_for_everybody(void **state UNUSED)
{
    assert_robots("License: https://example.org/l.xml\nUser-agent: x\nDisallow: /\n",
                  "license=https://example.org/l.xml");
    assert_robots("User-agent: x\nDisallow: /\nLicense: https://a.example/1\nLicense: "
                  "https://a.example/2\n",
                  "license=https://a.example/1, license=https://a.example/2");
}

static void what_makes_no_sense_is_left_out(void **state UNUSED)
{
    assert_robots("", "");
    assert_robots("User-agent: *\nContent-Signal: search, =no, ai-train=perhaps, x=no\n", "");
    assert_robots("License: http://a.example/a b\nLicense: x,y\nLicense:\n", "");
    assert_robots("User-agent: *\nContent-Signal: search=no\nContent-Signal: search=no\n",
                  "search=no");
}

static void the_list_has_a_ceiling(void **state UNUSED)
{
    struct buf out = BUF_INIT(KIB(4));
    char url[64];

    for (int i = 0; i < 1000; i++) {
        (void)snprintf(url, sizeof url, "https://example.org/licence/%d", i);
        use_add_license(&out, str_of(url));
    }
    assert_true(out.len > LIMIT_USE / 2 && out.len <= LIMIT_USE);
    buf_free(&out);
}

static void tags_and_reservations_are_told(void **state UNUSED)
{
    struct buf out = BUF_INIT(KIB(4));

    use_add_tags(&out, robots_tag(STR("noindex, noai, noimageai"), STR("brood")));
    use_add_tags(&out, robots_tag(STR("otherbot: noai"), STR("brood")));
    use_add_tdm(&out, STR("tdm-reservation"), STR(" 1 "));
    use_add_tdm(&out, STR("tdm-reservation"), STR("true"));
    use_add_tdm(&out, STR("TDM-Policy"), STR("https://example.org/p.json"));
    assert_str(buf_str(&out),
               "noai, noimageai, tdm-reservation=1, tdm-policy=https://example.org/p.json");
    assert_int_equal(robots_tag(STR("otherbot: noai"), STR("brood")), 0);
    buf_free(&out);
}

static void reserved_is_what_an_owner_said_no_to(void **state UNUSED)
{
    assert_false(use_reserves(STR(""), USE_AI_TRAIN));
    assert_true(use_reserves(STR("search=yes, ai-train=no"), USE_AI_TRAIN));
    assert_false(use_reserves(STR("search=yes, ai-train=no"), USE_SEARCH));
    assert_false(use_reserves(STR("search=yes, ai-train=no"), USE_AI_INPUT));
    assert_true(use_reserves(STR("noai"), USE_AI_INPUT));
    assert_true(use_reserves(STR("tdm-reservation=1"), USE_AI_TRAIN));
    assert_false(use_reserves(STR("tdm-reservation=0, noimageai"), USE_AI_TRAIN));
    assert_true(use_reserves(STR("ai-train=yes, noai"), USE_AI_TRAIN)); /* one no is enough */
    assert_false(use_reserves(STR("license=search=no"), USE_SEARCH));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signals_of_our_group_count),
        cmocka_unit_test(a_licence_is_for_everybody),
        cmocka_unit_test(what_makes_no_sense_is_left_out),
        cmocka_unit_test(the_list_has_a_ceiling),
        cmocka_unit_test(tags_and_reservations_are_told),
        cmocka_unit_test(reserved_is_what_an_owner_said_no_to),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
