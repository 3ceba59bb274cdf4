/* plan.h - the description of an experiment: what is compared, on which worlds, how often.
 *
 *     name: baselines
 *     about: all baselines on a generated web and on wikispeedia
 *     worlds:
 *       - worlds/some-crawl                    a directory, relative to the plan
 *       - {name: hard, dir: worlds/wikispeedia, exclude: ["w.example/index/?*"]}
 *       - {name: made, make: {kind: topical, pages: 20000, hosts: 200, rng: 7}}
 *     topics: labels                           or [solar energy, heat pumps],
 *                                              or {labels: {min: 20, max: 25%, most: 30}}
 *     seeds: on-topic                          or {on-topic: 3}, {distance: 2, count: 3}
 *     examples: {positive: 10, negative: 40}   for models that learn from examples
 *     models:
 *       - breadth-first
 *       - {name: best-first, set: {n: [1, 256], parents: [max, mean]}}   4 variants
 *     pages: 20%                               of the pages that can be reached, or a number
 *     time: 60m                                of simulated time
 *     repeats: 5
 *     rng: 1
 *     network: {connections: 1, delay: 0s, latency: 0s, per-host: 1, robots: yes,
 *               host-budget: 0}
 *     sample: 1%                               of the reachable pages; or 100 (pages), or 3h
 *     at: [5%, 10%, 20%]                       where tables and tests look (pages, %, or time)
 *     metrics: [recall, precision, relevance]  lab/run/metric.h has the list; default: all that apply
 *     claims:
 *       - {id: B1, says: "…", metric: recall, at: 10%, world: hard,
 *          better: "best-first n=256", than: "best-first", by: 0.02}
 *
 * No world is opened here: a plan is parsed, checked against the models' option tables and the
 * tables of `world make`, and expanded to variants. Every error says "FILE:LINE: …" and how to
 * correct it.
 */
#pragma once

#include "base/option.h"
#include "sim/make/make.h"

/* A number of pages, a share of those that can be reached, or a time. */
enum quantity_kind { QUANTITY_NONE, QUANTITY_PAGES, QUANTITY_SHARE, QUANTITY_TIME };

struct quantity {
    enum quantity_kind kind;
    double value; /* pages; (0,1]; us */
};

/* Appends it as in a plan: "1500", "10 %", "2 h". */
void quantity_show(struct quantity q, struct buf *out);
/* Returns k times the quantity (pages or a share) as whole pages, at least 1. Budgets, places and
 * points of the grid are all rounded here. */
uint64_t quantity_pages(struct quantity q, double k, uint32_t reachable);

struct plan_world {
    char *name;               /* for tables */
    char *dir;                /* of an existing world, as written; NULL: make it */
    struct make_config *make; /* NULL: it exists */
    struct text_list made_of; /* "key=value" as given under `make`, for the report */
    struct text_list exclude; /* patterns */
    struct text_list main;    /* what is read only from main text: terms, contexts, near, change */
    unsigned main_parts;      /* the same as PROFILE_MAIN_* */
    unsigned line;
};

/* A model with one setting of its options. */
struct plan_model {
    char *label; /* "best-first n=256 parents=mean": name, then what differs from the
                    defaults; unique in the plan */
    char *name;
    struct text_list settings; /* "key=value" */
    unsigned line;
};

enum plan_idf { IDF_WORLD, IDF_LEARNED };
enum seed_rule { SEEDS_ON_TOPIC, SEEDS_DISTANCE, SEEDS_APART };

/* A comparison that a paper or the plan's author claims. */
struct plan_claim {
    char *id, *says, *source;
    char *metric;
    struct quantity at;
    char *world;         /* NULL: every one */
    char *better, *than; /* labels of plan_models; than NULL: against `value` */
    double value;        /* where than is NULL */
    double by;           /* `better` is better by at least this; below 0: worse by no more
                            than that … */
    double within;       /* … or, if > 0, both are equal within this */
    char *since;         /* the commit in which it was first written; NULL: not given */
    char *was;           /* its words before results were known, if it was changed later */
    unsigned line;
};

#define PLAN_FIGURE_RUNS      5 /* single runs drawn for each model, by default */
#define PLAN_FIGURE_RUNS_MOST 100

/* A metric drawn along the crawl, with a panel for each world. */
struct plan_figure {
    char *id, *says, *source;
    char *metric;
    char *world;             /* NULL: a panel for every one */
    struct text_list models; /* labels; empty: all */
    enum quantity_kind x;    /* QUANTITY_NONE: the unit of `sample` */
    struct quantity to;      /* end of the axis; QUANTITY_NONE: end of the runs */
    double low, high;        /* of the other axis; NAN: from the values */
    uint32_t runs;           /* single runs drawn of each model, evenly spread over all */
    unsigned line;
};

struct plan {
    char *name, *about;
    char *file;      /* as given on the command line */
    struct buf text; /* the plan as written: kept in results.db */
    struct plan_world *worlds;
    size_t nworlds;
    bool label_topics;       /* `topics: labels` … */
    uint32_t label_min;      /* targets a label must have (20) */
    double label_max;        /* share of the pages it may have at most (0.25) */
    uint32_t label_most;     /* topics taken at most, spread evenly over the list; 0: all */
    struct text_list topics; /* … or words */
    unsigned topics_line;    /* where `topics` stands */
    enum seed_rule seed_rule;
    uint32_t seed_count;         /* 3 */
    uint32_t seeds_off;          /* 0; pages of other topics, beside those on the topic */
    uint32_t seed_distance;      /* links to walk back from targets */
    uint32_t positive, negative; /* example pages; 10 and 40 where a model wants some */
    struct plan_model *models;
    size_t nmodels;
    struct quantity pages, time; /* budgets; at least one */
    uint32_t repeats;
    uint64_t rng;
    int64_t delay;
    int64_t latency;
    bool measured;        /* latencies as on the real web */
    double slow;          /* share of the hosts … */
    int64_t slow_latency; /* … whose downloads take this long */
    double patience;
    uint32_t connections, per_host, host_budget;
    bool robots;
    int idf;         /* enum plan_idf: how the models weigh words */
    double relevant; /* without labels: a page of this relevance is a hit (0.1) */
    struct quantity sample;
    struct quantity *at;
    size_t nat;
    struct text_list metrics; /* empty: all that apply */
    struct plan_claim *claims;
    size_t nclaims;
    struct plan_figure *figures;
    size_t nfigures;
};

/* Reads and parses a file, and checks that its worlds exist. */
enum status plan_read(const char *file, struct plan **ret) MUST_USE;
/* The same without the check of the worlds. */
enum status plan_load(const char *file, struct plan **ret) MUST_USE;
/* Parses a text without reading the disk; `file` is for messages and for relative paths. */
enum status plan_parse(struct str text, const char *file, struct plan **ret) MUST_USE;
void plan_free(struct plan *p);

void plan_figure_init(struct plan_figure *f); /* sets the defaults */
void plan_figure_clear(struct plan_figure *f);
/* Reads "pages", "share" or "time"; returns false for other words. */
bool plan_axis(struct str name, enum quantity_kind *ret);

/* Appends the path of a world's directory: ${NAME} is replaced from the environment, and the path
 * is relative to the plan's own directory. */
enum status plan_world_dir(const struct plan *p, const struct plan_world *w,
                           struct buf *out) MUST_USE;
enum status plan_find_worlds(const struct plan *p) MUST_USE; /* do all of them exist? */
