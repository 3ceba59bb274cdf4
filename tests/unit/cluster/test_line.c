/* The line over a real nats-server. Skipped by name where there is none.
 * SPDX-License-Identifier: MIT */
#include "base/os/clock.h"
#include "cluster/line.h"
#include "support/support.h"

#include <arpa/inet.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROUNDS  1000
#define SUBJECT "brood.line.p.07"
#define PART    7

static const char *find_server(void)
{
    static char own[4096];
    const char *source = getenv("BROOD_SOURCE");

    if (access("/usr/sbin/nats-server", X_OK) == 0)
        return "/usr/sbin/nats-server";
    (void)snprintf(own, sizeof own, "%s/.deps/usr/sbin/nats-server", source ? source : ".");
    return access(own, X_OK) == 0 ? own : NULL;
}

/* A port that nobody has at this moment. */
static uint16_t free_port(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof at;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    assert_int_equal(bind(fd, (struct sockaddr *)&at, size), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&at, &size), 0);
    (void)close(fd);
    return ntohs(at.sin_port);
}

/* `store`: where it keeps streams; NULL: it keeps none. */
static pid_t start_server(const char *server, uint16_t port, const char *store)
{
    char number[8];
    pid_t pid;

    (void)snprintf(number, sizeof number, "%u", port);
    pid = fork();
    if (pid == 0) {
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        (void)!freopen("/dev/null", "w", stdout);
        (void)!freopen("/dev/null", "w", stderr);
        (void)execl(server, server, "-a", "127.0.0.1", "-p", number, store ? "-js" : (char *)NULL,
                    "-sd", store, (char *)NULL);
        _exit(127);
    }
    return pid;
}

static int connect_to(uint16_t port)
{
    struct sockaddr_in at = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    while (connect(fd, (struct sockaddr *)&at, sizeof at) != 0)
        clock_sleep(20 * US_PER_MS);
    return fd;
}

/* Another program that writes to the partition for as long as anybody listens. */
static pid_t start_flood(uint16_t port)
{
    static const char hello[] = "CONNECT {\"verbose\":false}\r\n";
    static const char message[] = "PUB " SUBJECT " 5\r\nbatch\r\n";
    int fd = connect_to(port);
    pid_t pid = fork();

    if (pid == 0) {
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        ssize_t n = write(fd, hello, sizeof hello - 1);

        while (n > 0) { /* faster ones would keep the server from answering */
            n = write(fd, message, sizeof message - 1);
            clock_sleep(50);
        }
        _exit(0);
    }
    (void)close(fd);
    return pid;
}

static void end(pid_t pid)
{
    (void)kill(pid, SIGKILL);
    (void)waitpid(pid, NULL, 0);
}

/* libnats before 3.6.0 uses a subscription that was freed while a message comes: the heap is damaged,
 * or its thread hangs. See retire() in line_nats.c. */
static void listening_may_end_while_messages_come(void **state UNUSED)
{
    const char *server = find_server();
    uint16_t port = free_port();
    struct line *l = NULL;
    pid_t bus, flood;
    char url[64];

    if (server == NULL)
        skip();
    bus = start_server(server, port, NULL);
    flood = start_flood(port);
    (void)snprintf(url, sizeof url, "nats://127.0.0.1:%u", port);
    if (line_open(url, NULL, "line", &l) == ST_OK) { /* else it was built without NATS */
        for (int i = 0; i < ROUNDS; i++) {
            line_listen(l, PART, true);
            while (line_hint(l, PART) == 0)
                clock_sleep(20);
            line_listen(l, PART, false);
        }
    }
    line_close(l);
    end(flood);
    end(bus);
}

/* Is something heard from another program? A server that is stopped says nothing, and does not close
 * its connections. */
static bool hears(struct line *l)
{
    for (int i = 0; i < 30000; i++) { /* the library's own interval is two minutes */
        if (line_hint(l, PART) > 0)
            return true;
        clock_sleep(2 * US_PER_MS);
    }
    return false;
}

static void a_server_that_is_silent_is_left_for_another(void **state UNUSED)
{
    const char *server = find_server();
    uint16_t ports[] = {free_port(), free_port()};
    struct line *l = NULL;
    pid_t bus[2], flood[2];
    char url[128];

    if (server == NULL)
        skip();
    for (int i = 0; i < 2; i++) {
        bus[i] = start_server(server, ports[i], NULL);
        flood[i] = start_flood(ports[i]);
    }
    (void)snprintf(url, sizeof url, "nats://127.0.0.1:%u,nats://127.0.0.1:%u", ports[0], ports[1]);
    if (line_open(url, NULL, "line", &l) == ST_OK) { /* else it was built without NATS */
        line_listen(l, PART, true);
        for (int i = 0; i < 2; i++) { /* one of them is ours */
            assert_int_equal(kill(bus[i], SIGSTOP), 0);
            for (int k = 0; k < 3; k++) /* the first of them may have come before */
                assert_true(hears(l));
            assert_int_equal(kill(bus[i], SIGCONT), 0);
        }
    }
    line_close(l);
    for (int i = 0; i < 2; i++) {
        end(flood[i]);
        end(bus[i]);
    }
}

struct found {
    uint64_t numbers[3];
    char texts[3][16];
};

static void note_found(void *ctx, size_t want, uint64_t number, struct str bytes)
{
    struct found *f = ctx;

    assert_true(want < 3 && bytes.len < sizeof f->texts[0]);
    f->numbers[want] = number;
    memcpy(f->texts[want], bytes.ptr, bytes.len);
    f->texts[want][bytes.len] = '\0';
}

/* Each of three letters is in the log of another partition; the last partition has none. */
static void write_three(struct line *l)
{
    struct line_letter letters[] = {
        {.part = 5, .bytes = STR("first"), .behind = 0},
        {.part = 6, .bytes = STR("second"), .behind = LINE_ANYWHERE},
        {.part = 5, .bytes = STR("late"), .behind = 0}, /* another was first */
    };

    line_send_all(l, letters, 3);
    assert_int_equal(letters[0].number, 1);
    assert_int_equal(letters[1].number, 2);
    assert_int_equal(letters[2].number, 0);
    assert_int_equal(letters[2].id, 0);
}

static void several_logs_are_written_and_read_together(void **state UNUSED)
{
    struct line_want wants[] = {{.part = 5, .from = 0}, {.part = 6, .from = 3}, {.part = 6}};
    uint32_t parts[] = {5, 6, 7};
    const char *server = find_server();
    uint64_t last[3] = {9, 9, 9};
    struct found f = {0};
    struct line *l = NULL;
    char url[64];
    uint16_t port = free_port();
    pid_t bus;

    if (server == NULL)
        skip();
    bus = start_server(server, port, test_dir());
    (void)close(connect_to(port)); /* it is there */
    (void)snprintf(url, sizeof url, "nats://127.0.0.1:%u", port);
    if (line_open(url, NULL, "together", &l) == ST_OK) { /* else it was built without NATS */
        assert_int_equal(line_make(l, 1), ST_OK);
        write_three(l);
        line_next_all(l, wants, 3, note_found, &f);
        assert_int_equal(wants[0].st, ST_OK);
        assert_int_equal(wants[1].st, ST_MISSING);
        assert_int_equal(wants[2].st, ST_OK);
        assert_int_equal(f.numbers[0], 1);
        assert_string_equal(f.texts[0], "first");
        assert_int_equal(f.numbers[2], 2);
        assert_string_equal(f.texts[2], "second");
        assert_int_equal(line_last_all(l, parts, 3, last), ST_OK);
        assert_int_equal(last[0], 1);
        assert_int_equal(last[1], 2);
        assert_int_equal(last[2], 0);
    }
    line_close(l);
    end(bus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(listening_may_end_while_messages_come),
        cmocka_unit_test(a_server_that_is_silent_is_left_for_another),
        cmocka_unit_test(several_logs_are_written_and_read_together),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
