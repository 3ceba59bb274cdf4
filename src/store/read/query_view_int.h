/* query_view_int.h - what the files of a view share. Inside store/ only.
 *
 * Temporary tables, all of one connection:
 *   seen       a row a page: what it can be filtered and ranked by
 *   seen_host  numbers of hosts
 *   host_sum   pages of each, and the sum of their relevance
 *   edge       from which host to which pages were found first
 *   kin        who is whose parent
 *   trip       which visits are whose, where the crawl has no index of them yet
 *   talk       conversations between agents
 */
#pragma once

#include "base/map.h"
#include "store/read/query_int.h"
#include "store/read/query_view.h"

/* Pages with the words that were searched last: a bit each. */
struct query_hits {
    uint64_t *bits;
    size_t room;     /* words of 64 */
    uint64_t of;     /* hash of what was searched; 0: nothing */
    uint64_t moment; /* and when */
    int64_t text_to; /* full text up to this page, titles from here on */
    struct query_searched searched;
};

struct query_title {
    uint32_t page, at;
};

/* Title and URL of the pages that are in no index of the crawl, in lower case. */
struct query_titles {
    struct buf text;
    struct query_title *rows; /* by page */
    size_t count, cap;
};

struct query_waiting_host {
    int64_t known, tried; /* URLs; of them, in this sweep */
    int64_t waiting;      /* after the last one */
};

/* URLs that nobody has followed, by host. */
struct query_waiting {
    struct map numbers; /* of hosts, by the hash of their names */
    struct query_waiting_host *hosts;
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

struct query_view {
    struct query *q;
    struct query_totals totals;
    uint64_t moment;                     /* counts query_view_begin() */
    int64_t version;                     /* PRAGMA data_version of the last refresh; 0: none */
    int64_t forgotten;                   /* rows of `forgotten` then */
    int64_t counted, outcome;            /* last rows that are in the totals */
    int64_t page, agent, visit, message; /* last rows that are in the tables */
    int64_t deadline;                    /* clock_now() beyond which a question ends; 0: none */
    bool whole;                          /* the tables are as new as the totals */
    size_t indexes;                      /* of the temporary tables that are made */
    int64_t indexed_to;                  /* last page of the crawl's own index */
    struct query_hits hits;
    struct query_titles titles;
    struct query_waiting waiting;
    struct query_text *text; /* NULL: nobody searched, or the crawl's own is complete */
    int64_t text_asked_at;   /* clock_now() of the last search that needed it */
};

/* query_view_words.c: titles after page `after` up to `last`; what has the words; all
 * anew. */
enum status query_words_init(struct query_view *v) MUST_USE;
void query_words_clear(struct query_view *v);
void query_words_anew(struct query_view *v);
enum status query_words_take(struct query_view *v, int64_t after, int64_t last) MUST_USE;
enum status query_words_find(struct query_view *v, struct str words,
                             struct query_searched *ret) MUST_USE;

/* query_view_waiting.c: goes on with the count, if it is time to; -1: not known yet. */
void query_waiting_clear(struct query_view *v);
enum status query_waiting_step(struct query_view *v, int64_t rows, bool *ret_more,
                               bool *ret_changed) MUST_USE;
int64_t query_waiting_of(const struct query_view *v, struct str host);

/* The one number that a statement with one parameter gives. */
enum status query_view_number(struct query_view *v, const char *sql, int64_t parameter,
                              uint64_t *ret) MUST_USE;

/* The statement's rows as agents, visits; gives it back. */
enum status query_agent_stream(struct query *q, sqlite3_stmt *st, query_agent_fn *fn, void *ctx,
                               uint32_t *ret_rows) MUST_USE;
enum status query_visit_stream(struct query *q, sqlite3_stmt *st, query_visit_fn *fn,
                               void *ctx) MUST_USE;

#define QUERY_AGENT_COLUMNS                                                           \
    "a.id, a.parent_id, a.generation, a.name, a.kind, a.death, a.born_at, a.died_at," \
    " a.born_page, a.energy, a.pages"
#define QUERY_VISIT_COLUMNS                                                                  \
    "v.agent_id, v.page_id, v.at, v.first, v.energy_before, v.delta, v.energy_after, u.url," \
    " p.title, p.relevance"
#define QUERY_VISIT_JOINS \
    " LEFT JOIN page_row p ON p.id = v.page_id LEFT JOIN url_row u ON u.id = p.url"
