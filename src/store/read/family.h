/* family.h - the family tree of a crawl's agents, with the best find of each.
 *
 * All agents are read at once, about 150 bytes each, and sorted by generation and then by number.
 * So parents come before their children, even if agents were born on several machines, whose
 * numbers are in no order of time. There are no cycles, even if the database is damaged: an agent
 * whose parent is missing, or not of an earlier generation, is at the top. Nothing here recurses,
 * because a family may be as deep as it has members.
 */
#pragma once

#include "base/arena.h"
#include "base/map.h"
#include "store/read/query.h"

#define FAMILY_NONE UINT32_MAX

struct family_member {
    struct query_agent agent; /* its strings live as long as the family */
    uint32_t parent;          /* places in family.members; FAMILY_NONE: at the top */
    uint32_t first_child, last_child, next_sibling;
    uint32_t depth;       /* 0: at the top */
    uint32_t descendants; /* in all */
    uint64_t pages_below; /* fetched for them */
    uint32_t best_page;   /* its best find, the first of them; 0: none */
    double best;          /* page_rank() of it */
    bool shown;           /* met by family_walk() */
    bool away;            /* it left for another node of the crawl */
};

struct family {
    struct family_member *members; /* by generation, then by number */
    struct map places;             /* hash of a number -> place in members */
    uint32_t count;
    size_t cap;
    uint32_t first; /* the oldest one at the top; FAMILY_NONE: none */
    uint32_t last;
    struct arena strings;
};

/* Loads all agents; all of them are shown. */
enum status family_load(struct query *q, struct family *ret) MUST_USE;
void family_clear(struct family *f);

/* Returns the place of the agent with this number, or FAMILY_NONE. */
uint32_t family_find(const struct family *f, uint32_t id);

/* Shows only the agents that live here, and their ancestors. */
void family_show_living(struct family *f);

/* Of every parent's children, and of the agents at the top, shows only the n whose families (the
 * agent and all its descendants) fetched most pages. */
void family_show_largest(struct family *f, uint32_t n);

/* Puts every generation whose depth is a multiple of `levels` at the top: no branch is deeper
 * then. */
void family_cut(struct family *f, uint32_t levels);

/* Visits the members that are shown, each before its children, siblings in order of birth.
 * `entered` is false in the second call for a member, after all its descendants. Members below
 * `max_depth` are not visited. */
typedef enum status family_fn(void *ctx, const struct family *f, const struct family_member *m,
                              bool entered);
enum status family_walk(const struct family *f, uint32_t max_depth, family_fn *fn,
                        void *ctx) MUST_USE;

/* Does it have a later sibling that is shown? */
bool family_has_next(const struct family *f, const struct family_member *m);
