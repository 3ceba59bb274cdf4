/* test_children.c - what crawls that were started from the form said.
 * SPDX-License-Identifier: MIT */
#include "dash/children.h"
#include "support/support.h"

#include "base/os/file.h"

/* What is said of DIR where DIR.log has this text. */
static void assert_said(const char *log, const char *wanted)
{
    struct buf path = BUF_INIT(4096), said = BUF_INIT(8192);
    const char *dir = test_dir();

    buf_addf(&path, "%s/one.log", dir);
    assert_int_equal(file_write(path.data, str_of(log)), ST_OK);
    buf_clear(&path);
    buf_addf(&path, "%s/one", dir);
    children_said(path.data, &said);
    assert_string_equal(said.len ? said.data : "", wanted);
    buf_free(&path);
    buf_free(&said);
}

static void what_an_earlier_run_said_is_not_said_again(void **state)
{
    (void)state;
    assert_said("==== 2026-11-15T08:00:00Z\nbrood: an old trouble\n"
                "==== 2026-11-15T09:00:00Z\nbrood: a new one\nand more\n",
                "a new one\nand more");
    assert_said("brood: an old trouble\n==== 2026-11-15T09:00:00Z\n", "");
    assert_said("brood: from before there were lines between runs\n",
                "from before there were lines between runs");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_an_earlier_run_said_is_not_said_again),
    };

    return cmocka_run_group_tests_name("dash children", tests, NULL, NULL);
}
