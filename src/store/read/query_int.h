/* query_int.h - what the files of the read side share. Inside store/ only.
 *
 * Temporary tables of a view, all of one connection:
 *   seen       a row for each page: what it can be filtered and ranked by
 *   seen_host  numbers of hosts
 *   host_sum   pages of each host, and the sum of their relevance
 *   edge       pairs of hosts: pages of the one were first found on pages of the other
 *   kin        parents of agents
 *   trip       visits by agent, if the crawl has no index of them yet
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
    struct view *view; /* NULL if opened by query_open() */
    bool is_for;       /* pages whose owners reserved `use` are left out */
    enum use use;
    uint64_t left_out;
    struct snippet *snippet; /* for the last words asked for; NULL: none yet */
    struct {
        const char *sql;
        sqlite3_stmt *st;
        bool busy;
    } kept[QUERY_KEPT]; /* statements that are used often */
    size_t nkept;
};

/* Gets a statement with up to two integers bound (0 stands for NULL). It is prepared once and kept,
 * because preparing costs more than running it. `sql` has to stay at its address. Give the
 * statement back with query_done(), which accepts any statement. */
enum status query_prepare(struct query *q, const char *sql, int64_t first, int64_t second,
                          sqlite3_stmt **ret) MUST_USE;
void query_done(struct query *q, sqlite3_stmt *st);

/* The rows of such a statement, which is given back at the end of the block:
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
    enum status status; /* of the last step; any but ST_OK ends the rows */
};
#define LOCAL_ROWS __attribute__((cleanup(rows_end))) struct query_rows

struct query_rows query_rows(struct query *q, const char *sql, int64_t first, int64_t second);
bool rows_next(struct query_rows *r); /* is there one more? */
void rows_end(struct query_rows *r);
/* Binds a text to a parameter; to be called before the first row. */
void rows_bind_str(struct query_rows *r, int at, struct str text);

/* The weights of a hit in title, main text and rest. In an index of an earlier version the columns
 * are title and text. */
#define QUERY_WEIGHTS "4.0, 1.0, 0.25"

/* Restricts an expression of FTS5 to titles and main texts, if the index has them apart. */
enum status query_keep_to_main(struct query *q, struct buf *match) MUST_USE;

/* Is there a table of main texts? Crawls of earlier versions have none. */
enum status query_has_main(struct query *q, bool *ret) MUST_USE;

/* Gets the one number that a statement with one parameter selects; 0 for no row. */
enum status query_number(struct query *q, const char *sql, int64_t parameter,
                         uint64_t *ret) MUST_USE;

/* Counts how many agents are alive, were born and died in this crawl. In a crawl on several
 * machines a directory counts only its own agents: one that left is alive elsewhere, and one that
 * came was born elsewhere. */
enum status query_agent_counts(struct query *q, uint64_t *ret_alive, uint64_t *ret_born,
                               uint64_t *ret_died) MUST_USE;

/* Passes the rows of a statement that selects a name and a number. */
enum status query_counts(struct query *q, const char *sql, query_count_fn *fn, void *ctx) MUST_USE;

/* Returns the relevance from which on a page counts as relevant: crawl(relevant_threshold), or 0.5
 * if that is missing. */
double query_threshold(struct query *q);

/* Returns a column as a number; NAN for NULL. */
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

/* page_rank() by one topic, for a row t of page_topic. */
#define QUERY_TOPIC_RANK      "coalesce(t.p, " QUERY_SURE("t.relevance") ")"

/* The order of lists: page_rank(), best first. */
#define QUERY_BY_RANK \
    " ORDER BY coalesce(p.p, " QUERY_SURE("p.relevance") ") DESC, p.relevance DESC, p.id"

/* A condition: the page is the newest version of its URL. */
#define QUERY_NEWEST "coalesce((SELECT f.page FROM fate f WHERE f.url = p.url_id), 0) IN (0, p.id)"

/* The context of a query_page_fn that passes a page on with the verdict of one topic in place of
 * the verdict of all topics. */
struct query_passing {
    struct query *query;
    struct str topic;
    query_page_fn *fn;
    void *ctx;
};
enum status query_pass_topic(void *ctx, const struct query_page *page);

/* Passes the pages of a prepared statement to `fn`, and gives the statement back. */
enum status query_page_stream(struct query *q, sqlite3_stmt *st, query_page_fn *fn,
                              void *ctx) MUST_USE;
/* Passes the pages of a statement with up to two integers to `fn`. */
enum status query_page_rows(struct query *q, const char *sql, int64_t first, int64_t second,
                            query_page_fn *fn, void *ctx) MUST_USE;

/* Lists the pages that are shown (neither hidden nor duplicates, and the newest of their URLs), by
 * rank or the newest first, from `offset` on. They are found by indexes, so the cost grows only
 * with the length of the list. The statements are exported so that a test can check their query
 * plans. */
extern const char query_ranked_sql[], query_newest_sql[];
enum status query_ranked(struct query *q, bool by_time, uint32_t offset, uint32_t n,
                         query_page_fn *fn, void *ctx) MUST_USE;

/* Returns the figures that the writer counted; `is_known` and `is_whole` say which of them
 * exist. */
struct tally query_tally(struct query *q);

/* Appends each word as a phrase of its own, so that no syntax is left in it. */
void query_add_phrases(struct buf *out, struct str words);

/* Writes to `out`, which is empty, an expression that also finds the other forms of the words,
 * except of words in quotes. An expression with more syntax than AND, OR, NOT and parentheses stays
 * as it is. */
enum status query_widen(struct query *q, struct str words, struct buf *out) MUST_USE;

/* Makes temp.indexed_word, a table of the words of the index (fts5vocab, type row). */
enum status query_vocabulary(struct query *q) MUST_USE;

/* ---- a view ---- */

/* The pages that match the last search, one bit for each page. */
struct view_hits {
    uint64_t *bits;
    size_t room;     /* words of 64 */
    uint64_t of;     /* hash of the words searched for; 0: none */
    uint64_t moment; /* view.moment of that search */
    int64_t text_to; /* full text was searched up to this page, titles after it */
    struct view_searched searched;
};

struct view_title {
    uint32_t page, at;
};

/* Titles and URLs, in lower case, of the pages that are not in the crawl's own index. */
struct view_titles {
    struct buf text;
    struct view_title *rows; /* by page */
    size_t count, cap;
};

struct view_waiting_host {
    int64_t known, tried; /* numbers of URLs; those of them that were tried, in this sweep */
    int64_t waiting;      /* after the last one */
};

/* How many URLs of each host were not followed yet. */
struct view_waiting {
    struct map numbers; /* of hosts, by the hashes of their names */
    struct view_waiting_host *hosts;
    size_t count, cap;
    uint32_t *host_of; /* number + 1, by URL; 0: it was never to be followed */
    size_t room;
    int64_t url, fate; /* last rows that this sweep has read */
    int64_t version;   /* of the view when the sweep began */
    int64_t due_at;    /* when the next may begin */
    int64_t spent;     /* on this sweep, us */
    bool sweeping, ready;
    bool off; /* no longer counted: there are too many */
};

struct view {
    struct query *q;
    struct view_totals totals;
    struct tally tally;                  /* the figures: the writer's, or counted here */
    uint64_t moment;                     /* number of calls of view_begin() */
    int64_t version;                     /* PRAGMA data_version of the last refresh; 0: none */
    int64_t forgotten;                   /* rows of `forgotten` at that time */
    int64_t counted, outcome;            /* last rows that are in the totals */
    int64_t page, agent, visit, message; /* last rows that are in the tables */
    int64_t verdict;
    int64_t deadline;   /* of clock_cpu_thread(), after which a query is ended; 0: none */
    bool tallied;       /* the tally is the writer's */
    bool whole;         /* the tables are as new as the totals */
    size_t indexes;     /* of the temporary tables, made so far */
    int64_t indexed_to; /* last page of the crawl's own index */
    struct view_hits hits;
    struct view_titles titles;
    struct view_waiting waiting;
    struct word_index *text; /* NULL: no search yet, or the crawl's own index is complete */
    int64_t text_asked_at;   /* clock_now() of the last search that needed it */
};

/* view.c */
void view_free(struct view *v); /* may be NULL */

/* view_words.c: view_words_take() reads titles after page `after` up to `last`, view_words_find()
 * finds the pages with the words, view_words_restart() begins from nothing. */
enum status view_words_init(struct view *v) MUST_USE;
void view_words_clear(struct view *v);
void view_words_restart(struct view *v);
enum status view_words_take(struct view *v, int64_t after, int64_t last) MUST_USE;
/* view_words_match() gives words as an expression of FTS5. view_words_ranked(): does the crawl's
 * own index have all pages of the view? */
enum status view_words_match(struct view *v, struct str words, struct buf *ret) MUST_USE;
bool view_words_ranked(const struct view *v);
enum status view_words_find(struct view *v, struct str words, struct view_searched *ret) MUST_USE;

/* view_hosts.c: view_waiting_step() goes on with the count of waiting URLs, if it is due. */
void view_waiting_clear(struct view *v);
enum status view_waiting_step(struct view *v, int64_t rows, bool *ret_more,
                              bool *ret_changed) MUST_USE;
