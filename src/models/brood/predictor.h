/* predictor.h - how much is a link worth? This is learned during the crawl.
 *
 * A link is described by fourteen numbers. Its worth is the logistic function of their weighted
 * sum: how likely the page behind the link is to be about the topic. The weights begin at a
 * prior. They are fitted every 20 pages, and later each time the number of pages has grown by
 * an eighth, to the results of the last PREDICTOR_SAMPLES visits: the label of each page
 * against the numbers that its link had when it was chosen (logistic regression, Newton's
 * method, penalty |w - prior|^2 / 2).
 */
#pragma once

#include "models/brood/web_map.h"

/* L(p) = ln(p / (1 - p)). n: pages that link to it. Yields of groups include two usual pages. */
enum feature {
    F_BIAS,      /* 1 */
    F_YIELD,     /* L(mean yield of the pages that link to it, and two usual ones) / 2 */
    F_ANCHOR,    /* how much its anchors speak for the topic, on average, / 2 */
    F_CONTEXT,   /* the same with the eight words on each side of an anchor */
    F_HOST,      /* L(yield of its host) / 2 */
    F_WORDS,     /* 3 times the best cosine of such a page with the topic's words */
    F_DIRECTORY, /* L(yield of its directory) / 2 */
    F_LINKS,     /* ln(1 + n) */
    F_PLACE,     /* L(yield of its place on pages of the host) / 2 */
    F_BESIDE,    /* L(labels of the links beside it on these pages) / 2 - F_YIELD */
    F_URL,       /* half of how much the words of its URL speak for the topic */
    F_SECTION,   /* how much the text of the element around it speaks for the topic, on average */
    F_ENERGY,    /* mean energy of these pages (web_map.h) */
    F_LIST,      /* start pages after the first that such a page also links to, 2 at most, / 2:
                  * it is probably a list of pages about the topic */
    FEATURES
};

#define FEATURES_0_2 F_BESIDE /* how many features version 0.2 of brood had */

extern const char *const feature_names[FEATURES]; /* for people */

struct sample {
    float x[FEATURES];
    uint32_t page; /* of the map */
};

#define PREDICTOR_SAMPLES 4096

struct predictor {
    double w[FEATURES];
    struct sample *samples; /* a ring */
    size_t nsamples, samples_cap;
    uint64_t seen, fit_at; /* samples so far; the number at which the next fit is due */
    uint32_t fits;
    struct parts changed; /* samples since they were last saved */
    size_t awaited;       /* samples, while parts are loaded */
};

void predictor_init(struct predictor *p);
void predictor_clear(struct predictor *p);

/* The numbers of a known link. */
void link_features(struct web_map *m, uint32_t url, float ret[FEATURES]);
double weighted_sum(const double w[FEATURES], const float x[FEATURES]);
double link_worth(const double w[FEATURES], const float x[FEATURES]);

/* Learns that a link with these numbers led to this page. */
void predictor_learn(struct predictor *p, const float x[FEATURES], uint32_t page);
bool predictor_is_due(const struct predictor *p);
void predictor_fit(struct predictor *p, const struct web_map *m);

/* Saves and loads the figures on their own, and the samples in parts, as link_words.h does. */
void predictor_save(const struct predictor *p, struct buf *out);
void predictor_save_parts(struct predictor *p, uint32_t first, struct buf *out);
void predictor_save_all(const struct predictor *p, uint32_t first, struct buf *out);
enum status predictor_load(struct predictor *p, struct cursor *from) MUST_USE;
enum status predictor_load_part(struct predictor *p, uint32_t part, struct cursor *from) MUST_USE;
/* Call it after the last part: are all samples there, and does each belong to one of
 * the first `pages` pages? */
enum status predictor_loaded(const struct predictor *p, size_t pages) MUST_USE;
/* Loads the state as version 0.2 saved it, as a whole; then call predictor_loaded() too. */
enum status predictor_load_old(struct predictor *p, struct cursor *from) MUST_USE;
