/* warc_file.c - the files of the archive: their folder and their names. See warc_file.h.
 * SPDX-License-Identifier: MIT */
#include "store/warc_file.h"

#include "base/os/dir.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define STAMP      14 /* digits of a time stamp */
#define NAME_BYTES 256
#define OPEN       ".open" /* behind a name, while the file is written */

/* Takes a number from the front of `s`. */
static bool take_number(struct str *s, uint64_t *ret)
{
    size_t n = 0;

    while (n < s->len && ascii_is_digit(s->ptr[n]))
        n++;
    if (!str_to_u64(str_sub(*s, 0, n), ret))
        return false;
    *s = str_sub(*s, n, s->len);
    return true;
}

static bool take(struct str *s, struct str front)
{
    if (!str_starts(*s, front))
        return false;
    *s = str_sub(*s, front.len, s->len);
    return true;
}

uint64_t warc_serial(struct str name)
{
    uint64_t stamp, serial, turn;
    size_t before;

    if (!take(&name, STR("brood-")))
        return 0;
    before = name.len;
    if (!take_number(&name, &stamp) || before - name.len != STAMP || !take(&name, STR("-")) ||
        !take_number(&name, &serial))
        return 0;
    if (take(&name, STR("-f")) && !take_number(&name, &turn))
        return 0;
    return str_eq(name, STR(".warc.gz")) || str_eq(name, STR(".warc.gz" OPEN)) ? serial : 0;
}

static enum status must_be_name(struct str name)
{
    if (warc_serial(name) == 0)
        return status_fail(ST_CORRUPT, "'%.*s' is not the name of a WARC file of brood",
                           STR_ARG(name));
    return ST_OK;
}

enum status warc_folder(const char *dir, bool make, int *ret_fd)
{
    int fd = -1;
    enum status st = dir_open(dir, &fd);

    if (st != ST_OK)
        return st;
    st = dir_folder(fd, "warc", make, ret_fd);
    (void)close(fd);
    return st;
}

/* Makes "NAME.open" from a name of our form. */
static enum status open_name(struct str name, char ret[NAME_BYTES])
{
    TRY(must_be_name(name));
    if (snprintf(ret, NAME_BYTES, "%.*s" OPEN, STR_ARG(name)) >= NAME_BYTES)
        return status_fail(ST_CORRUPT, "the name of a WARC file is too long");
    return ST_OK;
}

enum status warc_file_open(int folder, struct str name, int flags, int *ret_fd)
{
    char other[NAME_BYTES];
    enum status st = open_name(name, other);

    if (st == ST_OK)
        st = dir_file(folder, name, flags, ret_fd);
    if (st == ST_MISSING)
        st = dir_file(folder, str_of(other), flags, ret_fd);
    if (st == ST_MISSING) /* it may have been renamed between the two */
        st = dir_file(folder, name, flags, ret_fd);
    return st;
}

enum status warc_file_remove(int folder, struct str name)
{
    char other[NAME_BYTES];
    enum status st = open_name(name, other);

    if (st == ST_OK)
        st = dir_remove(folder, name);
    return st == ST_MISSING ? dir_remove(folder, str_of(other)) : st;
}

enum status warc_file_begin(int folder, struct str name, int *ret_fd)
{
    char other[NAME_BYTES];
    enum status st = open_name(name, other);

    return st == ST_OK ? dir_file_new(folder, str_of(other), ret_fd) : st;
}

enum status warc_file_go_on(int folder, struct str name, int *ret_fd)
{
    char other[NAME_BYTES];
    enum status st = open_name(name, other);

    if (st == ST_OK)
        st = dir_rename(folder, name, str_of(other));
    if (st == ST_OK || st == ST_MISSING) /* it was never completed */
        st = dir_file(folder, str_of(other), O_WRONLY, ret_fd);
    return st;
}

enum status warc_file_done(int folder, struct str name)
{
    char other[NAME_BYTES];
    enum status st = open_name(name, other);

    if (st == ST_OK)
        st = dir_rename(folder, str_of(other), name);
    return st == ST_MISSING ? ST_OK : st;
}

bool warc_file_is_open(struct str *name)
{
    if (warc_serial(*name) == 0 || !str_ends(*name, STR(OPEN)))
        return false;
    name->len -= sizeof OPEN - 1;
    return true;
}
