/* guide.h - is this page about the topic? A measure that learns as the crawl goes on.
 *
 * The topic's words alone say little: a page about the topic need not contain them. Start pages are
 * examples of the topic: the words that they share belong to it, and words that only one of them
 * has mostly do not. Later, the pages with the best scores are examples, too.
 *
 *     x   a page: (1 + ln tf) idf for each term, divided by 7/10 of its length and 3/10 of a usual
 *         page's; a word of the title or of the first 40 words of the main text counts 9 times
 *         (profile_terms())
 *     q   the topic's words, its negative words (-word) with negative weights; c the sum of the
 *         start pages, each term times the square of the share of the start pages that have it;
 *         each made length 1
 *     w0  = q + c, made length 4
 *
 *     untrained   p(x) = w0 x / (1.5 t)           in [.01,.99]; t: the mean product of a start
 *                                                 page with q + c of the other start pages
 *     trained     p(x) = 1/2 + (w x + bias) / 2   in [.01,.99]
 *
 * The length of a usual page is the mean over the start pages, or, after a training, over all
 * remembered pages. So a long page about the topic, which has words about other things too, is not
 * far behind a short one, and a page of a few words, mostly a list of links, is not ahead of all
 * others (Singhal et al. 1996 call this pivoted length normalisation).
 *
 * A training sorts the remembered pages by the score
 *
 *     s = [(q x - mean) + (c x - mean)] / sqrt(sd_q^2 + sd_c^2)
 *         + z(p of the pages linked with it) / 2 + z(p so far) / 2
 *
 * The examples of a training are the best tenth, 30 at most, and the start pages (the latter with
 * weight 3), and its counterexamples are the lowest three tenths; each kind has the same total
 * weight. w is the ridge regression on +1 and -1 that is pulled towards w0. A training is due at 8
 * pages, then each time the pages have grown by a half until there are 64, then each time they have
 * doubled.
 *
 * A start page counts less if it is less than half as similar to the words and to the other start
 * pages as the most similar start page is (guide_seed_weight()). A single start page counts less
 * if its cosine with the words is below .025. From the ninth page on, its q x is also compared
 * with the mean q x of the best tenth of the other pages, 30 at most. At .3 of that mean or less
 * it does not count, and from .6 on it counts fully: a page that is far behind is only a place to
 * begin, such as the front page of a manual. The p of a start page leaves out what it contributed
 * to w, so that it can be compared with the p of other pages.
 *
 * If there are example pages of both kinds (topic_samples()), the guide is trained on these and on
 * the first ten start pages: it is a linear SVM with squared loss on (1 + ln tf) sqrt(idf) of pages
 * that are scaled to length 1, and its descent begins at 2 q. Its probabilities are fitted to
 * margins of example pages that were held out (text/estimate.h). A start page counts less if it is
 * less than half as probable as the most probable one, judged by the example pages alone.
 *
 * While a crawl goes on, a regression ends early, because it only guides the crawl; how steep p is
 * then depends on the order of the pages. With config.is_exact it is solved to the end, so that p
 * can be compared between crawls.
 *
 * After any training, a negative word of the topic has at most the weight that it has in 4 q.
 *
 * If the topic has `match` patterns, a page that matches none of them is not about the topic.
 *
 * A guide remembers a given number of pages with their words; if there are more, it keeps a random
 * sample of them and every start page. Terms of forgotten pages stay. Their number grows slowly: of
 * n pages, m (1 + ln(n / m)) enter a sample of m pages at some time. The same pages in the same
 * order give the same answers, bit for bit. Thread: the mind only.
 */
#pragma once

#include "base/buf.h"
#include "base/status.h"
#include "flow.h"

struct df_table;
struct guide;
struct topic;

struct guide_config {
    size_t memory;         /* pages remembered for training; about 2.5 KB each */
    bool seeds_are_places; /* start pages are only places to begin, not examples */
    bool is_exact;         /* regressions are solved exactly */
};

struct guide *guide_new(const struct topic *t, const struct guide_config *config);
void guide_free(struct guide *g);

/* From now on regressions are solved exactly (config.is_exact). */
void guide_be_exact(struct guide *g);

/* How likely is a page to be about the topic? `df` is the current table. */
double guide_probability(struct guide *g, const struct profile *p, const struct df_table *df);

/* Adds a visited page, with a number of the caller's. Returns its p, or, for a start page, the
 * weight with which it counts. */
double guide_add(struct guide *g, const struct profile *p, const struct df_table *df, uint32_t page,
                 bool is_seed);

/* The user marked a visited page as about the topic (1) or not (0), or removed the mark
 * (-1, without terms). A marked page is an example like a start page, from the next
 * training on, which is due soon. `id` is the caller's number of the page. Marks are
 * not part of the saved state. */
void guide_teach(struct guide *g, uint32_t id, const struct term *terms, size_t nterms,
                 int relevant);

/* Are there enough new pages for another training? */
bool guide_is_due(const struct guide *g);

/* Returns what the caller knows about a remembered page: the mean p of the pages linked with it. */
typedef double guide_near_fn(void *ctx, uint32_t page);
/* Receives the new p of a remembered page. */
typedef void guide_tell_fn(void *ctx, uint32_t page, double p);
/* `near` may be NULL. */
void guide_train(struct guide *g, const struct df_table *df, guide_near_fn *near,
                 guide_tell_fn *tell, void *ctx);
uint32_t guide_trainings(const struct guide *g);

/* The weight of a start page, in [0,1]; 1 for other pages. */
double guide_seed_weight(const struct guide *g, uint32_t page);

/* The p of a start page, judged like any other page; `otherwise` if it is not a start page. */
double guide_seed_probability(const struct guide *g, uint32_t page, double otherwise);

/* Reads a page; then guide_span() says how much a span of its text speaks for the topic:
 * w x, with these words taken as a text of their own. */
void guide_read(struct guide *g, const struct profile *p, const struct df_table *df);
double guide_span(const struct guide *g, struct span words);

/* Returns a word of that page for later use; 0 if there is none at this place, or if
 * it is a stop word. */
uint32_t guide_word(const struct guide *g, const struct profile *p, uint32_t at);
/* The same as guide_span(), for words from guide_word(). */
double guide_terms(const struct guide *g, const uint32_t *words, size_t n);

/* How much the words in a URL's path speak for the topic: w x of the words that
 * occurred in a page. */
double guide_url(struct guide *g, struct str url);

/* Checkpoint: the figures on their own; terms and pages in parts (base/parts.h), either those that
 * changed since the last call or all of them, with numbers from `first` on. */
void guide_save(const struct guide *g, struct buf *out);
void guide_save_parts(struct guide *g, uint32_t first, struct buf *out);
void guide_save_all(const struct guide *g, uint32_t first, struct buf *out);
/* Load the figures, then each part, by its number from 0 on, then call guide_loaded(). `pages` is
 * above all of the caller's page numbers. */
enum status guide_load(struct guide *g, struct cursor *from) MUST_USE;
enum status guide_load_part(struct guide *g, uint32_t number, struct cursor *from) MUST_USE;
enum status guide_loaded(struct guide *g, size_t pages) MUST_USE;
/* Loads the state as version 0.2 saved it, as a whole; guide_loaded() follows here too. */
enum status guide_load_old(struct guide *g, struct cursor *from) MUST_USE;
