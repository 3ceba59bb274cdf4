/* view_refresh.c - lets a view catch up with the crawl, step by step.
 *
 * A step is one transaction of a bounded number of rows: the totals first, up to the newest
 * page, then the tables, which end where the totals do, then their indexes. A request
 * does all steps at once; a thread that warms up a view does one at a time.
 * SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "store/read/query_int.h"

#include <string.h>

#define STEP_ROWS 3000  /* some 10 ms */
#define URL_ROWS  10000 /* the same: they are short */
#define ALL_ROWS  50000 /* for a request: finished steps are kept if it takes too long */

static const char *const indexes[] = {
    "CREATE INDEX temp.seen_by_rank ON seen(rank DESC, relevance DESC, id) WHERE shown",
    "CREATE INDEX temp.seen_by_host ON seen(host, rank DESC, relevance DESC, id) WHERE shown",
    "CREATE INDEX temp.seen_by_agent ON seen(agent, rank DESC, relevance DESC, id) WHERE find",
    "CREATE INDEX temp.seen_by_date ON seen(date) WHERE shown",
    "CREATE INDEX temp.seen_by_via ON seen(via, rank DESC, id)",
    "CREATE INDEX temp.kin_by_parent ON kin(parent, id)",
    "CREATE INDEX temp.trip_by_agent ON trip(agent, id)",
    "CREATE INDEX temp.trip_by_page ON trip(page, id)",
    "CREATE INDEX temp.talk_by_first ON talk(first)",
};

/* Runs a statement on the rows after number ?1 up to ?2. */
static enum status run_range(struct view *v, const char *sql, int64_t after, int64_t last)
{
    LOCAL_ROWS rows = query_rows(v->q, sql, after, last);

    if (rows.status == ST_OK)
        rows.status = db_run(v->q->db, rows.st);
    return rows.status;
}

/* Sets how far a step goes from `after` on: to *last, or to the row that `rows_sql` gives as the
 * last of a limited number. Numbers may have gaps of any size. */
static enum status cut_range(struct view *v, const char *rows_sql, int64_t after, int64_t rows,
                             int64_t *last, bool *ret_more)
{
    sqlite3_stmt *st = NULL;
    enum status status = ST_OK;

    if (*last - after <= rows)
        return ST_OK;
    status = query_prepare(v->q, rows_sql, after, rows - 1, &st);
    if (status == ST_OK && db_row(v->q->db, st, &status)) {
        *ret_more = sqlite3_column_int64(st, 0) < *last;
        *last = sqlite3_column_int64(st, 0);
    }
    query_done(v->q, st);
    return status;
}

#define ROWS_OF(table) "SELECT id FROM " table " WHERE id > ?1 ORDER BY id LIMIT 1 OFFSET ?2"

static const char *const page_rows = ROWS_OF("page_row");

/* ---- totals -------------------------------------------------------------- */

static int64_t add_times(int64_t a, int64_t b)
{
    int64_t sum;

    return __builtin_add_overflow(a, b, &sum) ? a : sum;
}

static void count_page(struct tally *t, sqlite3_stmt *st)
{
    int64_t at = sqlite3_column_int64(st, 4);

    t->pages++;
    t->hidden += sqlite3_column_int(st, 1) != 0;
    t->duplicates += sqlite3_column_type(st, 2) != SQLITE_NULL;
    t->bytes += (uint64_t)sqlite3_column_int64(st, 3);
    tally_relevance(t, sqlite3_column_double(st, 0));
    tally_time(t, at, add_times(at, sqlite3_column_int64(st, 5)));
}

/* Gives the hosts of new pages their numbers. */
static const char *const host_step =
    "INSERT OR IGNORE INTO temp.seen_host(name) SELECT DISTINCT host FROM page_row WHERE id > ?1"
    " AND id <= ?2";

static enum status count_pages(struct view *v, int64_t last)
{
    sqlite3_stmt *st = NULL;
    enum status status =
        query_prepare(v->q,
                      "SELECT relevance, hidden, dup_of, bytes, fetched_at, latency FROM page_row"
                      " WHERE id > ?1 AND id <= ?2",
                      v->counted, last, &st);

    while (status == ST_OK && db_row(v->q->db, st, &status))
        count_page(&v->tally, st);
    query_done(v->q, st);
    if (status == ST_OK)
        status = run_range(v, host_step, v->counted, last);
    v->counted = last;
    return status;
}

static enum status count_hosts(struct view *v)
{
    int64_t hosts = 0;
    enum status st = db_int(v->q->db, "SELECT count(*) FROM temp.seen_host", &hosts);

    v->tally.hosts = (uint64_t)hosts;
    return st;
}

static enum status count_outcomes(struct view *v)
{
    LOCAL_ROWS rows = query_rows(
        v->q, "SELECT min(at), max(at), max(id) FROM outcome_row WHERE id > ?", v->outcome, 0);

    if (rows_next(&rows) && sqlite3_column_int64(rows.st, 2) > 0) {
        tally_time(&v->tally, sqlite3_column_int64(rows.st, 0), sqlite3_column_int64(rows.st, 1));
        v->outcome = sqlite3_column_int64(rows.st, 2);
    }
    return rows.status;
}

static void take_tally(struct view *v)
{
    const struct tally *t = &v->tally;
    struct view_totals *to = &v->totals;

    to->pages = t->pages;
    to->relevant = t->relevant;
    to->hidden = t->hidden;
    to->duplicates = t->duplicates;
    to->bytes = t->bytes;
    to->hosts = t->hosts;
    to->shown = t->shown;
    to->relevance_sum = t->relevance_sum;
    to->threshold = t->threshold;
    to->first_at = t->first_at;
    to->last_at = t->last_at;
    memcpy(to->bins, t->bins, sizeof to->bins);
}

/* Takes the totals that the crawl counted. */
static void count_totals(struct view *v)
{
    struct view_totals *t = &v->totals;
    const struct {
        const char *key;
        uint64_t *to, other;
    } counts[] = {
        {"total.failed", &t->failed, 0},
        {"total.received", &t->received, t->bytes},
        {"total.hosts_met", &t->hosts_met, t->hosts},
    };

    for (size_t i = 0; i < ARRAY_LEN(counts); i++) {
        double n;

        *counts[i].to = query_total(v->q, counts[i].key, &n) && n >= 0 && n < 1e18
                            ? (uint64_t)n
                            : counts[i].other;
    }
    if (!query_total(v->q, "total.seconds", &t->seconds))
        t->seconds = ((double)t->last_at - (double)t->first_at) / 1e6;
}

/* ---- tables -------------------------------------------------------------- */

#define IS_NEWEST "coalesce((SELECT f.page FROM fate f WHERE f.url = p.url), 0) IN (0, p.id)"

/* The rows that pages add to the tables, in order. The last statement hides older versions of a
 * page that has a new one. */
static const char *const page_steps[] = {
    "INSERT INTO temp.seen SELECT p.id, p.url, h.id, p.fetched_at,"
    " coalesce(nullif(p.date, 0), p.fetched_at), p.relevance, p.agent, p.depth, u.from_page,"
    " NOT p.hidden AND p.dup_of IS NULL, NOT p.hidden AND p.dup_of IS NULL AND " IS_NEWEST
    ", " QUERY_SURE(
        "p.relevance") " FROM page_row p LEFT JOIN temp.seen_host h ON h.name = p.host"
                       " LEFT JOIN url_row u ON u.id = p.url WHERE p.id > ?1 AND p.id <= ?2",
    "INSERT INTO temp.host_sum SELECT host, count(*), total(relevance) FROM temp.seen WHERE"
    " id > ?1 AND id <= ?2 GROUP BY host ON CONFLICT(id) DO UPDATE SET n = n + excluded.n,"
    " relevance = relevance + excluded.relevance",
    "INSERT INTO temp.edge SELECT f.host, t.host, count(*) FROM temp.seen t JOIN temp.seen f ON"
    " f.id = t.via WHERE t.id > ?1 AND t.id <= ?2 AND f.host <> t.host GROUP BY f.host, t.host"
    " ON CONFLICT(a, b) DO UPDATE SET n = n + excluded.n",
    "UPDATE temp.seen SET shown = 0 WHERE shown AND url IN (SELECT url FROM page_row WHERE"
    " id > ?1 AND id <= ?2 AND version_of IS NOT NULL) AND"
    " id < (SELECT max(n.id) FROM temp.seen n WHERE n.url = seen.url)",
};

static enum status take_pages(struct view *v, int64_t rows, bool *ret_more)
{
    int64_t last = v->counted;
    enum status st = ST_OK;

    if (last == v->page)
        return ST_OK;
    st = cut_range(v, page_rows, v->page, rows, &last, ret_more);
    if (st == ST_OK)
        st = run_range(v, host_step, v->page, last);
    for (size_t i = 0; i < ARRAY_LEN(page_steps) && st == ST_OK; i++)
        st = run_range(v, page_steps[i], v->page, last);
    if (st == ST_OK)
        st = view_words_take(v, v->page, last);
    v->page = last;
    return st;
}

/* Other tables: the rows they add, and their last row. */
static const struct {
    const char *sql, *last_sql, *rows_sql;
    size_t last; /* of the view */
} row_steps[] = {
    {"INSERT INTO temp.kin SELECT id, coalesce(parent_id, 0) FROM agent WHERE id > ?1 AND"
     " id <= ?2",
     "SELECT max(id) FROM agent", ROWS_OF("agent"), offsetof(struct view, agent)},
    {"UPDATE temp.seen SET rank = j.p FROM judged_row j WHERE j.id > ?1 AND j.id <= ?2 AND"
     " seen.id = j.page",
     "SELECT max(id) FROM judged_row", ROWS_OF("judged_row"), offsetof(struct view, verdict)},
    {"INSERT INTO temp.trip SELECT agent_id, page_id, id FROM visit WHERE id > ?1 AND id <= ?2",
     "SELECT max(id) FROM visit", ROWS_OF("visit"), offsetof(struct view, visit)},
    {"INSERT INTO temp.talk SELECT conversation, min(id), max(id), count(*) FROM message WHERE"
     " id > ?1 AND id <= ?2 AND conversation <> '0' GROUP BY conversation"
     " ON CONFLICT(id) DO UPDATE SET last = excluded.last, n = n + excluded.n",
     "SELECT max(id) FROM message", ROWS_OF("message"), offsetof(struct view, message)},
};

static enum status take_rows(struct view *v, size_t i, int64_t rows, bool *ret_more)
{
    int64_t *after = (int64_t *)((char *)v + row_steps[i].last), last = 0;
    enum status st = db_int(v->q->db, row_steps[i].last_sql, &last);

    if (st == ST_OK && last > *after) {
        st = cut_range(v, row_steps[i].rows_sql, *after, rows, &last, ret_more);
        if (st == ST_OK)
            st = run_range(v, row_steps[i].sql, *after, last);
        *after = last;
    }
    return st;
}

/* In bulk they are faster than row by row. */
static enum status make_index(struct view *v, bool *ret_more)
{
    enum status st;

    if (v->indexes == ARRAY_LEN(indexes))
        return ST_OK;
    st = db_exec(v->q->db, indexes[v->indexes++]);
    *ret_more = v->indexes < ARRAY_LEN(indexes);
    return st;
}

static enum status take_tables(struct view *v, int64_t rows, bool *ret_more)
{
    enum status st = take_pages(v, rows, ret_more);

    for (size_t i = 0; i < ARRAY_LEN(row_steps) && st == ST_OK && !*ret_more; i++)
        st = take_rows(v, i, rows, ret_more);
    if (st == ST_OK && !*ret_more)
        st = make_index(v, ret_more);
    v->whole = st == ST_OK && !*ret_more;
    return st;
}

/* ---- a step -------------------------------------------------------------- */

/* Pages were forgotten: everything must be read again. */
static enum status start_again(struct view *v)
{
    v->totals = (struct view_totals){0};
    v->tally = (struct tally){0};
    v->page = v->counted = v->outcome = v->agent = v->visit = v->message = v->verdict = 0;
    v->whole = false;
    view_words_restart(v);
    view_waiting_clear(v);
    return db_exec(v->q->db, "DELETE FROM temp.seen; DELETE FROM temp.seen_host;"
                             "DELETE FROM temp.host_sum; DELETE FROM temp.edge;"
                             "DELETE FROM temp.kin; DELETE FROM temp.trip; DELETE FROM temp.talk");
}

static enum status count_new_pages(struct view *v, int64_t rows, bool *ret_more)
{
    int64_t last = 0;
    enum status st = db_int(v->q->db, "SELECT max(id) FROM page_row", &last);

    if (st != ST_OK || last <= v->counted)
        return st;
    v->whole = false;
    if (v->tallied) {
        v->counted = last;
        return ST_OK;
    }
    st = cut_range(v, page_rows, v->counted, rows, &last, ret_more);
    return st == ST_OK ? count_pages(v, last) : st;
}

/* If the writer no longer counts, all rows are read. */
static enum status begin_counting(struct view *v)
{
    struct tally tally = query_tally(v->q);
    int64_t forgotten = 0;
    enum status st = db_int(v->q->db, "SELECT count(*) FROM forgotten", &forgotten);

    if (st == ST_OK && v->counted && (forgotten != v->forgotten || (v->tallied && !tally.is_whole)))
        st = start_again(v);
    v->forgotten = forgotten;
    v->tallied = tally.is_whole;
    if (v->tallied)
        v->tally = tally;
    else
        v->tally.threshold = query_threshold(v->q);
    return st;
}

static enum status count_all(struct view *v, int64_t rows, bool *ret_more)
{
    enum status st = begin_counting(v);

    if (st == ST_OK)
        st = count_new_pages(v, rows, ret_more);
    if (st != ST_OK || *ret_more)
        return st;
    if (!v->tallied)
        st = count_hosts(v);
    if (st == ST_OK && !v->tallied)
        st = count_outcomes(v);
    if (st == ST_OK)
        st = query_agent_counts(v->q, &v->totals.alive, &v->totals.born, &v->totals.died);
    take_tally(v);
    if (st == ST_OK)
        count_totals(v);
    return st;
}

/* After a rollback, sets the state of the view back to that of the tables, which does not include
 * separately allocated memory. */
static void step_back(struct view *v, const struct view *before)
{
    v->totals = before->totals;
    v->tally = before->tally;
    v->tallied = before->tallied;
    v->forgotten = before->forgotten;
    v->counted = before->counted;
    v->outcome = before->outcome;
    v->page = before->page;
    v->agent = before->agent;
    v->visit = before->visit;
    v->message = before->message;
    v->verdict = before->verdict;
    v->indexes = before->indexes;
    v->whole = before->whole;
}

/* *ret_changed: the totals have changed. */
static enum status step(struct view *v, bool whole, int64_t rows, bool *ret_more, bool *ret_changed)
{
    struct view before = *v;
    int64_t version = 0;
    bool counting = false, more = false;
    enum status st = db_int(v->q->db, "PRAGMA data_version", &version);

    *ret_more = *ret_changed = false;
    if (st != ST_OK || (version == v->version && (v->whole || !whole)))
        return st;
    st = view_begin(v->q);
    if (st == ST_OK) /* also where only the tables are behind: they end where it does */
        st = count_all(v, rows, &counting);
    if (st == ST_OK && !counting && whole)
        st = take_tables(v, rows, &more);
    if (st == ST_OK) {
        view_end(v->q);
        *ret_more = counting || more;
        *ret_changed = !counting && version != v->version;
        if (*ret_changed) {
            v->version = version;
            v->whole = v->whole && whole;
        }
        return ST_OK;
    }
    if (!sqlite3_get_autocommit(v->q->db))
        (void)sqlite3_exec(v->q->db, "ROLLBACK", NULL, NULL, NULL);
    step_back(v, &before);
    return st;
}

enum status view_warm(struct query *q, bool whole, bool *ret_more, bool *ret_changed)
{
    struct view *v = q->view;
    enum status st = step(v, whole, STEP_ROWS, ret_more, ret_changed);

    return st == ST_OK && whole && !*ret_more
               ? view_waiting_step(v, URL_ROWS, ret_more, ret_changed)
               : st;
}

enum status view_refresh(struct query *q, bool whole, bool *ret_changed)
{
    bool more = true, changed = false, any = false;
    enum status st = ST_OK;

    while (more && st == ST_OK) {
        st = step(q->view, whole, ALL_ROWS, &more, &changed);
        any = any || changed;
    }
    if (ret_changed)
        *ret_changed = any;
    return st;
}
