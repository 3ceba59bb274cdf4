/* memory_bus.h - a bus in memory instead of NATS, for tests of the keeper: a real one does not lose
 * messages, or hold them back, at the moment that a test wants. memory_bus.c defines the functions
 * of the line. */
#pragma once

#include "base/limits.h"
#include "base/mem.h"
#include "base/os/clock.h"
#include "cluster/batch.h"
#include "cluster/cluster.h"
#include "cluster/snapshot.h"
#include "support/support.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEYS     200
#define KEY      64 /* bytes of a name */
#define MESSAGES 32
#define PATIENCE 60000 /* steps of 10 ms */

struct key {
    char name[KEY];
    struct buf value;
    uint64_t revision;
};

struct bus {
    pthread_mutex_t lock;
    struct key keys[KEYS];
    uint64_t revisions;
    uint32_t parts[MESSAGES];   /* of each message … */
    struct buf bytes[MESSAGES]; /* … and what it says */
    uint64_t end;
    bool is_held; /* nothing can be read from the logs */
    bool races;   /* another node writes the book when we do, and is told that it was first, too */
    bool is_mute; /* the next change of the book is made, but the answer to it is lost */
    struct buf before;    /* the book before our last change of it */
    struct key old[KEYS]; /* at the moment of bus_copy() … */
    uint64_t old_revisions;
};
extern struct bus bus;

/* Copies the keys; the other function brings them back, with this book (NULL: the copied one), like
 * servers that have lost what was written since. */
void bus_copy(void);
void bus_lose_keys(const struct book *instead);

int bus_clear(void **state); /* after a test */
/* Appends a message; the caller has the lock, or is alone. Returns its number. */
uint64_t bus_add(uint32_t part, struct str bytes);
uint64_t messages_of(uint32_t part); /* how many */

void found(void); /* a crawl without nodes */
struct cluster *start_with(struct cluster_config config);
struct cluster *start(void); /* node 7, with a long lease */
/* A new crawl, in which this node has opened partition 1. */
struct cluster *start_open(struct cluster_config config);
/* Makes a will without agents, with a receipt for a batch of this sender for partition 1, and waits
 * until it stands. */
void make_will(struct cluster *c, uint64_t number, uint64_t sender, uint64_t batch);
struct cluster_view view_of(struct cluster *c);

/* Does what a process with the same number does when it joins. */
void join_as(uint64_t id);

/* Did this come for the partition? All that came before it is taken, too. */
bool came(struct cluster *c, enum incoming_kind kind, uint32_t part);
/* The next message for the partition, of whatever kind. */
struct incoming *next_of(struct cluster *c, uint32_t part);

#define await(what)                           \
    do {                                      \
        int steps = 0;                        \
        while (!(what) && ++steps < PATIENCE) \
            clock_sleep(10 * US_PER_MS);      \
        assert_true(steps < PATIENCE);        \
    } while (0)
