/* shim.c - a VFS around SQLite's own. SPDX-License-Identifier: MIT */
#include "shim.h"

#include <stddef.h>
#include <unistd.h>

static const struct shim_hooks *hooks;
static bool skip_syncs;
static sqlite3_vfs shim, *real;

#define INNER(f)             (((struct shim_file *)(f))->inner)
#define CALL(f, method, ...) (INNER(f)->pMethods->method(INNER(f), ##__VA_ARGS__))

static int change(sqlite3_file *f, enum shim_change what, const void *bytes, int n,
                  sqlite3_int64 at)
{
    return hooks->change((struct shim_file *)f, what, bytes, n, at);
}

static int x_close(sqlite3_file *f)
{
    return INNER(f)->pMethods ? CALL(f, xClose) : SQLITE_OK;
}

static int x_read(sqlite3_file *f, void *to, int n, sqlite3_int64 at)
{
    return CALL(f, xRead, to, n, at);
}

static int x_write(sqlite3_file *f, const void *from, int n, sqlite3_int64 at)
{
    int code = change(f, SHIM_WRITE, from, n, at);

    if (code != SQLITE_OK && n > 1)
        (void)CALL(f, xWrite, from, n / 2, at); /* half of it got there */
    return code != SQLITE_OK ? code : CALL(f, xWrite, from, n, at);
}

static int x_truncate(sqlite3_file *f, sqlite3_int64 size)
{
    int code = change(f, SHIM_TRUNCATE, NULL, 0, size);

    return code != SQLITE_OK ? SQLITE_IOERR_TRUNCATE : CALL(f, xTruncate, size);
}

static int x_sync(sqlite3_file *f, int flags)
{
    int code = change(f, SHIM_SYNC, NULL, 0, 0);

    ((struct shim_file *)f)->fresh = false;
    if (code != SQLITE_OK)
        return SQLITE_IOERR_FSYNC;
    return skip_syncs ? SQLITE_OK : CALL(f, xSync, flags);
}

static int x_size(sqlite3_file *f, sqlite3_int64 *ret)
{
    return CALL(f, xFileSize, ret);
}

static int x_lock(sqlite3_file *f, int lock)
{
    return CALL(f, xLock, lock);
}

static int x_unlock(sqlite3_file *f, int lock)
{
    return CALL(f, xUnlock, lock);
}

static int x_reserved(sqlite3_file *f, int *ret)
{
    return CALL(f, xCheckReservedLock, ret);
}

static int x_control(sqlite3_file *f, int op, void *arg)
{
    return CALL(f, xFileControl, op, arg);
}

static int x_sector(sqlite3_file *f)
{
    return CALL(f, xSectorSize);
}

static int x_device(sqlite3_file *f)
{
    return CALL(f, xDeviceCharacteristics);
}

static int x_shm_map(sqlite3_file *f, int page, int size, int extend, void volatile **ret)
{
    return CALL(f, xShmMap, page, size, extend, ret);
}

static int x_shm_lock(sqlite3_file *f, int from, int n, int flags)
{
    return CALL(f, xShmLock, from, n, flags);
}

static void x_shm_barrier(sqlite3_file *f)
{
    CALL(f, xShmBarrier);
}

static int x_shm_unmap(sqlite3_file *f, int remove)
{
    return CALL(f, xShmUnmap, remove);
}

static const sqlite3_io_methods methods = {
    .iVersion = 2, /* with shared memory, without mapped files */
    .xClose = x_close,
    .xRead = x_read,
    .xWrite = x_write,
    .xTruncate = x_truncate,
    .xSync = x_sync,
    .xFileSize = x_size,
    .xLock = x_lock,
    .xUnlock = x_unlock,
    .xCheckReservedLock = x_reserved,
    .xFileControl = x_control,
    .xSectorSize = x_sector,
    .xDeviceCharacteristics = x_device,
    .xShmMap = x_shm_map,
    .xShmLock = x_shm_lock,
    .xShmBarrier = x_shm_barrier,
    .xShmUnmap = x_shm_unmap,
};

static int x_open(sqlite3_vfs *v, sqlite3_filename name, sqlite3_file *f, int flags, int *ret)
{
    const int journals = SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL | SQLITE_OPEN_SUPER_JOURNAL;
    struct shim_file *file = (struct shim_file *)f;
    bool made = name && access(name, F_OK) != 0;
    int code;

    (void)v;
    file->inner = (sqlite3_file *)(file + 1);
    file->base.pMethods = &methods;
    file->path = name; /* SQLite keeps it as long as the file */
    file->fresh = made && (flags & journals);
    code = real->xOpen(real, name, file->inner, flags, ret);
    if (code == SQLITE_OK && name && hooks->opened)
        hooks->opened(file, name, made);
    return code;
}

static int x_delete(sqlite3_vfs *v, const char *name, int sync)
{
    int code = real->xDelete(real, name, sync && !skip_syncs);

    (void)v;
    if (code == SQLITE_OK && hooks->removed)
        hooks->removed(name, sync);
    return code;
}

bool shim_use(const struct shim_hooks *h)
{
    hooks = h;
    real = sqlite3_vfs_find(NULL);
    shim = *real;
    shim.zName = "shim";
    shim.szOsFile = (int)sizeof(struct shim_file) + real->szOsFile;
    shim.xOpen = x_open;
    shim.xDelete = x_delete;
    return sqlite3_vfs_register(&shim, 1) == SQLITE_OK;
}

void shim_skip_syncs(bool skip)
{
    skip_syncs = skip;
}
