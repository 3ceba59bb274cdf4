/* Directories that somebody else made: whatever is in them, the dashboard answers, with JSON
 * or an error, and shows the others. SPDX-License-Identifier: MIT */
#include "dash.h"

#include "base/os/clock.h"
#include "base/mem.h"
#include "base/utf8.h"

#include <dirent.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static const char *parent, *good, *lab;
static struct server *server;
static const char *words, *seed;
static struct board *b;

static const char *const questions[] = {"",
                                        "/samples?metric=pages,x",
                                        "/histogram",
                                        "/pages",
                                        "/pages?q=a",
                                        "/pages?q=a&n=1",
                                        "/pages?q=the+OR+b",
                                        "/pages.csv",
                                        "/pages.jsonl",
                                        "/page/1",
                                        "/page/2",
                                        "/text/1",
                                        "/stored/1",
                                        "/tree?n=5000&depth=100",
                                        "/agent/1",
                                        "/agent/2",
                                        "/paths?depth=100",
                                        "/map",
                                        "/map?host=a",
                                        "/messages",
                                        "/conversations",
                                        "/crew",
                                        "/news",
                                        "/freshness",
                                        "/lattice?agent=1"};

/* What a database may hold, each on a copy of a good one. */
static const struct {
    const char *name, *sql;
} made[] = {
    {"cycle", "UPDATE agent SET parent_id = id; INSERT OR REPLACE INTO agent(id, name, parent_id)"
              " VALUES (2, 'b', 3), (3, 'c', 2)"},
    {"long", "INSERT OR REPLACE INTO agent(id, name) VALUES (2, hex(zeroblob(600000))); UPDATE"
             " page_row SET title = hex(zeroblob(20000)); INSERT OR REPLACE INTO crawl VALUES"
             " ('topic', hex(zeroblob(3000000)))"},
    {"types",
     "UPDATE agent SET name = x'ff00fe', energy = 'much', pages = 'many', born_at = 'once';"
     "UPDATE page_row SET relevance = 'very', title = x'c3280041', depth = 'deep', host ="
     " NULL, agent = -1; UPDATE crawl SET value = x'00ff'"},
    {"times", "UPDATE page_row SET fetched_at = 9223372036854775807, latency = 1, date ="
              " -9223372036854775807; UPDATE agent SET born_at = -9223372036854775807, died_at ="
              " 9223372036854775807; UPDATE sample SET at = CASE id % 3 WHEN 0 THEN"
              " 9223372036854775807 WHEN 1 THEN -9223372036854775807 ELSE 0 END"},
    {"numbers", "UPDATE page_row SET relevance = 9e999, similarity = -9e999, bytes ="
                " 9223372036854775807; UPDATE sample SET value = 9e999; UPDATE agent SET energy ="
                " 9e999; UPDATE crawl SET value = '1e300' WHERE key LIKE 'option.%'"},
    {"json", "INSERT OR REPLACE INTO crawl VALUES ('model.figures', '{\"groups\":[{]'), ('end',"
             " '\"</script>'), ('kind', char(10)), ('option.a\"b', 'c'), ('model', '{')"},
    {"deep", "INSERT OR REPLACE INTO crawl SELECT 'model.figures', replace(hex(zeroblob(100000)),"
             " '0', '[')"},
    {"last",
     "UPDATE page_row SET id = 9223372036854775807 WHERE id = (SELECT max(id) FROM page_row);"
     "UPDATE body SET id = 9223372036854775807 WHERE id = (SELECT max(id) FROM body);"
     "INSERT OR REPLACE INTO crawl VALUES('indexed', '-9223372036854775808'); DELETE FROM"
     " forgotten; UPDATE url_row SET id = 9223372036854775807 WHERE id = (SELECT max(id)"
     " FROM url_row)"},
    {"told", "INSERT OR REPLACE INTO nature VALUES (1, 9223372036854775807, '[[1,2],{}]'), (2,"
             " 'now', x'7b22ff')"},
    {"copies", "UPDATE warc SET name = '../../../../../../etc/passwd'"},
    {"endless", "DROP TABLE drop_count; CREATE VIEW drop_count AS WITH RECURSIVE n(i) AS (SELECT 1"
                " UNION ALL SELECT i + 1 FROM n) SELECT 'x' AS reason, i AS n FROM n"},
    {"empty", "DELETE FROM page_row; DELETE FROM agent; DELETE FROM sample; DELETE FROM crawl"
              " WHERE key <> 'schema_version'"},
    {"many",
     "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)"
     " INSERT INTO sample(at, metric, value) SELECT i, 'metric ' || i || char(34), i FROM n"},
    {"tables", "DROP TABLE agent; DROP TABLE sample; DROP TABLE crawl"},
};

static void change(const char *dir, const char *sql)
{
    char *why = NULL;
    sqlite3 *db;

    assert_int_equal(sqlite3_open(text("%s/crawl.db", dir), &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK)
        fail_msg("%s: %s", sql, why);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static int set_up(void **state)
{
    const char *w = world("--pages", "60", "--hosts", "3", "--topics", "2");

    (void)state;
    server = serve(w);
    words = world_words(w, 0);
    seed = world_seed(w, 0, 0);
    parent = fresh("crawls");
    good = text("%s/good", parent);
    lab = fresh("lab");
    assert_code(run("mkdir", "-p", lab), 0);
    assert_code(crawl(server, good, words, "--seed", seed, "--pages", "20", "--delay", "0"), 0);
    for (size_t i = 0; i < ARRAY_LEN(made); i++) {
        const char *dir = text("%s/%s", parent, made[i].name);

        assert_code(run("cp", "-r", good, dir), 0);
        change(dir, made[i].sql);
    }
    b = board("--root", parent, "--lab", lab);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    if (b)
        board_stop(b);
    return 0;
}

static const char *id_of(const char *name)
{
    return board_find(b, name);
}

static void ask_everything(const char *name)
{
    const char *id = id_of(name);

    for (size_t i = 0; id && i < ARRAY_LEN(questions); i++) {
        struct answer a = board_get(b, text("/api/crawls/%s%s", id, questions[i]));

        if (a.status < 200)
            fail_msg("%s%s: no answer", name, questions[i]);
        if (strstr(a.head, "Content-Type: application/json"))
            assert_non_null(json_of(a.body));
        assert_null(strstr(a.body, "root:"));
    }
}

static void a_made_database_harms_nobody(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(made); i++) {
        ask_everything(made[i].name);
        assert_int_equal(board_get(b, "/metrics").status, 200);
    }
    assert_non_null(id_of("good"));
    assert_int_equal(int_at(board_json(b, text("/api/crawls/%s", id_of("good"))), "pages"), 20);
}

static void a_file_that_is_no_database_is_not_shown(void **state)
{
    const char *dir = text("%s/none", parent);

    (void)state;
    assert_code(run("mkdir", "-p", dir), 0);
    assert_code(run("sh", "-c", "head -c 100000 /dev/zero | tr '\\0' x >\"$1\"", "sh",
                    text("%s/crawl.db", dir)),
                0);
    assert_code(run("mkfifo", text("%s/pipe", parent)), 0);
    assert_code(run("mkdir", "-p", text("%s/pipes", parent)), 0);
    assert_code(run("mkfifo", text("%s/pipes/crawl.db", parent)), 0);
    assert_code(run("ln", "-s", "loop", text("%s/loop", parent)), 0);
    clock_sleep(1200 * US_PER_MS); /* directories are looked for once a second */
    assert_null(id_of("none"));
    assert_null(id_of("pipes"));
    assert_non_null(id_of("good"));
}

/* Links and pipes where files should be: not followed, not waited for. */
static void links_are_not_followed(void **state)
{
    const char *dir = text("%s/links", parent), *id;
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    int other = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    (void)state;
    assert_code(run("cp", "-r", good, dir), 0);
    assert_code(run("sh", "-c", "cd \"$1/warc\" && for f in *; do rm \"$f\" && mkfifo \"$f\"; done",
                    "sh", dir),
                0);
    (void)snprintf(at.sun_path, sizeof at.sun_path, "%s", fresh("other"));
    assert_int_equal(bind(other, (struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(listen(other, 4), 0);
    assert_code(run("ln", "-s", at.sun_path, text("%s/control", dir)), 0);
    assert_code(run("ln", "-s", "/etc/passwd", text("%s/report.html", lab)), 0);
    id = board_id(b, "links");
    assert_int_equal(board_get(b, text("/api/crawls/%s/stored/1", id)).status, 400);
    assert_int_equal(board_post(b, text("/api/crawls/%s/stop", id), "{}").status, 409);
    assert_int_equal(accept(other, NULL, NULL), -1); /* nobody knocked there */
    (void)close(other);
    assert_int_equal(board_get(b, "/reports/lab").status, 404);
    assert_code(run("rm", text("%s/report.html", lab)), 0);
    assert_code(run("mkfifo", text("%s/report.html", lab)), 0);
    assert_int_equal(board_get(b, "/reports/lab").status, 404);
}

/* A crawl and its copy have all in common. */
static void crawls_share_what_both_have_found(void **state)
{
    const char *ids = text("%s,%s", id_of("good"), id_of("copies"));
    json_t *got = board_json(b, text("/api/overlap?ids=%s", ids)), *set;

    (void)state;
    assert_int_equal(int_at(got, "pages"), 20);
    assert_int_equal(json_array_size(json_at(got, "ids")), 2);
    assert_int_equal(json_array_size(json_at(got, "sets")), 1);
    set = json_array_get(json_at(got, "sets"), 0);
    assert_int_equal(int_at(set, "pages"), 20);
    assert_int_equal(int_at(set, "relevant"),
                     int_at(board_json(b, text("/api/crawls/%s", id_of("good"))), "relevant"));
    assert_int_equal(json_array_size(json_at(set, "in")), 2);
    assert_int_equal(json_integer_value(json_array_get(json_at(set, "in"), 0)), 0);
    assert_int_equal(json_integer_value(json_array_get(json_at(set, "in"), 1)), 1);
    assert_int_equal(board_get(b, "/api/overlap?ids=nobody").status, 404);
    assert_int_equal(
        board_get(b, text("/api/overlap?ids=%s,%s,%s,%s,%s", ids, ids, ids, ids, ids)).status, 400);
}

static void what_serve_is_given_is_made_or_refused(void **state)
{
    const char *root = text("%s/new", fresh("place")), *labs = fresh("labs");
    struct board *other;
    json_t *reports;

    (void)state;
    assert_code(brood("serve", "--root", root), 2); /* nor is the directory above it there */
    assert_code(brood("serve", "--lab", root), 1);
    assert_code(brood("serve", text("%s/crawl.db", good)), 1);
    assert_code(run("mkdir", "-p", text("%s/one/report", labs), text("%s/two/report", labs)), 0);
    assert_code(run("sh", "-c", "echo first > \"$1/one/report/report.html\"", "sh", labs), 0);
    assert_code(run("sh", "-c", "echo second > \"$1/two/report/report.html\"", "sh", labs), 0);
    root = fresh("made-by-serve");
    other = board("--root", root, "--lab", text("%s/one/report", labs), "--lab",
                  text("%s/two/report", labs));
    assert_int_equal(access(root, R_OK | W_OK | X_OK), 0);
    reports = board_json(other, "/api/reports");
    assert_string_equal(text_at(json_array_get(reports, 0), "name"), "report");
    assert_string_equal(text_at(json_array_get(reports, 1), "name"), "report-2");
    assert_string_equal(board_get(other, "/reports/report").body, "first\n");
    assert_string_equal(board_get(other, "/reports/report-2").body, "second\n");
    board_stop(other);
}

static void a_directory_may_vanish_and_come_back(void **state)
{
    const char *dir = text("%s/gone", parent), *id;

    (void)state;
    assert_code(run("cp", "-r", good, dir), 0);
    id = board_id(b, "gone");
    assert_int_equal(board_get(b, text("/api/crawls/%s/pages", id)).status, 200);
    assert_code(run("rm", "-rf", dir), 0);
    assert_null(id_of("gone"));
    assert_int_equal(board_get(b, text("/api/crawls/%s/pages", id)).status, 404);
    assert_code(crawl(server, dir, words, "--seed", seed, "--pages", "7", "--delay", "0"), 0);
    assert_string_equal(board_id(b, "gone"), id);
    assert_int_equal(int_at(board_json(b, text("/api/crawls/%s/pages", id)), "total"), 7);
}

/* One line of Prometheus's text format: a sample of this family. */
static void assert_sample(const char *line, const char *family)
{
    size_t len = strlen(family);
    const char *p = line + len;
    char *end;

    assert_memory_equal(line, family, len);
    assert_memory_equal(p, "{id=\"", 5);
    for (p = strstr(p, "crawl=\"") + 7; *p && *p != '"'; p++)
        if (*p == '\\')
            assert_non_null(strchr("\\\"n", *++p)); /* nothing else is escaped */
    assert_memory_equal(p, "\"} ", 3);
    (void)strtod(p + 3, &end);
    assert_true(end > p + 3 && *end == '\0');
}

/* Each family once, HELP and TYPE before its samples; a counter's name says so; names of
 * directories are escaped, and are UTF-8. */
static void metrics_follow_the_format(void **state)
{
    const char *dir = text("%s/a\"b\\c\nd\xff", parent), *family = "";
    struct answer a;
    char *rest, *line;
    size_t samples = 0;

    (void)state;
    assert_code(run("cp", "-r", good, dir), 0);
    await(strstr((a = board_get(b, "/metrics")).body, "crawl=\"a\\\"b"));
    assert_int_equal(a.status, 200);
    assert_says(a.head, "Content-Type: text/plain; version=0.0.4; charset=utf-8");
    assert_says(a.body, "crawl=\"a\\\"b\\\\c\\nd\xef\xbf\xbd\"} 20\n");
    assert_true(utf8_is_valid(str_of(a.body)));
    assert_int_equal(a.body[strlen(a.body) - 1], '\n');
    rest = keep(strdup(a.body));
    for (line = strsep(&rest, "\n"); line && *line; line = strsep(&rest, "\n")) {
        if (strncmp(line, "# HELP ", 7) == 0) {
            family = text("%.*s", (int)strcspn(line + 7, " "), line + 7);
            assert_int_equal(times_in(a.body, text("# HELP %s ", family)), 1);
            line = strsep(&rest, "\n");
            assert_says(line, text("# TYPE %s ", family));
            assert_int_equal(strstr(line, " counter") != NULL,
                             str_ends(str_of(family), STR("_total")));
        } else {
            assert_sample(line, family);
            samples++;
        }
    }
    assert_true(samples > 20);
}

/* What an open file of a process is. */
static const char *file_of(pid_t pid, const char *fd)
{
    char to[4096];
    ssize_t n = readlink(text("/proc/%d/fd/%s", (int)pid, fd), to, sizeof to - 1);

    return n > 0 ? text("%.*s", (int)n, to) : "";
}

/* The process that one of another's threads has started; 0: none. */
static pid_t child_of(pid_t pid)
{
    return (pid_t)atoi(run("sh", "-c", text("cat /proc/%d/task/*/children", (int)pid)).out);
}

/* Is it one of the files that this process has open? */
static bool has_file(pid_t pid, const char *file)
{
    DIR *d = opendir(text("/proc/%d/fd", (int)pid));
    bool has = false;

    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d)) != NULL;)
        has = has || strcmp(file_of(pid, e->d_name), file) == 0;
    (void)closedir(d);
    return has;
}

/* A crawl that was started here has none of our sockets and databases. */
static void a_child_has_no_file_of_ours(void **state)
{
    const char *body =
        text("{\"topic\":\"%s\",\"seeds\":[\"%s\"],\"resolve\":\"%s\",\"allow_private\":"
             "true,\"delay\":\"10s\"}",
             words, seed, server->resolve);
    struct answer a = board_post(b, "/api/crawls", body);
    const char *id;
    pid_t child = 0;
    DIR *d;

    (void)state;
    assert_int_equal(a.status, 200);
    id = text_at(json_of(a.body), "id");
    await((child = child_of(job_pid(b->job))) > 0);
    d = opendir(text("/proc/%d/fd", (int)child));
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d)) != NULL;) {
        const char *file = file_of(child, e->d_name);

        if (strstr(file, "/good/") ||
            (strncmp(file, "socket:", 7) == 0 && has_file(job_pid(b->job), file)))
            fail_msg("the child has our %s", file);
    }
    (void)closedir(d);
    /* it may be at its beginning still */
    await(board_post(b, text("/api/crawls/%s/stop", id), "{}").status == 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_made_database_harms_nobody),
        cmocka_unit_test(a_file_that_is_no_database_is_not_shown),
        cmocka_unit_test(links_are_not_followed),
        cmocka_unit_test(crawls_share_what_both_have_found),
        cmocka_unit_test(what_serve_is_given_is_made_or_refused),
        cmocka_unit_test(a_directory_may_vanish_and_come_back),
        cmocka_unit_test(metrics_follow_the_format),
        cmocka_unit_test(a_child_has_no_file_of_ours),
    };

    return cmocka_run_group_tests_name("flow dash made", tests, set_up, tear_down);
}
