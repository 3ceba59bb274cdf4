/* nodes.h - a node of a crawl on several machines, without a bus: for tests of crawl/node/. */
#pragma once

#include "agent/population.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/os/clock.h"
#include "bus/bus.h"
#include "crawl/node/node_int.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

/* Node 1, which owns partition 0. */
void node_of(struct node *ret);
void node_clear(struct node *n);
void ignore(void *ctx, const struct event *e);

/* A message of the keeper's, with token 3. */
void bring(struct crawl *c, enum incoming_kind kind, uint32_t part, uint64_t position,
           struct str bytes);
/* A batch with one item, or with none (NULL), as such a message. */
void bring_batch(struct crawl *c, const struct incoming *as, uint64_t sender, uint64_t number,
                 const struct batch_item *item);
/* An agent of node 7 for partition 0, in the message at this position of the log … */
void log_agent(struct crawl *c, uint64_t position, uint64_t number);
/* … or in one that comes while the partition is open. */
void send_agent(struct crawl *c, uint64_t position, uint64_t number);

extern const struct model_ops walker; /* a model whose agents walk */

/* A node with such agents; partition 0 is not open yet. */
struct walkers {
    struct node n;
    struct model model;
    struct crawl c;
};

void walkers_init(struct walkers *w);
void walkers_clear(struct walkers *w);

#define PLACE "http://a.example/x"

/* A node with a frontier; the partition of PLACE is not open yet. */
struct place {
    struct node n;
    struct model model;
    struct crawl c;
    uint32_t part;
};

extern int offered; /* links, to its model */

void place_init(struct place *t);
void place_clear(struct place *t);
