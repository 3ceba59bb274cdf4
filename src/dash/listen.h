/* listen.h - a listening socket. */
#pragma once

#include "base/status.h"

/* `bind_to`: an address. Port 0: one that is free. ST_USAGE: this is no address; ST_BUSY: the
 * port is taken. */
enum status listen_open(const char *bind_to, int port, int *ret_fd, int *ret_port) MUST_USE;
