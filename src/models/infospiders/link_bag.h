/* link_bag.h - the links that one agent keeps for itself: a private frontier.
 *
 * A link has its URL, its score and the inputs that the agent's net had for it, which
 * are needed again when the page arrives. Links are drawn, not sorted: an array.
 */
#pragma once

#include "models/infospiders/lottery.h"
#include "base/buf.h"

#include <stdint.h>

struct link_bag {
    uint32_t *urls;
    float *scores;
    float *in; /* count * keywords */
    size_t count, cap;
    uint32_t keywords; /* inputs of each link */
};

void link_bag_clear(struct link_bag *b); /* frees everything; zeroed is empty */

/* Adds a link. A URL that is in already keeps the better score and its inputs.
 * Returns true if it is new. */
bool link_bag_add(struct link_bag *b, uint32_t url, float score, const float *in);
/* Removes a link; the last one takes its place. */
void link_bag_remove(struct link_bag *b, size_t i);

/* Draws a link from a bag that is not empty, and returns its place; `room` is for 2 * count. */
size_t link_bag_draw(const struct link_bag *b, enum lottery rule, double beta, double *room,
                     struct rng *r);

/* Moves half of the links, rounded down, chosen at random, to `to`, which is empty and has at least
 * as many inputs; its additional inputs become 0. */
void link_bag_halve(struct link_bag *b, struct link_bag *to, struct rng *r);

/* Clears an input whose meaning has changed. */
void link_bag_forget_input(struct link_bag *b, uint32_t input);

void link_bag_save(const struct link_bag *b, struct buf *out);
enum status link_bag_load(struct link_bag *b, struct cursor *from) MUST_USE; /* of an empty one */
