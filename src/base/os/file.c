/* file.c - whole files, bounded. SPDX-License-Identifier: MIT */
#include "base/os/file.h"

#include "base/os/dir.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define CHUNK 65536

static enum status read_all(int fd, const char *path, struct buf *out)
{
    for (;;) {
        char chunk[CHUNK];
        ssize_t n = read(fd, chunk, sizeof chunk);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return status_fail(ST_IO, "%s: %s", path, strerror(errno));
        if (n == 0)
            return ST_OK;
        buf_add(out, chunk, (size_t)n);
        if (out->full)
            return status_fail(ST_LIMIT, "%s is larger than %zu bytes", path, out->max);
    }
}

enum status file_read(const char *path, struct buf *out)
{
    enum status st;
    int fd;

    if (strcmp(path, "-") == 0)
        return read_all(STDIN_FILENO, "standard input", out);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return status_fail(errno == ENOENT ? ST_MISSING : ST_IO, "%s: %s", path, strerror(errno));
    st = read_all(fd, path, out);
    (void)close(fd);
    return st;
}

static enum status write_all(int fd, struct str data)
{
    while (data.len > 0) {
        ssize_t n = write(fd, data.ptr, data.len);

        if (n < 0 && errno != EINTR)
            return ST_IO;
        if (n > 0)
            data = str_sub(data, (size_t)n, data.len);
    }
    return fsync(fd) == 0 ? ST_OK : ST_IO;
}

enum status file_write(const char *path, struct str data)
{
    char temporary[4096];
    enum status st;
    int fd;

    if (snprintf(temporary, sizeof temporary, "%s.part", path) >= (int)sizeof temporary)
        return status_fail(ST_USAGE, "the file name %s is too long", path);
    (void)unlink(temporary); /* left by a crash, or a link to another place */
    fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    if (fd < 0)
        return status_fail(ST_IO, "%s: %s", temporary, strerror(errno));
    st = write_all(fd, data);
    if (close(fd) != 0)
        st = ST_IO;
    if (st == ST_OK && rename(temporary, path) != 0)
        st = ST_IO;
    if (st == ST_OK)
        return dir_sync_name(path);
    if (st != ST_OK) {
        st = status_fail(ST_IO, "%s: %s", path, strerror(errno));
        (void)unlink(temporary);
    }
    return st;
}

char *file_folder(const char *path)
{
    struct str rest = str_of(path);

    while (rest.len > 1 && rest.ptr[rest.len - 1] == '/')
        rest.len--;
    while (rest.len > 0 && rest.ptr[rest.len - 1] != '/')
        rest.len--;
    while (rest.len > 1 && rest.ptr[rest.len - 1] == '/')
        rest.len--;
    return str_dup(rest.len ? rest : STR("."));
}
