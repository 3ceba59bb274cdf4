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
 *
 * On several machines each is an island: its agents choose among its own links, and gain what a page
 * is worth above the mean of its own pages. `population` counts the agents of all islands; an island
 * keeps its share of it, and one agent at least, even if there are too many elsewhere.
 *
 *     a child is born        with probability 1/2 it leaves, for the island that owns the best of
 *                            the links to other islands that were met since the last one left
 *     it arrives             if there are too many agents now, the poorest one there dies
 *
 * So what is good on one island is tried on others. An agent has no place: the link only says to
 * which island the agent goes, and is sent there without it, like all links.
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
    /* on several machines; not saved */
    uint32_t leaver;       /* this agent waits for the next checkpoint, to leave; 0: none does */
    char *abroad;          /* the best link to another machine; owned; NULL: none was met … */
    double abroad_worth;   /* … how much the words around it speak for the topic … */
    uint16_t abroad_depth; /* … and its depth */
    char *ticket;          /* `abroad` of the last agent that left, lent to the engine */
};

void policies_init(struct model *m, struct policies *p, uint32_t size, double spread);
void policies_clear(struct policies *p);
void policies_begin(struct model *m, struct policies *p);

/* Draws the agent that chooses next. On several machines all agents may have left: then one is
 * born. Returns 0 if that is not possible at the moment. */
uint32_t policies_draw(struct model *m, const struct policies *p);

/* Returns how much an agent likes a link. */
double policy_likes(const struct model *m, uint32_t agent, const double w[FEATURES],
                    const float x[FEATURES]);

/* The page that an agent chose has come, with this label. */
void policies_paid(struct model *m, struct policies *p, uint32_t agent, const struct percept *page,
                   double label);

/* ---- several machines ---- */

/* A link to another machine was met. */
void policies_met(struct policies *p, struct str url, double worth, uint16_t depth);
/* As in struct model_moves. */
uint32_t policies_settle(struct model *m, struct policies *p, struct str *ret_url,
                         uint16_t *ret_depth);
bool policy_record(const struct model *m, uint32_t agent, struct buf *out, uint32_t *ret_url);
enum status policy_unpack(struct model *m, const struct policies *p, uint32_t agent, uint32_t url,
                          struct str state);

/* Describes an agent (agent/tell.h). */
void policy_tell(const struct model *m, uint32_t agent, struct json *j);

void policies_save(const struct model *m, const struct policies *p, struct buf *out);
/* The agents already exist, but have no traits yet. */
enum status policies_load(struct model *m, struct policies *p, struct cursor *from,
                          bool is_old) MUST_USE;
