/* top_terms.c - the n heaviest of a page's terms, by insertion.
 * SPDX-License-Identifier: MIT
 *
 * n is about 20 and a page has some hundred terms: nearly all of them fail the one
 * comparison with the lightest kept so far. */
#include "models/crew/top_terms.h"

#include "text/vec.h"
#include "text/vocab.h"

size_t top_terms(const struct profile *p, const struct df_table *df, size_t n, struct top_term *ret)
{
    size_t count = 0;

    for (uint32_t i = 0; i < p->nterms && n > 0; i++) {
        struct top_term t = {p->terms[i].id, 0};
        size_t at;

        t.weight = (float)(vec_tf(p->terms[i].count) * (double)df_idf(df, t.id));
        /* ids ascend: an equal weight met later stands behind */
        if (count == n && !(t.weight > ret[n - 1].weight))
            continue;
        at = count < n ? count++ : n - 1;
        for (; at > 0 && ret[at - 1].weight < t.weight; at--)
            ret[at] = ret[at - 1];
        ret[at] = t;
    }
    return count;
}
