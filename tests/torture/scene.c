/* scene.c - the scenes. SPDX-License-Identifier: MIT */
#include "scene.h"

#include "client.h"
#include "inject.h"
#include "web.h"

#include "base/os/file.h"
#include "base/hash.h"
#include "base/mem.h"
#include "store/store.h"

#include <errno.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define SANITIZER_CODE 99
#define PATH           512

enum begin { BEGIN_NOTHING, BEGIN_UNBEGUN, BEGIN_SOME, BEGIN_ALL, BEGIN_BROKEN };

/* DIR and RESOLVE stand for what is known later. */
#define DIR_ARG     "DIR"
#define RESOLVE_ARG "RESOLVE"
#define FILE_ARG    "FILE"
#define ROOT_ARG    "ROOT"
#define CRAWL                                                                                      \
    "crawl", "coral reefs", "--seed", WEB_HOST "/", "--quiet", "--delay", "0", "--timeout", "60s", \
        "--allow-private", "--resolve", RESOLVE_ARG, "--out", DIR_ARG

/* A copy is nobody's (crawl/start/trust.h). */
#define RESUME "resume", DIR_ARG, "--quiet", "--pages", "0", "--trust"

static const struct scene {
    const char *name;
    enum begin begin;
    const char *const argv[ARGS_MOST];
    run_client *client;
} scenes[] = {
    {"crawl", BEGIN_NOTHING, .argv = {CRAWL, "--pages", "0"}},
    {"crawl again", BEGIN_UNBEGUN, .argv = {CRAWL, "--pages", "0"}},
    {"resume", BEGIN_SOME, .argv = {RESUME}},
    {"check", BEGIN_ALL, .argv = {"check", DIR_ARG}},
    {"mend", BEGIN_BROKEN, .argv = {"check", "--mend", DIR_ARG}},
    {"forget", BEGIN_ALL, .argv = {"forget", DIR_ARG, WEB_HOST "/bleaching"}},
    {"search", BEGIN_ALL, .argv = {"search", DIR_ARG, "coral", "--json"}},
    {"top", BEGIN_ALL, .argv = {"top", DIR_ARG, "--json"}},
    {"export", BEGIN_ALL, .argv = {"export", DIR_ARG, "--as", "cdxj"}},
    {"serve", BEGIN_ALL, .argv = {"serve", DIR_ARG, "--port", "0", "--root", ROOT_ARG},
     .client = client_look},
    {"file", BEGIN_ALL, .argv = {"export", DIR_ARG, "--as", "csv", "-o", FILE_ARG}},
};

/* What a scene leaves where nothing fails. */
static struct left {
    uint64_t content; /* of the database */
    uint64_t said;    /* on standard output, and in FILE */
} expected[ARRAY_LEN(scenes)];

static const char *root, *resolve;

size_t scene_count(void)
{
    return ARRAY_LEN(scenes);
}

bool scene_crawls(size_t scene)
{
    return scenes[scene].begin < BEGIN_ALL;
}

const char *scene_name(size_t scene)
{
    return scenes[scene].name;
}

/* ---- small steps --------------------------------------------------------- */

static void shell(const char *format, const char *a, const char *b)
{
    char line[4 * PATH];

    (void)snprintf(line, sizeof line, format, a, b);
    if (system(line) != 0)
        abort();
}

static struct ended run_args(const char *dir, const char *const argv[], const struct fault *fault,
                             run_client *client)
{
    const char *all[ARGS_MOST + 1] = {NULL};
    char file[PATH], empty[PATH];

    (void)snprintf(file, sizeof file, "%s.file", dir);
    (void)snprintf(empty, sizeof empty, "%s.root", dir);
    for (size_t i = 0; i < ARGS_MOST && argv[i]; i++)
        all[i] = strcmp(argv[i], DIR_ARG) == 0       ? dir
                 : strcmp(argv[i], RESOLVE_ARG) == 0 ? resolve
                 : strcmp(argv[i], FILE_ARG) == 0    ? file
                 : strcmp(argv[i], ROOT_ARG) == 0    ? empty
                                                     : argv[i];
    return run_brood(dir, all, fault, client);
}

#define brood(dir, ...) run_args(dir, (const char *const[ARGS_MOST]){__VA_ARGS__}, NULL, NULL)

static bool is_there(const char *dir, const char *name)
{
    char path[PATH];

    (void)snprintf(path, sizeof path, "%s/%s", dir, name);
    return access(path, F_OK) == 0;
}

/* What a run said: "out", "err" or "file". */
static struct buf said(const char *dir, const char *where)
{
    struct buf all = BUF_INIT(16 << 20);
    char path[PATH];

    (void)snprintf(path, sizeof path, "%s.%s", dir, where);
    (void)!file_read(path, &all);
    if (all.data == NULL)
        buf_add_z(&all, "");
    return all;
}

static bool says(const char *dir, const char *what)
{
    struct buf err = said(dir, "err");
    bool found = strstr(err.data, what) != NULL;

    buf_free(&err);
    return found;
}

static uint64_t output_of(const char *dir)
{
    struct buf out = said(dir, "out"), file = said(dir, "file");
    uint64_t hash = hash_str(buf_str(&out)) ^ hash_str(buf_str(&file));

    buf_free(&out);
    buf_free(&file);
    return hash;
}

/* ---- what a crawl holds -------------------------------------------------- */

struct look {
    const char *dir;
    uint64_t *ret; /* shared */
};

static int look(void *ctx)
{
    struct look *l = ctx;
    sqlite3 *db = NULL;
    sqlite3_stmt *st = NULL;
    char path[PATH];
    uint64_t hash = 1;

    (void)snprintf(path, sizeof path, "%s/crawl.db", l->dir);
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK ||
        sqlite3_prepare_v2(db,
                           "SELECT url || ' ' || hash || ' ' || p.title || ' ' || text FROM page p"
                           " JOIN page_content USING (id) ORDER BY url",
                           -1, &st, NULL) != SQLITE_OK)
        return 1;
    while (sqlite3_step(st) == SQLITE_ROW)
        hash = hash_u64(hash ^ hash_str(str_of((const char *)sqlite3_column_text(st, 0))));
    *l->ret = hash;
    (void)sqlite3_finalize(st);
    return sqlite3_close(db);
}

/* 0: it cannot be read. */
static uint64_t content_of(const char *dir)
{
    uint64_t *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    uint64_t content = run_apart(look, &(struct look){dir, shared}) == 0 ? *shared : 0;

    (void)munmap(shared, sizeof *shared);
    return content;
}

/* ---- the verdict --------------------------------------------------------- */

struct verdict {
    const char *dir;
    int error; /* that was made */
    char *text;
    size_t size;
};

/* Says what is wrong, with what the last run had to say. */
static bool wrong(const struct verdict *v, const char *what, struct ended e)
{
    struct buf err = said(v->dir, "err"), out = said(v->dir, "out");

    (void)snprintf(v->text, v->size, "%s (code %d, signal %d): %.3000s%s%.500s", what, e.code,
                   e.signal, err.data, out.len ? "\non standard output: " : "", out.data);
    buf_free(&err);
    buf_free(&out);
    return false;
}

/* `check` may call damage what SQLite said is damaged, or could not read in its own check; EIO is
 * damage to it, too. */
static bool finds_damage(const struct verdict *v)
{
    struct buf out = said(v->dir, "out");
    bool finds =
        strstr(out.data, "unable to get the page") ||
        ((v->error == SQLITE_CORRUPT || v->error == EIO) && strstr(out.data, " disagreement"));

    buf_free(&out);
    return finds;
}

/* It ended by itself, without a sanitizer's finding, and said why where it failed. */
static bool ended_well(const struct verdict *v, struct ended e)
{
    if (e.code == KILLED_CODE && v->error == KILLED)
        return true;
    if (e.signal == SIGALRM)
        return wrong(v, "it hangs", e);
    if (e.code < 0)
        return wrong(v, "it crashes", e);
    if (says(v->dir, "LeakSanitizer has encountered a fatal error"))
        return true; /* confined without /proc, it cannot look; the exit code is gone with it */
    if (e.code == SANITIZER_CODE || says(v->dir, "Sanitizer") || says(v->dir, "runtime error:"))
        return wrong(v, "a sanitizer's finding", e);
    if (e.code != 0 && !says(v->dir, "brood: ") && !finds_damage(v))
        return wrong(v, "no sentence", e);
    if (says(v->dir, "not an error") || says(v->dir, "Success"))
        return wrong(v, "a sentence that says nothing", e);
    return true;
}

static bool is_unbegun(const struct verdict *v)
{
    return says(v->dir, "nothing was stored") || says(v->dir, "has no table of ours");
}

/* The only complaint is about what was written behind the last commit: whoever was
 * stopped leaves that, and resume removes it. */
static bool only_leftovers(const struct verdict *v)
{
    struct buf out = said(v->dir, "out");
    bool only = (strstr(out.data, "longer than was committed") ||
                 strstr(out.data, "not in the database")) &&
                strstr(out.data, ": 1 disagreement,");

    buf_free(&out);
    return only;
}

static bool check_passes(const struct verdict *v, bool stopped)
{
    struct ended e = brood(v->dir, "check", DIR_ARG);

    if (e.code == 0 || (stopped && e.code == 1 && (is_unbegun(v) || only_leftovers(v))))
        return true;
    return wrong(v, "check does not pass", e);
}

/* A crawl goes on to its end, or begins where nothing was begun. */
static bool goes_on(const struct verdict *v)
{
    struct ended e = {1, 0};

    if (is_there(v->dir, "crawl.db")) {
        if (!check_passes(v, true))
            return false;
        e = brood(v->dir, RESUME);
        if (e.code != 0 && !is_unbegun(v))
            return wrong(v, "resume fails", e);
    }
    if (e.code != 0)
        e = brood(v->dir, CRAWL, "--pages", "0");
    return e.code == 0 ? true : wrong(v, "it cannot begin again", e);
}

static bool judge(const struct scene *s, const struct verdict *v, struct ended e)
{
    const struct left *left = &expected[s - scenes];
    bool crawls = scene_crawls((size_t)(s - scenes));

    if (!ended_well(v, e))
        return false;
    if (!crawls && !s->client && e.code == 0 && output_of(v->dir) != left->said &&
        !says(v->dir, "brood: ") && !finds_damage(v))
        return wrong(v, "it says that all is well, and its output is another", e);
    if (crawls && !goes_on(v))
        return false;
    if (!crawls && e.code != 0 && (e = run_args(v->dir, s->argv, NULL, s->client)).code != 0)
        return wrong(v, "the second try fails", e);
    e = (struct ended){0, 0};
    if (!check_passes(v, false))
        return false;
    return content_of(v->dir) == left->content ? true : wrong(v, "pages are lost", e);
}

/* ---- the scenes ---------------------------------------------------------- */

static void set_stage(const struct scene *s, const char *dir)
{
    static const char *const from[] = {[BEGIN_UNBEGUN] = "unbegun",
                                       [BEGIN_SOME] = "some",
                                       [BEGIN_ALL] = "all",
                                       [BEGIN_BROKEN] = "broken"};

    shell("rm -rf %s %s.*", dir, dir);
    if (s->begin != BEGIN_NOTHING) {
        char path[PATH];

        (void)snprintf(path, sizeof path, "%s/%s", root, from[s->begin]);
        shell("cp -r %s %s", path, dir);
    }
}

bool scene_run(const struct fault *fault, const char *dir, char *ret, size_t size)
{
    const struct scene *s = &scenes[fault->scene];
    struct verdict v = {dir, fault->error, ret, size};
    struct ended e;
    bool good;

    set_stage(s, dir);
    e = run_args(dir, s->argv, fault, s->client);
    good = fault->key == 0 || inject_fired() ? judge(s, &v, e) : ended_well(&v, e);
    if (good)
        shell("rm -rf %s %s.*", dir, dir);
    return good;
}

static void must(struct ended e, const char *dir)
{
    struct buf err = said(dir, "err");

    if (e.code != 0) {
        (void)fprintf(stderr, "%s: exit code %d: %s\n", dir, e.code, err.data);
        abort();
    }
    buf_free(&err);
}

/* What is left of a process that was killed before its first commit. */
static int begin_only(void *dir)
{
    struct store_config config = {
        .warc = true, .warc_level = 1, .software = "torture", .robots = "obey", .full_text = true};
    struct store *s;

    return store_create(dir, &config, &s) == ST_OK ? 0 : 1; /* it ends with this, at once */
}

/* Crawls to begin with: nothing of one, half of one, a whole one, one with a page that is not in
 * the index and bytes behind the archive's end. */
static void make_crawls(void)
{
    char unbegun[PATH], some[PATH], all[PATH], broken[PATH];

    (void)snprintf(unbegun, sizeof unbegun, "%s/unbegun", root);
    (void)snprintf(some, sizeof some, "%s/some", root);
    (void)snprintf(all, sizeof all, "%s/all", root);
    (void)snprintf(broken, sizeof broken, "%s/broken", root);
    must(brood(some, CRAWL, "--pages", "4"), some);
    if (run_apart(begin_only, unbegun) != 0)
        abort();
    shell("cp %s/warc/* %s/warc", some, unbegun); /* records may come before the commit */
    must(brood(all, CRAWL, "--pages", "0", "--no-index"), all);
    must(brood(broken, CRAWL, "--pages", "0"), broken);
    shell("for f in %s/warc/*; do printf broken >>$f; done%s", broken, "");
}

static void learn(size_t i)
{
    char dir[PATH];

    (void)snprintf(dir, sizeof dir, "%s/learn", root);
    set_stage(&scenes[i], dir);
    must(run_args(dir, scenes[i].argv, NULL, scenes[i].client), dir);
    expected[i] = (struct left){content_of(dir), output_of(dir)};
    if (expected[i].content == 0)
        abort();
}

void scenes_begin(const char *below)
{
    root = below;
    (void)setenv("XDG_STATE_HOME", root, 1); /* the user's key is not ours to make */
    resolve = web_start();
    if (resolve == NULL)
        abort();
    make_crawls();
    for (size_t i = 0; i < ARRAY_LEN(scenes); i++)
        learn(i);
}

void scenes_end(void)
{
    web_stop();
    shell("rm -rf %s%s", root, "");
}
