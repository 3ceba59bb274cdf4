/* client.h - somebody who looks at the dashboard, and then ends it.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

/* Waits until the process says in "DIR.out" where it listens, asks for the crawl in every
 * way there is, and sends SIGTERM. False: an answer began and did not end in time. */
bool client_look(const char *dir, pid_t pid);
