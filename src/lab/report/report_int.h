/* report_int.h - what the files of the report share: summaries, curves, words.
 *
 * Reading order: summary.c (figures), compare.c, say.c (sentences), text.c and
 * json.c; curves.c, then svg.c and figure.c; the HTML: page.c (its JSON), html.c, page/page.js.
 */
#pragma once

#include "base/json.h"
#include "lab/report/report.h"

/* ---- summary.c: figures of one (world, metric, place) ---- */

struct summary {
    size_t nmodels, ntopics;
    double *values; /* nmodels x ntopics: means over repeats; NAN where there is no run */
    double *mean;   /* by model, over its topics */
    double *half;   /* half of the 95 % interval of the mean; NAN below 2 topics */
    size_t *topics; /* number of topics in the mean */
    bool *best;     /* the best mean as printed, lab-only models left out */
};

void summary_make(const struct results *r, uint32_t world, int metric, struct quantity at,
                  struct summary *ret);
void summary_free(struct summary *s);
/* Sorts the models by their means, the best first; models without a mean last. */
void summary_order(const struct summary *s, int direction, uint32_t *ret_order);

bool report_less_is_better(const struct results *r, int metric);
/* Returns 1 if more is better, -1 if less is, 0 if neither is. */
int report_direction(const struct results *r, int metric);
/* Does any run of this world have a value of this metric? False also for the x of the curves. */
bool report_applies(const struct results *r, uint32_t world, int metric);
/* Do all models have the same values of it, topic by topic? Then there is nothing to compare. */
bool report_is_alike(const struct results *r, uint32_t world, int metric);
/* Returns the number of topics needed for a verdict; 0 if there are enough, or nothing to
 * compare. */
size_t report_needs_topics(const struct results *r, uint32_t world);
bool report_is_lab_only(const struct results *r, uint32_t model);
/* Returns the place that box plots, topics and sentences refer to: the last of plan->at. */
struct quantity report_place(const struct results *r);

/* ---- compare.c ---- */

/* Returns the same comparison with a and b exchanged. */
struct comparison comparison_turned(struct comparison c);

/* ---- curves.c ---- */

struct curves {
    size_t npoints, nmodels;
    double *x;
    double *mean, *half; /* nmodels x npoints; NAN where unknown */
    double slack;        /* a run that ends this much before a point counts there */
};

/* After a crawl has ended it no longer counts: the mean is over the topics that are still crawled,
 * and stops when these are fewer than half. Topics are the unit of the band. `x` is the unit of the
 * axis; QUANTITY_NONE: that of the plan's sample. */
void curves_make(const struct results *r, uint32_t world, int metric, enum quantity_kind x,
                 struct curves *ret);
void curves_free(struct curves *c);
/* Returns the x of a point of a run (pages, a share, seconds); the other function that of the last
 * point. */
double curve_x(const struct results *r, const struct result_run *run, size_t k,
               enum quantity_kind x);
double curve_end(const struct results *r, const struct result_run *run, enum quantity_kind x);

/* ---- json.c, page.c ---- */

/* Writes one metric at one place: means, and all pairs of models. */
void place_json(const struct results *r, uint32_t world, int metric, struct quantity at,
                struct json *j);
/* A member "claims". */
void claims_json(const struct results *r, const struct claim_result *claims, struct json *j);
/* Appends everything that page/page.js draws. Unlike report_json() it has no figures of the
 * machine: the same results make the same page. */
void report_page_json(const struct results *r, const char *command, struct buf *out);

/* ---- say.c: words ---- */

void say_number(struct buf *out, double v); /* "0.123", "45.6", "1234", "-" */
/* Appends " ± 0.012", with as many digits as the mean it belongs to; nothing for NAN. */
void say_half(struct buf *out, double half, double mean);
void say_signed(struct buf *out, double v); /* "+0.123" */
void say_p(struct buf *out, double p);      /* "< 0.001", "0.012", "-" */
/* Appends "+0.1 to +0.2", followed by " (t)" if it is Student's. */
void say_interval(struct buf *out, const struct comparison *c);
/* Appends "3 topics are too few for any verdict: Wilcoxon over 10 pairs needs at least 9". */
void say_too_few(struct buf *out, const struct results *r, uint32_t world);
void say_place(struct buf *out, struct quantity at); /* "20 % of the reachable pages" */
/* Appends the findings as plain text, one sentence a line. */
void say_findings(const struct results *r, const struct claim_result *claims, struct buf *out);
/* Appends what a claim asserts: "best-first n=256 better than breadth-first by 0.02". */
void say_claim(struct buf *out, const struct plan_claim *c);
