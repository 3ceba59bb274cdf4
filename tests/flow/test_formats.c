/* What scripts rely on: the JSON of every command, manual pages, completions.
 * SPDX-License-Identifier: MIT */
#include "flow.h"

#include <stdio.h>
#include <unistd.h>

static const char *w, *dir;

static int set_up(void **state)
{
    struct server *s;

    (void)state;
    w = world("--pages", "200", "--hosts", "5", "--topics", "3");
    s = serve(w);
    dir = fresh("C");
    assert_code(crawl(s, dir, world_words(w, 0), "--seed", world_seed(w, 0, 0), "--pages", "30",
                      "--delay", "0"),
                0);
    server_stop(s);
    return 0;
}

static json_t *json_from(const char *const argv[])
{
    struct ran r = brood_argv(NULL, argv);

    assert_code(r, 0);
    return json_of(r.out);
}
#define json_from(...) json_from((const char *const[]){__VA_ARGS__, NULL})

static void top_and_stats_have_their_fields(void **state)
{
    json_t *top = json_from("top", dir, "--json"), *stats = json_from("stats", dir, "--json");

    (void)state;
    assert_int_equal(int_at(top, "0.rank"), 1);
    (void)text_at(top, "0.url"), (void)text_at(top, "0.title");
    (void)num_at(top, "0.relevance"), (void)int_at(top, "0.agent");
    assert_int_equal(int_at(stats, "pages"), 30);
    (void)int_at(stats, "relevant"), (void)num_at(stats, "mean_relevance");
    (void)int_at(stats, "agents.alive"), (void)int_at(stats, "agents.born");
    (void)int_at(stats, "agents.died"), (void)int_at(stats, "hosts");
    (void)int_at(stats, "bytes"), (void)num_at(stats, "seconds");
    assert_true(json_is_object(json_at(stats, "drops")));
}

static void models_have_their_fields(void **state)
{
    json_t *models = json_from("models", "--json"), *m, *o;
    size_t i, k, options = 0;

    (void)state;
    assert_true(json_array_size(models) >= 2);
    json_array_foreach(models, i, m)
    {
        (void)text_at(m, "name"), (void)text_at(m, "summary"), (void)text_at(m, "source");
        assert_says(brood("models").out, text_at(m, "name"));
        json_array_foreach(json_at(m, "options"), k, o)
        {
            (void)text_at(o, "name"), (void)text_at(o, "type"), (void)text_at(o, "help");
            (void)json_at(o, "default"), (void)json_at(o, "min"), (void)json_at(o, "max");
            assert_true(json_is_boolean(json_at(o, "verified")));
            options++;
        }
    }
    assert_true(options > 3);
    assert_string_equal(text_at(json_from("models", "best-first", "--json"), "0.name"),
                        "best-first");
}

/* Whoever chooses a model reads when to use it, and then the few options that people change. */
static void models_advise_and_lead_with_their_common_options(void **state)
{
    struct ran few, all;
    json_t *models = json_from("models", "--json"), *m, *o;
    size_t i, k;

    (void)state;
    few = brood("models");
    json_array_foreach(models, i, m)
    {
        size_t common = 0;

        assert_says(few.out, text_at(m, "advice"));
        json_array_foreach(json_at(m, "options"), k, o) common +=
            json_is_true(json_at(o, "common"));
        assert_in_range(common, 1, 5);
    }
    assert_says(few.out, "Without --model a crawl uses 'brood'.");
    few = brood("models", "fish");
    assert_says(few.out, "--set width=5");
    assert_says(few.out, "7 more options: brood models fish --all");
    assert_null(strstr(few.out, "--set buffer="));
    assert_null(strstr(few.out, "[not verified]"));
    all = brood("models", "fish", "--all");
    assert_says(all.out, "--set buffer=");
    assert_says(all.out, "[not verified]");
}

static void inspect_takes_urls_apart(void **state)
{
    json_t *j = json_from("inspect", "--as-url", "../A%41?b#c", "--base",
                          "HTTP://EXAMPLE.org:8080/x/y/z", "--json");

    (void)state;
    assert_string_equal(text_at(j, "scheme"), "http");
    assert_string_equal(text_at(j, "host"), "example.org");
    assert_int_equal(int_at(j, "port"), 8080);
    assert_string_equal(text_at(j, "path"), "/x/A%41");
    assert_string_equal(text_at(j, "query"), "b");
    (void)text_at(j, "href"), (void)text_at(j, "key");
    assert_code(brood("inspect", "--as-url", "http://", "--json"), 1);
    assert_code(brood("inspect", "--as-url", "mailto:a@b.example", "--json"), 1);
}

static void inspect_reads_robots_txt(void **state)
{
    const char *file = file_with("robots.txt", "User-agent: *\nDisallow: /p\nAllow: /p/q$\n"
                                               "\nUser-agent: other\nDisallow: /\n");
    json_t *j = json_from("inspect", "--robots", file, "--agent", "brood", "http://e.example/p/x",
                          "http://e.example/p/q", "http://e.example/", "--json");

    (void)state;
    assert_int_equal(json_array_size(j), 3);
    assert_string_equal(text_at(j, "0.url"), "http://e.example/p/x");
    assert_true(json_is_false(json_at(j, "0.allowed")));
    assert_int_equal(int_at(j, "0.line"), 2);
    assert_true(json_is_true(json_at(j, "1.allowed")));
    assert_int_equal(int_at(j, "1.line"), 3);
    assert_true(json_is_true(json_at(j, "2.allowed")));
    (void)json_at(j, "2.line");
    j = json_from("inspect", "--robots", file, "--agent", "other", "http://e.example/", "--json");
    assert_true(json_is_false(json_at(j, "0.allowed")));
}

static void inspect_shows_a_page(void **state)
{
    const char *file = file_with("page.html", "<title>Moons of Jupiter</title><p>Io and Europa "
                                              "<a href='/io'>more on Io</a>");
    json_t *j = json_from("inspect", file, "--url", "http://e.example/x/", "--topic",
                          "jupiter moons", "--json");

    (void)state;
    assert_string_equal(text_at(j, "title"), "Moons of Jupiter");
    assert_string_equal(text_at(j, "links.0.url"), "http://e.example/io");
    assert_true(num_at(j, "relevance") > 0);
    assert_says(brood("inspect", file).out, "Moons of Jupiter");
}

static void world_info_has_its_fields(void **state)
{
    json_t *j = json_from("world", "info", w, "--json");

    (void)state;
    assert_int_equal(int_at(j, "pages"), 200);
    assert_int_equal(int_at(j, "hosts"), 5);
    assert_int_equal(json_array_size(json_at(j, "topics")), 3);
    assert_int_equal(int_at(j, "links"), crawl_int(w, "SELECT count(*) FROM link"));
    assert_int_equal(int_at(j, "topics.0.pages"),
                     crawl_int(w, text("SELECT count(*) FROM label WHERE label = '%s'",
                                       text_at(j, "topics.0.name"))));
    (void)text_at(j, "topics.0.words.0"), (void)text_at(j, "topics.0.seeds.0");
    (void)num_at(j, "out_exponent"), (void)num_at(j, "in_exponent");
    (void)num_at(j, "clustering"), (void)num_at(j, "mean_distance"), (void)num_at(j, "locality");
}

static void the_same_numbers_make_the_same_world(void **state)
{
    const char *again = world("--pages", "200", "--hosts", "5", "--topics", "3");
    const char *other = world("--pages", "200", "--hosts", "5", "--topics", "3", "--rng", "2");

    (void)state;
    assert_code(run("diff", "-r", w, again), 0);
    assert_int_not_equal(run("diff", "-rq", w, other).code, 0);
    assert_refused(brood("world", "make", w), 2, w);
}

static void topics_are_tested_and_counted(void **state)
{
    const char *near = file_with("near.html", "<title>Stars</title>galaxies, stars and telescopes");
    const char *far = file_with("far.html", "<title>Soup</title>boil the onions and the leeks");
    const char *table = fresh("table.idf");
    struct ran r = brood("topic", "test", "stars galaxies", near, far);

    (void)state;
    assert_code(r, 0);
    assert_says(r.out, "near.html");
    assert_says(r.out, "far.html");
    r = brood("topic", "idf", dir);
    assert_code(r, 0);
    assert_true(lines_in(r.out) > 100);
    (void)file_with("table.idf", r.out);
    assert_code(brood("topic", "test", "stars galaxies", near, "--idf", table), 0);
}

static void pages_are_clustered_and_the_file_is_looked_into(void **state)
{
    const char *file = fresh("subjects"), *made, *shown;
    json_t *j;

    (void)state;
    made = brood("topic", "clusters", dir, "-k", "4", "-o", file).out;
    assert_says(made, "4 clusters of ");
    assert_true(lines_in(made) == 3 + 4);
    shown = brood("topic", "clusters", file).out;
    assert_string_equal(made, shown);
    j = json_loads(brood("topic", "clusters", file, "--json").out, 0, NULL);
    assert_int_equal(json_array_size(json_object_get(j, "clusters")), 4);
    assert_int_equal(json_integer_value(json_object_get(j, "background_pages")), 0);
    json_decref(j);
    j = json_loads(
        brood("topic", "clusters", dir, "-k", "2", "--pages", "20", "--background", dir, "--json")
            .out,
        0, NULL);
    assert_int_equal(json_integer_value(json_object_get(j, "pages")), 20);
    assert_int_equal(json_integer_value(json_object_get(j, "background_pages")), 20);
    json_decref(j);
    assert_refused(brood("topic", "clusters", dir, "-k", "9", "--pages", "8"), 1,
                   "8 pages with words are not enough for 9 clusters");
    assert_refused(brood("topic", "clusters", dir, "-k", "2", "-o", "/nowhere/f"), 1, "/nowhere/f");
    assert_refused(brood("topic", "clusters", file, "-o", "x"), 2, "can be shown, not clustered");
    assert_refused(brood("topic", "clusters", file_with("f", "?")), 1, "no file of clusters");
    assert_refused(brood("topic", "clusters", "/nowhere/crawl"), 1, "/nowhere/crawl");
}

/* ---- the manual ---------------------------------------------------------- */

static void every_command_has_help_a_manual_page_and_completions(void **state)
{
    const char *pages = fresh("man"), *bash = brood("completion").out;
    struct str rest = str_of(brood("--help").out), line;
    size_t commands = 0;

    (void)state;
    assert_code(run("mkdir", pages), 0);
    assert_code(brood("manual", "-o", pages), 0);
    while (str_cut(&rest, '\n', &line)) {
        char name[2][16] = {"", ""};
        struct ran r;

        if (line.len < 20 || !str_starts(line, STR("  ")) || line.ptr[2] == ' ' ||
            str_starts(line, STR("  brood ")))
            continue;
        assert_true(sscanf(text("%.18s", line.ptr), "%15s %15s", name[0], name[1]) >= 1);
        r = *name[1] ? brood(name[0], name[1], "--help") : brood(name[0], "--help");
        assert_code(r, 0);
        assert_says(r.out, "usage: brood");
        assert_says(
            file_text(text("%s/brood-%s%s%s.1", pages, name[0], *name[1] ? "-" : "", name[1])),
            ".TH");
        assert_says(bash, name[0]);
        commands++;
    }
    assert_true(commands >= 17);
    assert_says(file_text(text("%s/brood.1", pages)), ".TH");
    assert_says(file_text(text("%s/brood-crawl.1", pages)), "pages\\-per\\-host");
    assert_says(bash, "--pages-per-host");
    assert_code(run("bash", "-n", file_with("completion.bash", bash)), 0);
    assert_says(brood("completion", "zsh").out, "'--pages-per-host:");
    assert_says(brood("completion", "fish").out, "-l pages-per-host ");
    assert_refused(brood("completion", "csh"), 2, "csh");
    assert_says(brood("--version").out, "brood ");
    assert_code(brood("help", "crawl"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(top_and_stats_have_their_fields),
        cmocka_unit_test(models_have_their_fields),
        cmocka_unit_test(models_advise_and_lead_with_their_common_options),
        cmocka_unit_test(inspect_takes_urls_apart),
        cmocka_unit_test(inspect_reads_robots_txt),
        cmocka_unit_test(inspect_shows_a_page),
        cmocka_unit_test(world_info_has_its_fields),
        cmocka_unit_test(the_same_numbers_make_the_same_world),
        cmocka_unit_test(topics_are_tested_and_counted),
        cmocka_unit_test(pages_are_clustered_and_the_file_is_looked_into),
        cmocka_unit_test(every_command_has_help_a_manual_page_and_completions),
    };

    return cmocka_run_group_tests(tests, set_up, NULL);
}
