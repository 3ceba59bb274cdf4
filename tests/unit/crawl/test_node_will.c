/* The will of a node, and its receipts: every agent lives once, although servers lose messages and
 * nodes die. SPDX-License-Identifier: MIT */
#include "nodes.h"

/* Partition 0 becomes ours, and brings these receipts. */
static void begin(struct crawl *c, uint64_t position, const struct receipts *taken)
{
    struct buf bytes = BUF_INIT(LIMIT_RECEIPTS);

    receipts_save(taken, (struct receipts_name){1, 0}, &bytes);
    bring(c, INCOMING_BEGIN, 0, position, buf_str(&bytes));
    buf_free(&bytes);
}

/* Earlier owners have taken these batches of node 7. */
static void begin_with_receipts(struct crawl *c, uint64_t position, uint64_t from, uint64_t to)
{
    struct receipts taken = {0};

    receipts_add(&taken, &(struct receipt){.token = 1, .sender = 7, .from = from, .to = to});
    begin(c, position, &taken);
    receipts_clear(&taken);
}

static void open_part(struct crawl *c, uint64_t position)
{
    bring(c, INCOMING_OPEN, 0, position, STR(""));
}

/* The sender sent a batch again after the loss, but the owner was killed before that: the agents
 * are in the owner's will, and would live twice. */
static void
agents_that_the_last_owner_had_taken_are_not_taken_from_a_repeated_batch(void **state UNUSED)
{
    struct walkers w;

    walkers_init(&w);
    begin_with_receipts(&w.c, 20, 1, 2); /* the log was set back to message 20 */
    log_agent(&w.c, 31, 1);
    open_part(&w.c, 31);
    assert_int_equal(w.n.travel.nguests, 0);
    send_agent(&w.c, 32, 2); /* this one comes even later */
    send_agent(&w.c, 33, 3);
    assert_int_equal(w.n.travel.nguests, 1);
    assert_int_equal(w.n.travel.guests[0].number, 3);
    walkers_clear(&w);
}

/* The owner was killed before it had noticed the loss: up to message 40, it had read other messages
 * than are there now. */
static void agents_at_positions_of_lost_messages_are_taken(void **state UNUSED)
{
    struct walkers w;

    walkers_init(&w);
    begin_with_receipts(&w.c, 40, 1, 1);
    log_agent(&w.c, 31, 1);
    log_agent(&w.c, 32, 2);
    open_part(&w.c, 32);
    assert_int_equal(w.n.travel.nguests, 1);
    assert_int_equal(w.n.travel.guests[0].number, 2);
    walkers_clear(&w);
}

/* Whoever can write to the bus wrote them. */
static void receipts_that_come_with_a_partition_are_for_no_other(void **state UNUSED)
{
    struct receipts taken = {0};
    struct walkers w;

    walkers_init(&w);
    receipts_add(&taken, &(struct receipt){.part = 1, .token = 1, .sender = 7, .from = 1, .to = 9});
    begin(&w.c, 20, &taken);
    assert_true(w.n.parts[0].has_receipts);
    assert_false(receipts_have(&w.n.claimed, 1, 7, 5));
    receipts_clear(&taken);
    walkers_clear(&w);
}

static void will_of(struct walkers *w, struct receipts *ret)
{
    will_make(&w->c);
    assert_non_null(w->n.travel.will);
    receipts_move(ret, &w->n.travel.will->taken);
}

/* The next owner of the partition reads them. */
static void a_will_has_receipts_of_all_batches_and_of_those_of_earlier_owners(void **state UNUSED)
{
    struct receipts taken = {0};
    struct walkers w;

    walkers_init(&w);
    begin_with_receipts(&w.c, 20, 4, 9);
    log_agent(&w.c, 31, 1);
    open_part(&w.c, 31);
    send_agent(&w.c, 33, 12); /* the batches between are missing */
    will_of(&w, &taken);
    assert_true(receipts_were_open(&taken, 0, 3));
    assert_true(receipts_have(&taken, 0, 7, 1));
    assert_false(receipts_have(&taken, 0, 7, 2));
    assert_true(receipts_have(&taken, 0, 7, 4)); /* the log has lost it */
    assert_true(receipts_have(&taken, 0, 7, 9));
    assert_false(receipts_have(&taken, 0, 7, 11));
    assert_true(receipts_have(&taken, 0, 7, 12));
    assert_false(receipts_have(&taken, 1, 7, 1));
    receipts_clear(&taken);
    walkers_clear(&w);
}

/* A node on the bus can write such a snapshot. */
static void gaps_that_overlap_or_have_no_end_leave_receipts_that_others_accept(void **state UNUSED)
{
    static const uint64_t gaps[][3] = {{7, 3, 9},  {7, 4, 5},   {8, 3, UINT64_MAX},
                                       {9, 1, 20}, {9, 30, 40}, {9, 50, 60}};
    struct receipts_name name = {1, 1};
    struct receipts taken = {0}, read = {0};
    struct buf bytes = BUF_INIT(LIMIT_RECEIPTS);
    struct node n;

    node_of(&n);
    n.parts[1].ours = true;
    n.parts[1].token = 1;
    for (uint64_t sender = 7; sender <= 9; sender++)
        inbox_last(&n, sender, 1)->number = sender == 9 ? 35 : 12;
    for (size_t i = 0; i < ARRAY_LEN(gaps); i++) {
        MEM_GROW(n.gaps, n.ngaps, &n.gaps_cap);
        n.gaps[n.ngaps++] =
            (struct gap){.part = 1, .sender = gaps[i][0], .from = gaps[i][1], .to = gaps[i][2]};
    }
    node_receipts(&n, 1, &taken);
    receipts_save(&taken, name, &bytes);
    assert_int_equal(receipts_load(&read, buf_str(&bytes), &name), ST_OK);
    for (uint64_t number = 1; number <= 70; number++) {
        bool of_7 = number <= 2 || (number >= 10 && number <= 12);
        bool of_9 = number >= 21 && number <= 29;

        assert_int_equal(receipts_have(&read, 1, 7, number), of_7);
        assert_int_equal(receipts_have(&read, 1, 8, number), number <= 2);
        assert_int_equal(receipts_have(&read, 1, 9, number), of_9);
    }
    receipts_clear(&taken);
    receipts_clear(&read);
    buf_free(&bytes);
    node_clear(&n);
}

/* Not when a message of the log has its position: it may be another message. */
static void a_guest_lives_when_a_will_that_has_it_stands(void **state UNUSED)
{
    struct walkers w;

    walkers_init(&w);
    w.n.parts[0].ours = true;
    send_agent(&w.c, 30, 1);
    w.n.travel.safe[0] = 30;
    w.n.view.will = 5; /* of another process */
    travel_turn(&w.c, false);
    assert_int_equal(w.n.travel.nguests, 1);
    assert_true(travel_waits(&w.c)); /* for a will */
    w.n.view.will = 0;
    will_make(&w.c);
    assert_false(travel_waits(&w.c));
    travel_turn(&w.c, false);
    assert_int_equal(w.n.travel.nguests, 1);
    w.n.view.will = w.n.travel.guests[0].will;
    travel_turn(&w.c, false);
    assert_int_equal(w.n.travel.nguests, 0); /* it was no real agent, and is dropped */
    assert_int_equal(w.n.lost, 1);
    walkers_clear(&w);
}

/* A batch for this partition, with an agent that left. */
static void leave_in(struct node *n, uint32_t part, size_t len)
{
    struct traveller away = {.agent = 9, .part = part, .number = 3};
    struct buf bytes = BUF_INIT(LIMIT_BATCH);
    struct kept_batch *k;
    struct batch b;
    LOCAL_BUF agent = BUF_INIT(LIMIT_TRAVEL);

    while (agent.len < len)
        buf_add_char(&agent, 'a');
    batch_init(&b);
    batch_add(
        &b, &(struct batch_item){.kind = BATCH_AGENT, .url = STR(PLACE), .agent = buf_str(&agent)});
    batch_take(&b, 1, 3, &bytes);
    batch_clear(&b);
    MEM_GROW(n->kept, n->count, &n->cap);
    k = &n->kept[n->count++];
    *k = (struct kept_batch){.part = part, .number = 3, .at = part + 1, .will = 1};
    k->bytes = buf_take(&bytes, &k->len);
    MEM_GROW(n->travel.away, n->travel.naway, &n->travel.away_cap);
    n->travel.away[n->travel.naway++] = away;
}

/* The servers may lose it after they have acknowledged it, and then the node may be killed. */
static void a_batch_is_in_the_will_until_its_agents_have_arrived(void **state UNUSED)
{
    struct cursor from;
    struct will_item item;
    struct walkers w;

    walkers_init(&w);
    leave_in(&w.n, 5, 8);
    w.n.next = 1;
    w.n.view.sent[5] = 3; /* the servers have it */
    will_make(&w.c);
    assert_int_equal(w.n.travel.will->chunks[0].count, 1);
    from = (struct cursor){.rest = buf_str(&w.n.travel.will->chunks[0].items)};
    will_next(&from, &item);
    assert_true(item.is_batch);
    assert_int_equal(item.part, 5);
    walkers_clear(&w);
}

/* Else the servers could lose it, and it would be nowhere. */
static void a_batch_for_which_the_will_has_no_room_is_counted_and_waits(void **state UNUSED)
{
    const uint32_t count = LIMIT_WILL_CHUNKS * (LIMIT_WILL / LIMIT_TRAVEL) + 1;
    struct kept_batch *last;
    struct walkers w;

    walkers_init(&w);
    for (uint32_t i = 0; i < count; i++)
        leave_in(&w.n, i, LIMIT_TRAVEL - 400);
    will_make(&w.c);
    last = &w.n.kept[count - 1];
    assert_true(w.n.travel.will->left_out > 0);
    assert_int_equal(w.n.travel.left_out, w.n.travel.will->left_out); /* and the log says so */
    assert_true(w.n.kept[0].is_willed);
    assert_false(last->is_willed);
    w.n.travel.away[0] = w.n.travel.away[--w.n.travel.naway]; /* the first has arrived */
    w.n.travel.owed = true;
    will_make(&w.c);
    assert_true(last->is_willed);
    assert_int_equal(last->will, 2); /* when this one stands, it is sent */
    walkers_clear(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agents_that_the_last_owner_had_taken_are_not_taken_from_a_repeated_batch),
        cmocka_unit_test(agents_at_positions_of_lost_messages_are_taken),
        cmocka_unit_test(receipts_that_come_with_a_partition_are_for_no_other),
        cmocka_unit_test(a_will_has_receipts_of_all_batches_and_of_those_of_earlier_owners),
        cmocka_unit_test(gaps_that_overlap_or_have_no_end_leave_receipts_that_others_accept),
        cmocka_unit_test(a_guest_lives_when_a_will_that_has_it_stands),
        cmocka_unit_test(a_batch_is_in_the_will_until_its_agents_have_arrived),
        cmocka_unit_test(a_batch_for_which_the_will_has_no_room_is_counted_and_waits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
