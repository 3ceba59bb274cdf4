/* query_view_int.h - what the files of a view share. Inside store/ only.
 *
 * Temporary tables, all of one connection:
 *   seen       a row a page: what it can be filtered and ranked by
 *   seen_host  numbers of hosts
 *   kin        who is whose parent
 *   trip       which visits are whose, where the crawl has no index of them yet
 *   talk       conversations between agents
 *   hit        pages with the words that were searched last
 */
#ifndef STORE_QUERY_VIEW_INT_H
#define STORE_QUERY_VIEW_INT_H

#include "store/query_int.h"
#include "store/query_view.h"

struct query_view {
    struct query *q;
    struct query_totals totals;
    int64_t version;                     /* PRAGMA data_version of the last refresh; 0: none */
    int64_t forgotten;                   /* rows of `forgotten` then */
    int64_t counted, outcome;            /* last rows that are in the totals */
    int64_t page, agent, visit, message; /* last rows that are in the tables */
    uint64_t hits;                       /* hash of the words that `hit` is of; 0: of none */
    int64_t hits_version;                /* and of which moment */
    int64_t deadline;                    /* clock_now() beyond which a question ends; 0: none */
    bool whole;                          /* the tables are as new as the totals */
    bool indexed;                        /* the temporary tables have their indexes */
};

/* The one number that a statement with one parameter gives. */
enum status query_view_number(struct query_view *v, const char *sql, int64_t parameter,
                              uint64_t *ret) MUST_USE;

/* The statement's rows as agents, visits; finalizes it. */
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

#endif
