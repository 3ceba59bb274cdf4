/* metric.h - the metrics that are measured along a simulated crawl.
 *
 * A metric is a row of a table: name, unit, what it means, whether it needs
 * labels or a web that changes. A meter listens to one run's events and notes
 * every metric at every point of the grid (docs/lab.md). What judges a run is independent of what
 * guides the model: targets come from labels or, for topics given as words, from relevance
 * (plan.relevant or more). Relevance is always the cosine with the topic's words, and sim(p, D)
 * uses the targets' own texts.
 *
 *   recall       targets found : targets, both of those that can be reached from the seeds;
 *                seeds and examples do not count
 *   precision    targets found : pages, seeds and examples left out of both
 *   relevant-hosts   hosts with a target that was found : hosts with a target, as in recall
 *   relevance    mean relevance of the pages
 *   harvest      pages of relevance >= plan.relevant : pages
 *   d-recall     SUM sim(p, D)                     D: mean of the targets' tf-idf vectors
 *   d-precision  the same, a page
 *   p@20, p@50   targets : pages, of the 20 or 50 that a user would be shown first
 *                (meter_rank.h)        ndcg@50     how far up the targets stand there
 *   estimate     the share of the topic that is found, as the model's judgements have it
 *                (agent/outlook.h)     estimate-error   how far that is from recall
 *   promise      1 where recall was between .80 and .97 at the first point where the estimate
 *                was .90 or more, else 0; nothing before
 *   words@20, words@50   p@20 and p@50, if the list were by relevance alone
 *   pages        fetched               seconds     of simulated time
 *   population   agents alive          energy      sum over the living
 *   inside       of a model with bounds: pages during which the population was never outside
 *                what its options ask for (EVENT_RANGE) : pages, since it first got there
 *   at-upper     of a model with bounds: pages at which nine tenths of the upper bound were
 *                alive, or more : pages
 *   swing        most agents alive - least, since the first page
 *   rewarded     new pages worth more than 0 energy, whoever got it : new pages; seeds, on
 *                which agents are put, are worth nothing and do not count
 *   freshness    stored pages that are what the web has now (Cho & Garcia-Molina); pages whose
 *                last look was answered by 404 or 410 count no more
 *   age          s since the first change after the last look, mean over stored pages
 *   last-age     s since the last change, of pages that changed since the last look (as
 *                Palotai, Farkas and Lorincz word it; they differ where a page changed twice)
 *   recency      mean of 1 / (1 + d), d: days from the last look to the page's last change
 *   efficiency   targets found a simulated minute
 *   overlap      fetches of pages that were fetched before : fetches
 *   messages     between agents
 *   contracts    awarded (accept-proposal); links-transferred: taken over by contractors
 *
 * Of a web that is watched (meter_news.h; Palotai, Farkas and Lorincz, table 1):
 *
 *   downloads    answers of the web: pages, "not modified", redirects, failures
 *   found-urls   distinct pages : downloads
 *   sent         documents sent to the judge (EVENT_SENT)
 *   news         of them, those that were relevant: the first of a new document
 *   download-efficiency   news : downloads     sent-efficiency   news : sent
 *   window-efficiency, window-sent   the same since the point before, which is the window
 *   roughness    mean difference of a window's efficiency from the next one's : their mean
 *   news-freshness, news-age   freshness and last-age of the pages that brought news
 *   changes-seen real changes of pages that can be reached whose page was looked at within
 *                a day : such changes so far
 *   changes-told the same, where the look led to a version that was stored
 *   false-alarms later versions stored of pages that had not really changed (stamps of
 *                version control) since the version before
 *   diverged     agents whose learning diverged
 */
#pragma once

#include "flow.h"
#include "lab/plan/plan.h"

struct model;
struct topic;
struct web;

/* The rows of metric_table, in order. */
enum metric_id {
    METRIC_RECALL,
    METRIC_PRECISION,
    METRIC_RELEVANCE,
    METRIC_HARVEST,
    METRIC_D_RECALL,
    METRIC_D_PRECISION,
    METRIC_PAGES,
    METRIC_SECONDS,
    METRIC_POPULATION,
    METRIC_ENERGY,
    METRIC_INSIDE,
    METRIC_AT_UPPER,
    METRIC_SWING,
    METRIC_REWARDED,
    METRIC_FRESHNESS,
    METRIC_AGE,
    METRIC_LAST_AGE,
    METRIC_RECENCY,
    METRIC_EFFICIENCY,
    METRIC_OVERLAP,
    METRIC_MESSAGES,
    METRIC_CONTRACTS,
    METRIC_LINKS_TRANSFERRED,
    METRIC_DOWNLOADS,
    METRIC_FOUND_URLS,
    METRIC_SENT,
    METRIC_NEWS,
    METRIC_DOWNLOAD_EFFICIENCY,
    METRIC_SENT_EFFICIENCY,
    METRIC_WINDOW_EFFICIENCY,
    METRIC_WINDOW_SENT,
    METRIC_ROUGHNESS,
    METRIC_NEWS_FRESHNESS,
    METRIC_NEWS_AGE,
    METRIC_CHANGES_SEEN,
    METRIC_CHANGES_TOLD,
    METRIC_FALSE_ALARMS,
    METRIC_DIVERGED,
    METRIC_P_20,
    METRIC_P_50,
    METRIC_NDCG_50,
    METRIC_WORDS_20,
    METRIC_WORDS_50,
    METRIC_ESTIMATE,
    METRIC_ESTIMATE_ERROR,
    METRIC_PROMISE,
    METRIC_RELEVANT_HOSTS,
    METRIC_COUNT
};

struct metric {
    const char *name, *unit, *help;
    bool needs_labels, needs_change;
    bool less_is_better;
    bool is_share;  /* from 0 to 1 */
    bool of_agents; /* by default left out where it never changes in any run: crawlers
                       with one agent have nothing to show */
};

extern const struct metric metric_table[]; /* ends with a NULL name */
int metric_find(struct str name);          /* index, or -1 */

/* The facts by which a run is judged; lent for the life of the meter. */
struct truth {
    const struct web *web;    /* NULL: the web does not move, and `judge` is NULL too */
    uint32_t urls;            /* URLs of the web: 1 to urls */
    const bool *is_target;    /* by URL; NULL: unknown */
    const bool *is_reachable; /* by URL: targets that count for recall; NULL: all */
    const bool *is_given;     /* by URL: seeds and examples, which do not count */
    uint32_t targets;         /* number of targets that can be found */
    uint32_t reachable;       /* pages that can be reached from the seeds */
    const float *description; /* by URL: sim(p, D); NULL without labels */
    double relevant;
    const struct topic *judge; /* the topic's words alone, where the model was given more;
                                  NULL: what guides the model is what judges */
};

struct meter;
/* `step`: the grid, plan.sample; a share is one of t->reachable. A run begins with the first
 * event. */
struct meter *meter_new(const struct truth *t, struct quantity step);
void meter_free(struct meter *m);
/* Asks for the metrics of the ranked list and of the estimate, which need known targets; to be
 * called before the first event. Without this call they are not measured. */
void meter_want_ranks(struct meter *m);
/* Sets the model that runs; NULL when it has ended. It is used only for the metrics of the ranked
 * list. */
void meter_set_model(void *meter, const struct model *model);
void meter_listen(void *meter, const struct event *e); /* a bus_listen_fn */
/* Adds the last points of a run that ended at `now`. On a grid of time, stored pages continue to
 * age from the last event until `now`. */
void meter_finish(struct meter *m, int64_t now);

/* Returns the number of points so far; the k-th row has a value for every row of metric_table. */
size_t meter_points(const struct meter *m);
const double *meter_row(const struct meter *m, size_t point);
/* Returns the x of a point: pages, share of the reachable pages, or seconds. For points on the grid
 * it is the same in every run. */
double meter_x(const struct meter *m, size_t point);
