/* gather.h - a reading command over all nodes of a crawl that runs: --nats URL --crawl NAME.
 *
 * The question goes to all nodes at once, each answers for its directory (answer.h), and the
 * answers become one (gathered.h). If some nodes do not answer in time, a note says how many did.
 */
#pragma once

#include "base/os/secret.h"
#include "cli/command.h"

/* The first member of the options of commands with .several. */
struct bus_options {
    char *nats, *creds, *crawl;
};

#define BUS_OPTIONS(options)                                                    \
    {.name = "nats",                                                            \
     .type = OPTION_TEXT,                                                       \
     .metavar = "URL[,URL...]",                                                 \
     .group = "instead of DIR",                                                 \
     .help = "ask the nodes of a crawl on several machines, at these servers",  \
     .secret = SECRET_URL,                                                      \
     .offset = offsetof(options, bus.nats)},                                    \
        {.name = "creds",                                                       \
         .type = OPTION_TEXT,                                                   \
         .metavar = "FILE",                                                     \
         .help = "a file of credentials for them, as made by NATS's own tools", \
         .offset = offsetof(options, bus.creds)},                               \
    {                                                                           \
        .name = "crawl", .type = OPTION_TEXT, .metavar = "NAME",                \
        .help = "the name that the crawl was started with (--name)",            \
        .offset = offsetof(options, bus.crawl)                                  \
    }

bool gather_is_asked(const struct invocation *in);
int gather_run(struct invocation *in);
