/* children.h - crawls that were started from the form: processes of our own.
 *
 * A child is the same binary, started without a shell, in a process group of its own; its error
 * messages are appended to DIR.log beside its directory, after a line with the time (what it
 * announces is in its database). It goes on when the dashboard ends.
 */
#pragma once

#include "base/limits.h"
#include "base/option.h"

#include <pthread.h>
#include <sys/types.h>

struct dash_crawl;

struct children {
    pthread_mutex_t lock;
    struct {
        pid_t pid;
        struct dash_crawl *crawl;
    } items[LIMIT_DASH_CHILDREN];
    size_t count;
};

void children_init(struct children *all);
void children_clear(struct children *all);
/* Starts argv[0] with these arguments for a crawl, with its output to a file. ST_LIMIT if too many
 * are running. */
enum status children_start(struct children *all, const struct text_list *argv, const char *log,
                           struct dash_crawl *crawl) MUST_USE;
/* Writes the last lines of the last run in DIR.log to an empty buffer; nothing if there is none. */
void children_said(const char *dir, struct buf *ret);
/* Releases the children that have ended. */
void children_reap(struct children *all);
