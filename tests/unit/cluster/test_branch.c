/* Two books of one crawl, after the servers have lost changes. SPDX-License-Identifier: MIT */
#include "cluster/branch.h"

#include "base/rng.h"
#include "support/support.h"

static const uint64_t nothing_taken[PARTITIONS];

static void change(struct book *b)
{
    static uint64_t stamp;

    book_stamp(b, ++stamp);
}

/* Two nodes, each with half of the partitions. */
static void open_book(struct book *b)
{
    book_init(b);
    for (uint64_t id = 1; id <= 2; id++)
        assert_int_equal(book_join(b, id, 0), ST_OK);
    for (uint64_t id = 1; id <= 2; id++)
        (void)book_take(b, id, 2);
    change(b);
}

static void a_book_is_newer_than_one_that_it_contains(void **state UNUSED)
{
    struct book is, seen, none = {0};

    open_book(&is);
    book_init(&seen);
    book_copy(&seen, &is);
    assert_int_equal(branch_compare(&is, &seen), BRANCH_SAME);
    for (int i = 0; i < 3 * BOOK_CHANGES;
         i++) { /* also when the list of changes has forgotten it */
        change(&is);
        assert_int_equal(branch_compare(&is, &seen), BRANCH_NEWER);
        assert_int_equal(branch_compare(&seen, &is), BRANCH_OLDER);
        assert_int_equal(branch_compare(&is, &none), BRANCH_NEWER);
    }
    for (int i = 0; i < 3; i++)
        change(&seen);
    book_clear(&is);
    book_copy(&is, &seen);
    change(&is);
    change(&seen);
    assert_int_equal(branch_compare(&is, &seen), BRANCH_OTHER);
    is.crawl = 5; /* a new crawl of the same name */
    assert_int_equal(branch_compare(&is, &seen), BRANCH_NEWER);
    book_clear(&is);
    book_clear(&seen);
}

static void an_older_book_becomes_the_one_that_was_seen(void **state UNUSED)
{
    struct buf a = BUF_INIT(100000), b = BUF_INIT(100000);
    struct book is, seen;

    open_book(&is);
    book_init(&seen);
    book_copy(&seen, &is);
    book_leave(&seen, 1, 7, nothing_taken);
    change(&seen);
    branch_join(&is, &seen);
    book_save(&is, &a);
    book_save(&seen, &b);
    assert_true(str_eq(buf_str(&a), buf_str(&b))); /* to the byte, so that it counts as the same */
    book_clear(&is);
    book_clear(&seen);
    buf_free(&a);
    buf_free(&b);
}

static void what_either_branch_gave_out_is_not_free(void **state UNUSED)
{
    struct book is, seen;

    open_book(&is);
    is.limit = 1000;
    book_init(&seen);
    book_copy(&seen, &is);
    (void)book_number(&is);
    (void)book_grant(&is, 2);
    change(&is);
    (void)book_number(&seen);
    (void)book_number(&seen);
    (void)book_grant(&seen, 1);
    book_give(&seen, 1, 0, 0);
    (void)book_take(&seen, 2, 0); /* node 2 has it now */
    book_leave(&seen, 1, 3, nothing_taken);
    assert_int_equal(book_join(&seen, 3, 0), ST_OK);
    change(&seen);
    branch_join(&is, &seen);
    assert_int_equal(is.numbers, 2 * BOOK_LOT);
    assert_false(book_find(&is, 1)->alive);
    assert_int_equal(book_find(&is, 1)->granted, 3); /* it had stored that many */
    assert_int_equal(book_find(&is, 2)->granted, 0); /* nobody has used this grant */
    assert_true(book_find(&is, 3)->alive);
    assert_int_equal(book_owned(&is, 1), 0);
    book_clear(&is);
    book_clear(&seen);
}

/* ---- many branches ---- */

static void play(struct book *b, struct rng *r)
{
    uint64_t id = 1 + rng_below(r, 6);
    struct book_node *n = book_find(b, id);
    uint32_t part = (uint32_t)rng_below(r, PARTITIONS);

    switch (rng_below(r, 5)) {
    case 0:
        assert_int_equal(book_join(b, id, 0), ST_OK);
        break;
    case 1:
        book_leave(b, id, 0, nothing_taken);
        break;
    case 2:
        book_give(b, id, part, 0);
        break;
    case 3:
        (void)book_number(b);
        break;
    default:
        if (n && n->alive)
            (void)book_take(b, id, 3);
    }
    change(b);
}

/* A node that is gone in one of them is gone, owners are alive, and no token becomes lower. */
static void check_joined(const struct book *b, const struct book *one, const struct book *two)
{
    const struct book *const both[] = {one, two};

    for (size_t k = 0; k < 2; k++) {
        assert_true(b->numbers >= both[k]->numbers);
        for (size_t i = 0; i < both[k]->count; i++)
            assert_true(!book_find(b, both[k]->nodes[i].id)->alive || both[k]->nodes[i].alive);
        for (uint32_t p = 0; p < PARTITIONS; p++)
            assert_true(b->parts[p].token >= both[k]->parts[p].token);
    }
    for (uint32_t p = 0; p < PARTITIONS; p++)
        assert_true(b->parts[p].owner == 0 || book_find(b, b->parts[p].owner)->alive);
}

static void joined_branches_keep_the_promises_of_the_book(void **state UNUSED)
{
    struct book is, seen, joined = {0};
    struct rng r;

    for (uint64_t seed = 0; seed < 300; seed++) {
        rng_init(&r, seed);
        open_book(&is);
        for (int i = 0; i < 40; i++)
            play(&is, &r);
        book_init(&seen);
        book_copy(&seen, &is);
        for (uint64_t i = rng_below(&r, BOOK_CHANGES - 1) + 1; i > 0; i--)
            play(&is, &r);
        for (uint64_t i = rng_below(&r, BOOK_CHANGES - 1) + 1; i > 0; i--)
            play(&seen, &r);
        book_copy(&joined, &is);
        branch_join(&joined, &seen);
        check_joined(&joined, &is, &seen);
        change(&joined); /* nodes that have seen it go on */
        assert_int_equal(branch_compare(&is, &joined) == BRANCH_OLDER ||
                             branch_compare(&seen, &joined) == BRANCH_OLDER,
                         true);
        book_clear(&is);
        book_clear(&seen);
    }
    book_clear(&joined);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_book_is_newer_than_one_that_it_contains),
        cmocka_unit_test(an_older_book_becomes_the_one_that_was_seen),
        cmocka_unit_test(what_either_branch_gave_out_is_not_free),
        cmocka_unit_test(joined_branches_keep_the_promises_of_the_book),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
