/* serve.c - brood serve: the dashboard over finished and running crawls.
 * SPDX-License-Identifier: MIT */
#include "base/limits.h"
#include "base/status.h"
#include "base/str.h"
#include "base/option.h"
#include "base/os/clock.h"
#include "cli/command.h"
#include "cli/commands/commands.h"
#include "cli/interrupt.h"
#include "cli/notify.h"
#include "cli/several.h"
#include "dash/dash.h"

#include <errno.h>
#include <limits.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

/* ---- what `brood ARGUMENTS` would say before it begins -------------------
 *
 * For the dashboard's form, whose crawls are processes of this program. */

static const struct command *find(const char *name)
{
    for (size_t i = 0; command_table[i]; i++)
        if (strcmp(command_table[i]->name, name) == 0)
            return command_table[i];
    return NULL;
}

/* argv[0] is the program, argv[1] a command that has a check. Mistakes are named by options, or ""
 * if they belong to none. From any thread. */
static void start_check(const struct text_list *argv, struct mistakes *ret)
{
    const struct command *c = argv->count > 1 ? find(argv->items[1]) : NULL;
    struct invocation in;

    if (c == NULL || c->check == NULL) {
        mistakes_note(
            ret, "", status_fail(ST_INTERNAL, "this command cannot be started from the dashboard"));
        return;
    }
    command_parse_all(c, (int)argv->count - 2, argv->items + 2, &in, ret);
    c->check(&in, ret);
    invocation_clear(&in);
}

/* ---- the command --------------------------------------------------------- */

struct serve_options {
    struct bus_options bus;
    int64_t port;
    char *bind, *root, *page;
    struct text_list lab;
    bool check;
};

#define AT(field) .offset = offsetof(struct serve_options, field)

static const struct option serve_option_table[] = {
    {INT_OPTION("port", port, "P", "-1", -1, 65535),
     .help = "where to listen; 0: any free one; -1: 8400, or the next free one"},
    {TEXT_OPTION("bind", bind, "ADDR"), .fallback = "127.0.0.1",
     .help = "the address to listen on. Whoever reaches it can read everything"},
    {TEXT_OPTION("root", root, "DIR"), .fallback = ".",
     .help = "where crawls started from the page are kept (made if need be); crawls in it are "
             "shown"},
    {LIST_OPTION("lab", lab, "DIR"), .help = "show this report of the lab too"},
    {TEXT_OPTION("page", page, "DIR"),
     .help = "take the page's files from here (for those who change them)"},
    {FLAG_OPTION("check", check),
     .help = "serve nothing: exit with 0 if a dashboard answers at --bind and --port, else with 1"},
    BUS_OPTIONS,
    {.name = NULL},
};

#ifdef BROOD_DASH
/* Returns the path of this program, for the crawls that it starts. */
static char *own_path(void)
{
    char path[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);

    return n > 0 ? str_dup((struct str){path, (size_t)n}) : NULL;
}

static enum status dirs_check(const struct text_list *dirs, const char *option)
{
    struct stat info;

    for (size_t i = 0; i < dirs->count; i++) {
        if (stat(dirs->items[i], &info) == 0 && !S_ISDIR(info.st_mode))
            return status_fail(ST_MISSING, "%s%s is not a directory", option, dirs->items[i]);
        if (access(dirs->items[i], R_OK | X_OK) != 0)
            return status_fail(ST_MISSING, "%s%s: %s", option, dirs->items[i], strerror(errno));
    }
    return ST_OK;
}

/* A dashboard over the nodes of a crawl shows only that crawl. */
static enum status bus_check(const struct invocation *in, const struct serve_options *o)
{
    if (o->bus.nats == NULL && o->bus.crawl)
        return status_fail(ST_USAGE, "--crawl needs --nats: where are its nodes?");
    if (o->bus.nats && o->bus.crawl == NULL)
        return status_fail(ST_USAGE, "which crawl? --nats URL --crawl NAME");
    if (o->bus.nats && in->args.count > 0)
        return status_fail(ST_USAGE, "with --nats, serve takes no directory");
    return ST_OK;
}

/* --root need not exist: it is made. */
static enum status root_make(const char *root)
{
    if (mkdir(root, 0700) == 0)
        report_say("brood: made %s\n", root);
    else if (errno != EEXIST)
        return status_fail(ST_USAGE, "--root %s: %s", root, strerror(errno));
    if (access(root, R_OK | X_OK) != 0)
        return status_fail(ST_USAGE, "--root %s: %s", root, strerror(errno));
    if (access(root, W_OK) != 0)
        report_say("brood: %s cannot be written to: no crawl can be started from the page\n", root);
    return ST_OK;
}

/* A crawl that is shown has three files open, or five while its texts are indexed; of
 * connections there are few beside that. */
static void allow_files(void)
{
    rlim_t wanted = 5 * LIMIT_DASH_CRAWLS + LIMIT_DASH_CONNECTIONS + 100;
    struct rlimit l;

    if (getrlimit(RLIMIT_NOFILE, &l) != 0 || l.rlim_cur >= wanted)
        return;
    l.rlim_cur = l.rlim_max < wanted ? l.rlim_max : wanted;
    (void)setrlimit(RLIMIT_NOFILE, &l);
}

static void wait_for_the_end(struct dash *d)
{
    size_t running;

    while (!interrupted()) {
        notify_alive(clock_now(), 0);
        clock_sleep(100 * US_PER_MS);
    }
    notify_stopping();
    running = dash_children(d);
    if (running)
        report_say("brood: %zu crawl%s started from here go%s on\n", running,
                   running == 1 ? "" : "s", running == 1 ? "es" : "");
}

static int serve(struct invocation *in, const struct serve_options *o)
{
    char *program = own_path();
    struct dash_config config = {.bind = o->bind,
                                 .port = (int)o->port,
                                 .dirs = in->args,
                                 .labs = o->lab,
                                 .root = o->root,
                                 .program = program,
                                 .check = start_check,
                                 .nats = o->bus.nats,
                                 .creds = o->bus.creds,
                                 .crawl = o->bus.crawl,
                                 .page = o->page};
    struct dash *d = NULL;
    enum status st;

    st = bus_check(in, o);
    if (st == ST_OK)
        st = dirs_check(&in->args, "");
    if (st == ST_OK)
        st = dirs_check(&o->lab, "--lab ");
    if (st == ST_OK && o->bus.nats)
        config.root = NULL;
    else if (st == ST_OK)
        st = root_make(o->root);
    allow_files();
    if (st == ST_OK)
        st = dash_new(&config, &d);
    if (st == ST_OK) {
        interrupt_catch();
        printf("%s\n", dash_url(d));
        (void)fflush(stdout);
        if (isatty(STDERR_FILENO))
            report_say("brood: open this address in a browser; Ctrl-C ends the dashboard\n");
        wait_for_the_end(d);
    }
    dash_free(d);
    free(program);
    return st == ST_OK ? EXIT_DONE : report_failure(st);
}

/* ---- --check: does a dashboard answer? -----------------------------------
 *
 * For the health checks of containers, which have no other program to ask. */

#define PATIENCE_S 20

/* Returns the address to ask; a server that listens on all addresses also listens on loopback. */
static const char *address_of(const char *bind)
{
    if (strcmp(bind, "0.0.0.0") == 0)
        return "127.0.0.1";
    return strcmp(bind, "::") == 0 ? "::1" : bind;
}

static int connected(const struct addrinfo *at)
{
    struct timeval patience = {.tv_sec = PATIENCE_S};
    int fd = socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) == 0 &&
        setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience) == 0 &&
        connect(fd, at->ai_addr, at->ai_addrlen) == 0)
        return fd;
    if (fd >= 0)
        (void)close(fd);
    return -1;
}

/* Does the server answer? The beginning of its answer is enough. */
static bool answers(int fd, const char *host, const char *port)
{
    char text[200];
    struct str answer = {text, 0};
    bool is_v6 = strchr(host, ':') != NULL;
    int n = snprintf(text, sizeof text,
                     "GET / HTTP/1.1\r\nHost: %s%s%s:%s\r\nConnection: close\r\n\r\n",
                     is_v6 ? "[" : "", host, is_v6 ? "]" : "", port);
    ssize_t got;

    if (n < 0 || n >= (int)sizeof text || send(fd, text, (size_t)n, MSG_NOSIGNAL) != n)
        return false;
    got = recv(fd, text, strlen("HTTP/1.1 200"), MSG_WAITALL);
    answer.len = got > 0 ? (size_t)got : 0;
    return str_eq(answer, STR("HTTP/1.1 200"));
}

/* Asks the server at this address and port of this machine for its page. */
static enum status serve_check(const char *bind, int port)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST}, *at = NULL;
    const char *host = address_of(bind);
    char number[16];
    bool well;
    int fd;

    (void)snprintf(number, sizeof number, "%d", port);
    if (getaddrinfo(host, number, &hints, &at) != 0)
        return status_fail(ST_USAGE, "--bind %s is not an address", bind);
    errno = 0;
    fd = connected(at);
    freeaddrinfo(at);
    if (fd < 0)
        return status_fail(ST_IO, "no dashboard answers at %s, port %d: %s", host, port,
                           strerror(errno));
    well = answers(fd, host, number);
    (void)close(fd);
    return well ? ST_OK
                : status_fail(ST_IO, "the dashboard at %s, port %d does not answer as it should",
                              host, port);
}

static int serve_command(struct invocation *in)
{
    const struct serve_options *o = in->options;
    enum status st;

    if (!o->check)
        return serve(in, o);
    st = serve_check(o->bind, o->port < 0 ? DASH_PORT : (int)o->port);
    return st == ST_OK ? EXIT_DONE : report_failure(st);
}
#else
static int serve_command(struct invocation *in)
{
    (void)in;
    return report_failure(status_fail(
        ST_USAGE, "this brood was built without its dashboard: libmicrohttpd was missing"));
}
#endif

const struct command command_serve = {
    .name = "serve",
    TAKES("[DIR...]", 0, SIZE_MAX),
    .summary = "show finished and running crawls in a browser (the dashboard)",
    .details =
        "Shows crawls in a browser: each DIR is a crawl, or a directory of crawls; those below "
        "--root are shown too, and crawls can be started there from the page. Open the URL it "
        "prints: behind the '#' is a token without which nothing can be changed. It listens on "
        "this machine only unless --bind says otherwise. Crawls that were started from the page "
        "go on when it ends (Ctrl-C).\n\n"
        "With --nats and --crawl it shows a crawl on several machines while it runs, with all of "
        "its nodes together.",
    .example = "brood serve solar reefs\n  brood serve --root ~/crawls\n"
               "  brood serve --nats nats://10.0.0.1:4222 --crawl solar",
    OPTIONS(serve_option_table, struct serve_options),
    .run = serve_command,
};
