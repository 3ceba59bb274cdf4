/* ask.c - sends commands to a running crawl. See ask.h. SPDX-License-Identifier: MIT */
#include "crawl/ask.h"

#include "base/os/clock.h"
#include "base/limits.h"
#include "store/read/query.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define PATIENCE (5 * US_PER_S)

/* The name of a socket has at most 107 bytes, but that of a directory may be longer, so the socket
 * is reached over the directory's descriptor. */
static enum status connect_to(const char *dir, int *ret)
{
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    int at = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC), fd;
    struct stat info;
    int error;

    if (at < 0)
        return status_fail(ST_MISSING, "%s: %s", dir, strerror(errno));
    /* A link could lead to anybody's socket. */
    if (fstatat(at, "control", &info, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISSOCK(info.st_mode)) {
        (void)close(at);
        return status_fail(ST_MISSING, "this crawl is not running");
    }
    (void)snprintf(to.sun_path, sizeof to.sun_path, "/proc/self/fd/%d/control", at);
    fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd >= 0 && connect(fd, (struct sockaddr *)&to, sizeof to) == 0) {
        (void)close(at);
        *ret = fd;
        return ST_OK;
    }
    error = errno;
    (void)close(at);
    if (fd >= 0)
        (void)close(fd);
    return error == EAGAIN ? status_fail(ST_BUSY, "the crawl is busy")
                           : status_fail(ST_MISSING, "this crawl is not running");
}

static bool wait_for(int fd, short what, int64_t until)
{
    struct pollfd p = {.fd = fd, .events = what};
    int64_t left = (until - clock_now()) / US_PER_MS;

    return poll(&p, 1, left > 0 ? (int)left : 0) > 0;
}

static bool send_all(int fd, struct str text, int64_t until)
{
    while (text.len > 0) {
        ssize_t n = send(fd, text.ptr, text.len, MSG_NOSIGNAL);

        if (n > 0)
            text = str_sub(text, (size_t)n, text.len);
        else if (n < 0 && errno != EAGAIN && errno != EINTR)
            return false;
        else if (!wait_for(fd, POLLOUT, until))
            return false;
    }
    return true;
}

static bool read_line(int fd, struct buf *out, int64_t until)
{
    while (str_find_char(buf_str(out), '\n', 0) == SIZE_MAX) {
        char *room = buf_room(out, 4096);
        ssize_t n = room ? recv(fd, room, 4096, 0) : 0;

        if (n > 0)
            out->len += (size_t)n;
        else if (n == 0 || (errno != EAGAIN && errno != EINTR))
            return false;
        else if (!wait_for(fd, POLLIN, until))
            return false;
    }
    return true;
}

enum status control_ask(const char *dir, struct str line, int64_t timeout, json_t **ret)
{
    struct buf answer = BUF_INIT(LIMIT_CONTROL_LINE);
    int64_t until = clock_now() + timeout;
    json_t *json = NULL;
    int fd = -1;
    enum status st = connect_to(dir, &fd);

    if (st != ST_OK)
        return st;
    if (!send_all(fd, line, until) || !send_all(fd, STR("\n"), until) ||
        !read_line(fd, &answer, until))
        st = status_fail(ST_BUSY, "the crawl does not answer");
    (void)close(fd);
    if (st == ST_OK) {
        json = json_loadb(answer.data, answer.len, JSON_DISABLE_EOF_CHECK, NULL);
        if (json == NULL)
            st = status_fail(ST_INTERNAL, "the crawl's answer is not JSON");
        else if (json_object_get(json, "error"))
            st = status_fail(ST_REFUSED, "%s",
                             json_string_value(json_object_get(json, "error"))
                                 ? json_string_value(json_object_get(json, "error"))
                                 : "refused");
    }
    buf_free(&answer);
    if (st == ST_OK && ret)
        *ret = json;
    else
        json_decref(json);
    return st;
}

/* Writes the mark itself. A process that no longer listens may need a moment to end. */
static enum status mark_stored(const char *dir, struct str url, int relevant)
{
    int64_t until = clock_now() + PATIENCE;
    enum status st;

    while ((st = query_mark(dir, url, relevant)) == ST_BUSY && clock_now() < until)
        clock_sleep(20 * US_PER_MS);
    return st;
}

enum status control_mark(const char *dir, const char *url, int relevant, bool *ret_taught)
{
    json_t *answer = NULL, *command;
    enum status st;
    char *line;

    command = json_pack("{s:s, s:s, s:o}", "do", "mark", "url", url, "relevant",
                        relevant < 0 ? json_null() : json_boolean(relevant));
    line = command ? json_dumps(command, JSON_COMPACT) : NULL;
    json_decref(command);
    if (line == NULL)
        return status_fail(ST_INVALID, "the URL is no text in UTF-8");
    st = control_ask(dir, str_of(line), PATIENCE, &answer);
    free(line);
    *ret_taught = json_is_true(json_object_get(answer, "taught"));
    json_decref(answer);
    return st == ST_MISSING ? mark_stored(dir, str_of(url), relevant) : st;
}
