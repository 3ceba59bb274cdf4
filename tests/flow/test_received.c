/* A directory that somebody else made: every command on it ends, changes nothing
 * outside it, uses little memory, and sends no control character to a terminal. Options
 * that lower a guard need --trust. SPDX-License-Identifier: MIT */
#include "flow.h"

#include "base/mem.h"
#include "base/os/file.h"
#include "base/utf8.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define PEAK_KB (900 * 1024L) /* with the sanitizer's shadow and freed memory */
#else
#define PEAK_KB (300 * 1024L)
#endif

static const char *good;   /* a small crawl */
static const char *victim; /* a folder outside all crawls */
static const char *seed;

/* What is done to a copy of the crawl, C being its path and V the victim's. */
static const struct harm {
    const char *name, *sql, *shell;
} harms[] = {
    {"nothing", NULL, NULL},
    {"garbage outside", "INSERT INTO garbage VALUES('../../victim/precious')", NULL},
    {"an archive outside", "UPDATE warc SET name = '../../victim/precious', length = 0", NULL},
    {"a linked log", NULL, "rm -f $C/crawl.log; ln -s $V/precious $C/crawl.log"},
    {"a log that is a pipe", NULL, "rm -f $C/crawl.log; mkfifo $C/crawl.log"},
    {"a linked database", NULL, "mv $C/crawl.db $V/other.db; ln -s $V/other.db $C/crawl.db"},
    {"a linked WAL", NULL, "rm -f $C/crawl.db-wal; ln -s $V/precious $C/crawl.db-wal"},
    {"a linked archive", "UPDATE warc SET length = 10",
     "mv $C/warc $V/warc; ln -s $V/warc $C/warc"},
    {"linked archive files", "UPDATE warc SET length = 0",
     "for f in $C/warc/*; do rm $f; ln -s $V/precious $f; done"},
    {"archive files that never end", NULL,
     "for f in $C/warc/*; do rm $f; ln -s /dev/zero $f; done"},
    {"archive files that are pipes", NULL, "for f in $C/warc/*; do rm $f; mkfifo $f; done"},
    {"a bomb for an archive", "UPDATE warc SET length = 1000",
     "head -c 200000000 /dev/zero | gzip -1 > $C/bomb; for f in $C/warc/*; do cp $C/bomb $f; done"},
    {"a trigger",
     "CREATE TRIGGER t AFTER INSERT ON page_row BEGIN UPDATE warc SET name = '../../x'; END", NULL},
    {"an endless view",
     "DROP VIEW page; CREATE VIEW page AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1"
     " FROM n) SELECT i AS id, 'http://x.test/' AS url FROM n",
     NULL},
    {"huge agents", "UPDATE agent SET id = 4294967295 WHERE id = (SELECT max(id) FROM agent)",
     NULL},
    {"huge pages",
     "UPDATE page_row SET id = id + 4000000000; UPDATE url_row SET id = id * 50000000", NULL},
    {"circular families",
     "UPDATE agent SET parent_id = id; UPDATE page_row SET dup_of = id,"
     " version_of = id, relevance = 9e999",
     NULL},
    {"huge states", "UPDATE state SET value = zeroblob(40000000)", NULL},
    {"random states", "UPDATE state SET value = randomblob(100000)", NULL},
    {"states with huge numbers",
     "UPDATE state SET value = CAST(substr(value, 1, 8) || x'ffffffffffffffffffffffff' AS BLOB)",
     NULL},
    {"texts that act",
     "UPDATE url_row SET url = url || char(27) || '[2J' || char(155, 8238) || '=cmd';"
     "UPDATE page_row SET title = '=cmd' || char(27, 155, 8238, 7), host = char(27) || ']0;x';"
     "UPDATE agent SET name = char(27) || 'c', kind = char(27); UPDATE warc SET name = char(27, "
     "155);"
     "UPDATE crawl SET value = char(27) || value WHERE key LIKE 'option.%'",
     NULL},
};

static const char *const commands[][8] = {
    {"top", "C"},
    {"top", "C", "--json"},
    {"search", "C", "the"},
    {"tree", "C"},
    {"show", "C", "S"},
    {"show", "C", "1"},
    {"explain", "C", "S"},
    {"stats", "C"},
    {"export", "C", "--as", "jsonl"},
    {"export", "C", "--as", "csv"},
    {"export", "C", "--as", "cdxj"},
    {"export", "C", "--as", "graphml"},
    {"export", "C", "--as", "xml"},
    {"export", "C", "--as", "docpool", "--out", "O"},
    {"topic", "clusters", "C", "-k", "2"},
    {"world", "info", "C"},
    {"world", "rewire", "C", "O"},
    {"world", "import", "A", "O", "--from", "warc"},
    {"lab", "run", "P", "--out", "O"},
    {"check", "C"},
    {"resume", "C", "--pages", "1000", "--for", "1s"},
    {"watch", "--out", "C", "--once", "--for", "1s"},
    {"retry", "C", "--for", "1s", "--trust"},
    {"resume", "C", "--pages", "1000", "--for", "1s", "--trust"},
    {"forget", "C", "S"},
    {"check", "C", "--mend"},
};

/* Names, kinds, sizes and times of what lies outside, and what is in it. */
static const char *snapshot(void)
{
    struct ran r = run("sh", "-c",
                       text("cd %s && find . -printf '%%p %%y %%s %%T@ %%m %%n %%l\\n' | sort &&"
                            " find . -type f | sort | xargs cat | cksum",
                            victim));

    assert_code(r, 0);
    return r.out;
}

static void harm_copy(const char *dir, const struct harm *h)
{
    sqlite3 *db = NULL;
    char *error = NULL;

    assert_code(run("sh", "-c",
                    text("rm -rf %s %s; mkdir %s; echo precious > %s/precious; cp -r %s %s", dir,
                         victim, victim, victim, good, dir)),
                0);
    if (h->sql) {
        assert_int_equal(sqlite3_open(text("%s/crawl.db", dir), &db), SQLITE_OK);
        if (sqlite3_exec(db, h->sql, NULL, NULL, &error) != SQLITE_OK)
            fail_msg("%s: %s", h->name, error);
        (void)sqlite3_close(db);
    }
    if (h->shell)
        assert_code(run("sh", "-c", text("C=%s; V=%s; %s", dir, victim, h->shell)), 0);
}

static void assert_tame(const struct harm *h, const char *command, const char *t)
{
    struct str s = str_of(t);

    for (size_t at = 0; at < s.len;) {
        uint32_t cp = utf8_next(s, &at);

        if (cp != '\n' && cp != '\t' && utf8_is_control(cp))
            fail_msg("%s, brood %s: the control character %x in %.300s", h->name, command, cp, t);
    }
}

/* The path that a word of a command stands for; another word stands for itself. */
static const char *word_of(const char *dir, const char *word)
{
    if (strcmp(word, "C") == 0)
        return dir;
    if (strcmp(word, "S") == 0)
        return seed;
    if (strcmp(word, "O") == 0) /* what it makes; harm_copy() removes it */
        return text("%s-made", dir);
    if (strcmp(word, "P") == 0)
        return text("%s.plan", dir);
    if (strcmp(word, "A") == 0)
        return run("sh", "-c", text("printf %%s %s/warc/*", dir)).out;
    return word;
}

/* Runs a command, and looks at what it shows. */
static void try_command(const struct harm *h, const char *dir, const char *const words[])
{
    const char *argv[10] = {NULL};
    struct ran r;

    for (size_t i = 0; words[i]; i++)
        argv[i] = word_of(dir, words[i]);
    assert_code(run("rm", "-rf", word_of(dir, "O")), 0);
    r = brood_argv(NULL, argv);
    if (r.code < 0 || r.code >= 128)
        fail_msg("%s, brood %s: code %d, %s", h->name, words[0], r.code, r.err);
    if (h == harms && r.code != 0 && strcmp(words[0], "resume") != 0 &&
        strcmp(words[0], "watch") != 0 && strcmp(words[0], "retry") != 0)
        fail_msg("brood %s: code %d, %s", words[0], r.code, r.err);
    if (r.peak > PEAK_KB)
        fail_msg("%s, brood %s: %ld KB of memory", h->name, words[0], r.peak);
    assert_tame(h, words[0], r.err);
    if (strcmp(words[0], "export") != 0)
        assert_tame(h, words[0], r.out);
}

/* A server of the directory for a moment: what it reads when it starts, and an end by Ctrl-C. */
static void try_server(const struct harm *h, const char *dir, const char *command)
{
    struct ran r = run(
        "sh", "-c",
        text("timeout -s INT -k 300 1 %s %s %s --port 0 2>&1", getenv("BROOD_BIN"), command, dir));

    if (strstr(r.out, "runtime error:") || strstr(r.out, "AddressSanitizer") || r.code == 137)
        fail_msg("%s, brood %s: code %d, %s", h->name, command, r.code, r.out);
    if (h == harms && r.code != 124 && r.code != 0)
        fail_msg("brood %s: code %d, %s", command, r.code, r.out);
    assert_tame(h, command, r.out);
}

/* Every harm meets every other command, and every command every other harm; all of both with
 * BROOD_EVERY_STATE set (./test power). */
static bool is_drawn(size_t harm, size_t command)
{
    return harm == 0 || (harm + command) % 2 == 0 || getenv("BROOD_EVERY_STATE");
}

static void every_command_leaves_the_rest_alone(void **state)
{
    const char *dir = fresh("received/crawl");

    (void)state;
    assert_code(run("mkdir", "-p", fresh("received")), 0);
    victim = fresh("victim");
    assert_int_equal(file_write(word_of(dir, "P"),
                                str_of("name: x\nabout: a world of somebody else\nworlds:\n"
                                       "  - {name: c, dir: crawl}\ntopics: [the]\n"
                                       "seeds: {on-topic: 1}\nmodels: [best-first]\npages: 5\n")),
                     ST_OK);
    for (size_t i = 0; i < ARRAY_LEN(harms); i++) {
        const char *before;

        harm_copy(dir, &harms[i]);
        before = snapshot();
        try_server(&harms[i], dir, "serve");
        try_server(&harms[i], dir, "world serve");
        for (size_t k = 0; k < ARRAY_LEN(commands); k++)
            if (is_drawn(i, k))
                try_command(&harms[i], dir, commands[k]);
        if (strcmp(snapshot(), before) != 0)
            fail_msg("%s: outside was %s and is %s", harms[i].name, before, snapshot());
    }
}

static void a_terminal_gets_no_control_characters(void **state)
{
    const char *dir = fresh("received/crawl");
    struct ran r;

    (void)state;
    harm_copy(dir, &harms[ARRAY_LEN(harms) - 1]);
    r = run("script", "-qec",
            text("%s export %s --as csv; %s export %s --as jsonl", getenv("BROOD_BIN"), dir,
                 getenv("BROOD_BIN"), dir),
            "/dev/null");
    assert_int_equal(times_in(r.out, "\033"), 0);
    assert_int_equal(times_in(r.out, "\xc2\x9b"), 0);
    assert_int_equal(times_in(r.out, "\xe2\x80\xae"), 0);
    assert_says(r.out, "\"'=cmd"); /* no formula for a spreadsheet */
}

static void options_of_somebody_else_are_named(void **state)
{
    const char *dir = fresh("copied");
    struct ran r;

    (void)state;
    assert_code(run("cp", "-r", good, dir), 0); /* a copy is another file */
    assert_refused(brood("resume", dir, "--for", "1s"), 2, "--allow-private");
    assert_refused(brood("retry", dir, "--for", "1s"), 2, "--trust");
    r = brood("resume", dir, "--for", "1s", "--pages", "1000", "--trust", "--quiet");
    if (r.code == 2)
        fail_msg("%s", r.err);
    r = brood("resume", dir, "--for", "1s", "--pages", "1000", "--quiet"); /* it is now */
    if (r.code == 2)
        fail_msg("%s", r.err);
}

static int make_crawl(void **state)
{
    const char *w = world("--pages", "60");
    struct server *s = serve(w);

    (void)state;
    seed = world_seed(w, 0, 0);
    good = fresh("good");
    assert_code(crawl(s, good, world_words(w, 0), "--seed", seed, "--pages", "12", "--model",
                      "infospiders", "--delay", "0", "--timeout", "6s", "--retries", "0"),
                0);
    server_stop(s);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_command_leaves_the_rest_alone),
        cmocka_unit_test(a_terminal_gets_no_control_characters),
        cmocka_unit_test(options_of_somebody_else_are_named),
    };

    return cmocka_run_group_tests(tests, make_crawl, NULL);
}
