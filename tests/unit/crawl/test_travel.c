/* Agents on their way between the nodes of a crawl. SPDX-License-Identifier: MIT */
#include "nodes.h"

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
    c.node = &n;
    travel_rollback(&c, 35); /* message 40 is gone, and the guest is here */
    assert_int_equal(n.travel.guests[0].position, 30);
    assert_int_equal(n.travel.guests[1].position, 35);
    assert_int_equal(n.parts[0].position, 35);
    node_clear(&back);
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
    node_clear(&n);
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
    place_clear(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_agent_that_came_is_a_guest_until_it_is_committed),
        cmocka_unit_test(agents_for_a_partition_that_was_given_away_are_the_next_owners),
        cmocka_unit_test(a_crawl_is_not_over_while_links_wait_for_an_agent),
        cmocka_unit_test(an_agent_without_a_place_settles_where_a_host_is_not_ours),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
