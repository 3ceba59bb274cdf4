/* population.h - who is alive, who was, and whose child.
 *
 * Agents are numbered from 1 in order of birth and keep their number and name
 * for ever. Births, deaths and visits are posted as events through a sink, so
 * that the store, the dashboard and the lab hear of them; the population itself
 * knows none of these. Thread: the mind only.
 */
#ifndef AGENT_POPULATION_H
#define AGENT_POPULATION_H

#include "flow.h"

struct population;
typedef void population_sink_fn(void *ctx, const struct event *e);

struct population_counts {
    uint32_t alive, born, died;
};

/* Where energy is and went; models that claim conservation assert it (models.md
 * 3.5). living + dead + on pages + cut = given + earned - burnt. */
struct ledger {
    double living; /* sum over the living */
    double dead;   /* sum of what the dead had, negative */
    double cut;    /* lost at the hard cap */
    double given;  /* to the first agents */
    double earned; /* sum over distinct pages of what they were worth, costs included */
    double burnt;  /* charged for nothing in return */
};

struct population *population_new(population_sink_fn *sink, void *sink_ctx);
void population_free(struct population *p);

/* A new agent; `kind` must be a string literal. `parent` and `page` may be 0. */
uint32_t agent_born(struct population *p, int64_t now, uint32_t parent, const char *kind,
                    uint32_t page, double energy);
void agent_died(struct population *p, int64_t now, uint32_t agent, const char *cause);

/* The agent was on a page and its energy changed by `delta`. */
void agent_visited(struct population *p, int64_t now, uint32_t agent, uint32_t page, bool first,
                   double delta);

bool agent_is_alive(const struct population *p, uint32_t agent);
double agent_energy(const struct population *p, uint32_t agent);

/* A readable name, unique for each number: "Bolimi", "Kadera". */
#define AGENT_NAME 16
const char *agent_name(uint32_t agent, char ret[AGENT_NAME]);

struct population_counts population_counts(const struct population *p);

void population_save(const struct population *p, struct buf *out);
enum status population_load(struct population *p, struct cursor *from) MUST_USE;

#endif
