/* crawl_int.h - the parts of a crawl, for the files of this folder. */
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

/* Why it is slow: counted as the wheel turns, reported once a second (samples.c). */
struct waits {
    uint32_t under_way[REQUEST_RESOLVE + 1]; /* requests, by kind */
    int64_t since;                           /* when the counting below began */
    int64_t waited;                          /* us in which the mind had nothing to do */
    uint32_t turns, stuck;                   /* of the wheel; those without room in the store */
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
    struct look_up *look_up;           /* visited pages, once more; NULL: not asked for */
    struct base *base;                 /* --base-from; NULL: none */
    struct feed_dates *feed_dates;     /* when entries of feeds were published */
    struct map guesses;                /* URLs that no page named (start/guesses.h) */
    struct search_later *search_later; /* more queries to --search; NULL: none */
    struct prompts *prompts;           /* visits that feeds and hubs ask for; NULL: none */
    struct copies *copies;             /* how fresh copies are; NULL: not measured */
    struct judged *judged;             /* what the model said of pages; NULL: it does not judge */
    struct spool *spool;               /* words of pages that are judged at the end; NULL: none */
    struct nature *nature;             /* what agents are made of; NULL: it is not kept */
    char *search_trouble;              /* why --search was not asked further; NULL: it was */
    struct wordbook *wordbook;         /* words behind terms; NULL: not needed */
    struct repeats *repeats;           /* passages of hosts; NULL: not wanted */
    struct looks *looks;               /* --requisites; NULL: not wanted */
    struct node *node;                 /* on several machines (node/node.h); NULL: alone */
    bool (*foreign)(void *node, struct str host); /* is a host another node's? NULL: alone */
    struct bus *bus;
    struct post *messages; /* between agents, not delivered yet */
    struct store *store;
    struct log *log;
    char *said; /* the last sentence of the model for people; NULL: none */

    /* the moment */
    int64_t now;
    int64_t started_at;      /* of this run */
    int64_t elapsed_before;  /* of earlier runs, us */
    int64_t checkpoint_at;   /* when the next one is due */
    int64_t checkpoint_step; /* us from the last one to it, unless it is costly */
    int64_t checkpoint_cost; /* us: as long as the last one asks to be waited after it */
    uint64_t checkpoints;    /* posted by this process */
    int64_t sample_at;       /* when the next samples are due */
    int64_t sample_step;     /* us from one to the next; 0: a second */
    int64_t paused_until;    /* no request goes out before; 0: any time */
    int64_t watch_at;        /* when the next progress call is due */
    bool fixed_vocab;        /* document frequencies come from a file */
    bool vocab_dirty;        /* published since the last checkpoint */
    bool model_idle;         /* `next` said no, and nothing came since */
    int stop;                /* set by crawl_stop(), from any thread; atomic */
    int64_t ask_until;       /* of a node: its lease, by clock_boot(); atomic */
    const int *stop_too;     /* stops many crawls at once; atomic; may be NULL */
    bool paused;             /* by the user (control.c) */
    bool is_open;            /* visits may be opened this turn */
    struct control *control; /* NULL: it takes no commands */
    struct waits waits;
    struct pace pace;
    struct outlook outlook; /* how much of the topic is found (enough.h) */
    uint64_t outlook_at;    /* pages at which it is looked at again */
    struct memory memory;   /* how much is in use, and how much may be */
    struct {
        uint32_t least, most;
    } range; /* agents the model is asked to keep; 0: unknown */
    enum crawl_end end;

    /* what failed before and is tried again (retry.c) */
    uint32_t *retry; /* their URLs; NULL: this is no retry */
    size_t retries;  /* how many */
    size_t retried;  /* chosen so far */

    /* figures */
    uint64_t pages, relevant, duplicates, failed, bytes, bytes_before;
    double relevance_sum;
    uint32_t open;       /* choices taken by the frontier and not ended */
    char complaint[512]; /* why a seed came to nothing */
    char trouble[512];   /* why the store waits before it writes; empty: it does not */
};

/* wire.c - the only place that names implementations, with wire_sim.c. */
enum status wire_parts(struct crawl *c) MUST_USE;
enum status wire_fetch(struct crawl *c) MUST_USE;
enum status wire_scope(struct crawl *c) MUST_USE;
enum status wire_model(struct crawl *c, bool in_lab) MUST_USE;
bool wire_looks_back(const struct crawl *c); /* does its model come back to pages? */
void wire_frontier(struct crawl *c);
void wire_population_event(void *crawl, const struct event *e);
/* wire_sim.c - the parts of a simulated crawl, fetch started, no store. */
enum status wire_simulation(struct crawl *c) MUST_USE;
void wire_free(struct crawl *c);

/* arrive.c - what came from fetch; it is released afterwards. */
void crawl_arrived(struct crawl *c, struct arrival *a);
/* A URL that no page names, though it may be worth a visit: a sitemap of robots.txt, a guess. */
void crawl_offer(struct crawl *c, struct str url, uint8_t kind, uint32_t host);
/* A visit ended without a page. */
void crawl_visit_failed(struct crawl *c, const struct choice *choice, enum drop why);
/* An event of this moment, for all listeners. */
void crawl_post(struct crawl *c, struct event *e);
/* Gives every link its number and its verdict where no page event carries
 * them: new URLs are posted one by one. */
void crawl_mark_apart(struct crawl *c, struct arrival *a);
/* A model that chooses late: its best link at a host, and the host of a URL
 * (late_calls). */
void crawl_wish(void *engine, uint32_t host, const struct wish *w);
uint32_t crawl_host(void *engine, uint32_t url);
/* One agent says something to another (talk_calls.send). */
void crawl_send(void *engine, const struct message *msg);
/* A page is one more document of the vocabulary. */
void crawl_learn_words(struct crawl *c, const struct arrival *a);

/* lifecycle.c - the options and the topic that a directory was crawled with. ST_USAGE: it was made
 * in another way. */
struct query;
enum status options_recall(const char *dir, struct query *q, struct crawl_options *into) MUST_USE;

/* seeds.c - gathers the places to start and hands them to the model. */
enum status seeds_gather(struct crawl *c, struct text_list *ret) MUST_USE;
/* Posts a URL that no page event carries: its number (0: it got none), and why it is not
 * offered to the model. */
void crawl_post_url(struct crawl *c, uint32_t url, const struct link *link, uint32_t from_page,
                    uint16_t depth, enum drop why);
/* A URL enters the crawl from outside a page: a seed, or what the robots.txt of `host` names
 * (0: no host). Returns its number, or 0. */
uint32_t crawl_meet(struct crawl *c, struct str url, uint8_t kind, uint32_t host, uint16_t depth,
                    enum drop *ret_why);
/* The number of a URL that the crawl knows; 0: it does not. */
uint32_t crawl_find(struct crawl *c, struct str url);
/* The same as crawl_meet() for the Location of a redirect, resolved against its request. */
uint32_t crawl_meet_location(struct crawl *c, const struct arrival *a, enum drop *ret_why);

/* lifecycle.c - the seeds become the first known URLs; the model hears of them. */
enum status crawl_meet_seeds(struct crawl *c, const struct text_list *seeds) MUST_USE;
void crawl_start_model(struct crawl *c);
/* A crawl as it was at its last commit. */
enum status crawl_continue(const char *dir, const struct crawl_options *o,
                           struct crawl **ret) MUST_USE;

/* held.c - the process confines itself, unless options say no: files once the directory
 * exists and before threads start, system calls once its own sockets are open. */
enum status held_files(struct crawl *c) MUST_USE;
void held_calls(struct crawl *c);

/* retry.c - the next visit of a retry; false: all were chosen. */
bool retry_next(struct crawl *c, struct choice *ret);

/* checkpoint.c - the state of one moment, and back. */
void checkpoint_post(struct crawl *c);
/* Microseconds to the next one: `step`, or more after one that was slow to make or
 * is large; never more than the window that docs/adr/0016 states. */
int64_t checkpoint_wait(int64_t step, int64_t made_in, int64_t bytes);
enum status checkpoint_load(struct crawl *c) MUST_USE;
/* samples.c - figures for curves: once a second, or `now`. */
void samples_post(struct crawl *c, bool now);
/* A bus listener: how many agents the model is asked to keep. */
void samples_hear(void *crawl, const struct event *e);
/* crawl(key,value): "energy.living" and so on (agent/ledger.h). */
void books_post(struct crawl *c);
void totals_post(struct crawl *c);
void outlook_post(struct crawl *c);
/* crawl(key,value): "model.figures", what the model says of itself. */
void figures_post(struct crawl *c);
void options_post(struct crawl *c); /* crawl(key,value): "option.NAME" */
