/* brood tree, brood show of an agent, export --as xml: a real crawl whose single
 * agent is given a family by hand, and the families of real populations.
 * SPDX-License-Identifier: MIT */
#include "flow.h"

#include <libxml/parser.h>
#include <sqlite3.h>
#include <stdlib.h>

static const char *w, *dir;
static struct server *server;

/* Page 2, 3, … of the crawl are given to the others.
 *
 *     1 (of the crawl)
 *     +- Bolimi 2    starved, has page 2
 *     |  +- Cedaro 4 alive, page 3; visits 3, 4
 *     +- Dofine 3    starved, none; a control character in its end
 *     Esmera 5       another root, alive */
#define FAMILY                                                                                     \
    "INSERT INTO agent(id, name, kind, parent_id, generation, born_at, born_page, died_at, death," \
    " energy, pages) VALUES"                                                                       \
    "(2, 'Bolimi', 'kin', 1, 1, 1000000, 1, 5000000, 'starved', -0.25, 1),"                        \
    "(3, 'Dofine', 'kin', 1, 1, 2000000, 1, 6000000, 'by a bell' || char(7) || '<&>', -1, 0),"     \
    "(4, 'Cedaro', 'kin', 2, 2, 3000000, 2, NULL, NULL, 1.5, 1),"                                  \
    "(5, 'Esmera', 'kin', NULL, 0, 4000000, NULL, NULL, NULL, 2, 0);"                              \
    "UPDATE page_row SET agent = 2, hidden = 0, dup_of = NULL, relevance = 0.5 WHERE id = 2;"      \
    "UPDATE page_row SET agent = 4, hidden = 0, dup_of = NULL, relevance = 0.75 WHERE id = 3;"     \
    "INSERT INTO visit(agent_id, page_id, at, first, energy_before, delta, energy_after) VALUES"   \
    "(4, 3, 3500000, 1, 1, 0.75, 1.75), (4, 4, 3600000, 0, 1.75, -0.25, 1.5),"                     \
    "(4, 99999, 3700000, 0, 1.5, 0, 1.5)"

static void change(const char *crawl_dir, const char *sql)
{
    sqlite3 *db;

    assert_int_equal(sqlite3_open(text("%s/crawl.db", crawl_dir), &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static int set_up(void **state)
{
    (void)state;
    w = world("--pages", "200", "--hosts", "5", "--topics", "3");
    server = serve(w);
    dir = fresh("C");
    assert_code(crawl(server, dir, world_words(w, 0), "--seed", world_seed(w, 0, 0), "--pages",
                      "20", "--delay", "0", "--model", "best-first"),
                0);
    change(dir, FAMILY);
    change(dir, "UPDATE judged_row SET p = (SELECT relevance FROM page_row WHERE id = page)");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    xmlCleanupParser();
    return 0;
}

/* The line of the text that names this agent. */
static const char *line_of(const char *out, const char *name)
{
    const char *at = strstr(out, name), *end;

    assert_non_null(at);
    end = strchr(at, '\n');
    while (at > out && at[-1] != '\n')
        at--;
    return text("%.*s", (int)(end - at), at);
}

static void the_tree_is_drawn(void **state)
{
    struct ran r;
    const char *best = crawl_text(dir, "SELECT url FROM page WHERE id = 3");

    (void)state;
    (void)setenv("LC_ALL", "C.UTF-8", 1);
    r = brood("tree", dir);
    assert_code(r, 0);
    assert_int_equal(lines_in(r.out), 1 + 5);
    assert_string_equal(line_of(r.out, "Cedaro"),
                        text("    1.50       1    75  │  └─ Cedaro 4 alive  %s", best));
    assert_says(line_of(r.out, "Bolimi"), "   -0.25       1    50  ├─ Bolimi 2 kin, starved  ");
    assert_string_equal(line_of(r.out, "Dofine"),
                        "   -1.00       0     -  └─ Dofine 3 kin, by a bell?<&>");
    assert_string_equal(line_of(r.out, "Esmera"), "    2.00       0     -  Esmera 5 kin, alive");
    (void)setenv("LC_ALL", "C", 1);
    r = brood("tree", dir);
    assert_says(r.out, "|- Bolimi");
    assert_says(r.out, "|  `- Cedaro");
}

/* Every page once, under the page that first named it, with the agent that fetched it. */
static void the_search_path_tree_has_an_agent_on_every_page(void **state)
{
    struct ran r = brood("tree", dir, "--paths", "--json");
    const char *found = crawl_text(dir, "SELECT url FROM page WHERE id = 3");
    json_t *rows = json_of(r.out);
    int64_t pages = crawl_int(dir, "SELECT count(*) FROM page WHERE version_of IS NULL");
    size_t roots = 0;

    (void)state;
    assert_code(r, 0);
    assert_int_equal(json_array_size(rows), pages);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        json_t *row = json_array_get(rows, i);
        int64_t page = int_at(row, "page"),
                from = crawl_int(dir, text("SELECT u.from_page FROM page p JOIN url u ON u.id ="
                                           " p.url_id WHERE p.id = %lld",
                                           (long long)page));

        roots += from == 0;
        if (json_is_null(json_at(row, "from_page")))
            assert_int_equal(from, 0);
        else
            assert_int_equal(int_at(row, "from_page"), from);
        assert_int_equal(
            int_at(row, "agent"),
            crawl_int(dir, text("SELECT agent_id FROM page WHERE id = %lld", (long long)page)));
    }
    r = brood("tree", dir, "--paths");
    assert_int_equal(lines_in(r.out), 1 + pages);
    assert_says(line_of(r.out, text(" %s\n", found)), "  75  Cedaro 4  ");
    assert_int_equal(lines_in(brood("tree", dir, "--paths", "--depth", "1").out), 1 + roots);
    assert_refused(brood("tree", dir, "--paths", "-n", "2"), 2, "--paths shows pages");
}

static void generations_and_the_dead_can_be_left_out(void **state)
{
    struct ran r = brood("tree", dir, "--depth", "2");

    (void)state;
    assert_code(r, 0);
    assert_int_equal(lines_in(r.out), 1 + 4);
    assert_says(line_of(r.out, "Bolimi"), "(1 more below)");
    r = brood("tree", dir, "--alive");
    assert_int_equal(lines_in(r.out), 1 + 4);
    assert_null(strstr(r.out, "Dofine"));
    assert_says(r.out, "`- Bolimi"); /* dead, but not childless; and the last one now */
    assert_refused(brood("tree", dir, "--depth", "-1"), 2, "depth");
    assert_refused(brood("tree", fresh("nowhere")), 1,
                   "is not a crawl: there is no such directory");
    r = brood("tree", dir, "-n", "1");
    assert_code(r, 0);
    assert_says(r.out, "Koxase 1");
    assert_null(strstr(r.out, "Esmera 5")); /* a smaller family */
    assert_says(r.out, " agents)\n");
}

static void the_tree_is_nested_json(void **state)
{
    struct ran r = brood("tree", dir, "--json");
    json_t *j;

    (void)state;
    assert_code(r, 0);
    j = json_of(r.out);
    assert_int_equal(json_array_size(j), 2);
    assert_int_equal(int_at(j, "0.id"), 1);
    assert_int_equal(json_array_size(json_at(j, "0.children")), 2);
    assert_string_equal(text_at(j, "0.children.0.name"), "Bolimi");
    assert_string_equal(text_at(j, "0.children.0.kind"), "kin");
    assert_string_equal(text_at(j, "0.children.0.born_at"), "1970-01-01T00:00:01.000Z");
    assert_string_equal(text_at(j, "0.children.0.died_at"), "1970-01-01T00:00:05.000Z");
    assert_string_equal(text_at(j, "0.children.0.death"), "starved");
    assert_true(num_at(j, "0.children.0.energy") == -0.25);
    assert_int_equal(int_at(j, "0.children.0.pages"), 1);
    assert_string_equal(text_at(j, "0.children.1.death"), "by a bell\x07<&>");
    assert_int_equal(int_at(j, "0.children.0.children.0.id"), 4);
    assert_true(json_is_null(json_at(j, "0.children.0.children.0.died_at")));
    assert_true(json_is_null(json_at(j, "0.children.0.children.0.death")));
    assert_int_equal(int_at(j, "0.children.0.children.0.best.page"), 3);
    assert_true(json_is_null(json_at(j, "1.best")));
    assert_int_equal(json_array_size(json_at(j, "1.children")), 0);
    assert_int_equal(int_at(j, "0.descendants"), 3);
    json_decref(j);
}

static void an_agents_life_is_told(void **state)
{
    struct ran r = brood("show", dir, "Cedaro");
    const char *born = crawl_text(dir, "SELECT url FROM page WHERE id = 2");

    (void)state;
    assert_code(r, 0);
    assert_says(r.out, "agent      4 Cedaro, kin, generation 2\n");
    assert_says(r.out, text("on page 2 %s, child of Bolimi 2\n", born));
    assert_says(r.out, "\nalive\n");
    assert_says(r.out, "energy     1.5000 (gained 0.7500, paid 0.2500 on its way)");
    assert_says(r.out, "pages      1 fetched, 3 visits, 1 of them the first there");
    assert_says(r.out, "   1.750   +0.750  0.750 * http");
    assert_says(r.out, "(forgotten)");
    assert_string_equal(brood("show", dir, "4").out, r.out);
    assert_int_equal(lines_in(brood("show", dir, "4", "-n", "1").out), lines_in(r.out) - 2);
    r = brood("show", dir, "1");
    assert_says(r.out, "Bolimi 2 starved");
    assert_says(brood("show", dir, "3").out, "by a bell?<&>");
    assert_refused(brood("show", dir, "Nobody"), 1, "no agent 'Nobody'");
    assert_refused(brood("show", dir, "77"), 1, "no agent '77'");
}

static void an_agents_life_is_json_too(void **state)
{
    struct ran r = brood("show", dir, "Cedaro", "--json");
    json_t *j;

    (void)state;
    assert_code(r, 0);
    j = json_of(r.out);
    assert_int_equal(int_at(j, "parent"), 2);
    assert_int_equal(int_at(j, "generation"), 2);
    assert_int_equal(json_array_size(json_at(j, "path")), 3);
    assert_true(num_at(j, "path.0.after") == 1.75);
    assert_true(json_is_true(json_at(j, "path.0.first")));
    assert_true(json_is_null(json_at(j, "path.2.url")));
    assert_int_equal(int_at(j, "finds.0.page"), 3);
    json_decref(j);
    j = json_of(brood("show", dir, "1", "--json").out);
    assert_string_equal(text_at(j, "children.1.name"), "Dofine");
    json_decref(j);
}

/* Parents without end: as many as agents, one below the other. */
static void a_family_of_ten_thousand_generations_is_shown(void **state)
{
    const char *deep = fresh("deep");
    struct ran r;

    (void)state;
    assert_code(run("cp", "-r", dir, deep), 0);
    change(deep, "DELETE FROM agent; DELETE FROM visit;"
                 "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)"
                 " INSERT INTO agent(id, name, kind, parent_id, generation, born_at, energy, pages)"
                 " SELECT i, 'n' || i, 'k', nullif(i - 1, 0), i - 1, 1, 0, 0 FROM n");
    r = brood("tree", deep);
    assert_code(r, 0);
    assert_int_equal(lines_in(r.out), 10001);
    assert_true(strlen(r.out) < 10000 * 200);
    r = brood("tree", deep, "--json");
    assert_code(r, 0);
    assert_int_equal(times_in(r.out, "\"children\":["), 10000);
    r = brood("export", deep, "--as", "xml");
    assert_code(r, 0);
    assert_int_equal(times_in(r.out, "<agent "), 10000);
}

static void xml_is_well_formed_and_complete(void **state)
{
    struct ran r = brood("export", dir, "--as", "xml");
    xmlDoc *doc;

    (void)state;
    assert_code(r, 0);
    doc = xmlReadMemory(r.out, (int)strlen(r.out), "x", NULL, XML_PARSE_NONET);
    assert_non_null(doc);
    xmlFreeDoc(doc);
    assert_int_equal(times_in(r.out, "<agent "), 5);
    assert_int_equal(times_in(r.out, "</agent>"), 2);
    assert_says(r.out, "death=\"by a bell&lt;&amp;&gt;\"");
    assert_int_equal(times_in(r.out, "<visit "), crawl_int(dir, "SELECT count(*) FROM visit"));
    assert_int_equal(
        times_in(r.out, "<page "),
        crawl_int(dir, "SELECT count(*) FROM page WHERE NOT hidden AND dup_of IS NULL"));
    assert_says(r.out, "seed=\"yes\"");
}

/* What a population really did: its tree has everybody once, children are born where
 * a parent was (or was born), and energies follow from the visits. */
static void real_populations_have_real_families(void **state)
{
    static const char *const models[] = {"endogenous", "balanced", "infospiders"};

    (void)state;
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        const char *c = fresh(models[i]);
        struct ran r;

        assert_code(crawl(server, c, world_words(w, 0), "--seed", world_seed(w, 0, 0), "--pages",
                          "120", "--delay", "0", "--model", models[i]),
                    0);
        assert_code(brood("check", c), 0);
        r = brood("tree", c, "--json");
        assert_code(r, 0);
        assert_int_equal(times_in(r.out, "\"children\":["),
                         crawl_int(c, "SELECT count(*) FROM agent"));
        assert_int_equal(crawl_int(c, "SELECT count(*) FROM agent a JOIN agent p ON p.id ="
                                      " a.parent_id WHERE a.generation <> p.generation + 1"),
                         0);
        assert_int_equal(crawl_int(c, "SELECT count(*) FROM agent a JOIN agent p ON p.id ="
                                      " a.parent_id WHERE a.born_page IS NOT p.born_page AND NOT"
                                      " EXISTS (SELECT 1 FROM visit v WHERE v.agent_id ="
                                      " a.parent_id AND v.page_id = a.born_page)"),
                         0);
        assert_int_equal(crawl_int(c, "SELECT count(*) FROM visit"
                                      " WHERE abs(energy_before + delta - energy_after) > 1e-9"),
                         0);
        assert_int_equal(crawl_int(c, "SELECT count(*) FROM agent a JOIN (SELECT agent, count(*) n"
                                      " FROM page_row GROUP BY agent) p ON p.agent = a.id"
                                      " WHERE p.n <> a.pages"),
                         0);
    }
    server_stop(server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tree_is_drawn),
        cmocka_unit_test(the_search_path_tree_has_an_agent_on_every_page),
        cmocka_unit_test(generations_and_the_dead_can_be_left_out),
        cmocka_unit_test(the_tree_is_nested_json),
        cmocka_unit_test(an_agents_life_is_told),
        cmocka_unit_test(an_agents_life_is_json_too),
        cmocka_unit_test(a_family_of_ten_thousand_generations_is_shown),
        cmocka_unit_test(xml_is_well_formed_and_complete),
        cmocka_unit_test(real_populations_have_real_families),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
