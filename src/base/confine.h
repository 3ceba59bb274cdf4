/* confine.h - a process that can no longer touch what it has no business with.
 *
 * Landlock (Linux 5.13 and later, no library) leaves it the places that it names, beside what
 * libraries read of the system: encodings, certificates, names of hosts, time zones. seccomp
 * (libseccomp, where brood was built with it) takes away the system calls that it never makes:
 * to run a program, to look into another process, to mount, to load. With the first of them
 * come no_new_privs. None of this can be undone, and whoever gets hold of the process is held
 * by it too.
 *
 *     confine_init(&c, CONFINE_CONNECT);
 *     confine_write(&c, dir);
 *     confine_files(&c);   before threads are made: Landlock holds those made later
 *     ...                  what needs a socket of its own, or the like
 *     confine_calls(&c);   seccomp holds every thread
 *     puts(confine_said(&c));
 *     confine_clear(&c);
 *
 * A kernel that lacks one of the two is no reason to stop: what holds is said. docs/adr/0014
 * says what is promised.
 *
 * Limit: a file that is named alone (/etc/hosts, a CA file) is meant as it is now. Where
 * another takes its name, that one cannot be read.
 */
#ifndef BASE_CONFINE_H
#define BASE_CONFINE_H

enum confine_net {
    CONFINE_NO_NET,  /* no sockets at all */
    CONFINE_CONNECT, /* to others; nobody to us (Landlock 4), no new sockets in the file system */
    CONFINE_LISTEN,  /* both, and to sockets in the file system */
};

struct confine {
    enum confine_net net;
    int abi;           /* of the kernel's Landlock; 0: it has none */
    int rules;         /* descriptor of the rules; -1: none, or in force */
    char landlock[80]; /* what holds, or why it does not */
    char seccomp[80];
};

void confine_init(struct confine *c, enum confine_net net);
void confine_clear(struct confine *c);

/* A file, or a directory with all below it. What is not there is passed over. */
void confine_read(struct confine *c, const char *path);
void confine_write(struct confine *c, const char *path); /* also to read, make, remove */

/* This thread, and those it makes from here on: files, and the network as init() was told. */
void confine_files(struct confine *c);
/* All threads: system calls. */
void confine_calls(struct confine *c);

/* "landlock 7, seccomp"; "no landlock (Function not implemented), seccomp". Lent: `ret` has
 * CONFINE_TEXT bytes. */
#define CONFINE_TEXT 200
const char *confine_said(const struct confine *c, char *ret);

#endif
