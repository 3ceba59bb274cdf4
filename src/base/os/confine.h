/* confine.h - a process gives up access to everything that it does not need.
 *
 * Landlock (Linux 5.13 and later, no library) leaves it only the paths that it names, and the
 * system files that libraries read: encodings, certificates, host names, time zones. seccomp
 * (libseccomp, where brood was built with it) takes away the system calls that it never makes:
 * to run a program, to look into another process, to mount, to load kernel modules. The first of
 * the two also sets no_new_privs. None of this can be undone, not even by an attacker who takes
 * over the process.
 *
 *     confine_init(&c, CONFINE_CONNECT);
 *     confine_write(&c, dir);
 *     confine_files(&c);   before threads start: Landlock binds only later ones
 *     ...                  what needs a socket of its own, or the like
 *     confine_calls(&c);   seccomp binds every thread
 *     puts(confine_said(&c));
 *     confine_clear(&c);
 *
 * If the kernel lacks one of the two, the process goes on with the other; confine_said() says
 * which are in force. docs/adr/0014 says what is promised.
 *
 * Limit: a single file that is named (/etc/hosts, a CA file) means the file that is there now.
 * If another file replaces it, the new one cannot be read.
 */
#pragma once

#include <stdbool.h>

enum confine_net {
    CONFINE_NO_NET,  /* no sockets at all */
    CONFINE_CONNECT, /* outgoing only: no listening (Landlock 4), no Unix sockets */
    CONFINE_LISTEN,  /* also listening, and Unix sockets */
};

struct confine {
    enum confine_net net;
    int abi;           /* of the kernel's Landlock; 0: it has none */
    int rules;         /* descriptor of the rules; -1: none, or in force */
    bool runs;         /* it may run the programs that it names */
    char landlock[80]; /* its version, or why it is not in force */
    char seccomp[80];
};

void confine_init(struct confine *c, enum confine_net net);
void confine_clear(struct confine *c);

/* Allows a file, or a directory with everything below it. A path that does not exist is ignored. */
void confine_read(struct confine *c, const char *path);
void confine_write(struct confine *c, const char *path); /* to read, write, create and remove */
/* Allows running programs of the system (/usr, /lib), which inherit the restrictions. */
void confine_run(struct confine *c);
bool confine_may_run(const char *program); /* is it one of these programs? */

/* Restricts files and network (see confine_init()) for this thread and those that it starts
 * later. */
void confine_files(struct confine *c);
/* Restricts system calls, for all threads. */
void confine_calls(struct confine *c);

/* Writes what is in force: "landlock 7, seccomp"; "no landlock (Function not implemented),
 * seccomp". Returns `ret`, which has CONFINE_TEXT bytes. */
#define CONFINE_TEXT 200
const char *confine_said(const struct confine *c, char *ret);
