/* view.h - the read side for repeated questions: the dashboard.
 *
 * While a crawl runs, its database has no index for readers (schema.c), and to count its rows again
 * for every request would cost more with every page. A query with a view reads each row once:
 * view_refresh() brings the new rows into tables of its own (temporary ones, in memory, with
 * indexes) and into totals. They take about 250 bytes a page; 100 of these are title and URL, which
 * are kept only if the crawl's full-text index is not complete. The cost of every question below,
 * and of those of query.h about agents, conversations and versions, then depends only on the length
 * of the answer, whether the crawl still runs or not.
 *
 * What is shown first does not wait for that: the totals are those that the writer counted
 * (tally.h), and the list of all pages, by rank or the newest first, is read with the crawl's own
 * indexes (view_is_ready()). Only crawls of earlier versions are counted here.
 *
 * A search uses the crawl's own index, as far as it goes, then a second index beside it (struct
 * word_index), which the first search creates and which idle threads fill, and then titles and URLs
 * of the pages that are in neither index yet.
 *
 * Rows of a crawl are only ever added, with two exceptions that a view detects by itself: a page
 * gets a new version, and `brood forget` removes pages (then everything is read again).
 *
 * Only one thread may use it at a time. A question that takes longer than view_limit() allows ends
 * with ST_STOPPED.
 */
#pragma once

#include "store/read/query.h"
#include "store/write/tally.h"

#define VIEW_BINS TALLY_BINS

/* The figures of `brood stats`, kept up to date. */
struct view_totals {
    uint64_t bins[VIEW_BINS]; /* pages by relevance, [0, 0.02) first; 1 is in the last */
    uint64_t pages, relevant, hidden, duplicates, bytes, hosts;
    uint64_t shown;                       /* pages of a list without a filter */
    uint64_t failed, received, hosts_met; /* as struct query_stats has them */
    double seconds;
    uint64_t alive, born, died; /* agents */
    double relevance_sum, threshold;
    int64_t first_at, last_at; /* of all events, us; 0: there were none */
};

/* Opens a query with a view. Close it with query_close(). */
enum status view_open(const char *dir, struct query **ret) MUST_USE;

/* Catches up with the crawl: only the totals, which costs very little, or with `whole` everything
 * that the questions below need. *ret_changed (may be NULL): did anything change since the last
 * call? */
enum status view_refresh(struct query *q, bool whole, bool *ret_changed) MUST_USE;
/* Does a part of that work, in at most some 10 ms (somewhat more for the indexes of a large crawl),
 * on a thread that is idle until questions come. Until all is done the view shows an earlier state.
 * *ret_more: there is more to do. */
enum status view_warm(struct query *q, bool whole, bool *ret_more, bool *ret_changed) MUST_USE;
const struct view_totals *view_totals(const struct query *q);

/* All questions between these two calls see the same state of the crawl. */
enum status view_begin(struct query *q) MUST_USE;
void view_end(struct query *q);

/* Limits the questions until the next call to so many microseconds of this thread's CPU time; 0: no
 * limit. It is CPU time so that a busy machine answers late rather than not at all. */
void view_limit(struct query *q, int64_t us);

/* ---- pages ---- */

struct view_filter {
    struct str words;   /* full text; empty: all */
    struct str host;    /* empty: all */
    struct str topic;   /* ranks by, and shows, the verdict of this topic; empty: of all */
    uint32_t agent;     /* 0: all */
    int64_t from, to;   /* date of the document, or else when it was fetched; us; 0: open */
    double min;         /* relevance */
    int seeds;          /* 1: only seeds, 0: only others, -1: all */
    bool by_time;       /* newest first, otherwise most relevant first */
    bool by_match;      /* best match of the words first, if all pages are indexed */
    uint32_t offset, n; /* the window */
};

/* Where the words were searched for. */
struct view_searched {
    enum { VIEW_TEXT, VIEW_PART, VIEW_TITLES } how; /* PART: in the titles of the other pages */
    uint64_t indexed;                               /* pages whose full text was searched */
};

/* Can these pages be listed and counted before the whole view is read? If so, view_refresh()
 * without `whole` is enough for them. */
bool view_is_ready(const struct query *q, const struct view_filter *f);
/* Lists pages as query_top() does: newest versions, no hidden pages, no duplicates. `ret` may be
 * NULL. */
enum status view_pages(struct query *q, const struct view_filter *f, query_page_fn *fn, void *ctx,
                       struct view_searched *ret) MUST_USE;
enum status view_count(struct query *q, const struct view_filter *f, uint64_t *ret) MUST_USE;
/* Lists the pages to which page `via` led first (0: to which no page led), the most relevant
 * first. */
enum status view_led(struct query *q, uint32_t via, uint32_t n, query_page_fn *fn, void *ctx,
                     uint64_t *ret_all) MUST_USE;
/* Gets the page that was the first to name the URL of `page`; 0 if it was a seed. */
enum status view_via(struct query *q, uint32_t page, uint64_t *ret) MUST_USE;
/* Gets the most relevant page that an agent found (the earliest of several): only number, URL,
 * title and relevance. *ret_page is its number, or 0 if there is none; then `fn` is not called. */
enum status view_best(struct query *q, uint32_t agent, uint32_t *ret_page, query_page_fn *fn,
                      void *ctx) MUST_USE;
/* Lists the newest `max` visits of a page. */
enum status view_visitors(struct query *q, uint32_t page, uint32_t max, query_visit_fn *fn,
                          void *ctx) MUST_USE;

/* ---- hosts ---- */

struct view_host {
    struct str name;
    uint64_t pages;
    double relevance; /* mean */
    int64_t waiting;  /* URLs not followed yet, some seconds ago; -1: not counted yet */
};

typedef enum status view_host_fn(void *ctx, const struct view_host *host);
/* Lists the hosts with most pages. The number of waiting URLs is known only after view_warm() has
 * done its work, because all rows of URLs must be read to count them. */
enum status view_hosts(struct query *q, uint32_t n, view_host_fn *fn, void *ctx) MUST_USE;
/* Pairs of hosts where pages of `to` were first found on pages of `from`, the most frequent first. */
typedef enum status view_edge_fn(void *ctx, struct str from, struct str to, uint64_t n);
enum status view_edges(struct query *q, uint32_t n, view_edge_fn *fn, void *ctx) MUST_USE;

/* ---- the full text of a crawl whose own index is not complete ----
 *
 * Such a crawl runs, or was killed, or was never searched. This is a second index, in a private
 * database that SQLite keeps in memory up to some MiB and then in an unlinked file in the system's
 * directory for temporary files: nothing is written to the crawl's directory, and nothing is left
 * behind. It has the same words and columns as page_text (schema.c), and no copy of the texts.
 *
 * Idle threads fill it in slices, from a connection of its own. Any thread may feed or search it,
 * one at a time, so a search waits for one slice at most. It is counted by reference:
 * word_index_hold(), word_index_release(). */

struct word_index;

/* Opens an index of the pages after number `base`; the pages up to it are in the crawl's own index.
 * It is held once. */
enum status word_index_open(const char *dir, int64_t base, struct word_index **ret) MUST_USE;
struct word_index *word_index_hold(struct word_index *t);
void word_index_release(struct word_index *t); /* may be NULL */

/* Reads on for about `us` microseconds. *ret_more: there is more to read. A failure (no
 * room for temporary files) is final: the index can no longer be searched, and nothing
 * more is read. */
enum status word_index_feed(struct word_index *t, int64_t us, bool *ret_more) MUST_USE;

/* Finds the pages after number `after` that match an expression of FTS5, in order; all pages up to
 * *ret_last were searched. It ends with ST_STOPPED when clock_cpu_thread() passes `deadline` (0:
 * never). */
typedef void word_index_fn(void *ctx, int64_t page);
enum status word_index_match(struct word_index *t, struct str expression, int64_t after,
                             int64_t deadline, word_index_fn *fn, void *ctx,
                             int64_t *ret_last) MUST_USE;
int64_t word_index_base(const struct word_index *t);

/* Returns the index of a view, held for the caller, if it is in use and was searched since
 * `asked_since` (a time of clock_now()); else NULL. */
struct word_index *view_text(struct query *q, int64_t asked_since);
/* Releases the index, which may be large, if it was not searched since then. */
void view_drop_text(struct query *q, int64_t asked_since);
