/* notify.c - reports our state to the service manager. See notify.h.
 * SPDX-License-Identifier: MIT */
#include "cli/notify.h"

#include "base/str.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static struct {
    int fd; /* connected; 0: there is no service manager */
    bool ready;
    int64_t every; /* us between two signs of life; 0: none are wanted */
    int64_t next_at;
} manager;

static void say(const char *lines)
{
    if (manager.fd > 0)
        (void)!send(manager.fd, lines, strlen(lines), MSG_NOSIGNAL | MSG_DONTWAIT);
}

void notify_open(void)
{
    const char *path = getenv("NOTIFY_SOCKET");
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    size_t len = path ? strlen(path) : 0;
    uint64_t every;
    int fd;

    if (len < 2 || len >= sizeof to.sun_path || (path[0] != '/' && path[0] != '@'))
        return;
    memcpy(to.sun_path, path, len);
    if (path[0] == '@') /* a name without a file */
        to.sun_path[0] = '\0';
    fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && connect(fd, (struct sockaddr *)&to,
                           (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len)) == 0)
        manager.fd = fd;
    else if (fd >= 0)
        (void)close(fd);
    if (str_to_u64(str_of(getenv("WATCHDOG_USEC")), &every) && every < INT64_MAX)
        manager.every = (int64_t)every / 3;
}

void notify_alive(int64_t now, uint64_t pages)
{
    char lines[100];

    if (!manager.ready)
        say("READY=1");
    manager.ready = true;
    if (manager.fd == 0 || manager.every == 0 || now < manager.next_at)
        return;
    manager.next_at = now + manager.every;
    (void)snprintf(lines, sizeof lines, "WATCHDOG=1\nSTATUS=%llu pages", (unsigned long long)pages);
    say(pages ? lines : "WATCHDOG=1");
}

void notify_stopping(void)
{
    say("STOPPING=1");
}
