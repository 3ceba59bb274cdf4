/* Agents in the crawl directory: a real population's events in; rows, families
 * and XML out. SPDX-License-Identifier: MIT */
#include "support/support.h"

#include "made.h"

#include "agent/population.h"
#include "store/write/check.h"
#include "store/write/tree.h"
#include "store/export/export.h"
#include "store/read/family.h"
#include "store/read/view.h"

#include <libxml/parser.h>
#include <stdio.h>
#include <stdlib.h>

static const char *dir;

/* Four agents:  1 -+- 3 -- 4      2
 *
 *   1  born with 1; page 1 (.2) gives 3: 4; divides with 3: 2 each; cut to 1.5
 *   2  born with 1; page 2 (.7) costs 2: -1, dies
 *   3  page 3 (.9) gives 1: 3; divides with 4: 1.5 each; page 1 again costs .25: 1.25
 *   4  has found nothing */
static int set_up(void **state)
{
    struct store *s;
    struct population *p;

    (void)state;
    dir = test_dir();
    s = made_store(dir);
    p = population_new(store_post, s);
    (void)agent_born(p, MADE_AT, 0, "spider", 0, 1);
    (void)agent_born(p, MADE_AT, 0, "spider", 0, 1);
    made_post(s, &(struct made_page){.id = 1, .agent = 1, .relevance = 0.2F});
    agent_visited(p, MADE_AT + 1, 1, 1, true, 3);
    (void)agent_split(p, MADE_AT + 2, 1, 1, 2, NULL);
    agent_changed(p, MADE_AT + 2, 1, -0.5);
    made_post(s, &(struct made_page){.id = 2, .agent = 2, .relevance = 0.7F});
    agent_visited(p, MADE_AT + 3, 2, 2, true, -2);
    agent_died(p, MADE_AT + 4, 2, "starved");
    made_post(s, &(struct made_page){.id = 3,
                                     .agent = 3,
                                     .relevance = 0.9F,
                                     .title = "\"<Reefs>\" & more\nthan\x01that"});
    agent_visited(p, MADE_AT + 5, 3, 3, true, 1);
    (void)agent_split(p, MADE_AT + 6, 3, 1, 1.5, NULL);
    agent_visited(p, MADE_AT + 7, 3, 1, false, -0.25);
    made_key(s, "topic", "reefs & 'corals'");
    made_checkpoint(s, 3);
    made_close(s);
    population_free(p);
    return 0;
}

static void a_split_changes_the_parents_energy_without_a_visit(void **state)
{
    (void)state;
    assert_string_equal(made_text(dir, "SELECT group_concat(energy) FROM agent"),
                        "1.5,-1.0,1.25,1.5");
    assert_string_equal(made_text(dir, "SELECT group_concat(pages) FROM agent"), "1,1,1,0");
    assert_string_equal(made_text(dir, "SELECT group_concat(generation) FROM agent"), "0,0,1,2");
    assert_string_equal(made_text(dir, "SELECT group_concat(coalesce(parent_id, '-')) FROM agent"),
                        "-,-,1,3");
    assert_string_equal(made_text(dir, "SELECT group_concat(coalesce(born_page, '-')) FROM agent"),
                        "-,-,1,3");
    assert_string_equal(made_text(dir, "SELECT death FROM agent WHERE died_at IS NOT NULL"),
                        "starved");
    assert_int_equal(made_int(dir, "SELECT died_at FROM agent WHERE id = 2"), MADE_AT + 4);
    assert_string_equal(
        made_text(dir, "SELECT group_concat(agent_id || ':' || page_id) FROM visit"),
        "1:1,2:2,3:3,3:1");
    assert_string_equal(made_text(dir, "SELECT group_concat(energy_after) FROM visit"),
                        "4.0,-1.0,3.0,1.25");
    assert_string_equal(made_text(dir, "SELECT group_concat(energy) FROM page"), "4.0,-1.0,3.0");
}

/* ---- questions ----------------------------------------------------------- */

static struct buf told;

static enum status tell_agent(void *ctx, const struct query_agent *a)
{
    (void)ctx;
    buf_addf(&told, "%u %.2f;", a->id, a->energy);
    return ST_OK;
}

static enum status tell_visit(void *ctx, const struct query_visit *v)
{
    (void)ctx;
    buf_addf(&told, "%u:%u%s %.2f %.*s;", v->agent, v->page, v->first ? "*" : "", v->after,
             STR_ARG(v->url));
    return ST_OK;
}

static enum status tell_page(void *ctx, const struct query_page *p)
{
    (void)ctx;
    buf_addf(&told, "%u %.1f;", p->id, p->relevance);
    return ST_OK;
}

#define assert_told(st, expected)             \
    do {                                      \
        buf_clear(&told);                     \
        assert_int_equal((st), ST_OK);        \
        assert_str(buf_str(&told), expected); \
    } while (0)

static void assert_lives(struct query *q)
{
    struct query_life life;
    uint64_t all;
    char name[AGENT_NAME];

    buf_init(&told, 10000);
    assert_told(query_agents(q, tell_agent, NULL), "1 1.50;2 -1.00;3 1.25;4 1.50;");
    assert_told(query_agent_named(q, STR("3"), tell_agent, NULL), "3 1.25;");
    assert_told(query_agent_named(q, str_of(agent_name(4, name)), tell_agent, NULL), "4 1.50;");
    assert_int_equal(query_agent_named(q, STR("Nobody"), tell_agent, NULL), ST_MISSING);
    assert_told(query_agent(q, 3, tell_agent, NULL), "3 1.25;");
    assert_int_equal(query_agent(q, 5, tell_agent, NULL), ST_MISSING);
    assert_told(query_children(q, 1, 9, tell_agent, NULL, &all), "3 1.25;");
    assert_int_equal(all, 1);
    assert_told(query_children(q, 4, 9, tell_agent, NULL, &all), "");
    assert_told(query_children(q, 0, 1, tell_agent, NULL, &all), "1 1.50;");
    assert_int_equal(all, 2);
    assert_told(query_visits(q, 3, 10, tell_visit, NULL),
                "3:3* 3.00 http://a.test/3;3:1 1.25 http://a.test/1;");
    assert_told(query_visits(q, 3, 1, tell_visit, NULL), "3:1 1.25 http://a.test/1;");
    assert_told(query_histories(q, tell_visit, NULL),
                "1:1* 4.00 http://a.test/1;2:2* -1.00 http://a.test/2;"
                "3:3* 3.00 http://a.test/3;3:1 1.25 http://a.test/1;");
    assert_told(query_finds(q, 3, 5, tell_page, NULL), "3 0.9;");
    assert_told(query_finds(q, 4, 5, tell_page, NULL), "");
    assert_int_equal(query_life(q, 3, &life), ST_OK);
    assert_int_equal(life.visits, 2);
    assert_int_equal(life.found, 1);
    assert_true(life.gained == 1 && life.paid == 0.25);
    assert_int_equal(query_life(q, 4, &life), ST_OK);
    assert_int_equal(life.visits, 0);
    query_close(q);
    buf_free(&told);
}

/* A query with a view has tables of its own, and gives the same answers. */
static void lives_are_told(void **state)
{
    struct query *q, *view;

    (void)state;
    assert_int_equal(query_open(dir, &q), ST_OK);
    assert_lives(q);
    assert_int_equal(view_open(dir, &view), ST_OK);
    assert_int_equal(view_refresh(view, true, NULL), ST_OK);
    assert_lives(view);
}

/* ---- families ------------------------------------------------------------ */

static enum status tell_member(void *ctx, const struct family *f, const struct family_member *m,
                               bool entered)
{
    (void)ctx, (void)f;
    if (entered)
        buf_addf(&told, "(%u", m->agent.id);
    else
        buf_add_char(&told, ')');
    return ST_OK;
}

static void a_family_is_a_tree(void **state)
{
    struct query *q;
    struct family f;

    (void)state;
    buf_init(&told, 10000);
    assert_int_equal(query_open(dir, &q), ST_OK);
    assert_int_equal(family_load(q, &f), ST_OK);
    assert_told(family_walk(&f, UINT32_MAX, tell_member, NULL), "(1(3(4)))(2)");
    assert_told(family_walk(&f, 1, tell_member, NULL), "(1(3))(2)");
    assert_told(family_walk(&f, 0, tell_member, NULL), "(1)(2)");
    assert_int_equal(f.members[0].descendants, 2);
    assert_int_equal(f.members[2].depth, 1);
    assert_int_equal(f.members[2].best_page, 3);
    assert_int_equal(f.members[3].best_page, 0);
    assert_true(family_has_next(&f, &f.members[0]));
    family_show_living(&f);
    assert_told(family_walk(&f, UINT32_MAX, tell_member, NULL), "(1(3(4)))");
    assert_false(family_has_next(&f, &f.members[0]));
    f.members[1].shown = true;
    family_cut(&f, 2); /* of 0 1 2 generations the last begins anew */
    assert_told(family_walk(&f, UINT32_MAX, tell_member, NULL), "(1(3))(2)(4)");
    family_clear(&f);
    query_close(q);
    buf_free(&told);
}

/* Rows as no crawl writes them: circles, children older than their parents,
 * parents that are not there. */
static const char *with_agents(const char *sql)
{
    const char *other = test_dir();
    struct store *s = made_store(other);
    sqlite3 *db;
    char path[600];

    made_checkpoint(s, 0);
    made_close(s);
    (void)snprintf(path, sizeof path, "%s/crawl.db", other);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    return other;
}

#define NO_TREE                                                              \
    "INSERT INTO agent(id, name, parent_id) VALUES(1, 'a', 2), (2, 'b', 1)," \
    "(3, 'c', 3), (4, 'd', 99), (5, 'a', 4)"

static void impossible_families_end(void **state)
{
    struct query *q;
    struct family f;

    (void)state;
    buf_init(&told, 10000);
    assert_int_equal(query_open(with_agents(NO_TREE), &q), ST_OK);
    assert_int_equal(family_load(q, &f), ST_OK);
    assert_told(family_walk(&f, UINT32_MAX, tell_member, NULL), "(1(2))(3)(4(5))");
    family_clear(&f);
    query_close(q);
    buf_free(&told);
}

static void tell_issue(void *ctx, const struct check_issue *issue)
{
    (void)ctx;
    buf_addf(&told, "%.*s\n", STR_ARG(issue->text));
}

static void impossible_families_are_noticed(void **state)
{
    struct check_result result;

    (void)state;
    buf_init(&told, 10000);
    assert_told(check_run(with_agents(NO_TREE), false, tell_issue, NULL, &result),
                "2 agents are called a\n"
                "agent 1 is a child of 2, which is not there or younger\n"
                "agent 3 is a child of 3, which is not there or younger\n"
                "agent 4 is a child of 99, which is not there or younger\n");
    assert_told(check_run(dir, false, tell_issue, NULL, &result), "");
    buf_free(&told);
}

#define DEEP 5000
#define DEEP_SQL                                                                        \
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)"    \
    " INSERT INTO agent(id, name, kind, parent_id, generation, born_at, energy, pages)" \
    " SELECT i, 'n' || i, 'k', nullif(i - 1, 0), i - 1, 1000, 0, 0 FROM n"

/* ---- XML ----------------------------------------------------------------- */

/* Until the next call. */
static struct str written(const char *from)
{
    struct query *q;
    FILE *file = tmpfile();
    static char text[4 << 20];
    size_t len;

    assert_non_null(file);
    assert_int_equal(query_open(from, &q), ST_OK);
    assert_int_equal(export_xml(q, &(struct export_to){.out = file}), ST_OK);
    query_close(q);
    rewind(file);
    len = fread(text, 1, sizeof text, file);
    assert_true(len < sizeof text);
    (void)fclose(file);
    return (struct str){text, len};
}

static xmlDoc *exported(const char *from)
{
    struct str text = written(from);
    xmlDoc *doc = xmlReadMemory(text.ptr, (int)text.len, "x", NULL, XML_PARSE_NONET);

    assert_non_null(doc);
    return doc;
}

static xmlNode *child_of(xmlNode *node, int n, const char *name)
{
    for (node = node->children; node; node = node->next)
        if (node->type == XML_ELEMENT_NODE && n-- == 0)
            break;
    assert_non_null(node);
    assert_string_equal((const char *)node->name, name);
    return node;
}

static void assert_attr(xmlNode *node, const char *name, const char *expected)
{
    xmlChar *value = xmlGetProp(node, (const xmlChar *)name);

    if (expected)
        assert_string_equal((const char *)value, expected);
    else
        assert_null(value);
    xmlFree(value);
}

static void xml_has_tree_finds_and_paths(void **state)
{
    xmlDoc *doc = exported(dir);
    xmlNode *root = xmlDocGetRootElement(doc), *agents, *finds, *paths, *a;
    char name[AGENT_NAME];

    (void)state;
    assert_attr(root, "topic", "reefs & 'corals'");
    assert_attr(root, "pages", "3");
    agents = child_of(root, 0, "agents");
    assert_attr(agents, "born", "4");
    assert_attr(agents, "died", "1");
    a = child_of(agents, 0, "agent");
    assert_attr(a, "name", agent_name(1, name));
    assert_attr(a, "energy", "1.5");
    assert_attr(a, "parent", NULL);
    a = child_of(a, 0, "agent");
    assert_attr(a, "id", "3");
    assert_attr(a, "parent", "1");
    assert_attr(a, "born-url", "http://a.test/1");
    assert_attr(a, "best-url", "http://a.test/3");
    assert_attr(a, "died", NULL);
    assert_attr(child_of(a, 0, "agent"), "id", "4");
    a = child_of(agents, 1, "agent");
    assert_attr(a, "death", "starved");
    assert_attr(a, "energy", "-1");
    finds = child_of(root, 1, "finds");
    a = child_of(finds, 0, "page");
    assert_attr(a, "rank", "1");
    assert_attr(a, "agent", "3");
    assert_attr(a, "agent-name", agent_name(3, name));
    assert_attr(a, "title", "\"<Reefs>\" & more thanthat"); /* XML has no U+0001 */
    paths = child_of(root, 2, "paths");
    a = child_of(paths, 2, "path");
    assert_attr(a, "agent", "3");
    assert_attr(child_of(a, 0, "visit"), "first", "yes");
    assert_attr(child_of(a, 1, "visit"), "first", NULL);
    assert_attr(child_of(a, 1, "visit"), "delta", "-0.25");
    assert_attr(child_of(a, 1, "visit"), "url", "http://a.test/1");
    xmlFreeDoc(doc);
}

/* libxml2 refuses more than 256 elements inside each other. */
static void xml_of_a_deep_family_can_be_read(void **state)
{
    xmlDoc *doc = exported(with_agents(DEEP_SQL));
    xmlNode *agents = child_of(xmlDocGetRootElement(doc), 0, "agents");

    (void)state;
    assert_int_equal(xmlChildElementCount(agents), DEEP / 200);
    assert_attr(child_of(agents, 1, "agent"), "id", "201");
    assert_attr(child_of(agents, 1, "agent"), "parent", "200");
    xmlFreeDoc(doc);
}

/* ---- XML read back ------------------------------------------------------- */

/* Read back into a directory of its own, which is returned. */
static const char *comes_back(const char *from, uint64_t agents)
{
    struct buf before = BUF_INIT(8 << 20);
    const char *to = test_dir();
    struct tree_counts counts;

    buf_add_str(&before, written(from));
    assert_int_equal(tree_write(buf_str(&before), to, "test", &counts), ST_OK);
    assert_int_equal(counts.agents, agents);
    assert_true(str_eq(written(to), buf_str(&before)));
    assert_int_equal(made_int(to, "SELECT count(*) FROM page WHERE NOT hidden"),
                     made_int(to, "SELECT count(*) FROM body"));
    buf_free(&before);
    return to;
}

static void what_was_exported_comes_back_as_it_was(void **state)
{
    (void)state;
    assert_string_equal(
        made_text(comes_back(dir, 4), "SELECT value FROM crawl WHERE key = 'topic'"),
        "reefs & 'corals'");
    (void)comes_back(with_agents(DEEP_SQL), DEEP);
}

/* Of a hidden page and of a duplicate only paths and births speak. */
static void pages_that_are_only_named_are_hidden(void **state)
{
    const char *here = test_dir(), *back;
    struct store *s = made_store(here);
    struct population *p = population_new(store_post, s);

    (void)state;
    (void)agent_born(p, MADE_AT, 0, "spider", 0, 1);
    made_post(s, &(struct made_page){.id = 1, .agent = 1, .relevance = 0.5F, .title = "one"});
    agent_visited(p, MADE_AT + 1, 1, 1, true, 3);
    made_post(s, &(struct made_page){.id = 2, .agent = 1, .relevance = 0.4F, .hidden = true});
    agent_visited(p, MADE_AT + 2, 1, 2, true, 1);
    (void)agent_split(p, MADE_AT + 3, 1, 1, 2, NULL);
    made_post(s, &(struct made_page){.id = 3, .agent = 2, .relevance = 0.5F, .dup_of = 1});
    agent_visited(p, MADE_AT + 4, 2, 3, true, -1);
    made_checkpoint(s, 3);
    made_close(s);
    population_free(p);
    back = comes_back(here, 2);
    assert_string_equal(made_text(back, "SELECT group_concat(id || ':' || hidden) FROM page"),
                        "1:0,2:1,3:1");
    assert_int_equal(made_int(back, "SELECT count(*) FROM page WHERE warc_file IS NOT NULL"), 0);
}

static void what_is_no_export_is_refused_with_a_sentence(void **state)
{
    static const struct {
        const char *xml, *says;
    } cases[] = {
        {"", "no XML"},
        {"<rss/>", "it begins with <rss>, not with <brood>"},
        {"<brood version='2'/>", "version '2' of the format is not known"},
        {"<brood version='1'><agents>", "the XML is damaged, or ends early"},
        {"<brood version='1'><a></b></brood>", "the XML is damaged, or ends early"},
        {"<brood version='1'><agent/></brood>", "<agent>: id='' is no number of its own"},
        {"<brood version='1'><agent id='1' energy='inf'/></brood>",
         "<agent>: energy='inf' is no number"},
        {"<brood version='1'><agent id='1'/><agent id='1'/></brood>", "agent 1 is there twice"},
        {"<brood version='1'><agent id='20000001'/></brood>",
         "<agent>: id='20000001' is no number that it may be"},
        {"<brood version='1'><page id='1' url='gopher://a.example/'/></brood>",
         "'gopher://a.example/' is no http or https URL"},
        {"<brood version='1'><page id='1' url='http://a.example/' fetched='soon'/></brood>",
         "<page>: fetched='soon' is no time"},
        {"<brood version='1'><path agent='1'><visit page='1'/></path></brood>",
         "agent 1 has a path and is not there"},
        {"<brood version='1'><visit page='1'/></brood>",
         "<visit>: page='1' is no visit of any agent"},
    };
    struct tree_counts counts;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(tree_write(str_of(cases[i].xml), test_dir(), "test", &counts), ST_INVALID);
        assert_string_equal(status_text(), cases[i].says);
    }
}

/* 1 was never away, 2 left, 3 left and came back, 4 is a guest, 5 a guest who went on, 6 a guest
 * who died here, 7 died at home. */
#define TRAVELLERS                                                                               \
    "INSERT INTO agent(id, name, died_at) VALUES(1, 'a', NULL), (2, 'b', NULL), (3, 'c', NULL)," \
    "(4, 'd', NULL), (5, 'e', NULL), (6, 'f', 9), (7, 'g', 9);"                                  \
    "INSERT INTO travel(agent_id, trip, came) VALUES(2, 1, 0), (3, 1, 0), (4, 1, 1), (5, 3, 1)," \
    "(6, 2, 1), (3, 2, 1), (5, 4, 0)"

static void an_agent_is_counted_where_it_is(void **state)
{
    const char *here = with_agents(TRAVELLERS);
    struct query_stats s;
    struct query *q;

    (void)state;
    assert_int_equal(view_open(here, &q), ST_OK);
    assert_int_equal(query_stats(q, &s), ST_OK);
    assert_int_equal(s.alive, 3); /* 1, 3, 4 */
    assert_int_equal(s.born, 4);  /* 1, 2, 3, 7 */
    assert_int_equal(s.died, 2);
    assert_int_equal(view_refresh(q, false, NULL), ST_OK);
    assert_int_equal(view_totals(q)->alive, 3);
    assert_int_equal(view_totals(q)->born, 4);
    query_close(q);
}

static void a_crawl_without_travels_is_counted(void **state)
{
    struct query_stats s;
    struct query *q;

    (void)state;
    assert_int_equal(query_open(with_agents("DROP TABLE travel"), &q), ST_OK);
    assert_int_equal(query_stats(q, &s), ST_OK);
    assert_int_equal(s.alive, 0);
    query_close(q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_split_changes_the_parents_energy_without_a_visit),
        cmocka_unit_test(lives_are_told),
        cmocka_unit_test(a_family_is_a_tree),
        cmocka_unit_test(impossible_families_end),
        cmocka_unit_test(impossible_families_are_noticed),
        cmocka_unit_test(xml_has_tree_finds_and_paths),
        cmocka_unit_test(xml_of_a_deep_family_can_be_read),
        cmocka_unit_test(what_was_exported_comes_back_as_it_was),
        cmocka_unit_test(pages_that_are_only_named_are_hidden),
        cmocka_unit_test(what_is_no_export_is_refused_with_a_sentence),
        cmocka_unit_test(an_agent_is_counted_where_it_is),
        cmocka_unit_test(a_crawl_without_travels_is_counted),
    };
    int failed = cmocka_run_group_tests(tests, set_up, NULL);

    xmlCleanupParser();
    return failed;
}
