/* Populations on real sockets, killed with SIGKILL three times and resumed: the
 * genealogy is whole, and no energy was lost or made.
 *
 * Three laws, of which the first two need nothing but the tables. With dead links an
 * agent also pays for visits that came to nothing, which leave no row in `visit`; so
 * there is a web without any, and one with them for the books alone.
 *
 *     agents    energy of all agents, the dead as they died, and what the cap cut
 *               = given to the founders + sum of visit.delta
 *     visits    energy_before + delta = energy_after, for each
 *     books     living + dead + pages + cut = given + earned - burnt
 *
 * SPDX-License-Identifier: MIT */
#include "flow.h"

#include <math.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdlib.h>

#define KILLS   3
#define PAGES   "240"
#define BETWEEN 45 /* requests from kill to kill */

static const char *clean, *rough;

static int set_up(void **state)
{
    (void)state;
    clean = world("--pages", "900", "--hosts", "30", "--topics", "4", "--duplicates", "0", "--dead",
                  "0", "--redirects", "0", "--sitemaps", "0", "--feeds", "0", "--robots", "0");
    rough = world("--pages", "900", "--hosts", "30", "--topics", "4", "--rng", "2");
    return 0;
}

/* ---- killing ------------------------------------------------------------- */

static struct job *begin(const char *w, struct server *s, const char *dir, const char *model,
                         const char *setting)
{
    return brood_job("crawl", world_words(w, 0), "--seed", world_seed(w, 0, 0), "--seed",
                     world_seed(w, 0, 1), "--pages", PAGES, "--delay", "40ms", "--model", model,
                     "--set", setting, "--rng", "3", "--out", dir, "--allow-private", "--resolve",
                     s->resolve);
}

static const char *killed_crawl(const char *w, const char *model, const char *setting)
{
    static unsigned n;
    const char *dir = fresh(text("%s-%u", model, ++n));
    struct server *s = serve(w);
    size_t asked = 0;

    print_message("# %s %s\n", model, setting);
    for (int kills = 0; kills < KILLS; kills++) {
        struct job *j = kills == 0 ? begin(w, s, dir, model, setting) : brood_job("resume", dir);

        await_lines(s->log, asked + BETWEEN);
        assert_int_equal(kill(job_pid(j), SIGKILL), 0);
        assert_code(job_wait(j), 128 + SIGKILL); /* it was not over before */
        asked = lines_in(file_text(s->log));
    }
    assert_code(brood("resume", dir, "--quiet"), 0);
    server_stop(s);
    assert_int_equal(crawl_pages(dir), strtol(PAGES, NULL, 10));
    assert_code(brood("check", dir), 0);
    return dir;
}

/* ---- the genealogy ------------------------------------------------------- */

static void none(struct sqlite3 *db, const char *what)
{
    int64_t n = facts_int(db, text("SELECT count(*) FROM %s", what));

    if (n != 0)
        fail_msg("%lld times: %s", (long long)n, what);
}

static void the_family_is_whole(struct sqlite3 *db)
{
    int64_t born = facts_int(db, "SELECT count(*) FROM agent");

    assert_true(born > 4);
    assert_int_equal(facts_int(db, "SELECT max(id) FROM agent"), born);
    assert_int_equal(facts_int(db, "SELECT count(DISTINCT name) FROM agent"), born);
    none(db, "agent WHERE parent_id NOT NULL AND parent_id NOT IN (SELECT id FROM agent)");
    none(db, "agent c JOIN agent p ON p.id = c.parent_id WHERE c.generation <> p.generation + 1"
             " OR c.id <= p.id OR c.born_at < p.born_at OR c.born_at > p.died_at");
    none(db, "agent WHERE parent_id IS NULL AND generation <> 0");
    none(db, "agent WHERE born_page NOT NULL AND born_page NOT IN (SELECT id FROM page)");
    none(db, "agent WHERE (died_at IS NULL) <> (death IS NULL) OR died_at < born_at");
    none(db, "visit WHERE agent_id NOT IN (SELECT id FROM agent)"
             " OR page_id NOT IN (SELECT id FROM page)");
    none(db,
         "visit v JOIN agent a ON a.id = v.agent_id WHERE v.at > a.died_at OR v.at < a.born_at");
    none(db, "page WHERE agent_id NOT IN (SELECT id FROM agent)");
    none(db, "agent a WHERE pages <> (SELECT count(*) FROM page WHERE agent_id = a.id)");
    /* each page was new to one of them, once */
    none(db, "page p WHERE 1 <> (SELECT count(*) FROM visit WHERE page_id = p.id AND first)");
}

/* ---- energy -------------------------------------------------------------- */

static void near(double a, double b, double scale, const char *what)
{
    double most = fmax(fmax(fabs(a), fabs(b)), fmax(scale, 1));

    if (!(fabs(a - b) <= 1e-9 * most))
        fail_msg("%s: %.17g is not %.17g", what, a, b);
}

static double key(struct sqlite3 *db, const char *name)
{
    return facts_real(db,
                      text("SELECT CAST(value AS REAL) FROM crawl WHERE key = 'energy.%s'", name));
}

static double tree_energy(json_t *agents)
{
    double sum = 0;

    for (size_t i = 0; i < json_array_size(agents); i++) {
        json_t *a = json_array_get(agents, i);

        sum += num_at(a, "energy") + tree_energy(json_at(a, "children"));
    }
    return sum;
}

static void the_books_hold(const char *dir, struct sqlite3 *db)
{
    double living = facts_real(db, "SELECT total(energy) FROM agent WHERE died_at IS NULL");
    double dead = facts_real(db, "SELECT total(energy) FROM agent WHERE died_at NOT NULL");
    double given = key(db, "given"), earned = key(db, "earned"), burnt = key(db, "burnt");
    double scale = fmax(fabs(earned), fabs(burnt));
    json_t *stats = json_of(brood("stats", dir, "--json").out);
    json_t *tree = json_of(brood("tree", dir, "--json").out);

    none(db, "visit WHERE abs(energy_before + delta - energy_after) > 1e-9"
             " * max(1, abs(energy_before), abs(delta))");
    near(living, key(db, "living"), scale, "energy of the living");
    near(dead, key(db, "dead"), scale, "energy of the dead");
    near(living + dead + key(db, "pages") + key(db, "cut"), given + earned - burnt, scale, "books");
    near(num_at(stats, "energy.living"), living, scale, "stats");
    near(num_at(stats, "energy.pages"), key(db, "pages"), scale, "stats");
    near(tree_energy(tree), living + dead, scale, "tree");
    assert_int_equal(int_at(stats, "agents.born"), facts_int(db, "SELECT count(*) FROM agent"));
    print_message("# %lld born, %lld died, energy %.2f alive, %.2f on pages; given %.2f, earned "
                  "%.2f, burnt %.2f\n",
                  (long long)int_at(stats, "agents.born"), (long long)int_at(stats, "agents.died"),
                  living, key(db, "pages"), given, earned, burnt);
    json_decref(stats);
    json_decref(tree);
}

/* Where no visit came to nothing, all that an agent got or paid is a row of `visit`. */
static void the_rows_add_up(struct sqlite3 *db)
{
    double given = key(db, "given"), moved = facts_real(db, "SELECT total(abs(delta)) FROM visit");

    none(db, "outcome WHERE is_final");
    near(facts_real(db, "SELECT total(energy) FROM agent") + key(db, "cut"),
         given + facts_real(db, "SELECT total(delta) FROM visit"), moved, "agents");
}

static const struct {
    const char *model, *setting;
    double founder; /* energy of one that has no parent */
} populations[] = {
    {"infospiders", "variant=myspiders", .1},
    {"infospiders", "variant=frontier", .1},
    {"balanced", "UB=60", 1}, /* crowded from the start: pages keep energy */
    {"endogenous", "learn=0.5", 1},
};

static void three_kills_lose_nobody_and_no_energy(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof populations / sizeof *populations; i++) {
        const char *dir = killed_crawl(clean, populations[i].model, populations[i].setting);
        struct sqlite3 *db = facts_open(dir, NULL, NULL);

        the_family_is_whole(db);
        the_books_hold(dir, db);
        the_rows_add_up(db);
        near(key(db, "given"),
             populations[i].founder *
                 (double)facts_int(db, "SELECT count(*) FROM agent WHERE parent_id IS NULL"),
             1, "founders");
    }
}

static void nor_do_they_where_visits_fail(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof populations / sizeof *populations; i++) {
        const char *dir = killed_crawl(rough, populations[i].model, populations[i].setting);
        struct sqlite3 *db = facts_open(dir, NULL, NULL);

        the_family_is_whole(db);
        the_books_hold(dir, db);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_kills_lose_nobody_and_no_energy),
        cmocka_unit_test(nor_do_they_where_visits_fail),
    };

    return cmocka_run_group_tests(tests, set_up, NULL);
}
