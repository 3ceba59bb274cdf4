/* reinforcer.h - the reinforcing agent: it rewards foragers, and decides which of them live on.
 *
 * Algorithms 7 and 8 of Palotai, Farkas and Lorincz. Foragers send it documents. The
 * first to send one that is new, recent and on topic is rewarded; every document sent
 * costs its sender a little. A forager whose score is high enough multiplies, and one
 * whose score is used up is deleted, within two bounds of their number.
 *
 * Scores are whole numbers of SCORE_UNIT, so that 0.05 is exact: the paper's 100 are
 * 2000 units, a document sent costs 1, a relevant one brings 20. One relevant document
 * in twenty sent breaks even. Thread: the mind only.
 */
#pragma once

#include "agent/url_set.h"

#define SCORE_UNIT 0.05
#define SCORE_MOST INT64_C(1000000000000) /* units; no forager is saved with more */

struct reinforcer_config {
    double reward, penalty; /* what a forager gets: 100 and -1 */
    int64_t init, min, max; /* scores, in units */
    int64_t plus, minus;    /* SCORE+ and SCORE-, in units */
    bool below;             /* deleted below `min`, not at `min` */
    bool cap;               /* a score never exceeds `max` … */
    bool clamp;             /* … and never falls below `min` */
    uint32_t least, most;   /* foragers */
    int64_t max_age;        /* us */
    double relevant;        /* least relevance of a document on topic */
};

int64_t score_units(double score); /* to the nearest unit */

/* A document that is to be judged. */
struct document {
    uint32_t id;  /* of (URL, content): the page's number; or the URL's */
    int64_t date; /* us */
    double relevance;
};

struct reinforcer {
    struct url_set seen;     /* relevant documents, from any sender */
    uint64_t sent, relevant; /* so far */
};

struct judgement {
    bool relevant;
    double profit; /* reward or penalty */
    int64_t units; /* by which the sender's score changes */
};

void reinforcer_clear(struct reinforcer *r);

/* Is it recent enough to be news? Also the forager's own filter (algorithm 5),
 * without the topic. */
bool document_is_recent(const struct document *d, int64_t max_age, int64_t now);

/* Algorithm 7. */
struct judgement reinforcer_judge(struct reinforcer *r, const struct reinforcer_config *c,
                                  const struct document *d, int64_t now);

/* Algorithm 8: what happens to a forager of that score when so many are alive. */
enum forager_fate { FATE_GOES_ON, FATE_MULTIPLIES, FATE_DIES };
enum forager_fate reinforcer_manage(const struct reinforcer_config *c, int64_t score,
                                    uint32_t alive);

/* The score, limited by `cap` and `clamp`. */
int64_t reinforcer_bound(const struct reinforcer_config *c, int64_t score);

void reinforcer_save(const struct reinforcer *r, struct buf *out);
enum status reinforcer_load(struct reinforcer *r, struct cursor *from) MUST_USE;
