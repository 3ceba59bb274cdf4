/* run.c - the program's main() in a child. SPDX-License-Identifier: MIT */
#include "run.h"

#include "inject.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int brood_main(int argc, char **argv);

static void say_to(const char *dir, const char *what, int fd)
{
    char path[512];
    int to;

    (void)snprintf(path, sizeof path, "%s.%s", dir, what);
    to = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    (void)dup2(to, fd);
    (void)close(to);
}

static void forget(const char *dir, const char *what)
{
    char path[512];

    (void)snprintf(path, sizeof path, "%s.%s", dir, what);
    (void)unlink(path);
}

static int command(const char *const argv[], const struct fault *fault)
{
    char *args[ARGS_MOST + 1] = {(char *)"brood"};
    int n = 1, code;

    while (argv[n - 1] && n < ARGS_MOST) {
        args[n] = (char *)argv[n - 1];
        n++;
    }
    if (fault)
        inject_arm(fault->scene, fault->key, fault->nth, fault->error);
    code = brood_main(n, args);
    inject_disarm();
    return code;
}

static struct ended await(pid_t pid)
{
    struct ended e = {-1, 0};
    int how = 0;

    while (waitpid(pid, &how, 0) < 0 && errno == EINTR)
        continue;
    if (WIFEXITED(how))
        e.code = WEXITSTATUS(how);
    else
        e.signal = WTERMSIG(how);
    return e;
}

struct ended run_brood(const char *dir, const char *const argv[], const struct fault *fault,
                       run_client *client)
{
    struct ended e;
    bool served;
    pid_t pid;

    forget(dir, "out"); /* a client waits for what is said now */
    forget(dir, "err");
    pid = fork();

    if (pid == 0) {
        int code;

        say_to(dir, "out", STDOUT_FILENO);
        say_to(dir, "err", STDERR_FILENO);
        (void)alarm(RUN_SECONDS);
        code = command(argv, fault);
        if (fault)
            exit(code); /* where LeakSanitizer looks around */
        (void)fflush(NULL);
        _exit(code);
    }
    served = client == NULL || client(dir, pid);
    e = await(pid);
    return served || e.signal ? e : (struct ended){-1, SIGALRM};
}

int run_apart(int (*f)(void *ctx), void *ctx)
{
    pid_t pid = fork();

    if (pid == 0)
        _exit(f(ctx));
    return await(pid).code;
}
