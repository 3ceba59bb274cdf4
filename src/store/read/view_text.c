/* view_text.c - the full text of a crawl whose own index is not complete. See view.h.
 *
 * Two connections: one reads the crawl, never longer than a slice, so that it keeps no
 * log from being emptied; the other is the index. Every slice is a transaction there and
 * leaves a segment; FTS5 merges segments in proportion to the new text, so a slice of 10 ms takes
 * 13 ms on average and 30 ms at worst (100,000 pages: 2.8 s in all). Merging eight at a time
 * instead of four takes a quarter less, and costs a search next to nothing.
 * SPDX-License-Identifier: MIT */
#include "store/read/view.h"

#include "base/os/clock.h"
#include "base/limits.h"
#include "base/mem.h"
#include "store/db.h"
#include "store/full_text.h"
#include "store/tokens.h"

#include <pthread.h>
#include <stdlib.h>

#define LOOK_EVERY 1024 /* rows of an answer between two looks at the clock */

struct word_index {
    pthread_mutex_t lock; /* of all below but `refs` */
    int refs;             /* atomic */
    sqlite3 *crawl, *db;
    sqlite3_stmt *next, *add;
    int64_t base, last; /* pages in between are in it */
    bool full;          /* it has reached its largest size */
    bool broken;        /* it cannot be used */
};

static const char *const set_up[] = {
    "PRAGMA journal_mode = OFF", /* after any failure it is discarded */
    "PRAGMA synchronous = OFF",
    "PRAGMA locking_mode = EXCLUSIVE",
    "PRAGMA cache_size = -8192",
    "CREATE VIRTUAL TABLE words USING fts5(" FULL_TEXT_COLUMNS ", columnsize=0)",
    "INSERT INTO words(words, rank) VALUES('hashsize', 16777216)",
    "INSERT INTO words(words, rank) VALUES('automerge', 8)",
};

static enum status open_index(struct word_index *t)
{
    if (sqlite3_open_v2("", &t->db,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
                        NULL) != SQLITE_OK)
        return status_fail(ST_IO, "no temporary database");
    TRY(tokens_join(t->db));
    for (size_t i = 0; i < ARRAY_LEN(set_up); i++)
        TRY(db_exec(t->db, set_up[i]));
    return db_prepare(t->db, "INSERT INTO words(rowid, title, main, rest) VALUES(?, ?, ?, ?)",
                      &t->add);
}

enum status word_index_open(const char *dir, int64_t base, struct word_index **ret)
{
    struct word_index *t = MEM_NEW(struct word_index);
    enum status st;

    t->refs = 1;
    t->base = t->last = base;
    (void)pthread_mutex_init(&t->lock, NULL);
    st = db_open_reader(dir, &t->crawl);
    if (st == ST_OK)
        st = full_text_functions(t->crawl);
    if (st == ST_OK)
        st = db_prepare(t->crawl, FULL_TEXT_SOURCE "WHERE b.id > ? ORDER BY b.id", &t->next);
    if (st == ST_OK)
        st = open_index(t);
    if (st == ST_OK)
        *ret = t;
    else
        word_index_release(t);
    return st;
}

struct word_index *word_index_hold(struct word_index *t)
{
    (void)__atomic_add_fetch(&t->refs, 1, __ATOMIC_RELAXED);
    return t;
}

void word_index_release(struct word_index *t)
{
    if (t == NULL || __atomic_sub_fetch(&t->refs, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    (void)sqlite3_finalize(t->next);
    (void)sqlite3_finalize(t->add);
    (void)sqlite3_close(t->crawl);
    (void)sqlite3_close(t->db);
    (void)pthread_mutex_destroy(&t->lock);
    free(t);
}

int64_t word_index_base(const struct word_index *t)
{
    return t->base;
}

/* ---- feeding ------------------------------------------------------------- */

static enum status add_row(struct word_index *t)
{
    (void)sqlite3_bind_int64(t->add, 1, sqlite3_column_int64(t->next, 0));
    for (int i = 1; i <= 3; i++)
        db_bind_str(t->add, 1 + i, db_str(t->next, i));
    return db_run(t->db, t->add);
}

/* Adds rows until the time is over, at least one. After the last text it also passes the pages
 * without one. */
static enum status add_rows(struct word_index *t, int64_t until, bool *ret_more)
{
    enum status st = ST_OK;
    int64_t newest = 0;

    (void)sqlite3_bind_int64(t->next, 1, t->last);
    do {
        *ret_more = db_row(t->crawl, t->next, &st);
        if (*ret_more)
            st = add_row(t);
        if (*ret_more && st == ST_OK)
            t->last = sqlite3_column_int64(t->next, 0);
    } while (st == ST_OK && *ret_more && clock_now() < until);
    (void)sqlite3_reset(t->next);
    if (st == ST_OK && !*ret_more)
        st = db_int(t->crawl, "SELECT max(id) FROM page_row", &newest);
    if (newest > t->last)
        t->last = newest;
    return st;
}

static enum status feed_slice(struct word_index *t, int64_t until, bool *ret_more)
{
    enum status st = db_exec(t->crawl, "BEGIN"), end;

    if (st == ST_OK)
        st = db_exec(t->db, "BEGIN");
    if (st == ST_OK)
        st = add_rows(t, until, ret_more);
    if (st == ST_OK)
        st = db_exec(t->db, "COMMIT");
    end = db_exec(t->crawl, "COMMIT");
    return st == ST_OK ? end : st;
}

enum status word_index_feed(struct word_index *t, int64_t us, bool *ret_more)
{
    int64_t until = clock_now() + us, pages = 0;
    enum status st = ST_OK;

    *ret_more = false;
    (void)pthread_mutex_lock(&t->lock);
    if (!t->full && !t->broken) {
        st = feed_slice(t, until, ret_more);
        if (st == ST_OK)
            st = db_int(t->db, "PRAGMA page_count", &pages);
        t->full = pages > (int64_t)(LIMIT_VIEW_TEXT / 4096);
        t->broken = st != ST_OK;
    }
    (void)pthread_mutex_unlock(&t->lock);
    return st;
}

/* ---- asking -------------------------------------------------------------- */

static enum status match(struct word_index *t, struct str expression, int64_t after,
                         int64_t deadline, word_index_fn *fn, void *ctx)
{
    LOCAL_STMT *st = NULL;
    enum status status = db_prepare(
        t->db, "SELECT rowid FROM words WHERE words MATCH ? AND rowid > ? ORDER BY rowid", &st);

    if (status == ST_OK) {
        db_bind_str(st, 1, expression);
        (void)sqlite3_bind_int64(st, 2, after);
    }
    for (uint32_t i = 0; status == ST_OK && db_row(t->db, st, &status); i++) {
        fn(ctx, sqlite3_column_int64(st, 0));
        if (deadline && i % LOOK_EVERY == 0 && clock_cpu_thread() > deadline)
            status = ST_STOPPED;
    }
    return status;
}

enum status word_index_match(struct word_index *t, struct str expression, int64_t after,
                             int64_t deadline, word_index_fn *fn, void *ctx, int64_t *ret_last)
{
    enum status st = ST_OK;

    (void)pthread_mutex_lock(&t->lock);
    *ret_last = t->broken ? t->base : t->last;
    if (!t->broken)
        st = match(t, expression, after, deadline, fn, ctx);
    (void)pthread_mutex_unlock(&t->lock);
    return st;
}
