/* disk_int.h - what the files of the disk share: the list of changes. */
#pragma once

#include "disk.h"
#include "shim.h"

#include <sys/types.h>

#define DISK_NAME 256

enum change_kind { MADE, RENAMED, REMOVED, WRITTEN, CUT, SYNCED, MARKED };

struct change {
    enum change_kind kind;
    uint32_t node;                       /* the file; for names the directory */
    uint32_t child;                      /* MADE: what was */
    char name[DISK_NAME], to[DISK_NAME]; /* in the directory */
    uint64_t at;                         /* WRITTEN: where; CUT: its length; MARKED: the promise */
    char *bytes;
    size_t len;
};

/* A file or directory; its inode's number is used again when it is gone. */
struct node {
    ino_t inode;
    bool is_dir;
};

struct disk {
    bool on;
    struct change *changes; /* in the order in which they were asked for */
    size_t count, cap, first;
    struct node *nodes; /* 0 is the root */
    size_t nnodes, nodes_cap;
};

extern struct disk disk;
extern const struct shim_hooks disk_hooks; /* disk_calls.c: SQLite's changes */

/* ---- recording (disk.c), for disk_calls.c ---- */

bool disk_is_on(void);
void note_made(int at, const char *path, ino_t inode, bool is_dir);
void note_removed(int at, const char *path);
void note_renamed(int at, const char *from, int to_at, const char *to);
void note_inode(enum change_kind kind, ino_t inode, uint64_t at);
void note_fd(enum change_kind kind, int fd, uint64_t at);
void note_write(ino_t inode, uint64_t at, const void *bytes, size_t len);
