/* test_links.c - the links of a page as one row, read by us and by SQLite alone.
 * SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "made.h"
#include "store/links.h"
#include "store/read/query.h"

#include <math.h>

static void scores_are_read_as_they_were_written(void **state)
{
    static const float scores[] = {0,        1,       -1,    0.5F,   0.333333F, 1e-7F, -2e-9F,
                                   999.999F, 123456., 1e20F, 0.001F, -0.25F,    NAN,   INFINITY};
    struct buf out = BUF_INIT(4096);

    (void)state;
    for (size_t i = 0; i < sizeof scores / sizeof *scores; i++) {
        struct link link = {.anchor = {0, 0}};
        struct link_mark mark = {.url = 7, .score = scores[i]};
        struct page page = {.links = &link, .nlinks = 1};
        struct links_item item;
        size_t at = 0;
        bool bad;

        buf_clear(&out);
        links_write(&page, &mark, true, &out);
        assert_true(links_next(buf_str(&out), &at, &item, &bad));
        assert_int_equal(item.url, 7);
        if (isfinite(scores[i]))
            assert_true(fabs(item.score - (double)scores[i]) <=
                        1e-6 * fmax(1, fabs((double)scores[i])));
        else
            assert_true(isnan(item.score));
        assert_false(links_next(buf_str(&out), &at, &item, &bad));
        assert_false(bad);
    }
    buf_free(&out);
}

static enum status on_link(void *ctx, const struct query_link *link)
{
    buf_addf(ctx, "%u>%u %.*s %.3g at %u; ", link->from_page, link->to, STR_ARG(link->anchor),
             isnan(link->score) ? -1 : link->score, link->pos);
    return ST_OK;
}

/* Links that have no number (drops) are not kept; anchors come from the text. */
static void links_are_found_by_page_and_by_target(void **state)
{
    const char *dir = test_dir();
    struct store *s = made_store(dir);
    struct buf out = BUF_INIT(4096);
    struct query *q = NULL;

    (void)state;
    made_post(s, &(struct made_page){.id = 1, .text = "Grüne Reben am Hang", .nlinks = 2});
    made_post(s, &(struct made_page){.id = 2, .text = "hush", .nlinks = 1, .hidden = true});
    made_checkpoint(s, 2);
    made_close(s);
    assert_int_equal(query_open(dir, &q), ST_OK);
    assert_int_equal(query_links_from(q, 1, 10, on_link, &out), ST_OK);
    assert_string_equal(out.data, "1>1000 Grüne Reben -1 at 0; 1>1001 Grüne Reben 0.01 at 1; ");
    buf_clear(&out);
    assert_int_equal(query_links_to(q, 1001, 10, on_link, &out), ST_OK);
    assert_string_equal(out.data, "1>1001 Grüne Reben 0.01 at 1; ");
    buf_clear(&out);
    assert_int_equal(query_links_from(q, 2, 10, on_link, &out), ST_OK);
    assert_string_equal(out.data, "2>2000  -1 at 0; ");
    buf_free(&out);
    query_close(q);
    assert_string_equal(made_text(dir, "SELECT group_concat(from_page || ' ' || to_id || ' ' ||"
                                       " coalesce(anchor, '-') || ' ' || coalesce(score, '-'), ';')"
                                       " FROM link"),
                        "1 1000 Grüne Reben -;1 1001 Grüne Reben 0.01;2 2000 - -");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_are_read_as_they_were_written),
        cmocka_unit_test(links_are_found_by_page_and_by_target),
    };

    return cmocka_run_group_tests_name("store links", tests, NULL, NULL);
}
