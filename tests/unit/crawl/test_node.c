/* A node of a crawl on several machines: what it takes from the bus, and what it shares.
 * SPDX-License-Identifier: MIT */
#include "nodes.h"

#include "text/topic.h"

/* A batch without items arrives. */
static void send(struct crawl *c, uint64_t sender, uint64_t number)
{
    bring_batch(c, &(struct incoming){.kind = INCOMING_BATCH, .position = sender}, sender, number,
                NULL);
}

static void senders_that_nobody_knows_do_not_fill_the_memory(void **state UNUSED)
{
    struct node n;
    struct crawl c = {.node = &n};

    node_of(&n);
    for (uint64_t sender = 2; sender < LIMIT_SENDERS + 12; sender++)
        send(&c, sender, 1);
    assert_int_equal(n.nlast, LIMIT_SENDERS);
    assert_int_equal(n.lost, 10);
    send(&c, 2, 3); /* those that are known go on: one batch of it is missing */
    assert_int_equal(gaps_missing(&n), 1);
    assert_int_equal(inbox_last(&n, 2, 0)->number, 3);
    node_clear(&n);
}

static void a_batch_that_was_missing_is_asked_for_and_taken_once(void **state UNUSED)
{
    struct cluster_report say;
    struct model model = {.ops = &walker};
    struct buf saved = BUF_INIT(10000);
    struct node n, back;
    struct crawl c = {.node = &n, .model = &model};

    node_of(&n);
    send_agent(&c, 30, 1);
    send_agent(&c, 31, 6);
    assert_int_equal(gaps_missing(&n), 4);
    assert_true(gaps_are_awaited(&c));
    gaps_ask(&n, &say);
    assert_int_equal(say.asks[0].sender, 7);
    assert_int_equal(say.asks[0].from, 2);
    assert_int_equal(say.asks[0].to, 5);
    assert_int_equal(say.asks[1].from, 0);
    send_agent(&c, 32, 3); /* in the middle: two gaps are left */
    send_agent(&c, 33, 3);
    assert_int_equal(n.travel.nguests, 3);
    assert_int_equal(n.ngaps, 2);
    gaps_save(&n, &saved);
    node_of(&back);
    c.node = &back;
    assert_true(gaps_load(&c, &(struct cursor){.rest = buf_str(&saved)}));
    assert_int_equal(gaps_missing(&back), 3);
    assert_false(gaps_load(&c, &(struct cursor){.rest = {saved.data, saved.len - 1}}));
    node_clear(&back);
    c.node = &n;
    for (uint64_t number = 1; number <= 6; number++)
        send_agent(&c, 40 + number, number);
    assert_int_equal(n.ngaps, 0);
    assert_int_equal(n.travel.nguests, 6); /* each number once */
    node_clear(&n);
    buf_free(&saved);
}

/* It may be killed before the book gives it away. */
static void a_partition_that_is_being_given_away_is_saved_as_ours(void **state UNUSED)
{
    struct buf saved = BUF_INIT(10000);
    struct cursor from;
    struct node n;
    struct crawl c = {.node = &n};

    node_of(&n);
    n.parts[0].ours = false;
    n.parts[0].closing = true;
    n.parts[0].token = 5;
    node_save(&c, &saved);
    from = (struct cursor){.rest = buf_str(&saved)};
    (void)cursor_u8(&from);
    (void)cursor_u64(&from);
    assert_int_equal(cursor_u64(&from), 5);
    node_clear(&n);
    buf_free(&saved);
}

static void
other_nodes_get_the_places_to_start_and_not_the_lists_they_came_from(void **state UNUSED)
{
    struct crawl_options mine, theirs;
    struct text_list seeds = {0};
    struct crawl c = {.options = &mine};
    struct buf shared = BUF_INIT(LIMIT_SHARED);

    crawl_options_init(&mine);
    crawl_options_init_empty(&theirs);
    mine.seeds_from_cdx = str_dup(STR("list.cdx"));
    text_list_add(&mine.seeds_only, STR("*.example.org"));
    text_list_add(&seeds, STR("http://a.example.org/"));
    assert_int_equal(topic_from_words(STR("reefs"), STR("en"), &c.topic), ST_OK);
    shared_save(&c, &seeds, &shared);
    assert_int_equal(shared_load(buf_str(&shared), true, &theirs), ST_OK);
    assert_null(theirs.seeds_from_cdx);
    assert_int_equal(theirs.seeds_only.count, 0);
    assert_int_equal(theirs.seed.count, 1);
    assert_string_equal(theirs.seed.items[0], "http://a.example.org/");
    topic_free(c.topic);
    text_list_free(&seeds);
    crawl_options_free(&mine);
    crawl_options_free(&theirs);
    buf_free(&shared);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(senders_that_nobody_knows_do_not_fill_the_memory),
        cmocka_unit_test(a_batch_that_was_missing_is_asked_for_and_taken_once),
        cmocka_unit_test(a_partition_that_is_being_given_away_is_saved_as_ours),
        cmocka_unit_test(other_nodes_get_the_places_to_start_and_not_the_lists_they_came_from),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
