/* several.h - a reading command over several directories.
 *
 * `brood top A B C` answers as `brood merge A B C -o D; brood top D` would: a merged crawl is made
 * among the temporary files ($TMPDIR, /tmp), asked and removed. That takes as long as a merge
 * without its archive. Users who ask often should merge once.
 *
 * For all nodes of a running crawl it is `brood top --nats URL --crawl NAME`: the question goes to
 * all nodes at once, each answers for its directory (answer.h), and the answers are combined
 * (gathered.h). If some nodes do not answer in time, a note says how many did.
 */
#pragma once

#include "base/os/secret.h"
#include "cli/command.h"

/* The first member of the options of commands with .several. */
struct bus_options {
    char *nats, *creds, *crawl;
};

#define BUS_OPTIONS                                                              \
    {TEXT_OPTION("nats", bus.nats, "URL[,URL...]"), .group = "instead of DIR",   \
     .help = "ask the nodes of a crawl on several machines, at these servers",   \
     .secret = SECRET_URL},                                                      \
        {TEXT_OPTION("creds", bus.creds, "FILE"),                                \
         .help = "a file of credentials for them, as made by NATS's own tools"}, \
    {                                                                            \
        TEXT_OPTION("crawl", bus.crawl, "NAME"),                                 \
            .help = "the name that the crawl was started with (--name)"          \
    }

/* Runs a command over one directory or, if command.several allows it, over all that are given. */
int several_run(struct invocation *in);
