/* results_db.c - the writing side of DIR/results.db. SPDX-License-Identifier: MIT */
#include "lab/run/results_db.h"

#include "base/os/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "lab/run/metric.h"
#include "store/db.h"
#include "store/db_guard.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define FORMAT "1" /* of the tables; another one is not read */
#define MEASURES \
    "2"                         /* 2: recall of topics given as words; what does not exist yet
                                   cannot be reached; freshness to the end of the time */
#define ANY_SIZE (SIZE_MAX / 2) /* of what we made ourselves */

static const char schema[] =
    "CREATE TABLE IF NOT EXISTS meta(key TEXT PRIMARY KEY, value TEXT NOT NULL);"
    "CREATE TABLE IF NOT EXISTS worlds(name TEXT PRIMARY KEY, spec TEXT NOT NULL,"
    " pages INTEGER, hosts INTEGER, versions INTEGER, links INTEGER, out_exponent REAL,"
    " in_exponent REAL, clustering REAL, mean_distance REAL, locality REAL, skipped INTEGER);"
    "CREATE TABLE IF NOT EXISTS topics(world TEXT, number INTEGER, name TEXT NOT NULL,"
    " words TEXT NOT NULL, PRIMARY KEY(world, number)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS runs(world TEXT, topic TEXT, model TEXT, repeat INTEGER,"
    " targets INTEGER, reachable INTEGER, pages INTEGER, seconds REAL, end TEXT, points INTEGER,"
    " x BLOB, \"values\" BLOB, PRIMARY KEY(world, topic, model, repeat));"
    "CREATE TABLE IF NOT EXISTS timing(world TEXT, topic TEXT, model TEXT, repeat INTEGER,"
    " wall INTEGER, cpu INTEGER, PRIMARY KEY(world, topic, model, repeat));";

enum { STMT_HAS, STMT_RUN, STMT_TIMING, STMT_COUNT_HERE };

static const char *const statements[] = {
    [STMT_HAS] = "SELECT 1 FROM runs WHERE world = ? AND topic = ? AND model = ? AND repeat = ?",
    [STMT_RUN] = "INSERT OR REPLACE INTO runs VALUES(?,?,?,?,?,?,?,?,?,?,?,?)",
    [STMT_TIMING] = "INSERT OR REPLACE INTO timing VALUES(?,?,?,?,?,?)",
};

struct results_db {
    sqlite3 *db;
    char *dir;
    int lock;
    bool older; /* it has runs that were measured otherwise */
    bool noted; /* the commit of this program is among "commits" */
    sqlite3_stmt *stmt[STMT_COUNT_HERE];
};

/* Errors of store/db.h speak of crawl.db. */
static enum status named(const struct results_db *d, enum status st)
{
    struct str text = str_of(status_text());
    struct buf rest = BUF_INIT(2000);

    if (st == ST_OK || !str_starts(text, STR("crawl.db: ")))
        return st;
    buf_add_str(&rest, str_sub(text, 10, text.len));
    (void)status_fail(st, "%s/results.db: %s", d->dir, rest.data);
    buf_free(&rest);
    return st;
}

/* ---- what a plan fixes --------------------------------------------------- */

struct trait {
    const char *name;
    char value[400];
};

#define TRAITS 14

static void trait_quantity(struct trait *t, const char *name, struct quantity q)
{
    struct buf b = BUF_INIT(100);

    t->name = name;
    quantity_show(q, &b);
    (void)snprintf(t->value, sizeof t->value, "%.*s", STR_ARG(buf_str(&b)));
    buf_free(&b);
}

/* The settings that a run depends on without its name saying so. */
static size_t traits_of(const struct plan *p, struct trait ret[TRAITS])
{
    size_t n = 0;
    struct trait *t;

#define SAY(title, ...) \
    (t = &ret[n++], t->name = (title), (void)snprintf(t->value, sizeof t->value, __VA_ARGS__))
    SAY("rng", "%llu", (unsigned long long)p->rng);
    if (p->label_topics)
        SAY("topics", "{labels: {min: %u, max: %.12g %%, most: %u}}", p->label_min,
            p->label_max * 100, p->label_most);
    else
        SAY("topics", "a list of words");
    if (p->seed_rule == SEEDS_DISTANCE)
        SAY("seeds", "{distance: %u, count: %u}", p->seed_distance, p->seed_count);
    else if (p->seeds_off)
        SAY("seeds", "{on-topic: %u, off-topic: %u}", p->seed_count, p->seeds_off);
    else
        SAY("seeds", "{%s: %u}", p->seed_rule == SEEDS_APART ? "apart" : "on-topic", p->seed_count);
    SAY("examples", "{positive: %u, negative: %u}", p->positive, p->negative);
    SAY("relevant", "%.12g", p->relevant);
    SAY("idf", "%s", p->idf == IDF_LEARNED ? "learned" : "world");
    SAY("network", "{connections: %u, per-host: %u, delay: %lldus, robots: %s, host-budget: %u}",
        p->connections, p->per_host, (long long)p->delay, p->robots ? "yes" : "no", p->host_budget);
    SAY("network.patience", "%.12g", p->patience);
    if (p->latency)
        SAY("network.latency", "%lldus", (long long)p->latency);
    if (p->measured)
        SAY("network.measured", "yes");
    if (p->slow > 0)
        SAY("network.slow", "%.12g, %lldus", p->slow, (long long)p->slow_latency);
#undef SAY
    trait_quantity(&ret[n++], "pages", p->pages);
    trait_quantity(&ret[n++], "time", p->time);
    trait_quantity(&ret[n++], "sample", p->sample);
    return n;
}

/* ---- meta ---------------------------------------------------------------- */

static enum status meta_set(struct results_db *d, const char *key, struct str value)
{
    sqlite3_stmt *st = NULL;
    enum status status = db_prepare(d->db, "INSERT OR REPLACE INTO meta VALUES(?,?)", &st);

    if (status == ST_OK) {
        db_bind_str(st, 1, str_of(key));
        db_bind_str(st, 2, value);
        status = db_run(d->db, st);
    }
    (void)sqlite3_finalize(st);
    return status;
}

/* The value, heap; NULL where there is none. */
static char *meta_get(struct results_db *d, const char *key)
{
    sqlite3_stmt *st = NULL;
    enum status status = db_prepare(d->db, "SELECT value FROM meta WHERE key = ?", &st);
    char *value = NULL;

    if (status == ST_OK) {
        db_bind_str(st, 1, str_of(key));
        if (db_row(d->db, st, &status))
            value = str_dup(db_str(st, 0));
    }
    (void)sqlite3_finalize(st);
    return value;
}

static void metric_names(struct buf *out)
{
    for (const struct metric *m = metric_table; m->name; m++)
        buf_addf(out, "%s%s", out->len ? " " : "", m->name);
}

static enum status differs(const struct results_db *d, const char *what, const char *there,
                           const char *here)
{
    return status_fail(ST_USAGE,
                       "%s holds the results of another %s (there: %s, here: %s): give another "
                       "directory with --out, or remove it",
                       d->dir, what, *there ? there : "none", *here ? here : "none");
}

/* Equal to what is there, or there now. */
static enum status meta_agree(struct results_db *d, const char *key, const char *value,
                              const char *what)
{
    char *old = meta_get(d, key);
    enum status st = ST_OK;

    if (old == NULL)
        st = meta_set(d, key, str_of(value));
    else if (strcmp(old, value) != 0)
        st = differs(d, what, old, value);
    free(old);
    return st;
}

/* ---- earlier versions ---------------------------------------------------- */

static enum status refuse_older(const struct results_db *d, const char *what)
{
    return status_fail(ST_USAGE,
                       "%s was begun by an older brood, which measured %s otherwise: give another "
                       "directory with --out ('brood lab report' still reads it)",
                       d->dir, what);
}

/* Runs of before are as good as new ones but where something changed: topics given as
 * words, and worlds that move. */
static enum status check_measures(struct results_db *d, const struct plan *p)
{
    char *there = meta_get(d, "measures");
    int64_t runs = 0;
    enum status st = db_int(d->db, "SELECT count(*) FROM runs", &runs);

    d->older = runs > 0 && there == NULL;
    if (st == ST_OK && there && strcmp(there, MEASURES) != 0)
        st = differs(d, "version of brood", there, MEASURES);
    else if (st == ST_OK && d->older && !p->label_topics)
        st = refuse_older(d, "topics given as words");
    else if (st == ST_OK && !d->older)
        st = meta_set(d, "measures", STR(MEASURES));
    free(there);
    return st;
}

/* Where it is or how it is made, and what of it is left out. */
static void show_spec(const struct plan_world *w, struct buf *out)
{
    if (w->dir)
        buf_addf(out, "dir %s", w->dir);
    for (const struct option *o = make_option_table; w->make && o->name; o++) {
        buf_addf(out, "%s%s=", o == make_option_table ? "make " : " ", o->name);
        option_show(o, w->make, out);
    }
    for (size_t i = 0; i < w->exclude.count; i++)
        buf_addf(out, " exclude %s", w->exclude.items[i]);
    for (size_t i = 0; i < w->main.count; i++)
        buf_addf(out, " main %s", w->main.items[i]);
}

/* Of two ways to make a world the words that only one has: 32 options are too many to
 * look through. */
static void only_in(struct str one, struct str other, struct buf *out)
{
    bool made = str_starts(one, STR("make ")) && str_starts(other, STR("make "));
    struct str word, same;

    while (str_cut(&one, ' ', &word)) {
        bool both = false;

        for (struct str rest = other; made && !both && str_cut(&rest, ' ', &same);)
            both = str_eq(word, same);
        if (!both)
            buf_addf(out, "%s%.*s", out->len ? " " : "", STR_ARG(word));
    }
}

/* A world of the same name must be the same. */
static enum status check_spec(struct results_db *d, const struct plan_world *w)
{
    sqlite3_stmt *st = NULL;
    struct buf spec = BUF_INIT(10000), what = BUF_INIT(300);
    enum status status = db_prepare(d->db, "SELECT spec FROM worlds WHERE name = ?", &st);

    show_spec(w, &spec);
    buf_addf(&what, "world '%s'", w->name);
    if (status == ST_OK) {
        db_bind_str(st, 1, str_of(w->name));
        if (db_row(d->db, st, &status) && !str_eq(db_str(st, 0), buf_str(&spec))) {
            struct buf there = BUF_INIT(10000), here = BUF_INIT(10000);

            only_in(db_str(st, 0), buf_str(&spec), &there);
            only_in(buf_str(&spec), db_str(st, 0), &here);
            status = differs(d, what.data, buf_str(&there).ptr, buf_str(&here).ptr);
            buf_free(&there);
            buf_free(&here);
        }
    }
    (void)sqlite3_finalize(st);
    buf_free(&spec);
    buf_free(&what);
    return status;
}

static enum status check_plan(struct results_db *d, const struct plan *p)
{
    struct trait traits[TRAITS];
    size_t n = traits_of(p, traits);
    struct buf names = BUF_INIT(1000);
    enum status st = meta_agree(d, "format", FORMAT, "version of brood");

    metric_names(&names);
    if (st == ST_OK)
        st = meta_agree(d, "metrics", names.data, "version of brood");
    buf_free(&names);
    if (st == ST_OK)
        st = check_measures(d, p);
    if (st == ST_OK)
        st = meta_agree(d, "name", p->name, "plan");
    for (size_t i = 0; st == ST_OK && i < n; i++) {
        char key[100], what[100];

        (void)snprintf(key, sizeof key, "trait %s", traits[i].name);
        (void)snprintf(what, sizeof what, "plan: its '%s' differs", traits[i].name);
        st = meta_agree(d, key, traits[i].value, what);
    }
    for (size_t i = 0; st == ST_OK && i < p->nworlds; i++)
        st = check_spec(d, &p->worlds[i]);
    if (st == ST_OK)
        st = meta_set(d, "plan", buf_str(&p->text));
    if (st == ST_OK)
        st = meta_set(d, "file", str_of(p->file));
    return st;
}

/* ---- open and close ------------------------------------------------------ */

static enum status make_dirs(const char *dir)
{
    char *path = str_dup(str_of(dir));
    enum status st = ST_OK;

    for (char *c = path + 1; st == ST_OK && *path; c++) {
        char kept = *c;

        if (kept != '/' && kept != '\0')
            continue;
        *c = '\0';
        if (mkdir(path, 0700) != 0 && errno != EEXIST)
            st = status_fail(ST_IO, "%s cannot be made: %s", path, strerror(errno));
        *c = kept;
        if (kept == '\0')
            break;
    }
    free(path);
    return st;
}

static int is_visible(const struct dirent *e)
{
    return e->d_name[0] != '.' || (e->d_name[1] != '\0' && strcmp(e->d_name, "..") != 0);
}

/* Results are not strewn over what somebody else keeps there. */
static enum status check_dir(const char *dir)
{
    struct buf path = BUF_INIT(8192);
    struct dirent **names = NULL;
    struct stat info;
    enum status st = ST_OK;
    int n = 0;

    buf_addf(&path, "%s/results.db", dir);
    if (stat(dir, &info) == 0 && !S_ISDIR(info.st_mode))
        st = status_fail(ST_USAGE,
                         "%s is a file; results need a directory of their own: give "
                         "another name with --out",
                         dir);
    else if (access(path.data, F_OK) != 0 && (n = scandir(dir, &names, is_visible, NULL)) > 0)
        st = status_fail(ST_USAGE,
                         "%s holds no results, but %s%s: give a directory with --out that is empty "
                         "or not there yet",
                         dir, names[0]->d_name, n > 1 ? " and more" : "");
    for (int i = 0; i < n; i++)
        free(names[i]);
    free(names);
    buf_free(&path);
    return st;
}

static enum status open_tables(struct results_db *d, const struct plan *p)
{
    enum status st =
        db_open_file(d->dir, "results.db",
                     SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX, &d->db);

    if (st == ST_OK)
        db_guard_widen(d->db);
    if (st == ST_OK)
        st = db_exec(d->db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    if (st == ST_OK)
        st = db_exec(d->db, "BEGIN IMMEDIATE");
    if (st == ST_OK)
        st = db_exec(d->db, schema);
    if (st == ST_OK)
        st = check_plan(d, p);
    if (st == ST_OK)
        st = db_exec(d->db, "COMMIT");
    for (size_t i = 0; st == ST_OK && i < STMT_COUNT_HERE; i++)
        st = db_prepare(d->db, statements[i], &d->stmt[i]);
    return named(d, st);
}

enum status results_db_open(const char *dir, const struct plan *p, struct results_db **ret)
{
    struct results_db *d = MEM_NEW(struct results_db);
    enum status st = check_dir(dir);

    if (st == ST_OK)
        st = make_dirs(dir);
    d->dir = str_dup(str_of(dir));
    d->lock = -1;
    if (st == ST_OK)
        st = db_lock(dir, &d->lock);
    if (st == ST_OK)
        st = open_tables(d, p);
    if (st == ST_OK)
        *ret = d;
    else
        results_db_close(d);
    return st;
}

void results_db_close(struct results_db *d)
{
    if (d == NULL)
        return;
    for (size_t i = 0; i < STMT_COUNT_HERE; i++)
        (void)sqlite3_finalize(d->stmt[i]);
    if (d->db) {
        (void)sqlite3_exec(d->db, "ROLLBACK", NULL, NULL, NULL); /* where opening failed */
        (void)sqlite3_exec(d->db, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
        (void)sqlite3_close(d->db);
    }
    if (d->lock >= 0)
        (void)close(d->lock);
    free(d->dir);
    free(d);
}

/* Ends a transaction: all of it is there, or nothing. */
static enum status end_writing(struct results_db *d, enum status st)
{
    if (st == ST_OK)
        st = db_exec(d->db, "COMMIT");
    if (st != ST_OK)
        (void)sqlite3_exec(d->db, "ROLLBACK", NULL, NULL, NULL);
    return st;
}

/* ---- worlds -------------------------------------------------------------- */

/* The directory may have been filled again since. */
static enum status check_counts(struct results_db *d, const struct result_world *w)
{
    sqlite3_stmt *st = NULL;
    enum status status =
        db_prepare(d->db, "SELECT pages, versions, links FROM worlds WHERE name = ?", &st);

    if (status != ST_OK)
        return status;
    db_bind_str(st, 1, str_of(w->name));
    if (db_row(d->db, st, &status)) {
        bool same = sqlite3_column_int64(st, 0) == w->pages &&
                    sqlite3_column_int64(st, 1) == w->versions &&
                    sqlite3_column_int64(st, 2) == (int64_t)w->links;

        if (!same)
            status = status_fail(ST_USAGE,
                                 "the world '%s' is not what it was when %s was begun (%lld pages "
                                 "then, %u now): give another directory with --out",
                                 w->name, d->dir, (long long)sqlite3_column_int64(st, 0), w->pages);
    }
    (void)sqlite3_finalize(st);
    return status;
}

static void bind_real(sqlite3_stmt *st, int at, double v)
{
    (void)sqlite3_bind_double(st, at, v); /* NAN becomes NULL */
}

static enum status put_world(struct results_db *d, const struct result_world *w, struct str spec)
{
    const double figures[] = {w->out_exponent, w->in_exponent, w->clustering, w->mean_distance,
                              w->locality};
    sqlite3_stmt *st = NULL;
    enum status status =
        db_prepare(d->db, "INSERT OR REPLACE INTO worlds VALUES(?,?,?,?,?,?,?,?,?,?,?,?)", &st);

    if (status != ST_OK)
        return status;
    db_bind_str(st, 1, str_of(w->name));
    db_bind_str(st, 2, spec);
    (void)sqlite3_bind_int64(st, 3, w->pages);
    (void)sqlite3_bind_int64(st, 4, w->hosts);
    (void)sqlite3_bind_int64(st, 5, w->versions);
    (void)sqlite3_bind_int64(st, 6, (int64_t)w->links);
    for (size_t i = 0; i < ARRAY_LEN(figures); i++)
        bind_real(st, 7 + (int)i, figures[i]);
    (void)sqlite3_bind_int64(st, 12, w->skipped);
    status = db_run(d->db, st);
    (void)sqlite3_finalize(st);
    return status;
}

static enum status put_topics(struct results_db *d, const struct result_world *w)
{
    sqlite3_stmt *st = NULL, *drop = NULL;
    enum status status = db_prepare(d->db, "DELETE FROM topics WHERE world = ?", &drop);

    if (status == ST_OK) {
        db_bind_str(drop, 1, str_of(w->name));
        status = db_run(d->db, drop);
    }
    if (status == ST_OK)
        status = db_prepare(d->db, "INSERT INTO topics VALUES(?,?,?,?)", &st);
    for (size_t i = 0; status == ST_OK && i < w->ntopics; i++) {
        db_bind_str(st, 1, str_of(w->name));
        (void)sqlite3_bind_int64(st, 2, (int64_t)i);
        db_bind_str(st, 3, str_of(w->topics[i]));
        db_bind_str(st, 4, str_of(w->words[i]));
        status = db_run(d->db, st);
    }
    (void)sqlite3_finalize(st);
    (void)sqlite3_finalize(drop);
    return status;
}

enum status results_db_world(struct results_db *d, const struct plan_world *spec,
                             const struct result_world *w)
{
    struct buf text = BUF_INIT(10000);
    enum status st;

    show_spec(spec, &text);
    st = check_counts(d, w);
    if (st == ST_OK)
        st = db_exec(d->db, "BEGIN IMMEDIATE");
    if (st == ST_OK) {
        st = put_world(d, w, buf_str(&text));
        st = end_writing(d, st == ST_OK ? put_topics(d, w) : st);
    }
    buf_free(&text);
    return named(d, st);
}

static char *world_key(const char *what, const char *world)
{
    struct buf key = BUF_INIT(1000);

    buf_addf(&key, "%s of %s", what, world);
    return buf_take(&key, NULL);
}

/* "pages and labels": which parts of two digests differ. */
static void digest_differences(struct str one, struct str two, struct buf *out)
{
    struct str a, b;
    size_t shown = 0, differ = 0;

    for (struct str x = one, y = two; str_cut(&x, ',', &a) && str_cut(&y, ',', &b);)
        differ += !str_eq(a, b);
    for (struct str x = one, y = two; str_cut(&x, ',', &a) && str_cut(&y, ',', &b);) {
        struct str name = str_trim(b);

        if (str_eq(a, b))
            continue;
        buf_add_z(out, shown == 0 ? "" : shown + 1 == differ ? " and " : ", ");
        buf_add_str(out, str_sub(name, 0, str_find_char(name, ' ', 0)));
        shown++;
    }
}

static enum status other_world(const struct results_db *d, const char *world, const char *there,
                               struct str now)
{
    struct buf parts = BUF_INIT(200);
    enum status st;

    digest_differences(str_of(there), now, &parts);
    st = status_fail(ST_USAGE,
                     "the world '%s' is not what it was when %s was begun (other %s): give another "
                     "directory with --out, or remove it",
                     world, d->dir, parts.data);
    buf_free(&parts);
    return st;
}

enum status results_db_digest(struct results_db *d, const char *world,
                              const struct world_digest *now)
{
    char *key = world_key("digest", world), *there = meta_get(d, key);
    struct str text = buf_str(&now->text);
    enum status st = ST_OK;

    if (d->older && now->moves)
        st = refuse_older(d, "worlds that move");
    else if (there == NULL)
        st = meta_set(d, key, text);
    else if (!str_eq(str_of(there), text))
        st = other_world(d, world, there, text);
    free(key);
    free(there);
    return named(d, st);
}

bool results_db_is_asked(struct results_db *d, const char *world, struct str asked)
{
    char *key = world_key("topics", world), *there = meta_get(d, key);
    bool same = there && str_eq(str_of(there), asked);

    free(key);
    free(there);
    return same;
}

enum status results_db_ask(struct results_db *d, const char *world, struct str asked)
{
    char *key = world_key("topics", world);
    enum status st = meta_set(d, key, asked);

    free(key);
    return named(d, st);
}

/* ---- runs ---------------------------------------------------------------- */

static void bind_name(sqlite3_stmt *st, const struct run_name *n)
{
    db_bind_str(st, 1, str_of(n->world));
    db_bind_str(st, 2, str_of(n->topic));
    db_bind_str(st, 3, str_of(n->model));
    (void)sqlite3_bind_int64(st, 4, n->repeat);
}

bool results_db_has(struct results_db *d, const struct run_name *n)
{
    enum status status;
    bool has;

    bind_name(d->stmt[STMT_HAS], n);
    has = db_row(d->db, d->stmt[STMT_HAS], &status);
    (void)sqlite3_reset(d->stmt[STMT_HAS]);
    return has;
}

/* Doubles as little-endian bytes, the same on every machine. */
static void put_doubles(struct buf *out, const double *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        buf_put_f64(out, v[i]);
}

static enum status put_run(struct results_db *d, const struct run_name *n,
                           const struct result_run *r)
{
    struct buf x = BUF_INIT(ANY_SIZE), values = BUF_INIT(ANY_SIZE);
    sqlite3_stmt *st = d->stmt[STMT_RUN];
    enum status status;

    put_doubles(&x, r->x, r->npoints);
    put_doubles(&values, r->values, r->npoints * METRIC_COUNT);
    bind_name(st, n);
    (void)sqlite3_bind_int64(st, 5, r->targets);
    (void)sqlite3_bind_int64(st, 6, r->reachable);
    (void)sqlite3_bind_int64(st, 7, (int64_t)r->pages);
    bind_real(st, 8, r->seconds);
    db_bind_str(st, 9, str_of(r->end));
    (void)sqlite3_bind_int64(st, 10, (int64_t)r->npoints);
    (void)sqlite3_bind_blob64(st, 11, buf_str(&x).ptr, x.len, SQLITE_STATIC);
    (void)sqlite3_bind_blob64(st, 12, buf_str(&values).ptr, values.len, SQLITE_STATIC);
    status = db_run(d->db, st);
    buf_free(&x);
    buf_free(&values);
    return status;
}

static enum status put_timing(struct results_db *d, const struct run_name *n,
                              const struct run_timing *t)
{
    sqlite3_stmt *st = d->stmt[STMT_TIMING];

    bind_name(st, n);
    (void)sqlite3_bind_int64(st, 5, t->wall);
    (void)sqlite3_bind_int64(st, 6, t->cpu);
    return db_run(d->db, st);
}

/* Which programs made the runs: a later program may go on with a directory. */
static enum status note_commit(struct results_db *d)
{
    char *there = meta_get(d, "commits");
    struct buf all = BUF_INIT(1 << 16);
    struct str rest = str_of(there ? there : ""), one;
    enum status st;

    while (!d->noted && str_cut(&rest, ' ', &one))
        d->noted = str_eq(one, str_of(lab_commit));
    buf_addf(&all, "%s%s%s", there ? there : "", there ? " " : "", lab_commit);
    st = d->noted || all.full ? ST_OK : meta_set(d, "commits", buf_str(&all));
    d->noted = d->noted || st == ST_OK;
    buf_free(&all);
    free(there);
    return st;
}

enum status results_db_run(struct results_db *d, const struct run_name *n,
                           const struct result_run *r, const struct run_timing *t)
{
    enum status st = db_exec(d->db, "BEGIN IMMEDIATE");

    if (st != ST_OK)
        return named(d, st);
    st = d->noted ? ST_OK : note_commit(d);
    if (st == ST_OK)
        st = put_run(d, n, r);
    return named(d, end_writing(d, st == ST_OK ? put_timing(d, n, t) : st));
}

/* ---- timing -------------------------------------------------------------- */

static void timing_row(struct json *j, sqlite3_stmt *st)
{
    double cpu = (double)sqlite3_column_int64(st, 6) / 1e6;
    double pages = (double)sqlite3_column_int64(st, 4);

    json_open_object(j, NULL);
    json_put_str(j, "world", db_str(st, 0));
    json_put_str(j, "topic", db_str(st, 1));
    json_put_str(j, "model", db_str(st, 2));
    json_put_int(j, "repeat", sqlite3_column_int64(st, 3));
    json_put_num(j, "pages", pages);
    json_put_num(j, "wall_seconds", (double)sqlite3_column_int64(st, 5) / 1e6);
    json_put_num(j, "cpu_seconds", cpu);
    if (cpu > 0)
        json_put_num(j, "visits_per_second", (double)(int64_t)(pages / cpu));
    json_close(j);
    buf_add_char(j->out, '\n');
}

enum status results_db_timing(struct results_db *d, const char *path)
{
    sqlite3_stmt *st = NULL;
    enum status status = db_prepare(d->db,
                                    "SELECT world, topic, model, repeat, pages, wall, cpu"
                                    " FROM timing JOIN runs USING(world, topic, model, repeat)"
                                    " ORDER BY world, topic, model, repeat",
                                    &st);
    struct buf out = BUF_INIT(ANY_SIZE);
    struct json j;

    json_init(&j, &out);
    json_open_array(&j, NULL);
    while (status == ST_OK && db_row(d->db, st, &status))
        timing_row(&j, st);
    json_close(&j);
    buf_add_char(&out, '\n');
    (void)sqlite3_finalize(st);
    status = status == ST_OK ? file_write(path, buf_str(&out)) : named(d, status);
    buf_free(&out);
    return status;
}
