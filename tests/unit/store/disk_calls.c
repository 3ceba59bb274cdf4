/* disk_calls.c - every call that changes a file is noted: our own by wrapping them
 * at link time (meson.build has the list) when they succeeded, SQLite's by a VFS.
 * SPDX-License-Identifier: MIT */
#include "disk_int.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- our own calls ------------------------------------------------------- */

int __real_openat64(int at, const char *path, int flags, ...);
int __real_mkdirat(int at, const char *path, mode_t mode);
int __real_unlinkat(int at, const char *path, int flags);
int __real_renameat(int at, const char *from, int to_at, const char *to);
int __real_ftruncate64(int fd, off_t length);
int __real_fsync(int fd);
int __real_fdatasync(int fd);
ssize_t __real_write(int fd, const void *bytes, size_t len);

int __wrap_open64(const char *path, int flags, ...);
int __wrap_openat64(int at, const char *path, int flags, ...);
int __wrap_mkdir(const char *path, mode_t mode);
int __wrap_mkdirat(int at, const char *path, mode_t mode);
int __wrap_unlink(const char *path);
int __wrap_unlinkat(int at, const char *path, int flags);
int __wrap_rmdir(const char *path);
int __wrap_rename(const char *from, const char *to);
int __wrap_renameat(int at, const char *from, int to_at, const char *to);
int __wrap_truncate64(const char *path, off_t length);
int __wrap_ftruncate64(int fd, off_t length);
int __wrap_fsync(int fd);
int __wrap_fdatasync(int fd);
ssize_t __wrap_write(int fd, const void *bytes, size_t len);

static bool fail_syncs;

static int open_seen(int at, const char *path, int flags, mode_t mode)
{
    struct stat info;
    bool made = (flags & O_CREAT) && fstatat(at, path, &info, AT_SYMLINK_NOFOLLOW) != 0;
    int fd = __real_openat64(at, path, flags, mode);

    if (fd >= 0 && made && fstat(fd, &info) == 0)
        note_made(at, path, info.st_ino, false);
    if (fd >= 0 && !made && (flags & O_TRUNC))
        note_fd(CUT, fd, 0);
    return fd;
}

int __wrap_openat64(int at, const char *path, int flags, ...)
{
    va_list args;
    mode_t mode;

    va_start(args, flags);
    mode = flags & O_CREAT ? va_arg(args, mode_t) : 0;
    va_end(args);
    return open_seen(at, path, flags, mode);
}

int __wrap_open64(const char *path, int flags, ...)
{
    va_list args;
    mode_t mode;

    va_start(args, flags);
    mode = flags & O_CREAT ? va_arg(args, mode_t) : 0;
    va_end(args);
    return open_seen(AT_FDCWD, path, flags, mode);
}

int __wrap_mkdirat(int at, const char *path, mode_t mode)
{
    int rc = __real_mkdirat(at, path, mode);
    struct stat info;

    if (rc == 0 && fstatat(at, path, &info, 0) == 0)
        note_made(at, path, info.st_ino, true);
    return rc;
}

int __wrap_mkdir(const char *path, mode_t mode)
{
    return __wrap_mkdirat(AT_FDCWD, path, mode);
}

int __wrap_unlinkat(int at, const char *path, int flags)
{
    int rc = __real_unlinkat(at, path, flags);

    if (rc == 0)
        note_removed(at, path);
    return rc;
}

int __wrap_unlink(const char *path)
{
    return __wrap_unlinkat(AT_FDCWD, path, 0);
}

int __wrap_rmdir(const char *path)
{
    return __wrap_unlinkat(AT_FDCWD, path, AT_REMOVEDIR);
}

int __wrap_renameat(int at, const char *from, int to_at, const char *to)
{
    int rc = __real_renameat(at, from, to_at, to);

    if (rc == 0)
        note_renamed(at, from, to_at, to);
    return rc;
}

int __wrap_rename(const char *from, const char *to)
{
    return __wrap_renameat(AT_FDCWD, from, AT_FDCWD, to);
}

int __wrap_ftruncate64(int fd, off_t length)
{
    int rc = __real_ftruncate64(fd, length);

    if (rc == 0)
        note_fd(CUT, fd, (uint64_t)length);
    return rc;
}

int __wrap_truncate64(const char *path, off_t length)
{
    int fd = __real_openat64(AT_FDCWD, path, O_WRONLY | O_CLOEXEC);
    int rc = fd < 0 ? -1 : __wrap_ftruncate64(fd, length);

    if (fd >= 0)
        (void)close(fd);
    return rc;
}

int __wrap_fsync(int fd)
{
    int rc = disk_is_on() ? __real_fsync(fd) : 0;

    if (rc == 0)
        note_fd(SYNCED, fd, 0);
    return rc;
}

void disk_fail_syncs(bool fail)
{
    __atomic_store_n(&fail_syncs, fail, __ATOMIC_RELAXED);
}

int __wrap_fdatasync(int fd)
{
    int rc;

    if (__atomic_load_n(&fail_syncs, __ATOMIC_RELAXED)) {
        errno = EIO;
        return -1;
    }
    rc = disk_is_on() ? __real_fdatasync(fd) : 0;
    if (rc == 0)
        note_fd(SYNCED, fd, 0);
    return rc;
}

ssize_t __wrap_write(int fd, const void *bytes, size_t len)
{
    off_t at = lseek(fd, 0, SEEK_CUR);
    ssize_t n = __real_write(fd, bytes, len);
    struct stat info;

    if (n > 0 && at >= 0 && fstat(fd, &info) == 0)
        note_write(info.st_ino, (uint64_t)at, bytes, (size_t)n);
    return n;
}

/* ---- SQLite's ------------------------------------------------------------ */

static void sqlite_opened(struct shim_file *f, const char *path, bool made)
{
    struct stat info;

    if (stat(path, &info) != 0)
        return;
    if (made)
        note_made(AT_FDCWD, path, info.st_ino, false);
    f->inode = info.st_ino;
}

static void sync_folder_of(const char *path)
{
    char folder[4096];
    struct stat info;

    (void)snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
    if (stat(folder, &info) == 0)
        note_inode(SYNCED, info.st_ino, 0);
}

static void sqlite_removed(const char *path, bool synced)
{
    note_removed(AT_FDCWD, path);
    if (synced)
        sync_folder_of(path);
}

static int sqlite_changes(struct shim_file *f, enum shim_change what, const void *bytes, int n,
                          sqlite3_int64 at)
{
    if (f->path == NULL)
        return SQLITE_OK;
    if (what == SHIM_WRITE)
        note_write(f->inode, (uint64_t)at, bytes, (size_t)n);
    else
        note_inode(what == SHIM_SYNC ? SYNCED : CUT, f->inode, (uint64_t)at);
    if (what == SHIM_SYNC && f->fresh)
        sync_folder_of(f->path);
    return SQLITE_OK;
}

const struct shim_hooks disk_hooks = {sqlite_changes, sqlite_opened, sqlite_removed};
