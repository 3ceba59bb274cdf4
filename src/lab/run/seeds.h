/* seeds.h - the seeds and example pages with which one repeat of one topic begins.
 *
 * Drawn from the plan's number, the world's name, the topic's name and the repeat,
 * never from the order of runs: the same for every model, in every session.
 *
 *   on-topic   random targets that have links
 *   off-topic  beside them: random pages that have links and are not targets
 *   distance   d steps over reversed links from random targets, to pages that are
 *              no targets
 *   examples   positive: targets that are no seeds; negative: pages that are neither
 */
#pragma once

#include "base/rng.h"
#include "lab/run/truth.h"

struct draw {
    uint32_t *seeds, *positive, *negative; /* pages of the web */
    size_t nseeds, npositive, nnegative;
};

/* Returns the generator for (plan, world, topic, repeat); work.c forks it again for each model. */
struct rng draw_rng(const struct plan *p, const char *world, const char *topic, uint32_t repeat);

/* Returns false if there are not enough pages of some kind, or if no target is left to find. */
bool draw_make(const struct ground *g, const struct subject *s, const struct plan *p, struct rng r,
               struct draw *ret);
void draw_clear(struct draw *d);
