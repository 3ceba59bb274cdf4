/* A crawl on several machines: its agents move, and outlive their nodes. Skipped by name where
 * there is no nats-server. SPDX-License-Identifier: MIT */
#include "nodes.h"

#include <math.h>
#include <signal.h>
#include <string.h>

/* Of a directory alone: who left, and whose parent lived on another node. */
static void tree_names_those_who_are_elsewhere(const char *name)
{
    struct ran alone = brood("tree", dir_of(name, 1)), all;

    assert_code(alone, 0);
    assert_says(alone.out, "on another node");
    all = brood("tree", dir_of(name, 0), dir_of(name, 1), dir_of(name, 2));
    assert_code(all, 0);
    assert_null(strstr(all.out, "on another node"));
}

static void agents_move_between_nodes_and_stay_one_family(void **state)
{
    static const char *const models[] = {"balanced", "infospiders", "endogenous", "crew"};

    (void)state;
    if (!bus_runs())
        skip();
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        const char *name = models[i];
        struct server *s = serve(web);
        struct job *jobs[NODES];
        struct sqlite3 *db;
        json_t *nodes;

        start_model(s, name, name, i == 0 ? "0" : "60", "20s", NODES, jobs);
        for (int k = 0; k < NODES; k++)
            ended_well(jobs[k]);
        db = facts_of_all(name, NODES, s);
        assert_int_equal(facts_int(db, "SELECT count(*) FROM stored"),
                         facts_int(db, "SELECT count(DISTINCT url) FROM stored"));
        they_are_one_family(db, name);
        if (i == 3) /* a crew's links move, and its agents stay */
            continue;
        assert_true(facts_int(db, "SELECT count(*) FROM trip WHERE came") > 0);
        nodes = json_of(brood("nodes", "--nats", bus_url, "--crawl", name, "--json").out);
        assert_true(json_number_value(json_object_get(json_object_get(nodes, "ledger"), "error")) <
                    1e-9);
        if (i > 0)
            continue;
        tree_names_those_who_are_elsewhere(name);
        crawl_alone(db);
        all_pages_are_those_of_one_machine(db);
        assert_int_equal(facts_int(db, "SELECT count(*) FROM trip WHERE came"),
                         facts_int(db, "SELECT count(*) FROM trip WHERE NOT came"));
        assert_int_equal(facts_int(db, "SELECT count(*) FROM (SELECT agent, trip FROM trip WHERE"
                                       " came GROUP BY agent, trip HAVING count(*) > 1)"),
                         0); /* nobody was doubled */
    }
}

/* The agents of `brood` have no place: some children settle on another node. Together there are as
 * many as the user wants, but each node has its share. */
static void policies_settle_on_other_nodes_and_their_number_is_that_of_all(void **state)
{
    const char *before = web;
    struct job *jobs[NODES];
    struct sqlite3 *db;
    struct server *s;
    int64_t agents = 0;

    (void)state;
    if (!bus_runs())
        skip();
    web = world("--pages", "400", "--hosts", "12", "--topics", "2");
    s = serve(web);
    delay = "50ms";
    start_model(s, "islands", "brood", "0", "20s", NODES, jobs);
    for (int i = 0; i < NODES; i++)
        ended_well(jobs[i]);
    db = facts_of_all("islands", NODES, s);
    assert_int_equal(facts_int(db, "SELECT count(*) FROM stored"),
                     facts_int(db, "SELECT count(DISTINCT url) FROM stored"));
    they_are_one_family(db, "islands");
    assert_true(facts_int(db, "SELECT count(*) FROM trip WHERE came") > 0);
    assert_int_equal(facts_int(db, "SELECT count(*) FROM trip WHERE came"),
                     facts_int(db, "SELECT count(*) FROM trip WHERE NOT came"));
    nobody_came_twice(db);
    the_books_are_balanced("islands");
    for (int i = 0; i < NODES; i++)
        agents += int_at(nodes_of("islands"), text("nodes.%d.agents", i));
    assert_in_range(agents, 6, 20); /* not 12 on each; each counts the others of a second ago */
    web = before;
}

static void agents_of_a_node_that_leaves_live_on_at_the_others(void **state)
{
    struct job *jobs[2];
    struct sqlite3 *db;
    struct server *s;

    (void)state;
    if (!bus_runs())
        skip();
    s = serve(web);
    delay = "1s";
    start_model(s, "leaves", "balanced", "0", "20s", 2, jobs);
    await(all_have_agents("leaves", 2));
    assert_int_equal(kill(job_pid(jobs[1]), SIGINT), 0);
    (void)job_wait(jobs[1]);
    assert_code(job_wait(jobs[0]), 0);
    server_stop(s);
    db = homes_of("leaves", 2); /* its directory has them as they were when it left */
    nobody_came_twice(db);
    assert_true(facts_int(db, "SELECT count(*) FROM home WHERE node = 1 AND alive") > 0);
    assert_int_equal(facts_int(db, "SELECT count(*) FROM home h WHERE node = 1 AND alive AND agent"
                                   " NOT IN (SELECT agent FROM home WHERE node = 0)"),
                     0);
    (void)sqlite3_close(db);
    the_books_are_balanced("leaves");
    assert_true(fabs(energy(nodes_of("leaves"), "lost")) < 1e-9);
}

static int64_t inherited(const char *name)
{
    json_t *nodes = json_object_get(nodes_of(name), "nodes"), *node;
    int64_t count = 0;
    size_t i;

    json_array_foreach(nodes, i, node) count += json_is_true(json_object_get(node, "inherited"));
    return count;
}

/* One of the two that are killed comes back; the disk of the other one is lost. */
static void kill_two_of_three(const char *name, const char *model)
{
    struct job *jobs[NODES], *back;
    struct sqlite3 *db;
    struct server *s;

    s = serve(web);
    delay = "2s";
    start_model(s, name, model, "0", "3s", NODES, jobs);
    await(all_have_agents(name, NODES));
    for (int i = 1; i < NODES; i++)
        assert_int_equal(kill(job_pid(jobs[i]), SIGKILL), 0);
    for (int i = 1; i < NODES; i++)
        assert_code(job_wait(jobs[i]), 128 + SIGKILL);
    await(inherited(name) == 2);
    back = brood_job("node", "--nats", bus_url, "--crawl", name, "--out", dir_of(name, 1),
                     "--trust", "--quiet");
    assert_code(job_wait(jobs[0]), 0);
    assert_code(job_wait(back), 0);
    server_stop(s);
    assert_says(file_text(text("%s/crawl.log", dir_of(name, 1))), "other nodes took over");
    db = homes_of(name, 2);
    nobody_came_twice(db);
    assert_int_equal(on_two_nodes(db), 0);
    assert_true(facts_int(db, "SELECT count(*) FROM trip WHERE came") > 0);
    (void)sqlite3_close(db);
    the_books_are_balanced(name);
}

static void agents_of_a_node_that_is_killed_live_on_and_only_there(void **state)
{
    (void)state;
    if (!bus_runs())
        skip();
    kill_two_of_three("heirs", "balanced");
    kill_two_of_three("heirs-brood", "brood");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agents_move_between_nodes_and_stay_one_family),
        cmocka_unit_test(policies_settle_on_other_nodes_and_their_number_is_that_of_all),
        cmocka_unit_test(agents_of_a_node_that_leaves_live_on_at_the_others),
        cmocka_unit_test(agents_of_a_node_that_is_killed_live_on_and_only_there),
    };

    return cmocka_run_group_tests(tests, bus_open, bus_close);
}
