/* The book: partitions have one owner, grants never exceed the limit, whatever happens.
 * SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "base/rng.h"
#include "cluster/book.h"
#include "support/support.h"

static const uint64_t nothing_taken[PARTITIONS];

static void join(struct book *b, uint64_t id)
{
    assert_int_equal(book_join(b, id, 0), ST_OK);
}

/* A book with the nodes 1 to `nodes`. */
static void open_book(struct book *b, uint64_t nodes)
{
    book_init(b);
    for (uint64_t id = 1; id <= nodes; id++)
        join(b, id);
}

static void nodes_that_are_expected_find_their_share(void **state)
{
    struct book b;

    (void)state;
    open_book(&b, 1);
    assert_int_equal(book_take(&b, 1, 3), 22);
    join(&b, 2);
    assert_int_equal(book_take(&b, 2, 3), 22);
    join(&b, 3);
    assert_int_equal(book_take(&b, 3, 3), 20);
    assert_int_equal(book_free_parts(&b), 0);
    assert_int_equal(book_take(&b, 3, 0), 0);
    book_clear(&b);
}

static void what_a_lost_node_had_can_be_taken(void **state)
{
    struct book b;
    uint64_t token;

    (void)state;
    open_book(&b, 2);
    b.limit = 1000;
    (void)book_take(&b, 1, 0);
    (void)book_take(&b, 2, 0);
    assert_true(book_grant(&b, 2) > 10);
    token = b.parts[PARTITIONS - 1].token;
    assert_int_equal(b.parts[PARTITIONS - 1].owner, 2);
    book_leave(&b, 2, 10, nothing_taken);
    assert_int_equal(book_find(&b, 2)->granted, 10);
    assert_int_equal(book_take(&b, 1, 0), 32);
    assert_int_equal(book_owned(&b, 1), PARTITIONS);
    assert_true(b.parts[PARTITIONS - 1].token > token);
    book_clear(&b);
}

static void agents_of_a_node_that_is_gone_have_one_heir_who_is_there(void **state)
{
    const struct will_name will = {.run = 9, .number = 4, .chunks = 2}, older = {9, 3, 1};
    struct book b;

    (void)state;
    open_book(&b, 3);
    book_bequeath(&b, 2, will, 1); /* it lives: what it has is its own */
    assert_false(book_has_estates(&b));
    book_leave(&b, 2, 0, nothing_taken);
    book_bequeath(&b, 2, (struct will_name){0}, 1); /* it had no agents that travel */
    assert_false(book_has_estates(&b));
    book_bequeath(&b, 2, will, 1);
    assert_true(book_has_estates(&b));
    assert_null(book_inherit(&b, 3)); /* node 1 is at it … */
    book_leave(&b, 1, 0, nothing_taken);
    assert_int_equal(book_inherit(&b, 3)->id, 2); /* … and was */
    assert_int_equal(book_find(&b, 2)->heir, 3);
    book_settle(&b, 2, older, 50);
    assert_true(book_has_estates(&b));
    book_settle(&b, 2, will, 50);
    assert_false(book_has_estates(&b));
    book_roll_back(&b, 50);
    assert_false(book_has_estates(&b));
    book_roll_back(&b, 49); /* the last message of the heir is lost */
    assert_true(book_has_estates(&b));
    assert_int_equal(book_join(&b, 2, 0), ST_OK); /* back, it sees to them itself */
    assert_false(book_has_estates(&b));
    book_clear(&b);
}

static void no_number_of_an_agent_is_given_out_twice(void **state)
{
    struct book b;
    uint32_t first, lots = 1;

    (void)state;
    book_init(&b);
    assert_int_equal(book_number(&b), 1);
    assert_int_equal(book_number(&b), 1 + BOOK_LOT);
    while ((first = book_number(&b)) != 0)
        assert_int_equal(first, ++lots * BOOK_LOT + 1);
    assert_true((lots + 1) * BOOK_LOT <= LIMIT_AGENTS);
    assert_int_equal(book_number(&b), 0);
    book_clear(&b);
}

static void the_book_says_how_far_earlier_owners_had_come(void **state)
{
    uint64_t taken[PARTITIONS] = {[0] = 70, [1] = 5};
    struct buf bytes = BUF_INIT(LIMIT_BOOK);
    struct book b, back;

    (void)state;
    open_book(&b, 1);
    book_init(&back);
    (void)book_take(&b, 1, 0);
    book_give(&b, 1, 1, 9);
    book_leave(&b, 1, 0, taken);
    assert_int_equal(b.parts[0].taken, 70);
    assert_int_equal(b.parts[1].taken, 9); /* it was given away before */
    (void)book_number(&b);
    book_save(&b, &bytes);
    assert_int_equal(book_load(&back, buf_str(&bytes)), ST_OK);
    assert_int_equal(back.parts[0].taken, 70);
    assert_int_equal(back.numbers, BOOK_LOT);
    book_clear(&back);
    book_clear(&b);
    buf_free(&bytes);
}

/* Version 5 knew no receipts: its books have eight bytes less for each partition, and 16 less at
 * their beginning, because changes were not counted. */
static void the_book_says_whose_receipts_are_kept_and_older_books_have_none(void **state)
{
    struct buf bytes = BUF_INIT(LIMIT_BOOK), old = BUF_INIT(LIMIT_BOOK);
    struct book b, back;

    (void)state;
    open_book(&b, 1);
    book_init(&back);
    (void)book_take(&b, 1, 0);
    book_keep(&b, 3);
    book_leave(&b, 1, 0, nothing_taken);
    assert_int_equal(b.parts[3].token, 2);
    book_save(&b, &bytes);
    assert_int_equal(book_load(&back, buf_str(&bytes)), ST_OK);
    assert_int_equal(back.parts[3].kept, 1); /* of its owner at that time */
    assert_int_equal(back.parts[4].kept, 0);
    buf_add(&old, bytes.data, 2);
    buf_add(&old, bytes.data + 18, bytes.len - 18 - PARTITIONS * 32);
    old.data[0] = 5;
    for (uint32_t p = 0; p < PARTITIONS; p++)
        buf_add(&old, bytes.data + bytes.len - (PARTITIONS - p) * 32, 24);
    assert_int_equal(book_load(&back, buf_str(&old)), ST_OK);
    assert_int_equal(back.parts[3].token, 2);
    assert_int_equal(back.parts[3].kept, 0);
    assert_int_equal(back.count, 1);
    book_clear(&back);
    book_clear(&b);
    buf_free(&bytes);
    buf_free(&old);
}

static void a_node_that_comes_back_counts_with_the_pages_it_has(void **state)
{
    struct book b;

    (void)state;
    open_book(&b, 1);
    b.limit = 100;
    (void)book_grant(&b, 1);
    book_leave(&b, 1, 5, nothing_taken); /* as others knew it */
    assert_int_equal(book_join(&b, 1, 20), ST_OK);
    assert_int_equal(book_find(&b, 1)->granted, 20);
    assert_int_equal(book_left(&b), 80);
    book_leave(&b, 1, 20, nothing_taken);
    assert_int_equal(book_join(&b, 1, 20), ST_OK);
    assert_int_equal(book_left(&b), 80);
    book_clear(&b);
}

static void only_the_owner_gives_a_partition_away(void **state)
{
    struct book b;

    (void)state;
    open_book(&b, 2);
    (void)book_take(&b, 1, 0);
    book_give(&b, 2, 0, 0);
    assert_int_equal(b.parts[0].owner, 1);
    book_give(&b, 1, 0, 0);
    assert_int_equal(b.parts[0].owner, 0);
    book_clear(&b);
}

static void a_book_comes_back_as_it_was_and_a_cut_one_does_not(void **state)
{
    struct buf bytes = BUF_INIT(LIMIT_BOOK), again = BUF_INIT(LIMIT_BOOK);
    struct book b, back;

    (void)state;
    open_book(&b, 5);
    book_init(&back);
    b.limit = 500;
    b.end = BOOK_STOPPED;
    for (uint64_t id = 1; id <= 5; id++) {
        (void)book_take(&b, id, 5);
        (void)book_grant(&b, id);
    }
    book_leave(&b, 4, 1, nothing_taken);
    book_save(&b, &bytes);
    assert_int_equal(book_load(&back, buf_str(&bytes)), ST_OK);
    book_save(&back, &again);
    assert_true(str_eq(buf_str(&bytes), buf_str(&again)));
    for (size_t n = 0; n < bytes.len; n++) {
        assert_int_equal(book_load(&back, str_sub(buf_str(&bytes), 0, n)), ST_INVALID);
        assert_int_equal(back.count, 0);
    }
    book_clear(&b);
    buf_free(&bytes);
    buf_free(&again);
}

static void as_many_nodes_as_there_may_be_fit_into_a_book(void **state)
{
    struct buf bytes = BUF_INIT(LIMIT_BOOK);
    struct book b;

    (void)state;
    open_book(&b, LIMIT_NODES);
    assert_int_equal(book_join(&b, LIMIT_NODES + 1, 0), ST_LIMIT);
    join(&b, 7); /* one that was here before may come back */
    book_save(&b, &bytes);
    assert_int_equal(buf_check(&bytes), ST_OK);
    assert_int_equal(book_load(&b, buf_str(&bytes)), ST_OK);
    book_clear(&b);
    buf_free(&bytes);
}

/* A small crawl of nodes that come, fetch, die and return pages. */
struct play {
    struct book book;
    uint64_t stored[9]; /* by id */
};

static void check_play(const struct play *p)
{
    uint64_t granted = 0, stored = 0;

    for (size_t i = 0; i < p->book.count; i++) {
        granted += p->book.nodes[i].granted;
        stored += p->stored[p->book.nodes[i].id];
        assert_true(p->stored[p->book.nodes[i].id] <= p->book.nodes[i].granted);
    }
    assert_true(granted <= p->book.limit);
    assert_int_equal(book_left(&p->book), p->book.limit - granted);
    for (uint32_t part = 0; part < PARTITIONS; part++)
        if (p->book.parts[part].owner)
            assert_true(book_find(&p->book, p->book.parts[part].owner)->alive);
}

static void play_once(struct play *p, struct rng *r)
{
    uint64_t id = 1 + rng_below(r, 8);
    struct book_node *n = book_find(&p->book, id);

    switch (rng_below(r, 6)) {
    case 0:
        join(&p->book, id);
        break;
    case 1:
        if (n && n->alive)
            (void)book_take(&p->book, id, rng_below(r, 4));
        break;
    case 2:
        book_leave(&p->book, id, p->stored[id], nothing_taken);
        break;
    case 3:
        if (n && n->alive)
            (void)book_grant(&p->book, id);
        break;
    case 4:
        (void)book_return(&p->book, id, p->stored[id]);
        break;
    default:
        if (n && n->alive && p->stored[id] < n->granted)
            p->stored[id] += 1 + rng_below(r, n->granted - p->stored[id]);
    }
}

static void grants_never_exceed_the_limit_and_owners_are_alive(void **state)
{
    struct rng r;

    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++) {
        struct play p = {0};

        rng_init(&r, seed);
        book_init(&p.book);
        p.book.limit = 1 + rng_below(&r, 2000);
        for (int i = 0; i < 400; i++) {
            play_once(&p, &r);
            check_play(&p);
        }
        book_clear(&p.book);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_that_are_expected_find_their_share),
        cmocka_unit_test(what_a_lost_node_had_can_be_taken),
        cmocka_unit_test(agents_of_a_node_that_is_gone_have_one_heir_who_is_there),
        cmocka_unit_test(no_number_of_an_agent_is_given_out_twice),
        cmocka_unit_test(the_book_says_how_far_earlier_owners_had_come),
        cmocka_unit_test(a_node_that_comes_back_counts_with_the_pages_it_has),
        cmocka_unit_test(the_book_says_whose_receipts_are_kept_and_older_books_have_none),
        cmocka_unit_test(only_the_owner_gives_a_partition_away),
        cmocka_unit_test(a_book_comes_back_as_it_was_and_a_cut_one_does_not),
        cmocka_unit_test(as_many_nodes_as_there_may_be_fit_into_a_book),
        cmocka_unit_test(grants_never_exceed_the_limit_and_owners_are_alive),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
