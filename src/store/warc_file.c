/* warc_file.c - the archive's files: their folder and their names. See warc_file.h.
 * SPDX-License-Identifier: MIT */
#include "store/warc_file.h"

#include "base/dir.h"

#include <unistd.h>

#define STAMP 14 /* digits of a time stamp */

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
    return str_eq(name, STR(".warc.gz")) || str_eq(name, STR(".warc.gz.open")) ? serial : 0;
}

static enum status must_be_name(struct str name)
{
    if (warc_serial(name) == 0)
        return status_fail(ST_CORRUPT, "'%.*s' is not the name of a WARC file of ours",
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

enum status warc_file_open(int folder, struct str name, int flags, int *ret_fd)
{
    enum status st = must_be_name(name);

    return st == ST_OK ? dir_file(folder, name, flags, ret_fd) : st;
}

enum status warc_file_remove(int folder, struct str name)
{
    enum status st = must_be_name(name);

    return st == ST_OK ? dir_remove(folder, name) : st;
}
