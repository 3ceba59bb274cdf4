/* mailer.c - see mailer.h. SPDX-License-Identifier: MIT */
#include "crawl/watch/mailer.h"

#include "base/limits.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

struct mailer {
    pid_t child;
    int to, from; /* messages to the child; a byte for each from it */
    bool is_busy;
};

enum status mailer_check(const char *program, const char *address)
{
    struct str text = str_of(address);
    bool is_mail = text.len > 2 && text.len < 250 && text.ptr[0] != '-' &&
                   str_find_char(text, '@', 1) < text.len - 1;

    for (size_t i = 0; i < text.len; i++)
        is_mail = is_mail && text.ptr[i] > ' ' && text.ptr[i] < 0x7f;
    if (!is_mail)
        return status_fail(ST_USAGE, "--mail '%.100s' is no address", address);
    if (access(program, X_OK) != 0)
        return status_fail(ST_USAGE, "--mail needs a local sendmail: %s: %s", program,
                           strerror(errno));
    return ST_OK;
}

/* ---- the child ----------------------------------------------------------- */

static bool read_all(int fd, void *to, size_t len)
{
    for (char *at = to; len > 0;) {
        ssize_t n = read(fd, at, len);

        if (n <= 0 && !(n < 0 && errno == EINTR))
            return false;
        at += n > 0 ? n : 0;
        len -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

static bool write_all(int fd, const void *from, size_t len)
{
    for (const char *at = from; len > 0;) {
        ssize_t n = write(fd, at, len);

        if (n < 0 && errno != EINTR)
            return false;
        at += n > 0 ? n : 0;
        len -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

/* Sendmail must have read everything and report success. */
static bool deliver(const char *program, const char *address, const char *message, size_t len)
{
    int pipes[2], status = 0;
    bool written;
    pid_t pid;

    if (pipe2(pipes, O_CLOEXEC) != 0)
        return false;
    pid = fork();
    if (pid == 0) {
        (void)signal(SIGPIPE, SIG_DFL);
        if (dup2(pipes[0], STDIN_FILENO) >= 0)
            (void)execl(program, program, "-i", "--", address, (char *)NULL);
        _exit(127);
    }
    (void)close(pipes[0]);
    written = pid > 0 && write_all(pipes[1], message, len);
    (void)close(pipes[1]);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return written && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void serve(const char *program, const char *address, int from, int to)
{
    char *message = mem_alloc(LIMIT_MAIL);
    uint32_t len;

    (void)signal(SIGINT, SIG_IGN);
    (void)signal(SIGTERM, SIG_IGN);
    (void)signal(SIGPIPE, SIG_IGN);
    while (read_all(from, &len, sizeof len) && len <= LIMIT_MAIL && read_all(from, message, len)) {
        char went = deliver(program, address, message, len) ? 'y' : 'n';

        if (!write_all(to, &went, 1))
            break;
    }
    _exit(0);
}

/* ---- the parent ---------------------------------------------------------- */

enum status mailer_open(const char *program, const char *address, struct mailer **ret)
{
    int to[2], from[2];
    struct mailer *m;
    pid_t child;

    if (pipe2(to, O_CLOEXEC) != 0)
        return status_fail(ST_IO, "--mail: %s", strerror(errno));
    if (pipe2(from, O_CLOEXEC) != 0 || (child = fork()) < 0) {
        (void)close(to[0]);
        (void)close(to[1]);
        return status_fail(ST_IO, "--mail: %s", strerror(errno));
    }
    if (child == 0) {
        (void)close(to[1]);
        (void)close(from[0]);
        serve(program, address, to[0], from[1]);
    }
    (void)close(to[0]);
    (void)close(from[1]);
    m = MEM_NEW(struct mailer);
    *m = (struct mailer){.child = child, .to = to[1], .from = from[0]};
    *ret = m;
    return ST_OK;
}

void mailer_close(struct mailer *m)
{
    if (m == NULL)
        return;
    (void)close(m->to);
    (void)close(m->from);
    while (waitpid(m->child, NULL, 0) < 0 && errno == EINTR)
        ;
    free(m);
}

bool mailer_send(struct mailer *m, struct str message)
{
    uint32_t len = (uint32_t)message.len;

    if (m->is_busy || message.len > LIMIT_MAIL)
        return false;
    m->is_busy = write_all(m->to, &len, sizeof len) && write_all(m->to, message.ptr, message.len);
    return m->is_busy;
}

enum mailer_state mailer_take(struct mailer *m)
{
    struct pollfd ready = {.fd = m->from, .events = POLLIN};
    char went = 'n';

    if (!m->is_busy || poll(&ready, 1, 0) <= 0)
        return MAILER_NONE;
    m->is_busy = false;
    return read(m->from, &went, 1) == 1 && went == 'y' ? MAILER_SENT : MAILER_FAILED;
}
