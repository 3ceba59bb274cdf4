/* cmd_world_make.c - brood world make: a generated web.
 * SPDX-License-Identifier: MIT */
#include "cli/commands/commands.h"

#include "cli/interrupt.h"
#include "cli/progress.h"
#include "crawl/identity.h"
#include "sim/make/make.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool on_progress(void *ctx, uint32_t done, uint32_t total)
{
    progress_count(ctx, "making pages", done, total);
    return !interrupted();
}

/* Clustering has bounds that follow from the other wishes: said, not hidden. */
static void say_clustering(const struct make_config *c, double found)
{
    double wanted = c->graph.clustering;

    if (fabs(found - wanted) > 0.1 * wanted)
        report_say("brood: the clustering is %.3f: %s %g needs %s\n", found,
                   found > wanted ? "as little as" : "as much as", wanted,
                   found > wanted ? "more hosts or a smaller --host-locality"
                                  : "a larger --in-exponent or more links a page");
}

/* Options that mean nothing to a kind are a mistake. */
static enum status check_given(const struct text_list *given, int kind)
{
    for (size_t i = 0; i < given->count; i++) {
        const struct option *o = option_find(make_option_table, str_of(given->items[i]));

        if (o && !make_uses(kind, o))
            return status_fail(ST_USAGE, "--%s has no meaning for --kind %s%s", o->name,
                               kind == MAKE_NEWS ? "news" : "topical",
                               strcmp(o->name, "pages") == 0
                                   ? ": --hosts, --days, --backlog and --articles make its size"
                                   : "");
    }
    return ST_OK;
}

static int say_made(const struct make_config *c, const struct make_result *r, const char *dir)
{
    struct buf out = BUF_INIT(16 << 10);

    report_count(&out, c->kind == MAKE_NEWS ? r->articles : c->graph.pages,
                 c->kind == MAKE_NEWS ? "article" : "page");
    buf_add_z(&out, " on ");
    report_count(&out, c->graph.hosts, "host");
    if (c->kind == MAKE_NEWS) {
        buf_addf(&out, " in %g days, ", c->news.days);
        report_count(&out, r->versions, "version");
        buf_addf(&out, " of all pages, in %s ('brood world info %s' measures it)\n", dir, dir);
    } else {
        buf_add_z(&out, ", ");
        report_count(&out, c->graph.topics, "topic");
        buf_addf(&out, ", in %s ('brood world info %s' lists topics and seeds)\n", dir, dir);
    }
    return report_out(&out);
}

static int make_command(struct invocation *in)
{
    struct make_config *c = in->options, defaults;
    const char *dir = in->args.items[0];
    struct progress progress;
    struct make_result result = {.clustering = 0};
    enum status st = check_given(&in->given, c->kind);

    if (st != ST_OK)
        return report_failure(st);
    make_config_init(&defaults);
    c->date = defaults.date;
    c->software = BROOD_SOFTWARE;
    c->result = &result;
    progress_init(&progress, !isatty(STDERR_FILENO));
    interrupt_catch();
    st = world_make(dir, c, on_progress, &progress);
    progress_clear(&progress);
    if (st != ST_OK)
        return report_failure(st);
    if (c->kind != MAKE_NEWS)
        say_clustering(c, result.clustering);
    return say_made(c, &result, dir);
}

const struct command command_world_make = {
    .name = "world make",
    .args = "DIR",
    .summary = "make a web: topics, hosts, readable pages, links as on the real one",
    .details = "The same numbers make the same world, byte for byte. A world is a directory in the "
               "crawl format: it can be served, crawled, searched and exported.",
    .example = "brood world make W --pages 20000 --hosts 200 --rng 1\n"
               "  brood world make N --kind news --hosts 200 --days 18",
    .options = make_option_table,
    .options_size = sizeof(struct make_config),
    .min_args = 1,
    .max_args = 1,
    .run = make_command,
};
