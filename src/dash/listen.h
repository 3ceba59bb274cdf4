/* listen.h - opens a listening socket. */
#pragma once

#include "base/status.h"

/* `bind_to` is an address; port 0 takes a free one. ST_USAGE if it is not an address; ST_BUSY if
 * the port is taken. */
enum status listen_open(const char *bind_to, int port, int *ret_fd, int *ret_port) MUST_USE;
