/* measure.c - runs a command and measures its cost.
 *
 *     measure FILE SECONDS COMMAND ARG...
 *
 * Appends a line "wall cpu rss status threads" to FILE: seconds, seconds of CPU (user
 * and system, children that it waited for included), the largest process in
 * bytes, the exit status, seconds of CPU by the names of its threads
 * ("fetch=1.2,writer=0.4"), as far as a look every 10 ms finds them. After SECONDS the command
 * gets SIGTERM, then SIGKILL.
 * SPDX-License-Identifier: MIT */
#include "base/os/clock.h"
#include "base/str.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

/* ---- threads -------------------------------------------------------------- */

#define THREADS 256
#define LOOK_US 10000

static struct thread {
    long id;
    char name[32];
    double cpu;
} threads[THREADS];
static size_t nthreads;

static bool read_line(const char *path, char *ret, size_t size)
{
    FILE *f = fopen(path, "r");
    bool good = f && fgets(ret, (int)size, f);

    if (f)
        (void)fclose(f);
    return good;
}

static void look_at(long id)
{
    char path[96], line[128];
    size_t i = 0;

    while (i < nthreads && threads[i].id != id)
        i++;
    if (i == THREADS)
        return;
    (void)snprintf(path, sizeof path, "/proc/%ld/task/%ld/schedstat", (long)child, id);
    if (!read_line(path, line, sizeof line))
        return;
    threads[i].cpu = strtod(line, NULL) / 1e9;
    (void)snprintf(path, sizeof path, "/proc/%ld/task/%ld/comm", (long)child, id);
    if (read_line(path, line, sizeof line))
        (void)snprintf(threads[i].name, sizeof threads[i].name, "%.*s", (int)strcspn(line, " \n=,"),
                       line);
    threads[i].id = id;
    nthreads += i == nthreads;
}

static void look(void)
{
    char path[64];
    struct dirent *entry;
    DIR *tasks;

    (void)snprintf(path, sizeof path, "/proc/%ld/task", (long)child);
    tasks = opendir(path);
    while (tasks && (entry = readdir(tasks)) != NULL)
        if (entry->d_name[0] != '.')
            look_at(strtol(entry->d_name, NULL, 10));
    if (tasks)
        (void)closedir(tasks);
}

/* Threads of one name together. */
static void put_threads(FILE *out)
{
    const char *gap = "";

    for (size_t i = 0; i < nthreads; i++) {
        double cpu = 0;

        for (size_t j = 0; j < nthreads; j++)
            if (strcmp(threads[i].name, threads[j].name) == 0) {
                cpu += j >= i ? threads[j].cpu : 0;
                if (j < i) /* told already */
                    break;
            }
        if (cpu > 0) {
            (void)fprintf(out, "%s%s=%.3f", gap, threads[i].name, cpu);
            gap = ",";
        }
    }
    (void)fputs(*gap ? "\n" : "-\n", out);
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
    while (waitpid(child, &status, WNOHANG) != child) {
        look();
        clock_sleep(LOOK_US);
    }
    (void)getrusage(RUSAGE_CHILDREN, &used);
    out = fopen(argv[1], "a");
    if (out == NULL)
        return 1;
    status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    (void)fprintf(out, "%.6f %.6f %ld %d ", (double)(clock_now() - from) / 1e6,
                  seconds(used.ru_utime) + seconds(used.ru_stime), used.ru_maxrss * 1024L, status);
    put_threads(out);
    (void)fclose(out);
    return status;
}
