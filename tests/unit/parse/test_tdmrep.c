/* test_tdmrep.c - which pages of a host may not be mined. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "base/limits.h"
#include "parse/tdmrep.h"

#include <stdlib.h>

static void assert_says(const char *json, const char *path, const char *wanted)
{
    struct buf rules = BUF_INIT(MIB(1)), out = BUF_INIT(KIB(4));

    tdmrep_read(str_of(json), &rules);
    tdmrep_say(buf_str(&rules), str_of(path), &out);
    assert_str(buf_str(&out), wanted);
    buf_free(&rules);
    buf_free(&out);
}

static const char example[] =
    "[{\"location\": \"/\", \"tdm-reservation\": 0},"
    " {\"location\": \"/news/*\", \"tdm-reservation\": 1, \"tdm-policy\": \"https://a.test/p\"},"
    " {\"location\": \"/*.png$\", \"tdm-reservation\": 1},"
    " {\"location\": \"/news/free\", \"tdm-reservation\": 0}]";

static void the_longest_location_decides(void **state UNUSED)
{
    assert_says(example, "/", "tdm-reservation=0");
    assert_says(example, "/news/today?x=1", "tdm-reservation=1, tdm-policy=https://a.test/p");
    assert_says(example, "/news/free/a", "tdm-reservation=0");
    assert_says(example, "/a/b.png", "tdm-reservation=1");
    assert_says(example, "/a/b.png?x", "tdm-reservation=0");
}

static void what_is_not_named_is_not_spoken_of(void **state UNUSED)
{
    assert_says("[{\"location\": \"/a\", \"tdm-reservation\": 1}]", "/b", "");
    assert_says("[{\"location\": \"*\", \"tdm-reservation\": 1}]", "/b", "tdm-reservation=1");
    assert_says("[{\"location\": \"/a\", \"tdm-reservation\": \"1\"}]", "/a", "tdm-reservation=1");
}

static void other_files_say_nothing(void **state UNUSED)
{
    assert_says("", "/", "");
    assert_says("{}", "/", "");
    assert_says("[1, null, {}, {\"location\": 3}, {\"tdm-reservation\": 1}]", "/", "");
    assert_says("[{\"location\": \"/a\\nDisallow: /\", \"tdm-reservation\": 1}]", "/", "");
    assert_says("[{\"location\": \"/ # x\", \"tdm-reservation\": 1}]", "/", "");
    assert_says("[{\"location\": \"/\", \"tdm-reservation\": 1, \"tdm-policy\": \"a, b\"}]", "/",
                "tdm-reservation=1");
    assert_says("<html>", "/", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_longest_location_decides),
        cmocka_unit_test(what_is_not_named_is_not_spoken_of),
        cmocka_unit_test(other_files_say_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
