/* crawls.h - the crawls that a dashboard shows: directories, their state, a view of each.
 *
 * A crawl is found in a directory that was given, or in one of its children, and its id (a hash of
 * its real path) never changes. An entry lives as long as the dashboard; one whose directory was
 * removed is skipped.
 *
 * Any thread may enter a crawl, one at a time. Data that is expensive to compute is kept
 * (store/read/view.h) and updated when a thread enters; usually the thread that works ahead has
 * done so before (dash_int.h).
 */
#pragma once

#include "base/option.h"
#include "dash/api/series.h"
#include "store/read/view.h"

#include <jansson.h>
#include <pthread.h>
#include <sys/types.h>

enum crawl_state { STATE_STARTING, STATE_RUNNING, STATE_PAUSED, STATE_FINISHED, STATE_DEAD };

const char *crawl_state_name(enum crawl_state s);

/* What a running crawl reports of itself, asked at most twice a second. Its answer may take a fifth
 * of a second, so callers that ask often do so before they enter (crawl_ask()). */
struct crawl_live {
    bool answers; /* a process runs it */
    bool paused;
    int64_t asked_at;                            /* 0: never */
    int64_t pages_limit, for_limit, bytes_limit; /* 0: none; us; bytes; -1: unknown */
    char trouble[512];                           /* why it paused by itself; empty: it did not */
};

struct dash_crawl {
    char id[20];
    char *dir, *name;
    pthread_mutex_t lock; /* of all below that is not atomic */
    struct query *view;   /* NULL: not opened yet */
    dev_t device;         /* of crawl.db when it was opened */
    ino_t inode;
    bool gone;            /* the directory has no crawl.db */
    struct series series; /* its samples */
    struct news_times news;
    struct far
        *far; /* it is on several machines and has no directory here (far/far.h); else NULL */
    struct crawl_live live;
    pid_t child;          /* atomic: the process that we started for it; 0: none */
    bool started;         /* atomic: by us, at some time */
    uint64_t version;     /* increased with every change that is noticed */
    int64_t whole_at;     /* when the whole view was last needed; 0: never */
    int64_t rest_until;   /* reading it took too long: not before then; 0: it did not */
    bool closed;          /* its indexes are made, so it cannot be running */
    int64_t closed_at;    /* when that was noticed; 0: it was closed from the beginning */
    struct buf cache_map; /* JSON of the whole map, and when it was made */
    int64_t cache_map_at; /* 0: never */
    uint64_t cache_map_version;
    uint32_t cache_map_n;
};

struct crawls {
    pthread_mutex_t lock; /* of the list; entries never move */
    struct dash_crawl *items[LIMIT_DASH_CRAWLS];
    size_t count;
    int64_t scanned_at;
    struct text_list places; /* the directories given, and --root */
};

void crawls_init(struct crawls *all);
void crawls_clear(struct crawls *all);
/* Looks for new crawls: `now`, or because a client asks, which is done at most once a second. */
void crawls_scan(struct crawls *all, bool now);
struct dash_crawl *crawls_find(struct crawls *all, struct str id); /* NULL: none */
/* Returns the entry of a directory, which is added if it is new. NULL if there are too many. */
struct dash_crawl *crawls_add(struct crawls *all, const char *dir);
/* Adds a crawl on several machines; its entry owns `far`. */
void crawls_add_far(struct crawls *all, struct far *far);
/* Returns the i-th crawl; NULL if there are fewer. */
struct dash_crawl *crawls_at(struct crawls *all, size_t i);

/* Locks the crawl, opens and refreshes its view (`whole`, or only totals and samples), and begins a
 * consistent reading. After a failure it is not entered. ST_BUSY if others hold it for too long;
 * ST_STOPPED if reading it takes too long. */
enum status crawl_enter(struct dash_crawl *c, bool whole) MUST_USE;
void crawl_leave(struct dash_crawl *c);
/* For a caller inside: refreshes the whole view, which may then be of a later moment. After a
 * failure, too, the caller must leave. */
enum status crawl_need_whole(struct dash_crawl *c) MUST_USE;

/* Asks a running crawl for its state, if that is due. Others may be inside. */
void crawl_ask(struct dash_crawl *c);

/* The process `child` was started for the crawl; it has ended. */
void crawl_child_began(struct dash_crawl *c, pid_t child);
void crawl_child_ended(struct dash_crawl *c, pid_t child);
/* Was it started here, and does that process still run? */
void crawl_birth(const struct dash_crawl *c, bool *ret_started, bool *ret_lives);

/* For the thread that works ahead (dash_int.h): opens the view if necessary and does one step of
 * its refresh; *ret_pages are counted so far. *ret_hurry: a browser shows it, or it has ended.
 * Returns false if there is nothing left to do. */
bool crawl_warm(struct dash_crawl *c, bool whole, uint64_t *ret_pages, bool *ret_hurry);
/* Returns the index that a search since that time needs to be filled, to be released; NULL if there
 * is none. */
struct word_index *crawl_text(struct dash_crawl *c, int64_t asked_since);

/* The functions from here on are for callers inside. */
enum crawl_state crawl_state(struct dash_crawl *c);
bool crawl_is_watch(struct dash_crawl *c);
/* Gets a key of the crawl as text or as number. If it is missing, the buffer is empty, or the
 * fallback is returned. */
void crawl_key(struct dash_crawl *c, const char *key, struct buf *ret);
double crawl_key_number(struct dash_crawl *c, const char *key, double fallback);
/* Returns the model's figures, to be released with json_decref(); NULL if there are none. */
json_t *crawl_figures(struct dash_crawl *c);
