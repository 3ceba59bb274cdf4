/* Whose directory it is, also after an update of brood. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "../store/made.h"

#include "crawl/start/trust.h"
#include "store/read/query.h"

#include <stdio.h>
#include <stdlib.h>

/* A crawl that was signed with the one option that its brood knew; `more`, or NULL, is the value
 * of an option that somebody added. */
static enum status check(const char *name, const char *more)
{
    struct buf what = BUF_INIT(1000), signature = BUF_INIT(100);
    struct query *q = NULL;
    struct store *s;
    char dir[200];
    enum status st;

    (void)snprintf(dir, sizeof dir, "%s/%s", test_dir(), name);
    s = made_store(dir);
    trust_add(&what, "delay", STR("0s"));
    trust_sign(dir, buf_str(&what), &signature);
    assert_true(signature.len > 0);
    made_key(s, "option.delay", "0s");
    made_key(s, TRUST_KEY, signature.data);
    if (more)
        made_key(s, "option.hosts", more);
    made_checkpoint(s, 0);
    made_close(s);
    assert_int_equal(query_open(dir, &q), ST_OK);
    st = trust_check(dir, q, NULL);
    query_close(q);
    buf_free(&what);
    buf_free(&signature);
    return st;
}

static void a_crawl_of_a_brood_that_knew_fewer_options_is_the_users_own(void **state UNUSED)
{
    assert_int_equal(setenv("XDG_STATE_HOME", test_dir(), 1), 0);
    assert_int_equal(check("older", NULL), ST_OK);
    assert_int_equal(check("changed", "*.test delay=0s"), ST_USAGE);
    assert_int_equal(check("emptied", ""), ST_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crawl_of_a_brood_that_knew_fewer_options_is_the_users_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
