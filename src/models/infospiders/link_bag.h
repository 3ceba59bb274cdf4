/* link_bag.h - the links one agent keeps for itself: a private frontier.
 *
 * A link has its URL, its score and the inputs that the agent's net had for it, which is
 * needed again when the page is there. Links are drawn, not sorted: an array.
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
    uint32_t keywords; /* inputs a link */
};

void link_bag_clear(struct link_bag *b); /* frees everything; zeroed is empty */

/* A URL that is in already keeps the better score and its inputs. True: it is new. */
bool link_bag_add(struct link_bag *b, uint32_t url, float score, const float *in);
/* The last one takes its place. */
void link_bag_remove(struct link_bag *b, size_t i);

/* Place of the winner, in a bag that is not empty; `room` for 2 * count. */
size_t link_bag_draw(const struct link_bag *b, enum lottery rule, double beta, double *room,
                     struct rng *r);

/* Half of the links, rounded down, chosen by chance, move to `to`, which is empty
 * and has at least as many inputs; those it has more are 0. */
void link_bag_halve(struct link_bag *b, struct link_bag *to, struct rng *r);

/* An input means something else now. */
void link_bag_forget_input(struct link_bag *b, uint32_t input);

void link_bag_save(const struct link_bag *b, struct buf *out);
enum status link_bag_load(struct link_bag *b, struct cursor *from) MUST_USE; /* of an empty one */
