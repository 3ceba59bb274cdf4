/* crawl.h - one crawl, from its options to its directory.
 *
 *     crawl_new()    reads topic, scope, model and seeds; makes the directory
 *     crawl_resume() the same from an existing directory
 *     crawl_run()    turns the wheel until a limit, the end, or crawl_stop()
 *     crawl_close()  commits, judges the pages again, indexes the full text, frees
 *
 * The wheel itself is crawl.c; reading it after flow.h is reading brood.
 */
#pragma once

#include "agent/outlook.h"
#include "crawl/options.h"
#include "flow.h"

struct crawl;
struct bus;
struct log;

enum crawl_end {
    CRAWL_RUNNING,
    CRAWL_PAGES,    /* --pages reached */
    CRAWL_TIME,     /* --for */
    CRAWL_BYTES,    /* --bytes */
    CRAWL_ENOUGH,   /* --until */
    CRAWL_MEMORY,   /* --memory */
    CRAWL_COMPLETE, /* no link left that may be followed */
    CRAWL_RETRIED,  /* what had failed was tried again */
    CRAWL_STARVED,  /* no seed could be fetched, or the population died out */
    CRAWL_STOPPED,  /* the user */
    CRAWL_FENCED,   /* a node: others have taken its place */
    CRAWL_FAILED,   /* the store cannot write */
};

const char *crawl_end_sentence(enum crawl_end end);

/* The state of a crawl, for progress lines, the summary and the dashboard. */
struct crawl_status {
    enum crawl_end end;
    int64_t now, started_at, elapsed; /* elapsed: all runs of this crawl, us */
    uint64_t pages, committed, relevant, duplicates, failed;
    uint64_t requisites, requisite_bytes; /* stored; 0 without --requisites */
    uint64_t pages_limit;
    double relevance_sum;
    uint64_t received; /* bytes of all replies, pages and others */
    uint32_t urls, waiting, in_flight;
    uint32_t hosts, hosts_met; /* that gave a page; that a link named */
    uint32_t held;             /* hosts left idle: nothing there is worth a visit (--patience) */
    uint32_t alive, born;
    bool is_node; /* of a crawl on several machines: the figures are its own */
    int64_t left; /* estimated us until it ends; -1: unknown */
    struct outlook outlook;
    const char *trouble; /* lent: why it has paused (the disk is full); empty: it has not */
};

typedef void crawl_watch_fn(void *ctx, const struct crawl_status *s);

/* The options are lent for the crawl's life. */
enum status crawl_new(const struct crawl_options *o, struct crawl **ret) MUST_USE;
enum status crawl_resume(const char *dir, const struct crawl_options *o,
                         struct crawl **ret) MUST_USE;

/* Appends what crawl_resume() found, as a sentence without its full stop. */
void crawl_found(const struct crawl *c, struct buf *ret);

/* Adds seeds to a crawl that has begun. ST_USAGE if none of them is new and may be fetched, or if
 * one is on a public host and --contact is missing. */
enum status crawl_more_seeds(struct crawl *c, const struct text_list *seeds,
                             size_t *ret_taken) MUST_USE;

/* Reads the options with which a directory was crawled; `into` is initialised. `trusted`: the user
 * gave --trust. Otherwise ST_USAGE if another user chose them (trust.h), except for those named in
 * `said` (may be NULL), which the user gave again. */
enum status crawl_options_read(const char *dir, bool trusted, const struct text_list *said,
                               struct crawl_options *into) MUST_USE;

/* `watch` is called about five times a second, on this thread; may be NULL. */
enum status crawl_run(struct crawl *c, crawl_watch_fn *watch, void *ctx) MUST_USE;

/* Asks the crawl to stop; safe in a signal handler. */
void crawl_stop(struct crawl *c);

/* For crawls that run for months. crawl_pause(): no request is sent before `until` (0: now); those
 * under way are completed. The next function sets the us from one row of samples to the next
 * (default: a second). */
void crawl_pause(struct crawl *c, int64_t until);
void crawl_sample_every(struct crawl *c, int64_t step);

/* From here on samples show the age and the freshness of the copies (crawl/watch/copies.h), with
 * the visits of earlier runs. To be called before crawl_run(). */
enum status crawl_count_looks(struct crawl *c) MUST_USE;

/* Commits everything posted so far; to be called after crawl_run(). */
enum status crawl_settle(struct crawl *c) MUST_USE;

void crawl_status(const struct crawl *c, struct crawl_status *ret);
const char *crawl_dir(const struct crawl *c);
const struct topic *crawl_topic(const struct crawl *c);
const char *crawl_said(const struct crawl *c); /* the model's last message; empty: none */
struct bus *crawl_bus(struct crawl *c);        /* to listen */
struct log *crawl_log(struct crawl *c);        /* crawl.log */

/* Returns why nothing was fetched, for people: the first failures of seeds. */
const char *crawl_complaint(const struct crawl *c);

/* Called while the pages are judged again (crawl/judge/appraise.h) and the full text is indexed.
 * Returns false to skip the rest of that step. `what`: "indexing the full text". */
typedef bool crawl_index_fn(void *ctx, const char *what, uint64_t done, uint64_t total);
enum status crawl_close(struct crawl *c, crawl_index_fn *progress, void *ctx) MUST_USE;
