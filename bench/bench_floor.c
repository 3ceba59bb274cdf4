/* bench_floor.c - the floor of fetching: bare libcurl over a list of URLs.
 *
 *     bench_floor URLS [CONNECTIONS [CA-FILE [PROXY]]]
 *
 * URLS has one a line; an empty CA-FILE or PROXY is none.
 *
 * libcurl's multi interface, epoll, keep-alive, one thread; bodies are counted
 * and discarded. It does nothing else that a crawler does: its cost is the least for any client of
 * libcurl, with which brood is compared. Prints requests, failures and body bytes.
 * SPDX-License-Identifier: MIT */
#include "base/buf.h"
#include "base/os/file.h"
#include "base/mem.h"

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

#define CONNECTIONS   64
#define READY_AT_ONCE 64
#define LIST_MAX      (256u << 20) /* bytes of URLs */

struct floor {
    CURLM *multi;
    int epoll;
    int64_t wait_ms; /* the timeout that libcurl wants; -1: none */
    struct str urls; /* those left */
    uint64_t done, failed, bytes;
};

static size_t on_body(char *data, size_t size, size_t count, void *ctx)
{
    (void)data;
    ((struct floor *)ctx)->bytes += size * count;
    return size * count;
}

static int on_socket(CURL *easy, curl_socket_t fd, int what, void *ctx, void *own)
{
    static const uint32_t wanted[] = {[CURL_POLL_IN] = EPOLLIN,
                                      [CURL_POLL_OUT] = EPOLLOUT,
                                      [CURL_POLL_INOUT] = EPOLLIN | EPOLLOUT,
                                      [CURL_POLL_REMOVE] = 0};
    struct floor *f = ctx;
    struct epoll_event e = {.events = wanted[what], .data.fd = fd};

    (void)easy;
    if (what == CURL_POLL_REMOVE) {
        (void)epoll_ctl(f->epoll, EPOLL_CTL_DEL, fd, NULL);
        return 0;
    }
    (void)epoll_ctl(f->epoll, own ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, fd, &e);
    (void)curl_multi_assign(f->multi, fd, f);
    return 0;
}

static int on_timer(CURLM *multi, long ms, void *ctx)
{
    (void)multi;
    ((struct floor *)ctx)->wait_ms = ms;
    return 0;
}

/* Gives the handle its next URL. */
static bool feed(struct floor *f, CURL *easy)
{
    struct str line;
    char url[4096];

    while (str_cut(&f->urls, '\n', &line)) {
        if (line.len == 0 || line.len >= sizeof url)
            continue;
        (void)snprintf(url, sizeof url, "%.*s", STR_ARG(line));
        (void)curl_easy_setopt(easy, CURLOPT_URL, url);
        (void)curl_multi_add_handle(f->multi, easy);
        return true;
    }
    return false;
}

static CURL *handle(struct floor *f, const char *ca_file, const char *proxy)
{
    CURL *easy = curl_easy_init();

    (void)curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body);
    (void)curl_easy_setopt(easy, CURLOPT_WRITEDATA, f);
    (void)curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, 65536L);
    (void)curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    (void)curl_easy_setopt(easy, CURLOPT_PROXY, proxy);
    if (*ca_file)
        (void)curl_easy_setopt(easy, CURLOPT_CAINFO, ca_file);
    return easy;
}

/* Counts completed transfers and starts the next ones. Returns how many handles are left idle. */
static int settle(struct floor *f)
{
    struct CURLMsg *m;
    int left, idle = 0;

    while ((m = curl_multi_info_read(f->multi, &left)) != NULL) {
        CURL *easy = m->easy_handle;

        f->done++;
        f->failed += m->data.result != CURLE_OK;
        (void)curl_multi_remove_handle(f->multi, easy);
        if (!feed(f, easy)) {
            curl_easy_cleanup(easy);
            idle++;
        }
    }
    return idle;
}

static void turn(struct floor *f)
{
    struct epoll_event ready[READY_AT_ONCE];
    int running, n = epoll_wait(f->epoll, ready, READY_AT_ONCE, (int)f->wait_ms);

    if (n <= 0 || f->wait_ms == 0)
        (void)curl_multi_socket_action(f->multi, CURL_SOCKET_TIMEOUT, 0, &running);
    for (int i = 0; i < n; i++)
        (void)curl_multi_socket_action(f->multi, ready[i].data.fd,
                                       (ready[i].events & EPOLLOUT ? CURL_CSELECT_OUT : 0) |
                                           (ready[i].events & ~EPOLLOUT ? CURL_CSELECT_IN : 0),
                                       &running);
}

int main(int argc, char **argv)
{
    int open = 0, connections = argc > 2 ? (int)strtol(argv[2], NULL, 10) : CONNECTIONS;
    struct buf list = BUF_INIT(LIST_MAX);
    struct floor f = {.wait_ms = -1};

    if (argc < 2 || file_read(argv[1], &list) != ST_OK) {
        (void)fprintf(stderr, "usage: bench_floor URLS [CONNECTIONS [CA-FILE [PROXY]]]\n");
        return 2;
    }
    (void)curl_global_init(CURL_GLOBAL_DEFAULT);
    f.urls = buf_str(&list);
    f.multi = curl_multi_init();
    f.epoll = epoll_create1(EPOLL_CLOEXEC);
    (void)curl_multi_setopt(f.multi, CURLMOPT_SOCKETFUNCTION, on_socket);
    (void)curl_multi_setopt(f.multi, CURLMOPT_SOCKETDATA, &f);
    (void)curl_multi_setopt(f.multi, CURLMOPT_TIMERFUNCTION, on_timer);
    (void)curl_multi_setopt(f.multi, CURLMOPT_TIMERDATA, &f);
    (void)curl_multi_setopt(f.multi, CURLMOPT_MAXCONNECTS, (long)connections);
    while (open < connections) {
        CURL *easy = handle(&f, argc > 3 ? argv[3] : "", argc > 4 ? argv[4] : "");

        if (!feed(&f, easy)) {
            curl_easy_cleanup(easy);
            break;
        }
        open++;
    }
    while (open > 0) {
        turn(&f);
        open -= settle(&f);
    }
    (void)curl_multi_cleanup(f.multi);
    curl_global_cleanup();
    (void)close(f.epoll);
    buf_free(&list);
    (void)printf("%llu requests, %llu failed, %llu bytes\n", (unsigned long long)f.done,
                 (unsigned long long)f.failed, (unsigned long long)f.bytes);
    return f.failed > 0;
}
