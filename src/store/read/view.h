/* view.h - the read side for repeated questions: the dashboard.
 *
 * While a crawl runs its database has no index for readers (schema.c), and counting
 * its rows again for every look would cost more with every page. A query with a view reads
 * each row once: view_refresh() brings what came since into tables of its own
 * (temporary ones, in memory, with indexes) and into totals. About 250 bytes a page, of
 * which 100 are title and URL and only kept where the crawl's full-text index is not complete.
 * Then every question below, and those of query.h about agents, conversations and versions,
 * costs as much as its answer is long, whether the crawl runs or is over.
 *
 * What is looked at first does not wait for that: totals are those that the writer counted
 * (tally.h), and the list of all pages, ranked or the newest first, is read by the crawl's own
 * indexes (view_is_ready()). Only crawls of earlier versions are counted here.
 *
 * Words are looked for in the crawl's own index, as far as it goes, then in one beside it
 * (struct word_index) that is made by the first search and fed by threads that have time,
 * and in titles and URLs of what is in neither yet.
 *
 * Rows are only added to a crawl, with two exceptions that a view sees by itself:
 * a page gets a new version; `brood forget` removes pages (all is read again).
 *
 * One thread at a time. A question that takes longer than view_limit() allows ends with
 * ST_STOPPED.
 */
#pragma once

#include "store/read/query.h"
#include "store/write/tally.h"

#define VIEW_BINS TALLY_BINS

/* What `brood stats` counts, kept up to date. */
struct view_totals {
    uint64_t bins[VIEW_BINS]; /* pages by relevance, [0, 0.02) first; 1 is in the last */
    uint64_t pages, relevant, hidden, duplicates, bytes, hosts;
    uint64_t shown;                       /* pages of a list without a filter */
    uint64_t failed, received, hosts_met; /* as struct query_stats has them */
    double seconds;
    uint64_t alive, born, died; /* agents */
    double relevance_sum, threshold;
    int64_t first_at, last_at; /* of everything that happened, us; 0: nothing did */
};

/* A query with a view; query_close() it. */
enum status view_open(const char *dir, struct query **ret) MUST_USE;

/* Catches up with the crawl: the totals alone, which costs next to nothing, or the
 * `whole` of it, for the questions below. *ret_changed (may be NULL): did anything change
 * since the last call? */
enum status view_refresh(struct query *q, bool whole, bool *ret_changed) MUST_USE;
/* Does a part of that, some 10 ms at most (a large crawl's indexes: some more), for a thread
 * that has time before questions come. In between the view is of an earlier moment.
 * *ret_more: it is not done. */
enum status view_warm(struct query *q, bool whole, bool *ret_more, bool *ret_changed) MUST_USE;
const struct view_totals *view_totals(const struct query *q);

/* All questions between these two see one moment. */
enum status view_begin(struct query *q) MUST_USE;
void view_end(struct query *q);

/* From now on until the next call: at most so many microseconds of this thread's CPU time, so that
 * a machine with much other work answers late, but answers; 0: no limit. */
void view_limit(struct query *q, int64_t us);

/* ---- pages ---- */

struct view_filter {
    struct str words;   /* full text; empty: all */
    struct str host;    /* empty: all */
    struct str topic;   /* ranked, and told, by what this one says; empty: by all */
    uint32_t agent;     /* 0: all */
    int64_t from, to;   /* date of the document, or else when it was fetched; us; 0: open */
    double min;         /* relevance */
    int seeds;          /* 1: only seeds, 0: only others, -1: all */
    bool by_time;       /* newest first; else most relevant first */
    bool by_match;      /* what fits the words best first, where all pages are indexed */
    uint32_t offset, n; /* the window */
};

/* In what the words were looked for. */
struct view_searched {
    enum { VIEW_TEXT, VIEW_PART, VIEW_TITLES } how; /* PART: titles of the rest */
    uint64_t indexed;                               /* pages whose full text was searched */
};

/* Can these pages be listed and counted before the whole view is read? Then view_refresh() without
 * `whole` is enough for them. */
bool view_is_ready(const struct query *q, const struct view_filter *f);
/* Like query_top(): newest versions, no hidden ones, no duplicates. `ret` may be NULL. */
enum status view_pages(struct query *q, const struct view_filter *f, query_page_fn *fn, void *ctx,
                       struct view_searched *ret) MUST_USE;
enum status view_count(struct query *q, const struct view_filter *f, uint64_t *ret) MUST_USE;
/* Pages that page `via` led to first (0: that no page led to), the most relevant first. */
enum status view_led(struct query *q, uint32_t via, uint32_t n, query_page_fn *fn, void *ctx,
                     uint64_t *ret_all) MUST_USE;
/* The page that named a page's URL first; 0: it was a seed. */
enum status view_via(struct query *q, uint32_t page, uint64_t *ret) MUST_USE;
/* The most relevant find of an agent, the first of them: number, URL, title and relevance
 * alone. *ret_page: its number; 0: none, and `fn` is not called. */
enum status view_best(struct query *q, uint32_t agent, uint32_t *ret_page, query_page_fn *fn,
                      void *ctx) MUST_USE;
/* Visits of a page, the newest `max`. */
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
/* The hosts with most pages. What waits is only known to a view that is warmed up
 * (view_warm()): it is counted by going through everything that became of URLs. */
enum status view_hosts(struct query *q, uint32_t n, view_host_fn *fn, void *ctx) MUST_USE;
/* From which host to which a page was found first, most often first. */
typedef enum status view_edge_fn(void *ctx, struct str from, struct str to, uint64_t n);
enum status view_edges(struct query *q, uint32_t n, view_edge_fn *fn, void *ctx) MUST_USE;

/* ---- the full text of a crawl whose own index is not complete ----
 *
 * The crawl runs, was killed, or was never searched. This is an index beside it, in a
 * private database that SQLite keeps in memory up to some MiB and then in a nameless file
 * where the system has its temporary ones: nothing is written to the crawl's directory, and
 * nothing is left behind. Same words and columns as page_text (schema.c), no copy of the texts.
 *
 * It is fed in slices by threads that have time, from a connection of its own. Any thread may
 * feed or ask; one at a time is inside, so an answer waits for one slice at most. Those
 * that share it hold it: word_index_hold(), word_index_release(). */

struct word_index;

/* Of the pages after number `base`: those up to it are in the crawl's own index. Held once. */
enum status word_index_open(const char *dir, int64_t base, struct word_index **ret) MUST_USE;
struct word_index *word_index_hold(struct word_index *t);
void word_index_release(struct word_index *t); /* may be NULL */

/* Reads on for about `us` microseconds. *ret_more: there is more to read. A failure (no
 * room for temporary files) is final: the index can no longer be searched, and nothing
 * more is read. */
enum status word_index_feed(struct word_index *t, int64_t us, bool *ret_more) MUST_USE;

/* Pages after number `after` that fit an expression of FTS5, in order; all up to *ret_last
 * were looked at. `deadline`: clock_cpu_thread() beyond which it ends with ST_STOPPED; 0: never. */
typedef void word_index_fn(void *ctx, int64_t page);
enum status word_index_match(struct word_index *t, struct str expression, int64_t after,
                             int64_t deadline, word_index_fn *fn, void *ctx,
                             int64_t *ret_last) MUST_USE;
int64_t word_index_base(const struct word_index *t);

/* The index of a view, held for the caller, if a search came after that moment of clock_now()
 * and the index is in use; else NULL. */
struct word_index *view_text(struct query *q, int64_t asked_since);
/* Lets go of it if no search came since then: it may be large. */
void view_drop_text(struct query *q, int64_t asked_since);
