/* The keeper of a node's place, with a bus in memory. SPDX-License-Identifier: MIT */
#include "memory_bus.h"

/* Else both would ask the same hosts, each of them with a delay of its own. */
static void a_node_stops_when_a_copy_of_its_directory_has_joined(void **state UNUSED)
{
    struct cluster *c;

    found();
    c = start();
    join_as(7);
    await(view_of(c).fenced);
    cluster_stop(c, BOOK_RUNNING, 0);
}

/* A batch without items, as this node sends it. */
static void send_batch(struct cluster *c, uint32_t part, uint64_t number)
{
    struct buf bytes = BUF_INIT(LIMIT_BATCH);
    struct batch batch;

    batch_init(&batch);
    batch_take(&batch, 7, number, &bytes);
    cluster_send(c, part, number, 0, buf_str(&bytes));
    batch_clear(&batch);
    buf_free(&bytes);
}

static void a_partition_opens_although_the_end_of_its_log_was_lost(void **state UNUSED)
{
    static const uint32_t parts[] = {0, 0, 1, 1, 0};
    struct cluster *c;

    found();
    for (size_t i = 0; i < ARRAY_LEN(parts); i++)
        (void)bus_add(parts[i], STR("a batch"));
    bus.is_held = true;
    c = start();
    await(came(c, INCOMING_BEGIN, 0));
    send_batch(c, 1, 1);
    await(view_of(c).sent[1] == 1);
    (void)pthread_mutex_lock(&bus.lock);
    bus.end = 3;
    (void)pthread_mutex_unlock(&bus.lock);
    await(came(c, INCOMING_ROLLED, 0));
    (void)pthread_mutex_lock(&bus.lock);
    bus.is_held = false;
    (void)pthread_mutex_unlock(&bus.lock);
    await(came(c, INCOMING_OPEN, 0));
    cluster_stop(c, BOOK_RUNNING, 0);
}

/* The length of the stream says nothing then: others were quicker to write than we to look. */
static void
messages_that_were_lost_are_missed_although_others_are_in_their_place(void **state UNUSED)
{
    struct incoming *in;
    struct cluster *c;

    found();
    c = start();
    for (uint64_t n = 1; n <= 3; n++)
        send_batch(c, 1, n);
    await(view_of(c).sent[1] == 3);
    (void)pthread_mutex_lock(&bus.lock);
    bus.end = 1;
    for (int i = 0; i < 5; i++)
        (void)bus_add(2, STR("a batch of another node"));
    (void)pthread_mutex_unlock(&bus.lock);
    do {
        await((in = cluster_take(c)) != NULL);
        if (in->kind == INCOMING_ROLLED)
            break;
        free(in);
    } while (true);
    assert_int_equal(in->position, 1); /* the first of them is still there */
    assert_int_equal(in->token, 1);
    free(in);
    await(came(c, INCOMING_BATCH, 2)); /* its own log is read on from there */
    cluster_stop(c, BOOK_RUNNING, 0);
}

/* So that each founds only its share of the agents. */
static void nodes_that_are_expected_count_until_they_have_had_time_to_come(void **state UNUSED)
{
    struct cluster *c;

    found();
    c = start_with((struct cluster_config){.id = 7, .nodes = 3, .lease = 60 * US_PER_S});
    assert_int_equal(view_of(c).nodes, 3);
    await(came(c, INCOMING_OPEN, 1));
    assert_int_equal(view_of(c).nodes, 3);
    cluster_stop(c, BOOK_RUNNING, 0);
    c = start_with((struct cluster_config){.id = 8, .nodes = 3, .lease = US_PER_S / 10});
    await(view_of(c).nodes == 1);
    cluster_stop(c, BOOK_RUNNING, 0);
}

static void a_node_hears_what_others_miss_of_it(void **state UNUSED)
{
    struct cluster_report report = {.asks = {{.sender = 7, .part = 5, .from = 2, .to = 4},
                                             {.sender = 8, .part = 6, .from = 1, .to = 1}}};
    struct cluster_view view = {0};
    struct cluster *c;

    found();
    c = start();
    await((cluster_exchange(c, &report, &view), view.nasked) == 1);
    assert_int_equal(view.asked[0].part, 5);
    assert_int_equal(view.asked[0].to, 4);
    cluster_stop(c, BOOK_RUNNING, 0);
}

/* nats-server compares before it replicates: see line_set(). */
static void what_another_node_has_overwritten_unseen_did_not_happen(void **state UNUSED)
{
    struct cluster *c;
    struct book book;
    uint64_t revision;

    found();
    book_init(&book);
    bus.races = true; /* when it joins */
    c = start();
    assert_false(bus.races);
    (void)pthread_mutex_lock(&bus.lock);
    bus.races = true; /* when it takes partitions */
    (void)pthread_mutex_unlock(&bus.lock);
    await(came(c, INCOMING_OPEN, 0));
    assert_int_equal(cluster_book(NULL, &book, &revision), ST_OK);
    assert_int_equal(book.parts[0].owner, 7);
    assert_false(view_of(c).fenced);
    book_clear(&book);
    cluster_stop(c, BOOK_RUNNING, 0);
}

/* Whoever comes next reads the newest snapshot and what was written since. */
static void a_log_that_has_grown_is_taken_over_from_a_snapshot(void **state UNUSED)
{
    static const enum incoming_kind kinds[] = {INCOMING_BEGIN, INCOMING_SNAPSHOT, INCOMING_LOG,
                                               INCOMING_OPEN};
    struct cluster_config config = {.id = 7, .lease = 60 * US_PER_S, .snapshot = 40};
    struct cluster_report report = {0};
    struct cluster_view view;
    struct cluster *c;

    found();
    c = start_with(config);
    for (uint64_t n = 1; n <= 8; n++) {
        send_batch(c, 1, n);
        await(view_of(c).sent[1] == n);
        assert_int_equal(line_last(NULL, 1, &report.safe[1]), ST_OK);
        if (n % 4 == 0) /* a chunk and a mark for every four batches */
            await((cluster_exchange(c, &report, &view), messages_of(LINE_SHELF(1))) == n / 2);
    }
    send_batch(c, 1, 9);
    await(view_of(c).sent[1] == 9);
    cluster_stop(c, BOOK_RUNNING, 0);
    config.id = 8;
    c = start_with(config);
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        struct incoming *in = next_of(c, 1);

        assert_int_equal(in->kind, kinds[i]);
        free(in);
    }
    cluster_stop(c, BOOK_RUNNING, 0);
}

/* A writer that died leaves chunks without a mark. */
static void what_is_not_whole_is_not_handed_over(void **state UNUSED)
{
    struct incoming *in;
    struct cluster *c;
    struct buf chunk = BUF_INIT(LIMIT_BATCH);

    found();
    snapshot_begin(&chunk, &(struct snapshot_head){.id = 5, .upto = 1});
    (void)bus_add(1, STR("a batch"));
    (void)bus_add(LINE_SHELF(1), buf_str(&chunk));
    c = start();
    in = next_of(c, 1);
    assert_int_equal(in->kind, INCOMING_BEGIN);
    free(in);
    in = next_of(c, 1);
    assert_int_equal(in->kind, INCOMING_LOG);
    assert_int_equal(in->position, 1);
    free(in);
    cluster_stop(c, BOOK_RUNNING, 0);
    buf_free(&chunk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_node_stops_when_a_copy_of_its_directory_has_joined, bus_clear),
        cmocka_unit_test_teardown(a_partition_opens_although_the_end_of_its_log_was_lost,
                                  bus_clear),
        cmocka_unit_test_teardown(
            messages_that_were_lost_are_missed_although_others_are_in_their_place, bus_clear),
        cmocka_unit_test_teardown(what_another_node_has_overwritten_unseen_did_not_happen,
                                  bus_clear),
        cmocka_unit_test_teardown(nodes_that_are_expected_count_until_they_have_had_time_to_come,
                                  bus_clear),
        cmocka_unit_test_teardown(a_node_hears_what_others_miss_of_it, bus_clear),
        cmocka_unit_test_teardown(a_log_that_has_grown_is_taken_over_from_a_snapshot, bus_clear),
        cmocka_unit_test_teardown(what_is_not_whole_is_not_handed_over, bus_clear),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
