/* query_view.h - the read side for those who look again and again: the dashboard.
 *
 * While a crawl runs its database has no index for readers (schema.c), and counting
 * its rows anew for every look would cost more with every page. A view reads each
 * row once: query_view_refresh() brings what came since into tables of its own
 * (temporary ones, in memory, with indexes) and into totals. About 250 bytes a page, of
 * which 100 are title and URL and only kept where the crawl's full-text index is not complete.
 * Then every question below costs as much as its answer is long, whether the crawl
 * runs or is over.
 *
 * Words are looked for in the crawl's own index, as far as it goes, then in one beside it
 * (query_view_text.h) that is made by the first search and fed by whoever has time, and in
 * titles and URLs of what is in neither yet.
 *
 * Rows are only added to a crawl, with two exceptions that a view sees by itself:
 * a page gets a new version; `brood forget` removes pages (all is read anew).
 *
 * One thread at a time. A question that takes longer than query_view_limit() allows
 * ends with ST_STOPPED.
 */
#pragma once

#include "store/read/query.h"
#include "store/read/query_message.h"
#include "store/read/query_view_text.h"

struct query_view;

#define QUERY_BINS 50

/* What `brood stats` counts, kept up to date. */
struct query_totals {
    uint64_t bins[QUERY_BINS]; /* pages by relevance, [0, 0.02) first; 1 is in the last */
    uint64_t pages, relevant, hidden, duplicates, bytes, hosts;
    uint64_t alive, born, died; /* agents */
    double relevance_sum, threshold;
    int64_t first_at, last_at; /* of everything that happened, us; 0: nothing did */
};

enum status query_view_open(const char *dir, struct query_view **ret) MUST_USE;
void query_view_close(struct query_view *v);

/* The plain read side on the same connection; lent. */
struct query *query_view_query(struct query_view *v);

/* Catches up with the crawl: the totals alone, which costs next to nothing, or the
 * `whole` of it, for the questions below. *ret_changed (may be NULL): did anything change
 * since the last call? */
enum status query_view_refresh(struct query_view *v, bool whole, bool *ret_changed) MUST_USE;
/* A part of it, some 10 ms at most (a large crawl's indexes: some more), for who has time
 * before somebody asks. In between the view is of an earlier moment. *ret_more: it is not done. */
enum status query_view_warm(struct query_view *v, bool whole, bool *ret_more,
                            bool *ret_changed) MUST_USE;
const struct query_totals *query_view_totals(const struct query_view *v);

/* All questions between these two see one moment. */
enum status query_view_begin(struct query_view *v) MUST_USE;
void query_view_end(struct query_view *v);

/* From now on until the next call: at most so many microseconds; 0: no limit. */
void query_view_limit(struct query_view *v, int64_t us);

/* Was the crawl brought to its end (its indexes are made)? */
enum status query_view_is_closed(struct query_view *v, bool *ret) MUST_USE;

/* ---- pages ---- */

struct query_filter {
    struct str words;   /* full text; empty: all */
    struct str host;    /* empty: all */
    uint32_t agent;     /* 0: all */
    int64_t from, to;   /* date of the document, or else when it was fetched; us; 0: open */
    double min;         /* relevance */
    int seeds;          /* 1: only seeds, 0: only others, -1: all */
    bool by_time;       /* newest first; else most relevant first */
    uint32_t offset, n; /* the window */
};

/* In what the words were looked for. */
struct query_searched {
    enum { QUERY_TEXT, QUERY_PART, QUERY_TITLES } how; /* PART: titles of the rest */
    uint64_t indexed;                                  /* pages whose full text was searched */
};

/* Like query_top(): newest versions, no hidden ones, no duplicates. `ret` may be NULL. */
enum status query_view_pages(struct query_view *v, const struct query_filter *f, query_page_fn *fn,
                             void *ctx, struct query_searched *ret) MUST_USE;
enum status query_view_count(struct query_view *v, const struct query_filter *f,
                             uint64_t *ret) MUST_USE;
/* The index beside the crawl's own, held for the caller, if somebody searched since
 * clock_now() was so and it is in use; else NULL. */
struct query_text *query_view_text(struct query_view *v, int64_t asked_since);
/* Lets go of it if nobody has searched since then: it may be large. */
void query_view_drop_text(struct query_view *v, int64_t asked_since);
/* Pages that page `via` led to first (0: that nobody led to), the most relevant first. */
enum status query_view_led(struct query_view *v, uint32_t via, uint32_t n, query_page_fn *fn,
                           void *ctx, uint64_t *ret_all) MUST_USE;
/* Every version of a URL, oldest first. */
enum status query_view_versions(struct query_view *v, uint32_t url, query_page_fn *fn,
                                void *ctx) MUST_USE;
/* The page that named a page's URL first; 0: it was a seed. */
enum status query_view_via(struct query_view *v, uint32_t page, uint32_t *ret) MUST_USE;
/* Marks of a URL: "relevant", "irrelevant" or "". */
enum status query_view_label(struct query_view *v, struct str url, struct buf *ret) MUST_USE;

/* ---- agents ---- */

/* Children of an agent (0: those without a parent), oldest first. */
enum status query_view_children(struct query_view *v, uint32_t parent, uint32_t n,
                                query_agent_fn *fn, void *ctx, uint64_t *ret_all) MUST_USE;
enum status query_view_agent(struct query_view *v, uint32_t id, query_agent_fn *fn,
                             void *ctx) MUST_USE; /* ST_MISSING */
/* Its most relevant find, the first of them: number, URL, title and relevance alone, lent
 * for the call. *ret keeps the number; 0: none. */
enum status query_view_best(struct query_view *v, uint32_t agent, struct query_page *ret,
                            query_page_fn *fn, void *ctx) MUST_USE;
/* As query_visits() and query_finds(). */
enum status query_view_visits(struct query_view *v, uint32_t agent, uint32_t max,
                              query_visit_fn *fn, void *ctx) MUST_USE;
enum status query_view_finds(struct query_view *v, uint32_t agent, uint32_t n, query_page_fn *fn,
                             void *ctx) MUST_USE;
enum status query_view_life(struct query_view *v, uint32_t agent, struct query_life *ret) MUST_USE;
/* Visits of a page, the newest `max`. */
enum status query_view_visitors(struct query_view *v, uint32_t page, uint32_t max,
                                query_visit_fn *fn, void *ctx) MUST_USE;

/* ---- links ---- */

/* A link of a page, and what became of its target. */
struct query_target {
    uint32_t url;
    struct str href, anchor;
    double score;   /* NAN: the model gave none */
    uint32_t page;  /* its newest page; 0: none */
    enum drop drop; /* why it was not taken */
    bool open;      /* it may still be */
};

typedef enum status query_target_fn(void *ctx, const struct query_target *t);
enum status query_view_links(struct query_view *v, uint32_t page, uint32_t max, query_target_fn *fn,
                             void *ctx) MUST_USE;

/* ---- hosts ---- */

struct query_host {
    struct str name;
    uint64_t pages;
    double relevance; /* mean */
    int64_t waiting;  /* URLs nobody has followed yet, some seconds ago; -1: not counted yet */
};

typedef enum status query_host_fn(void *ctx, const struct query_host *host);
/* The hosts with most pages. What waits is only known to a view that is warmed up
 * (query_view_warm()): it is counted by going through everything that became of URLs. */
enum status query_view_hosts(struct query_view *v, uint32_t n, query_host_fn *fn,
                             void *ctx) MUST_USE;
/* From which host to which a page was found first, most often first. */
typedef enum status query_edge_fn(void *ctx, struct str from, struct str to, uint64_t n);
enum status query_view_edges(struct query_view *v, uint32_t n, query_edge_fn *fn,
                             void *ctx) MUST_USE;
/* Is the index of links by their targets there (the crawl has ended)? */
enum status query_view_knows_targets(struct query_view *v, bool *ret) MUST_USE;

/* ---- samples and messages ---- */

typedef enum status query_sample_fn(void *ctx, int64_t id, int64_t at, struct str metric,
                                    double value);
enum status query_samples(struct query *q, int64_t after, query_sample_fn *fn, void *ctx) MUST_USE;

/* The oldest n after number `after`, of one conversation (empty: of all). */
enum status query_view_messages(struct query_view *v, struct str conversation, int64_t after,
                                uint32_t n, query_message_fn *fn, void *ctx) MUST_USE;
/* As query_conversations(). */
enum status query_view_conversations(struct query_view *v, bool contracts, uint32_t n,
                                     query_conversation_fn *fn, void *ctx) MUST_USE;

/* ---- what may be changed ---- */

/* Marks a URL of a crawl that nobody runs: 1 relevant, 0 irrelevant, -1 neither. ST_BUSY:
 * somebody does (ask it to do so). */
enum status query_mark(const char *dir, struct str url, int relevant) MUST_USE;
