/* workbench.h - which host is due, under the rules of host and address.
 *
 * In: hosts with a time from which they want their next request to start, the
 * address behind them, and how good that request is (workbench_put). Out: the
 * best host that may start now (workbench_first).
 *
 *     hosts -> address groups -> later (by time) -> ready, or wishing (by score)
 *
 * A host whose next visit is already chosen is ready; one whose visit would only be chosen
 * now, by a wish (flow.h), is wishing, and comes after all that are ready.
 *
 * A group is an address with the hosts behind it. Hosts with a chosen visit are ordered
 * by time; hosts with a wish by time until that has come, and then by score. It becomes
 * due at the later of its own next time and its first host's, and only while fewer than
 * `per_host` requests are under way at it. A host whose address is unknown (or never
 * asked for) has a group of its own.
 *
 * Invariants: a host is in at most one group, and there in one order. A group in `ready` or
 * `wishing` may start a request at `ripe`, and is in at most one of them; it is in `later` if
 * that will change with time.
 *
 * Idea: the workbench of BUbiNG (Boldi et al. 2014): visit states inside
 * entries by IP address. We differ: among groups that are due the one with the
 * best-scored request goes first, not the one that is due longest.
 */
#pragma once

#include "base/map.h"
#include "flow.h"
#include "base/heap.h"

struct group {
    struct address address; /* family 0: a host's own group */
    struct heap hosts;      /* with a chosen visit, by the time they want */
    struct heap waiting;    /* with a wish whose time has not come, by that time */
    struct heap wishing;    /* with a wish whose time has come, by score */
    int64_t next_at;        /* no start at this address before */
    int64_t latency;        /* us, of the last answer from it */
    uint32_t in_flight;     /* requests under way */
    uint32_t due;           /* requests it could start, as counted in bench.due */
    uint32_t most;          /* allowed at this address at once, if more than per_host */
};

/* Where a host is on the workbench. */
struct seat {
    uint32_t group;   /* 0: in none */
    uint32_t waiting; /* requests it has for this group; 0: a wish */
    double score;     /* of the first of them, or of the wish */
    uint64_t turn;    /* of the wish */
    bool wishing;     /* set here: it is in group.wishing, not in group.waiting */
};

struct workbench {
    uint32_t per_host;     /* requests under way at one address */
    bool bursts;           /* no delay: a group may start several requests at once */
    int64_t ripe;          /* all groups that are due by then are in `ready` */
    uint32_t due;          /* sum of group.due over `ready` */
    struct group **groups; /* from 1; stable */
    size_t ngroups, groups_cap;
    struct map by_address; /* hash of the address -> group */
    struct seat *seats;    /* by host */
    size_t seats_cap;
    struct heap later, ready, wishing; /* groups */
    struct heap_index later_at, ready_at, wishing_at, host_at;
};

void workbench_init(struct workbench *w, uint32_t per_host, bool bursts);
void workbench_free(struct workbench *w);

/* Returns the group of an address; a new one for family 0. */
uint32_t workbench_group(struct workbench *w, const struct address *a);
/* Returns the group of an address, or 0 if there is none. */
uint32_t workbench_find(const struct workbench *w, const struct address *a);
const struct address *workbench_address(const struct workbench *w, uint32_t group);

/* Allows at least so many requests at once at this address. */
void workbench_widen(struct workbench *w, uint32_t group, uint32_t most);

/* Host `host` wants to start a request, described by `seat`, not before `at`. */
void workbench_put(struct workbench *w, uint32_t host, int64_t at, struct seat seat);
void workbench_remove(struct workbench *w, uint32_t host);

/* A request starts at the group; the next one may not start before `next_at`. It takes effect when
 * the requesting host, which has a seat there, is put or removed. */
void workbench_start(struct workbench *w, uint32_t group, int64_t next_at);
/* A request came back; the next one may not start before `next_at`. */
void workbench_finish(struct workbench *w, uint32_t group, int64_t next_at);

/* Moves groups that are due at `now` to `ready`. */
void workbench_ripen(struct workbench *w, int64_t now);
/* Returns the host whose turn it is, or 0 if none is ready. It stays where it is. */
uint32_t workbench_first(const struct workbench *w);
/* Returns the best of the hosts that have only a wish. */
uint32_t workbench_wishing(const struct workbench *w);

/* How many requests could start at `now`, counted up to `max`. */
uint32_t workbench_due(const struct workbench *w, int64_t now, uint32_t max);
/* When the next group is due; `ripe` if one is due already; INT64_MAX if there is none. no_ready
 * and no_wishing leave out the groups that are ready, and those that have a wish. */
int64_t workbench_next(const struct workbench *w, bool no_ready, bool no_wishing);

size_t workbench_bytes(const struct workbench *w);
