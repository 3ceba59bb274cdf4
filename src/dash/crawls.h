/* crawls.h - the crawls a dashboard shows: directories, their state, a view of each.
 *
 * A crawl is found in a directory that was given, or in one of its children, and keeps
 * its id (a hash of its real path) for ever. An entry lives as long as the dashboard;
 * one whose directory vanished is skipped.
 *
 * Any thread may enter a crawl; one at a time is inside. What is expensive was read once
 * (store/read/view.h) and is brought up to date when a thread enters; mostly the
 * thread that works ahead has done so before (dash_int.h).
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

/* What a running crawl says of itself, asked at most twice a second. Its answer may take a
 * fifth of one: callers that ask often do so before they enter (crawl_ask()). */
struct crawl_live {
    bool answers; /* a process runs it */
    bool paused;
    int64_t asked_at;                            /* 0: never */
    int64_t pages_limit, for_limit, bytes_limit; /* 0: none; us; bytes; -1: unknown */
    char trouble[512];                           /* why it pauses by itself; empty: it does not */
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
    pid_t child;          /* atomic: the process we started for it; 0: none */
    bool started;         /* atomic: by us, at some time */
    uint64_t version;     /* grows with every change that was seen */
    int64_t whole_at;     /* when more than its figures was asked for; 0: never */
    int64_t rest_until;   /* it took too long to be read: not before then; 0: it did not */
    bool closed;          /* its indexes are made, so it cannot be running */
    int64_t closed_at;    /* when that was seen to happen; 0: it was so from the beginning */
    struct buf cache_map; /* of the whole map, and when it was made */
    int64_t cache_map_at; /* 0: never */
    uint64_t cache_map_version;
    uint32_t cache_map_n;
};

struct crawls {
    pthread_mutex_t lock; /* of the list; entries stay where they are */
    struct dash_crawl *items[LIMIT_DASH_CRAWLS];
    size_t count;
    int64_t scanned_at;
    struct text_list places; /* that were given, and --root */
};

void crawls_init(struct crawls *all);
void crawls_clear(struct crawls *all);
/* Looks for new ones: `now`, or because a client asks, which is done at most every second. */
void crawls_scan(struct crawls *all, bool now);
struct dash_crawl *crawls_find(struct crawls *all, struct str id); /* NULL: none */
/* The entry of a directory, made where it is new. NULL: there are too many. */
struct dash_crawl *crawls_add(struct crawls *all, const char *dir);
/* One on several machines; it owns `far`. */
void crawls_add_far(struct crawls *all, struct far *far);
/* The i-th; NULL: there are fewer. */
struct dash_crawl *crawls_at(struct crawls *all, size_t i);

/* Locks it, opens and refreshes its view (the `whole` of it, or totals and samples alone),
 * begins one moment. On failure it is not entered. ST_BUSY: others have it for too long;
 * ST_STOPPED: it is too much to be read. */
enum status crawl_enter(struct dash_crawl *c, bool whole) MUST_USE;
void crawl_leave(struct dash_crawl *c);
/* Between the two: from here on the whole view is needed, which may be of a later moment. The
 * caller leaves after a failure, too. */
enum status crawl_need_whole(struct dash_crawl *c) MUST_USE;

/* Asks a crawl how it is, if it is time to, while others may be inside. */
void crawl_ask(struct dash_crawl *c);

/* This process was started for it; has ended. */
void crawl_child_began(struct dash_crawl *c, pid_t child);
void crawl_child_ended(struct dash_crawl *c, pid_t child);
/* Has it been started here, and does that process live? */
void crawl_birth(const struct dash_crawl *c, bool *ret_started, bool *ret_lives);

/* For the thread that works ahead (dash_int.h): opens the view if need be and takes one step
 * of it, *ret_pages counted so far. *ret_hurry: a browser shows it, or it has ended.
 * False: there is nothing left to do. */
bool crawl_warm(struct dash_crawl *c, bool whole, uint64_t *ret_pages, bool *ret_hurry);
/* The index that a search since then would like to be fed; NULL: none. Release it. */
struct word_index *crawl_text(struct dash_crawl *c, int64_t asked_since);

/* Inside. */
enum crawl_state crawl_state(struct dash_crawl *c);
bool crawl_is_watch(struct dash_crawl *c);
/* A key of the crawl as text or number; an empty buffer, or the fallback. */
void crawl_key(struct dash_crawl *c, const char *key, struct buf *ret);
double crawl_key_number(struct dash_crawl *c, const char *key, double fallback);
/* What the model says of itself, to be given back by json_decref(); NULL: nothing. */
json_t *crawl_figures(struct dash_crawl *c);
