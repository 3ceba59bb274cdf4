/* Receipts: which batches were taken, whatever became of the positions of their messages.
 * SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "cluster/partition.h"
#include "cluster/receipts.h"
#include "support/support.h"

static void add(struct receipts *r, uint32_t part, uint64_t sender, uint64_t from, uint64_t to)
{
    receipts_add(
        r, &(struct receipt){.part = part, .token = 3, .sender = sender, .from = from, .to = to});
}

static void a_batch_has_a_receipt_by_partition_sender_and_number(void **state UNUSED)
{
    struct receipts r = {0}, one = {0};

    add(&r, 5, 9, 1, 4);
    add(&r, 5, 9, 7, 7);
    add(&r, 6, 8, 1, 2);
    receipts_open(&r, 7, 3);
    assert_true(receipts_have(&r, 5, 9, 4));
    assert_false(receipts_have(&r, 5, 9, 5)); /* it is missing */
    assert_true(receipts_have(&r, 5, 9, 7));
    assert_false(receipts_have(&r, 5, 8, 1));
    assert_false(receipts_have(&r, 6, 9, 1));
    assert_true(receipts_were_open(&r, 7, 3)); /* nothing was taken there */
    assert_false(receipts_were_open(&r, 7, 5));
    assert_false(receipts_were_open(&r, 8, 3));
    receipts_add_sender(&one, &r, 8);
    assert_int_equal(one.count, 1);
    receipts_add_part(&one, &r, 5);
    assert_int_equal(one.count, 3);
    receipts_drop(&one, 6);
    assert_int_equal(one.count, 2);
    receipts_clear(&one);
    receipts_clear(&r);
}

/* Otherwise they would grow with every owner of a partition. */
static void runs_that_overlap_become_one(void **state UNUSED)
{
    struct receipts r = {0};

    add(&r, 5, 9, 8, 10);
    add(&r, 5, 9, 1, 4);
    add(&r, 5, 9, 5, 6);
    add(&r, 5, 9, 2, 3);
    add(&r, 5, 8, 7, 7);
    receipts_open(&r, 5, 3);
    receipts_open(&r, 5, 3);
    receipts_merge(&r);
    assert_int_equal(r.count, 4);
    assert_true(receipts_have(&r, 5, 9, 6));
    assert_false(receipts_have(&r, 5, 9, 7));
    assert_true(receipts_have(&r, 5, 9, 10));
    receipts_clear(&r);
}

/* The batches of a sender, one by one, that are one run; and then as many that are not. */
static void a_list_that_is_full_is_merged_and_what_has_no_room_is_counted(void **state UNUSED)
{
    struct receipts_name name = {1, 1};
    struct receipts r = {0}, read = {0};
    struct buf bytes = BUF_INIT(LIMIT_RECEIPTS);
    uint64_t most = LIMIT_RECEIPTS / 36;

    for (uint64_t n = 1; n <= 2 * most; n++)
        add(&r, 5, 9, n, n);
    assert_int_equal(r.left_out, 0);
    assert_true(receipts_have(&r, 5, 9, 2 * most));
    receipts_merge(&r);
    for (uint64_t n = 1; n <= most; n++)
        add(&r, 6, 9, 2 * n, 2 * n);
    assert_in_range(r.left_out, 1, 3);
    receipts_save(&r, name, &bytes);
    assert_int_equal(receipts_load(&read, buf_str(&bytes), &name), ST_OK);
    assert_true(receipts_have(&read, 6, 9, 2));
    receipts_clear(&read);
    receipts_clear(&r);
    buf_free(&bytes);
}

static void receipts_come_back_as_they_were_and_damaged_ones_do_not(void **state UNUSED)
{
    static const struct receipt bad[] = {
        {.part = PARTITIONS, .sender = 1, .from = 1, .to = 1},
        {.part = 1, .sender = 1, .from = 2, .to = 1},
        {.part = 1, .sender = 1},
        {.part = 1, .from = 1, .to = 1},
    };
    struct buf bytes = BUF_INIT(LIMIT_RECEIPTS);
    struct receipts r = {0}, back = {0};
    struct receipts_name name;

    add(&r, 5, 9, 1, 4);
    receipts_open(&r, 6, 3);
    receipts_save(&r, (struct receipts_name){11, 12}, &bytes);
    assert_int_equal(receipts_load(&back, buf_str(&bytes), &name), ST_OK);
    assert_int_equal(name.of, 11);
    assert_int_equal(name.number, 12);
    assert_int_equal(back.count, 2);
    assert_true(receipts_have(&back, 5, 9, 4));
    for (size_t n = 0; n < bytes.len; n++)
        assert_int_equal(receipts_load(&back, (struct str){bytes.data, n}, &name), ST_INVALID);
    assert_int_equal(back.count, 2);
    receipts_clear(&back);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        receipts_clear(&r);
        receipts_add(&r, &bad[i]);
        buf_clear(&bytes);
        receipts_save(&r, (struct receipts_name){0}, &bytes);
        assert_int_equal(receipts_load(&back, buf_str(&bytes), &name), ST_INVALID);
    }
    assert_int_equal(back.count, 0);
    receipts_clear(&r);
    buf_free(&bytes);
}

static void receipts_fit_into_a_message(void **state UNUSED)
{
    struct buf bytes = BUF_INIT(LIMIT_RECEIPTS);
    struct receipts r = {0}, back = {0};
    struct receipts_name name;

    for (uint64_t sender = 1; sender < 40000; sender++)
        add(&r, 1, sender, 1, 1);
    receipts_save(&r, (struct receipts_name){0}, &bytes);
    assert_int_equal(buf_check(&bytes), ST_OK);
    assert_int_equal(receipts_load(&back, buf_str(&bytes), &name), ST_OK);
    assert_int_equal(back.count, r.count);
    receipts_clear(&back);
    receipts_clear(&r);
    buf_free(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_batch_has_a_receipt_by_partition_sender_and_number),
        cmocka_unit_test(runs_that_overlap_become_one),
        cmocka_unit_test(a_list_that_is_full_is_merged_and_what_has_no_room_is_counted),
        cmocka_unit_test(receipts_come_back_as_they_were_and_damaged_ones_do_not),
        cmocka_unit_test(receipts_fit_into_a_message),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
