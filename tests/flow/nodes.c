/* nodes.c - see nodes.h. SPDX-License-Identifier: MIT */
#include "nodes.h"

#include <math.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static struct job *bus;
const char *bus_url, *web, *delay = "10ms", *duration = "1h";

bool bus_runs(void)
{
    return bus != NULL;
}

int bus_open(void **state)
{
    (void)state;
    bus = bus_start(&bus_url);
    if (bus)
        web = world("--pages", "90", "--hosts", "7", "--topics", "2");
    return 0;
}

int bus_close(void **state)
{
    (void)state;
    bus_stop(bus);
    return 0;
}

/* One that nobody has at this moment. */
unsigned free_port(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof at;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    assert_int_equal(bind(fd, (struct sockaddr *)&at, size), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&at, &size), 0);
    (void)close(fd);
    return ntohs(at.sin_port);
}

const char *dir_of(const char *name, int node)
{
    return fresh(text("%s-%d", name, node));
}

/* The first node, and the others once there is something to join. */
void start_model(struct server *s, const char *name, const char *model, const char *pages,
                 const char *lease, int count, struct job **ret)
{
    ret[0] = brood_job("crawl", world_words(web, 0), "--out", dir_of(name, 0), "--seed",
                       world_seed(web, 0, 0), "--seed", world_seed(web, 1, 0), "--pages", pages,
                       "--model", model, "--delay", delay, "--quiet", "--no-warc", "--no-index",
                       "--allow-private", "--resolve", s->resolve, "--nats", bus_url, "--name",
                       name, "--nodes", text("%d", count), "--lease", lease, "--for", duration);
    while (brood("nodes", "--nats", bus_url, "--crawl", name).code != 0)
        assert_true(job_listen(ret[0], 20));
    for (int i = 1; i < count; i++)
        ret[i] = brood_job("node", "--nats", bus_url, "--crawl", name, "--out", dir_of(name, i),
                           "--trust", "--quiet");
}

void start_nodes(struct server *s, const char *name, const char *pages, const char *lease,
                 int count, struct job **ret)
{
    start_model(s, name, "best-first", pages, lease, count, ret);
}

/* All directories as one: the table `stored` of URLs, `started` of all requests. */
struct sqlite3 *facts_of_all(const char *name, int count, struct server *s)
{
    struct sqlite3 *db = facts_open(dir_of(name, 0), web, s);

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

/* A node that came when the others had all pages says so. */
void ended_well(struct job *job)
{
    struct ran r = job_wait(job);

    if (r.code != 2 || strstr(r.err, "the crawl has ended") == NULL)
        assert_code(r, 0);
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
void they_are_one_family(struct sqlite3 *db, const char *name)
{
    one_family_of(db, name);
    assert_int_equal(
        facts_int(db, "SELECT count(*) FROM kin WHERE parent NOT IN (SELECT id FROM kin)"), 0);
    assert_int_equal(facts_int(db, "SELECT count(*) FROM (SELECT id FROM kin GROUP BY id HAVING"
                                   " count(DISTINCT name) > 1 OR count(died) > 1)"),
                     0);
}

double energy(json_t *nodes, const char *name)
{
    return json_number_value(json_object_get(json_object_get(nodes, "ledger"), name));
}

json_t *nodes_of(const char *name)
{
    return json_of(brood("nodes", "--nats", bus_url, "--crawl", name, "--json").out);
}

/* Each of them has agents, and pages. */
bool all_have_agents(const char *name, int count)
{
    json_t *nodes = nodes_of(name);

    for (int i = 0; i < count; i++)
        if (json_array_size(json_object_get(nodes, "nodes")) < (size_t)count ||
            int_at(nodes, text("nodes.%d.agents", i)) == 0 ||
            int_at(nodes, text("nodes.%d.pages", i)) == 0)
            return false;
    return true;
}

/* Of some directories: where does each agent live, by its last trip? */
struct sqlite3 *homes_of(const char *name, int count)
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

int64_t on_two_nodes(struct sqlite3 *db)
{
    return facts_int(db, "SELECT count(*) FROM (SELECT agent FROM home WHERE alive GROUP BY agent"
                         " HAVING count(*) > 1)");
}

void nobody_came_twice(struct sqlite3 *db)
{
    assert_int_equal(facts_int(db,
                               "SELECT count(*) FROM (SELECT agent FROM trip WHERE came GROUP BY"
                               " agent, trip HAVING count(*) > 1)"),
                     0);
}

void the_books_are_balanced(const char *name)
{
    json_t *nodes = nodes_of(name);

    assert_string_equal(text_at(nodes, "state"), "complete");
    assert_true(energy(nodes, "error") < 1e-9);
    assert_true(fabs(energy(nodes, "travelling")) < 1e-9);
}

/* By the nodes' own clocks, which are one here. */
void the_delay_was_kept(struct sqlite3 *db)
{
    assert_true(facts_shortest(db, "started", FACTS_HOST) >= 10000);
    assert_int_equal(facts_noted_early(db, "started"), 0);
}

/* The pages that one machine stores, as a table `alone`. */
void crawl_alone(struct sqlite3 *db)
{
    static const char *dir;

    if (dir == NULL) {
        struct server *s = serve(web);

        dir = fresh("alone");
        assert_code(crawl(s, dir, world_words(web, 0), "--seed", world_seed(web, 0, 0), "--seed",
                          world_seed(web, 1, 0), "--pages", "0", "--model", "best-first", "--delay",
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

void all_pages_are_those_of_one_machine(struct sqlite3 *db)
{
    assert_int_equal(facts_int(db, "SELECT count(*) FROM (SELECT url FROM stored EXCEPT SELECT url"
                                   " FROM alone)"),
                     0);
    assert_int_equal(facts_int(db, "SELECT count(*) FROM (SELECT url FROM alone EXCEPT SELECT url"
                                   " FROM stored)"),
                     0);
}
