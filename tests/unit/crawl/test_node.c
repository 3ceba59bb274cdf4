/* A node of a crawl on several machines: what it takes from the bus, and what it shares.
 * SPDX-License-Identifier: MIT */
#include "agent/population.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/os/clock.h"
#include "bus/bus.h"
#include "crawl/node/node_int.h"
#include "frontier/frontier.h"
#include "parse/url_norm.h"
#include "support/support.h"
#include "text/profile.h"
#include "text/topic.h"

#include <stdlib.h>
#include <string.h>

static void node_of(struct node *ret)
{
    *ret = (struct node){.id = 1};
    ret->parts[0].ours = true;
    map_init(&ret->hosts);
    map_init(&ret->told);
    map_init(&ret->pauses);
    map_init(&ret->last_at);
}

static void node_clear(struct node *n)
{
    free(n->last);
    free(n->gaps);
    receipts_clear(&n->claimed);
    map_free(&n->hosts);
    map_free(&n->told);
    map_free(&n->pauses);
    map_free(&n->last_at);
}

/* A batch without items arrives. */
static void send(struct crawl *c, uint64_t sender, uint64_t number)
{
    struct buf bytes = BUF_INIT(LIMIT_BATCH);
    struct batch batch;
    struct incoming *in;

    batch_init(&batch);
    batch_take(&batch, sender, number, &bytes);
    in = calloc(1, sizeof *in + bytes.len);
    assert_non_null(in);
    in->kind = INCOMING_BATCH;
    in->position = sender;
    in->len = bytes.len;
    memcpy(in->bytes, bytes.data, bytes.len);
    inbox_take(c, in);
    batch_clear(&batch);
    buf_free(&bytes);
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

static void ignore(void *ctx, const struct event *e)
{
    (void)ctx, (void)e;
}

static const struct model_moves moves;
static const struct model_ops walker = {.name = "walker", .moves = &moves};

/* An agent for partition 0, in the message at this position. */
static void bring_agent(struct crawl *c, enum incoming_kind kind, uint64_t position,
                        uint64_t number)
{
    struct buf bytes = BUF_INIT(LIMIT_BATCH);
    struct batch batch;
    struct incoming *in;

    batch_init(&batch);
    batch_add(&batch, &(struct batch_item){.kind = BATCH_AGENT,
                                           .url = STR("http://a.example/"),
                                           .depth = 2,
                                           .agent = STR("an agent")});
    batch_take(&batch, 7, number, &bytes);
    in = calloc(1, sizeof *in + bytes.len);
    assert_non_null(in);
    in->kind = kind;
    in->position = position;
    in->len = bytes.len;
    memcpy(in->bytes, bytes.data, bytes.len);
    inbox_take(c, in);
    batch_clear(&batch);
    buf_free(&bytes);
}

static void send_agent(struct crawl *c, uint64_t position, uint64_t number)
{
    bring_agent(c, INCOMING_BATCH, position, number);
}

static void an_agent_that_came_is_a_guest_until_it_is_committed(void **state UNUSED)
{
    struct model model = {.ops = &walker};
    struct buf saved = BUF_INIT(10000);
    struct node n, back;
    struct crawl c = {.node = &n, .model = &model};

    node_of(&n);
    assert_true(travel_is_over(&c));
    send_agent(&c, 30, 1);
    send_agent(&c, 31, 1); /* a message that came twice brings nobody */
    send_agent(&c, 40, 2);
    assert_int_equal(n.travel.nguests, 2);
    assert_int_equal(n.travel.guests[1].position, 40);
    assert_true(travel_has_guests(&c, 0));
    assert_false(travel_has_guests(&c, 1));
    assert_true(travel_waits(&c)); /* for a checkpoint */
    travel_mark(&c);
    assert_false(travel_waits(&c)); /* which is being made */
    assert_int_equal(n.travel.saved[0], 40);
    travel_save(&c, &saved);
    node_of(&back);
    back.parts[0].position = 40;
    c.node = &back;
    assert_true(travel_load(&c, &(struct cursor){.rest = buf_str(&saved)}, 5));
    assert_int_equal(back.travel.nguests, 2);
    assert_int_equal(back.travel.safe[0], 40);
    assert_false(travel_load(&c, &(struct cursor){.rest = {saved.data, saved.len - 1}}, 5));
    travel_clear(&back.travel);
    c.node = &n;
    travel_rollback(&c, 35); /* message 40 is gone, and the guest is here */
    assert_int_equal(n.travel.guests[0].position, 30);
    assert_int_equal(n.travel.guests[1].position, 35);
    assert_int_equal(n.parts[0].position, 35);
    travel_clear(&n.travel);
    node_clear(&back);
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

static void agents_for_a_partition_that_was_given_away_are_the_next_owners(void **state UNUSED)
{
    struct model model = {.ops = &walker};
    struct node n;
    struct crawl c = {.node = &n, .model = &model};

    node_of(&n);
    n.parts[0].ours = false;
    n.parts[0].closing = true;
    send_agent(&c, 30, 1); /* it is still ours in the book */
    n.parts[0].closing = false;
    send_agent(&c, 40, 2);
    assert_int_equal(n.travel.nguests, 1);
    travel_clear(&n.travel);
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
    travel_clear(&n.travel);
    node_clear(&n);
    buf_free(&saved);
}

/* ---- the servers have lost messages ---- */

/* Partition 0 becomes ours: earlier owners have taken these batches of node 7. */
static void begin_with_receipts(struct crawl *c, uint64_t position, uint64_t from, uint64_t to)
{
    struct buf bytes = BUF_INIT(LIMIT_RECEIPTS);
    struct receipts taken = {0};
    struct incoming *in;

    receipts_add(&taken, &(struct receipt){.token = 1, .sender = 7, .from = from, .to = to});
    receipts_save(&taken, (struct receipts_name){1, 0}, &bytes);
    in = calloc(1, sizeof *in + bytes.len);
    assert_non_null(in);
    in->kind = INCOMING_BEGIN;
    in->token = 3;
    in->position = position;
    in->len = bytes.len;
    memcpy(in->bytes, bytes.data, bytes.len);
    inbox_take(c, in);
    receipts_clear(&taken);
    buf_free(&bytes);
}

static void open_part(struct crawl *c, uint64_t position)
{
    struct incoming *in = calloc(1, sizeof *in);

    assert_non_null(in);
    in->kind = INCOMING_OPEN;
    in->token = 3;
    in->position = position;
    inbox_take(c, in);
}

struct walkers {
    struct node n;
    struct model model;
    struct crawl c;
};

static void walkers_init(struct walkers *w)
{
    *w = (struct walkers){.model = {.ops = &walker}};
    node_of(&w->n);
    w->n.parts[0].ours = false;
    w->n.parts[0].tail = &w->n.parts[0].log;
    w->c = (struct crawl){.node = &w->n, .model = &w->model};
    w->c.population = population_new(ignore, NULL);
}

static void walkers_clear(struct walkers *w)
{
    travel_clear(&w->n.travel);
    population_free(w->c.population);
    node_clear(&w->n);
}

/* The sender sent a batch again after the loss, but the owner was killed before that: the agents
 * are in the owner's will, and would live twice. */
static void
agents_that_the_last_owner_had_taken_are_not_taken_from_a_repeated_batch(void **state UNUSED)
{
    struct walkers w;

    walkers_init(&w);
    begin_with_receipts(&w.c, 20, 1, 2); /* the log was set back to message 20 */
    bring_agent(&w.c, INCOMING_LOG, 31, 1);
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
    bring_agent(&w.c, INCOMING_LOG, 31, 1);
    bring_agent(&w.c, INCOMING_LOG, 32, 2);
    open_part(&w.c, 32);
    assert_int_equal(w.n.travel.nguests, 1);
    assert_int_equal(w.n.travel.guests[0].number, 2);
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
    bring_agent(&w.c, INCOMING_LOG, 31, 1);
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

/* The servers may lose it after they have acknowledged it, and then the node may be killed. */
static void a_batch_is_in_the_will_until_its_agents_have_arrived(void **state UNUSED)
{
    struct buf bytes = BUF_INIT(LIMIT_BATCH);
    struct kept_batch kept = {.part = 5, .number = 3};
    struct traveller away = {.agent = 9, .part = 5, .number = 3};
    struct cursor from;
    struct will_item item;
    struct walkers w;
    struct batch b;

    walkers_init(&w);
    batch_init(&b);
    batch_take(&b, 1, 3, &bytes);
    kept.bytes = bytes.data;
    kept.len = bytes.len;
    w.n.kept = &kept;
    w.n.count = w.n.next = 1;
    w.n.view.sent[5] = 3; /* the servers have it */
    w.n.travel.away = &away;
    w.n.travel.naway = 1;
    will_make(&w.c);
    assert_int_equal(w.n.travel.will->chunks[0].count, 1);
    from = (struct cursor){.rest = buf_str(&w.n.travel.will->chunks[0].items)};
    will_next(&from, &item);
    assert_true(item.is_batch);
    assert_int_equal(item.part, 5);
    w.n.travel.away = NULL;
    w.n.travel.naway = 0;
    buf_free(&bytes);
    batch_clear(&b);
    walkers_clear(&w);
}

static int revived;
static bool links_are_left;

static bool on_revive(struct model *m, bool (*is_here)(void *ctx, uint32_t url), void *ctx)
{
    (void)m, (void)is_here, (void)ctx;
    revived += links_are_left;
    return links_are_left;
}

/* The last agent left a moment after the last one was born for such links. */
static void a_crawl_is_not_over_while_links_wait_for_an_agent(void **state UNUSED)
{
    static const struct model_moves lives = {.revive = on_revive};
    static const struct model_ops ops = {.name = "reviver", .moves = &lives};
    struct model model = {.ops = &ops};
    struct node n;
    struct crawl c = {.node = &n, .model = &model, .now = 100 * US_PER_S};

    node_of(&n);
    c.population = population_new(ignore, NULL);
    revived = 0;
    links_are_left = true;
    travel_turn(&c, true);
    assert_int_equal(revived, 1);
    c.now += US_PER_S;
    c.pages++; /* that one found a page */
    travel_turn(&c, true);
    assert_int_equal(revived, 1);
    assert_false(travel_is_over(&c));
    c.now += 2 * US_PER_S;
    travel_turn(&c, true);
    assert_int_equal(revived, 2);
    travel_turn(&c, true); /* that one did not: its link led to a missing page */
    assert_int_equal(revived, 3);
    links_are_left = false;
    c.now += 3 * US_PER_S;
    travel_turn(&c, true);
    assert_true(travel_is_over(&c));
    population_free(c.population);
    node_clear(&n);
}

/* ---- with a frontier ---- */

#define PLACE "http://a.example/x"

static bool is_foreign(void *ctx, struct str host)
{
    struct node *n = ctx;

    return !n->parts[node_part_of(n, host)].ours;
}

static int offered;

static void on_perceive(struct model *m, struct percept *p)
{
    (void)m;
    assert_true(p->hearsay);
    offered++;
}

static const struct model_ops listener = {.name = "listener", .perceive = on_perceive};

struct place {
    struct node n;
    struct model model;
    struct crawl c;
    uint32_t part;
};

static void place_init(struct place *t)
{
    struct frontier_config config = {.per_host = 1,
                                     .max_depth = UINT32_MAX,
                                     .pages_per_host = UINT32_MAX,
                                     .max_waiting = 1000,
                                     .max_urls = 1000,
                                     .foreign = is_foreign,
                                     .foreign_ctx = &t->n};

    *t = (struct place){.model = {.ops = &listener}};
    node_of(&t->n);
    t->n.parts[0].ours = false;
    for (uint32_t p = 0; p < PARTITIONS; p++)
        batch_init(&t->n.parts[p].open);
    t->c.node = &t->n;
    t->c.model = &t->model;
    t->c.frontier = frontier_new(&config);
    t->c.bus = bus_new();
    t->c.profiler = profiler_new(NULL);
    t->part = node_part_of_url(&t->n, STR(PLACE));
    bus_join(t->c.bus, node_hear, &t->c);
    offered = 0;
}

static void place_clear(struct place *t)
{
    for (size_t i = 0; i < t->n.count; i++)
        free(t->n.kept[i].bytes);
    free(t->n.kept);
    free(t->n.fates);
    for (uint32_t p = 0; p < PARTITIONS; p++)
        batch_clear(&t->n.parts[p].open);
    profiler_free(t->c.profiler);
    bus_free(t->c.bus);
    frontier_free(t->c.frontier);
    node_clear(&t->n);
}

/* A link to PLACE, in a batch of this sender. */
static void send_link(struct place *t, uint64_t sender, uint64_t number)
{
    struct buf bytes = BUF_INIT(LIMIT_BATCH);
    struct batch batch;
    struct incoming *in;

    batch_init(&batch);
    batch_add(&batch, &(struct batch_item){
                          .kind = BATCH_LINK, .url = STR(PLACE), .link = LINK_A, .depth = 1});
    batch_take(&batch, sender, number, &bytes);
    in = calloc(1, sizeof *in + bytes.len);
    assert_non_null(in);
    in->kind = INCOMING_BATCH;
    in->part = t->part;
    in->len = bytes.len;
    memcpy(in->bytes, bytes.data, bytes.len);
    t->n.taking = true;
    inbox_take(&t->c, in);
    t->n.taking = false;
    batch_clear(&batch);
    buf_free(&bytes);
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

static uint32_t settler;

static uint32_t on_settles(struct model *m, struct str *ret_url, uint16_t *ret_depth)
{
    (void)m;
    *ret_url = STR(PLACE);
    *ret_depth = 2;
    return settler;
}

static bool on_record(const struct model *m, uint32_t agent, struct buf *out, uint32_t *ret_url)
{
    (void)m;
    buf_put_u32(out, agent);
    *ret_url = 0;
    return true;
}

static void on_let_go(struct model *m, uint32_t agent)
{
    (void)m, (void)agent;
}

/* Its links go without agents, and its agents without links. */
static void an_agent_without_a_place_settles_where_a_host_is_not_ours(void **state UNUSED)
{
    static const struct model_moves settling = {
        .record = on_record, .let_go = on_let_go, .settles = on_settles};
    static const struct model_ops settlers = {.name = "settlers", .moves = &settling};
    struct place t;
    enum drop why;
    uint32_t url;

    place_init(&t);
    t.model.ops = &settlers;
    t.c.population = population_new(ignore, NULL);
    settler = agent_born(t.c.population, 1, 0, "settler", 0, 1);
    url = crawl_meet(&t.c, STR(PLACE), LINK_A, 0, 1, &why);
    assert_false(node_travels(&t.c, &(struct choice){.url = url, .agent = settler}));
    t.n.parts[t.part].ours = true;
    travel_settle(&t.c);
    assert_true(agent_is_alive(t.c.population, settler));
    t.n.parts[t.part].ours = false;
    travel_settle(&t.c);
    assert_false(agent_is_alive(t.c.population, settler));
    assert_int_equal(t.n.travel.naway, 1);
    assert_int_equal(t.n.travel.away[0].part, t.part);
    travel_send(&t.c);
    assert_int_equal(t.n.parts[t.part].open.count, 2); /* the link, and the agent */
    assert_false(travel_waits(&t.c)); /* the usual checkpoint will do, while there is work */
    t.c.model_idle = true;
    assert_true(travel_waits(&t.c));
    settler = 0;
    travel_settle(&t.c);
    assert_int_equal(t.n.travel.naway, 1);
    population_free(t.c.population);
    travel_clear(&t.n.travel);
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

/* A message of the keeper's. */
static void bring(struct place *t, enum incoming_kind kind, uint64_t position, struct str bytes)
{
    struct incoming *in = calloc(1, sizeof *in + bytes.len);

    assert_non_null(in);
    in->kind = kind;
    in->part = t->part;
    in->token = 3;
    in->position = position;
    in->len = bytes.len;
    if (bytes.len)
        memcpy(in->bytes, bytes.ptr, bytes.len);
    t->n.taking = true;
    inbox_take(&t->c, in);
    t->n.taking = false;
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
    bring(t, INCOMING_SNAPSHOT, 30, buf_str(&chunk));
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
        bring(&t, INCOMING_BEGIN, 0, STR(""));
        bring_chunk(&t);
        bring(&t, INCOMING_LOG, 31, buf_str(&bytes));
    }
    bring(&t, INCOMING_OPEN, 31, STR(""));
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(senders_that_nobody_knows_do_not_fill_the_memory),
        cmocka_unit_test(an_agent_without_a_place_settles_where_a_host_is_not_ours),
        cmocka_unit_test(a_link_that_was_sent_away_and_came_back_with_its_host_is_offered),
        cmocka_unit_test(a_partition_is_rebuilt_from_a_snapshot_and_the_log_behind_it),
        cmocka_unit_test(a_link_is_logged_when_it_may_be_followed_for_the_first_time),
        cmocka_unit_test(no_two_batches_are_closed_at_the_same_moment),
        cmocka_unit_test(a_crawl_is_not_over_while_links_wait_for_an_agent),
        cmocka_unit_test(a_batch_that_was_missing_is_asked_for_and_taken_once),
        cmocka_unit_test(agents_that_the_last_owner_had_taken_are_not_taken_from_a_repeated_batch),
        cmocka_unit_test(agents_at_positions_of_lost_messages_are_taken),
        cmocka_unit_test(a_will_has_receipts_of_all_batches_and_of_those_of_earlier_owners),
        cmocka_unit_test(gaps_that_overlap_or_have_no_end_leave_receipts_that_others_accept),
        cmocka_unit_test(a_guest_lives_when_a_will_that_has_it_stands),
        cmocka_unit_test(a_batch_is_in_the_will_until_its_agents_have_arrived),
        cmocka_unit_test(an_agent_that_came_is_a_guest_until_it_is_committed),
        cmocka_unit_test(a_partition_that_is_being_given_away_is_saved_as_ours),
        cmocka_unit_test(agents_for_a_partition_that_was_given_away_are_the_next_owners),
        cmocka_unit_test(other_nodes_get_the_places_to_start_and_not_the_lists_they_came_from),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
