/* disk.h - a disk that loses power.
 *
 * disk_watch() records what happens below a directory from then on: every write,
 * truncation and sync of a file, everything made, renamed and removed, and every
 * sync of a directory. Our own calls are caught at link time (-Wl,--wrap, see
 * meson.build), SQLite's by a VFS (shim.h). disk_after() then builds what a power
 * cut after the nth of them may leave.
 *
 * The model: what was synced stays. Of a file's writes since its last sync any
 * blocks of 4 KB may be there or not, and any of its truncations. What was made,
 * renamed and removed in a directory since its last sync is there in the order in
 * which it was done, up to some moment; a file's own sync does not keep its name.
 * Limit: no block holds what nobody wrote to it (but for zeros), and shared
 * memory (crawl.db-shm) is gone, as after any power cut.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is left of the changes that were not synced. */
enum disk_way {
    DISK_NONE,  /* nothing */
    DISK_ALL,   /* everything */
    DISK_NAMES, /* names, and none of the bytes: new files are empty */
    DISK_HALF,  /* half of the blocks, names up to some moment: this and all beyond it */
    DISK_WAYS = DISK_HALF + 4, /* draws of them */
};

void disk_watch(const char *root); /* what is there is durable */
void disk_mark(uint64_t value);    /* a promise: from here on every state must keep it */
void disk_stop(void);              /* nothing is recorded any more; syncs cost nothing */
void disk_fail_syncs(bool fail);   /* those of our own files do, from now on */

size_t disk_first(void);                     /* the state when the watch began */
size_t disk_last(void);                      /* and when it ended */
size_t disk_count(const char *part_of_name); /* writes to files whose names have this in them */

/* The state after `n` changes, written below `to`, which is empty. Returns the
 * promise that held by then; *ret_hash is equal for equal states. */
uint64_t disk_after(size_t n, enum disk_way way, const char *to, uint64_t *ret_hash);
