/* calls.h - commands that run for a client. Each is a process of this program that confines itself
 * (cli/held.h), so that nothing it reads can affect later calls.
 *
 * The output of a command is kept up to a ceiling. The lines of a crawl are counted, to report
 * progress; its summary is kept, and so are the announcements of a watch. A crawl whose reader has
 * gone ends by itself, and loses nothing.
 */
#pragma once

#include "base/limits.h"
#include "base/option.h"
#include "cli/mcp/message.h"
#include "cli/mcp/tools.h"

#include <sys/types.h>

struct mcp_call {
    pid_t pid;
    int out, err;                /* pipes of its output; -1: closed */
    struct mcp_asker asker;      /* id NULL: it was answered, or its client no longer waits */
    const struct tool *tool;     /* NULL: it is about resources */
    char *uri;                   /* the resource to be read; NULL: a list of resources, or a tool */
    char *crawl;                 /* its name */
    size_t next;                 /* resources: number of the next crawl; 0: none */
    struct buf text, said;       /* standard output and error */
    struct buf line;             /* of a crawl: the current one */
    uint64_t beyond;             /* bytes that were cut off */
    uint64_t pages, told, total; /* of a watch: announcements, without a total */
    double best;                 /* relevance */
    int64_t until;               /* when it is answered (a crawl) or ended */
    bool too_long;               /* it was ended at that time */
    int code;                    /* how it ended */
};

struct calls {
    const char *program;
    struct mcp_call *items[LIMIT_MCP_CALLS];
    size_t count;
};

/* Starts `argv`, the words after the program's name. The call takes over asker, tool and texts
 * of *what, even if it fails with ST_LIMIT or ST_IO. */
enum status calls_start(struct calls *all, const struct text_list *argv,
                        struct mcp_call what) MUST_USE;
bool call_is_crawl(const struct mcp_call *c); /* or a watch */
/* Reads the output so far. Returns true if it has ended; `code` is its exit code. */
bool call_read(struct mcp_call *c);
/* Ends it: a crawl cleanly, in its own time. */
void call_stop(struct mcp_call *c);
void calls_remove(struct calls *all, size_t i);
/* Ends all of them, and waits for crawls to close. */
void calls_end(struct calls *all);
