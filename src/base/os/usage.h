/* usage.h - one account of the memory that a crawl holds, by kind.
 *
 * Code that makes something large counts it. Any thread counts bodies, from their first
 * bytes until the last holder releases them; the mind sets all other kinds from time to
 * time. A ceiling of 0 means none. Counters are atomic; there are no locks.
 *
 * What is not counted (the program itself, libraries, freed memory that the allocator
 * keeps) is seen by usage_resident(), which asks the kernel.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum usage_kind {
    USAGE_BODIES, /* replies and what was parsed from them, until they are stored */
    USAGE_ROBOTS, /* rules of robots.txt files */
    USAGE_URLS,   /* known URLs, and the data that finds duplicates */
    USAGE_HOSTS,
    USAGE_QUEUES, /* choices and messages that wait */
    USAGE_CACHES, /* visited pages kept for models */
    USAGE_KINDS
};

struct usage {
    _Atomic int64_t now[USAGE_KINDS]; /* bytes */
    _Atomic int64_t peak[USAGE_KINDS];
    int64_t bodies_most; /* what all bodies together may use; 0: any */
};

#define USAGE_BODY_FREE 0x100000 /* bytes of a body that are always granted */

const char *usage_name(enum usage_kind kind); /* "bodies" */

/* Adds `bytes`, which may be negative. A NULL account counts nothing. */
void usage_add(struct usage *a, enum usage_kind kind, int64_t bytes);
/* Sets the bytes in use now, for the kinds that the mind reports. */
void usage_set(struct usage *a, enum usage_kind kind, uint64_t bytes);

static inline int64_t usage_now(const struct usage *a, enum usage_kind kind)
{
    return atomic_load_explicit(&a->now[kind], memory_order_relaxed);
}

/* Do all bodies together use so much of their ceiling that bodies beyond USAGE_BODY_FREE must be
 * given up? The rest is left for small bodies. */
static inline bool usage_is_crowded(const struct usage *a)
{
    return a != NULL && a->bodies_most > 0 && usage_now(a, USAGE_BODIES) > a->bodies_most / 4 * 3;
}

/* The descriptor for usage_resident(), opened early: a confined process (base/os/confine.h)
 * could not open it. Close it. */
int usage_open(void);
/* Bytes of this process in memory, now and at most so far; 0 if the kernel does not say. */
uint64_t usage_resident(int statm);
uint64_t usage_resident_peak(void);

/* Bytes that this process may use: the machine's memory, or the limit of a control group if that is
 * lower. */
uint64_t usage_machine(void);
