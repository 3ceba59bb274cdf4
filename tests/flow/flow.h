/* flow.h - what the end-to-end tests need: the real program, real sockets.
 *
 *     const char *w = world("--pages", "600");
 *     struct server *s = serve(w);
 *     struct ran r = crawl(s, "C", "coral reefs", "--seed", url, "--pages", "50");
 *     assert_code(r, 0);
 *     facts = facts_open("C", w, s);  the crawl, the world and the access log
 *     assert_int_equal(facts_int(facts, "SELECT count(*) FROM page"), 50);
 *
 * Everything these functions return lives until the process ends, so that tests
 * free nothing. Servers are stopped, directories removed at exit.
 */
#pragma once

#include "support/support.h"

#include <jansson.h>
#include <stdbool.h>
#include <sys/types.h>

struct sqlite3;

/* ---- texts and files ----------------------------------------------------- */

/* A heap pointer that is not freed, and no leak: it can be reached to the end. */
void *keep(void *p);

const char *text(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A name in a directory of this executable; nothing is made. */
const char *fresh(const char *name);

/* The path of a new file with this text. */
const char *file_with(const char *name, const char *content);

const char *file_text(const char *path);

/* Lines of a text; how often a word occurs in it. */
size_t lines_in(const char *t);
size_t times_in(const char *t, const char *what);

/* ---- running the program ------------------------------------------------- */

struct ran {
    int code; /* exit code; 128 + n after signal n; -1: it ran out of time */
    const char *out, *err;
    long peak; /* KB of memory at most */
};

/* A command line that ends with NULL, found by PATH. `input` is what standard
 * input gives; NULL: nothing. Never longer than ten minutes. */
struct ran run_argv(const char *input, const char *const argv[]);
#define run(...) run_argv(NULL, (const char *const[]){__VA_ARGS__, NULL})

/* The program under test ($BROOD_BIN). A finding of a sanitizer fails the test. */
struct ran brood_argv(const char *input, const char *const argv[]);
#define brood(...) brood_argv(NULL, (const char *const[]){__VA_ARGS__, NULL})

/* Its path before these arguments. */
const char *const *program_argv(const char *const argv[]);

/* A command line left running. */
struct job;
struct job *job_start(const char *const argv[]);
#define brood_job(...) job_start(program_argv((const char *const[]){__VA_ARGS__, NULL}))
pid_t job_pid(const struct job *j);
/* That it has said so far, as far as it was listened to. */
size_t job_lines(const struct job *j);
/* Reads what it says for so long: a process whose pipe is full stands still. False: it has said
 * its last. */
bool job_listen(struct job *j, int ms);
/* Waits until it has written this to standard output. */
void job_await_said(struct job *j, const char *part);
struct ran job_wait(struct job *j);

/* ---- waiting --------------------------------------------------------------
 *
 * A machine with other work may take a hundred times as long: tests wait for what they need to
 * see, and never for a time after which it should be there. */

/* Waits until this is true; fails after a time that only something that hangs can take. */
#define await(condition)                                           \
    do {                                                           \
        int64_t await_end = await_begin();                         \
                                                                   \
        while (!(condition))                                       \
            await_more(await_end, #condition, __FILE__, __LINE__); \
    } while (0)
int64_t await_begin(void);
void await_more(int64_t end, const char *what, const char *file, int line);

/* Until a file is there and has so many lines. */
void await_lines(const char *path, size_t lines);

/* Is it there, with this text in it? */
bool file_says(const char *path, const char *part);

/* Exit code, with everything shown where it is another one. */
#define assert_code(r, wanted) expect_code((r), (wanted), __FILE__, __LINE__)
void expect_code(struct ran r, int wanted, const char *file, int line);

/* One clear sentence: exit code, one line that begins with "brood: " and says
 * `part`. */
#define assert_refused(r, wanted, part) expect_refused((r), (wanted), (part), __FILE__, __LINE__)
void expect_refused(struct ran r, int wanted, const char *part, const char *file, int line);

#define assert_says(t, part) expect_says((t), (part), __FILE__, __LINE__)
void expect_says(const char *t, const char *part, const char *file, int line);

/* ---- worlds -------------------------------------------------------------- */

/* A made world with these options of `world make`; without menus, unless --menus is among them. */
const char *world_argv(const char *const options[]);
#define world(...) world_argv((const char *const[]){__VA_ARGS__, NULL})

/* The nth seed of the nth topic, and the topic's words. */
const char *world_seed(const char *dir, size_t topic, size_t seed);
const char *world_words(const char *dir, size_t topic);
const char *world_label(const char *dir, size_t topic);
json_t *world_info(const char *dir);

struct server {
    struct job *job;
    int port, tls_port;
    const char *log, *ca, *resolve, *resolve_tls;
};
struct server *serve_argv(const char *dir, const char *const options[]);
#define serve(dir, ...) serve_argv((dir), (const char *const[]){"--quiet", ##__VA_ARGS__, NULL})
/* Also completes the access log. */
void server_stop(struct server *s);

/* brood crawl into `dir`, quietly, every host at the server. */
#define crawl(s, dir, words, ...)                                                      \
    brood("crawl", (words), "--out", (dir), "--quiet", "--allow-private", "--resolve", \
          (s)->resolve, "--resolve", (s)->resolve_tls, __VA_ARGS__)

/* A port of 127.0.0.1 that nobody listens at; it is free for somebody else when the descriptor that
 * is returned is closed. */
int closed_port(int *ret_port);

/* ---- facts --------------------------------------------------------------- */

/* A crawl's database; with the world's attached as `w` (or NULL), and the
 * server's log (which is stopped; or NULL) as the table asked(at, host, path,
 * url, status, client_port, local, tls). */
struct sqlite3 *facts_open(const char *dir, const char *world, struct server *s);
int64_t facts_int(struct sqlite3 *db, const char *sql);
double facts_real(struct sqlite3 *db, const char *sql);
const char *facts_text(struct sqlite3 *db, const char *sql);

/* All requests that a crawl says it began, and the host of a row of them. */
#define FACTS_STARTS                                                                          \
    "(SELECT fetched_at AS at, url FROM main.page UNION ALL SELECT at, url FROM main.outcome" \
    " UNION ALL SELECT at, url FROM main.resource)"
#define FACTS_HOST "substr(url, 8, instr(substr(url, 8), '/') - 1)"

/* The shortest time between two rows (at, …) with one `key`, microseconds. */
int64_t facts_shortest(struct sqlite3 *db, const char *from, const char *key);
/* Politeness is what the crawl says of itself, and the server is its witness: how many requests the
 * log has from before the moment at which they were begun. A busy machine notes a request late, so
 * that two can follow each other closely in the log, but never early. */
int64_t facts_noted_early(struct sqlite3 *db, const char *starts);

/* The same, of one crawl. */
int64_t crawl_int(const char *dir, const char *sql);
/* 0 also where it has no database yet, or one without tables: for waiting. */
int64_t crawl_int_yet(const char *dir, const char *sql);
const char *crawl_text(const char *dir, const char *sql);
int64_t crawl_pages(const char *dir);
int64_t crawl_drops(const char *dir, const char *reason); /* of drop_count */

/* ---- JSON ---------------------------------------------------------------- */

json_t *json_of(const char *t);
/* "agents.alive", "topics.0.name": fails where it is not there. */
json_t *json_at(json_t *j, const char *path);
int64_t int_at(json_t *j, const char *path);
double num_at(json_t *j, const char *path);
const char *text_at(json_t *j, const char *path);
