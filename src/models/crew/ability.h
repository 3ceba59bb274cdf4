/* ability.h - what an agent of the crew can do for its topic (Du, Xu, Wang 2016, 4.2).
 *
 *     E = alpha S + beta M,   alpha + beta = 1
 *
 * S  the mean of P_u over the agent's links that are on topic, P_u >= tau; 0 without any.
 *    P_u = a_u * Sim(page): a_u the weight of the link's anchor, relate_span(); Sim of
 *    the page it stands on, relate_page() (models/crew/relate.h).
 * M  how like the agent's lattice is to the facilitator's, formica_lattices()
 *    (models/crew/formica.h).
 *
 *     struct ability_links s = {0};
 *     ability_add(&s, link_score(anchor, sim), tau);         for each link in the queue
 *     e = ability(alpha, ability_mean(&s), m);
 *
 * The paper gives no values: alpha = beta = 1/2 and tau = 0.1 are ours.
 */
#pragma once

#include <stdint.h>

#define ABILITY_ALPHA 0.5
#define ABILITY_TAU   0.1

/* The links on topic so far. */
struct ability_links {
    double sum;     /* the sum of their P_u */
    uint32_t count; /* how many they are */
};

/* P_u. */
static inline double link_score(double anchor, double page)
{
    return anchor * page;
}

/* Counts a link if it is on topic. */
static inline void ability_add(struct ability_links *s, double score, double tau)
{
    if (!(score >= tau))
        return;
    s->sum += score;
    s->count++;
}

/* S. */
static inline double ability_mean(const struct ability_links *s)
{
    return s->count > 0 ? s->sum / s->count : 0;
}

/* E, with beta = 1 - alpha. */
static inline double ability(double alpha, double s, double m)
{
    return alpha * s + (1 - alpha) * m;
}
