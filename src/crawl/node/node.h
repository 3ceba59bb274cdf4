/* node.h - this crawl's part in a crawl on several machines (docs/cluster.md, ADR 0023).
 *
 * A node is an ordinary crawl with its own directory. Links to hosts of other nodes get the verdict
 * DROP_FOREIGN and go to the outbox. Links that other nodes found come from the bus, and are
 * treated like links of a page. Between the two lies the log of each partition (cluster/cluster.h):
 *
 *     found, visited, dropped -> node_hear -> batch -> EVENT_BATCH -> checkpoint -> cluster_send
 *     cluster_take -> node_turn -> frontier, model
 *
 * An agent that walks goes with its link (travel.h).
 *
 * Every URL that is found is logged in its partition, even by the partition's owner, and so is its
 * outcome: a node that takes over a partition gets everything that the owner knew. Only what is
 * committed here is sent. What arrives is committed together with its position in the log.
 *
 * Thread: the mind.
 */
#pragma once

#include "base/buf.h"
#include "base/option.h"
#include "crawl/crawl.h"

struct node;

/* To be called before the frontier is made: sets c->node if the options name a bus. ST_USAGE if the
 * model cannot run on several machines. */
enum status node_prepare(struct crawl *c) MUST_USE;

/* To be called before the first request: starts the crawl on the bus or finds it, and joins. */
enum status node_open(struct crawl *c, const struct text_list *seeds) MUST_USE;

/* To be called after the last checkpoint: sends what is committed, leaves the crawl, and frees the
 * node. */
void node_close(struct crawl *c);

/* Takes incoming messages, sends what is due, and exchanges figures with the keeper; called once a
 * turn. */
void node_turn(struct crawl *c, bool exhausted);

/* May requests start now, by the lease and our own clock? */
bool node_may_fetch(const struct crawl *c);

/* Returns how many pages this node may store in all; UINT64_MAX for any number. */
uint64_t node_pages(const struct crawl *c);

/* Returns why the whole crawl ended; CRAWL_RUNNING if it has not. */
enum crawl_end node_end(const struct crawl *c);

/* A model has chosen a link. Returns true if it leads to a host of another node, and its agent has
 * gone there. */
bool node_travels(struct crawl *c, const struct choice *choice);

/* A request to a host has started (`change` 1) or ended (-1). */
void node_flies(struct crawl *c, struct str host, int change);

/* Called right before a checkpoint is made: turns what was gathered into batches of that
 * checkpoint. */
void node_gather(struct crawl *c);
void node_save(const struct crawl *c, struct buf *out);
enum status node_load(struct crawl *c, struct cursor *from) MUST_USE;

/* ---- the options, topic and seeds that all nodes share (shared.c) ---- */

struct line;

/* Appends options, topic and seeds, as the first node writes them. */
void shared_save(const struct crawl *c, const struct text_list *seeds, struct buf *out);

/* Appends the same with another value for one option. */
enum status shared_set(struct str bytes, struct str option, struct str value,
                       struct buf *out) MUST_USE;

/* Fills options that are initialised but empty. `trust`: also options that lower a guard; without
 * it ST_USAGE, with their names. */
enum status shared_load(struct str bytes, bool trust, struct crawl_options *into) MUST_USE;
