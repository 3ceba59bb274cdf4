/* results_db.c - the writing side of DIR/results.db. SPDX-License-Identifier: MIT */
#include "lab/run/results_db_int.h"

#include "base/os/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "lab/run/metric.h"
#include "store/db_guard.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

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

static const char *const statements[] = {
    [STMT_HAS] = "SELECT 1 FROM runs WHERE world = ? AND topic = ? AND model = ? AND repeat = ?",
    [STMT_RUN] = "INSERT OR REPLACE INTO runs VALUES(?,?,?,?,?,?,?,?,?,?,?,?)",
    [STMT_TIMING] = "INSERT OR REPLACE INTO timing VALUES(?,?,?,?,?,?)",
};

/* ---- open and close ------------------------------------------------------ */

static enum status make_dirs(const char *dir)
{
    LOCAL_HEAP char *path = str_dup(str_of(dir));
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
    return st;
}

static int is_visible(const struct dirent *e)
{
    return e->d_name[0] != '.' || (e->d_name[1] != '\0' && strcmp(e->d_name, "..") != 0);
}

/* Refuses a directory that holds other files. */
static enum status check_dir(const char *dir)
{
    LOCAL_BUF path = BUF_INIT(8192);
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
        st = results_agree(d, p);
    if (st == ST_OK)
        st = db_exec(d->db, "COMMIT");
    for (size_t i = 0; st == ST_OK && i < STMT_COUNT_HERE; i++)
        st = db_prepare(d->db, statements[i], &d->stmt[i]);
    return results_named(d, st);
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
        (void)sqlite3_exec(d->db, "ROLLBACK", NULL, NULL, NULL); /* if opening failed */
        (void)sqlite3_exec(d->db, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
        (void)sqlite3_close(d->db);
    }
    if (d->lock >= 0)
        (void)close(d->lock);
    free(d->dir);
    free(d);
}

/* Commits a transaction, or rolls it back. */
static enum status end_writing(struct results_db *d, enum status st)
{
    if (st == ST_OK)
        st = db_exec(d->db, "COMMIT");
    if (st != ST_OK)
        (void)sqlite3_exec(d->db, "ROLLBACK", NULL, NULL, NULL);
    return st;
}

/* ---- worlds -------------------------------------------------------------- */

/* The world's directory may have been filled with something else since. */
static enum status check_counts(struct results_db *d, const struct result_world *w)
{
    LOCAL_STMT *st = NULL;
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
    LOCAL_STMT *st = NULL;
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
    return db_run(d->db, st);
}

static enum status put_topics(struct results_db *d, const struct result_world *w)
{
    LOCAL_STMT *st = NULL, *drop = NULL;

    TRY(db_prepare(d->db, "DELETE FROM topics WHERE world = ?", &drop));
    db_bind_str(drop, 1, str_of(w->name));
    TRY(db_run(d->db, drop));
    TRY(db_prepare(d->db, "INSERT INTO topics VALUES(?,?,?,?)", &st));
    for (size_t i = 0; i < w->ntopics; i++) {
        db_bind_str(st, 1, str_of(w->name));
        (void)sqlite3_bind_int64(st, 2, (int64_t)i);
        db_bind_str(st, 3, str_of(w->topics[i]));
        db_bind_str(st, 4, str_of(w->words[i]));
        TRY(db_run(d->db, st));
    }
    return ST_OK;
}

enum status results_db_world(struct results_db *d, const struct plan_world *spec,
                             const struct result_world *w)
{
    LOCAL_BUF text = BUF_INIT(10000);
    enum status st;

    results_spec(spec, &text);
    st = check_counts(d, w);
    if (st == ST_OK)
        st = db_exec(d->db, "BEGIN IMMEDIATE");
    if (st == ST_OK) {
        st = put_world(d, w, buf_str(&text));
        st = end_writing(d, st == ST_OK ? put_topics(d, w) : st);
    }
    return results_named(d, st);
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
    LOCAL_BUF x = BUF_INIT(ANY_SIZE), values = BUF_INIT(ANY_SIZE);
    sqlite3_stmt *st = d->stmt[STMT_RUN];

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
    return db_run(d->db, st);
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

/* Stores the commits of the programs that made the runs, because a later program may continue
 * them. */
static enum status note_commit(struct results_db *d)
{
    char *there = results_meta_get(d, "commits");
    LOCAL_BUF all = BUF_INIT(1 << 16);
    struct str rest = str_of(there ? there : ""), one;
    enum status st;

    while (!d->noted && str_cut(&rest, ' ', &one))
        d->noted = str_eq(one, str_of(lab_commit));
    buf_addf(&all, "%s%s%s", there ? there : "", there ? " " : "", lab_commit);
    st = d->noted || all.full ? ST_OK : results_meta_set(d, "commits", buf_str(&all));
    d->noted = d->noted || st == ST_OK;
    free(there);
    return st;
}

enum status results_db_run(struct results_db *d, const struct run_name *n,
                           const struct result_run *r, const struct run_timing *t)
{
    enum status st = db_exec(d->db, "BEGIN IMMEDIATE");

    if (st != ST_OK)
        return results_named(d, st);
    st = d->noted ? ST_OK : note_commit(d);
    if (st == ST_OK)
        st = put_run(d, n, r);
    return results_named(d, end_writing(d, st == ST_OK ? put_timing(d, n, t) : st));
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
    LOCAL_STMT *st = NULL;
    enum status status = db_prepare(d->db,
                                    "SELECT world, topic, model, repeat, pages, wall, cpu"
                                    " FROM timing JOIN runs USING(world, topic, model, repeat)"
                                    " ORDER BY world, topic, model, repeat",
                                    &st);
    LOCAL_BUF out = BUF_INIT(ANY_SIZE);
    struct json j;

    json_init(&j, &out);
    json_open_array(&j, NULL);
    while (status == ST_OK && db_row(d->db, st, &status))
        timing_row(&j, st);
    json_close(&j);
    buf_add_char(&out, '\n');
    return status == ST_OK ? file_write(path, buf_str(&out)) : results_named(d, status);
}
