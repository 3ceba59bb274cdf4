/* children.c - crawls that were started from the form. SPDX-License-Identifier: MIT */
#include "dash/children.h"

#include "base/os/clock.h"
#include "base/os/dir.h"
#include "base/os/spawn.h"
#include "dash/crawls.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define SAID_BYTES 2000
#define SAID_LINES 6
#define RUN_MARK   "==== " /* the line with which a run begins in DIR.log, and when */

void children_init(struct children *all)
{
    *all = (struct children){0};
    (void)pthread_mutex_init(&all->lock, NULL);
}

void children_clear(struct children *all)
{
    (void)pthread_mutex_destroy(&all->lock);
}

/* Opens DIR.log to append: it may be the log of an earlier run, or a file of the user. */
static enum status log_begin(const char *path, int *ret)
{
    enum status st = dir_file_of(path, O_WRONLY | O_CREAT | O_APPEND, ret);
    char at[CLOCK_TEXT];

    if (st != ST_OK)
        return st;
    clock_format(clock_now(), 0, at);
    (void)dprintf(*ret, RUN_MARK "%s\n", at);
    return ST_OK;
}

enum status children_start(struct children *all, const struct text_list *argv, const char *log,
                           struct dash_crawl *crawl)
{
    enum status st = ST_OK;
    pid_t pid;
    int error, fd = -1;

    (void)pthread_mutex_lock(&all->lock);
    if (all->count == LIMIT_DASH_CHILDREN)
        st = status_fail(ST_LIMIT, "%d crawls started here are running: stop one first",
                         LIMIT_DASH_CHILDREN);
    if (st == ST_OK)
        st = log_begin(log, &fd);
    if (st == ST_OK && (error = spawn_program(argv->items[0], argv->items, -1, fd, &pid)) != 0)
        st = status_fail(ST_IO, "%s: %s", argv->items[0], strerror(error));
    if (fd >= 0)
        (void)close(fd);
    if (st == ST_OK) {
        all->items[all->count].pid = pid;
        all->items[all->count++].crawl = crawl;
        crawl_child_began(crawl, pid);
    }
    (void)pthread_mutex_unlock(&all->lock);
    return st;
}

/* Reads the end of a file of any length; its first line may be cut. Links are not followed, because
 * their target was chosen by the maker of the directory. */
static void read_end(const char *path, struct buf *ret)
{
    char bytes[SAID_BYTES];
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    struct stat info;
    ssize_t n = -1;

    if (fd < 0)
        return;
    if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode))
        n = pread(fd, bytes, sizeof bytes,
                  info.st_size > (off_t)sizeof bytes ? info.st_size - (off_t)sizeof bytes : 0);
    (void)close(fd);
    if (n > 0)
        buf_add(ret, bytes, (size_t)n);
}

void children_said(const char *dir, struct buf *ret)
{
    struct buf path = BUF_INIT(5000), text = BUF_INIT(SAID_BYTES);
    struct str rest, line;
    size_t lines = 0, begin;

    buf_addf(&path, "%s.log", dir);
    if (!path.full)
        read_end(path.data, &text);
    rest = str_trim(buf_str(&text));
    for (begin = rest.len; begin > 0 && lines < SAID_LINES; begin--)
        lines += rest.ptr[begin - 1] == '\n';
    rest = str_sub(rest, begin, rest.len);
    while (str_cut(&rest, '\n', &line)) {
        line = str_trim(line);
        if (str_starts(line, STR(RUN_MARK))) { /* what came before belongs to an earlier run */
            buf_clear(ret);
            continue;
        }
        if (str_starts(line, STR("brood: ")))
            line = str_sub(line, strlen("brood: "), line.len);
        if (line.len > 0)
            buf_addf(ret, "%s%.*s", ret->len ? "\n" : "", STR_ARG(line));
    }
    buf_free(&path);
    buf_free(&text);
}

void children_reap(struct children *all)
{
    (void)pthread_mutex_lock(&all->lock);
    for (size_t i = 0; i < all->count;) {
        if (waitpid(all->items[i].pid, NULL, WNOHANG) == 0) {
            i++;
            continue;
        }
        crawl_child_ended(all->items[i].crawl, all->items[i].pid);
        all->items[i] = all->items[--all->count];
    }
    (void)pthread_mutex_unlock(&all->lock);
}
