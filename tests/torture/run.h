/* run.h - one command of the program in a child of this process.
 *
 * The child is forked, not started anew: it costs some milliseconds, and every
 * address in it is the parent's.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define ARGS_MOST   32
#define RUN_SECONDS 600 /* then it hangs */

/* How the call that fails is chosen. */
struct fault {
    uint32_t scene;
    uint64_t key; /* of its site; 0: none, the sites are only noted */
    unsigned nth;
    int error;
};

struct ended {
    int code;   /* exit code, -1: by a signal */
    int signal; /* which; SIGALRM: it, or its client, hung */
};

/* What the parent does while it runs; false: it is not served. NULL: it waits. */
typedef bool run_client(const char *dir, pid_t pid);

/* Standard output and error go to "DIR.out" and "DIR.err". Without a fault nothing
 * is noted, and leaks are not looked for. */
struct ended run_brood(const char *dir, const char *const argv[], const struct fault *fault,
                       run_client *client);

/* The function in a child; what it returns, 0 to 255; -1: it did not end well. */
int run_apart(int (*f)(void *ctx), void *ctx);
