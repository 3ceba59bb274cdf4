/* A crawl on several machines: its pages, its limits, and nodes that are killed. Skipped by name
 * where there is no nats-server. SPDX-License-Identifier: MIT */
#include "nodes.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* If their disks were lost: the log knows of each page which node had it. */
static int64_t pages_that_would_be_lost(const char *name)
{
    json_t *nodes = json_of(brood("nodes", "--nats", bus_url, "--crawl", name, "--json").out);
    int64_t lost = 0;

    for (int i = 0; i < NODES; i++) {
        const char *id = text_at(nodes, text("nodes.%d.id", i));

        lost += int_at(
            json_of(brood("nodes", "--nats", bus_url, "--crawl", name, "--lost", id, "--json").out),
            "lost");
    }
    return lost;
}

static void three_nodes_fetch_what_one_would_each_page_once_and_politely(void **state)
{
    struct job *jobs[NODES];
    struct server *s;
    struct sqlite3 *db;
    json_t *nodes;
    int64_t lost;

    (void)state;
    if (!bus_runs())
        skip();
    s = serve(web);
    start_nodes(s, "whole", "0", "20s", NODES, jobs);
    for (int i = 0; i < NODES; i++)
        assert_code(job_wait(jobs[i]), 0);
    nodes = json_of(brood("nodes", "--nats", bus_url, "--crawl", "whole", "--json").out);
    assert_string_equal(text_at(nodes, "state"), "complete");
    db = facts_of_all("whole", NODES, s);
    assert_int_equal(int_at(nodes, "pages"), facts_int(db, "SELECT count(*) FROM stored"));
    lost = pages_that_would_be_lost("whole"); /* and URLs that led to one of them */
    assert_true(lost >= int_at(nodes, "pages"));
    assert_true(lost <= facts_int(db, "SELECT count(*) FROM asked"));
    assert_int_equal(facts_int(db, "SELECT count(*) FROM stored"),
                     facts_int(db, "SELECT count(DISTINCT url) FROM stored"));
    assert_true(crawl_pages(dir_of("whole", 1)) > 0);
    assert_int_equal(facts_int(db, "SELECT count(*) FROM asked"),
                     facts_int(db, "SELECT count(*) FROM started"));
    the_delay_was_kept(db);
    crawl_alone(db);
    all_pages_are_those_of_one_machine(db);
}

static void the_limit_of_pages_is_exact_over_all_nodes(void **state)
{
    struct job *jobs[2];
    struct server *s;

    (void)state;
    if (!bus_runs())
        skip();
    s = serve(web);
    start_nodes(s, "limit", "40", "20s", 2, jobs);
    assert_code(job_wait(jobs[0]), 0);
    ended_well(jobs[1]);
    server_stop(s);
    assert_int_equal(crawl_pages(dir_of("limit", 0)) + crawl_pages(dir_of("limit", 1)), 40);
}

static void a_crawl_that_has_all_its_pages_goes_on_with_a_higher_limit(void **state)
{
    struct job *jobs[2];
    struct server *s;

    (void)state;
    if (!bus_runs())
        skip();
    s = serve(web);
    start_nodes(s, "more", "20", "20s", 2, jobs);
    assert_code(job_wait(jobs[0]), 0);
    ended_well(jobs[1]);
    assert_refused(brood("nodes", "--nats", bus_url, "--crawl", "more", "--pages", "20"), 2,
                   "has stored 20 pages already");
    assert_code(brood("nodes", "--nats", bus_url, "--crawl", "more", "--pages", "50"), 0);
    assert_code(brood("node", "--nats", bus_url, "--crawl", "more", "--out", dir_of("more", 0),
                      "--trust", "--quiet"),
                0);
    assert_int_equal(crawl_pages(dir_of("more", 0)) + crawl_pages(dir_of("more", 1)), 50);
    server_stop(s);
}

static void it_ended_for_both(const char *name, struct job **jobs, int code, const char *how)
{
    for (int i = 0; i < 2; i++)
        assert_code(job_wait(jobs[i]), code);
    assert_string_equal(
        text_at(json_of(brood("nodes", "--nats", bus_url, "--crawl", name, "--json").out), "state"),
        how);
}

/* There is work for more than a minute. */
static void ctrl_c_and_the_time_end_the_crawl_for_all_nodes(void **state)
{
    const char *before = delay;
    struct job *jobs[2];
    struct server *s;

    (void)state;
    if (!bus_runs())
        skip();
    s = serve(web);
    delay = "6s";
    start_nodes(s, "interrupted", "0", "20s", 2, jobs);
    await(crawl_int_yet(dir_of("interrupted", 1), "SELECT count(*) FROM page") > 0);
    assert_int_equal(kill(job_pid(jobs[0]), SIGINT), 0);
    it_ended_for_both("interrupted", jobs, 130, "stopped");
    duration = "10s";
    start_nodes(s, "timed", "0", "20s", 2, jobs);
    it_ended_for_both("timed", jobs, 0, "the time is up");
    server_stop(s);
    duration = "1h";
    delay = before;
}

static void a_node_waits_for_its_bus(void **state)
{
    const char *dir = fresh("late-bus"), *port = text("%u", free_port());
    struct job *node, *late;
    struct ran r;

    (void)state;
    if (!bus_runs())
        skip();
    r = brood("node", "--nats", "nats://127.0.0.1:1", "--crawl", "late", "--out", fresh("late"),
              "--wait", "1s");
    assert_code(r, 1);
    assert_says(r.err, "waiting for it, at most 1 s");
    assert_says(r.err, "no server answers");
    node = job_start((const char *const[]){
        "sh", "-c",
        text("exec '%s' node --nats nats://127.0.0.1:%s --crawl late --out '%s' --wait 1h 2>&1",
             getenv("BROOD_BIN"), port, fresh("late")),
        NULL});
    job_await_said(node, "waiting for it, at most 3600 s");
    assert_code(run("mkdir", dir), 0);
    late = job_start((const char *const[]){bus_program(), "-a", "127.0.0.1", "-p", port, "-js",
                                           "-sd", dir, NULL});
    r = job_wait(node); /* it is there, and has no crawl of this name: that is not waited for */
    assert_code(r, 1);
    assert_says(r.out, "no crawl of this name");
    (void)kill(job_pid(late), SIGTERM);
    (void)job_wait(late);
}

/* What it had stored and not told anybody of may be there twice. */
static void forget_repeats(struct sqlite3 *db)
{
    assert_int_equal(sqlite3_exec(db,
                                  "DELETE FROM stored WHERE rowid NOT IN (SELECT min(rowid)"
                                  " FROM stored GROUP BY url)",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
}

static void others_go_on_with_the_hosts_of_a_node_that_is_killed(void **state)
{
    struct job *jobs[2];
    struct server *s;
    struct sqlite3 *db;

    (void)state;
    if (!bus_runs())
        skip();
    s = serve(web);
    start_nodes(s, "killed", "0", "8s", 2, jobs);
    await(crawl_int_yet(dir_of("killed", 1), "SELECT count(*) FROM page") > 0);
    assert_int_equal(kill(job_pid(jobs[1]), SIGKILL), 0);
    assert_code(job_wait(jobs[1]), 128 + SIGKILL);
    assert_code(job_wait(jobs[0]), 0);
    db = facts_of_all("killed", 2, s);
    forget_repeats(db);
    the_delay_was_kept(db);
    crawl_alone(db);
    all_pages_are_those_of_one_machine(db);
}

/* Has the first node written some? */
static bool has_snapshots(const char *name)
{
    struct ran r = brood("nodes", "--nats", bus_url, "--crawl", name, "--json");

    return r.code == 0 && int_at(json_of(r.out), "nodes.0.snapshots") > 3;
}

static void a_node_goes_on_from_the_snapshots_of_one_that_is_killed(void **state)
{
    struct job *first, *next;
    struct server *s;
    struct sqlite3 *db;

    (void)state;
    if (!bus_runs())
        skip();
    s = serve(web, "--latency", "400ms");
    first = brood_job("crawl", world_words(web, 0), "--out", dir_of("short", 0), "--seed",
                      world_seed(web, 0, 0), "--seed", world_seed(web, 1, 0), "--pages", "0",
                      "--model", "best-first", "--delay", delay, "--quiet", "--no-warc",
                      "--no-index", "--allow-private", "--resolve", s->resolve, "--nats", bus_url,
                      "--name", "short", "--lease", "3s", "--snapshot", "1");
    while (!has_snapshots("short"))
        assert_true(job_listen(first, 20));
    assert_int_equal(kill(job_pid(first), SIGKILL), 0);
    assert_code(job_wait(first), 128 + SIGKILL);
    next = brood_job("node", "--nats", bus_url, "--crawl", "short", "--out", dir_of("short", 1),
                     "--trust", "--quiet");
    assert_code(job_wait(next), 0);
    assert_says(file_text(text("%s/crawl.log", dir_of("short", 1))), "behind a snapshot of 1");
    db = facts_of_all("short", 2, s);
    forget_repeats(db);
    the_delay_was_kept(db);
    crawl_alone(db);
    all_pages_are_those_of_one_machine(db);
}

static void what_cannot_run_on_several_machines_is_refused(void **state)
{
    (void)state;
    if (!bus_runs())
        skip();
    assert_refused(brood("crawl", "reefs", "--seed", "http://127.0.0.1/", "--nats", bus_url,
                         "--name", "walks", "--model", "foragers", "--out", fresh("R")),
                   2, "does not run on several machines yet");
    assert_refused(brood("node", "--nats", bus_url, "--crawl", "nobody", "--out", fresh("N")), 1,
                   "there is no crawl of this name");
    assert_refused(brood("node", "--nats", bus_url, "--crawl", "limit", "--out", fresh("T")), 2,
                   "add --trust to accept that");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_nodes_fetch_what_one_would_each_page_once_and_politely),
        cmocka_unit_test(the_limit_of_pages_is_exact_over_all_nodes),
        cmocka_unit_test(a_crawl_that_has_all_its_pages_goes_on_with_a_higher_limit),
        cmocka_unit_test(ctrl_c_and_the_time_end_the_crawl_for_all_nodes),
        cmocka_unit_test(a_node_waits_for_its_bus),
        cmocka_unit_test(others_go_on_with_the_hosts_of_a_node_that_is_killed),
        cmocka_unit_test(a_node_goes_on_from_the_snapshots_of_one_that_is_killed),
        cmocka_unit_test(what_cannot_run_on_several_machines_is_refused),
    };

    return cmocka_run_group_tests(tests, bus_open, bus_close);
}
