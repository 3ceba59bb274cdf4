/* test_manual.c - docs/api.md is what the table of routes says.
 * SPDX-License-Identifier: MIT */
#include "dash/call.h"
#include "dash/dash.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>

static void the_document_is_current(void **state)
{
    struct buf now = BUF_INIT(1 << 20), kept = BUF_INIT(1 << 20);
    char path[4096];

    (void)state;
    (void)snprintf(path, sizeof path, "%s/docs/api.md", getenv("BROOD_SOURCE"));
    test_read(path, &kept);
    dash_manual(&now);
    if (!str_eq(buf_str(&now), buf_str(&kept)))
        fail_msg("docs/api.md is old: brood manual --api > docs/api.md");
    buf_free(&now);
    buf_free(&kept);
}

/* What changes something is a POST below /api; everything says what it is. */
static void every_route_is_told(void **state)
{
    (void)state;
    for (const struct route *const *list = route_lists; *list; list++)
        for (const struct route *r = *list; r->path; r++) {
            assert_non_null(r->summary);
            assert_non_null(r->fn);
            assert_int_equal(r->path[0], '/');
            assert_true((r->params == NULL) == (r->params_size == 0));
            if (strcmp(r->method, "GET") != 0) {
                assert_string_equal(r->method, "POST");
                assert_true(str_starts(str_of(r->path), STR("/api/")));
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_document_is_current),
        cmocka_unit_test(every_route_is_told),
    };

    return cmocka_run_group_tests_name("dash manual", tests, NULL, NULL);
}
