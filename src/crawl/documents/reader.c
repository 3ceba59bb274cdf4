/* reader.c - see reader.h.
 *
 *   crawl            reader              minder               child
 *   reader_read  ->  serve: a fork  ->   mind: a fork    ->   confine, exec pdftotext
 *     waits for      a document          a program, with
 *     the minder                         its time
 *
 * Three descriptors travel with each order: the document (a file in memory, standard input of
 * the child), what is written (another one, standard output), and a pipe where the minder
 * writes struct reader_verdict. They need no protocol: when the minder dies, the pipe ends.
 * SPDX-License-Identifier: MIT */
#include "crawl/documents/reader.h"

#include "base/limits.h"
#include "base/mem.h"
#include "base/os/clock.h"
#include "base/os/confine.h"
#include "parse/document/document.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define SLICE_MS 100 /* between two checks whether to stop */

/* A limit of addresses leaves no room for the shadow memory of a sanitizer. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define LIMITS_OWN_MEMORY false
#else
#define LIMITS_OWN_MEMORY true
#endif

enum { FD_IN, FD_OUT, FD_DONE, FD_COUNT };
enum { PART_TEXT, PART_INFO, PART_LINKS, PART_COUNT };

struct order {
    uint8_t kind; /* enum document_kind */
};

struct reader_verdict {
    bool done;                /* the first program has succeeded */
    uint32_t end[PART_COUNT]; /* end of each part in the output */
};

/* Where poppler's programs are. */
struct programs {
    char pdftotext[PATH_MAX], pdfinfo[PATH_MAX];
};

struct reader {
    pid_t pid;
    int socket;
};

static const char *const pdf_arguments[PART_COUNT][10] = {
    [PART_TEXT] = {"pdftotext", "-q", "-enc", "UTF-8", "-l", LIMIT_PDF_PAGES, "-", "-", NULL},
    [PART_INFO] = {"pdfinfo", "-enc", "UTF-8", "-isodates", "-", NULL},
    [PART_LINKS] = {"pdfinfo", "-enc", "UTF-8", "-l", LIMIT_PDF_PAGES, "-url", "-", NULL},
};

static bool find_program(const char *name, char ret[PATH_MAX])
{
    const char *path = getenv("PATH");
    struct str rest = str_of(path ? path : "/usr/bin:/bin"), folder;

    while (str_cut(&rest, ':', &folder)) {
        int len = snprintf(ret, PATH_MAX, "%.*s/%s", STR_ARG(folder), name);

        /* a program in another place could not be run, and its PDFs would count as broken */
        if (ret[0] == '/' && len < PATH_MAX && access(ret, X_OK) == 0 && confine_may_run(ret))
            return true;
    }
    return false;
}

bool reader_has_pdf(void)
{
    struct programs p;

    return find_program("pdftotext", p.pdftotext) && find_program("pdfinfo", p.pdfinfo);
}

/* ---- the child: reads a document --------------------------------------------- */

static void limit(int what, rlim_t most)
{
    (void)setrlimit((__rlimit_resource_t)what, &(struct rlimit){most, most});
}

/* Returns the limit of a part's output; all parts are in one file. */
static size_t most_of(unsigned part)
{
    return LIMIT_DOCUMENT_TEXT + part * LIMIT_DOCUMENT_FACTS;
}

static void confine_child(bool runs, unsigned part)
{
    struct confine c;

    limit(RLIMIT_CPU, LIMIT_DOCUMENT_SECONDS);
    limit(RLIMIT_FSIZE, most_of(part));
    limit(RLIMIT_CORE, 0);
    confine_init(&c, CONFINE_NO_NET);
    if (runs)
        confine_run(&c);
    confine_files(&c);
    confine_calls(&c);
    limit(RLIMIT_NPROC, 0);
    if (runs || LIMITS_OWN_MEMORY)
        limit(RLIMIT_AS, LIMIT_DOCUMENT_MEMORY);
}

/* Reads a document from standard input, and writes it as HTML. */
static int read_office(void)
{
    struct buf in = BUF_INIT(LIMIT_DECODED), out = BUF_INIT(LIMIT_DOCUMENT_TEXT);
    ssize_t n;

    while ((n = read(STDIN_FILENO, buf_room(&in, KIB(64)), KIB(64))) > 0)
        in.len += (size_t)n;
    if (n < 0 || office_html(buf_str(&in), &out) != ST_OK)
        return EXIT_FAILURE;
    for (size_t at = 0; at < out.len; at += (size_t)n)
        if ((n = write(STDOUT_FILENO, out.data + at, out.len - at)) <= 0)
            return EXIT_FAILURE;
    return EXIT_SUCCESS;
}

__attribute__((noreturn)) static void child_main(const struct programs *programs,
                                                 const int fds[FD_COUNT], enum document_kind kind,
                                                 unsigned part)
{
    char locale[] = "LC_ALL=C.UTF-8", *environment[] = {locale, NULL};
    const char *program = part == PART_TEXT ? programs->pdftotext : programs->pdfinfo;

    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (dup2(fds[FD_IN], STDIN_FILENO) < 0 || dup2(fds[FD_OUT], STDOUT_FILENO) < 0)
        _exit(EXIT_FAILURE);
    (void)syscall(SYS_close_range, 3, ~0u, 0);
    confine_child(kind == DOCUMENT_PDF, part);
    if (kind == DOCUMENT_OFFICE)
        _exit(read_office());
    (void)execve(program, (char *const *)pdf_arguments[part], environment);
    _exit(EXIT_FAILURE);
}

/* ---- the minder: runs programs, with their time --------------------------------- */

/* Has the crawl gone? */
static bool is_alone(int done)
{
    struct pollfd p = {.fd = done};

    return poll(&p, 1, 0) > 0 && p.revents & (POLLERR | POLLHUP);
}

/* Did it end well and in time? A program that wrote as much as it may has done its work. */
static bool child_wait(pid_t child, int done)
{
    int64_t until = clock_now() + LIMIT_DOCUMENT_WAIT * US_PER_S;
    struct timespec slice = {.tv_nsec = SLICE_MS * 1000000L};
    sigset_t ended;
    int status;

    sigemptyset(&ended);
    sigaddset(&ended, SIGCHLD);
    while (waitpid(child, &status, WNOHANG) == 0) {
        if (clock_now() > until || is_alone(done)) {
            (void)kill(child, SIGKILL);
            (void)waitpid(child, &status, 0);
            return false;
        }
        (void)sigtimedwait(&ended, NULL, &slice);
    }
    return (WIFEXITED(status) && WEXITSTATUS(status) == 0) ||
           (WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ);
}

static bool run(const struct programs *programs, const int fds[FD_COUNT], enum document_kind kind,
                unsigned part)
{
    pid_t child;

    (void)lseek(fds[FD_IN], 0, SEEK_SET);
    child = fork();
    if (child == 0)
        child_main(programs, fds, kind, part);
    return child > 0 && child_wait(child, fds[FD_DONE]);
}

static void mind(const struct programs *programs, enum document_kind kind, const int fds[FD_COUNT])
{
    unsigned parts = kind == DOCUMENT_PDF ? PART_COUNT : 1;
    struct reader_verdict v = {.done = false};
    sigset_t ended;

    sigemptyset(&ended);
    sigaddset(&ended, SIGCHLD);
    (void)sigprocmask(SIG_BLOCK, &ended, NULL);
    (void)signal(SIGCHLD, SIG_DFL);
    for (unsigned i = 0; i < parts; i++) {
        bool done = run(programs, fds, kind, i);

        v.end[i] = (uint32_t)lseek(fds[FD_OUT], 0, SEEK_CUR);
        if (i == PART_TEXT)
            v.done = done;
        if (!v.done)
            break;
    }
    (void)!write(fds[FD_DONE], &v, sizeof v);
}

/* ---- the reader: a minder a document --------------------------------------------- */

/* Takes an order; returns false if the crawl is over. */
static bool order_take(int socket, struct order *ret, int ret_fds[FD_COUNT])
{
    union {
        char bytes[CMSG_SPACE(FD_COUNT * sizeof(int))];
        struct cmsghdr align;
    } room;
    struct iovec io = {ret, sizeof *ret};
    struct msghdr message = {.msg_iov = &io,
                             .msg_iovlen = 1,
                             .msg_control = room.bytes,
                             .msg_controllen = sizeof room.bytes};
    struct cmsghdr *c;
    ssize_t n;

    while ((n = recvmsg(socket, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) {
    }
    c = n == sizeof *ret ? CMSG_FIRSTHDR(&message) : NULL;
    if (c == NULL || c->cmsg_len != CMSG_LEN(FD_COUNT * sizeof(int)))
        return false;
    memcpy(ret_fds, CMSG_DATA(c), FD_COUNT * sizeof(int));
    return true;
}

__attribute__((noreturn)) static void serve(int socket)
{
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC), fds[FD_COUNT];
    struct programs programs = {"", ""};
    struct order order;

    (void)!(find_program("pdftotext", programs.pdftotext) &&
            find_program("pdfinfo", programs.pdfinfo));
    for (int i = 0; i < 3; i++)
        (void)dup2(nothing, i);
    (void)dup2(socket, 3);
    (void)syscall(SYS_close_range, 4, ~0u, 0);
    (void)signal(SIGCHLD, SIG_IGN); /* nobody waits for minders */
    (void)signal(SIGINT, SIG_IGN);  /* the crawl decides when to end */
    (void)signal(SIGTERM, SIG_IGN);
    (void)signal(SIGHUP, SIG_IGN);
    while (order_take(3, &order, fds)) {
        pid_t minder = fork();

        if (minder == 0) {
            mind(&programs, order.kind, fds);
            _exit(EXIT_SUCCESS);
        }
        for (int i = 0; i < FD_COUNT; i++)
            (void)close(fds[i]);
    }
    _exit(EXIT_SUCCESS);
}

/* ---- the crawl's side -------------------------------------------------------------- */

enum status reader_start(struct reader **ret)
{
    int ends[2];
    pid_t pid;

    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return status_fail(ST_IO, "no socket for the reader of documents: %s", strerror(errno));
    pid = fork();
    if (pid == 0)
        serve(ends[1]);
    (void)close(ends[1]);
    if (pid < 0) {
        (void)close(ends[0]);
        return status_fail(ST_IO, "no process for the reader of documents: %s", strerror(errno));
    }
    *ret = MEM_NEW(struct reader);
    **ret = (struct reader){pid, ends[0]};
    return ST_OK;
}

void reader_stop(struct reader *r)
{
    if (r == NULL)
        return;
    (void)close(r->socket);
    while (waitpid(r->pid, NULL, 0) < 0 && errno == EINTR) {
    }
    free(r);
}

static bool order_send(struct reader *r, enum document_kind kind, const int fds[FD_COUNT])
{
    struct order order = {(uint8_t)kind};
    union {
        char bytes[CMSG_SPACE(FD_COUNT * sizeof(int))];
        struct cmsghdr align;
    } room = {{0}};
    struct iovec io = {&order, sizeof order};
    struct msghdr message = {.msg_iov = &io,
                             .msg_iovlen = 1,
                             .msg_control = room.bytes,
                             .msg_controllen = sizeof room.bytes};
    struct cmsghdr *c = CMSG_FIRSTHDR(&message);

    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(FD_COUNT * sizeof(int));
    memcpy(CMSG_DATA(c), fds, FD_COUNT * sizeof(int));
    return sendmsg(r->socket, &message, MSG_NOSIGNAL) == sizeof order;
}

/* Waits for the minder's verdict; returns false if it died, or if we should stop. */
static bool verdict_wait(int done, const atomic_bool *stop, struct reader_verdict *ret)
{
    struct pollfd p = {.fd = done, .events = POLLIN};

    while (stop == NULL || !atomic_load(stop)) {
        int ready = poll(&p, 1, SLICE_MS);

        if (ready > 0)
            return read(done, ret, sizeof *ret) == sizeof *ret;
        if (ready < 0 && errno != EINTR)
            break;
    }
    return false;
}

static bool bytes_put(int fd, struct str bytes)
{
    ssize_t n;

    for (; bytes.len; bytes = str_sub(bytes, (size_t)n, bytes.len))
        if ((n = write(fd, bytes.ptr, bytes.len)) <= 0)
            return false;
    return true;
}

/* What the programs wrote, in their order. */
static struct str part_of(struct str all, const struct reader_verdict *v, unsigned part)
{
    return str_sub(all, part ? v->end[part - 1] : 0, v->end[part]);
}

static enum drop take_html(int out, enum document_kind kind, const struct reader_verdict *v,
                           struct str bytes, struct buf *ret)
{
    size_t len = kind == DOCUMENT_PDF ? v->end[PART_LINKS] : v->end[PART_TEXT];
    LOCAL_BUF said = BUF_INIT(most_of(PART_COUNT));
    ssize_t n = len && len <= most_of(PART_COUNT) ? pread(out, buf_room(&said, len), len, 0) : 0;
    enum drop why = DROP_NONE;

    said.len = n > 0 ? (size_t)n : 0;
    if (said.len != len)
        why = DROP_UNREADABLE;
    else if (kind == DOCUMENT_OFFICE)
        buf_add_str(ret, buf_str(&said));
    else
        pdf_html(&(struct pdf_parts){part_of(buf_str(&said), v, PART_TEXT),
                                     part_of(buf_str(&said), v, PART_INFO),
                                     part_of(buf_str(&said), v, PART_LINKS), bytes},
                 ret);
    return ret->full ? DROP_SIZE : why;
}

enum drop reader_read(struct reader *r, enum document_kind kind, struct str bytes,
                      const atomic_bool *stop, struct buf *ret_html)
{
    int done[2] = {-1, -1};
    int in = memfd_create("document", MFD_CLOEXEC), out = memfd_create("text", MFD_CLOEXEC);
    struct reader_verdict v;
    enum drop why = DROP_UNREADABLE;
    bool sent = in >= 0 && out >= 0 && pipe2(done, O_CLOEXEC) == 0 && bytes_put(in, bytes) &&
                order_send(r, kind, (int[FD_COUNT]){in, out, done[1]});

    if (done[1] >= 0)
        (void)close(done[1]);
    if (sent && verdict_wait(done[0], stop, &v) && v.done)
        why = take_html(out, kind, &v, bytes, ret_html);
    if (done[0] >= 0)
        (void)close(done[0]);
    if (in >= 0)
        (void)close(in);
    if (out >= 0)
        (void)close(out);
    return why;
}
