/* inject.h - one call of this process fails.
 *
 * Every allocation, system call and SQLite step goes through a wrapper (wrap_*.c)
 * that asks inject() whether it should fail this time. A call is known by its
 * site: its name and the stack it is made from. Sites are kept in memory that
 * the parent and all children share, so that each run teaches the next ones
 * what there is to break; children are forked, so that an address means the same
 * to all of them.
 *
 * Limit: what libc calls inside itself (the write behind fflush, for instance) is
 * not seen; fopen, fclose and their like are.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum kind { KIND_MEMORY, KIND_STEP, KIND_CALL, KINDS };

#define FRAMES      24
#define OWN         6         /* frames of our code that tell two sites apart in the sample */
#define SITES_MOST  (1 << 17) /* a quarter of them are met */
#define ERRORS      4

/* An error that is none: only a part is read or written. */
#define SHORT       -1
/* Nor is this: the process ends where it would call, at once, as one that is killed. (The crawl's
 * filter allows no signals; an end with this code leaves the same.) */
#define KILLED      -2
#define KILLED_CODE 98

struct site {
    uint64_t key;   /* of the whole stack, 0: nobody is here */
    uint64_t own;   /* of the frames in our own code alone */
    uint32_t scene; /* in which it was met first */
    enum kind kind;
    const char *name;  /* "malloc", "open" */
    const int *errors; /* how it can fail, 0 at the end */
    void *frames[FRAMES];
    int nframes;
    unsigned calls; /* in the run that met it first */
};

/* Before anything is forked. */
void inject_init(void);

/* This process is a run of a scene, from the caller on: it notes its sites, and the nth
 * call (counted from 1) at those with this `key` or `own` fails with `error`; key 0:
 * none does. */
void inject_arm(uint32_t scene, uint64_t key, unsigned nth, int error);
void inject_disarm(void);

/* Whether it did: in a child that is over. Reset by inject_arm(). */
bool inject_fired(void);
void inject_slot(size_t slot); /* where a child says so */

size_t inject_sites(struct site **ret);

/* Asked by the wrappers, of whoever called them: 0, or how to fail now. */
#define INJECT(kind, name, errors) inject((kind), (name), (errors), __builtin_return_address(0))
int inject(enum kind kind, const char *name, const int *errors, void *caller);

/* Nothing on this thread fails meanwhile; what it was before. */
bool inject_pause(bool pause);

/* Whether this address is in our own code. */
bool inject_is_ours(const void *address);

/* Whether this address is in a library whose path contains `library`. */
bool inject_within(const char *library, void *caller);
