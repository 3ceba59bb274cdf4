/* site.c - a small web server inside a test. SPDX-License-Identifier: MIT */
#include "site.h"

#include "flow.h"

#include "base/mem.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#define ASKED_MOST 4096

struct site {
    const struct site_page *pages;
    size_t count;
    int listener, port;
    pthread_mutex_t lock; /* of what was asked */
    char *asked[ASKED_MOST];
    size_t nasked;
};

static struct site *sites[16];
static size_t nsites;

static int send_all(int fd, const char *data, size_t len)
{
    while (len > 0) {
        ssize_t n = send(fd, data, len, MSG_NOSIGNAL);

        if (n <= 0)
            return -1;
        data += n, len -= (size_t)n;
    }
    return 0;
}

static void answer(int fd, const struct site_page *p)
{
    static const struct site_page missing = {.body = "nothing here", .status = 404};
    uint64_t times, total;
    size_t len;
    char head[4096];
    int n;

    p = p ? p : &missing;
    len = p->len ? p->len : strlen(p->body ? p->body : "");
    times = p->repeat ? p->repeat : 1;
    total = len * times;
    n = snprintf(
        head, sizeof head, "HTTP/1.1 %d Something\r\nContent-Type: %s\r\nConnection: close\r\n%s",
        p->status ? p->status : 200, p->type ? p->type : "text/html", p->headers ? p->headers : "");
    if (strstr(head, "Content-Length") == NULL)
        n += snprintf(head + n, sizeof head - (size_t)n, "Content-Length: %llu\r\n",
                      (unsigned long long)total);
    n += snprintf(head + n, sizeof head - (size_t)n, "\r\n");
    if (send_all(fd, head, (size_t)n) != 0)
        return;
    while (times-- > 0)
        if (send_all(fd, p->body, len) != 0)
            return;
}

static void note(struct site *s, const char *path)
{
    (void)pthread_mutex_lock(&s->lock);
    if (s->nasked < ASKED_MOST)
        s->asked[s->nasked++] = str_dup(str_of(path));
    (void)pthread_mutex_unlock(&s->lock);
}

static void talk(struct site *s, int fd)
{
    char in[16384], path[8192];
    size_t len = 0;

    for (;;) {
        ssize_t n = recv(fd, in + len, sizeof in - 1 - len, 0);

        if (n <= 0)
            return;
        len += (size_t)n;
        in[len] = '\0';
        if (strstr(in, "\r\n\r\n"))
            break;
        if (len + 1 >= sizeof in)
            return;
    }
    if (sscanf(in, "GET %8191s", path) != 1)
        return;
    note(s, path);
    for (size_t i = 0; i < s->count; i++) {
        if (strcmp(s->pages[i].path, path) == 0) {
            answer(fd, &s->pages[i]);
            return;
        }
    }
    answer(fd, NULL);
}

static void *serve_thread(void *arg)
{
    struct site *s = arg;
    int fd;

    while ((fd = accept(s->listener, NULL, NULL)) >= 0) {
        struct timeval limit = {.tv_sec = 20};

        (void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
        (void)setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
        talk(s, fd);
        (void)shutdown(fd, SHUT_WR);
        (void)close(fd);
    }
    return NULL;
}

struct site *site_start(const struct site_page *pages, size_t count)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    struct site *s = MEM_NEW(struct site);
    pthread_t thread;

    assert_true(nsites < sizeof sites / sizeof *sites);
    sites[nsites++] = s;
    s->pages = pages;
    s->count = count;
    (void)pthread_mutex_init(&s->lock, NULL);
    s->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(s->listener >= 0);
    assert_int_equal(bind(s->listener, (struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(listen(s->listener, 64), 0);
    assert_int_equal(getsockname(s->listener, (struct sockaddr *)&at, &size), 0);
    s->port = ntohs(at.sin_port);
    assert_int_equal(pthread_create(&thread, NULL, serve_thread, s), 0);
    (void)pthread_detach(thread);
    return s;
}

const char *site_resolve(const struct site *s)
{
    return text("*:80:127.0.0.1:%d", s->port);
}

const char *site_url(const struct site *s, const char *path)
{
    return text("http://127.0.0.1:%d%s", s->port, path);
}

unsigned site_asked(const struct site *s, const char *path)
{
    struct site *mine = (struct site *)s;
    unsigned n = 0;

    (void)pthread_mutex_lock(&mine->lock);
    for (size_t i = 0; i < s->nasked; i++)
        n += strcmp(s->asked[i], path) == 0;
    (void)pthread_mutex_unlock(&mine->lock);
    return n;
}
