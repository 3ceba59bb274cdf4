/* change_rate.h - how often a page changes, from visits that see only whether it did.
 *
 * A visit shows whether a page changed since the one before, not how often. Counting
 * changes per time would therefore underestimate pages that change often. For n visits at
 * equal distances I of which X saw a change, Cho and Garcia-Molina (Estimating
 * frequency of change, 2003) give the estimate
 *
 *     r = -ln((n - X + 0.5) / (n + 0.5)) / I
 *
 * which is finite even if every visit saw one. Distances here are not equal. With C the
 * time between visits that saw a change and those before them, U that of the other visits
 * and c = C / X, m = (C + U) / n the mean distances, ours is
 *
 *     r = ln((C + U + m / 2) / (U + m / 2)) / c
 *
 * which is theirs for equal distances, and otherwise the maximum of the likelihood where
 * the distances that saw a change are equal among themselves.
 */
#pragma once

#include "base/fields.h"

#include <stdbool.h>
#include <stdint.h>

/* What visits of a page, or of all pages of a host, have shown. Zeroed: there were none. */
struct change_seen {
    uint32_t visits;  /* after the first: each ends an interval */
    uint32_t changes; /* of these visits, those that saw a change */
    double changed;   /* C, seconds */
    double unchanged; /* U */
};

/* Notes a visit `seconds` after the one before. */
void change_note(struct change_seen *s, double seconds, bool changed);

/* Changes a second; 0 if none was seen. */
double change_rate(const struct change_seen *s);

/* The same for a page with few visits: computed as if CHANGE_PRIOR more visits had shown the rate
 * `prior`. For a page the prior is its host's rate, for a host the rate of all pages. */
#define CHANGE_PRIOR 3
double change_rate_near(const struct change_seen *s, double prior);

extern const struct field change_fields[];
