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
    const char *address;
    int listener, port;
    unsigned *given;      /* answers of each page */
    pthread_mutex_t lock; /* of what was asked */
    struct asked {
        char *path, *head;
    } asked[ASKED_MOST];
    size_t nasked;
};

static struct site *sites[32];
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

static void note(struct site *s, const char *path, const char *head)
{
    (void)pthread_mutex_lock(&s->lock);
    if (s->nasked < ASKED_MOST)
        s->asked[s->nasked++] = (struct asked){str_dup(str_of(path)), str_dup(str_of(head))};
    (void)pthread_mutex_unlock(&s->lock);
}

static bool fits(const struct site *s, size_t i, const char *path, const char *host)
{
    const struct site_page *p = &s->pages[i];

    if (p->times && s->given[i] >= p->times)
        return false;
    if (p->host && strcmp(p->host, host) != 0)
        return false;
    return p->make ? strncmp(p->path, path, strlen(p->path)) == 0 : strcmp(p->path, path) == 0;
}

static void answer_path(struct site *s, int fd, const char *path, const char *host)
{
    struct site_page made;
    size_t i = 0;

    while (i < s->count && !fits(s, i, path, host))
        i++;
    if (i == s->count) {
        answer(fd, NULL);
        return;
    }
    s->given[i]++;
    made = s->pages[i];
    if (made.make)
        made.body = made.make(path);
    (void)usleep(made.wait_ms * 1000);
    answer(fd, &made);
}

/* The value of "Host:", without a port. */
static void host_of(const char *head, char ret[256])
{
    const char *at = strcasestr(head, "\r\nHost:");

    ret[0] = '\0';
    if (at != NULL)
        (void)sscanf(at + 7, " %255[^:\r\n]", ret);
}

/* Head and body are there. */
static bool is_whole(const char *in, size_t len)
{
    const char *end = strstr(in, "\r\n\r\n"), *at = strcasestr(in, "\r\nContent-Length:");
    unsigned long body = 0;

    if (end == NULL)
        return false;
    if (at != NULL && at < end)
        (void)sscanf(at + 17, " %lu", &body);
    return len >= (size_t)(end + 4 - in) + body;
}

static void talk(struct site *s, int fd)
{
    char in[16384], path[8192], host[256];
    size_t len = 0;

    for (;;) {
        ssize_t n = recv(fd, in + len, sizeof in - 1 - len, 0);

        if (n <= 0)
            return;
        len += (size_t)n;
        in[len] = '\0';
        if (is_whole(in, len))
            break;
        if (len + 1 >= sizeof in)
            return;
    }
    if (sscanf(in, "%*15[GETPOS] %8191s", path) != 1)
        return;
    host_of(in, host);
    note(s, path, in);
    answer_path(s, fd, path, host);
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
    return site_start_at("127.0.0.1", pages, count);
}

struct site *site_start_at(const char *address, const struct site_page *pages, size_t count)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = inet_addr(address)};
    socklen_t size = sizeof at;
    struct site *s = MEM_NEW(struct site);
    pthread_t thread;

    assert_true(nsites < sizeof sites / sizeof *sites);
    sites[nsites++] = s;
    s->address = address;
    s->pages = pages;
    s->count = count;
    s->given = mem_zero(count, sizeof *s->given);
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
    return text("*:80:%s:%d", s->address, s->port);
}

const char *site_url(const struct site *s, const char *path)
{
    return text("http://%s:%d%s", s->address, s->port, path);
}

unsigned site_asked(const struct site *s, const char *path)
{
    struct site *mine = (struct site *)s;
    unsigned n = 0;

    (void)pthread_mutex_lock(&mine->lock);
    for (size_t i = 0; i < s->nasked; i++)
        n += strcmp(s->asked[i].path, path) == 0;
    (void)pthread_mutex_unlock(&mine->lock);
    return n;
}

unsigned site_total(const struct site *s)
{
    struct site *mine = (struct site *)s;
    size_t n;

    (void)pthread_mutex_lock(&mine->lock);
    n = s->nasked;
    (void)pthread_mutex_unlock(&mine->lock);
    return (unsigned)n;
}

const char *site_head(const struct site *s, const char *path)
{
    struct site *mine = (struct site *)s;
    const char *head = NULL;

    (void)pthread_mutex_lock(&mine->lock);
    for (size_t i = 0; i < s->nasked; i++)
        if (strcmp(s->asked[i].path, path) == 0)
            head = s->asked[i].head;
    (void)pthread_mutex_unlock(&mine->lock);
    return head;
}

const char *site_request(const struct site *s, const char *path, unsigned nth)
{
    struct site *mine = (struct site *)s;
    const char *found = NULL;

    (void)pthread_mutex_lock(&mine->lock);
    for (size_t i = 0; i < s->nasked && found == NULL; i++)
        if (strcmp(s->asked[i].path, path) == 0 && nth-- == 0)
            found = s->asked[i].head;
    (void)pthread_mutex_unlock(&mine->lock);
    return found;
}
