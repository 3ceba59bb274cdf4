/* A crawl on several machines: nodes with directories of their own and a real nats-server. Skipped
 * by name where there is none. SPDX-License-Identifier: MIT */
#include "flow.h"
#include "nats.h"

#include <math.h>
#include <netinet/in.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define NODES 3

static struct job *bus;
static const char *bus_url, *w, *delay = "10ms", *duration = "1h";

static bool bus_runs(void)
{
    return bus != NULL;
}

static int start_bus(void **state)
{
    (void)state;
    bus = bus_start(&bus_url);
    if (bus)
        w = world("--pages", "90", "--hosts", "7", "--topics", "2");
    return 0;
}

static int stop_bus(void **state)
{
    (void)state;
    bus_stop(bus);
    return 0;
}

/* One that nobody has at this moment. */
static unsigned free_port(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof at;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    assert_int_equal(bind(fd, (struct sockaddr *)&at, size), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&at, &size), 0);
    (void)close(fd);
    return ntohs(at.sin_port);
}

static const char *dir_of(const char *name, int node)
{
    return fresh(text("%s-%d", name, node));
}

/* The first node, and the others once there is something to join. */
static void start_model(struct server *s, const char *name, const char *model, const char *pages,
                        const char *lease, int count, struct job **ret)
{
    ret[0] = brood_job("crawl", world_words(w, 0), "--out", dir_of(name, 0), "--seed",
                       world_seed(w, 0, 0), "--seed", world_seed(w, 1, 0), "--pages", pages,
                       "--model", model, "--delay", delay, "--quiet", "--no-warc", "--no-index",
                       "--allow-private", "--resolve", s->resolve, "--nats", bus_url, "--name",
                       name, "--nodes", text("%d", count), "--lease", lease, "--for", duration);
    while (brood("nodes", "--nats", bus_url, "--crawl", name).code != 0)
        assert_true(job_listen(ret[0], 20));
    for (int i = 1; i < count; i++)
        ret[i] = brood_job("node", "--nats", bus_url, "--crawl", name, "--out", dir_of(name, i),
                           "--trust", "--quiet");
}

static void start_nodes(struct server *s, const char *name, const char *pages, const char *lease,
                        int count, struct job **ret)
{
    start_model(s, name, "best-first", pages, lease, count, ret);
}

/* All directories as one: the table `stored` of URLs, `started` of all requests. */
static struct sqlite3 *facts_of_all(const char *name, int count, struct server *s)
{
    struct sqlite3 *db = facts_open(dir_of(name, 0), w, s);

    assert_int_equal(sqlite3_exec(db,
                                  "CREATE TEMP TABLE stored(url); CREATE TEMP TABLE started(at, "
                                  "url)",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    for (int i = 0; i < count; i++) {
        const char *sql =
            text("ATTACH '%s/crawl.db' AS n; INSERT INTO stored SELECT url FROM n.page;"
                 "INSERT INTO started SELECT fetched_at, url FROM n.page UNION ALL"
                 " SELECT at, url FROM n.outcome UNION ALL SELECT at, url FROM n.resource;"
                 "DETACH n",
                 dir_of(name, i));

        assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    }
    return db;
}

/* The pages that one machine stores, as a table `alone`. */
static void crawl_alone(struct sqlite3 *db)
{
    static const char *dir;

    if (dir == NULL) {
        struct server *s = serve(w);

        dir = fresh("alone");
        assert_code(crawl(s, dir, world_words(w, 0), "--seed", world_seed(w, 0, 0), "--seed",
                          world_seed(w, 1, 0), "--pages", "0", "--model", "best-first", "--delay",
                          "0", "--no-warc", "--no-index"),
                    0);
        server_stop(s);
    }
    assert_int_equal(sqlite3_exec(db,
                                  text("ATTACH '%s/crawl.db' AS a; CREATE TEMP TABLE alone AS "
                                       "SELECT url FROM a.page",
                                       dir),
                                  NULL, NULL, NULL),
                     SQLITE_OK);
}

/* By the nodes' own clocks, which are one here. */
static void the_delay_was_kept(struct sqlite3 *db)
{
    assert_true(facts_shortest(db, "started", FACTS_HOST) >= 10000);
    assert_int_equal(facts_noted_early(db, "started"), 0);
}

static void all_pages_are_those_of_one_machine(struct sqlite3 *db)
{
    assert_int_equal(facts_int(db, "SELECT count(*) FROM (SELECT url FROM stored EXCEPT SELECT url"
                                   " FROM alone)"),
                     0);
    assert_int_equal(facts_int(db, "SELECT count(*) FROM (SELECT url FROM alone EXCEPT SELECT url"
                                   " FROM stored)"),
                     0);
}

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
    s = serve(w);
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

/* A node that came when the others had all pages says so. */
static void ended_well(struct job *job)
{
    struct ran r = job_wait(job);

    if (r.code != 2 || strstr(r.err, "the crawl has ended") == NULL)
        assert_code(r, 0);
}

static void the_limit_of_pages_is_exact_over_all_nodes(void **state)
{
    struct job *jobs[2];
    struct server *s;

    (void)state;
    if (!bus_runs())
        skip();
    s = serve(w);
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
    s = serve(w);
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
    s = serve(w);
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
    s = serve(w);
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
    s = serve(w, "--latency", "400ms");
    first = brood_job("crawl", world_words(w, 0), "--out", dir_of("short", 0), "--seed",
                      world_seed(w, 0, 0), "--seed", world_seed(w, 1, 0), "--pages", "0", "--model",
                      "best-first", "--delay", delay, "--quiet", "--no-warc", "--no-index",
                      "--allow-private", "--resolve", s->resolve, "--nats", bus_url, "--name",
                      "short", "--lease", "3s", "--snapshot", "1");
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

/* Agents over all directories: those that live there now, and one row for each. */
static void one_family_of(struct sqlite3 *db, const char *name)
{
    assert_int_equal(sqlite3_exec(db,
                                  "CREATE TEMP TABLE kin(id, parent, name, died);"
                                  "CREATE TEMP TABLE trip(agent, trip, came)",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    for (int i = 0; i < NODES; i++)
        assert_int_equal(
            sqlite3_exec(db,
                         text("ATTACH '%s/crawl.db' AS n; INSERT INTO kin SELECT id, parent_id,"
                              " name, died_at FROM n.agent; INSERT INTO trip SELECT agent_id, trip,"
                              " came FROM n.travel; DETACH n",
                              dir_of(name, i)),
                         NULL, NULL, NULL),
            SQLITE_OK);
}

/* No agent is without its parent, has two names, or died twice. */
static void they_are_one_family(struct sqlite3 *db, const char *name)
{
    one_family_of(db, name);
    assert_int_equal(
        facts_int(db, "SELECT count(*) FROM kin WHERE parent NOT IN (SELECT id FROM kin)"), 0);
    assert_int_equal(facts_int(db, "SELECT count(*) FROM (SELECT id FROM kin GROUP BY id HAVING"
                                   " count(DISTINCT name) > 1 OR count(died) > 1)"),
                     0);
}

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
        struct server *s = serve(w);
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

static double energy(json_t *nodes, const char *name)
{
    return json_number_value(json_object_get(json_object_get(nodes, "ledger"), name));
}

static json_t *nodes_of(const char *name)
{
    return json_of(brood("nodes", "--nats", bus_url, "--crawl", name, "--json").out);
}

/* Each of them has agents, and pages. */
static bool all_have_agents(const char *name, int count)
{
    json_t *nodes = nodes_of(name);

    for (int i = 0; i < count; i++)
        if (json_array_size(json_object_get(nodes, "nodes")) < (size_t)count ||
            int_at(nodes, text("nodes.%d.agents", i)) == 0 ||
            int_at(nodes, text("nodes.%d.pages", i)) == 0)
            return false;
    return true;
}

static int64_t inherited(const char *name)
{
    json_t *nodes = json_object_get(nodes_of(name), "nodes"), *node;
    int64_t count = 0;
    size_t i;

    json_array_foreach(nodes, i, node) count += json_is_true(json_object_get(node, "inherited"));
    return count;
}

/* Of some directories: where does each agent live, by its last trip? */
static struct sqlite3 *homes_of(const char *name, int count)
{
    struct sqlite3 *db;

    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db,
                                  "CREATE TABLE home(node, agent, alive);"
                                  "CREATE TABLE trip(agent, trip, came)",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    for (int i = 0; i < count; i++)
        assert_int_equal(
            sqlite3_exec(
                db,
                text("ATTACH '%s/crawl.db' AS n; INSERT INTO home SELECT %d, id, died_at IS NULL"
                     " AND coalesce((SELECT came FROM n.travel t WHERE t.agent_id = a.id"
                     " ORDER BY trip DESC, came LIMIT 1), 1) FROM n.agent a;"
                     "INSERT INTO trip SELECT agent_id, trip, came FROM n.travel; DETACH n",
                     dir_of(name, i), i),
                NULL, NULL, NULL),
            SQLITE_OK);
    return db;
}

static int64_t on_two_nodes(struct sqlite3 *db)
{
    return facts_int(db, "SELECT count(*) FROM (SELECT agent FROM home WHERE alive GROUP BY agent"
                         " HAVING count(*) > 1)");
}

static void nobody_came_twice(struct sqlite3 *db)
{
    assert_int_equal(facts_int(db,
                               "SELECT count(*) FROM (SELECT agent FROM trip WHERE came GROUP BY"
                               " agent, trip HAVING count(*) > 1)"),
                     0);
}

static void the_books_are_balanced(const char *name)
{
    json_t *nodes = nodes_of(name);

    assert_string_equal(text_at(nodes, "state"), "complete");
    assert_true(energy(nodes, "error") < 1e-9);
    assert_true(fabs(energy(nodes, "travelling")) < 1e-9);
}

/* The agents of `brood` have no place: some children settle on another node. Together there are as
 * many as the user wants, but each node has its share. */
static void policies_settle_on_other_nodes_and_their_number_is_that_of_all(void **state)
{
    const char *before = w;
    struct job *jobs[NODES];
    struct sqlite3 *db;
    struct server *s;
    int64_t agents = 0;

    (void)state;
    if (!bus_runs())
        skip();
    w = world("--pages", "400", "--hosts", "12", "--topics", "2");
    s = serve(w);
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
    w = before;
}

static void agents_of_a_node_that_leaves_live_on_at_the_others(void **state)
{
    struct job *jobs[2];
    struct sqlite3 *db;
    struct server *s;

    (void)state;
    if (!bus_runs())
        skip();
    s = serve(w);
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

/* One of the two that are killed comes back; the disk of the other one is lost. */
static void kill_two_of_three(const char *name, const char *model)
{
    struct job *jobs[NODES], *back;
    struct sqlite3 *db;
    struct server *s;

    s = serve(w);
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

/* ---- a server that loses the last messages of the logs ---- */

struct forgetful {
    const char *dir, *port, *url;
    struct job *job;
};

static void forgetful_start(struct forgetful *f)
{
    f->job = job_start((const char *const[]){bus_program(), "-a", "127.0.0.1", "-p", f->port, "-js",
                                             "-sd", f->dir, NULL});
}

static void forgetful_open(struct forgetful *f, const char *name)
{
    f->dir = fresh(text("bus-of-%s", name));
    f->port = text("%u", free_port());
    f->url = text("nats://127.0.0.1:%s", f->port);
    assert_code(run("mkdir", f->dir), 0);
    forgetful_start(f);
    while (strstr(brood("nodes", "--nats", f->url, "--crawl", "none").err, "no server answers"))
        assert_true(job_listen(f->job, 20));
}

static const char *log_of(const struct forgetful *f, const char *name)
{
    return text("%s/jetstream/$G/streams/brood-%s", f->dir, name);
}

/* The state to which it will come back. The keys are a stream of their own, and stay. */
static void forgetful_copy(struct forgetful *f, const char *name)
{
    assert_int_equal(kill(job_pid(f->job), SIGSTOP), 0);
    assert_code(run("cp", "-a", log_of(f, name), text("%s/old", f->dir)), 0);
    assert_int_equal(kill(job_pid(f->job), SIGCONT), 0);
}

static void forgetful_kill(struct forgetful *f, const char *name)
{
    assert_int_equal(kill(job_pid(f->job), SIGKILL), 0);
    (void)job_wait(f->job);
    assert_code(run("rm", "-rf", log_of(f, name)), 0);
    assert_code(run("mv", text("%s/old", f->dir), log_of(f, name)), 0);
}

static int64_t moves_of(const char *name)
{
    json_t *nodes = nodes_of(name);
    int64_t came = 0;

    for (int i = 0; i < NODES; i++)
        came += int_at(nodes, text("nodes.%d.agents_came", i));
    return came;
}

static void nobody_lives_twice_and_nobody_is_lost(const char *name)
{
    struct sqlite3 *db = homes_of(name, NODES);

    nobody_came_twice(db);
    (void)sqlite3_close(db);
    db = homes_of(name, NODES - 1); /* the last one is gone */
    assert_int_equal(on_two_nodes(db), 0);
    (void)sqlite3_close(db);
    the_books_are_balanced(name); /* and no energy is on its way */
}

/* When the servers have lost messages, the owner of some partitions is killed and does not come
 * back: before it can have noticed the loss, or after. */
static void agents_live_once_though_messages_are_lost_and_their_owner_dies(void **state)
{
    static const char *const names[] = {"unseen", "seen"};
    const char *usual_bus = bus_url;
    struct forgetful f;

    (void)state;
    if (!bus_runs())
        skip();
    for (int seen = 0; seen < 2; seen++) {
        const char *name = names[seen];
        struct server *s = serve(w);
        struct job *jobs[NODES];
        int64_t moves;

        forgetful_open(&f, name);
        bus_url = f.url;
        delay = "1s";
        start_model(s, name, "balanced", "0", "3s", NODES, jobs);
        await(all_have_agents(name, NODES));
        forgetful_copy(&f, name);
        moves = moves_of(name);
        await(moves_of(name) >= moves + 8);
        forgetful_kill(&f, name);
        if (!seen)
            assert_int_equal(kill(job_pid(jobs[NODES - 1]), SIGKILL), 0);
        forgetful_start(&f);
        if (seen) {
            await(strstr(file_text(text("%s/crawl.log", dir_of(name, NODES - 1))),
                         "has lost the messages") != NULL);
            assert_int_equal(kill(job_pid(jobs[NODES - 1]), SIGKILL), 0);
        }
        for (int i = 0; i < NODES; i++)
            (void)job_wait(jobs[i]);
        nobody_lives_twice_and_nobody_is_lost(name);
        server_stop(s);
        bus_url = usual_bus;
        bus_stop(f.job);
    }
}

/* Speaks to the server itself: sends a question to the crawl "asked" and hears what comes until
 * `last` has come `times` times. */
static const char *ask_raw(const char *answer_to, const char *question, size_t len,
                           const char *last, int times)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    static char heard[1 << 16];
    size_t have = 0;
    ssize_t n = 1;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    FILE *line;

    to.sin_port = htons((uint16_t)atoi(strrchr(bus_url, ':') + 1));
    assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof to), 0);
    line = fdopen(dup(fd), "w");
    assert_non_null(line);
    (void)fprintf(line,
                  "CONNECT {\"verbose\":false}\r\nSUB _INBOX.answers 1\r\n"
                  "PUB brood.asked.ask %s %zu\r\n",
                  answer_to, len);
    (void)fwrite(question, 1, len, line);
    (void)fputs("\r\nPING\r\n", line);
    assert_int_equal(fclose(line), 0);
    while (times > 0 && (n = read(fd, heard + have, sizeof heard - 1 - have)) > 0) {
        int seen = 0;

        have += (size_t)n;
        heard[have] = '\0';
        for (const char *at = heard; (at = strstr(at, last)) != NULL; at++)
            seen++;
        if (seen >= times)
            break;
    }
    assert_true(n > 0);
    (void)close(fd);
    return heard;
}

/* Who may only ask says that the answer belongs into the book. */
static void ask_for_the_book(void)
{
    static const char question[26] = {[0] = 2, [10] = 10}; /* top -n 10 */

    (void)ask_raw("$KV.brood-asked.book", question, sizeof question, "PONG", 1);
}

/* The value of an option that takes none is not another directory to read from. */
static void ask_for_another_directory(void)
{
    const char *more = text("alive=%s\n", dir_of("asked", 1));
    char question[1000] = {[0] = 2, [1] = 3}; /* tree */

    question[22] = (char)strlen(more);
    memcpy(question + 26, more, strlen(more));
    assert_true(strlen(more) < 128);
    assert_says(ask_raw("_INBOX.answers", question, 26 + strlen(more), "\"error\"", 2), "alive");
}

/* A crawl that waits for its hosts is there to be asked, however long that takes. */
static void nodes_that_run_answer_together(void **state)
{
    const char *bus_options[] = {"--nats", bus_url, "--crawl", "asked"};
    struct job *jobs[2];
    struct server *s;
    json_t *stats, *top, *page;
    const char *url;

#define ASK(...) brood(__VA_ARGS__, bus_options[0], bus_options[1], bus_options[2], bus_options[3])
    (void)state;
    if (!bus_runs())
        skip();
    s = serve(w);
    delay = "6s";
    start_nodes(s, "asked", "0", "20s", 2, jobs);
    for (int i = 0; i < 2; i++)
        await(crawl_int_yet(dir_of("asked", i), "SELECT count(*) FROM page") > 0);
    stats = json_of(ASK("stats", "--json").out);
    assert_true(int_at(stats, "pages") >= 2);
    assert_int_equal(int_at(stats, "agents.alive"), 2);
    top = json_of(ASK("top", "-n", "1000", "--json").out);
    assert_true(json_array_size(top) >= 2);
    assert_int_equal(int_at(top, "1.rank"), 2);
    url = text_at(top, "1.url");
    assert_says(ASK("explain", url).out, "taken: it is page");
    assert_says(ASK("show", url).out, url);
    page = json_of(ASK("show", url, "--text", "--json").out);
    assert_true(strlen(text_at(page, "text")) > 0);
    page = json_of(ASK("show", url, "--main", "--json").out);
    assert_true(strlen(text_at(page, "main")) > 0);
    assert_says(ASK("show", url, "--markdown").out, "# "); /* its heading */
    assert_says(ASK("tree").out, "best-first");
    assert_says(ASK("tree", "--depth", "1", "--alive").out, "best-first");
    assert_says(ASK("tree", "--paths").out, "http://");
    assert_refused(ASK("tree", "--paths", "--alive"), 2, "--paths shows pages");
    assert_says(ASK("search", "the", "--all-text").out, "http://");
    assert_refused(ASK("show", "--lattice"), 2, "needs an agent");
    assert_refused(ASK("show", "--conversation"), 1, "no agent of this crawl spoke");
    assert_refused(ASK("show", "--conversation", "5009"), 2, "no node has a conversation");
    assert_says(ASK("search", "the").out, "http://");
    assert_refused(ASK("top", "somewhere"), 2, "takes no directory");
    ask_for_the_book();
    ask_for_another_directory();
    assert_says(ASK("top").out, "http://"); /* it is answered after that one */
    assert_code(brood("nodes", "--nats", bus_url, "--crawl", "asked", "--stop"), 0);
    for (int i = 0; i < 2; i++)
        (void)job_wait(jobs[i]);
    server_stop(s);
    assert_refused(ASK("top"), 1, "no node of this crawl is there");
#undef ASK
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
        cmocka_unit_test(agents_move_between_nodes_and_stay_one_family),
        cmocka_unit_test(policies_settle_on_other_nodes_and_their_number_is_that_of_all),
        cmocka_unit_test(agents_of_a_node_that_leaves_live_on_at_the_others),
        cmocka_unit_test(agents_of_a_node_that_is_killed_live_on_and_only_there),
        cmocka_unit_test(agents_live_once_though_messages_are_lost_and_their_owner_dies),
        cmocka_unit_test(nodes_that_run_answer_together),
        cmocka_unit_test(what_cannot_run_on_several_machines_is_refused),
    };

    return cmocka_run_group_tests(tests, start_bus, stop_bus);
}
