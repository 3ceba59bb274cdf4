/* The dashboard under load: clients that say little, read nothing, or are too many; while a
 * crawl goes on. (Those that read an answer too slowly: tests/unit/dash/test_connections.c.) SPDX-License-Identifier: MIT */
#include "dash.h"

#include "base/os/clock.h"
#include "base/limits.h"
#include "base/mem.h"

#include <poll.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#define SLOW        1000   /* connections */
#define PATIENCE_MS 300000 /* only what hangs is meant */

static const char *w, *parent, *dir, *id;
static struct server *server;
static struct board *b;
static int fds[SLOW];

static int set_up(void **state)
{
    struct rlimit l;
    sqlite3 *db;

    (void)state;
    if (getrlimit(RLIMIT_NOFILE, &l) == 0) {
        l.rlim_cur = l.rlim_max < 4096 ? l.rlim_max : 4096;
        (void)setrlimit(RLIMIT_NOFILE, &l);
    }
    w = world("--pages", "300", "--hosts", "5", "--topics", "2");
    server = serve(w);
    parent = fresh("crawls");
    dir = text("%s/c", parent);
    assert_code(crawl(server, dir, world_words(w, 0), "--seed", world_seed(w, 0, 0), "--pages",
                      "60", "--delay", "0"),
                0);
    assert_int_equal(sqlite3_open(text("%s/crawl.db", dir), &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(db, "UPDATE page_row SET title = hex(zeroblob(5000))", NULL, NULL, NULL),
        SQLITE_OK); /* long answers */
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    b = board("--root", parent);
    id = board_id(b, "c");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    board_stop(b);
    return 0;
}

/* n connections that send this; how many are open. */
static size_t open_many(size_t n, const char *bytes)
{
    size_t open = 0;

    for (size_t i = 0; i < n; i++) {
        fds[i] = board_connect(b);
        open += fds[i] >= 0;
        if (fds[i] >= 0)
            (void)send(fds[i], bytes, strlen(bytes), MSG_NOSIGNAL | MSG_DONTWAIT);
    }
    return open;
}

static void close_many(size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (fds[i] >= 0)
            (void)close(fds[i]);
}

static void assert_answers_again(void)
{
    struct answer a = {0};

    await((a = board_try(b, "/api/crawls", 10000)).status == 200);
}

/* A thousand clients that begin a request and say no more: the crawl ends as it should, and
 * the dashboard answers. */
static void slow_clients_hurt_nobody(void **state)
{
    const char *out = text("%s/busy", parent);
    struct job *job;

    (void)state;
    job = brood_job("crawl", world_words(w, 0), "--seed", world_seed(w, 0, 0), "--out", out,
                    "--quiet", "--allow-private", "--resolve", server->resolve, "--delay", "10ms",
                    "--pages", "200");
    /* those it has no room for wait, or were refused */
    assert_true(open_many(SLOW, "GET /api/crawls HTTP/1.1\r\nHo") > SLOW / 4);
    assert_answers_again();
    assert_code(job_wait(job), 0);
    assert_int_equal(crawl_pages(out), 200);
    close_many(SLOW);
    assert_answers_again();
}

/* They know the token, and send the body that they promised byte by byte: the library, which
 * ends who says nothing, would keep them for ever. */
static bool answers_beside(size_t slow)
{
    for (size_t i = 0; i < slow; i++)
        if (fds[i] >= 0)
            (void)send(fds[i], " ", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
    return board_try(b, "/api/crawls", 10000).status == 200;
}

static void slow_bodies_keep_no_place(void **state)
{
    const char *bytes =
        text("POST /api/crawls/%s/mark HTTP/1.1\r\nHost: localhost\r\nX-Brood-Token: %s\r\n"
             "Content-Type: application/json\r\nContent-Length: 20000\r\n\r\n{",
             id, b->token);

    (void)state;
    assert_true(open_many(2 * LIMIT_DASH_CONNECTIONS, bytes) > LIMIT_DASH_CONNECTIONS);
    await(answers_beside(2 * LIMIT_DASH_CONNECTIONS));
    close_many(2 * LIMIT_DASH_CONNECTIONS);
}

/* The first line of what comes; it can be read again. */
static int status_of(int fd)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    char head[64] = "";

    if (fd < 0 || poll(&p, 1, PATIENCE_MS) <= 0 || recv(fd, head, sizeof head - 1, MSG_PEEK) <= 0)
        return 0;
    return strncmp(head, "HTTP/1.1 ", 9) == 0 ? atoi(head + 9) : 0;
}

static size_t count_good(size_t n, const char *bytes)
{
    size_t good = 0;

    (void)open_many(n, bytes);
    for (size_t i = 0; i < n; i++) {
        int status = status_of(fds[i]);

        good += status == 200;
        assert_true(status == 200 || status == 503);
    }
    return good;
}

static bool fills_again(size_t n, const char *bytes)
{
    size_t good = count_good(n, bytes);

    close_many(n);
    return good == LIMIT_DASH_STREAMS;
}

/* So many streams and no more; those that listen leave room for those that ask; and whoever
 * left makes room for others. */
static void streams_have_a_ceiling(void **state)
{
    const char *bytes = text("GET /api/events?crawl=%s HTTP/1.1\r\nHost: localhost\r\n\r\n", id);
    size_t n = LIMIT_DASH_STREAMS + 10;

    (void)state;
    assert_int_equal(count_good(n, bytes), LIMIT_DASH_STREAMS);
    assert_int_equal(board_get(b, "/api/crawls").status, 200);
    close_many(n);
    await(fills_again(n, bytes)); /* after those before them were closed */
}

static bool opens_stream(const char *bytes, int *fd)
{
    *fd = board_connect(b);
    assert_true(*fd >= 0 && send(*fd, bytes, strlen(bytes), MSG_NOSIGNAL) > 0);
    if (status_of(*fd) == 200)
        return true;
    (void)close(*fd);
    return false;
}

/* A stream, as soon as those of others that left have made room. */
static int open_stream(const char *bytes)
{
    int fd;

    await(opens_stream(bytes, &fd));
    return fd;
}

/* Reads until a text came; false: it does not come. */
static bool reads_until(int fd, const char *what)
{
    struct buf got = BUF_INIT(MIB(16));
    int64_t until = clock_now() + PATIENCE_MS * US_PER_MS;
    bool came = false;

    while (!came && clock_now() < until) {
        struct pollfd p = {.fd = fd, .events = POLLIN};
        char piece[4096];
        ssize_t n = poll(&p, 1, 200) > 0 ? recv(fd, piece, sizeof piece, 0) : 0;

        if (n > 0)
            buf_add(&got, piece, (size_t)n);
        came = got.data && strstr(got.data, what);
    }
    buf_free(&got);
    return came;
}

/* The id of a crawl; NULL: it is not shown yet. */
static const char *shown(const char *of)
{
    json_t *all = board_json(b, "/api/crawls"), *one;
    const char *found = NULL;
    size_t i;

    json_array_foreach(all, i, one)
    {
        if (strcmp(text_at(one, "dir"), of) == 0)
            found = text("%s", text_at(one, "id"));
    }
    return found;
}

/* Others read their ticks while one reads nothing; it hears of the end all the same. */
static void a_stream_that_is_read_late_says_the_end(void **state)
{
    const char *out = text("%s/late", parent), *late_id = NULL;
    struct job *job = brood_job("crawl", world_words(w, 0), "--seed", world_seed(w, 0, 0), "--out",
                                out, "--quiet", "--allow-private", "--resolve", server->resolve,
                                "--delay", "300ms", "--pages", "120");
    const char *bytes;
    int slow, quick, size = 2048;

    (void)state;
    await((late_id = shown(out)) != NULL);
    bytes = text("GET /api/events?crawl=%s HTTP/1.1\r\nHost: localhost\r\n\r\n", late_id);
    slow = open_stream(bytes);
    quick = open_stream(bytes);
    (void)setsockopt(slow, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
    assert_true(reads_until(quick, "event: tick"));
    assert_code(job_wait(job), 0);
    assert_true(reads_until(quick, "\"finished\""));
    assert_true(reads_until(slow, "\"end\":\"the limit of pages is reached\""));
    (void)close(slow);
    (void)close(quick);
}

static void a_port_that_is_taken_is_told(void **state)
{
    (void)state;
    assert_refused(brood("serve", dir, "--port", text("%d", b->port)), 1, "in use");
    assert_int_equal(board_get(b, "/api/crawls").status, 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slow_clients_hurt_nobody),
        cmocka_unit_test(slow_bodies_keep_no_place),
        cmocka_unit_test(streams_have_a_ceiling),
        cmocka_unit_test(a_stream_that_is_read_late_says_the_end),
        cmocka_unit_test(a_port_that_is_taken_is_told),
    };

    return cmocka_run_group_tests_name("flow dash load", tests, set_up, tear_down);
}
