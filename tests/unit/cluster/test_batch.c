/* Batches come back as they were, and nothing of a broken one is taken.
 * SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "cluster/batch.h"
#include "cluster/lease.h"
#include "cluster/partition.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

static const struct batch_item link_item = {
    .kind = BATCH_LINK,
    .url = {"http://a.example/reef", 21},
    .link = LINK_FRAME,
    .depth = 3,
    .relevance = .5F,
    .similarity = .25F,
    .words = {"see the reef there", 18},
    .anchor = {1, 3},
};
static const struct batch_item outcome_item = {
    .kind = BATCH_OUTCOME, .key = 77, .why = DROP_ROBOTS};

static void make(struct buf *ret)
{
    struct batch b;

    batch_init(&b);
    batch_add(&b, &link_item);
    batch_add(&b, &outcome_item);
    batch_take(&b, 9, 12, ret);
    batch_clear(&b);
}

static void a_batch_comes_back_as_it_was(void **state)
{
    struct buf bytes = BUF_INIT(LIMIT_BATCH);
    struct batch_head head;
    struct batch_item item;
    struct cursor from;

    (void)state;
    make(&bytes);
    assert_int_equal(batch_check(buf_str(&bytes), &head), ST_OK);
    assert_int_equal(head.sender, 9);
    assert_int_equal(head.number, 12);
    assert_int_equal(head.count, 2);
    from = (struct cursor){.rest = buf_str(&bytes)};
    batch_open(&from);
    batch_next(&from, &item);
    assert_int_equal(item.kind, BATCH_LINK);
    assert_true(str_eq(item.url, link_item.url) && str_eq(item.words, link_item.words));
    assert_int_equal(item.depth, 3);
    assert_int_equal(item.link, LINK_FRAME);
    assert_true(item.relevance > .49F && item.similarity < .26F);
    assert_int_equal(item.anchor.from, 1);
    assert_int_equal(item.anchor.to, 3);
    batch_next(&from, &item);
    assert_int_equal(item.key, 77);
    assert_int_equal(item.why, DROP_ROBOTS);
    buf_free(&bytes);
}

static void a_batch_that_is_cut_anywhere_is_refused(void **state)
{
    struct buf bytes = BUF_INIT(LIMIT_BATCH);
    struct batch_head head;

    (void)state;
    make(&bytes);
    for (size_t n = 0; n < bytes.len; n++)
        assert_int_equal(batch_check(str_sub(buf_str(&bytes), 0, n), &head), ST_INVALID);
    buf_add_char(&bytes, 'x');
    assert_int_equal(batch_check(buf_str(&bytes), &head), ST_INVALID);
    buf_free(&bytes);
}

static enum status check_one(struct batch_item item)
{
    struct buf bytes = BUF_INIT(LIMIT_BATCH);
    struct batch_head head;
    struct batch b;
    enum status st;

    batch_init(&b);
    batch_add(&b, &item);
    batch_take(&b, 1, 1, &bytes);
    st = batch_check(buf_str(&bytes), &head);
    batch_clear(&b);
    buf_free(&bytes);
    return st;
}

static void what_no_node_would_say_is_refused(void **state)
{
    struct batch_item item = link_item;

    (void)state;
    assert_int_equal(check_one(item), ST_OK);
    item.url = STR("file:///etc/passwd");
    assert_int_equal(check_one(item), ST_INVALID);
    item = link_item;
    item.relevance = 1.5F;
    assert_int_equal(check_one(item), ST_INVALID);
    item = link_item;
    item.anchor.to = 5; /* of four words */
    assert_int_equal(check_one(item), ST_INVALID);
    item = outcome_item;
    item.why = DROP_COUNT;
    assert_int_equal(check_one(item), ST_INVALID);
}

static void a_batch_is_full_before_it_is_too_large(void **state)
{
    static char path[LIMIT_URL + 1];
    struct buf bytes = BUF_INIT(2 * LIMIT_BATCH);
    struct batch_item item = link_item;
    struct batch_head head;
    struct batch b;

    (void)state;
    memset(path, 'a', LIMIT_URL);
    memcpy(path, "http://a/", 9);
    item.url = (struct str){path, LIMIT_URL};
    batch_init(&b);
    while (!batch_is_full(&b))
        batch_add(&b, &item);
    batch_take(&b, 1, 1, &bytes);
    assert_int_equal(batch_check(buf_str(&bytes), &head), ST_OK);
    assert_int_equal(b.count, 0);
    batch_clear(&b);
    buf_free(&bytes);
}

static void hosts_of_one_domain_are_one_partition(void **state)
{
    bool used[PARTITIONS] = {false};
    size_t count = 0;

    (void)state;
    assert_int_equal(partition_of(STR("a.example.org")), partition_of(STR("b.c.example.org")));
    for (int i = 0; i < 1000; i++) {
        char host[32];
        uint32_t p;

        (void)snprintf(host, sizeof host, "site%d.example", i);
        p = partition_of(str_of(host));
        assert_true(p < PARTITIONS);
        count += !used[p];
        used[p] = true;
    }
    assert_int_equal(count, PARTITIONS);
}

static void a_lease_comes_back_as_it_was(void **state)
{
    struct lease l = {.turn = 4, .pages = 100, .idle = 7, .host = "reef"}, back = {0};
    struct buf bytes = BUF_INIT(LIMIT_LEASE);

    (void)state;
    lease_save(&l, &bytes);
    assert_int_equal(lease_load(&back, buf_str(&bytes)), ST_OK);
    assert_int_equal(back.turn, 4);
    assert_int_equal(back.pages, 100);
    assert_int_equal(back.idle, 7);
    assert_string_equal(back.host, "reef");
    for (size_t n = 0; n < bytes.len; n++)
        assert_int_equal(lease_load(&back, str_sub(buf_str(&bytes), 0, n)), ST_INVALID);
    assert_int_equal(back.pages, 100); /* what is broken changes nothing */
    buf_free(&bytes);
}

static void an_agent_and_a_lost_page_come_back_as_they_were(void **state)
{
    struct buf bytes = BUF_INIT(LIMIT_BATCH);
    struct batch_item item;
    struct batch_head head;
    struct cursor from;
    struct batch b;

    (void)state;
    batch_init(&b);
    batch_add(&b, &(struct batch_item){.kind = BATCH_AGENT,
                                       .url = STR("http://a.example/"),
                                       .depth = 3,
                                       .agent = STR("all that it is")});
    batch_add(&b, &(struct batch_item){.kind = BATCH_LOST, .url = STR("http://b.example/")});
    batch_take(&b, 9, 1, &bytes);
    assert_int_equal(batch_check(buf_str(&bytes), &head), ST_OK);
    from = (struct cursor){.rest = buf_str(&bytes)};
    batch_open(&from);
    batch_next(&from, &item);
    assert_int_equal(item.kind, BATCH_AGENT);
    assert_int_equal(item.depth, 3);
    assert_true(str_eq(item.agent, STR("all that it is")));
    batch_next(&from, &item);
    assert_int_equal(item.kind, BATCH_LOST);
    assert_true(str_eq(item.url, STR("http://b.example/")));
    batch_clear(&b);
    buf_free(&bytes);
}

static void a_large_agent_gets_a_batch_of_its_own(void **state)
{
    static const char large[LIMIT_TRAVEL];
    struct batch_item agent = {
        .kind = BATCH_AGENT, .url = STR("http://a.example/"), .agent = {large, sizeof large}};
    struct buf bytes = BUF_INIT(LIMIT_BATCH);
    struct batch_head head;
    struct batch b;

    (void)state;
    batch_init(&b);
    assert_false(batch_is_tight(&b, &agent)); /* an empty one always has room */
    batch_add(&b, &agent);
    assert_true(batch_is_tight(&b, &agent));
    batch_take(&b, 9, 1, &bytes);
    assert_int_equal(batch_check(buf_str(&bytes), &head), ST_OK);
    batch_clear(&b);
    buf_free(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_batch_comes_back_as_it_was),
        cmocka_unit_test(a_batch_that_is_cut_anywhere_is_refused),
        cmocka_unit_test(what_no_node_would_say_is_refused),
        cmocka_unit_test(a_batch_is_full_before_it_is_too_large),
        cmocka_unit_test(an_agent_and_a_lost_page_come_back_as_they_were),
        cmocka_unit_test(a_large_agent_gets_a_batch_of_its_own),
        cmocka_unit_test(hosts_of_one_domain_are_one_partition),
        cmocka_unit_test(a_lease_comes_back_as_it_was),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
