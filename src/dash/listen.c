/* listen.c - see listen.h. SPDX-License-Identifier: MIT */
#include "dash/listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define BACKLOG 256

union address_any {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
};

static enum status address_parse(const char *bind_to, union address_any *ret, socklen_t *ret_len)
{
    *ret = (union address_any){0};
    if (inet_pton(AF_INET, bind_to, &ret->v4.sin_addr) == 1) {
        ret->any.sa_family = AF_INET;
        *ret_len = sizeof ret->v4;
    } else if (inet_pton(AF_INET6, bind_to, &ret->v6.sin6_addr) == 1) {
        ret->any.sa_family = AF_INET6;
        *ret_len = sizeof ret->v6;
    } else {
        return status_fail(
            ST_USAGE, "--bind %s: this is not an address (127.0.0.1, ::1, 0.0.0.0 …)", bind_to);
    }
    return ST_OK;
}

static enum status listen_at(union address_any *address, socklen_t len, int port, int *ret)
{
    int fd = socket(address->any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    int yes = 1;

    if (address->any.sa_family == AF_INET)
        address->v4.sin_port = htons((uint16_t)port);
    else
        address->v6.sin6_port = htons((uint16_t)port);
    if (fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0 &&
        bind(fd, &address->any, len) == 0 && listen(fd, BACKLOG) == 0) {
        *ret = fd;
        return ST_OK;
    }
    yes = errno;
    if (fd >= 0)
        (void)close(fd);
    return status_fail(yes == EADDRINUSE ? ST_BUSY : ST_IO, "port %d: %s", port, strerror(yes));
}

enum status listen_open(const char *bind_to, int port, int *ret_fd, int *ret_port)
{
    union address_any address;
    socklen_t len = 0;
    enum status st = address_parse(bind_to, &address, &len);

    if (st == ST_OK)
        st = listen_at(&address, len, port, ret_fd);
    if (st == ST_OK) {
        len = sizeof address;
        (void)getsockname(*ret_fd, &address.any, &len);
        *ret_port =
            ntohs(address.any.sa_family == AF_INET ? address.v4.sin_port : address.v6.sin6_port);
    }
    return st;
}
