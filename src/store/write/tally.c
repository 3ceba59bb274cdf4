/* tally.c - counts rows as they are written. See tally.h.
 * SPDX-License-Identifier: MIT */
#include "store/write/tally.h"

#include "base/hash.h"
#include "frontier/frontier.h"
#include "store/write/writer_int.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* ---- as text ------------------------------------------------------------- */

static const char form[] =
    "%" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 "%n";
static const char page_form[] =
    " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %lf %lf %" SCNd64 " %" SCNd64 "%n";

static bool read_bins(const char *text, uint64_t bins[TALLY_BINS])
{
    for (int i = 0, n = 0; i < TALLY_BINS; i++, text += n)
        if (sscanf(text, " %" SCNu64 "%n", &bins[i], &n) != 1 || bins[i] > INT64_MAX)
            return false;
    return true;
}

/* Reads the figures of pages, after those of rows. */
static void read_pages(const char *text, struct tally *t)
{
    int n = 0;

    t->is_whole = sscanf(text, page_form, &t->outcomes, &t->hosts, &t->shown, &t->relevant,
                         &t->threshold, &t->relevance_sum, &t->first_at, &t->last_at, &n) == 8 &&
                  (t->outcomes | t->hosts | t->shown | t->relevant) <= INT64_MAX &&
                  isfinite(t->threshold) && isfinite(t->relevance_sum) && t->shown <= t->pages &&
                  t->relevant <= t->pages && t->hosts <= t->pages && read_bins(text + n, t->bins);
}

bool tally_read(const char *text, struct tally *ret)
{
    struct tally t = {.is_known = true};
    int n = 0;

    if (sscanf(text, form, &t.pages, &t.hidden, &t.duplicates, &t.bytes, &t.links, &t.urls,
               &t.untried, &n) != 7 ||
        (t.pages | t.hidden | t.duplicates | t.bytes | t.links | t.urls | t.untried) > INT64_MAX ||
        t.hidden > t.pages || t.untried > t.urls)
        return false;
    read_pages(text + n, &t);
    *ret = t;
    return true;
}

static void write_pages(const struct tally *t, struct buf *out)
{
    buf_addf(out,
             " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %.17g %.17g %" PRId64 " %" PRId64,
             t->outcomes, t->hosts, t->shown, t->relevant, t->threshold, t->relevance_sum,
             t->first_at, t->last_at);
    for (int i = 0; i < TALLY_BINS; i++)
        buf_addf(out, " %" PRIu64, t->bins[i]);
}

enum status tally_put(struct writer *w)
{
    const struct tally *t = &w->tally;
    struct buf text = BUF_INIT(TALLY_TEXT);
    enum status st;

    if (!t->is_known)
        return ST_OK;
    buf_addf(&text,
             "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64,
             t->pages, t->hidden, t->duplicates, t->bytes, t->links, t->urls, t->untried);
    if (t->is_whole)
        write_pages(t, &text);
    st = buf_check(&text);
    if (st == ST_OK)
        st = row_key(w, STR(TALLY_KEY), buf_str(&text));
    buf_free(&text);
    return st;
}

/* ---- a page -------------------------------------------------------------- */

void tally_relevance(struct tally *t, double relevance)
{
    size_t bin = !(relevance > 0) ? 0
                 : relevance >= 1 ? TALLY_BINS - 1
                                  : (size_t)(relevance * TALLY_BINS);

    t->bins[bin]++;
    t->relevance_sum += relevance;
    t->relevant += relevance >= t->threshold;
}

void tally_time(struct tally *t, int64_t first, int64_t last)
{
    if (first && (t->first_at == 0 || first < t->first_at))
        t->first_at = first;
    if (last > t->last_at)
        t->last_at = last;
}

static void add_host(struct writer *w, struct str host)
{
    bool fresh = false;

    (void)map_at(&w->hosts, hash_str(host), 0, &fresh);
    w->tally.hosts += fresh;
}

void tally_page(struct writer *w, const struct event *e, struct str host, int64_t at)
{
    const struct arrival *a = e->page.arrival;
    int64_t took, done;

    w->tally.pages++;
    w->tally.hidden += e->page.hidden;
    w->tally.duplicates += e->page.dup_of != 0;
    w->tally.bytes += a->reply.body.len;
    for (uint32_t i = 0; a->marks && i < a->page->nlinks; i++)
        w->tally.links += a->marks[i].url != 0;
    w->tally.shown += !e->page.hidden && e->page.dup_of == 0;
    tally_relevance(&w->tally, (double)a->profile.relevance);
    if (__builtin_sub_overflow(a->reply.done_at, a->reply.started_at, &took) ||
        __builtin_add_overflow(at, took, &done)) /* times in a world of unknown origin */
        done = at;
    tally_time(&w->tally, at, done);
    add_host(w, host);
}

void tally_outcome(struct writer *w, int64_t at)
{
    w->tally.outcomes++;
    tally_time(&w->tally, at, at);
}

/* A new threshold invalidates the count of relevant pages, which would have to be read again. */
void tally_key(struct writer *w, struct str name, struct str value)
{
    double threshold;

    if (!str_eq(name, STR("relevant_threshold")) || !str_to_double(value, &threshold))
        return;
    if (w->tally.pages > 0 && fabs(threshold - w->tally.threshold) > 0)
        w->tally.is_whole = false;
    w->tally.threshold = threshold;
}

/* ---- URLs ---------------------------------------------------------------- */

/* Counts a URL whose row is new. */
void tally_url(struct writer *w, enum drop why)
{
    if (sqlite3_changes(w->db) == 0)
        return;
    w->tally.urls++;
    w->tally.untried += why == DROP_NONE;
}

/* A URL that had a page gets another one, or none. In the latter case all its pages are shown, and
 * their number is not known. */
static enum status replace(struct writer *w, uint32_t url, uint32_t page)
{
    sqlite3_stmt *st = w->stmt[STMT_NEWEST];
    enum status status = ST_OK;

    (void)sqlite3_bind_int64(st, 1, url);
    if (db_row(w->db, st, &status) && sqlite3_column_int64(st, 0) != page) {
        bool shown = sqlite3_column_int(st, 1) != 0;

        w->tally.shown -= shown && w->tally.shown > 0;
        w->tally.is_whole = w->tally.is_whole && page != 0;
    }
    (void)sqlite3_reset(st);
    return status;
}

enum status tally_fate(struct writer *w, uint32_t url, uint32_t page)
{
    sqlite3_stmt *st = w->stmt[STMT_UNTRIED];
    bool untried;
    enum status status = ST_OK;

    if (!w->tally.is_known)
        return ST_OK;
    (void)sqlite3_bind_int64(st, 1, url);
    untried = db_row(w->db, st, &status);
    (void)sqlite3_reset(st);
    if (untried)
        w->tally.untried -= w->tally.untried > 0;
    else if (status == ST_OK && page != TALLY_SAME)
        status = replace(w, url, page);
    return status;
}

/* ---- opening ------------------------------------------------------------- */

static enum status read_threshold(struct writer *w, double *ret)
{
    sqlite3_stmt *st = NULL;
    enum status status =
        db_prepare(w->db, "SELECT value FROM crawl WHERE key = 'relevant_threshold'", &st);

    *ret = 0.5;
    if (status == ST_OK && db_row(w->db, st, &status))
        (void)str_to_double(db_str(st, 0), ret);
    (void)sqlite3_finalize(st);
    return status;
}

/* Reads the hosts of all pages, which are not stored as figures, and counts the rest if it is not
 * known. */
static enum status read_hosts(struct writer *w)
{
    sqlite3_stmt *st = NULL;
    enum status status = db_prepare(w->db, "SELECT host FROM page_row", &st);

    w->tally.hosts = 0;
    while (status == ST_OK && db_row(w->db, st, &status))
        add_host(w, db_str(st, 0));
    (void)sqlite3_finalize(st);
    return status;
}

static enum status count_pages(struct writer *w)
{
    struct tally *t = &w->tally;
    sqlite3_stmt *st = NULL;
    enum status status =
        db_prepare(w->db,
                   "SELECT p.relevance, p.fetched_at, p.fetched_at + p.latency, NOT p.hidden AND"
                   " p.dup_of IS NULL AND coalesce((SELECT f.page FROM fate f WHERE f.url ="
                   " p.url), 0) IN (0, p.id) FROM page_row p",
                   &st);

    while (status == ST_OK && db_row(w->db, st, &status)) {
        tally_relevance(t, sqlite3_column_double(st, 0));
        tally_time(t, sqlite3_column_int64(st, 1), sqlite3_column_int64(st, 2));
        t->shown += sqlite3_column_int(st, 3) != 0;
    }
    (void)sqlite3_finalize(st);
    return status;
}

static enum status count_outcomes(struct writer *w)
{
    sqlite3_stmt *st = NULL;
    enum status status =
        db_prepare(w->db, "SELECT count(*), min(at), max(at) FROM outcome_row", &st);

    if (status == ST_OK && db_row(w->db, st, &status)) {
        w->tally.outcomes = (uint64_t)sqlite3_column_int64(st, 0);
        tally_time(&w->tally, sqlite3_column_int64(st, 1), sqlite3_column_int64(st, 2));
    }
    (void)sqlite3_finalize(st);
    return status;
}

/* Completes a tally that has only rows, or another threshold. */
static enum status complete(struct writer *w, double threshold)
{
    struct tally rows = w->tally;
    enum status st;

    w->tally = (struct tally){.pages = rows.pages,
                              .hidden = rows.hidden,
                              .duplicates = rows.duplicates,
                              .bytes = rows.bytes,
                              .links = rows.links,
                              .urls = rows.urls,
                              .untried = rows.untried,
                              .is_known = true,
                              .is_whole = true,
                              .threshold = threshold};
    st = count_pages(w);
    return st == ST_OK ? count_outcomes(w) : st;
}

enum status tally_load(struct writer *w)
{
    sqlite3_stmt *st = NULL;
    double threshold = 0;
    int64_t urls = 0;
    enum status status = db_int(w->db, "SELECT max(id) FROM url_row", &urls);

    if (status == ST_OK)
        status = read_threshold(w, &threshold);
    if (status == ST_OK)
        status = db_prepare(w->db, "SELECT value FROM crawl WHERE key = '" TALLY_KEY "'", &st);
    if (status == ST_OK && db_row(w->db, st, &status)) {
        char text[TALLY_TEXT] = "";

        (void)snprintf(text, sizeof text, "%.*s", STR_ARG(db_str(st, 0)));
        (void)tally_read(text, &w->tally);
    } else {
        w->tally.is_known = urls == 0; /* otherwise an earlier version began to write */
    }
    (void)sqlite3_finalize(st);
    if (status == ST_OK && w->tally.is_known &&
        (!w->tally.is_whole || fabs(w->tally.threshold - threshold) > 0))
        status = complete(w, threshold);
    return status == ST_OK && w->tally.is_known ? read_hosts(w) : status;
}
