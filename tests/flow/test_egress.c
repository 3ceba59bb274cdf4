/* The guard is up: a public site cannot send the crawl to private addresses.
 *
 * A public address is needed that is ours: the test has a network of its own
 * (namespaces) whose loopback device has one. Where the system does not allow
 * that, the test is skipped. SPDX-License-Identifier: MIT */
#include "flow.h"

#include "base/mem.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define PUBLIC      "93.184.216.34"
#define NO_NETWORK  77
#define NOT_STARTED 78
#define ROUNDS      600 /* of 100 ms */

static const struct {
    const char *path, *to, *why;
} moves[] = {
    {"/ten", "http://10.0.0.1/", "address"},
    {"/loopback", "http://127.0.0.1/", "address"},
    {"/metadata", "http://169.254.169.254/latest/meta-data/", "address"},
    {"/six", "http://[::1]/", "address"},
    {"/mapped", "http://[::ffff:10.0.0.1]/", "address"},
    {"/hex", "http://0x7f.1/hex", "address"},
    {"/decimal", "http://2130706433/decimal", "address"},
    {"/name", "http://localhost/name", "address"},
    {"/octal", "http://0177.0.0.1/octal", "address"},
    {"/short", "http://127.1/short", "address"},
    {"/zero", "http://0/zero", "address"},
    {"/dot", "http://127.0.0.1./dot", "address"},
    {"/escaped", "http://%31%32%37.0.0.1/escaped", "address"},
    {"/wide", "http://\xef\xbc\x91\xef\xbc\x92\xef\xbc\x97.0.0.1/wide", "address"},
    {"/login", "http://public.example@127.0.0.1/login", "address"},
    {"/linklocal", "http://[fe80::1]/", "address"},
    {"/unique", "http://[fd00::1]/", "address"},
    {"/nat64", "http://[64:ff9b::a00:1]/", "address"},
    {"/6to4", "http://[2002:7f00:1::]/", "address"},
    {"/teredo", "http://[2001:0:0:0:0:0:80ff:fffe]/", "address"},
    {"/rebind", "http://rebind.example/", "address"},
    {"/file", "file:///etc/passwd", "scheme"},
    {"/ftp", "ftp://10.0.0.2/", "scheme"},
};

/* ---- a network of our own ------------------------------------------------ */

static bool put(const char *path, const char *what)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool ok = fd >= 0 && write(fd, what, strlen(what)) == (ssize_t)strlen(what);

    if (fd >= 0)
        (void)close(fd);
    return ok;
}

/* A device's address and its being up. */
static bool set_device(const char *name, const char *address)
{
    struct sockaddr_in in = {.sin_family = AF_INET};
    struct ifreq r = {.ifr_flags = 0};
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    bool ok = fd >= 0;

    (void)snprintf(r.ifr_name, sizeof r.ifr_name, "%s", name);
    if (ok && address) {
        (void)inet_pton(AF_INET, address, &in.sin_addr);
        memcpy(&r.ifr_addr, &in, sizeof in);
        ok = ioctl(fd, SIOCSIFADDR, &r) == 0;
    }
    r.ifr_flags = IFF_UP | IFF_RUNNING | IFF_LOOPBACK;
    ok = ok && ioctl(fd, SIOCSIFFLAGS, &r) == 0;
    if (fd >= 0)
        (void)close(fd);
    return ok;
}

static bool leave_network(void)
{
    unsigned uid = (unsigned)getuid(), gid = (unsigned)getgid();
    char map[64];

    if (unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0)
        return false;
    (void)put("/proc/self/setgroups", "deny");
    (void)snprintf(map, sizeof map, "0 %u 1", uid);
    if (!put("/proc/self/uid_map", map))
        return false;
    (void)snprintf(map, sizeof map, "0 %u 1", gid);
    (void)put("/proc/self/gid_map", map);
    return set_device("lo", NULL) && set_device("lo:1", PUBLIC);
}

/* ---- the site ------------------------------------------------------------ */

static int listen_at(const char *address)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(80)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    (void)inet_pton(AF_INET, address, &at.sin_addr);
    if (fd < 0 || bind(fd, (struct sockaddr *)&at, sizeof at) != 0 || listen(fd, 16) != 0)
        return -1;
    return fd;
}

static void answer(int fd)
{
    char in[4096], path[64] = "";
    const char *head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n";
    struct buf out = BUF_INIT(65536);
    ssize_t n = recv(fd, in, sizeof in - 1, 0);

    in[n > 0 ? n : 0] = '\0';
    (void)sscanf(in, "GET %63s", path);
    if (strcmp(path, "/") == 0) {
        buf_add_z(&out, head);
        for (size_t i = 0; i < ARRAY_LEN(moves); i++)
            buf_addf(&out, "<a href='%s'>x</a>", moves[i].path);
        buf_add_z(&out, "<a href='/good'>good</a>");
    } else if (strcmp(path, "/good") == 0) {
        buf_addf(&out, "%s<title>good</title>", head);
    } else {
        size_t i = 0;

        while (i < ARRAY_LEN(moves) && strcmp(path, moves[i].path) != 0)
            i++;
        if (i < ARRAY_LEN(moves))
            buf_addf(&out,
                     "HTTP/1.1 302 Found\r\nLocation: %s\r\nContent-Length: 0\r\n"
                     "Connection: close\r\n\r\n",
                     moves[i].to);
        else
            buf_add_z(&out, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n"
                            "Connection: close\r\n\r\n");
    }
    (void)!write(fd, out.data, out.len);
    buf_free(&out);
}

/* Serves until the crawl has ended; its exit code, or 99 where anybody came to
 * the loopback address. */
static int serve_until(pid_t crawl_pid, int public_fd, int inner_fd)
{
    struct pollfd fds[2] = {{.fd = public_fd, .events = POLLIN},
                            {.fd = inner_fd, .events = POLLIN}};
    int how = 0;

    for (int i = 0; i < ROUNDS; i++) {
        if (poll(fds, 2, 100) > 0) {
            int fd;

            if (fds[1].revents)
                return 99;
            fd = accept4(public_fd, NULL, NULL, SOCK_CLOEXEC);
            if (fd >= 0) {
                answer(fd);
                (void)close(fd);
            }
        }
        if (waitpid(crawl_pid, &how, WNOHANG) == crawl_pid)
            return WIFEXITED(how) ? WEXITSTATUS(how) : 98;
    }
    return 97;
}

static int crawl_inside(const char *const argv[])
{
    int public_fd, inner_fd;
    pid_t pid;

    if (!leave_network())
        return NO_NETWORK;
    public_fd = listen_at(PUBLIC);
    inner_fd = listen_at("127.0.0.1");
    if (public_fd < 0 || inner_fd < 0)
        return NO_NETWORK;
    pid = fork();
    if (pid == 0) {
        (void)execv(getenv("BROOD_BIN"), (char *const *)(uintptr_t)argv);
        _exit(NOT_STARTED);
    }
    return serve_until(pid, public_fd, inner_fd);
}

/* ---- tests --------------------------------------------------------------- */

static void a_public_site_cannot_send_us_inside(void **state)
{
    const char *dir = fresh("C");
    const char *const *argv = program_argv((const char *const[]){"crawl",
                                                                 "page",
                                                                 "--seed",
                                                                 "http://" PUBLIC "/",
                                                                 "--out",
                                                                 dir,
                                                                 "--quiet",
                                                                 "--contact",
                                                                 "tests@example.org",
                                                                 "--delay",
                                                                 "0",
                                                                 "--retries",
                                                                 "0",
                                                                 "--timeout",
                                                                 "5s",
                                                                 "--model",
                                                                 "breadth-first",
                                                                 "--resolve",
                                                                 "rebind.example:80:127.0.0.1",
                                                                 NULL});
    int64_t addresses = 0, schemes = 0;
    int how = 0;
    pid_t pid = fork();

    (void)state;
    if (pid == 0)
        _exit(crawl_inside(argv));
    assert_int_equal(waitpid(pid, &how, 0), pid);
    if (WEXITSTATUS(how) == NO_NETWORK)
        skip();
    assert_int_equal(WEXITSTATUS(how), 0);
    for (size_t i = 0; i < ARRAY_LEN(moves); i++)
        *(strcmp(moves[i].why, "scheme") == 0 ? &schemes : &addresses) += 1;
    /* the targets; the redirect itself is one too where its target is known to be */
    assert_int_equal(crawl_int(dir, "SELECT count(DISTINCT url) FROM dropped WHERE reason ="
                                    " 'address' AND url NOT LIKE '%" PUBLIC "%'"),
                     addresses);
    assert_int_equal(crawl_drops(dir, "scheme"), schemes);
    assert_int_equal(crawl_pages(dir), 2);
    assert_int_equal(crawl_int(dir, "SELECT count(*) FROM page WHERE title = 'good'"), 1);
    assert_code(brood("check", dir), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_public_site_cannot_send_us_inside),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
