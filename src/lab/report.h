/* report.h - what the results say: tables, tests, verdicts; for the terminal and
 * as one self-contained HTML file. Everything is computed from struct results.
 */
#ifndef LAB_REPORT_H
#define LAB_REPORT_H

#include "lab/results.h"

/* ---- comparisons: paired over topics ---- */

struct comparison {
    uint32_t world, a, b; /* models */
    int metric;
    struct quantity at;
    size_t topics;
    double mean_a, mean_b, difference, low, high; /* bootstrap interval of the difference */
    double t_p, wilcoxon_p; /* Holm-corrected over all pairs of this world, metric and place */
};

/* All pairs of models in one world at one place. Free the array. */
size_t compare_all(const struct results *r, uint32_t world, int metric, struct quantity at,
                   struct comparison **ret);

/* ---- claims ---- */

enum verdict_kind { CLAIM_REPRODUCED, CLAIM_NOT_REPRODUCED, CLAIM_MIXED, CLAIM_UNTESTED };
const char *verdict_name(enum verdict_kind v); /* "reproduced" … */

struct claim_result {
    const struct plan_claim *claim;
    enum verdict_kind verdict;
    struct comparison *where; /* one a world it was tested on */
    size_t count;
};

/* plan->nclaims of them. Free with claims_free(). */
struct claim_result *claims_judge(const struct results *r);
void claims_free(struct claim_result *c, size_t count);

/* ---- output ---- */

void report_terminal(const struct results *r, struct buf *out);
enum status report_html(const struct results *r, const char *command, const char *path) MUST_USE;

#endif
