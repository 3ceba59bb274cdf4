/* appraisal.h - judges all pages of a crawl once more, with what is known at its end.
 *
 * A page's relevance is computed when the page arrives: the words of an early page are weighed
 * with the document frequencies of a few pages, those of a late one with the frequencies of
 * all. So the two cannot be compared. An appraisal sees all pages first, then trains a guide
 * (text/guide.h) on them and on the start pages, and says how likely each of them is to be
 * about the topic. It needs nothing from the model that crawled.
 *
 *     appraisal_see() for each page, appraisal_teach() for each mark of the user
 *     appraisal_learn()
 *     appraisal_of() for each page
 *
 * A guide that was trained on a start page is biased towards its words. So each start page is
 * judged by a guide that was trained without it (and without a fifth of the others, where
 * there are more than five).
 *
 * If there are more pages than APPRAISAL_DRAW, a random sample of them is remembered. The same
 * pages in the same order give the same answers, bit for bit. One thread.
 */
#pragma once

#include "flow.h"

struct appraisal;
struct topic;

#define APPRAISAL_DRAW 2000 /* pages; about 5 KB each while the appraisal exists */

/* The topic is lent. */
struct appraisal *appraisal_new(const struct topic *t);
void appraisal_free(struct appraisal *a); /* NULL is fine */

/* Shows it a page. `page` is the caller's number, used only once; `is_seed`: it is a start page. */
void appraisal_see(struct appraisal *a, uint32_t page, const struct profile *p, bool is_seed);
/* The user marked this page as about the topic (1) or not (0). */
void appraisal_teach(struct appraisal *a, uint32_t page, const struct profile *p, int relevant);
void appraisal_learn(struct appraisal *a);
/* How likely a page is to be about the topic, in [.01,.99]. It need not be one that was seen. */
double appraisal_of(struct appraisal *a, uint32_t page, const struct profile *p);

/* How much text a page has, in bytes. */
struct text_extent {
    size_t all;
    size_t main;   /* SIZE_MAX: it was not told from the rest */
    size_t linked; /* of the main text: in the anchors of links */
};

struct text_extent text_extent_of(const struct page *page);
/* The bytes of passages that lie in anchors; both in the order of the text. */
size_t text_linked(const struct passage *main, size_t nmain, const struct span *anchors, size_t n);

/* What the probability of such a page is multiplied by, so that lists of links, front pages and
 * feeds do not crowd out the documents that they lead to: from .25 (a feed; no main text at all,
 * or nothing but links) to 1 (400 bytes of main text, a tenth of all text, and at most half of it
 * in links; or a type without markup). */
double appraisal_document(struct str mime, const struct text_extent *e);
