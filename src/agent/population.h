/* population.h - the living agents, their births, deaths and parents, and where energy went.
 *
 * Agents are numbered from 1 in order of birth and keep their number and name for ever.
 * Births, deaths, visits and changes of energy are posted as events through a sink, so that
 * the store, the dashboard and the lab receive them; the population itself knows none of
 * these. Thread: the mind only.
 *
 *      agent_born -> +---------+  agent_moved, agent_visited      where it is
 *                    |  alive  |  agent_changed                   what it has
 *     agent_split -> +----+----+  agent_set_traits                what it inherits
 *                         | agent_died
 *                         v
 *           gone: the genealogy is in the store
 *
 * Living agents are kept in order of birth. A birth adds at the end, a death closes the
 * gap; so a walk with population_after() visits each living agent once, even if agents are
 * born or die during the walk:
 *
 *     for (uint32_t id = population_after(p, 0); id; id = population_after(p, id))
 *
 * Books. Energy is moved by the functions below and by nothing else; what a page
 * keeps is its owner's (page_base.h). A model says what energy was for:
 *
 *     a page is worth f, the agent gets it    population_earned(f), agent_visited(+f)
 *     the same, but crowded: the agent pays   population_earned(f), agent_visited(-C),
 *       C and the page keeps f + C              page_base_set_energy(f + C)
 *     it takes what lay on the page           agent_visited(+e), page_base_set_energy(0)
 *     it pays for nothing in return           agent_visited(-C), population_burnt(C)
 *     it divides itself                       agent_split(), which books what is cut
 *     it dies                                 agent_died(), which books what it had
 *
 * and population_check() asserts in debug builds that nothing was lost or made.
 *
 * On several machines (crawl/node/) each has a population of its own, and agents move between
 * them. Numbers are then given out in lots, so that no two agents ever have the same one, and
 * the bounds also count agents that live elsewhere:
 *
 *     agent_leave -> alive nowhere, its record on the way -> agent_come
 *
 * Memory: 180 bytes for a living agent and its traits, none for a dead one. One
 * is found by its number in O(log alive); a death moves 12 bytes for each younger
 * agent, some microseconds for 10,000.
 */
#pragma once

#include "agent/ledger.h"
#include "base/rng.h"
#include "flow.h"

struct population;
typedef void population_sink_fn(void *ctx, const struct event *e);

#define AGENT_KIND 40 /* most letters in the name of a kind, for agents that come */
#define AGENT_PATH 16 /* places that an agent remembers, including the current one */

/* A living agent, read-only. Lent until it dies. */
struct agent {
    uint32_t id, parent;
    uint32_t generation; /* 0: has no parent */
    uint32_t kind;       /* population_kind() */
    double energy;
    double born_energy; /* energy at birth */
    int64_t born_at;
    uint32_t born_page; /* number of a page; 0: at a seed */
    uint32_t children;  /* born so far */
    uint32_t visits;    /* its age: pages it was on, known ones included */
    uint32_t found;     /* pages it was the first on */
    uint32_t trips;     /* moves to another machine so far */
    uint32_t page;      /* the last one it visited; 0: none */
    uint32_t at;        /* the URL where it is; 0: nowhere yet */
    uint32_t from;      /* the URL it came from, its way back; 0: none */
    void *traits;       /* owned by the model */
    uint32_t npath;     /* agent_path() */
    uint32_t path[AGENT_PATH];
};

struct population *population_new(population_sink_fn *sink, void *sink_ctx);
void population_free(struct population *p);

/* How traits are freed: when their agent dies, when they are replaced, and with
 * the population. It must not use the model's own state, which may be gone by
 * then (free() is fine). Without such a function the model frees traits itself. */
typedef void population_free_fn(void *traits);
void population_set_free(struct population *p, population_free_fn *fn);

/* ---- birth and death ---- */

/* Makes a new agent with energy from outside (ledger.given). `kind` is a short word for the sort of
 * agent. `parent` is alive, or 0; `page` may be 0. Returns its number. */
uint32_t agent_born(struct population *p, int64_t now, uint32_t parent, const char *kind,
                    uint32_t page, double energy);

/* The agent divides itself: `clones` children of its kind, born on the page
 * it visited last, with its place, its way back and its path; they and it
 * have `share` each. share = energy / (clones + 1) keeps the books. The hard
 * cap may allow fewer: the energy of the others is booked as cut. The model
 * sets their traits. Returns how many were born; their numbers are
 * *ret_first and the next ones. */
uint32_t agent_split(struct population *p, int64_t now, uint32_t agent, uint32_t clones,
                     double share, uint32_t *ret_first);

/* `cause` is a few words for people: "starved". An agent dies only once. Listeners of the event can
 * still read the agent and its traits. */
void agent_died(struct population *p, int64_t now, uint32_t agent, const char *cause);

/* ---- several machines ---- */

/* The agent leaves this population: its record is written, without traits and places, and its
 * energy is booked (ledger.left). Listeners of the event can still read it and its traits. */
void agent_leave(struct population *p, int64_t now, uint32_t agent, struct buf *out);
/* An agent that left another population lives here from now on, under its old number,
 * at no place yet. The bytes come from another machine and are not trusted: after
 * ST_INVALID nothing has changed. */
enum status agent_come(struct population *p, int64_t now, struct cursor *from,
                       uint32_t *ret_agent) MUST_USE;

/* Writes what agent_leave() would write, but the agent stays. */
void agent_record(const struct population *p, uint32_t agent, struct buf *out);
/* The same for an agent that came and does not live here yet. The record is made from the one
 * it came with, followed by whatever follows that. The bytes are not trusted: returns false
 * if they are not a record. */
bool agent_record_again(struct str record, struct buf *out, double *ret_energy);
/* An agent that left here (agent_leave() booked `had`; 0: it died here instead) lives on elsewhere
 * with the energy of its last saved record (`has`). The difference is booked as lost. */
void population_lost(struct population *p, double had, double has);

/* Adds `count` numbers from `first` on for agents born here. Before the first call, numbers are
 * unlimited. Lots are used in order; only the last two are kept. */
void population_add_lot(struct population *p, uint32_t first, uint32_t count);
uint32_t population_numbers(const struct population *p); /* how many are left */
uint32_t population_last(const struct population *p);    /* the highest one given out here */

/* Sets how many agents live in other populations of the same crawl. */
void population_set_elsewhere(struct population *p, uint32_t alive);

/* ---- life ---- */

/* The agent is now at another URL. agent_returned() takes it back to where it came from and returns
 * that URL; 0 if it knows no way back, and stays. */
void agent_moved(struct population *p, uint32_t agent, uint32_t url);
uint32_t agent_returned(struct population *p, uint32_t agent);

/* Returns the i-th place before the current one (0: the current one); 0 if it is forgotten. */
uint32_t agent_path(const struct agent *a, uint32_t i);

/* The agent was on a page and its energy changed by `delta`. */
void agent_visited(struct population *p, int64_t now, uint32_t agent, uint32_t page, bool first,
                   double delta);

/* Its energy changed without a visit. Listeners get a visit of page 0, for which the
 * store writes no row. */
void agent_changed(struct population *p, int64_t now, uint32_t agent, double delta);

void agent_set_traits(struct population *p, uint32_t agent, void *traits);

/* ---- look-ups ---- */

bool agent_is_alive(const struct population *p, uint32_t agent);
const struct agent *agent_of(const struct population *p, uint32_t agent); /* NULL: not alive */
double agent_energy(const struct population *p, uint32_t agent);          /* 0: not alive */

/* A readable name, unique for each number: "Bolimi", "Kadera". */
#define AGENT_NAME 16
const char *agent_name(uint32_t agent, char ret[AGENT_NAME]);

/* Returns the next living agent in order of birth, 0 after the last; the first one for 0. */
uint32_t population_after(const struct population *p, uint32_t agent);
const struct agent *population_nth(const struct population *p, uint32_t i); /* i < alive */

struct population_counts {
    uint32_t alive, born, died;
    uint32_t left, came; /* to and from other machines */
};

struct population_counts population_counts(const struct population *p);

/* Counts by kind, in order of the first birth. */
const char *population_kind(const struct population *p, uint32_t kind,
                            struct population_counts *ret); /* its name; ret may be NULL */

/* Reports that the agent sent a document to its judge (EVENT_SENT). */
void agent_sent(const struct population *p, int64_t now, uint32_t agent, uint32_t url,
                uint32_t document, bool relevant);

/* ---- bounds ---- */

/* Only the hard cap is enforced, and only by agent_split(); on several machines the number of
 * agents elsewhere is slightly outdated, so there may be a few more. Bounds are options, not state:
 * set them again after a load. */
struct population_bounds {
    uint32_t low;  /* LB: below it no agent should die */
    uint32_t high; /* UB: above it no agent should multiply; 0: none */
    uint32_t cap;  /* most agents at any time; 0: no cap */
};

void population_set_bounds(struct population *p, struct population_bounds bounds);

/* Reports how many agents there should be, by the model's options (EVENT_RANGE): once
 * `reach` have been alive, from `least` to `most`, with births up to `upper`. This is
 * for measurements; nothing is enforced here. */
struct population_range {
    uint32_t reach, least, most, upper;
};

void population_announce(const struct population *p, int64_t now, struct population_range range);
bool population_is_sparse(const struct population *p);  /* alive anywhere < low */
bool population_is_crowded(const struct population *p); /* alive anywhere > high */
uint32_t population_room(const struct population *p); /* births until the cap, or the last number */
uint32_t population_cap(const struct population *p);  /* 0: none */

/* ---- books ---- */

void population_earned(struct population *p, double worth); /* a new page, below 0 too; the next
                                                               visit's event reports it */
void population_stored(struct population *p, double worth); /* the same, but no agent is
                                                               there: the page keeps all */
void population_burnt(struct population *p, double amount);
struct ledger population_ledger(const struct population *p); /* O(alive) */

/* In debug builds (without optimisation, or with AddressSanitizer) asserts that
 * the error is below LEDGER_EPSILON; otherwise costs nothing. */
#define LEDGER_EPSILON 1e-9
#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if !defined(__OPTIMIZE__) || defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define POPULATION_CHECKED 1
#else
#define POPULATION_CHECKED 0
#endif
void population_verify(const struct population *p, double on_pages);
static inline void population_check(const struct population *p, double on_pages)
{
    if (POPULATION_CHECKED)
        population_verify(p, on_pages);
}

/* ---- checkpoints ---- */

/* Saves and loads everything but traits and bounds, to the last bit. The engine loads it before the
 * model, whose load gives the living agents their traits again. */
void population_save(const struct population *p, struct buf *out);
enum status population_load(struct population *p, struct cursor *from) MUST_USE;
