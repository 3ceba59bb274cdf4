/* cmd_export.c - brood export: a crawl in the forms others read.
 * SPDX-License-Identifier: MIT */
#include "cli/commands/commands.h"

#include "cli/held.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "base/os/dir.h"
#include "store/export/export.h"

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
             "family tree of the agents, their paths, what they found), docpool (a directory of "
             "texts with tables of stems)",
     AT(as)},
    {.name = "out",
     .letter = 'o',
     .type = OPTION_TEXT,
     .metavar = "FILE",
     .help = "write to this file instead of standard output; docpool: to this directory, which is "
             "made (without it: DIR.docpool)",
     AT(out)},
    {.name = NULL},
};

static enum status export_to(struct query *q, const struct export_options *o)
{
    FILE *file = NULL;
    enum status st = export_check(str_of(o->as));

    if (st != ST_OK)
        return st; /* before a file is emptied for it */
    file = o->out ? fopen(o->out, "we") : report_stream();
    if (file == NULL)
        return status_fail(ST_IO, "%s: %s", o->out ? o->out : "standard output", strerror(errno));
    st = export_run(q, str_of(o->as), file);
    if (file != stdout ? fclose(file) != 0 : fflush(file) != 0)
        st = st == ST_OK ? status_fail(ST_IO, "%s: %s", o->out ? o->out : "standard output",
                                       strerror(errno))
                         : st;
    return st;
}

/* ---- docpool -------------------------------------------------------------- */

static void show_progress(void *ctx, uint64_t done, uint64_t total)
{
    progress_count(ctx, "exporting", done, total);
}

static enum status docpool_to(struct query *q, const char *dir)
{
    struct progress progress;
    struct export_watch watch = {
        .stop = interrupt_flag(), .progress = show_progress, .ctx = &progress};
    char *part;
    enum status st = part_begin(dir, &part);

    if (st != ST_OK)
        return st;
    progress_init(&progress, false);
    interrupt_catch();
    st = export_docpool(q, part, &watch);
    progress_clear(&progress);
    if (st == ST_STOPPED)
        st = status_fail(ST_STOPPED, "stopped: %s was not made", dir);
    return part_end(part, dir, st);
}

/* Where it goes without --out: beside the crawl. Free it. */
static char *docpool_beside(const char *crawl)
{
    struct str name = str_of(crawl);
    struct buf beside = BUF_INIT(1 << 16);

    while (name.len > 1 && name.ptr[name.len - 1] == '/')
        name.len--;
    buf_addf(&beside, "%.*s.docpool", STR_ARG(name));
    return buf_take(&beside, NULL);
}

static int export_command(struct invocation *in)
{
    struct export_options *o = in->options;
    bool is_directory = export_is_directory(str_of(o->as));
    struct query *q;
    enum status st;

    if (is_directory && o->out == NULL)
        o->out = docpool_beside(in->args.items[0]);
    held_reader(in->args.items[0], o->out);
    st = query_open(in->args.items[0], &q);
    if (st == ST_OK) {
        st = is_directory ? docpool_to(q, o->out) : export_to(q, o);
        query_close(q);
    }
    return st == ST_OK ? EXIT_DONE : report_failure(st);
}

const struct command command_export = {
    .name = "export",
    .args = "DIR --as FORMAT",
    .summary = "a crawl as JSON lines, CSV, CDXJ, GraphML, XML or a pool of texts",
    .example = "brood export solar --as cdxj -o solar.cdxj\n  brood export solar --as docpool",
    .options = export_option_table,
    .options_size = sizeof(struct export_options),
    .min_args = 1,
    .max_args = 1,
    .run = export_command,
};
