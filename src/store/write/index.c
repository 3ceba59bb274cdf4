/* index.c - writes the full-text index. See index.h.
 *
 * Words are gathered and written as segments (segment.h); FTS5 merges them.
 *
 * Texts are first read and then indexed, so that the reading transaction is short: a long one would
 * prevent the log of crawl.db from being emptied. index.db is not synced at every commit
 * (synchronous = NORMAL): a power cut may lose the last batches, together with the note that they
 * are indexed. It is never ahead of crawl.db, whose commits are synced before they become visible.
 *
 * Why these settings: docs/adr/0020. SPDX-License-Identifier: MIT */
#include "store/write/index.h"

#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/os/dir.h"
#include "store/db.h"
#include "store/db_guard.h"
#include "store/full_text.h"
#include "store/schema.h"
#include "store/tokens.h"
#include "store/write/segment.h"

#include <stdlib.h>
#include <unistd.h>

#define BATCH_PAGES 8000
#define BATCH_BYTES MIB(8) /* of text */
#define COLUMNS     SEGMENT_COLUMNS

struct index_text {
    int64_t page;
    size_t at, len[COLUMNS]; /* place in the batch, and lengths of title, main text and rest */
};

struct index {
    char *dir;
    sqlite3 *crawl;
    sqlite3 *db;    /* for the work of FTS5 itself: merging, removing, checking */
    sqlite3 *plain; /* the same file; writes segments */
    sqlite3_stmt *next, *note, *merge;
    struct segment *segment;
    fts5_tokenizer calls;
    Fts5Tokenizer *words;
    int64_t last;     /* last page in the index */
    int64_t crawl_id; /* FULL_TEXT_OWNER; 0: not known yet */
    struct buf batch; /* titles and texts */
    struct index_text *texts;
    size_t ntexts, cap;
};

/* ---- opening -------------------------------------------------------------- */

static const char settings[] =
    "PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
    "PRAGMA wal_autocheckpoint = 2000; PRAGMA cache_size = -8192; PRAGMA temp_store = MEMORY;"
    "PRAGMA cell_size_check = ON";

/* Makes the tables, and replaces those of an earlier version. */
static enum status make_tables(sqlite3 *db)
{
    enum status st = db_exec(db, "BEGIN IMMEDIATE; DROP TABLE IF EXISTS page_text;"
                                 "DROP TABLE IF EXISTS indexed_row");

    if (st == ST_OK)
        st = full_text_create(db);
    if (st == ST_OK)
        st = db_exec(db, "INSERT INTO page_text(page_text, rank) VALUES('automerge', 8);"
                         "INSERT INTO page_text(page_text, rank) VALUES('usermerge', 8); COMMIT");
    return st;
}

/* A reader may have made index.db-wal, whose name SQLite then never syncs. A power cut must not
 * take it away from pages that were copied out of it. */
static enum status keep_names(const char *dir)
{
    int fd = -1;
    enum status st = dir_open(dir, &fd);

    if (st == ST_OK)
        st = dir_sync(fd);
    if (fd >= 0)
        (void)close(fd);
    return st;
}

static enum status open_index(struct index *x, const char *dir)
{
    bool whole = false;
    enum status st =
        db_open_file(dir, "index.db", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, &x->db);

    if (st == ST_OK)
        st = schema_check_index(x->db, "main", dir);
    if (st == ST_OK)
        st = tokens_join(x->db);
    if (st == ST_OK)
        st = db_exec(x->db, settings);
    if (st == ST_OK)
        st = full_text_has_main(x->db, &whole);
    if (st == ST_OK && !whole)
        st = make_tables(x->db);
    if (st == ST_OK)
        st = db_int(x->db, "SELECT page FROM indexed_row WHERE id = 1", &x->last);
    if (x->db)
        db_guard_widen(x->db);
    return st == ST_OK ? keep_names(dir) : st;
}

static enum status remove_files(const char *dir)
{
    static const char *const names[] = {"index.db-journal", "index.db-wal", "index.db-shm",
                                        "index.db"};
    int fd = -1;
    enum status st = dir_open(dir, &fd);

    for (size_t i = 0; i < ARRAY_LEN(names) && st == ST_OK; i++) {
        st = dir_remove(fd, str_of(names[i]));
        st = st == ST_MISSING ? ST_OK : st;
    }
    if (fd >= 0)
        (void)close(fd);
    return st;
}

static enum status forget_all(struct index *x)
{
    enum status st = db_exec(
        x->db, "BEGIN IMMEDIATE;"
               "INSERT INTO page_text(page_text) VALUES('delete-all');"
               "DELETE FROM indexed_row; INSERT INTO indexed_row VALUES" FULL_TEXT_ROWS "; COMMIT");

    if (st != ST_OK && !sqlite3_get_autocommit(x->db))
        (void)sqlite3_exec(x->db, "ROLLBACK", NULL, NULL, NULL);
    if (st == ST_OK)
        x->last = 0;
    return st;
}

/* FTS5 does not notice changes that its own connection makes to its tables, so segments are written
 * through a second one. */
static enum status open_plain(struct index *x)
{
    enum status st = db_open_file(x->dir, "index.db", SQLITE_OPEN_READWRITE, &x->plain);

    if (st == ST_OK)
        st = db_exec(x->plain, settings);
    if (x->plain) {
        /* Without this, writing to the tables of FTS5 is forbidden. */
        (void)sqlite3_db_config(x->plain, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
        db_guard_widen(x->plain);
    }
    return st == ST_OK ? segment_new(x->plain, &x->segment) : st;
}

static enum status prepare(struct index *x)
{
    enum status st = open_plain(x);

    if (st == ST_OK)
        st = tokens_find(x->db, &x->calls, &x->words);
    if (st == ST_OK)
        st = db_prepare(x->db, "INSERT INTO page_text(page_text, rank) VALUES('merge', ?)",
                        &x->merge);
    if (st == ST_OK)
        st = db_prepare(x->plain, "INSERT OR REPLACE INTO indexed_row VALUES(1, ?), (3, ?)",
                        &x->note);
    return st;
}

static void close_files(struct index *x)
{
    if (x->words)
        x->calls.xDelete(x->words);
    (void)sqlite3_finalize(x->merge);
    (void)sqlite3_finalize(x->note);
    segment_free(x->segment);
    (void)sqlite3_close(x->plain);
    (void)sqlite3_close(x->db);
    x->merge = x->note = NULL;
    x->words = NULL;
    x->segment = NULL;
    x->plain = x->db = NULL;
}

static bool is_broken(const struct index *x, enum status st)
{
    return db_is_broken(x->db, st) || db_is_broken(x->plain, st);
}

/* A broken index is removed and made again, because crawl.db has all its data. */
static enum status make_anew(struct index *x)
{
    enum status st;

    close_files(x);
    st = remove_files(x->dir);
    if (st == ST_OK)
        st = open_index(x, x->dir);
    return st == ST_OK ? prepare(x) : st;
}

static enum status open_checked(struct index *x, int64_t newest)
{
    int64_t notes = 0;
    bool ours = true;
    enum status st = open_index(x, x->dir);

    if (st == ST_OK)
        st = prepare(x);
    if (st == ST_OK)
        st = db_int(x->db,
                    "SELECT total(id) FROM indexed_row WHERE id <= 2 OR (id = 4 AND"
                    " page = " FULL_TEXT_WORDS ")",
                    &notes);
    if (st == ST_OK)
        st = full_text_is_of(x->db, "main", x->crawl_id, &ours);
    /* it is of another crawl.db or of an earlier version, or a process died while it removed
     * pages */
    if (st == ST_OK && (x->last > newest || x->last < 0 || notes != 1 + 4 || !ours))
        st = forget_all(x);
    return is_broken(x, st) ? make_anew(x) : st;
}

enum status index_open(const char *dir, struct index **ret)
{
    struct index *x = MEM_NEW(struct index);
    int64_t newest = 0;
    enum status st = db_open_reader(dir, &x->crawl);

    x->dir = str_dup(str_of(dir));
    x->batch = BUF_INIT(2 * LIMIT_DB_VALUE);
    if (st == ST_OK)
        st = full_text_functions(x->crawl);
    if (st == ST_OK)
        st = db_prepare(x->crawl, FULL_TEXT_SOURCE "WHERE b.id > ? ORDER BY b.id", &x->next);
    if (st == ST_OK)
        st = db_int(x->crawl, "SELECT max(id) FROM page_row", &newest);
    if (st == ST_OK)
        st = db_int(x->crawl, FULL_TEXT_OWNER, &x->crawl_id);
    if (st == ST_OK)
        st = open_checked(x, newest);
    if (st == ST_OK)
        *ret = x;
    else
        index_close(x);
    return st;
}

void index_close(struct index *x)
{
    if (x == NULL)
        return;
    (void)sqlite3_finalize(x->next);
    (void)sqlite3_close(x->crawl);
    close_files(x);
    buf_free(&x->batch);
    free(x->texts);
    free(x->dir);
    free(x);
}

/* ---- indexing ------------------------------------------------------------- */

/* Reads texts after the last page in the index. */
static enum status read_batch(struct index *x)
{
    enum status st = ST_OK;

    buf_clear(&x->batch);
    x->ntexts = 0;
    (void)sqlite3_bind_int64(x->next, 1, x->last);
    while (x->ntexts < BATCH_PAGES && x->batch.len < BATCH_BYTES &&
           db_row(x->crawl, x->next, &st)) {
        struct index_text *t;

        MEM_GROW(x->texts, x->ntexts, &x->cap);
        t = &x->texts[x->ntexts++];
        *t = (struct index_text){.page = sqlite3_column_int64(x->next, 0), .at = x->batch.len};
        for (int i = 0; i < COLUMNS; i++) {
            struct str part = db_str(x->next, 1 + i);

            t->len[i] = part.len;
            buf_add_str(&x->batch, part);
        }
    }
    (void)sqlite3_reset(x->next);
    return st == ST_OK ? buf_check(&x->batch) : st;
}

static void add_text(struct index *x, const struct index_text *t)
{
    struct str words[TOKENS_MOST];
    size_t at = t->at, n;

    segment_page(x->segment, t->page);
    for (unsigned column = 0; column < COLUMNS; at += t->len[column++]) {
        struct str rest = str_sub(buf_str(&x->batch), at, at + t->len[column]);

        while ((n = tokens_cut(x->words, &rest, words)) > 0)
            segment_words(x->segment, column, words, n);
    }
}

static bool is_set(const bool *stop)
{
    return stop && __atomic_load_n(stop, __ATOMIC_RELAXED);
}

/* Writes the batch, and the note of its last page, as one transaction. */
static enum status write_batch(struct index *x, int64_t last, int64_t *ret_merge)
{
    enum status st = db_exec(x->plain, "BEGIN IMMEDIATE");

    if (st == ST_OK)
        st = segment_write(x->segment, ret_merge);
    if (st == ST_OK && x->crawl_id == 0)
        st = db_int(x->crawl, FULL_TEXT_OWNER, &x->crawl_id);
    if (st == ST_OK) {
        (void)sqlite3_bind_int64(x->note, 1, last);
        (void)sqlite3_bind_int64(x->note, 2, x->crawl_id);
        st = db_run(x->plain, x->note);
    }
    if (st == ST_OK)
        st = db_exec(x->plain, "COMMIT");
    if (!sqlite3_get_autocommit(x->plain))
        (void)sqlite3_exec(x->plain, "ROLLBACK", NULL, NULL, NULL);
    return st;
}

static enum status add_batch(struct index *x, const bool *stop, size_t *ret_pages)
{
    int64_t last = x->last, merge = 0;
    size_t n = 0;
    enum status st;

    segment_clear(x->segment);
    for (; n < x->ntexts && !is_set(stop); n++) {
        add_text(x, &x->texts[n]);
        last = x->texts[n].page;
    }
    st = write_batch(x, last, &merge);
    if (st != ST_OK)
        return st;
    x->last = last;
    *ret_pages = n;
    (void)sqlite3_bind_int64(x->merge, 1, merge);
    return merge > 0 ? db_run(x->db, x->merge) : ST_OK;
}

enum status index_step(struct index *x, const bool *stop, uint64_t *ret_pages)
{
    size_t pages = 0;
    enum status st = read_batch(x);

    if (st == ST_OK && x->ntexts > 0)
        st = add_batch(x, stop, &pages);
    *ret_pages = pages;
    return st;
}

static enum status count_left(struct index *x, int64_t *ret)
{
    char sql[96];

    (void)sqlite3_snprintf((int)sizeof sql, sql, "SELECT count(*) FROM body WHERE id > %lld",
                           x->last);
    return db_int(x->crawl, sql, ret);
}

static enum status build(struct index *x, const bool *stop, store_progress_fn *progress, void *ctx)
{
    int64_t left = 0, total = 0;
    uint64_t pages = 1, done;
    enum status st = count_left(x, &left);

    if (st == ST_OK && left > 0)
        st = db_int(x->crawl, "SELECT count(*) FROM body", &total);
    done = (uint64_t)(total - left);
    while (st == ST_OK && left > 0 && pages > 0) {
        st = index_step(x, stop, &pages);
        done += pages;
        if (is_set(stop))
            return status_fail(ST_STOPPED, "the full-text index is not complete yet");
        if (st == ST_OK && progress && pages > 0)
            progress(ctx, done, (uint64_t)total);
    }
    return st;
}

enum status index_build(struct index *x, const bool *stop, store_progress_fn *progress, void *ctx)
{
    enum status st = build(x, stop, progress, ctx);

    if (is_broken(x, st) && make_anew(x) == ST_OK)
        st = build(x, stop, progress, ctx);
    return st;
}

/* If the tables can be emptied, the file is kept, because readers may have it open. */
enum status index_rebuild(struct index *x, store_progress_fn *progress, void *ctx)
{
    enum status st = forget_all(x);

    if (is_broken(x, st))
        st = make_anew(x);
    return st == ST_OK ? index_build(x, NULL, progress, ctx) : st;
}

/* ---- removing ------------------------------------------------------------- */

/* FTS5 removes the words that it is given: removing a page that is not in the index would damage
 * the counts of its words. */
static enum status is_in(struct index *x, uint32_t page, int64_t *ret)
{
    char sql[80];

    (void)sqlite3_snprintf((int)sizeof sql, sql,
                           "SELECT count(*) FROM page_text_docsize WHERE id = %u", page);
    return db_int(x->db, sql, ret);
}

static enum status remove_page(struct index *x, uint32_t page)
{
    sqlite3_stmt *out = NULL;
    int64_t in = 0;
    enum status st = is_in(x, page, &in);

    if (st != ST_OK || in == 0)
        return st;
    st = db_prepare(x->db,
                    "INSERT INTO page_text(page_text, rowid, title, main, rest)"
                    " VALUES('delete', ?, ?, ?, ?)",
                    &out);
    (void)sqlite3_bind_int64(x->next, 1, (int64_t)page - 1);
    if (st == ST_OK && db_row(x->crawl, x->next, &st) &&
        sqlite3_column_int64(x->next, 0) == (int64_t)page) {
        (void)sqlite3_bind_int64(out, 1, page);
        for (int i = 1; i <= COLUMNS; i++)
            db_bind_str(out, 1 + i, db_str(x->next, i));
        st = db_run(x->db, out);
    }
    (void)sqlite3_reset(x->next);
    (void)sqlite3_finalize(out);
    return st;
}

enum status index_remove(struct index *x, uint32_t page)
{
    enum status st = remove_page(x, page);

    if (is_broken(x, st) && make_anew(x) == ST_OK)
        st = index_remove_begin(x);
    return st;
}

/* Sets row 2: crawl.db may still have pages that the index has no longer. */
enum status index_remove_begin(struct index *x)
{
    return db_exec(x->db, "PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; BEGIN IMMEDIATE;"
                          "INSERT OR REPLACE INTO indexed_row VALUES(2, 0)");
}

/* Terms of removed pages stay in old segments until they are merged. */
enum status index_remove_end(struct index *x)
{
    enum status st = db_exec(x->db, "COMMIT; INSERT INTO page_text(page_text) VALUES('optimize');"
                                    "PRAGMA wal_checkpoint(TRUNCATE)");

    return is_broken(x, st) ? make_anew(x) : st;
}

enum status index_removed(struct index *x)
{
    return db_exec(x->db, "DELETE FROM indexed_row WHERE id = 2");
}

/* ---- checking ------------------------------------------------------------- */

/* A checksum of words that does not depend on their order. */
struct sum {
    uint64_t words;
    int64_t page;
    int column, at;
};

static void sum_add(struct sum *s, const char *token, size_t len)
{
    uint64_t place = (uint64_t)s->page << 32 ^ (uint64_t)s->column << 30 ^ (uint64_t)s->at;

    s->words += hash_u64(hash_str((struct str){token, len}) ^ hash_u64(place));
}

static int on_token(void *ctx, int flags, const char *token, int len, int from, int to)
{
    struct sum *s = ctx;

    (void)from, (void)to;
    if (!(flags & FTS5_TOKEN_COLOCATED))
        s->at++;
    sum_add(s, token, (size_t)len);
    return SQLITE_OK;
}

/* Computes the sum of the texts. */
static enum status sum_texts(struct index *x, uint64_t *ret)
{
    struct sum s = {0};
    Fts5Tokenizer *words = NULL;
    fts5_tokenizer calls;
    sqlite3_stmt *row = NULL;
    enum status st = tokens_find(x->db, &calls, &words);

    if (st == ST_OK)
        st = db_prepare(x->crawl, FULL_TEXT_SOURCE "WHERE b.id <= ?", &row);
    if (st == ST_OK)
        (void)sqlite3_bind_int64(row, 1, x->last);
    while (st == ST_OK && db_row(x->crawl, row, &st)) {
        s.page = sqlite3_column_int64(row, 0);
        for (s.column = 0; s.column < COLUMNS; s.column++) {
            struct str text = db_str(row, 1 + s.column);

            s.at = -1;
            if (calls.xTokenize(words, &s, FTS5_TOKENIZE_DOCUMENT, text.ptr, (int)text.len,
                                on_token) != SQLITE_OK)
                st = status_fail(ST_IO, "no memory");
        }
    }
    (void)sqlite3_finalize(row);
    if (words)
        calls.xDelete(words);
    *ret = s.words;
    return st;
}

/* Computes the sum of the index. */
static enum status sum_index(struct index *x, uint64_t *ret)
{
    struct sum s = {0};
    sqlite3_stmt *row = NULL;
    enum status st = db_exec(x->db, "CREATE VIRTUAL TABLE IF NOT EXISTS temp.instance USING"
                                    " fts5vocab('main', 'page_text', 'instance')");

    if (st == ST_OK)
        st = db_prepare(x->db,
                        "SELECT term, doc, (col = 'main') + 2 * (col = 'rest'), offset"
                        " FROM temp.instance",
                        &row);
    while (st == ST_OK && db_row(x->db, row, &st)) {
        struct str term = db_str(row, 0);

        s.page = sqlite3_column_int64(row, 1);
        s.column = sqlite3_column_int(row, 2);
        s.at = sqlite3_column_int(row, 3);
        sum_add(&s, term.ptr, term.len);
    }
    (void)sqlite3_finalize(row);
    *ret = s.words;
    return st;
}

/* Checks that both have the same pages. */
static enum status same_pages(struct index *x)
{
    sqlite3_stmt *body = NULL, *in = NULL;
    enum status st = db_prepare(x->crawl, "SELECT id FROM body WHERE id <= ? ORDER BY id", &body);

    if (st == ST_OK)
        st = db_prepare(x->db, "SELECT id FROM page_text_docsize ORDER BY id", &in);
    if (st == ST_OK)
        (void)sqlite3_bind_int64(body, 1, x->last);
    while (st == ST_OK) {
        bool more = db_row(x->crawl, body, &st);

        if (st != ST_OK || db_row(x->db, in, &st) != more ||
            (more && sqlite3_column_int64(body, 0) != sqlite3_column_int64(in, 0)))
            st = st == ST_OK ? ST_CORRUPT : st;
        if (!more)
            break;
    }
    (void)sqlite3_finalize(body);
    (void)sqlite3_finalize(in);
    return st;
}

enum status index_check(struct index *x, uint64_t *ret_left)
{
    uint64_t texts = 0, index = 0;
    int64_t left = 0;
    enum status st = count_left(x, &left);

    *ret_left = (uint64_t)left;
    if (st == ST_OK)
        st = same_pages(x);
    if (st == ST_OK)
        st = db_exec(x->db, "INSERT INTO page_text(page_text) VALUES('integrity-check')");
    if (st == ST_OK)
        st = sum_texts(x, &texts);
    if (st == ST_OK)
        st = sum_index(x, &index);
    return st == ST_OK && texts != index ? ST_CORRUPT : st;
}
