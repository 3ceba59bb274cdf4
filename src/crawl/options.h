/* options.h - everything a user can set for a crawl, as one struct and one
 * table (base/option.h). The command line, --config and `resume` fill it; the
 * values a crawl ran with are kept in crawl(key,value) as "option.NAME". */
#pragma once

#define CRAWL_PATIENCE "0.7" /* docs/results/politeness.md says why */

#include "base/option.h"

struct confine;

/* The state of a node that is asked a question, and the order that the question gives it. */
struct asked_node {
    uint64_t id;
    const char *dir;
    bool paused;
    enum { ASKED_NOTHING, ASKED_PAUSE, ASKED_CONTINUE } order; /* out */
};

struct crawl_options {
    /* what */
    char *words;                 /* the topic, from the command line */
    char *topic_text;            /* a resumed crawl's topic; not in the table */
    struct text_list topic;      /* topic files */
    char *idf;                   /* table of document frequencies */
    struct text_list seed;       /* URLs */
    char *seeds;                 /* file of URLs, or "-" */
    char *seeds_from;            /* an earlier crawl, or a file of places */
    char *seeds_from_cdx;        /* the index of a web archive: a URL or a file */
    struct text_list seeds_only; /* patterns: of these lists, only those */
    int64_t seeds_most;          /* the most places taken from such a list */
    char *base_from;             /* an earlier crawl whose pages count as visited */
    char *search;                /* URL template of a search engine */
    int64_t search_queries, search_hits;
    char *model;
    int seeds_are;        /* 0: examples of the topic, 1: places to begin */
    struct text_list set; /* the model's options, key=value */
    int64_t rng;
    char *out;
    char *config;
    char *dashboard; /* port, or "auto"; NULL: none */
    bool json, quiet, no_wait;
    double relevant; /* from this relevance on a page counts as relevant */
    /* limits */
    int64_t pages;
    int64_t duration; /* us; 0: none */
    uint64_t bytes, rate, memory;
    char *until; /* share of the topic, as text; NULL: none */
    int64_t max_depth, pages_per_host, host_budget, host_urls;
    /* scope */
    struct text_list scope, exclude;
    char *exclude_hosts, *lang;
    char *types; /* of documents that are read */
    /* network */
    int64_t threads, connections, per_host;
    int64_t delay, timeout; /* us */
    double patience;        /* 0: every free host gets a request; 1: only for the best links */
    int64_t retries;
    char *proxy, *cookies, *ca_file;
    struct text_list header;
    struct text_list hosts; /* settings of single hosts (frontier/host_settings.h) */
    /* manners */
    char *contact, *purpose, *identity;
    bool no_robots, allow_private, no_warc, no_index, keep_repeats, requisites, wishes;
    struct text_list resolve;
    /* several machines */
    char *nats, *creds, *name; /* the servers; a file of credentials; the crawl's name there */
    int64_t lease;             /* us */
    uint64_t snapshot;         /* bytes that a log may grow without a new one; 0: any number */
    int64_t nodes, copies;     /* expected at the beginning; of the stream on the servers */
    /* Appends a node's answer to a question (cluster/question.h) about its directory; NULL: none is
     * given. Called from a thread of its own; not in the table. */
    void (*answer)(void *ctx, struct asked_node *node, struct str question, struct buf *ret);
    void *answer_ctx;
    bool joins; /* joins an existing crawl (`brood node`); not in the table */
    /* how the process is confined (base/os/confine.h) */
    bool no_confine;
    bool listens;            /* a part of the process listens on a port; not in the table */
    struct confine *confine; /* with files of options; NULL: not confined; not in the table */
};

extern const struct option crawl_option_table[];

void crawl_options_init(struct crawl_options *o);       /* the defaults */
void crawl_options_init_empty(struct crawl_options *o); /* to be restored into */
void crawl_options_free(struct crawl_options *o);

/* Appends an option as it is kept in the database (the items of a list one a line, secrets hidden:
 * base/os/secret.h); the other function reads it back. credentials.h asks for the secrets again. */
void crawl_option_text(const struct option *op, const struct crawl_options *from, struct buf *out);
enum status crawl_option_restore(const struct option *op, struct crawl_options *into,
                                 struct str text) MUST_USE;

/* Reads the file that an option names; error messages name the option. */
enum status option_file_read(const char *option, const char *path, struct buf *into) MUST_USE;
