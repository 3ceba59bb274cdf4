/* A dashboard over all nodes of a crawl on several machines, and what agents said, over a real
 * nats-server. Skipped by name where there is none. SPDX-License-Identifier: MIT */
#include "dash.h"
#include "nats.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define NODES 2

static struct job *bus;
static const char *bus_url, *w;
static struct server *served;
static struct job *nodes[NODES];

static int start_bus(void **state)
{
    (void)state;
    bus = bus_start(&bus_url);
    if (bus)
        w = world("--pages", "120", "--hosts", "8", "--topics", "2");
    return 0;
}

static int stop_bus(void **state)
{
    (void)state;
    bus_stop(bus);
    return 0;
}

static const char *dir_of(const char *name, int node)
{
    return fresh(text("%s-%d", name, node));
}

/* Two nodes that wait for their hosts: they are there to be asked, however long that takes. */
static void start_nodes(const char *name, const char *model, const char *set, const char *set_too)
{
    served = serve(w);
    nodes[0] = brood_job("crawl", world_words(w, 0), "--out", dir_of(name, 0), "--seed",
                         world_seed(w, 0, 0), "--seed", world_seed(w, 1, 0), "--model", model,
                         "--set", set, "--set", set_too, "--delay", "3s", "--quiet",
                         "--allow-private", "--resolve", served->resolve, "--nats", bus_url,
                         "--name", name, "--nodes", "2", "--lease", "20s");
    while (brood("nodes", "--nats", bus_url, "--crawl", name).code != 0)
        assert_true(job_listen(nodes[0], 20));
    nodes[1] = brood_job("node", "--nats", bus_url, "--crawl", name, "--out", dir_of(name, 1),
                         "--trust", "--quiet");
    for (int i = 0; i < NODES; i++)
        await(crawl_int_yet(dir_of(name, i), "SELECT count(*) FROM page") > 0);
}

static void end_nodes(void)
{
    for (int i = 0; i < NODES; i++)
        (void)job_wait(nodes[i]);
    server_stop(served);
}

/* ---- the dashboard ---- */

static json_t *ask(const struct board *b, const char *id, const char *view)
{
    return board_json(b, text("/api/crawls/%s%s", id, view));
}

static int code(const struct board *b, const char *id, const char *view)
{
    return board_get(b, text("/api/crawls/%s%s", id, view)).status;
}

static int64_t sum_of(const char *name, const char *sql)
{
    int64_t sum = 0;

    for (int i = 0; i < NODES; i++)
        sum += crawl_int_yet(dir_of(name, i), sql);
    return sum;
}

/* The first row of a node; NULL: none. */
static json_t *row_of(json_t *list, int place)
{
    json_t *row;
    size_t i;

    json_array_foreach(json_object_get(list, "rows"), i,
                       row) if (int_at(row, "id") % 1000 == place) return row;
    return NULL;
}

static void pages_come_from_both(const struct board *b, const char *id)
{
    json_t *list = ask(b, id, "/pages?n=500&snippet=1");
    double last = 1;

    assert_int_equal(int_at(list, "total"), json_array_size(json_object_get(list, "rows")));
    for (size_t i = 0; i < json_array_size(json_object_get(list, "rows")); i++) {
        json_t *row = json_array_get(json_object_get(list, "rows"), i);
        double rank = json_number_value(json_object_get(row, "relevance"));

        assert_int_equal(int_at(row, "rank"), i + 1);
        assert_true(rank <= last);
        last = rank;
    }
    for (int i = 0; i < NODES; i++) {
        json_t *row = row_of(list, i), *page;
        const char *one;

        assert_non_null(row);
        one = text("%lld", (long long)int_at(row, "id"));
        page = ask(b, id, text("/page/%s", one));
        assert_string_equal(text_at(page, "url"), text_at(row, "url"));
        assert_int_equal(int_at(page, "id"), int_at(row, "id"));
        assert_true(strlen(board_get(b, text("/api/crawls/%s/text/%s", id, one)).body) > 0);
        assert_int_equal(code(b, id, text("/markdown/%s", one)), 200);
        assert_int_equal(code(b, id, text("/stored/%s", one)), 409);
    }
    assert_int_equal(json_array_size(json_object_get(ask(b, id, "/pages?n=1&offset=1"), "rows")),
                     1);
    assert_int_equal(code(b, id, "/page/5005"), 404);   /* there is no sixth node */
    assert_int_equal(code(b, id, "/page/999001"), 404); /* the second has not so many pages */
    assert_int_equal(code(b, id, "/pages?colour=red"), 400);
}

/* Everybody's parent is there, and stands before it. */
static void agents_are_one_family(const struct board *b, const char *id, const char *name)
{
    json_t *rows = json_object_get(ask(b, id, "/lives"), "rows"), *row, *tree, *card;
    int64_t known = 0;
    size_t i;

    json_array_foreach(rows, i, row)
    {
        int64_t parent = json_integer_value(json_array_get(row, 1));
        bool met = parent == 0;

        for (size_t k = 0; k < i; k++)
            met |= json_integer_value(json_array_get(json_array_get(rows, k), 0)) == parent;
        assert_true(met);
        known++;
    }
    assert_true(known >= crawl_int_yet(dir_of(name, 0), "SELECT count(*) FROM agent"));
    assert_true(known <= sum_of(name, "SELECT count(*) FROM agent"));
    tree = ask(b, id, "/tree?n=500&depth=100");
    card = ask(b, id, text("/agent/%lld", (long long)int_at(tree, "children.0.id")));
    assert_string_equal(text_at(card, "name"), text_at(tree, "children.0.name"));
    assert_true(int_at(card, "visits") >= 0);
}

static void what_happens_is_told_newest_first(const struct board *b, const char *id)
{
    json_t *rows = json_object_get(ask(b, id, "/activity?n=100"), "rows");

    assert_true(json_array_size(rows) > 0);
    for (size_t i = 1; i < json_array_size(rows); i++)
        assert_true(strcmp(text_at(json_array_get(rows, i - 1), "at"),
                           text_at(json_array_get(rows, i), "at")) >= 0);
}

static void curves_end_with_all_pages(const struct board *b, const char *id, int64_t pages)
{
    json_t *got = json_object_get(ask(b, id, "/samples?metric=pages&points=50"), "pages");
    double last = json_number_value(json_array_get(got, json_array_size(got) - 1));

    assert_true(last > 0 && last <= (double)pages);
}

static void a_dashboard_shows_all_nodes_together(void **state)
{
    struct board *b;
    const char *id;
    int64_t pages;

    (void)state;
    if (bus == NULL)
        skip();
    start_nodes("seen", "balanced", "N=20", "LB=10");
    b = board("--nats", bus_url, "--crawl", "seen");
    id = board_id(b, "seen");
    board_await(b, id, "running");
    assert_int_equal(board_post(b, text("/api/crawls/%s/pause", id), "{}").status, 200);
    board_await(b, id, "paused");
    for (pages = 0; pages != sum_of("seen", "SELECT count(*) FROM page") ||
                    int_at(ask(b, id, ""), "pages") != pages;) { /* what was under way arrives */
        pages = sum_of("seen", "SELECT count(*) FROM page");
        await(job_listen(nodes[0], 200));
    }
    assert_int_equal(json_array_size(json_object_get(ask(b, id, ""), "nodes")), NODES);
    pages_come_from_both(b, id);
    agents_are_one_family(b, id, "seen");
    what_happens_is_told_newest_first(b, id);
    curves_end_with_all_pages(b, id, pages);
    assert_true(json_array_size(json_object_get(ask(b, id, "/map"), "hosts")) >= NODES);
    assert_true(json_array_size(json_object_get(ask(b, id, "/paths"), "children")) >= 1);
    assert_int_equal(code(b, id, "/pages.csv"), 409);
    assert_int_equal(board_post(b, text("/api/crawls/%s/limits", id), "{\"pages\":5}").status, 409);
    assert_int_equal(board_post(b, text("/api/crawls/%s/continue", id), "{}").status, 200);
    board_await(b, id, "running");
    assert_int_equal(board_post(b, text("/api/crawls/%s/stop", id), "{}").status, 200);
    end_nodes();
    board_await(b, id, "finished");
    await(int_at(ask(b, id, ""), "pages") == sum_of("seen", "SELECT count(*) FROM page"));
    assert_string_equal(text_at(ask(b, id, ""), "end"), "stopped");
    assert_true(int_at(ask(b, id, "/pages?n=500&snippet=1"), "total") > 0); /* as it was last */
    assert_int_equal(code(b, id, "/pages?n=3"), 404);
    board_stop(b);
}

static int64_t agents_of_the_table(json_t *overview)
{
    int64_t sum = 0;

    for (int i = 0; i < NODES; i++)
        sum += int_at(overview, text("nodes.%d.agents", i));
    return sum;
}

/* Its agents live on at the other node. What it said of itself when it was there does not count. */
static void agents_of_a_node_that_left_are_counted_where_they_live(void **state)
{
    struct board *b;
    json_t *overview;
    const char *id;

    (void)state;
    if (bus == NULL)
        skip();
    start_nodes("left", "balanced", "N=20", "LB=10");
    b = board("--nats", bus_url, "--crawl", "left");
    id = board_id(b, "left");
    await(int_at(ask(b, id, ""), "nodes.1.agents") > 0);
    assert_int_equal(kill(job_pid(nodes[1]), SIGINT), 0);
    (void)job_wait(nodes[1]);
    await(int_at(ask(b, id, ""), "nodes.1.agents") == 0); /* an heir has them */
    overview = ask(b, id, "");
    assert_true(agents_of_the_table(overview) > 0);
    assert_int_equal(int_at(overview, "alive"), agents_of_the_table(overview));
    assert_int_equal(int_at(overview, "agents.alive"), agents_of_the_table(overview));
    assert_code(brood("nodes", "--nats", bus_url, "--crawl", "left", "--stop"), 0);
    (void)job_wait(nodes[0]);
    server_stop(served);
    board_await(b, id, "finished");
    overview = ask(b, id, "");
    assert_int_equal(int_at(overview, "alive"), agents_of_the_table(overview));
    board_stop(b);
}

static void a_dashboard_says_which_crawl_it_misses(void **state)
{
    (void)state;
    if (bus == NULL)
        skip();
    assert_refused(brood("serve", "--nats", bus_url, "--crawl", "nobody", "--port", "0"), 1,
                   "there is no crawl of this name");
    assert_refused(brood("serve", "--nats", bus_url), 2, "which crawl?");
    assert_refused(brood("serve", "--nats", bus_url, "--crawl", "x", "somewhere"), 2,
                   "takes no directory");
}

/* ---- what agents say ---- */

static void conversations_of_all_nodes_can_be_read(void **state)
{
    struct board *b;
    json_t *list, *one, *said;
    const char *id, *number = NULL;
    bool both[NODES] = {false};

#define ASK(...) brood(__VA_ARGS__, "--nats", bus_url, "--crawl", "talk")
    (void)state;
    if (bus == NULL)
        skip();
    start_nodes("talk", "crew", "interval=1s", "wordnet=none");
    for (int i = 0; i < NODES; i++)
        await(crawl_int_yet(dir_of("talk", i), "SELECT count(*) FROM message") > 0);
    list = json_of(ASK("show", "--conversation", "--all", "-n", "500", "--json").out);
    for (size_t i = 0; i < json_array_size(list); i++) {
        json_t *row = json_array_get(list, i);

        both[int_at(row, "id") % 1000] = true;
        number = text("%lld", (long long)int_at(row, "id"));
    }
    assert_true(both[0] && both[1]);
    one = json_of(ASK("show", "--conversation", number, "--json").out);
    assert_true(json_array_size(json_object_get(one, "messages")) > 0);
    assert_says(ASK("show", "--conversation", number).out, "conversation ");
    assert_refused(ASK("show", "--conversation", "77077"), 2, "no node has a conversation");
    b = board("--nats", bus_url, "--crawl", "talk");
    id = board_id(b, "talk");
    assert_true(json_array_size(json_object_get(ask(b, id, "/conversations?n=500"), "rows")) > 0);
    said = ask(b, id, text("/messages?conversation=%s", number));
    assert_string_equal(text_at(said, "rows.0.conversation"), number);
    assert_true(json_array_size(json_object_get(ask(b, id, "/crew"), "groups")) >= NODES);
    assert_code(brood("nodes", "--nats", bus_url, "--crawl", "talk", "--stop"), 0);
    end_nodes();
    board_stop(b);
    list = json_of(brood("show", dir_of("talk", 0), dir_of("talk", 1), "--conversation", "--all",
                         "-n", "9999", "--json")
                       .out);
    assert_true(json_array_size(list) > 0);
    assert_refused(brood("export", dir_of("talk", 0), dir_of("talk", 1), "--as", "csv"), 2,
                   "takes one directory");
#undef ASK
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dashboard_shows_all_nodes_together),
        cmocka_unit_test(agents_of_a_node_that_left_are_counted_where_they_live),
        cmocka_unit_test(a_dashboard_says_which_crawl_it_misses),
        cmocka_unit_test(conversations_of_all_nodes_can_be_read),
    };

    return cmocka_run_group_tests(tests, start_bus, stop_bus);
}
