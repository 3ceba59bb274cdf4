/* shim.h - a VFS around SQLite's own that sees every change of a file.
 *
 * shim_use() makes it the default one. A hook is asked before each change and may
 * refuse it with a code of SQLite's. Mapped files are off: every write is seen.
 * Syncs may be left out while a test opens what nobody needs to keep.
 */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <sys/types.h>

enum shim_change { SHIM_WRITE, SHIM_TRUNCATE, SHIM_SYNC };

struct shim_file {
    sqlite3_file base;
    sqlite3_file *inner; /* behind the struct */
    const char *path;    /* NULL: a temporary file */
    ino_t inode;         /* the hooks' own */
    bool fresh;          /* a journal whose directory SQLite syncs with it, the first time */
};

struct shim_hooks {
    int (*change)(struct shim_file *f, enum shim_change what, const void *bytes, int n,
                  sqlite3_int64 at);
    void (*opened)(struct shim_file *f, const char *path, bool made); /* may be NULL */
    void (*removed)(const char *path, bool synced);                   /* may be NULL */
};

bool shim_use(const struct shim_hooks *hooks); /* lent for good */
void shim_skip_syncs(bool skip);
