/* query_int.h - what the files of the read side share. Inside store/ only.
 *
 * Temporary tables of a view, all of one connection:
 *   seen       a row a page: what it can be filtered and ranked by
 *   seen_host  numbers of hosts
 *   host_sum   pages of each, and the sum of their relevance
 *   edge       from which host to which pages were found first
 *   kin        parents of agents
 *   trip       visits by agent, where the crawl has no index of them yet
 *   talk       conversations between agents
 */
#pragma once

#include "base/map.h"
#include "store/db.h"
#include "store/read/query.h"
#include "store/read/view.h"

#define QUERY_KEPT 64

struct view;

struct query {
    sqlite3 *db;
    char *dir;
    struct view *view; /* NULL: opened by query_open() */
    bool is_for;       /* pages whose owners reserved `use` are left out */
    enum use use;
    uint64_t left_out;
    struct snippet *snippet; /* of the last words; NULL: none was asked for */
    struct {
        const char *sql;
        sqlite3_stmt *st;
        bool busy;
    } kept[QUERY_KEPT]; /* statements that are asked again and again */
    size_t nkept;
};

/* A statement with up to two integers bound (NULL values are 0), prepared once and kept:
 * preparing costs more than asking. `sql` has to stay where it is. Give the statement back
 * with query_done(), which takes any. */
enum status query_prepare(struct query *q, const char *sql, int64_t first, int64_t second,
                          sqlite3_stmt **ret) MUST_USE;
void query_done(struct query *q, sqlite3_stmt *st);

/* The rows of such a statement; it is given back where the block ends:
 *
 *     LOCAL_ROWS rows = query_rows(q, "SELECT key FROM crawl", 0, 0);
 *
 *     while (rows_next(&rows))
 *         rows.status = fn(ctx, db_str(rows.st, 0));
 *     return rows.status;
 */
struct query_rows {
    struct query *query;
    sqlite3_stmt *st;   /* NULL: it could not be prepared */
    enum status status; /* of the last step; another than ST_OK ends the rows */
};
#define LOCAL_ROWS __attribute__((cleanup(rows_end))) struct query_rows

struct query_rows query_rows(struct query *q, const char *sql, int64_t first, int64_t second);
bool rows_next(struct query_rows *r); /* is there one more? */
void rows_end(struct query_rows *r);
/* A parameter that is a text, before the first row. */
void rows_bind_str(struct query_rows *r, int at, struct str text);

/* What a hit in title, main text and rest counts. Those of an earlier version's index are title and
 * text. */
#define QUERY_WEIGHTS "4.0, 1.0, 0.25"

/* An expression of FTS5 that looks at titles and main texts alone, where the index knows them. */
enum status query_keep_to_main(struct query *q, struct buf *match) MUST_USE;

/* Crawls of earlier versions have no table of main texts. */
enum status query_has_main(struct query *q, bool *ret) MUST_USE;

/* The one number that a statement with one parameter gives; 0 for no row. */
enum status query_number(struct query *q, const char *sql, int64_t parameter,
                         uint64_t *ret) MUST_USE;

/* How many agents are alive, were born and died in this crawl. On several machines a directory has
 * only its own: who left is alive elsewhere, and who came was born there. */
enum status query_agent_counts(struct query *q, uint64_t *ret_alive, uint64_t *ret_born,
                               uint64_t *ret_died) MUST_USE;

/* Rows of a name and a number. */
enum status query_counts(struct query *q, const char *sql, query_count_fn *fn, void *ctx) MUST_USE;

/* From which relevance on a page counts as relevant: crawl(relevant_threshold), 0.5 without. */
double query_threshold(struct query *q);

/* A column that may be NULL: NAN. */
double query_real(sqlite3_stmt *st, int column);

/* Columns of the view `page`, in the order query_page_stream() takes them. */
#define QUERY_PAGE_COLUMNS                                                                       \
    "p.id, p.url_id, p.url, p.host, p.mime, p.charset, p.lang, p.title, p.status, p.fetched_at," \
    " p.date, p.latency_ms, p.bytes, p.relevance, p.similarity, p.depth, p.agent_id, p.energy,"  \
    " p.hash, p.dup_of, p.version_of, p.exact_dup, p.hidden, p.truncated, p.warc_file,"          \
    " p.warc_offset, p.warc_length, p.digest, p.p,"                                              \
    " (SELECT d.lang FROM declared_row d WHERE d.page = p.id)"
#define QUERY_PAGE_COUNT      30

/* page_rank() of a relevance, in SQL. */
#define QUERY_SURE(relevance) relevance " / (" relevance " + 0.05)"

/* page_rank() by one topic, of a row t of page_topic. */
#define QUERY_TOPIC_RANK      "coalesce(t.p, " QUERY_SURE("t.relevance") ")"

/* The order of lists: page_rank(), best first. */
#define QUERY_BY_RANK \
    " ORDER BY coalesce(p.p, " QUERY_SURE("p.relevance") ") DESC, p.relevance DESC, p.id"

/* Of a page's versions only the last: what its URL names. */
#define QUERY_NEWEST "coalesce((SELECT f.page FROM fate f WHERE f.url = p.url_id), 0) IN (0, p.id)"

/* Hands a page on with what one topic says of it, in place of what all of them say: a
 * query_page_fn. */
struct query_passing {
    struct query *query;
    struct str topic;
    query_page_fn *fn;
    void *ctx;
};
enum status query_pass_topic(void *ctx, const struct query_page *page);

/* Streams the pages of a prepared statement and gives it back. */
enum status query_page_stream(struct query *q, sqlite3_stmt *st, query_page_fn *fn,
                              void *ctx) MUST_USE;
/* The pages of a statement with up to two integers. */
enum status query_page_rows(struct query *q, const char *sql, int64_t first, int64_t second,
                            query_page_fn *fn, void *ctx) MUST_USE;

/* The pages that are shown (neither hidden nor duplicates, the newest of their URLs), ranked or the
 * newest first, without those before `offset`. They are found by indexes, so the cost grows only
 * with the list. The statements have names for a test of their plans. */
extern const char query_ranked_sql[], query_newest_sql[];
enum status query_ranked(struct query *q, bool by_time, uint32_t offset, uint32_t n,
                         query_page_fn *fn, void *ctx) MUST_USE;

/* What the writer counted; `is_known` and `is_whole` say what is there. */
struct tally query_tally(struct query *q);

/* A word of what is searched becomes a phrase of its own: no syntax is left in it. */
void query_add_phrases(struct buf *out, struct str words);

/* An expression that finds the other forms of its words too, except those in quotes, to `out`,
 * which is empty. One with more syntax than AND, OR, NOT and parentheses stays as it is. */
enum status query_widen(struct query *q, struct str words, struct buf *out) MUST_USE;

/* Makes temp.indexed_word: the words of the index (fts5vocab, rows). */
enum status query_vocabulary(struct query *q) MUST_USE;

/* ---- a view ---- */

/* Pages with the words that were searched last: a bit each. */
struct view_hits {
    uint64_t *bits;
    size_t room;     /* words of 64 */
    uint64_t of;     /* hash of what was searched; 0: nothing */
    uint64_t moment; /* and when */
    int64_t text_to; /* full text up to this page, titles from here on */
    struct view_searched searched;
};

struct view_title {
    uint32_t page, at;
};

/* Title and URL of the pages that are in no index of the crawl, in lower case. */
struct view_titles {
    struct buf text;
    struct view_title *rows; /* by page */
    size_t count, cap;
};

struct view_waiting_host {
    int64_t known, tried; /* URLs; of them, in this sweep */
    int64_t waiting;      /* after the last one */
};

/* URLs that were not followed, by host. */
struct view_waiting {
    struct map numbers; /* of hosts, by the hash of their names */
    struct view_waiting_host *hosts;
    size_t count, cap;
    uint32_t *host_of; /* number + 1, by URL; 0: it was never to be followed */
    size_t room;
    int64_t url, fate; /* last rows that were read; of the sweep */
    int64_t version;   /* of the view that the sweep began with */
    int64_t due_at;    /* when the next may begin */
    int64_t spent;     /* on this one, us */
    bool sweeping, ready;
    bool off; /* there are too many */
};

struct view {
    struct query *q;
    struct view_totals totals;
    struct tally tally;                  /* what they are made of: the writer's, or counted here */
    uint64_t moment;                     /* counts view_begin() */
    int64_t version;                     /* PRAGMA data_version of the last refresh; 0: none */
    int64_t forgotten;                   /* rows of `forgotten` then */
    int64_t counted, outcome;            /* last rows that are in the totals */
    int64_t page, agent, visit, message; /* last rows that are in the tables */
    int64_t verdict;
    int64_t deadline;   /* clock_cpu_thread() beyond which a question ends; 0: none */
    bool tallied;       /* it is the writer's */
    bool whole;         /* the tables are as new as the totals */
    size_t indexes;     /* of the temporary tables that are made */
    int64_t indexed_to; /* last page of the crawl's own index */
    struct view_hits hits;
    struct view_titles titles;
    struct view_waiting waiting;
    struct word_index *text; /* NULL: no search yet, or the crawl's own is complete */
    int64_t text_asked_at;   /* clock_now() of the last search that needed it */
};

/* view.c */
void view_free(struct view *v); /* may be NULL */

/* view_words.c: titles after page `after` up to `last`; pages with the words; a fresh
 * start. */
enum status view_words_init(struct view *v) MUST_USE;
void view_words_clear(struct view *v);
void view_words_restart(struct view *v);
enum status view_words_take(struct view *v, int64_t after, int64_t last) MUST_USE;
/* Words as an expression of FTS5; has the crawl's own index all pages of the view? */
enum status view_words_match(struct view *v, struct str words, struct buf *ret) MUST_USE;
bool view_words_ranked(const struct view *v);
enum status view_words_find(struct view *v, struct str words, struct view_searched *ret) MUST_USE;

/* view_hosts.c: goes on with the count of waiting URLs, if it is time to. */
void view_waiting_clear(struct view *v);
enum status view_waiting_step(struct view *v, int64_t rows, bool *ret_more,
                              bool *ret_changed) MUST_USE;
