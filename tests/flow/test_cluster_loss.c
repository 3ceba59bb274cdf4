/* A crawl on several machines whose NATS server loses what it had acknowledged. Skipped by name
 * where there is no nats-server. SPDX-License-Identifier: MIT */
#include "nodes.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

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

/* What it will lose: the log alone, or everything. The keys are a stream of their own. */
static const char *log_of(const struct forgetful *f, const char *name)
{
    return text("%s/jetstream/$G/streams/brood-%s", f->dir, name);
}

static const char *all_of(const struct forgetful *f)
{
    return text("%s/jetstream", f->dir);
}

/* The state to which it will come back. */
static void forgetful_copy(struct forgetful *f, const char *what)
{
    assert_int_equal(kill(job_pid(f->job), SIGSTOP), 0);
    assert_code(run("cp", "-a", what, text("%s/old", f->dir)), 0);
    assert_int_equal(kill(job_pid(f->job), SIGCONT), 0);
}

static void forgetful_kill(struct forgetful *f, const char *what)
{
    assert_int_equal(kill(job_pid(f->job), SIGKILL), 0);
    (void)job_wait(f->job);
    assert_code(run("rm", "-rf", what), 0);
    assert_code(run("mv", text("%s/old", f->dir), what), 0);
}

static bool log_says(const char *name, int node, const char *what)
{
    return strstr(file_text(text("%s/crawl.log", dir_of(name, node))), what) != NULL;
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

/* The servers have lost messages, and the owner of some partitions is killed for ever: before it
 * can have noticed the loss, or after. */
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
        struct server *s = serve(web);
        struct job *jobs[NODES];
        int64_t moves;

        forgetful_open(&f, name);
        bus_url = f.url;
        delay = "1s";
        start_model(s, name, "balanced", "0", "3s", NODES, jobs);
        await(all_have_agents(name, NODES));
        forgetful_copy(&f, log_of(&f, name));
        moves = moves_of(name);
        await(moves_of(name) >= moves + 8);
        forgetful_kill(&f, log_of(&f, name));
        if (!seen)
            assert_int_equal(kill(job_pid(jobs[NODES - 1]), SIGKILL), 0);
        forgetful_start(&f);
        if (seen) {
            await(log_says(name, NODES - 1, "has lost the messages"));
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

/* The server comes back as it was before the third node joined. It no longer knows this node, the
 * partitions that others handed to it, the agents that moved to it, and any will of that time. When
 * the node has written back what it knows, it is killed for ever. */
static void nodes_remember_who_owns_what_though_the_bus_forgets(void **state)
{
    const char *usual_bus = bus_url, *usual_web = web, *name = "forgotten";
    struct job *jobs[NODES];
    struct forgetful f;
    struct server *s;

    (void)state;
    if (!bus_runs())
        skip();
    web = world("--pages", "300", "--hosts", "24", "--topics", "2");
    s = serve(web);
    forgetful_open(&f, name);
    bus_url = f.url;
    delay = "2s";
    start_model(s, name, "balanced", "0", "3s", NODES - 1, jobs);
    await(all_have_agents(name, NODES - 1));
    forgetful_copy(&f, all_of(&f));
    jobs[NODES - 1] = brood_job("node", "--nats", bus_url, "--crawl", name, "--out",
                                dir_of(name, NODES - 1), "--trust", "--quiet");
    await(all_have_agents(name, NODES));
    forgetful_kill(&f, all_of(&f));
    forgetful_start(&f);
    for (int i = 0; i < NODES; i++)
        await(log_says(name, i, "is written again"));
    await(all_have_agents(name, NODES));
    assert_int_equal(kill(job_pid(jobs[NODES - 1]), SIGKILL), 0);
    for (int i = 0; i < NODES - 1; i++)
        assert_code(job_wait(jobs[i]), 0); /* nobody was shut out */
    (void)job_wait(jobs[NODES - 1]);
    nobody_lives_twice_and_nobody_is_lost(name);
    server_stop(s);
    bus_url = usual_bus;
    web = usual_web;
    bus_stop(f.job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agents_live_once_though_messages_are_lost_and_their_owner_dies),
        cmocka_unit_test(nodes_remember_who_owns_what_though_the_bus_forgets),
    };

    return cmocka_run_group_tests(tests, bus_open, bus_close);
}
