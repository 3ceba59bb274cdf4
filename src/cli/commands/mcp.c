/* mcp.c - brood mcp: crawls for programs that talk to language models.
 * SPDX-License-Identifier: MIT */
#include "cli/commands/commands.h"

#include "cli/mcp/server.h"
#include "base/mem.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct mcp_options {
    int64_t pages;
    bool write;
};

#define AT(field) .offset = offsetof(struct mcp_options, field)

static const struct option mcp_option_table[] = {
    {FLAG_OPTION("write", write),
     .help = "also allow the model to start and stop crawls, to watch for news, and to mark pages"},
    {INT_OPTION("pages", pages, "N", "1000", 1, 1e6),
     .help = "with --write: the most pages that a crawl may have"},
    {.name = NULL},
};

/* The last part of the working directory. */
static char *own_name(void)
{
    LOCAL_HEAP char *here = getcwd(NULL, 0);
    const char *slash = here ? strrchr(here, '/') : NULL;

    return str_dup(str_of(slash && slash[1] ? slash + 1 : "crawl"));
}

static int mcp_command(struct invocation *in)
{
    const struct mcp_options *o = in->options;
    const char *dir = in->args.count ? in->args.items[0] : ".";
    struct mcp_config config = {.write = o->write, .pages = o->pages};
    char program[PATH_MAX] = "";
    char *name = NULL;
    struct stat info;
    enum status st;

    if (readlink("/proc/self/exe", program, sizeof program - 1) <= 0)
        return report_failure(status_fail(ST_IO, "/proc/self/exe: %s", strerror(errno)));
    if (chdir(dir) != 0)
        return report_failure(status_fail(ST_MISSING, "%s: %s", dir, strerror(errno)));
    if (lstat("crawl.db", &info) == 0)
        config.only = name = own_name();
    config.program = program;
    st = mcp_serve(&config);
    free(name);
    return st == ST_OK ? EXIT_DONE : report_failure(st);
}

const struct command command_mcp = {
    .name = "mcp",
    TAKES("[DIR]", 0, 1),
    .summary = "let a language model search, read and start crawls (MCP)",
    .details =
        "Speaks the Model Context Protocol over standard input and output: a program that uses a "
        "language model starts it. The model can then search and read crawls, and with --write "
        "start them. DIR is a crawl, or a directory of crawls. Texts of pages are marked as data "
        "of strangers, with at most 64 KB for each call. Options of new crawls come from the "
        "environment (BROOD_CONTACT, BROOD_MODEL, BROOD_CONFIG ...). docs/mcp.md shows a "
        "configuration.",
    .example = "brood mcp ~/crawls --write",
    OPTIONS(mcp_option_table, struct mcp_options),
    .run = mcp_command,
};
