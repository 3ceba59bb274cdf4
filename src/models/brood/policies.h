/* policies.h - the agents of the model brood, which differ in how they choose among links.
 *
 * An agent carries a small number for each of these, called delta. It prefers the link with the largest
 * (w / |w| + delta) x, where w are the predictor's weights and x are the link's numbers
 * (predictor.h). The agent that chooses next is drawn in proportion to max(.05, energy).
 *
 *     energy += p - mean of p         p: label of the page it chose; the mean forgets, .98 a page
 *     above 2     it divides; the child's delta is the parent's with N(0, spread) added; if there
 *                 are then more than `population` agents, the poorest dies
 *     below 0     it dies, and the richest agent divides
 *
 * The first agent has delta 0: it chooses as the predictor alone would.
 */
#pragma once

#include "agent/model.h"
#include "models/brood/predictor.h"

struct policy {
    float delta[FEATURES];
};

struct policies {
    uint32_t size;  /* agents */
    double spread;  /* of a mutation */
    double mean;    /* of labels */
    bool has_begun; /* the first agents are born */
};

void policies_init(struct model *m, struct policies *p, uint32_t size, double spread);
void policies_begin(struct model *m, struct policies *p);

/* Draws the agent that chooses next. */
uint32_t policies_draw(struct model *m, const struct policies *p);

/* Returns how much an agent likes a link. */
double policy_likes(const struct model *m, uint32_t agent, const double w[FEATURES],
                    const float x[FEATURES]);

/* The page that an agent chose has come, with this label. */
void policies_paid(struct model *m, struct policies *p, uint32_t agent, const struct percept *page,
                   double label);

/* Describes an agent (agent/tell.h). */
void policy_tell(const struct model *m, uint32_t agent, struct json *j);

void policies_save(const struct model *m, const struct policies *p, struct buf *out);
/* The agents already exist, but have no traits yet. */
enum status policies_load(struct model *m, struct policies *p, struct cursor *from,
                          bool is_old) MUST_USE;
