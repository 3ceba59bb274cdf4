/* dash.c - a dashboard under test. See dash.h. SPDX-License-Identifier: MIT */
#include "dash.h"

#include "base/os/clock.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define ANSWER_MS  300000 /* only what hangs is meant */
#define ANSWER_MAX (8 << 20)

struct board *board_argv(const char *const options[])
{
    static int number;
    struct board *b = keep(calloc(1, sizeof *b));
    const char *log = fresh(text("board-%d.url", number++));
    const char *argv[40];
    const char *said;
    size_t n = 0;

    argv[n++] = "sh";
    argv[n++] = "-c";
    argv[n++] = "log=$1; shift; exec \"$@\" >\"$log\"";
    argv[n++] = "sh";
    argv[n++] = log;
    argv[n++] = getenv("BROOD_BIN");
    argv[n++] = "serve";
    argv[n++] = "--port=0";
    for (size_t i = 0; options[i] && n < 38; i++)
        argv[n++] = options[i];
    argv[n] = NULL;
    b->job = job_start(argv);
    await_lines(log, 1);
    said = file_text(log);
    b->port = atoi(strrchr(said, ':') + 1);
    b->token = text("%.32s", strstr(said, "#token=") + 7);
    return b;
}

void board_stop(struct board *b)
{
    struct ran r;

    (void)kill(job_pid(b->job), SIGTERM);
    r = job_wait(b->job);
    assert_code(r, 0);
}

int board_connect(const struct board *b)
{
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)b->port),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (fd >= 0 && connect(fd, (struct sockaddr *)&to, sizeof to) == 0)
        return fd;
    if (fd >= 0)
        (void)close(fd);
    return -1;
}

/* All until the other side closes, or the time is over. */
static char *read_all(int fd, int ms)
{
    int64_t until = clock_now() + ms * US_PER_MS;
    char *got = malloc(ANSWER_MAX + 1);
    size_t len = 0;

    for (;;) {
        struct pollfd p = {.fd = fd, .events = POLLIN};
        int64_t left = (until - clock_now()) / US_PER_MS;
        ssize_t n;

        if (left <= 0 || poll(&p, 1, (int)left) <= 0)
            break;
        n = recv(fd, got + len, ANSWER_MAX - len, 0);
        if (n <= 0)
            break;
        len += (size_t)n;
    }
    got[len] = '\0';
    return got;
}

static struct answer exchange(const struct board *b, const char *bytes, size_t len, int ms)
{
    struct answer a = {0, "", ""};
    int fd = board_connect(b);
    char *got, *end;

    assert_true(fd >= 0);
    while (len > 0) {
        ssize_t n = send(fd, bytes, len, MSG_NOSIGNAL);

        if (n <= 0)
            break; /* it has had enough */
        bytes += n;
        len -= (size_t)n;
    }
    got = keep(read_all(fd, ms));
    (void)close(fd);
    if (strncmp(got, "HTTP/1.1 ", 9) != 0)
        return a;
    a.status = atoi(got + 9);
    a.head = got;
    end = strstr(got, "\r\n\r\n");
    if (end) {
        a.body = end + 4;
        end[2] = '\0';
    }
    return a;
}

struct answer board_raw(const struct board *b, const char *bytes, size_t len)
{
    return exchange(b, bytes, len, ANSWER_MS);
}

struct answer board_try(const struct board *b, const char *path, int ms)
{
    const char *bytes =
        text("GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: close\r\n\r\n", path, b->port);

    return exchange(b, bytes, strlen(bytes), ms);
}

struct answer board_get(const struct board *b, const char *path)
{
    return board_try(b, path, ANSWER_MS);
}

struct answer board_post(const struct board *b, const char *path, const char *json)
{
    const char *bytes = text("POST %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: close\r\n"
                             "X-Brood-Token: %s\r\nOrigin: http://127.0.0.1:%d\r\n"
                             "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
                             path, b->port, b->token, b->port, strlen(json), json);

    return board_raw(b, bytes, strlen(bytes));
}

json_t *board_json(const struct board *b, const char *path)
{
    struct answer a = board_get(b, path);

    if (a.status != 200)
        fail_msg("%s: %d %s", path, a.status, a.body);
    return json_of(a.body);
}

const char *board_find(const struct board *b, const char *name)
{
    json_t *all = board_json(b, "/api/crawls");

    for (size_t i = 0; i < json_array_size(all); i++)
        if (strcmp(text_at(json_array_get(all, i), "name"), name) == 0)
            return text("%s", text_at(json_array_get(all, i), "id"));
    return NULL;
}

const char *board_id(const struct board *b, const char *name)
{
    const char *id;

    await((id = board_find(b, name)) != NULL);
    return id;
}

bool board_is(const struct board *b, const char *id, const char *state)
{
    struct answer a = board_get(b, text("/api/crawls/%s", id));

    return a.status == 200 && strcmp(text_at(json_of(a.body), "state"), state) == 0;
}

void board_await(const struct board *b, const char *id, const char *state)
{
    print_message("# until it is %s\n", state);
    await(board_is(b, id, state));
}
