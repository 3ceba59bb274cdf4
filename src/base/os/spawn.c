/* spawn.c - starting a program as a process of its own. See spawn.h.
 * SPDX-License-Identifier: MIT */
#include "base/os/spawn.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

extern char **environ;

static void set_output(posix_spawn_file_actions_t *files, int from, int to)
{
    if (from >= 0)
        (void)posix_spawn_file_actions_adddup2(files, from, to);
    else
        (void)posix_spawn_file_actions_addopen(files, to, "/dev/null", O_WRONLY, 0);
}

int spawn_program(const char *program, char *const *argv, int out, int err, pid_t *ret)
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
    set_output(&files, out, STDOUT_FILENO);
    set_output(&files, err, STDERR_FILENO);
    (void)posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF |
                                             POSIX_SPAWN_SETSIGMASK);
    (void)posix_spawnattr_setpgroup(&how, 0);
    (void)posix_spawnattr_setsigdefault(&how, &all);
    (void)posix_spawnattr_setsigmask(&how, &none);
    error = posix_spawn(ret, program, &files, &how, argv, environ);
    (void)posix_spawn_file_actions_destroy(&files);
    (void)posix_spawnattr_destroy(&how);
    return error;
}
