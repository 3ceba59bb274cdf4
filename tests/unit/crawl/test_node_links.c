/* Links of a crawl on several machines: what a node writes to the logs, and what it takes from
 * them. SPDX-License-Identifier: MIT */
#include "nodes.h"

#include "frontier/frontier.h"
#include "parse/url_norm.h"

/* A link to PLACE, in a batch of this sender. */
static void send_link(struct place *t, uint64_t sender, uint64_t number)
{
    bring_batch(
        &t->c, &(struct incoming){.kind = INCOMING_BATCH, .part = t->part}, sender, number,
        &(struct batch_item){.kind = BATCH_LINK, .url = STR(PLACE), .link = LINK_A, .depth = 1});
}

/* It was on its way to the log while that was read: nobody else would ever offer it. */
static void a_link_that_was_sent_away_and_came_back_with_its_host_is_offered(void **state UNUSED)
{
    struct place t;
    enum drop why;

    place_init(&t);
    assert_int_not_equal(crawl_meet(&t.c, STR(PLACE), LINK_A, 0, 1, &why), 0);
    assert_int_equal(why, DROP_FOREIGN);
    assert_int_equal(t.n.parts[t.part].open.count, 1);
    t.n.parts[t.part].ours = true;
    send_link(&t, t.n.id, 1);
    assert_int_equal(offered, 1);
    send_link(&t, t.n.id, 2); /* our own links are known here */
    assert_int_equal(offered, 1);
    place_clear(&t);
}

/* A page at another place names PLACE. */
static void find_page(struct place *t, enum drop verdict)
{
    struct link link = {.url = STR(PLACE), .kind = LINK_A};
    struct page page = {.kind = PAGE_HTML, .links = &link, .nlinks = 1};
    struct request request = {.href = STR("http://b.example/")};
    struct link_mark mark = {0};
    struct arrival a = {.request = &request, .page = &page, .marks = &mark};

    link.key = url_key(link.url);
    mark.drop = (uint8_t)frontier_meet(t->c.frontier, &link, 1, 1, &mark.url, &mark.is_new);
    if (verdict != DROP_NONE)
        mark.drop = (uint8_t)verdict;
    node_hear(&t->c, &(struct event){.kind = EVENT_PAGE, .page = {.arrival = &a, .id = 1}});
}

static void a_link_is_logged_when_it_may_be_followed_for_the_first_time(void **state UNUSED)
{
    for (int ours = 0; ours < 2; ours++) {
        struct place t;

        place_init(&t);
        t.n.parts[t.part].ours = ours;
        find_page(&t, DROP_NOFOLLOW);
        assert_int_equal(t.n.parts[t.part].open.count, 0);
        find_page(&t, DROP_NONE);
        assert_int_equal(t.n.parts[t.part].open.count, 1);
        find_page(&t, DROP_NONE);
        assert_int_equal(t.n.parts[t.part].open.count, 1);
        place_clear(&t);
    }
}

static void bring_chunk(struct place *t)
{
    static const struct batch_item items[] = {
        {.kind = BATCH_SENDER, .node = 9, .to = 5},
        {.kind = BATCH_SENDER, .node = 9, .from = 2, .to = 3},
        {.kind = BATCH_SETTLED, .url = {"http://a.example/gone", 21}, .node = 9},
        {.kind = BATCH_SETTLED, .url = {"http://a.example/seen", 21}, .node = 9},
        {.kind = BATCH_LINK, .url = {PLACE, sizeof PLACE - 1}},
    };
    struct buf chunk = BUF_INIT(LIMIT_BATCH);

    snapshot_begin(&chunk, &(struct snapshot_head){.id = 1, .upto = 30, .count = ARRAY_LEN(items)});
    for (size_t i = 0; i < ARRAY_LEN(items); i++)
        batch_put(&chunk, &items[i]);
    bring(&t->c, INCOMING_SNAPSHOT, t->part, 30, buf_str(&chunk));
    buf_free(&chunk);
}

/* What waits is offered, what was visited is not, unless its page was lost since. */
static void a_partition_is_rebuilt_from_a_snapshot_and_the_log_behind_it(void **state UNUSED)
{
    struct buf bytes = BUF_INIT(LIMIT_BATCH);
    struct place t;
    struct batch b;

    place_init(&t);
    batch_init(&b);
    batch_add(&b, &(struct batch_item){.kind = BATCH_LOST, .url = STR("http://a.example/gone")});
    batch_take(&b, 11, 1, &bytes);
    for (int twice = 0; twice < 2; twice++) { /* another snapshot came while this one was read */
        bring(&t.c, INCOMING_BEGIN, t.part, 0, STR(""));
        bring_chunk(&t);
        bring(&t.c, INCOMING_LOG, t.part, 31, buf_str(&bytes));
    }
    bring(&t.c, INCOMING_OPEN, t.part, 31, STR(""));
    assert_true(t.n.parts[t.part].ours);
    assert_int_equal(offered, 3); /* the lost one as it was known, and again as lost */
    assert_int_equal(gaps_missing(&t.n), 2);
    send_link(&t, 9, 5); /* it is in the snapshot … */
    assert_int_equal(offered, 3);
    send_link(&t, 9, 3); /* … and this one is not */
    assert_int_equal(offered, 4);
    assert_int_equal(gaps_missing(&t.n), 1);
    batch_clear(&b);
    buf_free(&bytes);
    place_clear(&t);
}

static void note_order(void *ctx, const struct event *e)
{
    int64_t *last = ctx;

    if (e->kind != EVENT_BATCH)
        return;
    assert_true(e->batch.at > *last);
    *last = e->batch.at;
}

/* The clock may stand still, or go back: links stay before the outcome of their page. */
static void no_two_batches_are_closed_at_the_same_moment(void **state UNUSED)
{
    struct place t;
    int64_t last = 0;

    place_init(&t);
    bus_join(t.c.bus, note_order, &last);
    t.c.now = 1000;
    find_page(&t, DROP_NONE);
    node_gather(&t.c);
    assert_int_equal(t.n.count, 2);
    assert_int_equal(t.n.kept[0].part, t.part);
    assert_int_equal(last, t.n.kept[1].at);
    t.c.now = 900;
    find_page(&t, DROP_NONE);
    node_gather(&t.c);
    assert_int_equal(t.n.count, 3);
    place_clear(&t);
}

/* A batch that was closed at a moment, and is on the bus. */
static void keep(struct node *n, int64_t at, uint32_t part)
{
    MEM_GROW(n->kept, n->count, &n->cap);
    n->kept[n->count++] =
        (struct kept_batch){.part = part, .number = 1, .at = at, .bytes = str_dup(STR("a batch"))};
    n->next = n->count;
    n->view.sent[part] = 1;
}

/* An agent in it never arrives. The batches behind it need not be kept because of that. */
static void a_batch_without_a_receipt_holds_up_no_others(void **state UNUSED)
{
    struct walkers w;
    struct traveller away = {.agent = 9, .part = 2, .number = 1};

    walkers_init(&w);
    MEM_GROW(w.n.travel.away, w.n.travel.naway, &w.n.travel.away_cap);
    w.n.travel.away[w.n.travel.naway++] = away;
    for (uint32_t part = 1; part <= 4; part++)
        keep(&w.n, part, part);
    w.n.agents_at = INT64_MAX; /* it is not sent again here */
    w.c.now = 3600 * US_PER_S;
    keep(&w.n, w.c.now, 5); /* a moment ago */
    outbox_turn(&w.c);
    assert_int_equal(w.n.next - w.n.first, 2);
    assert_int_equal(w.n.kept[w.n.first].part, 2);
    assert_int_equal(w.n.kept[w.n.first + 1].part, 5);
    w.n.travel.naway = 0;
    w.c.now += 2 * US_PER_S;
    outbox_turn(&w.c);
    assert_int_equal(w.n.kept[w.n.first].part, 5);
    walkers_clear(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_link_that_was_sent_away_and_came_back_with_its_host_is_offered),
        cmocka_unit_test(a_link_is_logged_when_it_may_be_followed_for_the_first_time),
        cmocka_unit_test(a_partition_is_rebuilt_from_a_snapshot_and_the_log_behind_it),
        cmocka_unit_test(no_two_batches_are_closed_at_the_same_moment),
        cmocka_unit_test(a_batch_without_a_receipt_holds_up_no_others),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
