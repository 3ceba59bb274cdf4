/* merge.c - one crawl made of several directories. See merge.h.
 *
 *   1. every source is opened, and its last checkpoint held
 *   2. new numbers for URLs, pages, agents and files
 *   3. rows, table by table, with the new numbers; sources are read side by side, by time
 *   4. the archive's files
 *
 * A source may come from somebody else: it is read through a guarded connection, its numbers are
 * only used if its file can hold so many rows, and references to missing rows are left out.
 * SPDX-License-Identifier: MIT */
#include "store/write/merge.h"

#include "base/mem.h"
#include "store/db_guard.h"
#include "store/links.h"
#include "store/schema.h"
#include "store/write/merge_int.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SOURCES_MOST 256
#define LOOK         1024 /* rows between two checks of progress and size */

/* ---- for all parts -------------------------------------------------------- */

uint32_t merge_number(const struct merge_numbers *n, int64_t old)
{
    return old > 0 && (uint64_t)old < n->count ? n->to[old] & ~MERGE_TWICE : 0;
}

enum status merge_numbers_init(struct merge_source *s, struct merge_numbers *n, const char *largest)
{
    int64_t most = 0;
    enum status st = db_int(s->db, largest, &most);

    if (st == ST_OK)
        st = db_guard_id(s->db, most);
    if (st != ST_OK)
        return st;
    n->count = (size_t)most + 1;
    n->to = mem_zero(n->count, sizeof *n->to);
    return ST_OK;
}

void merge_begin(struct merge *m, const char *what, uint64_t total)
{
    m->what = what;
    m->done = 0;
    m->total = total;
}

/* Counts one more row of a source; now and then reports the progress, and checks that the source
 * can have so many. ST_STOPPED or ST_CORRUPT. */
static enum status merge_step(struct merge *m, struct merge_source *s)
{
    m->done++;
    if (++s->rows % LOOK != 0)
        return ST_OK;
    if (m->progress &&
        !m->progress(m->ctx, m->what, m->done < m->total ? m->done : m->total, m->total))
        return status_fail(ST_STOPPED, "stopped while %s", m->what);
    db_guard_refill();                           /* a long copy is not a long query … */
    return db_guard_id(s->db, (int64_t)s->rows); /* … but it must end */
}

static bool has_table(struct merge_source *s, const char *table)
{
    char sql[128];
    int64_t n = 0;

    (void)sqlite3_snprintf((int)sizeof sql, sql,
                           "SELECT count(*) FROM sqlite_schema WHERE name = %Q", table);
    return db_int(s->db, sql, &n) == ST_OK && n > 0;
}

/* ---- rows of all sources, in one order ------------------------------------ */

struct rows {
    struct merge *merge;
    bool by_page; /* the first column is a page: its new number is the order */
};

static void source_end(struct merge_source *s)
{
    (void)sqlite3_finalize(s->st);
    s->st = NULL;
    s->rows = 0;
}

/* Steps to the next row that is used; at the end s->st is NULL. */
static enum status source_next(const struct rows *r, struct merge_source *s)
{
    enum status st = ST_OK;

    while (st == ST_OK && db_row(s->db, s->st, &st)) {
        int64_t first = sqlite3_column_int64(s->st, 0);

        st = merge_step(r->merge, s);
        s->order = first;
        if (r->by_page) {
            s->order = merge_number(&s->pages, first);
            if (s->order == 0 || s->pages.to[first] & MERGE_TWICE)
                continue;
        }
        return st;
    }
    source_end(s);
    return st;
}

static enum status rows_begin(const struct rows *r, const char *table, const char *select)
{
    enum status st = ST_OK;

    for (size_t i = 0; i < r->merge->nsources && st == ST_OK; i++) {
        struct merge_source *s = &r->merge->sources[i];

        s->rows = 0;
        if (!has_table(s, table))
            continue;
        st = db_prepare(s->db, select, &s->st);
        if (st == ST_OK)
            st = source_next(r, s);
    }
    return st;
}

static struct merge_source *rows_first(const struct merge *m)
{
    struct merge_source *first = NULL;

    for (size_t i = 0; i < m->nsources; i++) {
        struct merge_source *s = &m->sources[i];

        if (s->st && (first == NULL || s->order < first->order))
            first = s;
    }
    return first;
}

enum status merge_rows(struct merge *m, const char *table, const char *select, bool by_page,
                       merge_row_fn *fn, void *ctx)
{
    struct rows r = {m, by_page};
    struct merge_source *s;
    enum status st = rows_begin(&r, table, select);

    while (st == ST_OK && (s = rows_first(m)) != NULL) {
        st = fn(m, s, ctx);
        if (st == ST_OK)
            st = source_next(&r, s);
    }
    for (size_t i = 0; i < m->nsources; i++)
        source_end(&m->sources[i]);
    return st;
}

/* ---- sources --------------------------------------------------------------- */

/* Without the lock, `forget` could remove files while they are copied. A running crawl has the lock
 * itself. */
static enum status source_lock(const struct merge *m, struct merge_source *s)
{
    enum status st;

    if (m->options->archive == MERGE_NAMES)
        return ST_OK;
    st = db_lock(s->dir, &s->lock);
    return st == ST_BUSY ? ST_OK : st;
}

static enum status source_open(const struct merge *m, struct merge_source *s)
{
    enum status st = source_lock(m, s);
    int64_t pages = 0;

    if (st == ST_OK)
        st = db_open_reader(s->dir, &s->db);
    if (st == ST_OK)
        st = db_exec(s->db, "BEGIN"); /* all reads from here on see one state */
    if (st == ST_OK)
        st = db_int(s->db, "SELECT count(*) FROM page_row", &pages);
    if (st == ST_OK && !has_table(s, "links_row"))
        st = status_fail(ST_INVALID,
                         "%s was written by an older version of brood: 'brood check %s' brings it "
                         "to this one",
                         s->dir, s->dir);
    return st == ST_OK ? ST_OK : status_prefix(st, "%s", s->dir);
}

static void source_close(struct merge_source *s)
{
    source_end(s);
    (void)sqlite3_close(s->db);
    if (s->lock >= 0)
        (void)close(s->lock);
    free(s->urls.to);
    free(s->pages.to);
    free(s->agents.to);
    free(s->files.to);
    map_free(&s->names);
}

/* A directory that is given twice would count as two nodes with the same pages. */
static enum status check_dirs(const struct text_list *dirs)
{
    LOCAL_HEAP char(*real)[PATH_MAX] = NULL;

    if (dirs->count < 2 || dirs->count > SOURCES_MOST)
        return status_fail(ST_USAGE, "a merge needs 2 to %d directories, not %zu", SOURCES_MOST,
                           dirs->count);
    real = mem_zero(dirs->count, sizeof *real);
    for (size_t i = 0; i < dirs->count; i++) {
        if (realpath(dirs->items[i], real[i]) == NULL)
            return status_fail(ST_MISSING, "%s is not a crawl: there is no such directory",
                               dirs->items[i]);
        for (size_t k = 0; k < i; k++)
            if (strcmp(real[i], real[k]) == 0)
                return status_fail(ST_USAGE, "%s and %s are the same directory", dirs->items[k],
                                   dirs->items[i]);
    }
    return ST_OK;
}

/* ---- the result ------------------------------------------------------------ */

/* It is used only when it is complete and has its name, so it need not survive a crash before. */
static enum status out_open(struct merge *m)
{
    TRY(db_open(m->out, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, &m->db));
    TRY(db_exec(m->db, "PRAGMA page_size = 8192; PRAGMA journal_mode = OFF;"
                       "PRAGMA synchronous = OFF; PRAGMA cache_size = -131072;"
                       "PRAGMA temp_store = MEMORY"));
    TRY(schema_create(m->db));
    TRY(links_join(m->db));
    db_guard_widen(m->db);
    return db_exec(m->db, "BEGIN");
}

static enum status out_close(struct merge *m)
{
    TRY(db_exec(m->db, "COMMIT"));
    TRY(schema_index(m->db));
    /* From here on as any other crawl.db; the change is synced. */
    return db_exec(m->db, "PRAGMA synchronous = FULL; PRAGMA journal_mode = WAL;"
                          "PRAGMA optimize; PRAGMA wal_checkpoint(TRUNCATE)");
}

static enum status sync_file(const struct merge *m)
{
    const char *path = sqlite3_db_filename(m->db, NULL);
    int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    bool ok = fd >= 0 && fsync(fd) == 0;

    if (fd >= 0)
        (void)close(fd);
    return ok ? ST_OK : status_fail(ST_IO, "%s cannot be synced", m->out);
}

static enum status merge_all(struct merge *m)
{
    static enum status (*const parts[])(struct merge *) = {
        merge_number_files, merge_know_urls, merge_know_pages, merge_agents, merge_put_urls,
        merge_put_pages,    merge_tables,    merge_samples,    merge_files,  merge_keys,
    };

    TRY(out_open(m));
    for (size_t i = 0; i < ARRAY_LEN(parts); i++)
        TRY(parts[i](m));
    return out_close(m);
}

static void merge_clear(struct merge *m)
{
    for (size_t i = 0; i < m->nsources; i++)
        source_close(&m->sources[i]);
    for (size_t i = 0; i <= m->nagents && m->agents; i++)
        free(m->agents[i]);
    free(m->agents);
    free(m->sources);
    free(m->urls);
    map_free(&m->by_key);
    (void)sqlite3_close(m->db);
}

enum status merge_run(const struct text_list *dirs, const char *out, const struct merge_options *o,
                      merge_progress_fn *progress, void *ctx, struct merge_result *ret)
{
    struct merge m = {.options = o, .out = out, .progress = progress, .ctx = ctx};
    enum status st = check_dirs(dirs);

    if (st != ST_OK)
        return st;
    map_init(&m.by_key);
    m.sources = mem_zero(dirs->count, sizeof *m.sources);
    for (size_t i = 0; i < dirs->count; i++) {
        m.sources[i] = (struct merge_source){.dir = dirs->items[i], .lock = -1};
        map_init(&m.sources[i].names);
    }
    m.nsources = dirs->count;
    for (size_t i = 0; i < m.nsources && st == ST_OK; i++)
        st = source_open(&m, &m.sources[i]);
    if (st == ST_OK)
        st = merge_all(&m);
    if (st == ST_OK)
        st = sync_file(&m);
    merge_clear(&m);
    if (st == ST_OK)
        *ret = m.result;
    return st;
}

/* ---- verdicts ---------------------------------------------------------------- */

static enum status put_verdicts(sqlite3 *db, struct str topic, const struct page_verdict *rows,
                                size_t count)
{
    sqlite3_stmt *to = NULL;
    enum status st = db_prepare(
        db,
        topic.len > 0 ? "UPDATE page_topic SET p = ?2 WHERE page_id = ?1 AND topic = ?3"
                      : "INSERT OR REPLACE INTO judged_row(page, p) SELECT id, ?2 FROM page_row"
                        " WHERE id = ?1",
        &to);

    for (size_t i = 0; i < count && st == ST_OK; i++) {
        (void)sqlite3_bind_int64(to, 1, rows[i].page);
        (void)sqlite3_bind_double(to, 2, (double)rows[i].p);
        if (topic.len > 0)
            db_bind_str(to, 3, topic);
        st = db_run(db, to);
    }
    (void)sqlite3_finalize(to);
    return st;
}

enum status merge_judged(const char *dir, struct str topic, const struct page_verdict *rows,
                         size_t count)
{
    LOCAL_DB *db = NULL;

    TRY(db_open_writer(dir, &db));
    TRY(db_exec(db, "BEGIN"));
    TRY(put_verdicts(db, topic, rows, count));
    return db_exec(db, "COMMIT");
}
