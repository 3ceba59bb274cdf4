/* calls.c - commands that run for a client. See calls.h. SPDX-License-Identifier: MIT */
#include "cli/mcp/calls.h"

#include "base/mem.h"
#include "base/os/clock.h"
#include "base/os/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define SAID_MAX  2000
#define LINE_MAX  MIB(1)
#define LIST_MAX  MIB(1)          /* pages as resources: a part would not be valid JSON */
#define LAST_WAIT (20 * US_PER_S) /* for crawls that close */

static void call_free(struct mcp_call *c)
{
    if (c->out >= 0)
        (void)close(c->out);
    if (c->err >= 0)
        (void)close(c->err);
    mcp_asker_clear(&c->asker);
    free(c->uri);
    free(c->crawl);
    buf_free(&c->text);
    buf_free(&c->said);
    buf_free(&c->line);
    free(c);
}

bool call_is_crawl(const struct mcp_call *c)
{
    return c->tool && tool_fetches(c->tool);
}

/* ---- the process --------------------------------------------------------- */

static enum status run(struct mcp_call *c, const char *program, const struct text_list *words)
{
    struct text_list argv = {0};
    int out[2] = {-1, -1}, err[2] = {-1, -1}, error;

    text_list_add(&argv, STR("brood")); /* as its sentences should name it */
    for (size_t i = 0; i < words->count; i++)
        text_list_add(&argv, str_of(words->items[i]));
    error = pipe2(out, O_CLOEXEC) == 0 && pipe2(err, O_CLOEXEC) == 0 ? 0 : errno;
    if (error == 0)
        error = spawn_program(program, argv.items, out[1], err[1], &c->pid);
    text_list_free(&argv);
    if (out[1] >= 0)
        (void)close(out[1]);
    if (err[1] >= 0)
        (void)close(err[1]);
    c->out = out[0];
    c->err = err[0];
    if (error)
        return status_fail(ST_IO, "%s: %s", program, strerror(error));
    (void)fcntl(c->out, F_SETFL, O_NONBLOCK);
    (void)fcntl(c->err, F_SETFL, O_NONBLOCK);
    return ST_OK;
}

/* Crawls run for long: they leave room for calls that ask about them, and stop them. */
static enum status check_room(const struct calls *all, const struct mcp_call *c)
{
    size_t crawls = 0;

    for (size_t i = 0; i < all->count; i++)
        crawls += call_is_crawl(all->items[i]);
    if (call_is_crawl(c) && crawls >= LIMIT_MCP_CALLS / 2)
        return status_fail(ST_LIMIT, "%zu crawls run already: 'stop' ends one", crawls);
    if (all->count == LIMIT_MCP_CALLS)
        return status_fail(ST_LIMIT, "%d calls run already: wait for one of them", LIMIT_MCP_CALLS);
    return ST_OK;
}

enum status calls_start(struct calls *all, const struct text_list *argv, struct mcp_call what)
{
    struct mcp_call *c = MEM_NEW(struct mcp_call);
    enum status st;

    *c = what;
    c->out = c->err = -1;
    c->text = BUF_INIT(c->tool || c->uri ? LIMIT_MCP_TEXT : LIST_MAX);
    c->said = BUF_INIT(SAID_MAX);
    c->line = BUF_INIT(LINE_MAX);
    st = check_room(all, c);
    if (st == ST_OK)
        st = run(c, all->program, argv);
    if (st == ST_OK)
        all->items[all->count++] = c;
    else
        call_free(c);
    return st;
}

void call_stop(struct mcp_call *c)
{
    (void)kill(c->pid, call_is_crawl(c) ? SIGTERM : SIGKILL);
}

/* ---- what it prints ------------------------------------------------------ */

/* Keeps as much output as there is room for. */
static void keep(struct mcp_call *c, struct buf *to, struct str text)
{
    size_t room = to->max - to->len, n = text.len < room ? text.len : room;

    buf_add_str(to, str_sub(text, 0, n));
    if (to == &c->text)
        c->beyond += text.len - n;
}

/* A page that was stored, or the summary at the end; of a watch, an announcement. */
static void take_line(struct mcp_call *c, struct str line)
{
    json_t *page;

    if (!str_starts(line, STR("{\"page\":"))) {
        keep(c, &c->text, line);
        keep(c, &c->text, STR("\n"));
        c->pages += tool_kind(c->tool) == TOOL_WATCH;
        return;
    }
    page = json_loadb(line.ptr, line.len, 0, NULL);
    c->pages++;
    if (json_number_value(json_object_get(page, "relevance")) > c->best)
        c->best = json_number_value(json_object_get(page, "relevance"));
    json_decref(page);
}

static void take_lines(struct mcp_call *c, struct str text)
{
    for (size_t end; (end = str_find_char(text, '\n', 0)) != SIZE_MAX;
         text = str_sub(text, end + 1, text.len)) {
        keep(c, &c->line, str_sub(text, 0, end));
        take_line(c, buf_str(&c->line));
        buf_clear(&c->line);
    }
    keep(c, &c->line, text);
}

/* Reads a pipe; returns false at its end. */
static bool drain(struct mcp_call *c, int *fd, struct buf *to)
{
    char bytes[16384];
    ssize_t n;

    while (*fd >= 0 && (n = read(*fd, bytes, sizeof bytes)) != 0) {
        struct str text = {bytes, n > 0 ? (size_t)n : 0};

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN)
            return true;
        if (n < 0)
            break;
        if (to == &c->text && call_is_crawl(c))
            take_lines(c, text);
        else
            keep(c, to, text);
    }
    if (*fd >= 0)
        (void)close(*fd);
    *fd = -1;
    return false;
}

bool call_read(struct mcp_call *c)
{
    bool out = drain(c, &c->out, &c->text), err = drain(c, &c->err, &c->said);
    int how;

    if (out || err)
        return false;
    while (waitpid(c->pid, &how, 0) < 0 && errno == EINTR)
        ;
    c->code = WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
    return true;
}

void calls_remove(struct calls *all, size_t i)
{
    call_free(all->items[i]);
    all->items[i] = all->items[--all->count];
}

void calls_end(struct calls *all)
{
    int64_t until = clock_now() + LAST_WAIT;

    for (size_t i = 0; i < all->count; i++)
        call_stop(all->items[i]);
    while (all->count > 0 && clock_now() < until) {
        for (size_t i = all->count; i-- > 0;)
            if (call_read(all->items[i]))
                calls_remove(all, i);
        if (all->count > 0)
            clock_sleep(10 * US_PER_MS);
    }
    while (all->count > 0)
        calls_remove(all, all->count - 1);
}
