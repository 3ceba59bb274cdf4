/* dir.c - the files of one directory, by its descriptor. See dir.h.
 *
 * A name of one component and O_NOFOLLOW say all that openat2's RESOLVE_BENEATH
 * and RESOLVE_NO_SYMLINKS would, on every kernel. SPDX-License-Identifier: MIT */
#include "base/os/dir.h"

#include "base/mem.h"
#include "base/status.h"
#include "base/str.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/file.h>
#include <unistd.h>

#define NAME_BYTES 255 /* of one name, on every file system that we know */

void fd_drop(int *fd)
{
    if (*fd >= 0)
        (void)close(*fd);
    *fd = -1;
}

bool dir_is_name(struct str name)
{
    if (name.len == 0 || name.len > NAME_BYTES || name.ptr[0] == '.')
        return false;
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];

        if (!ascii_is_alpha(c) && !ascii_is_digit(c) && c != '-' && c != '_' && c != '.')
            return false;
    }
    return true;
}

/* Copies the name and ends it with NUL. */
static enum status name_take(struct str name, char ret[NAME_BYTES + 1])
{
    if (!dir_is_name(name))
        return status_fail(ST_INVALID, "'%.*s' is not a valid file name in a crawl", STR_ARG(name));
    memcpy(ret, name.ptr, name.len);
    ret[name.len] = '\0';
    return ST_OK;
}

static enum status refuse(const char *name)
{
    enum status st = errno == ENOENT                      ? ST_MISSING
                     : errno == EEXIST                    ? ST_EXISTS
                     : errno == ELOOP || errno == ENOTDIR ? ST_INVALID
                     : errno == ENXIO || errno == EISDIR  ? ST_INVALID
                                                          : ST_IO;

    if (errno == ELOOP)
        return status_fail(st, "%s is a link, and links are not followed", name);
    return status_fail(st, "%s: %s", name, strerror(errno));
}

enum status dir_open(const char *path, int *ret_fd)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (fd < 0)
        return refuse(path);
    *ret_fd = fd;
    return ST_OK;
}

enum status dir_folder(int dir, const char *name, bool make, int *ret_fd)
{
    char plain[NAME_BYTES + 1];
    enum status st = name_take(str_of(name), plain);
    int fd;

    if (st != ST_OK)
        return st;
    if (make && mkdirat(dir, plain, 0700) != 0 && errno != EEXIST)
        return refuse(plain);
    fd = openat(dir, plain, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 && (errno == ENOTDIR || errno == ELOOP)) /* a link gives either */
        return status_fail(ST_INVALID,
                           "%s is not a folder, or is a link, and links are not followed", plain);
    if (fd < 0)
        return refuse(plain);
    *ret_fd = fd;
    return ST_OK;
}

static enum status judge(const char *name, const struct stat *info, bool write)
{
    if (S_ISLNK(info->st_mode))
        return status_fail(ST_INVALID, "%s is a link, and links are not followed", name);
    if (!S_ISREG(info->st_mode))
        return status_fail(ST_INVALID, "%s is not a regular file", name);
    if (write && info->st_nlink > 1)
        return status_fail(ST_INVALID, "%s has a second name (a hard link), and is not written to",
                           name);
    return ST_OK;
}

enum status dir_check(int dir, struct str name, bool write)
{
    char plain[NAME_BYTES + 1];
    struct stat info;
    enum status st = name_take(name, plain);

    if (st != ST_OK)
        return st;
    return fstatat(dir, plain, &info, AT_SYMLINK_NOFOLLOW) == 0 ? judge(plain, &info, write)
                                                                : refuse(plain);
}

enum status dir_file(int dir, struct str name, int flags, int *ret_fd)
{
    char plain[NAME_BYTES + 1];
    struct stat info;
    enum status st = name_take(name, plain);
    int fd;

    if (st != ST_OK)
        return st;
    /* O_NONBLOCK: a pipe without a reader must not block us. Regular files ignore it. */
    fd = openat(dir, plain, (flags & ~O_TRUNC) | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
    if (fd < 0)
        return refuse(plain);
    if (fstat(fd, &info) != 0)
        st = refuse(plain);
    else
        st = judge(plain, &info, (flags & O_ACCMODE) != O_RDONLY);
    if (st == ST_OK && (flags & O_TRUNC) && ftruncate(fd, 0) != 0)
        st = refuse(plain);
    if (st == ST_OK)
        *ret_fd = fd;
    else
        (void)close(fd);
    return st;
}

enum status dir_file_new(int dir, struct str name, int *ret_fd)
{
    enum status st = dir_remove(dir, name);

    if (st == ST_OK || st == ST_MISSING)
        st = dir_file(dir, name, O_WRONLY | O_CREAT | O_EXCL, ret_fd);
    return st;
}

enum status dir_file_of(const char *path, int flags, int *ret_fd)
{
    const char *slash = strrchr(path, '/');
    LOCAL_HEAP char *folder =
        slash ? str_dup((struct str){path, (size_t)(slash + 1 - path)}) : NULL;
    LOCAL_FD dir = -1;

    TRY(dir_open(folder ? folder : ".", &dir));
    return dir_file(dir, str_of(slash ? slash + 1 : path), flags, ret_fd);
}

DIR *dir_list(int dir)
{
    int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC); /* with its own position */
    DIR *list = fd >= 0 ? fdopendir(fd) : NULL;

    if (list == NULL && fd >= 0)
        (void)close(fd);
    return list;
}

enum status dir_remove(int dir, struct str name)
{
    char plain[NAME_BYTES + 1];
    enum status st = name_take(name, plain);

    if (st != ST_OK)
        return st;
    return unlinkat(dir, plain, 0) == 0 ? ST_OK : refuse(plain);
}

enum status dir_rename(int dir, struct str from, struct str to)
{
    char old[NAME_BYTES + 1], new[NAME_BYTES + 1];
    enum status st = name_take(from, old);

    if (st == ST_OK)
        st = name_take(to, new);
    if (st != ST_OK)
        return st;
    return renameat(dir, old, dir, new) == 0 ? ST_OK : refuse(old);
}

enum status dir_sync(int dir)
{
    /* Some file systems cannot sync a directory, and do not need to. */
    if (fsync(dir) == 0 || errno == EINVAL)
        return ST_OK;
    return status_fail(ST_IO, "the directory cannot be synced: %s", strerror(errno));
}

enum status dir_sync_name(const char *path)
{
    size_t len = strlen(path);
    LOCAL_HEAP char *parent = NULL;
    LOCAL_FD fd = -1;

    while (len > 1 && path[len - 1] == '/')
        len--;
    while (len > 0 && path[len - 1] != '/')
        len--;
    parent = str_dup(len > 0 ? (struct str){path, len} : STR("."));
    fd = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return errno == EACCES ? ST_OK : refuse(parent); /* writable for us, but not readable */
    return dir_sync(fd);
}

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
    (void)st, (void)flag, (void)ftw;
    return remove(path);
}

void dir_remove_all(const char *path)
{
    (void)nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* ---- a directory that is built under another name ---- */

static bool is_empty(const char *dir)
{
    DIR *list = opendir(dir);
    struct dirent *e;
    bool empty = list != NULL;

    while (list && (e = readdir(list)) != NULL)
        empty = empty && (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0);
    if (list)
        (void)closedir(list);
    return empty;
}

/* Returns "DIR.part", or NULL if DIR is not a name. */
static char *part_name(const char *dir)
{
    struct str name = str_of(dir);
    char *part;

    while (name.len > 1 && name.ptr[name.len - 1] == '/')
        name.len--;
    if (name.len == 0)
        return NULL;
    part = mem_alloc(name.len + sizeof ".part");
    (void)snprintf(part, name.len + sizeof ".part", "%.*s.part", STR_ARG(name));
    return part;
}

enum status part_clear(const char *dir)
{
    LOCAL_HEAP char *part = part_name(dir);
    LOCAL_FD fd = part ? open(part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
    enum status st = ST_OK;

    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0)
        st = status_fail(ST_EXISTS, "%s is being made by another process", dir);
    else if (fd >= 0)
        dir_remove_all(part);
    return st;
}

enum status part_begin(const char *dir, char **ret_part)
{
    if (access(dir, F_OK) == 0 && *dir && !is_empty(dir))
        return status_fail(ST_EXISTS, "%s is there already: give another name", dir);
    return part_begin_anew(dir, ret_part);
}

enum status part_begin_anew(const char *dir, char **ret_part)
{
    char *part = part_name(dir);

    if (part == NULL)
        return status_fail(ST_USAGE, "'%s' is not the name of a directory", dir);
    if (access(part, F_OK) == 0) {
        enum status st = status_fail(
            ST_EXISTS, "%s is there: it is being made, or its making was killed; then remove it",
            part);

        free(part);
        return st;
    }
    *ret_part = part;
    return ST_OK;
}

enum status part_end(char *part, const char *dir, enum status st)
{
    if (st == ST_OK && rename(part, dir) != 0)
        st = status_fail(ST_IO, "%s cannot be moved to %s: %s", part, dir, strerror(errno));
    else if (st == ST_OK)
        st = dir_sync_name(dir);
    if (st != ST_OK)
        dir_remove_all(part);
    free(part);
    return st;
}

/* After the exchange, `part` names what was at `dir` before. */
enum status part_end_anew(char *part, const char *dir, enum status st)
{
    if (st == ST_OK && renameat2(AT_FDCWD, part, AT_FDCWD, dir, RENAME_EXCHANGE) != 0)
        st = status_fail(ST_IO, "%s cannot take the place of %s: %s", part, dir, strerror(errno));
    dir_remove_all(part);
    free(part);
    return st == ST_OK ? dir_sync_name(dir) : st;
}
