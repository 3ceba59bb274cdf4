/* copies.h - how old and how fresh the kept copies are.
 *
 * In: the bus (EVENT_PAGE, EVENT_OUTCOME), or the looks of earlier runs from the database.
 * Out: figures of a moment, which samples.c posts as "copies", "copies.age" and so on.
 *
 * A copy is the newest stored version of a URL. A look at it is a visit that was answered:
 * another text (it changed), the same one or a 304 (it did not). A URL whose last look
 * was answered by 404, 410, a redirect or noindex has no copy until it has a page again. A
 * visit that failed otherwise is no look: the copy grows older.
 *
 *   age        mean over all copies of the time since the last look, to the millisecond
 *   freshness  the expected share of copies that still are what the web has: the mean of
 *
 *                  (B / (B + t)) ^ A      A = 1 + x,  B = 1 / r + T
 *
 *              for a copy that was looked at t ago, whose looks over a time of T showed x changes
 *              (rate x time, by the estimator of agent/change_rate.h), and r the rate of its host.
 *
 * It is not exp(-rate t), because a rate that was estimated from a few looks is uncertain, and the
 * mean over all possible rates is not the value at the mean rate. Changes are assumed to be random
 * (Poisson). The prior of a page's rate is exponential, with the rate of its host as its mean;
 * looks turn it into a gamma distribution, and the formula is the expectation over it. In the same
 * way a host begins as one change in the time that all pages take for one, and all pages as one
 * change a day.
 *
 * Thread: the mind's. Limits: 56 bytes a copy and 12 or more in the map; a look costs two
 * logarithms; a moment's freshness two a copy (measured in docs/watch.md).
 */
#pragma once

#include "base/status.h"
#include "flow.h"

struct copies;

struct copies_state {
    uint64_t copies;  /* now */
    uint64_t looks;   /* so far, including the first at each page */
    uint64_t changes; /* looks that found another text */
    double age;       /* s; NAN without copies */
    double freshness; /* 0 to 1; NAN without copies */
};

struct copies *copies_new(void);
void copies_free(struct copies *c);

void copies_listen(void *copies, const struct event *e); /* a bus_listen_fn */
/* Reads the looks of earlier runs from the directory of a crawl. */
enum status copies_recall(struct copies *c, const char *dir) MUST_USE;

/* Returns when the copy of a URL was last looked at, by the URL's number; 0 if there is none. */
int64_t copies_looked_at(const struct copies *c, uint32_t url);

struct copies_state copies_state(const struct copies *c, int64_t now);
