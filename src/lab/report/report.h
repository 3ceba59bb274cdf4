/* report.h - evaluates results: tables, tests, verdicts; for the terminal, as JSON and as one
 * self-contained HTML file. Everything is computed from struct results, without a clock: the same
 * results give the same bytes. Only the CPU time of the runs, which JSON has, differs between two
 * runs of a plan.
 *
 * The unit is the topic: repeats are averaged first, and two models are compared
 * on the topics on which both were run.
 */
#pragma once

#include "lab/run/results.h"

/* ---- comparisons: paired over topics ---- */

#define COMPARE_LEVEL     0.05       /* p below it: the models differ */
#define COMPARE_NO_MODEL  UINT32_MAX /* in place of b: a claim's fixed value */
#define COMPARE_BOOTSTRAP 10         /* topics; of fewer the bootstrap's intervals are too narrow */
#define CLAIM_TOPICS \
    6 /* below it no claim is tested: with 5 Wilcoxon's p is never
                                below 0.0625 */

struct comparison {
    uint32_t world, a, b; /* models */
    int metric;           /* of results->metrics */
    struct quantity at;
    size_t topics;          /* on which both were run */
    double mean_a, mean_b;  /* over these topics */
    double difference;      /* a - b */
    double low, high;       /* 95 % interval of it: by bootstrap (fixed seed) … */
    bool by_t;              /* … or, below COMPARE_BOOTSTRAP topics, Student's */
    double t_p, wilcoxon_p; /* Holm-corrected over all pairs of this world, metric
                                       and place; NAN below 2 topics, as are low and high */
};

/* All pairs of models (a < b) in one world at one place. Free the array. */
size_t compare_all(const struct results *r, uint32_t world, int metric, struct quantity at,
                   struct comparison **ret);

/* The larger of the two corrected p values: what tables print. */
double comparison_p(const struct comparison *c);
/* Do both tests find a difference? */
bool comparison_is_decided(const struct comparison *c);
/* Returns the number of topics below which that is impossible for any values: Wilcoxon's smallest p
 * for n topics is 2^(1-n), and Holm's correction multiplies it by the number of pairs. */
size_t compare_topics_needed(size_t pairs);

/* ---- claims ---- */

/* On one world. The gain is the difference in the claimed direction: better - than,
 * or than - better where less of the metric is better; its 95 % interval [low, high].
 *
 *              holds                               fails
 *   by         gain > 0, gain >= by, low > 0       high <= 0, or high < by
 *   within     -within <= low, high <= within      low > within, or high < -within
 *
 * Anything else is undecided. With fewer than CLAIM_TOPICS topics a claim is not tested. */
enum claim_finding { CLAIM_HOLDS, CLAIM_FAILS, CLAIM_UNDECIDED, CLAIM_TOO_FEW };
const char *finding_name(enum claim_finding f); /* "holds" … */

/* The verdict over all worlds in which the claim is tested: it holds in all - reproduced; it fails
 * in all - not reproduced; it holds in one and fails in another - mixed; anything else - undecided.
 * Untested if there is no such world. */
enum verdict_kind {
    CLAIM_REPRODUCED,
    CLAIM_NOT_REPRODUCED,
    CLAIM_MIXED,
    CLAIM_OPEN, /* "undecided" */
    CLAIM_UNTESTED
};
const char *verdict_name(enum verdict_kind v); /* "reproduced" … */

struct claim_result {
    const struct plan_claim *claim;
    enum verdict_kind verdict;
    struct comparison *where;    /* one a world it was tested on; a: better, b: than. Against
                                    a value: b is COMPARE_NO_MODEL, p uncorrected */
    enum claim_finding *finding; /* the same number */
    size_t count;
    const char *note; /* why it is untested; NULL otherwise */
};

/* Returns plan->nclaims results, to be freed with claims_free(). */
struct claim_result *claims_judge(const struct results *r);
void claims_free(struct claim_result *c, size_t count);

/* ---- output ---- */

/* Appends text for a terminal of 100 columns, without colours. */
void report_terminal(const struct results *r, struct buf *out);
/* Tables, comparisons and verdicts for programs. */
void report_json(const struct results *r, struct buf *out);
/* `command` is the command that repeats the experiment (report_command()). */
enum status report_html(const struct results *r, const char *command, const char *path) MUST_USE;
/* One figure as SVG: means with their 95 % bands and single runs. ST_USAGE if it names something
 * that the results do not have. */
enum status report_figure(const struct results *r, const struct plan_figure *f,
                          struct buf *out) MUST_USE;
/* Appends "brood lab run FILE", quoted for a shell if necessary. */
void report_command(const struct results *r, struct buf *out);
