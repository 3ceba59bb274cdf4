/* relate.h - how close words and pages are to a query in meaning.
 *
 * A query has few words, but a crawl compares millions with it. So the neighbourhood of
 * the query is computed once, as a table from terms to cs (models/crew/wordnet_cs.h);
 * each comparison is then one look-up.
 *
 *     relate_term   cs of one term: max over the query's words
 *     relate_span   a_u, the weight of a link's anchor: max over its words too, so
 *                   that it is 1 where the anchor has a word of the query
 *     relate_page   Sim of a page: the cosine of d, its n heaviest tf-idf terms, and
 *                   q, q_i = cs(term_i, query)
 *
 * The query has the words of the topic that are not negative; a phrase counts as its
 * words, and as one lemma if WordNet has it (heat_pump).
 *
 * Where we differ from the paper (Du, Xu, Wang 2016, eq. 5): with its floor of 0.001
 * q is flat on a page without any related word, and the cosine of two flat vectors
 * is high: 20 terms of weight 1/rank give 0.64, more than the 0.16 of a page with a
 * related word at rank 5. Our floor is 0, and Sim = 0 on such a page. rules.floor =
 * CS_PRINTED_FLOOR repeats the paper.
 *
 * A table is made for one language, the topic's; terms are ids of stems in that
 * language (text/vocab.h). Limits: lemmas of several words (ice_cream), or with a
 * hyphen, are not in the table, for a page's terms are single words; words with the
 * same stem are one term (university, universe), so the closer one counts. Immutable
 * once made: all threads may share it.
 */
#pragma once

#include "text/topic.h"
#include "models/crew/wordnet_cs.h"

#define RELATE_TERMS     20  /* n of Sim, if not given */
#define RELATE_TERMS_MAX 256 /* the largest n */

struct relate;

/* Makes the table of a topic. `w` is needed only here; if it is NULL, or the language is not
 * English, only equal stems are related. Takes less than a millisecond for a word, or a few for one
 * near the root of WordNet with a great depth. */
struct relate *relate_new(const struct wordnet *w, const struct cs_rules *rules,
                          const struct topic *topic);
void relate_free(struct relate *r); /* NULL is fine */

float relate_term(const struct relate *r, uint32_t term);

/* For words of a page, by their places in page->words (link.anchor); stop words do not count. An
 * empty span gives the floor. */
float relate_span(const struct relate *r, const struct profile *p, struct span span);

/* Sim, in [0,1]. `df` may be NULL; n = 0 stands for RELATE_TERMS. */
float relate_page(const struct relate *r, const struct profile *p, const struct df_table *df,
                  size_t n);

/* The cosine that Sim is; 0 if one vector is 0. */
float relate_cosine(const float *d, const float *q, size_t n);
