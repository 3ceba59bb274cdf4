/* crawl_int.h - the struct of a crawl and its functions, for the files of this folder. */
#pragma once

#include "agent/model.h"
#include "agent/outlook.h"
#include "base/map.h"
#include "crawl/crawl.h"
#include "crawl/memory.h"
#include "crawl/pace.h"
#include "crawl/simulate.h"
#include "crawl/wire.h"
#include "frontier/host_settings.h"
#include "text/topic.h"

/* What a crawl waits for: counted in each turn of the wheel, reported once a second (samples.c). */
struct waits {
    uint32_t under_way[REQUEST_RESOLVE + 1]; /* requests, by kind */
    int64_t since;                           /* when the counting below began */
    int64_t waited;                          /* us in which the mind had nothing to do */
    uint32_t turns, stuck;                   /* turns of the wheel; those with a full store */
};

#define WARC_LEVEL 1 /* of deflate */

struct crawl {
    const struct crawl_options *options;
    char *dir;

    /* the stages, in the order of the flow */
    struct model *model;
    struct model_ctx model_ctx;
    struct population *population;
    struct scope *scope;
    struct host_settings hosts; /* lent to the frontier */
    struct frontier *frontier;
    const struct fetch_ops *fetch;
    void *fetch_self;
    struct wire_fetch wire;              /* what fetch was started with, lent to it */
    const struct simulation *simulation; /* only for wire_sim.c; NULL: the live web */
    struct digest *digest;
    struct documents *documents; /* NULL in a simulation */
    struct topic *topic;
    struct vocab *vocab;
    struct df_table *table;            /* the newest published */
    struct profiler *profiler;         /* the mind's own, for link contexts */
    struct look_up *look_up;           /* visited pages, read again; NULL: not needed */
    struct base *base;                 /* --base-from; NULL: none */
    struct feed_dates *feed_dates;     /* when entries of feeds were published */
    struct map guesses;                /* URLs that no page named (start/guesses.h) */
    struct search_later *search_later; /* more queries to --search; NULL: none */
    struct prompts *prompts;           /* visits that feeds and hubs ask for; NULL: none */
    struct copies *copies;             /* how fresh copies are; NULL: not measured */
    struct judged *judged;             /* the model's verdicts on pages; NULL: it does not judge */
    struct spool *spool;               /* words of pages that are judged at the end; NULL: none */
    struct nature *nature;             /* descriptions of agents; NULL: not kept */
    char *search_trouble;              /* why further queries to --search failed; NULL: none did */
    struct wordbook *wordbook;         /* words behind terms; NULL: not needed */
    struct repeats *repeats;           /* passages that hosts repeat; NULL: not wanted */
    struct looks *looks;               /* --requisites; NULL: not wanted */
    struct node *node;                 /* on several machines (node/node.h); NULL: alone */
    bool (*foreign)(void *node, struct str host); /* is it another node's host? NULL: alone */
    struct bus *bus;
    struct post *messages; /* between agents, not delivered yet */
    struct store *store;
    struct log *log;
    char *said; /* the model's last message for people; NULL: none */

    /* the moment */
    int64_t now;
    int64_t started_at;      /* of this run */
    int64_t elapsed_before;  /* of earlier runs, us */
    int64_t checkpoint_at;   /* when the next checkpoint is due */
    int64_t checkpoint_step; /* us between checkpoints, unless they are costly */
    size_t checkpoint_parts; /* bytes of parts that the last one had */
    int64_t checkpoint_cost; /* us to wait after the last one, because of its cost */
    uint64_t checkpoints;    /* posted by this process */
    int64_t sample_at;       /* when the next samples are due */
    int64_t sample_step;     /* us from one to the next; 0: a second */
    int64_t paused_until;    /* no request is sent before this time; 0: no pause */
    int64_t watch_at;        /* when the next progress call is due */
    bool fixed_vocab;        /* document frequencies come from a file */
    bool vocab_dirty;        /* published since the last checkpoint */
    bool model_idle;         /* `next` had no choice, and nothing arrived since */
    int stop;                /* set by crawl_stop(), from any thread; atomic */
    int64_t ask_until;       /* for a node: the end of its lease, by clock_boot(); atomic */
    const int *stop_too;     /* stops many crawls at once; atomic; may be NULL */
    bool paused;             /* by the user (control.c) */
    bool is_open;            /* visits may be opened this turn */
    struct control *control; /* NULL: it accepts no commands */
    struct waits waits;
    struct pace pace;
    struct outlook outlook; /* how much of the topic is found (enough.h) */
    uint64_t outlook_at;    /* number of pages at which it is computed again */
    struct memory memory;   /* memory in use, and its ceiling */
    struct {
        uint32_t least, most;
    } range; /* number of agents that the model should keep; 0: unknown */
    enum crawl_end end;

    /* visits that failed before and are tried again (retry.c) */
    uint32_t *retry; /* their URLs; NULL: this is not a retry */
    size_t retries;  /* how many */
    size_t retried;  /* chosen so far */

    /* figures */
    uint64_t pages, relevant, duplicates, failed, bytes, bytes_before;
    double relevance_sum;
    uint32_t open;       /* choices that the frontier has taken and that have not ended */
    char complaint[512]; /* why a seed failed */
    char trouble[512];   /* why the store cannot write at present; empty: it can */
};

/* wire.c - the only place that names implementations, with wire_sim.c. */
enum status wire_parts(struct crawl *c) MUST_USE;
enum status wire_fetch(struct crawl *c) MUST_USE;
enum status wire_scope(struct crawl *c) MUST_USE;
enum status wire_model(struct crawl *c, bool in_lab) MUST_USE;
bool wire_looks_back(const struct crawl *c); /* does the crawl's model return to visited pages? */
void wire_frontier(struct crawl *c);
void wire_population_event(void *crawl, const struct event *e);
/* wire_sim.c - the parts of a simulated crawl, fetch started, no store. */
enum status wire_simulation(struct crawl *c) MUST_USE;
void wire_free(struct crawl *c);

/* arrive.c - handles an arrival from fetch, and releases it. */
void crawl_arrived(struct crawl *c, struct arrival *a);
/* Offers the model a URL that no page names but that may be worth a visit: a sitemap in robots.txt,
 * or a guess. */
void crawl_offer(struct crawl *c, struct str url, uint8_t kind, uint32_t host);
/* A visit ended without a page. */
void crawl_visit_failed(struct crawl *c, const struct choice *choice, enum drop why);
/* Posts an event to all listeners, with the current time. */
void crawl_post(struct crawl *c, struct event *e);
/* Gives every link of an arrival its number and its verdict, if no page event carries them: new
 * URLs are posted one by one. */
void crawl_mark_apart(struct crawl *c, struct arrival *a);
/* For a model that chooses late (late_calls): sets its best link at a host; returns the host of a
 * URL. */
void crawl_wish(void *engine, uint32_t host, const struct wish *w);
uint32_t crawl_host(void *engine, uint32_t url);
/* Sends a message from one agent to another (talk_calls.send). */
void crawl_send(void *engine, const struct message *msg);
/* Counts a page as one more document of the vocabulary. */
void crawl_learn_words(struct crawl *c, const struct arrival *a);

/* lifecycle.c - reads the options and the topic with which a directory was crawled. ST_USAGE if the
 * directory was not made by a crawl. */
struct query;
enum status options_recall(const char *dir, struct query *q, struct crawl_options *into) MUST_USE;

/* seeds.c - gathers the seeds and passes them to the model. */
enum status seeds_gather(struct crawl *c, struct text_list *ret) MUST_USE;
/* Posts a URL that no page event carries, with its number (0: none) and the reason why it is not
 * offered to the model. */
void crawl_post_url(struct crawl *c, uint32_t url, const struct link *link, uint32_t from_page,
                    uint16_t depth, enum drop why);
/* Adds a URL that does not come from a page: a seed, or a URL in the robots.txt of `host` (0: no
 * host). Returns its number, or 0. */
uint32_t crawl_meet(struct crawl *c, struct str url, uint8_t kind, uint32_t host, uint16_t depth,
                    enum drop *ret_why);
/* Returns the number of a URL; 0 if the crawl does not know it. */
uint32_t crawl_find(struct crawl *c, struct str url);
/* Does the same as crawl_meet() for the Location of a redirect, resolved against its request. */
uint32_t crawl_meet_location(struct crawl *c, const struct arrival *a, enum drop *ret_why);

/* lifecycle.c - makes the seeds the first known URLs and passes them to the model. */
enum status crawl_meet_seeds(struct crawl *c, const struct text_list *seeds) MUST_USE;
void crawl_start_model(struct crawl *c);
/* Restores a crawl as it was at its last commit. */
enum status crawl_continue(const char *dir, const struct crawl_options *o,
                           struct crawl **ret) MUST_USE;

/* held.c - confines the process, unless the options forbid it: its files when the directory exists
 * and before threads start, its system calls when its own sockets are open. */
enum status held_files(struct crawl *c) MUST_USE;
void held_calls(struct crawl *c);

/* retry.c - gets the next visit of a retry; false if all were chosen. */
bool retry_next(struct crawl *c, struct choice *ret);

/* checkpoint.c - saves the state of the crawl, and restores it. */
void checkpoint_post(struct crawl *c);
/* Returns the microseconds to the next checkpoint: `step`, or more if the last one was slow to make
 * or large, but never more than the limit of docs/adr/0016. */
int64_t checkpoint_wait(int64_t step, int64_t made_in, int64_t bytes);
enum status checkpoint_load(struct crawl *c) MUST_USE;
/* samples.c - figures for curves: once a second, or `now`. */
void samples_post(struct crawl *c, bool now);
/* A bus listener for the number of agents that the model should keep. */
void samples_hear(void *crawl, const struct event *e);
/* Posts crawl(key,value) "energy.living" and so on (agent/ledger.h). */
void books_post(struct crawl *c);
void totals_post(struct crawl *c);
void outlook_post(struct crawl *c);
/* Posts crawl(key,value) "model.figures", the model's own figures. */
void figures_post(struct crawl *c);
void options_post(struct crawl *c); /* crawl(key,value): "option.NAME" */
