/* cmd_export.c - brood export: a crawl in the forms others read.
 * SPDX-License-Identifier: MIT */
#include "cli/commands.h"

#include "store/export.h"

#include <errno.h>
#include <stdio.h>

struct export_options {
    char *as, *out;
};

#define AT(field) .offset = offsetof(struct export_options, field)

static const struct option export_option_table[] = {
    {.name = "as",
     .type = OPTION_TEXT,
     .metavar = "FORMAT",
     .fallback = "jsonl",
     .help = "jsonl, csv (pages), cdxj (index of the archive), graphml (pages and links), xml (the "
             "family tree of the agents, their paths, what they found)",
     AT(as)},
    {.name = "out",
     .letter = 'o',
     .type = OPTION_TEXT,
     .metavar = "FILE",
     .help = "write to this file instead of standard output",
     AT(out)},
    {.name = NULL},
};

static enum status export_to(struct query *q, const struct export_options *o)
{
    FILE *file = stdout;
    enum status st = export_check(str_of(o->as));

    if (st != ST_OK)
        return st; /* before a file is emptied for it */
    if (o->out)
        file = fopen(o->out, "we");
    if (file == NULL)
        return status_fail(ST_IO, "%s: %s", o->out, strerror(errno));
    st = export_run(q, str_of(o->as), file);
    if (o->out ? fclose(file) != 0 : fflush(file) != 0)
        st = st == ST_OK ? status_fail(ST_IO, "%s: %s", o->out ? o->out : "standard output",
                                       strerror(errno))
                         : st;
    return st;
}

static int export_command(struct invocation *in)
{
    struct query *q;
    enum status st = query_open(in->args.items[0], &q);

    if (st == ST_OK) {
        st = export_to(q, in->options);
        query_close(q);
    }
    return st == ST_OK ? EXIT_DONE : report_failure(st);
}

const struct command command_export = {
    .name = "export",
    .args = "DIR --as FORMAT",
    .summary = "a crawl as JSON lines, CSV, CDXJ, GraphML or XML",
    .example = "brood export solar --as cdxj -o solar.cdxj",
    .options = export_option_table,
    .options_size = sizeof(struct export_options),
    .min_args = 1,
    .max_args = 1,
    .run = export_command,
};
