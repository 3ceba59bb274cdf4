/* test_confine.c - what a confined process cannot do any more, tried from inside. Each test runs
 * in a child of its own, because this cannot be undone. SPDX-License-Identifier: MIT */
#include "base/os/confine.h"
#include "support/support.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <iconv.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static char inside[4096], outside[4096]; /* directories */

static const char *in(const char *dir, const char *name)
{
    static char paths[4][8192];
    static unsigned at;
    char *path = paths[at++ % 4];

    (void)snprintf(path, sizeof paths[0], "%s/%s", dir, name);
    return path;
}

static void write_file(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, "mine", 4), 4);
    (void)close(fd);
}

static int set_up(void **state)
{
    (void)state;
    (void)snprintf(inside, sizeof inside, "%s", test_dir());
    (void)snprintf(outside, sizeof outside, "%s", test_dir());
    write_file(in(outside, "file"));
    write_file(in(inside, "file"));
    (void)unlink(in(inside, "link"));
    return symlink(in(outside, "file"), in(inside, "link"));
}

/* ---- in the child -------------------------------------------------------- */

#define CHECK(what)                                                                  \
    do {                                                                             \
        if (!(what)) {                                                               \
            fprintf(stderr, "line %d: %s (%s)\n", __LINE__, #what, strerror(errno)); \
            _exit(1);                                                                \
        }                                                                            \
    } while (0)
#define FAILS(call, error) CHECK((errno = 0, (call) < 0) && errno == (error))

static void in_child(void (*fn)(void))
{
    pid_t pid = fork();
    int status = 0;

    assert_true(pid >= 0);
    if (pid == 0) {
        fn();
        _exit(0);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

static void confine_as(enum confine_net net)
{
    struct confine c;

    confine_init(&c, net);
    confine_write(&c, inside);
    confine_files(&c);
    confine_calls(&c);
    confine_clear(&c);
}

#define NEED_LANDLOCK                                      \
    do {                                                   \
        struct confine c_;                                 \
        confine_init(&c_, CONFINE_CONNECT);                \
        confine_clear(&c_);                                \
        if (c_.abi == 0) {                                 \
            print_message("# skipped: %s\n", c_.landlock); \
            skip();                                        \
        }                                                  \
    } while (0)
#ifdef BROOD_SECCOMP
#define NEED_SECCOMP (void)0
#else
#define NEED_SECCOMP                                            \
    do {                                                        \
        print_message("# skipped: built without libseccomp\n"); \
        skip();                                                 \
    } while (0)
#endif

/* ---- files --------------------------------------------------------------- */

static void try_outside(void)
{
    confine_as(CONFINE_CONNECT);
    FAILS(open(in(outside, "file"), O_RDONLY), EACCES);
    FAILS(open(in(outside, "file"), O_WRONLY), EACCES);
    FAILS(open(in(outside, "new"), O_WRONLY | O_CREAT, 0600), EACCES);
    FAILS(open(in(inside, "link"), O_RDONLY), EACCES);
    FAILS(open(outside, O_RDONLY | O_DIRECTORY), EACCES);
    FAILS(open("/etc/passwd", O_RDONLY), EACCES);
    FAILS(open("/", O_RDONLY | O_DIRECTORY), EACCES);
    FAILS(unlink(in(outside, "file")), EACCES);
    FAILS(mkdir(in(outside, "folder"), 0700), EACCES);
    CHECK(rename(in(outside, "file"), in(inside, "taken")) < 0);
    CHECK(rename(in(inside, "file"), in(outside, "given")) < 0);
    FAILS(symlink("/", in(inside, "root")), EACCES);
    FAILS(mkfifo(in(inside, "pipe"), 0600), EACCES);
}

static void no_file_outside_can_be_read_or_changed(void **state)
{
    (void)state;
    NEED_LANDLOCK;
    in_child(try_outside);
    assert_int_equal(access(in(outside, "file"), F_OK), 0);
    assert_int_not_equal(access(in(outside, "new"), F_OK), 0);
}

static void try_inside(void)
{
    char text[8];
    DIR *list;
    int fd;

    confine_as(CONFINE_CONNECT);
    CHECK((fd = open(in(inside, "new"), O_RDWR | O_CREAT | O_TRUNC, 0600)) >= 0);
    CHECK(write(fd, "text", 4) == 4 && ftruncate(fd, 2) == 0 && pread(fd, text, 8, 0) == 2);
    CHECK(mkdir(in(inside, "folder"), 0700) == 0);
    CHECK(rename(in(inside, "new"), in(inside, "newer")) == 0);
    CHECK((list = opendir(inside)) != NULL);
    (void)closedir(list);
    CHECK(unlink(in(inside, "newer")) == 0 && rmdir(in(inside, "folder")) == 0);
}

static void inside_everything_goes_on(void **state)
{
    (void)state;
    in_child(try_inside);
}

/* As a page in another encoding, a new thread and a new connection need them. */
static void try_libraries(void)
{
    iconv_t cd;

    confine_as(CONFINE_CONNECT);
    CHECK((cd = iconv_open("UTF-8", "EUC-JP")) != (iconv_t)-1);
    (void)iconv_close(cd);
    CHECK(open("/dev/urandom", O_RDONLY) >= 0);
    CHECK(open("/dev/null", O_RDWR) >= 0);
    CHECK(access("/etc/hosts", F_OK) != 0 || open("/etc/hosts", O_RDONLY) >= 0);
    CHECK(access("/etc/ssl/certs", F_OK) != 0 || open("/etc/ssl/certs", O_RDONLY) >= 0);
}

static void libraries_find_what_they_read(void **state)
{
    (void)state;
    in_child(try_libraries);
}

static void try_named(void)
{
    struct confine c;

    confine_init(&c, CONFINE_CONNECT);
    confine_read(&c, in(outside, "file"));
    confine_read(&c, in(outside, "is not there"));
    confine_read(&c, NULL);
    confine_files(&c);
    CHECK(open(in(outside, "file"), O_RDONLY) >= 0);
    FAILS(open(in(outside, "file"), O_WRONLY), EACCES);
    FAILS(open(in(inside, "file"), O_RDONLY), EACCES);
}

static void a_file_that_is_named_can_be_read_and_no_more(void **state)
{
    (void)state;
    NEED_LANDLOCK;
    in_child(try_named);
}

/* ---- system calls -------------------------------------------------------- */

static void try_calls(void)
{
    char byte;
    struct iovec here = {&byte, 1}, there = {&byte, 1};
    char *const argv[] = {(char *)"true", NULL};

    confine_as(CONFINE_CONNECT);
    CHECK(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1);
    FAILS(execv("/bin/true", argv), EPERM);
    FAILS(syscall(SYS_execveat, -1, "/bin/true", argv, NULL, 0), EPERM);
    FAILS(ptrace(PTRACE_SEIZE, getppid(), NULL, NULL), EPERM);
    FAILS(ptrace(PTRACE_TRACEME, 0, NULL, NULL), EPERM);
    FAILS(process_vm_readv(getppid(), &here, 1, &there, 1, 0), EPERM);
    FAILS(kill(getppid(), 0), EPERM);
    FAILS(mount("none", inside, "tmpfs", 0, NULL), EPERM);
    FAILS(unshare(CLONE_NEWUSER), EPERM);
    FAILS(syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, 0), EPERM);
    FAILS(chroot(inside), EPERM);
    FAILS(setuid(0), EPERM);
    FAILS(syscall(SYS_bpf, 0, NULL, 0), EPERM);
    FAILS(syscall(SYS_userfaultfd, 0), EPERM);
    FAILS(syscall(SYS_perf_event_open, NULL, 0, -1, -1, 0), EPERM);
    FAILS(syscall(SYS_keyctl, 0, 0, 0, 0, 0), EPERM);
    FAILS(syscall(SYS_io_uring_setup, 1, NULL), EPERM);
    FAILS(ioctl(STDIN_FILENO, TIOCSTI, "x"), EPERM);
}

static void no_program_is_run_and_no_process_looked_into(void **state)
{
    (void)state;
    NEED_SECCOMP;
    in_child(try_calls);
}

static void try_exec_alone(void)
{
    struct confine c;
    char *const argv[] = {(char *)"true", NULL};

    confine_init(&c, CONFINE_CONNECT);
    confine_files(&c);
    FAILS(execv("/bin/true", argv), EACCES);
    CHECK(ptrace(PTRACE_SEIZE, getppid(), NULL, NULL) < 0);
}

static void landlock_alone_runs_no_program_either(void **state)
{
    (void)state;
    NEED_LANDLOCK;
    in_child(try_exec_alone);
}

/* ---- threads ------------------------------------------------------------- */

static pthread_barrier_t confined;

static void *try_in_thread(void *made_before)
{
    char *const argv[] = {(char *)"true", NULL};

    if (made_before)
        (void)pthread_barrier_wait(&confined);
    CHECK(execv("/bin/true", argv) < 0);
    if (!made_before)
        CHECK(open(in(outside, "file"), O_RDONLY) < 0);
    return NULL;
}

static void try_threads(void)
{
    pthread_t before, after;

    (void)pthread_barrier_init(&confined, NULL, 2);
    CHECK(pthread_create(&before, NULL, try_in_thread, &confined) == 0);
    confine_as(CONFINE_CONNECT);
    (void)pthread_barrier_wait(&confined);
    CHECK(pthread_join(before, NULL) == 0);
    CHECK(pthread_create(&after, NULL, try_in_thread, NULL) == 0);
    CHECK(pthread_join(after, NULL) == 0);
}

static void every_thread_is_held(void **state)
{
    (void)state;
    NEED_LANDLOCK;
    NEED_SECCOMP;
    in_child(try_threads);
}

/* ---- sockets ------------------------------------------------------------- */

/* A server on loopback; its address. */
static int listen_here(struct sockaddr_in *ret)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    socklen_t len = sizeof *ret;

    *ret = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    CHECK(bind(fd, (struct sockaddr *)ret, sizeof *ret) == 0 && listen(fd, 1) == 0);
    CHECK(getsockname(fd, (struct sockaddr *)ret, &len) == 0);
    return fd;
}

/* A listening socket in the file system, as other programs of the user have them. */
static int listen_unix(struct sockaddr_un *ret)
{
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);

    *ret = (struct sockaddr_un){.sun_family = AF_UNIX};
    (void)snprintf(ret->sun_path, sizeof ret->sun_path, "%.90s/socket", outside);
    CHECK(bind(fd, (struct sockaddr *)ret, sizeof *ret) == 0 && listen(fd, 1) == 0);
    return fd;
}

static int connect_to(int family, const void *address, socklen_t len)
{
    int fd = socket(family, SOCK_STREAM, 0);

    return fd < 0 ? -1 : connect(fd, address, len);
}

static void try_sockets(void)
{
    struct sockaddr_in server;
    struct sockaddr_un local;
    struct confine c;

    (void)listen_here(&server);
    (void)listen_unix(&local);
    confine_init(&c, CONFINE_CONNECT);
    confine_as(CONFINE_CONNECT);
    CHECK(connect_to(AF_INET, &server, sizeof server) == 0);
    FAILS(connect_to(AF_UNIX, &local, sizeof local), EACCES);
    FAILS(socket(AF_PACKET, SOCK_RAW, 0), EACCES);
    server.sin_port = 0;
    if (c.abi >= 4)
        FAILS(bind(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr *)&server, sizeof server),
              EACCES);
}

static void a_crawl_reaches_servers_and_no_socket_of_the_user(void **state)
{
    (void)state;
    NEED_SECCOMP;
    (void)unlink(in(outside, "socket"));
    in_child(try_sockets);
}

static void try_listening(void)
{
    struct sockaddr_in server;

    confine_as(CONFINE_LISTEN);
    (void)listen_here(&server);
    CHECK(connect_to(AF_INET, &server, sizeof server) == 0);
}

static void with_a_dashboard_it_may_listen(void **state)
{
    (void)state;
    in_child(try_listening);
}

static void try_no_net(void)
{
    confine_as(CONFINE_NO_NET);
    FAILS(socket(AF_INET, SOCK_STREAM, 0), EACCES);
    FAILS(socket(AF_INET6, SOCK_DGRAM, 0), EACCES);
    FAILS(socket(AF_UNIX, SOCK_STREAM, 0), EACCES);
}

static void whoever_only_reads_has_no_network(void **state)
{
    (void)state;
    NEED_SECCOMP;
    in_child(try_no_net);
}

/* ---- what is said -------------------------------------------------------- */

static void try_saying(void)
{
    char text[CONFINE_TEXT], wanted[CONFINE_TEXT];
    struct confine c;

    confine_init(&c, CONFINE_CONNECT);
    confine_files(&c);
    confine_calls(&c);
    if (c.abi > 0) {
        (void)snprintf(wanted, sizeof wanted, "landlock %d, ", c.abi);
        CHECK(strncmp(confine_said(&c, text), wanted, strlen(wanted)) == 0);
    }
#ifdef BROOD_SECCOMP
    CHECK(strcmp(strstr(confine_said(&c, text), ", "), ", seccomp") == 0);
#endif
}

static void what_holds_is_said(void **state)
{
    (void)state;
    in_child(try_saying);
}

#ifdef BROOD_SECCOMP
#include <seccomp.h>

/* An older kernel, or one in which Landlock is not built. */
static void try_without_landlock(void)
{
    scmp_filter_ctx f = seccomp_init(SCMP_ACT_ALLOW);
    char text[CONFINE_TEXT];
    struct confine c;

    CHECK(seccomp_rule_add(f, SCMP_ACT_ERRNO(ENOSYS), 444, 0) == 0 && seccomp_load(f) == 0);
    seccomp_release(f);
    confine_init(&c, CONFINE_CONNECT);
    confine_write(&c, inside);
    confine_files(&c);
    confine_calls(&c);
    CHECK(strcmp(confine_said(&c, text), "no landlock (Function not implemented), seccomp") == 0);
    CHECK(open(in(outside, "file"), O_RDONLY) >= 0);
    FAILS(execv("/bin/true", (char *const[]){(char *)"true", NULL}), EPERM);
}
#else
static void try_without_landlock(void)
{
}
#endif

static void a_kernel_without_landlock_is_said_and_the_rest_holds(void **state)
{
    (void)state;
    NEED_SECCOMP;
    in_child(try_without_landlock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(no_file_outside_can_be_read_or_changed, set_up),
        cmocka_unit_test_setup(inside_everything_goes_on, set_up),
        cmocka_unit_test_setup(libraries_find_what_they_read, set_up),
        cmocka_unit_test_setup(a_file_that_is_named_can_be_read_and_no_more, set_up),
        cmocka_unit_test_setup(no_program_is_run_and_no_process_looked_into, set_up),
        cmocka_unit_test_setup(landlock_alone_runs_no_program_either, set_up),
        cmocka_unit_test_setup(every_thread_is_held, set_up),
        cmocka_unit_test_setup(a_crawl_reaches_servers_and_no_socket_of_the_user, set_up),
        cmocka_unit_test_setup(with_a_dashboard_it_may_listen, set_up),
        cmocka_unit_test_setup(whoever_only_reads_has_no_network, set_up),
        cmocka_unit_test_setup(what_holds_is_said, set_up),
        cmocka_unit_test_setup(a_kernel_without_landlock_is_said_and_the_rest_holds, set_up),
    };

    return cmocka_run_group_tests_name("base confine", tests, NULL, NULL);
}
