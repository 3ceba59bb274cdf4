/* A live crew of two groups of five: its contracts, lattices, tree and pool of documents.
 * SPDX-License-Identifier: MIT */
#include "flow.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <unistd.h>

static const char *w, *dir;

/* Short rounds, and everybody calls: whoever has the best link of its group
 * offers it alone, and nobody else's best is above it, so that there is a contract. */
static int set_up(void **state)
{
    struct server *s;

    (void)state;
    w = world("--pages", "400", "--hosts", "10", "--topics", "3");
    s = serve(w);
    dir = fresh("crew");
    assert_code(crawl(s, dir, world_words(w, 0), "--seed", world_seed(w, 0, 0), "--seed",
                      world_seed(w, 0, 1), "--pages", "150", "--delay", "50ms", "--model", "crew",
                      "--set", "groups=2", "--set", "crawlers=5", "--set", "interval=0.4s", "--set",
                      "threshold=0", "--set", "deadline=0.2s", "--set", "bid=at-most", "--set",
                      "managers=all", "--set", "links=1", "--set", "wordnet=none"),
                0);
    server_stop(s);
    return 0;
}

static const char *number_of(const char *sql)
{
    const char *n = crawl_text(dir, sql);

    assert_true(atoi(n) > 0);
    return n;
}

static void change(const char *crawl_dir, const char *sql)
{
    sqlite3 *db;

    assert_int_equal(sqlite3_open(text("%s/crawl.db", crawl_dir), &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

/* ---- conversations ------------------------------------------------------- */

static void contracts_are_listed(void **state)
{
    json_t *all = json_of(brood("show", dir, "--conversation", "--json", "--all").out);
    json_t *list = json_of(brood("show", dir, "--conversation", "--json").out);
    int64_t contracts = crawl_int(dir, "SELECT count(*) FROM (SELECT min(id) i FROM message GROUP "
                                       "BY conversation) JOIN message ON id = i WHERE performative"
                                       " = 'cfp'");
    struct ran r = brood("show", dir, "--conversation", "-n", "1");

    (void)state;
    assert_true(contracts > 1);
    assert_int_equal(json_array_size(list), contracts);
    assert_int_equal(json_array_size(all), crawl_int(dir, "SELECT count(DISTINCT conversation) "
                                                          "FROM message"));
    assert_string_equal(text_at(list, "0.performative"), "cfp");
    assert_true(int_at(list, "0.offered") > 0);
    assert_code(r, 0);
    assert_int_equal(lines_in(r.out), 3); /* heading, one, summary */
    assert_says(r.out, text("%lld contracts of ", (long long)contracts));
    assert_says(r.out, "the newest 1 are listed");
    json_decref(all);
    json_decref(list);
}

/* The manager, the facilitator of its group, and somebody of the same group. */
static void a_contract_is_drawn(void **state)
{
    const char *id = number_of("SELECT min(CAST(conversation AS INTEGER)) FROM message"
                               " WHERE performative = 'accept-proposal'");
    struct ran r = brood("show", dir, "--conversation", id);
    json_t *j = json_of(brood("show", dir, "--conversation", id, "--json").out);

    (void)state;
    assert_code(r, 0);
    assert_says(r.out, text("conversation %s, ", id));
    assert_says(r.out, "    0.000 |");
    assert_says(r.out, " cfp -");
    assert_says(r.out, "supply-links");
    assert_says(r.out, text_at(j, "parties.0.name"));
    assert_string_equal(text_at(j, "parties.0.kind"), "assistant");
    assert_string_equal(text_at(j, "parties.1.kind"), "facilitator");
    assert_string_equal(text_at(j, "messages.0.performative"), "cfp");
    assert_int_equal(
        json_array_size(json_at(j, "messages")),
        crawl_int(dir, text("SELECT count(*) FROM message WHERE conversation = '%s'", id)));
    assert_int_equal(crawl_int(dir, text("SELECT count(DISTINCT f.parent_id) FROM agent f JOIN"
                                         " message m ON f.name = m.sender WHERE m.conversation ="
                                         " '%s' AND f.kind = 'assistant'",
                                         id)),
                     1);
    json_decref(j);
}

static void what_is_not_there_gets_a_sentence(void **state)
{
    const char *last = number_of("SELECT max(CAST(conversation AS INTEGER)) FROM message");

    (void)state;
    assert_refused(brood("show", dir, "--conversation", "999999"), 1,
                   text("no conversation '999999': they are numbered 1 to %s", last));
    assert_refused(brood("show", dir, "--conversation", "first"), 1, "no conversation 'first'");
    assert_refused(brood("show", dir, "--conversation", "0"), 1, "no conversation '0'");
    assert_refused(brood("show", dir), 2, "URL|AGENT is missing");
    assert_refused(brood("show", dir, "--conversation", "--lattice"), 2, "give one of them");
    assert_refused(brood("show", dir, "Kadera", "--as", "dot"), 2, "--as is for --lattice");
    assert_refused(brood("show", dir, "Kadera", "--all"), 2, "--all is for --conversation");
    assert_refused(brood("show", w, "--conversation"), 1, "no agent of this crawl spoke");
    assert_string_equal(brood("show", w, "--conversation", "--json").out, "[]\n");
}

/* ---- lattices ------------------------------------------------------------ */

static void agents_have_lattices(void **state)
{
    const char *facilitator = crawl_text(dir, "SELECT substr(key, 9) FROM crawl JOIN agent ON name"
                                              " = substr(key, 9) WHERE key LIKE 'lattice.%' AND"
                                              " kind = 'facilitator'");
    const char *assistant = crawl_text(dir, "SELECT substr(key, 9) FROM crawl JOIN agent ON name"
                                            " = substr(key, 9) WHERE key LIKE 'lattice.%' AND"
                                            " kind = 'assistant'");
    const char *crawler = crawl_text(dir, text("SELECT c.name FROM agent c JOIN agent a ON a.id ="
                                               " c.parent_id WHERE a.name = '%s'",
                                               assistant));
    json_t *j = json_of(brood("show", dir, "--lattice", assistant, "--json").out), *word;
    struct ran r = brood("show", dir, "--lattice", facilitator);
    size_t i;

    (void)state;
    /* words as pages write them, WordNet or not: no number of a term */
    json_array_foreach(json_at(j, "lattice.attributes"), i, word)
        assert_int_not_equal(json_string_value(word)[0], '#');
    assert_code(r, 0);
    assert_says(r.out, text("lattice of %s, facilitator: ", facilitator));
    assert_says(r.out, "; as of 20");
    assert_int_equal(int_at(j, "lattice.objects"),
                     crawl_int(dir, text("SELECT json_array_length(value, '$.pages') FROM crawl"
                                         " WHERE key = 'lattice.%s'",
                                         assistant)));
    assert_string_equal(text_at(j, "kind"), "assistant");
    json_decref(j);
    /* a crawler reads for its assistant */
    assert_string_equal(brood("show", dir, "--lattice", crawler).out,
                        brood("show", dir, "--lattice", assistant).out);
    r = brood("show", dir, "--lattice", assistant, "--as", "dot", "-n", "7");
    assert_code(r, 0);
    assert_says(r.out, "digraph lattice {");
    assert_true(times_in(r.out, "[label=") <= 7);
    assert_refused(brood("show", dir, "--lattice", "Nobody"), 1, "no agent 'Nobody'");
}

static void any_crawl_has_a_lattice(void **state)
{
    json_t *j = json_of(brood("show", dir, "--lattice", "--as", "json").out);
    struct ran r = brood("show", dir, "--lattice", "-n", "3");

    (void)state;
    assert_true(json_is_null(json_at(j, "agent")));
    assert_int_equal(
        int_at(j, "lattice.objects"),
        crawl_int(dir, "SELECT count(*) FROM page WHERE NOT hidden AND dup_of IS NULL"));
    assert_true(int_at(j, "lattice.total") > 1);
    /* the top concept has all pages */
    assert_int_equal(int_at(j, "lattice.concepts.0.extent"), int_at(j, "lattice.objects"));
    assert_code(r, 0);
    assert_int_equal(lines_in(r.out), 2 + 3);
    json_decref(j);
    r = brood("show", w, "--lattice"); /* a world is a crawl, too */
    assert_code(r, 0);
    assert_says(r.out, "lattice of the crawl: ");
}

static void a_lattice_that_makes_no_sense_is_refused(void **state)
{
    static const char *const kept[] = {
        "",
        "[]",
        "{\"keywords\":[\"a\"],\"pages\":[1,2],\"rows\":[\"1\"]}",
        "{\"keywords\":[\"a\"],\"pages\":[1],\"rows\":[\"2\"]}", /* no such keyword */
        "{\"keywords\":[\"a\"],\"pages\":[1],\"rows\":[\"g\"]}",
        "{\"keywords\":[1],\"pages\":[1],\"rows\":[\"1\"]}",
        "{\"keywords\":[\"a\"],\"pages\":[1],\"rows\":[1]}",
    };
    const char *copy = fresh("odd");

    (void)state;
    assert_code(run("cp", "-r", dir, copy), 0);
    change(copy, "INSERT INTO agent(id, name, kind) VALUES(900, 'Odd', 'assistant')");
    assert_refused(brood("show", copy, "--lattice", "Odd"), 1, "Odd has read nothing");
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        change(copy, text("REPLACE INTO crawl VALUES('lattice.Odd', '%s')", kept[i]));
        assert_refused(brood("show", copy, "--lattice", "Odd"), 1, "makes no sense");
    }
}

/* ---- the tree, the figures ----------------------------------------------- */

static void the_crew_is_a_tree(void **state)
{
    json_t *tree = json_of(brood("tree", dir, "--json").out), *group;
    struct ran r = brood("tree", dir);
    size_t i;

    (void)state;
    assert_int_equal(json_array_size(tree), 2);
    json_array_foreach(tree, i, group)
    {
        assert_string_equal(text_at(group, "kind"), "facilitator");
        assert_int_equal(json_array_size(json_at(group, "children")), 5);
        assert_int_equal(int_at(group, "descendants"), 10);
        assert_string_equal(text_at(group, "children.0.kind"), "assistant");
        assert_string_equal(text_at(group, "children.0.children.0.kind"), "crawler");
    }
    assert_int_equal(int_at(tree, "0.pages_below") + int_at(tree, "1.pages_below"),
                     crawl_int(dir, "SELECT sum(pages) FROM agent"));
    assert_code(r, 0);
    assert_int_equal(lines_in(r.out), 1 + 22);
    assert_int_equal(times_in(r.out, "(10 agents, "), 2);
    assert_int_equal(times_in(r.out, "(1 agent, "), 10);
    json_decref(tree);
}

static void messages_are_counted_by_performative(void **state)
{
    json_t *stats = json_of(brood("stats", dir, "--json").out);
    int64_t asked = crawl_int(dir, "SELECT count(*) FROM message WHERE performative = 'query-if'");

    (void)state;
    assert_true(asked > 0);
    assert_int_equal(int_at(stats, "messages.query-if"), asked);
    assert_says(brood("stats", dir).out, text("query-if %lld", (long long)asked));
    assert_null(strstr(brood("stats", w).out, "messages"));
    json_decref(stats);
}

/* ---- the pool of documents ----------------------------------------------- */

static void the_pool_has_every_text(void **state)
{
    const char *pool = fresh("pool");
    int64_t pages = crawl_int(dir, "SELECT count(*) FROM page WHERE NOT hidden AND dup_of IS NULL");
    struct ran r = brood("export", dir, "--as", "docpool", "-o", pool);

    (void)state;
    assert_code(r, 0);
    assert_string_equal(r.out, "");
    assert_int_equal(lines_in(file_text(text("%s/index.tsv", pool))), 1 + pages);
    assert_int_equal(lines_in(file_text(text("%s/tf.tsv", pool))),
                     lines_in(file_text(text("%s/tfidf.tsv", pool))));
    assert_says(file_text(text("%s/texts/00000/00000001.txt", pool)),
                crawl_text(dir, "SELECT title FROM page WHERE id = 1"));
    assert_refused(brood("export", dir, "--as", "docpool", "-o", pool), 2, "is there already");
    assert_refused(brood("export", dir, "--as", "docpool", "-o", fresh("none/pool")), 1,
                   "cannot be written");
    assert_code(brood("export", dir, "--as", "docpool"), 0); /* beside the crawl */
    assert_int_equal(access(text("%s.docpool/idf.tsv", dir), F_OK), 0);
    assert_int_not_equal(access(text("%s.docpool.part", dir), F_OK), 0);
}

/* Made anew while the crawl runs; when both have ended it has every page. */
static void a_live_pool_ends_with_its_crawl(void **state)
{
    struct server *s = serve(w);
    const char *live = fresh("live"), *pool = fresh("live-pool");
    struct job *c = brood_job("crawl", world_words(w, 0), "--seed", world_seed(w, 0, 0), "--pages",
                              "120", "--delay", "40ms", "--model", "crew", "--out", live,
                              "--allow-private", "--resolve", s->resolve);
    struct job *e;

    (void)state;
    await_lines(s->log, 30);
    e = brood_job("export", live, "--as", "docpool", "-o", pool, "--every", "50ms");
    assert_code(job_wait(c), 0);
    assert_code(job_wait(e), 0);
    server_stop(s);
    assert_int_equal(
        lines_in(file_text(text("%s/index.tsv", pool))),
        1 + crawl_int(live, "SELECT count(*) FROM page WHERE NOT hidden AND dup_of IS NULL"));
    assert_int_not_equal(access(text("%s.part", pool), F_OK), 0);
    assert_refused(brood("export", live, "--as", "csv", "--every", "1s"), 2, "csv is a file");
}

/* ---- the tree as XML ----------------------------------------------------- */

static void the_tree_comes_back_from_xml(void **state)
{
    const char *xml = fresh("tree.xml"), *back = fresh("back");

    (void)state;
    assert_code(brood("export", dir, "--as", "xml", "-o", xml), 0);
    assert_says(brood("world", "import", "--from", "xml", xml, back).out, "22 agents");
    assert_string_equal(brood("export", back, "--as", "xml").out, file_text(xml));
    assert_code(brood("check", back), 0);
    assert_refused(brood("world", "import", "--from", "xml", xml, fresh("b"), "--keep-going"), 2,
                   "--keep-going has no meaning for --from xml");
    assert_refused(brood("world", "import", "--from", "xml", text("%s/crawl.db", dir), fresh("b")),
                   1, "no XML");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contracts_are_listed),
        cmocka_unit_test(a_contract_is_drawn),
        cmocka_unit_test(what_is_not_there_gets_a_sentence),
        cmocka_unit_test(agents_have_lattices),
        cmocka_unit_test(any_crawl_has_a_lattice),
        cmocka_unit_test(a_lattice_that_makes_no_sense_is_refused),
        cmocka_unit_test(the_crew_is_a_tree),
        cmocka_unit_test(messages_are_counted_by_performative),
        cmocka_unit_test(the_pool_has_every_text),
        cmocka_unit_test(a_live_pool_ends_with_its_crawl),
        cmocka_unit_test(the_tree_comes_back_from_xml),
    };

    return cmocka_run_group_tests(tests, set_up, NULL);
}
