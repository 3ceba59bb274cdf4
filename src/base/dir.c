/* dir.c - the files of one directory, by its descriptor. See dir.h.
 *
 * A name of one component and O_NOFOLLOW say all that openat2's RESOLVE_BENEATH
 * and RESOLVE_NO_SYMLINKS would, on every kernel. SPDX-License-Identifier: MIT */
#include "base/dir.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME_BYTES 255 /* of one name, on every file system we know */

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

/* The name, ended by NUL. */
static enum status name_take(struct str name, char ret[NAME_BYTES + 1])
{
    if (!dir_is_name(name))
        return status_fail(ST_INVALID, "'%.*s' is no name of a file of a crawl", STR_ARG(name));
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
    const char *why = errno == ELOOP ? "it is a link, and links are not followed" : strerror(errno);

    return status_fail(st, "%s: %s", name, why);
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
    if (fd < 0)
        return refuse(plain);
    *ret_fd = fd;
    return ST_OK;
}

enum status dir_file(int dir, struct str name, int flags, int *ret_fd)
{
    char plain[NAME_BYTES + 1];
    struct stat info;
    enum status st = name_take(name, plain);
    int fd;

    if (st != ST_OK)
        return st;
    /* O_NONBLOCK: a pipe without a reader must not hold us. Regular files do not heed it. */
    fd = openat(dir, plain, (flags & ~O_TRUNC) | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
    if (fd < 0)
        return refuse(plain);
    if (fstat(fd, &info) != 0)
        st = refuse(plain);
    else if (!S_ISREG(info.st_mode))
        st = status_fail(ST_INVALID, "%s is no regular file", plain);
    else if ((flags & O_TRUNC) && ftruncate(fd, 0) != 0)
        st = refuse(plain);
    if (st == ST_OK)
        *ret_fd = fd;
    else
        (void)close(fd);
    return st;
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
    /* Some file systems know no sync of a directory: they need none. */
    if (fsync(dir) == 0 || errno == EINVAL)
        return ST_OK;
    return status_fail(ST_IO, "the directory cannot be synced: %s", strerror(errno));
}
