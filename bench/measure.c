/* measure.c - runs a command and says what it cost.
 *
 *     measure FILE SECONDS COMMAND ARG...
 *
 * Appends a line "wall cpu rss status" to FILE: seconds, seconds of CPU (user
 * and system, children that it waited for included), the largest process in
 * bytes, the exit status. After SECONDS the command gets SIGTERM, then SIGKILL.
 * SPDX-License-Identifier: MIT */
#include "base/os/clock.h"
#include "base/str.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define GRACE 5 /* seconds between SIGTERM and SIGKILL */

static volatile pid_t child;

static void on_alarm(int sig)
{
    static volatile sig_atomic_t asked;

    (void)sig;
    (void)kill(child, asked ? SIGKILL : SIGTERM);
    asked = 1;
    (void)alarm(GRACE);
}

static double seconds(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

int main(int argc, char **argv)
{
    struct rusage used;
    int64_t from = clock_now();
    int status = 0;
    FILE *out;

    if (argc < 4) {
        (void)fprintf(stderr, "usage: measure FILE SECONDS COMMAND ARG...\n");
        return 2;
    }
    child = fork();
    if (child == 0) {
        (void)execvp(argv[3], argv + 3);
        _exit(127);
    }
    (void)signal(SIGALRM, on_alarm);
    (void)alarm((unsigned)strtoul(argv[2], NULL, 10));
    while (waitpid(child, &status, 0) < 0)
        ;
    (void)getrusage(RUSAGE_CHILDREN, &used);
    out = fopen(argv[1], "a");
    if (out == NULL)
        return 1;
    status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    (void)fprintf(out, "%.6f %.6f %ld %d\n", (double)(clock_now() - from) / 1e6,
                  seconds(used.ru_utime) + seconds(used.ru_stime), used.ru_maxrss * 1024L, status);
    (void)fclose(out);
    return status;
}
