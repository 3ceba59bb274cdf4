/* spawn.h - starting a program as a process of its own.
 *
 * The process is in a group of its own, so Ctrl-C at a terminal does not reach it. No signal is
 * blocked or ignored in it, and it reads nothing: its standard input is /dev/null.
 * SPDX-License-Identifier: MIT */
#ifndef BROOD_BASE_OS_SPAWN_H
#define BROOD_BASE_OS_SPAWN_H

#include <sys/types.h>

/* `out` and `err` become its standard output and error; -1: /dev/null. Returns 0 or an errno. */
int spawn_program(const char *program, char *const *argv, int out, int err, pid_t *ret);

#endif
