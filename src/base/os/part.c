/* part.c - a directory that is made beside its place. SPDX-License-Identifier: MIT */
#include "base/os/part.h"

#include "base/os/dir.h"
#include "base/mem.h"
#include "base/str.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

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

enum status part_begin(const char *dir, char **ret_part)
{
    struct str name = str_of(dir);
    char *part;

    while (name.len > 1 && name.ptr[name.len - 1] == '/')
        name.len--;
    if (name.len == 0)
        return status_fail(ST_USAGE, "'%s' is not the name of a directory", dir);
    if (access(dir, F_OK) == 0 && !is_empty(dir))
        return status_fail(ST_EXISTS, "%s is there already: give another name", dir);
    part = mem_alloc(name.len + sizeof ".part");
    (void)snprintf(part, name.len + sizeof ".part", "%.*s.part", STR_ARG(name));
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

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
    (void)st, (void)flag, (void)ftw;
    return remove(path);
}

enum status part_end(char *part, const char *dir, enum status st)
{
    if (st == ST_OK && rename(part, dir) != 0)
        st = status_fail(ST_IO, "%s cannot be moved to %s: %s", part, dir, strerror(errno));
    else if (st == ST_OK)
        st = dir_sync_name(dir);
    if (st != ST_OK)
        (void)nftw(part, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    free(part);
    return st;
}
