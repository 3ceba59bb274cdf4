/* children.c - crawls that were started from the form. SPDX-License-Identifier: MIT */
#include "dash/children.h"

#include "dash/crawls.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

void children_init(struct children *all)
{
    *all = (struct children){0};
    (void)pthread_mutex_init(&all->lock, NULL);
}

void children_clear(struct children *all)
{
    (void)pthread_mutex_destroy(&all->lock);
}

/* No signal is blocked or ignored in it, and none of ours reaches it. */
static int spawn(const struct text_list *argv, const char *log, pid_t *ret)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    sigset_t all, none;
    int error;

    (void)sigfillset(&all);
    (void)sigemptyset(&none);
    (void)posix_spawn_file_actions_init(&files);
    (void)posix_spawnattr_init(&how);
    (void)posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    (void)posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, log, O_WRONLY | O_CREAT | O_TRUNC,
                                           0644);
    (void)posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
    (void)posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF |
                                             POSIX_SPAWN_SETSIGMASK);
    (void)posix_spawnattr_setpgroup(&how, 0);
    (void)posix_spawnattr_setsigdefault(&how, &all);
    (void)posix_spawnattr_setsigmask(&how, &none);
    error = posix_spawn(ret, argv->items[0], &files, &how, argv->items, environ);
    (void)posix_spawn_file_actions_destroy(&files);
    (void)posix_spawnattr_destroy(&how);
    return error;
}

enum status children_start(struct children *all, const struct text_list *argv, const char *log,
                           struct dash_crawl *crawl)
{
    enum status st = ST_OK;
    pid_t pid;
    int error;

    (void)pthread_mutex_lock(&all->lock);
    if (all->count == LIMIT_DASH_CHILDREN)
        st = status_fail(ST_LIMIT, "%d crawls started here are running: stop one first",
                         LIMIT_DASH_CHILDREN);
    if (st == ST_OK && (error = spawn(argv, log, &pid)) != 0)
        st = status_fail(ST_IO, "%s: %s", argv->items[0], strerror(error));
    if (st == ST_OK) {
        all->items[all->count].pid = pid;
        all->items[all->count++].crawl = crawl;
        (void)pthread_mutex_lock(&crawl->lock);
        crawl->child = pid;
        crawl->started = true;
        (void)pthread_mutex_unlock(&crawl->lock);
    }
    (void)pthread_mutex_unlock(&all->lock);
    return st;
}

void children_reap(struct children *all)
{
    (void)pthread_mutex_lock(&all->lock);
    for (size_t i = 0; i < all->count;) {
        struct dash_crawl *crawl = all->items[i].crawl;

        if (waitpid(all->items[i].pid, NULL, WNOHANG) == 0) {
            i++;
            continue;
        }
        (void)pthread_mutex_lock(&crawl->lock);
        crawl->child = 0;
        (void)pthread_mutex_unlock(&crawl->lock);
        all->items[i] = all->items[--all->count];
    }
    (void)pthread_mutex_unlock(&all->lock);
}
