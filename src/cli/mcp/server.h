/* server.h - brood as a server of the Model Context Protocol, over standard input and output.
 *
 * The client starts us, sends a line of JSON for each message, and closes our input to end us.
 * Working directory: where the crawls are. Thread: one, which waits for messages and for the
 * commands that run (calls.h); it never opens a crawl itself.
 *
 * Text from the web is marked as data of strangers: it stands between two lines with a secret
 * number, after a sentence that says so.
 */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

struct mcp_config {
    const char *program; /* this binary */
    const char *only;    /* the working directory is this one crawl; NULL: it holds crawls */
    bool write;          /* crawls may be started, stopped and marked */
    int64_t pages;       /* of a crawl, at most */
};

/* Serves until standard input ends or a signal comes. */
enum status mcp_serve(const struct mcp_config *config) MUST_USE;
