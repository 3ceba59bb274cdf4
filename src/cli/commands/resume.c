/* cmd_resume.c - brood resume: goes on with a stopped or killed crawl, to its
 * old limits or to new ones. SPDX-License-Identifier: MIT */
#include "cli/commands/commands.h"

#include "cli/commands/again.h"
#include "cli/held.h"
#include "cli/commands/run_crawl.h"
#include "cli/commands/watch.h"

#include <stdio.h>

struct resume_options {
    int64_t pages;
    int64_t duration;
    uint64_t memory;
    bool json, quiet, no_confine, trust;
    struct again again;
};

#define AT(field) .offset = offsetof(struct resume_options, field)

static const struct option resume_option_table[] = {
    {.name = "pages",
     .type = OPTION_INT,
     .metavar = "N",
     .fallback = "-1",
     .min = -1,
     .max = 4e9,
     .help = "a new limit of pages, counted from the crawl's beginning (0: none; -1: the old one)",
     AT(pages)},
    {.name = "for",
     .type = OPTION_DURATION,
     .metavar = "TIME",
     .help = "stop after this time from now (otherwise the crawl's own --for, again)",
     AT(duration)},
    {.name = "memory",
     .type = OPTION_SIZE,
     .metavar = "SIZE",
     .help = "the most memory to use from now on (otherwise the crawl's own --memory)",
     AT(memory)},
    {.name = "json", .type = OPTION_FLAG, .help = "each stored page as a JSON line", AT(json)},
    {.name = "quiet", .type = OPTION_FLAG, .help = "no progress, only errors", AT(quiet)},
    {.name = "no-confine",
     .type = OPTION_FLAG,
     .help = "do not confine the process: it could touch other files and run programs",
     AT(no_confine)},
    AGAIN_ROWS(struct resume_options),
    {.name = "trust",
     .type = OPTION_FLAG,
     .help = "accept stored options that lower a guard, though somebody else chose them",
     AT(trust)},
    {.name = NULL},
};

static void say_found(const struct crawl *c)
{
    struct buf text = BUF_INIT(8192);

    crawl_found(c, &text);
    report_say("%.*s\n", STR_ARG(buf_str(&text)));
    buf_free(&text);
}

static int resume_command(struct invocation *in)
{
    const struct resume_options *r = in->options;
    const char *dir = in->args.items[0];
    struct confine confine;
    struct crawl_options o;
    struct crawl *c;
    enum status st;
    bool is_watch;
    int code;

    if (watch_find(dir, &is_watch) == ST_OK && is_watch)
        return report_failure(status_fail(
            ST_USAGE, "%s is a watch: 'brood watch --out %s' goes on with it", dir, dir));
    crawl_options_init_empty(&o);
    st = crawl_options_read(dir, r->trust, &o);
    if (st == ST_OK)
        st = again_fill(&o, &r->again);
    if (st == ST_OK) {
        if (r->pages >= 0)
            o.pages = r->pages;
        if (r->duration > 0)
            o.duration = r->duration;
        if (r->memory > 0)
            o.memory = r->memory;
        o.json = r->json;
        o.quiet = r->quiet;
        o.no_confine = r->no_confine;
        held_crawl(&o, crawl_option_table, &confine);
        st = crawl_resume(dir, &o, &c);
        if (st == ST_OK && !o.quiet)
            say_found(c);
    }
    code = st == ST_OK ? run_crawl(c, &o) : report_failure(st);
    crawl_options_free(&o);
    return code;
}

const struct command command_resume = {
    .name = "resume",
    .args = "DIR",
    .summary = "go on with a stopped or killed crawl, to the old or to new limits",
    .details =
        "Needs only the directory: topic, model, scope and network options are read from it. "
        "Secrets (a header such as Authorization, a proxy's password) are not stored there: give "
        "them again. "
        "Every host first waits its full delay.",
    .example = "brood resume solar\n  brood resume solar --pages 20000",
    .options = resume_option_table,
    .options_size = sizeof(struct resume_options),
    .min_args = 1,
    .max_args = 1,
    .run = resume_command,
};
