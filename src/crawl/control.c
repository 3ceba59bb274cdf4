/* control.c - takes commands for a running crawl. See control.h.
 * SPDX-License-Identifier: MIT */
#include "crawl/control.h"

#include "agent/population.h"
#include "base/os/clock.h"
#include "base/limits.h"
#include "base/os/log.h"
#include "base/mem.h"
#include "crawl/crawl_int.h"
#include "crawl/judge/marks.h"
#include "crawl/tell/nature.h"
#include "crawl/start/seed.h"
#include "frontier/frontier.h"
#include "store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define POLL_EVERY  (50 * US_PER_MS)
#define CLIENT_LIFE (10 * US_PER_S) /* after which a client without a complete line is dropped */
#define SEEDS_MOST  1000            /* in one command */
#define BACKLOG     16

struct client {
    int fd; /* -1: free */
    int64_t since;
    struct buf line;
};

struct control {
    int fd, dir; /* the socket; the directory, to remove it from */
    int64_t poll_at;
    struct client clients[LIMIT_CONTROL_CLIENTS];
    struct crawl_options options; /* a copy, once limits were changed; its texts are lent */
};

/* ---- commands ------------------------------------------------------------ */

/* A command adds to an open object, or fails with a sentence. */
typedef enum status command_fn(struct crawl *c, const json_t *args, struct json *ret);

static enum status do_status(struct crawl *c, const json_t *args, struct json *ret)
{
    const struct crawl_options *o = c->options;

    (void)args;
    json_put_bool(ret, "paused", c->paused);
    json_put_z(ret, "trouble", c->trouble);
    json_put_int(ret, "pages", o->pages);
    json_put_int(ret, "for", o->duration);
    json_put_int(ret, "bytes", (int64_t)o->bytes);
    json_put_int(ret, "committed", (int64_t)store_committed(c->store));
    return ST_OK;
}

static enum status do_pause(struct crawl *c, const json_t *args, struct json *ret)
{
    (void)args, (void)ret;
    c->paused = true;
    return ST_OK;
}

static enum status do_continue(struct crawl *c, const json_t *args, struct json *ret)
{
    (void)args, (void)ret;
    c->paused = false;
    return ST_OK;
}

static enum status do_stop(struct crawl *c, const json_t *args, struct json *ret)
{
    (void)args, (void)ret;
    crawl_stop(c);
    return ST_OK;
}

static enum status read_limit(const json_t *args, const char *name, int64_t *to)
{
    const json_t *value = json_object_get(args, name);

    if (value == NULL)
        return ST_OK;
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        return status_fail(ST_USAGE, "%s: a limit is a whole number, 0 for none", name);
    *to = json_integer_value(value);
    return ST_OK;
}

static enum status do_limits(struct crawl *c, const json_t *args, struct json *ret)
{
    int64_t pages = c->options->pages, duration = c->options->duration;
    int64_t bytes = (int64_t)c->options->bytes;

    TRY(read_limit(args, "pages", &pages));
    TRY(read_limit(args, "for", &duration));
    TRY(read_limit(args, "bytes", &bytes));
    c->control->options = *c->options;
    c->control->options.pages = pages;
    c->control->options.duration = duration;
    c->control->options.bytes = (uint64_t)bytes;
    c->options = &c->control->options;
    options_post(c); /* `resume` uses them */
    json_put_int(ret, "pages", pages);
    return ST_OK;
}

static enum status do_seeds(struct crawl *c, const json_t *args, struct json *ret)
{
    const json_t *urls = json_object_get(args, "urls");
    struct text_list list = {0};
    size_t taken = 0;
    enum status st = ST_OK;

    if (!json_is_array(urls) || json_array_size(urls) == 0 || json_array_size(urls) > SEEDS_MOST)
        return status_fail(ST_USAGE, "urls: a list of 1 to %d places to start", SEEDS_MOST);
    for (size_t i = 0; i < json_array_size(urls) && st == ST_OK; i++) {
        const char *url = json_string_value(json_array_get(urls, i));

        if (url == NULL || strlen(url) > LIMIT_URL)
            st = status_fail(ST_USAGE, "urls: every one is a text of at most %d bytes", LIMIT_URL);
        else
            st = seed_read(str_of(url), &list);
    }
    if (st == ST_OK)
        st = crawl_more_seeds(c, &list, &taken);
    text_list_free(&list);
    json_put_int(ret, "taken", (int64_t)taken);
    return st;
}

static enum status do_mark(struct crawl *c, const json_t *args, struct json *ret)
{
    const char *url = json_string_value(json_object_get(args, "url"));
    const json_t *relevant = json_object_get(args, "relevant");
    int mark;

    if (url == NULL || *url == '\0' || strlen(url) > LIMIT_URL)
        return status_fail(ST_USAGE, "url: which page is it?");
    if (relevant == NULL || !(json_is_boolean(relevant) || json_is_null(relevant)))
        return status_fail(ST_USAGE, "relevant: true, false or null");
    c->checkpoint_at = c->now; /* so that the change is visible at once */
    mark = json_is_null(relevant) ? -1 : json_is_true(relevant);
    TRY(store_mark(c->store, str_of(url), mark));
    json_put_bool(ret, "taught", marks_teach(c, str_of(url), mark));
    return ST_OK;
}

static enum status do_agent(struct crawl *c, const json_t *args, struct json *ret)
{
    const json_t *id = json_object_get(args, "id");
    json_int_t agent = json_integer_value(id);

    if (!json_is_integer(id) || agent < 1 || agent > UINT32_MAX ||
        !agent_is_alive(c->population, (uint32_t)agent))
        return status_fail(ST_USAGE, "id: no agent of this number is alive");
    json_open_object(ret, "told");
    nature_put(c, (uint32_t)agent, ret);
    json_close(ret);
    return ret->out->full ? status_fail(ST_USAGE, "the answer is too large") : ST_OK;
}

static const struct {
    const char *name;
    command_fn *fn;
    bool asks; /* it only reads, and is not logged */
} commands[] = {
    {"status", do_status, true}, {"agent", do_agent, true},        {"pause", do_pause, false},
    {"stop", do_stop, false},    {"continue", do_continue, false}, {"limits", do_limits, false},
    {"seeds", do_seeds, false},  {"mark", do_mark, false},
};

static enum status run_command(struct crawl *c, struct str line, struct json *ret)
{
    json_auto_t *args =
        json_loadb(line.len ? line.ptr : "", line.len, JSON_REJECT_DUPLICATES, NULL);
    const char *name = json_string_value(json_object_get(args, "do"));
    enum status st = ST_MISSING;

    for (size_t i = 0; name && st == ST_MISSING && i < ARRAY_LEN(commands); i++)
        if (strcmp(commands[i].name, name) == 0) {
            st = commands[i].fn(c, args, ret);
            if (st == ST_OK && !commands[i].asks)
                log_line(c->log, LOG_INFO, c->now, "command: %s", name);
        }
    if (st == ST_MISSING)
        st = status_fail(ST_USAGE, args ? "there is no such command" : "this is not JSON");
    return st;
}

void control_answer(struct crawl *c, struct str line, struct buf *out)
{
    struct json j;
    enum status st;

    json_begin(&j, out);
    json_put_bool(&j, "ok", true);
    st = run_command(c, line, &j);
    json_close(&j);
    if (st != ST_OK) {
        buf_clear(out);
        json_init(&j, out);
        json_open_object(&j, NULL);
        json_put_z(&j, "error", status_text());
        json_close(&j);
    }
    buf_add_char(out, '\n');
}

static void answer(struct crawl *c, int fd, struct str line)
{
    LOCAL_BUF out = BUF_INIT(CONTROL_ANSWER_MAX);

    control_answer(c, line, &out);
    (void)!send(fd, out.data, out.len, MSG_NOSIGNAL | MSG_DONTWAIT); /* it fits, or they left */
}

/* ---- clients ------------------------------------------------------------- */

static void client_drop(struct client *k)
{
    (void)close(k->fd);
    k->fd = -1;
    buf_free(&k->line);
}

/* Returns false if the client is finished or gone. */
static bool client_read(struct crawl *c, struct client *k)
{
    for (;;) {
        char *room = buf_room(&k->line, 4096);
        ssize_t n = room ? recv(k->fd, room, 4096, MSG_DONTWAIT) : 0;
        size_t end;

        if (n <= 0)
            return n < 0 && (errno == EAGAIN || errno == EINTR);
        k->line.len += (size_t)n;
        while ((end = str_find_char(buf_str(&k->line), '\n', 0)) != SIZE_MAX) {
            answer(c, k->fd, str_sub(buf_str(&k->line), 0, end));
            memmove(k->line.data, k->line.data + end + 1, k->line.len - end - 1);
            k->line.len -= end + 1;
            k->since = c->now;
        }
    }
}

static void clients_accept(struct crawl *c)
{
    for (size_t i = 0; i < LIMIT_CONTROL_CLIENTS; i++) {
        struct client *k = &c->control->clients[i];

        if (k->fd >= 0)
            continue;
        k->fd = accept4(c->control->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (k->fd < 0)
            return;
        k->since = c->now;
        k->line = BUF_INIT(LIMIT_CONTROL_LINE);
    }
}

void control_poll(struct crawl *c)
{
    if (c->control == NULL || c->now < c->control->poll_at)
        return;
    c->control->poll_at = c->now + POLL_EVERY;
    clients_accept(c);
    for (size_t i = 0; i < LIMIT_CONTROL_CLIENTS; i++) {
        struct client *k = &c->control->clients[i];

        if (k->fd >= 0 && (!client_read(c, k) || c->now - k->since > CLIENT_LIFE))
            client_drop(k);
    }
}

/* ---- the socket ---------------------------------------------------------- */

/* The name of a socket must be short, but that of a directory may be long: uses the directory's
 * descriptor. */
static int socket_open(int dir)
{
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    bool bound;
    mode_t before;

    if (fd < 0)
        return -1;
    (void)snprintf(at.sun_path, sizeof at.sun_path, "/proc/self/fd/%d/control", dir);
    (void)unlinkat(dir, "control", 0); /* left by a killed process: we have the directory's lock */
    before = umask(0177);
    bound = bind(fd, (struct sockaddr *)&at, sizeof at) == 0;
    (void)umask(before);
    if (bound && listen(fd, BACKLOG) == 0)
        return fd;
    (void)close(fd);
    return -1;
}

void control_open(struct crawl *c)
{
    struct control *k;

    if (c->store == NULL || c->control)
        return;
    k = MEM_NEW(struct control);
    k->dir = open(c->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    k->fd = k->dir >= 0 ? socket_open(k->dir) : -1;
    for (size_t i = 0; i < LIMIT_CONTROL_CLIENTS; i++)
        k->clients[i].fd = -1;
    if (k->fd < 0) {
        log_line(c->log, LOG_WARN, c->now, "no control socket: %s", strerror(errno));
        if (k->dir >= 0)
            (void)close(k->dir);
        free(k);
        return;
    }
    c->control = k;
}

void control_close(struct crawl *c)
{
    struct control *k = c->control;

    if (k == NULL || k->fd < 0)
        return;
    for (size_t i = 0; i < LIMIT_CONTROL_CLIENTS; i++)
        if (k->clients[i].fd >= 0)
            client_drop(&k->clients[i]);
    (void)unlinkat(k->dir, "control", 0);
    (void)close(k->fd);
    (void)close(k->dir);
    k->fd = -1; /* changed limits stay in it */
}
