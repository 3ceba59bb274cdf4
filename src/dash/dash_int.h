/* dash_int.h - the parts of a dashboard. Inside dash/ only. */
#pragma once

#include "base/limits.h"
#include "dash/children.h"
#include "dash/connections.h"
#include "dash/crawls.h"
#include "dash/dash.h"
#include "dash/events.h"
#include "dash/call.h"
#include "store/read/as_json.h"

#define DASH_TOKEN 32 /* hex digits */

#define DASH_THREADS \
    3 /* ticker: events, ended children; keeper: slow connections, which nothing
                        * that a crawl does may hold up; and the one that works ahead */

struct MHD_Daemon;

/* The thread that works ahead, so that the data for the next click is ready.
 *
 * It opens the crawls and updates their views (store/read/view.h) when the dashboard begins and
 * when a crawl is found; then every few seconds while a browser shows them. If no browser does and
 * the crawl runs, it spends a three-hundredth of its time on it, enough for some hundred pages a
 * second; with a faster crawl it catches up at the first click or when the crawl ends. It also
 * fills the word index of a crawl that is searched and has none of its own yet (store/read/view.h),
 * as long as searches come. All this is done in slices of some 10 ms with pauses in between: a
 * request waits for one slice.
 *
 * The tables of a view take memory: they are made in advance for at most WARM_PAGES pages; other
 * crawls get them at the first click. */
struct ahead {
    int64_t due_at[LIMIT_DASH_CRAWLS]; /* when to look at each again */
    bool passed[LIMIT_DASH_CRAWLS];    /* it has been up to date once */
    uint64_t pages[LIMIT_DASH_CRAWLS]; /* pages that it had; for the first WARM_CRAWLS */
};

struct dash {
    struct crawls crawls;
    struct connections connections;
    struct events events;
    struct children children;
    struct ahead ahead;
    struct text_list labs;
    char *root, *program, *page, *bind;                                /* as in the configuration */
    void (*check)(const struct text_list *argv, struct mistakes *ret); /* may be NULL */
    uint16_t port;
    char token[DASH_TOKEN + 1];
    char *url;
    struct MHD_Daemon *daemon;
    int listener;
    pthread_t threads[DASH_THREADS];
    size_t nthreads; /* number of running threads */
    int stopping;    /* atomic */
    size_t held;     /* atomic: bytes of answers that clients have not read yet */
    int downloads;   /* atomic: those being made */
};

/* server.c */
enum status server_start(struct dash *d, int port) MUST_USE;
void server_stop(struct dash *d);

/* Writes the overview's members into an open object; `all`: also those that never change. The crawl
 * is entered. */
void overview_put(struct json *j, struct dash_crawl *c, bool all);
/* Writes the list of all crawls, an array. */
void crawls_put(struct json *j, struct dash *d);

/* These write a page of a list, or an agent as a node of the tree or the head of its card, as
 * members of an open object. The crawl is entered. */
#define PAGE_ROW /* as the manual shows it */                                                    \
    "{rank, id, url, title, relevance, p: what the model or the end of the crawl says or null, " \
    "sure: 0 to 100, agent, agent_name, host, mime, "                                            \
    "fetched_at, date, status, depth, "                                                          \
    "seed: bool, label: \"relevant\"|\"irrelevant\"|null, version_of}"
void page_row_put(struct json *j, struct dash_crawl *c, const struct query_page *p);
#define AGENT_ROW "id, name, kind, generation, energy, pages, born_at, died_at, death"
void agent_row_put(struct json *j, struct dash_crawl *c, const struct query_agent *a);
