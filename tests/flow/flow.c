/* flow.c - running the program and serving worlds.
 * SPDX-License-Identifier: MIT */
#include "flow.h"

#include "base/os/file.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SECONDS_MOST   600 /* only what hangs is meant, on a machine with much other work, too */
#define SANITIZER_CODE 99  /* what a finding ends the program with */

extern char **environ;

/* ---- what lives until the end -------------------------------------------- */

static void **kept;
static size_t nkept, kept_cap;

void *keep(void *p)
{
    MEM_GROW(kept, nkept, &kept_cap);
    kept[nkept++] = p;
    return p;
}

static char *keep_buf(struct buf *b)
{
    if (b->len > 0)
        return keep(buf_take(b, NULL));
    buf_free(b);
    return keep(str_dup(STR("")));
}

const char *text(const char *format, ...)
{
    struct buf out = BUF_INIT(256 << 20);
    va_list args;

    va_start(args, format);
    buf_addv(&out, format, args);
    assert_int_equal(buf_check(&out), ST_OK);
    va_end(args);
    return keep_buf(&out);
}

const char *fresh(const char *name)
{
    static const char *dir;

    if (dir == NULL)
        dir = test_dir();
    return text("%s/%s", dir, name);
}

const char *file_with(const char *name, const char *content)
{
    const char *path = fresh(name);

    assert_int_equal(file_write(path, str_of(content)), ST_OK);
    return path;
}

const char *file_text(const char *path)
{
    struct buf out = BUF_INIT(1 << 30);

    test_read(path, &out);
    return keep_buf(&out);
}

size_t lines_in(const char *t)
{
    return times_in(t, "\n");
}

size_t times_in(const char *t, const char *what)
{
    size_t n = 0;

    while ((t = strstr(t, what)) != NULL)
        n++, t += strlen(what);
    return n;
}

/* ---- commands ------------------------------------------------------------ */

struct job {
    pid_t pid;
    int out, err; /* what it says; -1 at the end */
    struct buf said, complained;
    bool over;
};

static struct job *jobs[64];
static size_t njobs;

static void end_jobs(void)
{
    for (size_t i = 0; i < njobs; i++)
        if (!jobs[i]->over)
            (void)kill(jobs[i]->pid, SIGKILL);
}

static int64_t now_ms(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static int input_file(const char *input)
{
    const char *path = "/dev/null";
    static unsigned number;

    if (input)
        path = file_with(text("input-%u", number++), input);
    return open(path, O_RDONLY | O_CLOEXEC);
}

static struct job *spawn(const char *input, const char *const argv[])
{
    struct job *j = keep(MEM_NEW(struct job));
    posix_spawn_file_actions_t actions;
    int out[2], err[2], in = input_file(input), failed;

    if (njobs == 0)
        (void)atexit(end_jobs);
    assert_int_equal(pipe2(out, O_CLOEXEC), 0);
    assert_int_equal(pipe2(err, O_CLOEXEC), 0);
    assert_int_equal(posix_spawn_file_actions_init(&actions), 0);
    (void)posix_spawn_file_actions_adddup2(&actions, in, 0);
    (void)posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    (void)posix_spawn_file_actions_adddup2(&actions, err[1], 2);
    failed = posix_spawnp(&j->pid, strcmp(argv[0], "brood") ? argv[0] : getenv("BROOD_BIN"),
                          &actions, NULL, (char *const *)argv, environ);
    (void)posix_spawn_file_actions_destroy(&actions);
    (void)close(in), (void)close(out[1]), (void)close(err[1]);
    j->out = out[0], j->err = err[0];
    j->said = j->complained = BUF_INIT(1 << 30);
    if (failed)
        fail_msg("%s: %s", argv[0], strerror(failed));
    return j;
}

static void take(int *fd, struct buf *into)
{
    char piece[65536];
    ssize_t n = read(*fd, piece, sizeof piece);

    if (n > 0) {
        buf_add(into, piece, (size_t)n);
    } else if (n == 0) {
        (void)close(*fd);
        *fd = -1;
    }
}

/* Reads until both ends are closed, or the line is there (`until`), so long at most. */
static bool listen_for(struct job *j, const char *until, int64_t ms)
{
    int64_t end = now_ms() + ms;

    while (j->out >= 0 || j->err >= 0) {
        struct pollfd fds[2] = {{.fd = j->out, .events = POLLIN}, {.fd = j->err, .events = POLLIN}};
        int64_t left = end - now_ms();

        if (until && j->said.data && strstr(j->said.data, until))
            return true;
        if (left <= 0)
            return false;
        if (poll(fds, 2, (int)left) < 0 && errno != EINTR)
            return false;
        if (fds[0].revents)
            take(&j->out, &j->said);
        if (fds[1].revents)
            take(&j->err, &j->complained);
    }
    return until == NULL;
}

static bool listen_to(struct job *j, const char *until)
{
    return listen_for(j, until, SECONDS_MOST * 1000);
}

bool job_listen(struct job *j, int ms)
{
    return !listen_for(j, NULL, ms);
}

struct ran job_wait(struct job *j)
{
    bool ended = listen_to(j, NULL);
    struct ran r = {.code = -1};
    struct rusage used = {.ru_maxrss = 0};
    int how = 0;

    if (!ended)
        (void)kill(j->pid, SIGKILL);
    while (wait4(j->pid, &how, 0, &used) < 0 && errno == EINTR)
        continue;
    r.peak = used.ru_maxrss;
    j->over = true;
    if (ended)
        r.code = WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
    r.out = keep_buf(&j->said);
    r.err = keep_buf(&j->complained);
    return r;
}

struct job *job_start(const char *const argv[])
{
    struct job *j = spawn(NULL, argv);
    size_t at = 0;

    while (at < njobs && !jobs[at]->over)
        at++;
    assert_true(at < sizeof jobs / sizeof *jobs);
    jobs[at] = j;
    njobs += at == njobs;
    return j;
}

pid_t job_pid(const struct job *j)
{
    return j->pid;
}

size_t job_lines(const struct job *j)
{
    return j->said.data ? lines_in(j->said.data) : 0;
}

void job_await_said(struct job *j, const char *part)
{
    if (listen_to(j, part))
        return;
    (void)kill(j->pid, SIGKILL);
    fail_msg("'%s' was never said", part);
}

int64_t await_begin(void)
{
    return now_ms() + SECONDS_MOST * 1000;
}

void await_more(int64_t end, const char *what, const char *file, int line)
{
    if (now_ms() > end) {
        print_error("never so: %s\n", what);
        _fail(file, line);
    }
    (void)poll(NULL, 0, 20);
}

static bool has_lines(const char *path, size_t lines)
{
    struct buf content = BUF_INIT(1 << 30);
    bool there = file_read(path, &content) == ST_OK;

    there = there && (content.data ? lines_in(content.data) : 0) >= lines;
    buf_free(&content);
    return there;
}

void await_lines(const char *path, size_t lines)
{
    await(has_lines(path, lines));
}

bool file_says(const char *path, const char *part)
{
    struct buf content = BUF_INIT(1 << 30);
    bool says = file_read(path, &content) == ST_OK && content.data && strstr(content.data, part);

    buf_free(&content);
    return says;
}

struct ran run_argv(const char *input, const char *const argv[])
{
    return job_wait(spawn(input, argv));
}

const char *const *program_argv(const char *const argv[])
{
    const char *bin = getenv("BROOD_BIN");
    size_t n = 0;
    const char **all;

    if (bin == NULL)
        fail_msg("BROOD_BIN must name the program");
    while (argv[n])
        n++;
    all = keep(mem_zero(n + 2, sizeof *all));
    all[0] = "brood"; /* found on a PATH, as it were: hints name it so */
    memcpy(all + 1, argv, n * sizeof *all);
    return all;
}

struct ran brood_argv(const char *input, const char *const argv[])
{
    struct ran r = run_argv(input, program_argv(argv));

    if (r.code == SANITIZER_CODE || r.code == -1 || strstr(r.err, "runtime error:"))
        fail_msg("brood %s: %s\n%s", argv[0], r.code == -1 ? "no end" : "a sanitizer's finding",
                 r.err);
    return r;
}

void expect_code(struct ran r, int wanted, const char *file, int line)
{
    if (r.code == wanted)
        return;
    print_error("exit code %d, not %d\n%.2000s\n%.4000s\n", r.code, wanted, r.out, r.err);
    _fail(file, line);
}

void expect_says(const char *t, const char *part, const char *file, int line)
{
    if (strstr(t, part))
        return;
    print_error("'%s' is not in:\n%.4000s\n", part, t);
    _fail(file, line);
}

void expect_refused(struct ran r, int wanted, const char *part, const char *file, int line)
{
    expect_code(r, wanted, file, line);
    expect_says(r.err, part, file, line);
    if (lines_in(r.err) == 1 && strncmp(r.err, "brood: ", 7) == 0)
        return;
    print_error("this is not one sentence:\n%.4000s\n", r.err);
    _fail(file, line);
}

/* ---- worlds -------------------------------------------------------------- */

const char *world_argv(const char *const options[])
{
    static unsigned number;
    const char *dir = fresh(text("world-%u", number++)), *argv[40] = {"world", "make", dir};
    size_t n = 3;

    argv[n++] = "--menus"; /* few links and words, so that worlds are made and crawled quickly */
    argv[n++] = "0";
    for (size_t i = 0; options[i]; i++) {
        assert_true(n + 1 < sizeof argv / sizeof *argv);
        argv[n++] = options[i];
    }
    assert_code(brood_argv(NULL, argv), 0);
    return dir;
}

json_t *world_info(const char *dir)
{
    static const char *of;
    static json_t *info;

    if (of != dir) {
        struct ran r = brood("world", "info", dir, "--json");

        assert_code(r, 0);
        info = json_of(r.out);
        of = dir;
    }
    return info;
}

const char *world_seed(const char *dir, size_t topic, size_t seed)
{
    return text_at(world_info(dir), text("topics.%zu.seeds.%zu", topic, seed));
}

const char *world_label(const char *dir, size_t topic)
{
    return text_at(world_info(dir), text("topics.%zu.name", topic));
}

const char *world_words(const char *dir, size_t topic)
{
    json_t *words = json_at(world_info(dir), text("topics.%zu.words", topic)), *word;
    const char *all = "";
    size_t i;

    json_array_foreach(words, i, word) all =
        text("%s%s%s", all, i ? " " : "", json_string_value(word));
    return all;
}

static int port_after(const char *said, const char *name)
{
    const char *at = strstr(said, name);

    return at ? atoi(at + strlen(name)) : 0;
}

struct server *serve_argv(const char *dir, const char *const options[])
{
    static unsigned number;
    struct server *s = keep(MEM_NEW(struct server));
    const char *argv[30] = {"world", "serve", dir, "--port", "0", "--access-log"};
    size_t n = 6;

    s->log = fresh(text("access-%u.log", number));
    s->ca = fresh(text("ca-%u.pem", number++));
    argv[n++] = s->log;
    for (size_t i = 0; options[i]; i++) {
        assert_true(n + 3 < sizeof argv / sizeof *argv);
        argv[n++] = options[i];
        if (strcmp(options[i], "--tls-port") == 0)
            argv[n++] = options[++i], argv[n++] = "--ca-file", argv[n++] = s->ca;
    }
    s->job = job_start(program_argv(argv));
    if (!listen_to(s->job, "\n"))
        fail_msg("the server does not come up: %s", s->job->complained.data);
    s->port = port_after(s->job->said.data, "http port ");
    s->tls_port = port_after(s->job->said.data, "https port ");
    s->resolve = text("*:80:127.0.0.0/8:%d", s->port);
    s->resolve_tls = text("*:443:127.0.0.0/8:%d", s->tls_port ? s->tls_port : 1);
    return s;
}

/* Below those that the kernel hands out: it would give this one to somebody else as soon as it is
 * closed. */
int closed_port(int *ret_port)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    assert_true(fd >= 0);
    srandom((unsigned)getpid());
    do {
        *ret_port = 15000 + (int)(random() % 15000);
        at.sin_port = htons((uint16_t)*ret_port);
    } while (bind(fd, (struct sockaddr *)&at, sizeof at) != 0);
    return fd;
}

void server_stop(struct server *s)
{
    if (s->job->over)
        return;
    (void)kill(s->job->pid, SIGTERM);
    assert_code(job_wait(s->job), 0);
}
