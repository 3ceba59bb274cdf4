/* far_int.h - the parts of far/. Inside this folder, and for its fuzzer. */
#pragma once

#include "base/limits.h"
#include "cluster/cluster.h"
#include "cluster/question.h"
#include "dash/call.h"
#include "dash/far/far.h"

#include <jansson.h>
#include <pthread.h>

/* ---- answers ---- */

struct far_reply {
    size_t place;   /* of its node in the book */
    json_t *answer; /* what the API of that node returned */
};

struct far_replies {
    struct far_reply *items;
    size_t count, cap;
    size_t heard;    /* nodes that answered, even without data */
    size_t bytes;    /* of their answers */
    char error[300]; /* of the last node that reported one; empty: none */
};

/* Adds an answer; bytes that are not an answer are ignored. */
void far_replies_add(struct far_replies *all, const struct book *book, struct str bytes);
void far_replies_clear(struct far_replies *all);

/* ---- the crawl ---- */

struct far_node {
    struct lease lease;   /* as it was last read */
    json_t *overview;     /* as it was last received; NULL: never */
    int64_t silent_until; /* it did not answer, and is not waited for before this time */
};

/* An answer that is kept, to be given again. */
struct far_kept {
    char *key, *text;
    size_t len;
    int64_t at;
};

#define FAR_KEPT 128

struct far {
    pthread_mutex_t lock; /* of all below */
    struct line *line;
    char *name, id[20];
    struct book book;
    struct far_node nodes[LIMIT_NODES];
    int64_t looked_at; /* when book, leases and overviews were read; 0: never */
    int64_t look_cost; /* us */
    json_t *overview;  /* of all nodes; NULL: none yet */
    int state;
    uint64_t version;
    struct far_kept kept[FAR_KEPT];
    struct far_family *family; /* NULL: none yet */
    int64_t family_at;
};

/* Asks all nodes (`to` 0) or one of them for a view. Some may not answer; ST_NET if none does. */
enum status far_ask(struct far *f, uint64_t to, const char *path, struct str query,
                    struct far_replies *ret) MUST_USE;
/* Gets the id of the node at a place of the book, which must exist. */
enum status far_node_id(const struct far *f, size_t place, uint64_t *ret) MUST_USE;

/* ---- parameters of a request ---- */

struct str far_param(struct str query, const char *name); /* empty: it was not given */
uint32_t far_param_number(struct str query, const char *name, uint32_t fallback, uint32_t most);

/* ---- combining answers: a function for each kind; NULL if there is nothing ---- */

/* Replaces the numbers of pages and conversations in these members, at any depth, by those of
 * question.h. */
void far_renumber(json_t *j, const char *const *members, size_t place);

json_t *far_merge_overview(struct far *f);
json_t *far_merge_samples(struct far_replies *all, uint32_t points);
json_t *far_merge_histogram(struct far_replies *all);
json_t *far_merge_pages(struct far_replies *all, struct str query);
json_t *far_merge_activity(struct far_replies *all, uint32_t n);
json_t *far_merge_talks(struct far_replies *all, uint32_t n);
json_t *far_merge_messages(struct far_replies *all, uint32_t n);
json_t *far_merge_paths(struct far_replies *all);
json_t *far_merge_map(struct far_replies *all, uint32_t n);
json_t *far_merge_host(struct far_replies *all);
json_t *far_merge_crew(struct far_replies *all);
json_t *far_merge_lattice(struct far_replies *all);
json_t *far_merge_card(struct far_replies *all, uint32_t n);

/* ---- the family ---- */

struct far_member {
    uint32_t id, parent;
    const char *name, *death;  /* lent from `rows` */
    double energy, born, died; /* seconds since 1970; died 0: it lives */
    uint64_t pages;
    bool away;                  /* no node has it at present: it is on its way */
    uint32_t first, last, next; /* children: places in members; NEST_NONE: none */
    uint32_t depth;             /* generations above it that are known */
};

struct far_family {
    struct far_member *members; /* parents before their children */
    size_t count, cap;
    uint64_t more;        /* agents that nodes left out */
    json_t *rows;         /* the owner of the texts */
    uint32_t first, last; /* those at the top */
};

/* Makes the family from answers to `lives`. */
struct far_family *far_family_new(struct far_replies *all);
void far_family_free(struct far_family *m);
json_t *far_family_lives(const struct far_family *m, uint32_t n);
/* Sets the ancestors and children of a card, from the whole family. */
void far_family_relatives(const struct far_family *m, json_t *card, uint32_t id, uint32_t n);
/* The tree below an agent (0: all), with at most n agents, each after its parent. */
struct far_branch {
    uint32_t place, depth;
    uint32_t parent; /* in the list; NEST_NONE: at the top */
    uint64_t more;   /* children that are not in the list */
};
size_t far_family_branches(const struct far_family *m, uint32_t root, uint32_t depth, uint32_t n,
                           struct far_branch *ret, uint64_t *ret_more);

/* Adds the rows of an answer to `agents` to an object by number. If several nodes know an agent, it
 * gets the best find of all nodes, and the words of the first. */
void far_take_agents(json_t *known, const struct far_reply *reply);
/* Returns an agent as a node of the tree. */
json_t *far_agent_row(const struct far_member *m, const json_t *known);
