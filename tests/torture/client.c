/* client.c - somebody who looks at the dashboard. SPDX-License-Identifier: MIT */
#include "client.h"

#include "base/os/file.h"
#include "base/mem.h"

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOOKS     15000 /* of 20 ms, until it listens */
#define ANSWER_S  300
#define PAGES_API "/api/crawls/%s/"

static const char *const paths[] = {
    "/",
    "/api/crawls",
    "/api/crawls/%s",
    PAGES_API "pages?q=coral",
    PAGES_API "pages.csv",
    PAGES_API "page/1",
    PAGES_API "text/1",
    PAGES_API "stored/1",
    PAGES_API "tree",
    PAGES_API "agent/1",
    PAGES_API "samples",
    PAGES_API "map",
    "/metrics",
    "/api/models",
};

static bool is_over(pid_t pid)
{
    siginfo_t info = {.si_pid = 0};

    return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0;
}

/* 0: it never said. */
static int port_of(const char *dir, pid_t pid)
{
    char path[512];

    (void)snprintf(path, sizeof path, "%s.out", dir);
    for (int i = 0; i < LOOKS && !is_over(pid); i++) {
        struct buf said = BUF_INIT(1 << 20);
        const char *at =
            file_read(path, &said) == ST_OK && said.data ? strstr(said.data, "http://") : NULL;
        int port = at && strchr(at, '\n') ? atoi(strchr(at + 7, ':') + 1) : 0;

        buf_free(&said);
        if (port)
            return port;
        (void)poll(NULL, 0, 20);
    }
    return 0;
}

/* No answer at all is one, too: it may have had nothing to answer with. */
static bool ask(int port, const char *path)
{
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)port),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct timeval limit = {.tv_sec = ANSWER_S};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    char text[4096];
    ssize_t n = 0;

    (void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    if (connect(fd, (struct sockaddr *)&to, sizeof to) == 0) {
        n = snprintf(text, sizeof text,
                     "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: close\r\n\r\n", path,
                     port);
        (void)send(fd, text, (size_t)n, MSG_NOSIGNAL);
        while ((n = recv(fd, text, sizeof text, 0)) > 0)
            continue;
    }
    (void)close(fd);
    return n >= 0 || errno != EAGAIN;
}

bool client_look(const char *dir, pid_t pid)
{
    int port = port_of(dir, pid);
    bool good = true;

    for (size_t i = 0; port && good && i < ARRAY_LEN(paths); i++) {
        char path[512];

        (void)snprintf(path, sizeof path, paths[i], strrchr(dir, '/') + 1);
        good = ask(port, path);
    }
    (void)kill(pid, SIGTERM);
    return good;
}
