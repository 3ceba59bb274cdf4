/* nodes.h - crawls on several machines, as processes with directories of their own and one real
 * nats-server. */
#pragma once

#include "flow.h"
#include "nats.h"

#include <sqlite3.h>

#define NODES 3

extern const char *bus_url, *web, *delay, *duration;

/* Before and after all tests of a group. bus_runs(): is there a nats-server? */
int bus_open(void **state);
int bus_close(void **state);
bool bus_runs(void);
unsigned free_port(void); /* one that nobody has at this moment */

const char *dir_of(const char *name, int node);
/* The first node, and the others once there is something to join; start_nodes(): of best-first. */
void start_model(struct server *s, const char *name, const char *model, const char *pages,
                 const char *lease, int count, struct job **ret);
void start_nodes(struct server *s, const char *name, const char *pages, const char *lease,
                 int count, struct job **ret);
/* A node that came when the others had all pages says so. */
void ended_well(struct job *job);
json_t *nodes_of(const char *name); /* `brood nodes --json` */

/* ---- pages ---- */

/* All directories as one: the table `stored` of URLs, `started` of all requests. */
struct sqlite3 *facts_of_all(const char *name, int count, struct server *s);
void crawl_alone(struct sqlite3 *db); /* the pages that one machine stores, as a table `alone` */
void the_delay_was_kept(struct sqlite3 *db); /* by the nodes' own clocks, which are one here */
void all_pages_are_those_of_one_machine(struct sqlite3 *db);

/* ---- agents ---- */

bool all_have_agents(const char *name, int count); /* and pages */
/* No agent is without its parent, has two names, or died twice. Leaves the tables `kin` and `trip`:
 * one row for each agent or move in a directory. */
void they_are_one_family(struct sqlite3 *db, const char *name);
/* Of some directories: where each agent lives, by its last trip (table `home`); and `trip`. */
struct sqlite3 *homes_of(const char *name, int count);
int64_t on_two_nodes(struct sqlite3 *db);
void nobody_came_twice(struct sqlite3 *db);
double energy(json_t *nodes, const char *name);
void the_books_are_balanced(const char *name); /* of a crawl that is complete */
