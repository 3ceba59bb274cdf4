/* keywords.h - the inputs of an agent's net for a link: keywords near it, weighted by
 * their distance (docs/models/infospiders.md).
 *
 *     in(k,l) = SUM over occurrences of k in the page's text with dist <= rho of 1 : dist
 *
 * Distance is counted in links, not words: 1 + the number of other links in between. Text
 * just before link g is gap g, text behind the last one gap n:
 *
 *       gap 0   [anchor 0]   gap 1   [anchor 1]   gap 2
 *     to link 0:   1         1          1        2            2
 *     to link 1:   2         2          1        1            1
 *
 *     gap g      1 + (l - g) where g <= l,   g - l where g > l
 *     anchor j   1 + |j - l|
 *
 * Words of the title are near no link. Links that the page does not show (in its head or
 * its HTTP headers) are near nothing and do not count. It reads every word at most once,
 * and takes 2 rho additions for each occurrence.
 */
#pragma once

#include "base/rng.h"
#include "flow.h"

#define KEYWORDS_MAX     256 /* the most that an agent can have */
#define KEYWORDS_RHO_MAX 1000

/* Where the inputs of links are written: a row has one number for each keyword. Most rows of a page
 * stay 0; `lit` says which do not, so that the others need not be read. */
struct keyword_rows {
    const uint32_t *of; /* by link: its row; KEYWORDS_NO_ROW: not wanted */
    float *in;          /* all 0 before the call */
    uint8_t *lit;       /* by row: it is not all 0; 0 before the call */
};
#define KEYWORDS_NO_ROW UINT32_MAX

/* `words` are distinct terms; each link has a row of its own. */
void keyword_inputs(const struct page *page, const struct profile *profile, const uint32_t *words,
                    size_t count, unsigned rho, const struct keyword_rows *to);

/* Raw-count cosine of a page and keywords of weight 1, in [0,1]. */
double keyword_similarity(const struct profile *profile, const uint32_t *words, size_t count);

/* Returns the most frequent term of the page that is not a keyword yet (of several, the lowest
 * number), or draws one in proportion to its count; 0 if there is none. */
uint32_t keyword_commonest(const struct profile *profile, const uint32_t *words, size_t count);
uint32_t keyword_drawn(const struct profile *profile, const uint32_t *words, size_t count,
                       struct rng *r);
