/* wordnet_open.c - finding WordNet's files and mapping them.
 * SPDX-License-Identifier: MIT
 *
 * The one place in text/ that reads files: a dictionary of 20 MB of which a crawl
 * looks at a few pages is better mapped than read. */
#include "models/crew/wordnet_int.h"

#include "base/limits.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Debian, Fedora, BSD ports, and where Princeton's own installer puts it. */
static const char *const places[] = {
    "/usr/share/wordnet",
    "/usr/share/wordnet/dict",
    "/usr/share/wordnet-3.0/dict",
    "/usr/local/WordNet-3.0/dict",
    "/usr/local/share/wordnet/dict",
    "/usr/share/wordnet-3.1/dict",
    "/opt/homebrew/opt/wordnet/dict",
};

static enum status map_fd(int fd, const char *path, struct str *ret)
{
    struct stat about;
    void *bytes;

    if (fstat(fd, &about) != 0)
        return status_fail(ST_IO, "%s: %s", path, strerror(errno));
    if (!S_ISREG(about.st_mode))
        return status_fail(ST_INVALID, "%s is not a regular file", path);
    if ((uintmax_t)about.st_size > LIMIT_WORDNET_FILE)
        return status_fail(ST_LIMIT, "%s is larger than any file of WordNet", path);
    *ret = STR("");
    if (about.st_size == 0)
        return ST_OK;
    bytes = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (bytes == MAP_FAILED)
        return status_fail(ST_IO, "%s: %s", path, strerror(errno));
    *ret = (struct str){bytes, (size_t)about.st_size};
    return ST_OK;
}

static enum status map_file(const char *dir, const char *name, struct str *ret)
{
    char path[PATH_MAX];
    enum status st;
    int fd;

    if (snprintf(path, sizeof path, "%s/%s", dir, name) >= (int)sizeof path)
        return status_fail(ST_MISSING, "%s: the name is too long", dir);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return status_fail(errno == ENOENT || errno == ENOTDIR ? ST_MISSING : ST_IO, "%s: %s", path,
                           strerror(errno));
    st = map_fd(fd, path, ret);
    close(fd);
    return st;
}

/* A file that is not WordNet's is said at once, not found empty later. */
static enum status check_format(const struct wordnet *w)
{
    static const uint32_t first_line_max = 100000; /* bytes of licence before it */
    struct str head = str_sub(w->data, 0, first_line_max), line, rest;
    struct synset s;

    for (rest = head; str_cut(&rest, '\n', &line);) {
        if (!str_starts(line, STR(" ")))
            return wordnet_synset(w, (uint32_t)(line.ptr - head.ptr), &s)
                       ? ST_OK
                       : status_fail(ST_INVALID, "%s/data.noun is no file of WordNet", w->dir);
    }
    return status_fail(ST_INVALID, "%s/data.noun is no file of WordNet", w->dir);
}

static enum status open_in(const char *dir, struct wordnet **ret)
{
    struct wordnet *w = MEM_NEW(struct wordnet);
    enum status st;

    w->dir = str_dup(str_of(dir));
    st = map_file(dir, "index.noun", &w->index);
    if (st == ST_OK)
        st = map_file(dir, "data.noun", &w->data);
    if (st == ST_OK) {
        st = map_file(dir, "noun.exc", &w->exceptions);
        if (st == ST_MISSING)
            st = ST_OK; /* irregular plurals are not known, that is all */
    }
    if (st == ST_OK)
        st = check_format(w);
    if (st == ST_OK)
        *ret = w;
    else
        wordnet_free(w);
    return st;
}

static enum status open_home(const char *home, struct wordnet **ret)
{
    char dir[PATH_MAX];

    if (snprintf(dir, sizeof dir, "%s/dict", home) >= (int)sizeof dir)
        return status_fail(ST_MISSING, "%s: the name is too long", home);
    return open_in(dir, ret);
}

/* Where somebody said that it is. */
static enum status named(enum status st, const char *variable)
{
    return st == ST_OK ? st
                       : status_prefix(st,
                                       "there is no WordNet where %s says, so that related words "
                                       "count only where their stems are equal",
                                       variable);
}

enum status wordnet_open(const char *dir, struct wordnet **ret)
{
    const char *search = getenv("WNSEARCHDIR"), *home = getenv("WNHOME");

    if (dir && *dir)
        return named(open_in(dir, ret), "the option");
    if (search && *search)
        return named(open_in(search, ret), "WNSEARCHDIR");
    if (home && *home)
        return named(open_home(home, ret), "WNHOME");
    for (size_t i = 0; i < ARRAY_LEN(places); i++) {
        enum status st = open_in(places[i], ret);

        if (st != ST_MISSING)
            return st;
    }
    return status_fail(ST_MISSING,
                       "WordNet is not installed: related words count only where their stems are "
                       "equal. Install the package wordnet-base (Debian, Ubuntu), or name the "
                       "folder of index.noun and data.noun in WNSEARCHDIR");
}

struct wordnet *wordnet_over(struct str index, struct str data, struct str exceptions)
{
    struct wordnet *w = MEM_NEW(struct wordnet);

    w->index = index;
    w->data = data;
    w->exceptions = exceptions;
    return w;
}

static void unmap(struct str text)
{
    if (text.len > 0)
        munmap((void *)(uintptr_t)text.ptr, text.len);
}

void wordnet_free(struct wordnet *w)
{
    if (w == NULL)
        return;
    if (w->dir) {
        unmap(w->index);
        unmap(w->data);
        unmap(w->exceptions);
    }
    free(w->dir);
    free(w);
}

const char *wordnet_dir(const struct wordnet *w)
{
    return w->dir ? w->dir : "";
}
