/* nats.h - a real nats-server with JetStream, for tests of crawls on several machines. */
#pragma once

#include "flow.h"

/* Where the program is; NULL: nowhere. */
const char *bus_program(void);

/* On a free port, with files of its own. NULL: there is none on this machine, or brood was built
 * without NATS. */
struct job *bus_start(const char **ret_url);
void bus_stop(struct job *bus); /* NULL is fine */
