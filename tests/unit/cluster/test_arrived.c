/* Receipts on the bus: every agent lives on one node, although the bus loses messages and nodes
 * die. SPDX-License-Identifier: MIT */
#include "memory_bus.h"

#include "cluster/partition.h"

static const struct cluster_config node_7 = {.id = 7, .lease = 60 * US_PER_S};

static void the_next_one_finds_a_receipt(struct cluster *c, uint64_t batch)
{
    struct incoming *in = next_of(c, 1);
    struct receipts taken = {0};
    struct receipts_name name;

    assert_int_equal(in->kind, INCOMING_BEGIN);
    assert_int_equal(receipts_load(&taken, (struct str){in->bytes, in->len}, &name), ST_OK);
    assert_true(receipts_have(&taken, 1, 9, batch));
    assert_false(receipts_have(&taken, 1, 9, batch + 1));
    receipts_clear(&taken);
    free(in);
}

static void the_next_owner_reads_the_receipts_of_a_node_that_left(void **state UNUSED)
{
    struct cluster *c;

    c = start_open(node_7);
    make_will(c, 1, 9, 4);
    cluster_stop(c, BOOK_RUNNING, 0);
    c = start_with((struct cluster_config){.id = 8, .lease = 60 * US_PER_S});
    the_next_one_finds_a_receipt(c, 4);
    cluster_stop(c, BOOK_RUNNING, 0);
}

/* The receipts of its last will count, and not those of another process of the same node. */
static void the_next_owner_reads_the_receipts_of_a_node_that_was_killed(void **state UNUSED)
{
    struct cluster *c;

    c = start_open(node_7);
    make_will(c, 1, 9, 4);
    make_will(c, 2, 9, 5);
    join_as(7); /* it ends without leaving, and this one never renews its lease */
    await(view_of(c).fenced);
    cluster_stop(c, BOOK_RUNNING, 0);
    c = start_with((struct cluster_config){.id = 8, .lease = US_PER_S / 2});
    the_next_one_finds_a_receipt(c, 5);
    cluster_stop(c, BOOK_RUNNING, 0);
}

/* Node 7 is about to give partition 33 to node 8, and has taken batches of it. */
static void pair_open(struct cluster **ret_7, struct cluster **ret_8, struct receipts *ret_taken)
{
    *ret_7 = start_open((struct cluster_config){.id = 7, .lease = US_PER_S / 10});
    *ret_8 = start_with((struct cluster_config){.id = 8, .lease = 60 * US_PER_S});
    await((view_of(*ret_8), came(*ret_7, INCOMING_CLOSE, 33)));
    receipts_open(ret_taken, 33, 1);
    receipts_add(ret_taken, &(struct receipt){33, 1, 9, 1, 4});
}

static void
the_next_owner_reads_the_receipts_for_a_partition_that_was_given_away(void **state UNUSED)
{
    struct receipts taken = {0};
    struct cluster *c, *other;

    pair_open(&c, &other, &taken);
    cluster_give(c, 33, 0, &taken);
    await(came(other, INCOMING_BEGIN, 33));
    cluster_stop(other, BOOK_RUNNING, 0);
    cluster_stop(c, BOOK_RUNNING, 0);
}

static uint64_t turn_of(uint64_t id)
{
    struct lease lease;
    uint64_t revision;

    assert_int_equal(cluster_lease(NULL, id, &lease, &revision), ST_OK);
    return lease.turn;
}

/* The giver tries again; the partition already has its next token, of which there are no
 * receipts. */
static void the_receipts_are_kept_although_the_answer_of_the_book_was_lost(void **state UNUSED)
{
    struct receipts taken = {0};
    struct cluster *c, *other;
    struct book book;
    uint64_t revision, turn;

    pair_open(&c, &other, &taken);
    (void)pthread_mutex_lock(&bus.lock);
    bus.is_mute = true;
    (void)pthread_mutex_unlock(&bus.lock);
    cluster_give(c, 33, 0, &taken);
    await(came(other, INCOMING_BEGIN, 33));
    turn = turn_of(7);
    await(turn_of(7) > turn + 20); /* it has looked at the book again */
    book_init(&book);
    assert_int_equal(cluster_book(NULL, &book, &revision), ST_OK);
    assert_int_equal(book.parts[33].kept, 1);
    book_clear(&book);
    cluster_stop(other, BOOK_RUNNING, 0);
    cluster_stop(c, BOOK_RUNNING, 0);
}

/* Otherwise it would take agents again that it had taken before. */
static void
a_node_that_is_back_reads_its_own_receipts_for_what_is_still_its_own(void **state UNUSED)
{
    struct cluster *c;

    c = start_open(node_7);
    make_will(c, 1, 9, 4);
    join_as(7);
    await(view_of(c).fenced);
    cluster_stop(c, BOOK_RUNNING, 0);
    c = start(); /* its directory no longer has the partition */
    the_next_one_finds_a_receipt(c, 4);
    cluster_stop(c, BOOK_RUNNING, 0);
}

/* A node that shuts it out meanwhile finds them there. */
static void a_will_has_the_receipts_of_a_partition_until_the_book_gives_it_away(void **state UNUSED)
{
    struct buf bytes = BUF_INIT(LIMIT_RECEIPTS);
    struct receipts taken = {0};
    struct receipts_name name;
    struct cluster *c, *other;
    uint64_t revision;

    pair_open(&c, &other, &taken);
    cluster_send(c, 33, 1, 99, STR("a batch that waits for a will")); /* so this one waits, too */
    cluster_give(c, 33, 0, &taken);
    make_will(c, 1, 9, 4); /* without the partition */
    assert_int_equal(line_get(NULL, "will.0000000000000007.1.taken", &bytes, &revision), ST_OK);
    assert_int_equal(receipts_load(&taken, buf_str(&bytes), &name), ST_OK);
    assert_true(receipts_have(&taken, 33, 9, 4));
    receipts_clear(&taken);
    buf_free(&bytes);
    cluster_stop(other, BOOK_RUNNING, 0);
    cluster_stop(c, BOOK_RUNNING, 0);
}

static bool has_arrived(struct cluster *c, uint64_t number)
{
    struct cluster_report report = {.awaits = true};
    struct cluster_view view;

    cluster_exchange(c, &report, &view);
    return cluster_has_arrived(c, 1, number);
}

/* As the process of a node does; it does not run here. */
static void lease_as(uint64_t id, uint64_t turn, struct will_name will)
{
    struct lease lease = {.run = 3, .turn = turn, .will = will};
    struct buf bytes = BUF_INIT(LIMIT_LEASE);
    char key[CLUSTER_LEASE];

    cluster_lease_key(id, key);
    lease_save(&lease, &bytes);
    assert_int_equal(line_put(NULL, key, buf_str(&bytes)), ST_OK);
    buf_free(&bytes);
}

static void join_book(struct book *b, void *ctx)
{
    (void)ctx;
    assert_int_equal(book_join(b, 7, 0), ST_OK);
}

/* The first lease that names a will may be overwritten by a node that shuts its writer out. */
static void
an_agent_has_arrived_when_a_second_lease_names_a_will_with_its_receipt(void **state UNUSED)
{
    struct buf bytes = BUF_INIT(LIMIT_RECEIPTS);
    struct receipts taken = {0};
    struct cluster *c;
    uint64_t revision, turn;

    found();
    receipts_add(&taken, &(struct receipt){1, 1, 8, 4, 4});
    receipts_save(&taken, (struct receipts_name){3, 6}, &bytes);
    assert_int_equal(line_put(NULL, "will.0000000000000007.0.taken", buf_str(&bytes)), ST_OK);
    lease_as(7, 1, (struct will_name){3, 6, 1});
    assert_int_equal(cluster_change(NULL, join_book, NULL, &revision), ST_OK);
    c = start_with((struct cluster_config){.id = 8, .lease = 600 * US_PER_S});
    assert_false(has_arrived(c, 4));
    turn = turn_of(8);
    await((has_arrived(c, 4), turn_of(8) > turn + 2)); /* it looked meanwhile */
    assert_false(has_arrived(c, 4));
    lease_as(7, 2, (struct will_name){3, 6, 1});
    await(has_arrived(c, 4));
    assert_false(has_arrived(c, 3));
    cluster_stop(c, BOOK_RUNNING, 0);
    receipts_clear(&taken);
    buf_free(&bytes);
}

/* A batch of node 9 with an agent. */
static void put_agent(uint32_t part, uint64_t number)
{
    struct buf bytes = BUF_INIT(LIMIT_BATCH);
    struct batch batch;

    batch_init(&batch);
    batch_add(&batch, &(struct batch_item){.kind = BATCH_AGENT,
                                           .url = STR("http://a.example/"),
                                           .agent = STR("an agent")});
    batch_take(&batch, 9, number, &bytes);
    (void)pthread_mutex_lock(&bus.lock);
    (void)bus_add(part, buf_str(&bytes));
    (void)pthread_mutex_unlock(&bus.lock);
    batch_clear(&batch);
    buf_free(&bytes);
}

/* The servers have lost messages, and the agent is where a message was that we have read. */
static void a_snapshot_does_not_hide_an_agent_that_nobody_has_taken(void **state UNUSED)
{
    struct cluster_config config = {.id = 7, .lease = 60 * US_PER_S, .snapshot = 40};
    struct cluster_report report = {.safe = {[1] = 1}};
    struct cluster_view view;
    struct cluster *c;
    uint64_t turn;

    c = start_open(config);
    put_agent(1, 4);
    await(came(c, INCOMING_BATCH, 1));
    turn = turn_of(7);
    await((cluster_exchange(c, &report, &view), turn_of(7) > turn + 3));
    assert_int_equal(messages_of(LINE_SHELF(1)), 0);
    make_will(c, 1, 9, 4);
    put_agent(1, 5);
    await(came(c, INCOMING_BATCH, 1));
    report.safe[1] = 2; /* that one has no receipt */
    turn = turn_of(7);
    await((cluster_exchange(c, &report, &view), turn_of(7) > turn + 3));
    assert_int_equal(messages_of(LINE_SHELF(1)), 0);
    cluster_stop(c, BOOK_RUNNING, 0);
}

/* Its sender may be gone, and then does not notice the loss. */
static void who_has_only_read_a_message_notices_that_it_is_lost(void **state UNUSED)
{
    struct cluster *c;

    c = start_open(node_7);
    put_agent(1, 1);
    await(came(c, INCOMING_BATCH, 1));
    (void)pthread_mutex_lock(&bus.lock);
    bus.end = 0;
    (void)bus_add(2, STR("a batch of another node"));
    (void)bus_add(2, STR("and one more"));
    (void)pthread_mutex_unlock(&bus.lock);
    await(came(c, INCOMING_ROLLED, 0));
    cluster_stop(c, BOOK_RUNNING, 0);
}

/* ---- a node that is back, and others have its agents ---- */

static enum book_estate estate_of(uint64_t id)
{
    enum book_estate estate;
    struct book book;
    uint64_t revision;

    book_init(&book);
    assert_int_equal(cluster_book(NULL, &book, &revision), ST_OK);
    estate = book_find(&book, id)->estate;
    book_clear(&book);
    return estate;
}

static void bequeath_agent(struct cluster *c)
{
    struct cluster_will *w = MEM_NEW(struct cluster_will);

    w->number = 1;
    w->chunks[w->count].items = BUF_INIT(LIMIT_WILL);
    will_put(&w->chunks[w->count].items, &(struct will_item){.agent = 3,
                                                             .is_here = true,
                                                             .url = STR("http://a.example/"),
                                                             .bytes = STR("an agent")});
    w->chunks[w->count++].count = 1;
    receipts_open(&w->taken, 1, 1);
    cluster_will(c, w);
    await(view_of(c).will == 1);
}

static void lose_estate(struct book *b, void *ctx)
{
    (void)ctx;
    book_find(b, 7)->settled = 100;
    book_roll_back(b, 0);
}

/* The heir would not do it, because the node is alive and its will on the bus is a later one. */
static void a_node_that_is_back_sends_its_agents_again_when_they_are_lost(void **state UNUSED)
{
    uint32_t part = partition_of_url(STR("http://a.example/"));
    struct cluster *c;
    uint64_t revision;

    c = start_open(node_7);
    bequeath_agent(c);
    join_as(7);
    await(view_of(c).fenced);
    cluster_stop(c, BOOK_RUNNING, 0);
    c = start_with((struct cluster_config){.id = 8, .lease = US_PER_S / 2});
    await((view_of(c), estate_of(7) == ESTATE_SETTLED));
    cluster_stop(c, BOOK_RUNNING, 0);
    assert_int_equal(messages_of(part), 1);
    c = start();
    assert_int_equal(cluster_legacy(c).chunks, 1);
    make_will(c, 1, 9, 4);
    assert_int_equal(cluster_change(NULL, lose_estate, NULL, &revision), ST_OK);
    await((view_of(c), messages_of(part) == 2));
    await((view_of(c), estate_of(7) == ESTATE_SETTLED));
    cluster_stop(c, BOOK_RUNNING, 0);
}

static void bus_forget_messages(void)
{
    (void)pthread_mutex_lock(&bus.lock);
    bus.end = 0;
    (void)pthread_mutex_unlock(&bus.lock);
}

/* Nobody else has written anything since, so the loss shows nowhere else. */
static void an_heir_sends_agents_again_when_the_servers_lose_them(void **state UNUSED)
{
    uint32_t part = partition_of_url(STR("http://a.example/"));
    struct cluster *c;

    c = start_open(node_7);
    bequeath_agent(c);
    join_as(7);
    await(view_of(c).fenced);
    cluster_stop(c, BOOK_RUNNING, 0);
    c = start_with((struct cluster_config){.id = 8, .lease = US_PER_S / 2});
    await((view_of(c), estate_of(7) == ESTATE_SETTLED));
    bus_forget_messages();
    await((view_of(c), messages_of(part) == 1));
    await((view_of(c), estate_of(7) == ESTATE_SETTLED));
    cluster_stop(c, BOOK_RUNNING, 0);
    c = start_with((struct cluster_config){.id = 9, .lease = US_PER_S / 2}); /* that one is gone */
    bus_forget_messages();
    await((view_of(c), messages_of(part) == 1));
    cluster_stop(c, BOOK_RUNNING, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(the_next_owner_reads_the_receipts_of_a_node_that_left, bus_clear),
        cmocka_unit_test_teardown(the_next_owner_reads_the_receipts_of_a_node_that_was_killed,
                                  bus_clear),
        cmocka_unit_test_teardown(
            the_next_owner_reads_the_receipts_for_a_partition_that_was_given_away, bus_clear),
        cmocka_unit_test_teardown(
            a_node_that_is_back_reads_its_own_receipts_for_what_is_still_its_own, bus_clear),
        cmocka_unit_test_teardown(
            a_will_has_the_receipts_of_a_partition_until_the_book_gives_it_away, bus_clear),
        cmocka_unit_test_teardown(the_receipts_are_kept_although_the_answer_of_the_book_was_lost,
                                  bus_clear),
        cmocka_unit_test_teardown(a_snapshot_does_not_hide_an_agent_that_nobody_has_taken,
                                  bus_clear),
        cmocka_unit_test_teardown(who_has_only_read_a_message_notices_that_it_is_lost, bus_clear),
        cmocka_unit_test_teardown(a_node_that_is_back_sends_its_agents_again_when_they_are_lost,
                                  bus_clear),
        cmocka_unit_test_teardown(an_heir_sends_agents_again_when_the_servers_lose_them, bus_clear),
        cmocka_unit_test_teardown(
            an_agent_has_arrived_when_a_second_lease_names_a_will_with_its_receipt, bus_clear),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
