/* The servers have lost the newest keys: nodes write back what they know.
 * SPDX-License-Identifier: MIT */
#include "memory_bus.h"

#include "cluster/cluster_int.h"

static struct book *book_now(void)
{
    static struct book book;
    uint64_t revision;

    assert_int_equal(cluster_book(NULL, &book, &revision), ST_OK);
    return &book;
}

static uint64_t owner_of(uint32_t part)
{
    struct book *b = book_now();
    uint64_t owner = b->parts[part].owner;

    book_clear(b);
    return owner;
}

static void lease_now(uint64_t id, struct lease *ret)
{
    uint64_t revision;

    if (cluster_lease(NULL, id, ret, &revision) != ST_OK)
        *ret = (struct lease){0};
}

/* A directory that comes back, or another node, would go on with the older book. */
static void a_node_writes_back_the_book_in_which_it_is(void **state UNUSED)
{
    struct cluster *c;
    struct lease lease;

    found();
    bus_copy();
    c = start();
    await(came(c, INCOMING_OPEN, 1));
    bus_lose_keys(NULL);
    assert_int_equal(owner_of(1), 0);
    await((view_of(c), owner_of(1) == 7));
    await((view_of(c), lease_now(7, &lease), lease.run != 0)); /* it had none at that time */
    assert_false(view_of(c).fenced);
    assert_true(view_of(c).losses > 0);
    cluster_stop(c, BOOK_RUNNING, 0);
}

/* Does the will that its lease names have a receipt for this batch of node 9? */
static bool will_has(uint64_t batch)
{
    struct receipts taken = {0};
    struct lease lease;
    bool has;

    lease_now(7, &lease);
    has = lease.will.chunks > 0 && receipts_get_will(NULL, 7, &lease.will, &taken) == ST_OK &&
          receipts_have(&taken, 1, 9, batch);
    receipts_clear(&taken);
    return has;
}

/* If the node died now, its heirs would need its will. Until that is there, the lease names the
 * older one. */
static void a_lease_names_no_will_that_is_lost(void **state UNUSED)
{
    struct cluster *c = start_open((struct cluster_config){.id = 7, .lease = 60 * US_PER_S});

    make_will(c, 1, 9, 4);
    for (uint64_t lost = 1; lost <= 3; lost++) {
        uint64_t number = 10 * lost, batch = 20 * lost;

        make_will(c, number, 9, batch);
        bus_copy();
        for (uint64_t i = 1; i <= lost; i++)
            make_will(c, number + i, 9, batch + i);
        bus_lose_keys(NULL);
        assert_true(will_has(batch));
        await((view_of(c), !will_has(batch)));
        assert_true(will_has(batch + lost));
    }
    assert_false(view_of(c).fenced);
    cluster_stop(c, BOOK_RUNNING, 0);
}

static void set_limit(struct book *b, void *ctx)
{
    b->limit = *(uint64_t *)ctx;
}

/* All nodes were killed, too: only a directory knows the newest book. */
static void a_directory_knows_a_book_that_the_bus_has_lost(void **state UNUSED)
{
    struct buf seen = BUF_INIT(LIMIT_BOOK);
    struct cluster *c = start_open((struct cluster_config){.id = 7, .lease = 60 * US_PER_S});
    uint64_t revision, limit = 777;

    bus_copy();
    assert_int_equal(cluster_change(NULL, set_limit, &limit, &revision), ST_OK);
    await((view_of(c).granted == 0)); /* it has seen it */
    cluster_book_seen(c, &seen);
    cluster_stop(c, BOOK_RUNNING, 0);
    bus_lose_keys(NULL);
    c = start_with(
        (struct cluster_config){.id = 8, .lease = 60 * US_PER_S, .seen = buf_str(&seen)});
    assert_int_equal(book_now()->limit, 777);
    book_clear(book_now());
    assert_non_null(book_find(book_now(), 8));
    cluster_stop(c, BOOK_RUNNING, 0);
    buf_free(&seen);
}

/* A node that knew nothing of the loss has changed the older book, and taken all partitions. */
static void a_partition_that_two_books_give_away_stays_with_its_first_owner(void **state UNUSED)
{
    struct book branch;
    struct cluster *c;

    found();
    bus_copy();
    book_init(&branch);
    assert_int_equal(book_join(&branch, 9, 0), ST_OK);
    (void)book_take(&branch, 9, 0);
    book_stamp(&branch, 99);
    c = start();
    await(came(c, INCOMING_OPEN, 1));
    bus_lose_keys(&branch);
    assert_int_equal(owner_of(1), 9);
    await((view_of(c), owner_of(1) == 7));
    assert_non_null(book_find(book_now(), 9));
    assert_false(view_of(c).fenced);
    book_clear(&branch);
    cluster_stop(c, BOOK_RUNNING, 0);
}

/* Another node's lease, as if its process ran. */
static void lease_as(uint64_t turn, uint64_t pages, uint64_t will)
{
    struct lease lease = {.run = 3, .turn = turn, .pages = pages, .will = {3, will, 1}};
    struct buf bytes = BUF_INIT(LIMIT_LEASE);
    char key[CLUSTER_LEASE];

    cluster_lease_key(9, key);
    lease_save(&lease, &bytes);
    assert_int_equal(line_put(NULL, key, buf_str(&bytes)), ST_OK);
    buf_free(&bytes);
}

static void join_9(struct book *b, void *ctx UNUSED)
{
    assert_int_equal(book_join(b, 9, 0), ST_OK);
}

/* It died meanwhile. Its number of pages is the last that we knew; its will is the one that is
 * left. */
static void an_older_lease_of_another_node_is_no_sign_of_life(void **state UNUSED)
{
    uint64_t revision, turn;
    struct lease lease;
    struct cluster *c;

    c = start_open((struct cluster_config){.id = 7, .lease = US_PER_S});
    lease_as(4, 10, 5);
    assert_int_equal(cluster_change(NULL, join_9, NULL, &revision), ST_OK);
    bus_copy();
    lease_as(5, 20, 6);
    lease_now(7, &lease);
    turn = lease.turn;
    await((view_of(c), lease_now(7, &lease), lease.turn > turn + 2)); /* it has looked */
    bus_lose_keys(NULL);
    await((view_of(c), lease_now(9, &lease), lease.turn == LEASE_GONE));
    assert_int_equal(lease.pages, 20);
    assert_int_equal(lease.will.number, 5);
    cluster_stop(c, BOOK_RUNNING, 0);
}

/* Otherwise it would go on as if nobody had shut it out. */
static void a_lease_that_was_ended_stays_so(void **state UNUSED)
{
    struct lease lease;
    struct cluster *c;
    uint64_t revision;

    c = start_open((struct cluster_config){.id = 7, .lease = US_PER_S / 2});
    lease_as(4, 10, 5);
    bus_copy();
    assert_int_equal(cluster_change(NULL, join_9, NULL, &revision), ST_OK);
    await((view_of(c), lease_now(9, &lease), lease.turn == LEASE_GONE));
    bus_lose_keys(NULL);
    lease_now(9, &lease);
    await((view_of(c), lease_now(9, &lease), lease.turn == LEASE_GONE));
    cluster_stop(c, BOOK_RUNNING, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_node_writes_back_the_book_in_which_it_is, bus_clear),
        cmocka_unit_test_teardown(a_lease_names_no_will_that_is_lost, bus_clear),
        cmocka_unit_test_teardown(a_directory_knows_a_book_that_the_bus_has_lost, bus_clear),
        cmocka_unit_test_teardown(a_partition_that_two_books_give_away_stays_with_its_first_owner,
                                  bus_clear),
        cmocka_unit_test_teardown(an_older_lease_of_another_node_is_no_sign_of_life, bus_clear),
        cmocka_unit_test_teardown(a_lease_that_was_ended_stays_so, bus_clear),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
