/* export.c - brood export: a crawl in formats that other programs read.
 * SPDX-License-Identifier: MIT */
#include "cli/commands/commands.h"

#include "cli/held.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "base/mem.h"
#include "base/os/clock.h"
#include "base/os/dir.h"
#include "store/export/export.h"
#include "store/store.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

struct export_options {
    int as, use;
    char *out;
    int64_t every;
};

#define STEP      (100 * US_PER_MS) /* between two checks whether the crawl still runs */

#define AT(field) .offset = offsetof(struct export_options, field)

static const struct option export_option_table[] = {
    {CHOICE_OPTION("as", as, EXPORT_CHOICES, "jsonl"), .help = EXPORT_HELP},
    {TEXT_OPTION("out", out, "FILE"), .letter = 'o',
     .help = "write to this file instead of standard output; for bulk, docpool and md: to this new "
             "directory (default: DIR.bulk and so on)"},
    {CHOICE_OPTION("for", use, "anything|search|ai-input|ai-train", "anything"),
     .help = "leave out the pages whose owners reserved this use (docs/use.md)"},
    {DURATION_OPTION("every", every, "TIME", "0", 0, 86400),
     .help = "bulk, docpool and md: make the directory again after each such time while the crawl "
             "runs, and once more when it has ended"},
    {.name = NULL},
};

static void show_progress(void *ctx, uint64_t done, uint64_t total)
{
    progress_count(ctx, "exporting", done, total);
}

/* Does its writer read all pages with query_pages()? */
static bool is_of_pages(const struct export_format *f)
{
    static const char *const others[] = {"wacz", "cdxj", "graphml", "xml", "docpool"};

    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        if (strcmp(f->name, others[i]) == 0)
            return false;
    return true;
}

static bool is_binary(const struct export_format *f)
{
    return strcmp(f->name, "wacz") == 0 || strcmp(f->name, "parquet") == 0;
}

static enum status write_file(struct query *q, const struct export_format *f, const char *path)
{
    struct progress progress;
    struct export_to to = {.out = path ? fopen(path, "we") : report_stream(), .ctx = &progress};
    enum status st;

    if (to.out == NULL)
        return status_fail(ST_IO, "%s: %s", path ? path : "standard output", strerror(errno));
    progress_init(&progress,
                  path == NULL && isatty(STDOUT_FILENO) == 1); /* it would mix with the output */
    if (progress.terminal && !progress.off)
        to.progress = show_progress;
    st = f->write(q, &to);
    progress_clear(&progress);
    if ((to.out != stdout ? fclose(to.out) : fflush(to.out)) != 0 && st == ST_OK)
        st = status_fail(ST_IO, "the output cannot be written: %s", strerror(errno));
    return st;
}

/* ---- directories ---------------------------------------------------------- */

static enum status write_dir(struct query *q, const struct export_format *f, const char *dir,
                             bool anew)
{
    struct progress progress;
    struct export_to to = {.stop = interrupt_flag(), .progress = show_progress, .ctx = &progress};
    char *part;
    enum status st = (anew ? part_begin_anew : part_begin)(dir, &part);

    if (st != ST_OK)
        return st;
    to.dir = part;
    progress_init(&progress, false);
    interrupt_catch();
    st = f->write(q, &to);
    progress_clear(&progress);
    if (st == ST_STOPPED)
        st = status_fail(ST_STOPPED, "stopped: %s was not made", dir);
    st = (anew ? part_end_anew : part_end)(part, dir, st);
    if (st == ST_OK && !anew) /* names the file, because the user may not have given it */
        report_say("brood: written to %s\n", dir);
    return st;
}

static enum status write_once(const char *crawl, const struct export_options *o, bool anew)
{
    const struct export_format *f = &export_formats[o->as];
    LOCAL_QUERY *q = NULL;

    TRY(query_open(crawl, &q));
    if (o->use > 0)
        query_for(q, (enum use)(o->use - 1));
    TRY(f->kind == EXPORT_DIRECTORY ? write_dir(q, f, o->out, anew) : write_file(q, f, o->out));
    if (query_left_out(q) > 0) {
        report_say("brood: %llu page%s left out: their owners reserved this use\n",
                   (unsigned long long)query_left_out(q), query_left_out(q) == 1 ? " is" : "s are");
    }
    return ST_OK;
}

/* Asks whether the crawl runs before each export, so that the last export is made after its end. */
static enum status write_while_it_runs(const char *crawl, const struct export_options *o)
{
    bool anew = false, busy = true;
    enum status st = ST_OK;

    interrupt_catch();
    while (st == ST_OK && busy && !interrupted()) {
        busy = o->every > 0 && store_is_busy(crawl);
        st = write_once(crawl, o, anew);
        anew = true;
        for (int64_t left = o->every; left > 0 && st == ST_OK && busy && !interrupted();
             left -= STEP) {
            clock_sleep(left < STEP ? left : STEP);
            if (!store_is_busy(crawl))
                break;
        }
    }
    return st;
}

/* Returns the path without --out, beside the crawl, to be freed. */
static char *beside(const char *crawl, const char *format)
{
    struct str name = str_of(crawl);
    struct buf path = BUF_INIT(1 << 16);

    while (name.len > 1 && name.ptr[name.len - 1] == '/')
        name.len--;
    buf_addf(&path, "%.*s.%s", STR_ARG(name), format);
    return buf_take(&path, NULL);
}

static enum status check_options(const struct export_options *o, const struct export_format *f)
{
    if (o->every > 0 && f->kind != EXPORT_DIRECTORY)
        return status_fail(ST_USAGE, "--every makes directories again, but %s is a file", f->name);
    if (o->use > 0 && !is_of_pages(f))
        return status_fail(ST_USAGE, "--for leaves out pages, but %s is not a list of pages",
                           f->name);
    if (o->out == NULL && isatty(STDOUT_FILENO) == 1 && is_binary(f))
        return status_fail(ST_USAGE, "%s cannot be shown on a terminal: give -o FILE", f->name);
    return ST_OK;
}

static int export_command(struct invocation *in)
{
    struct export_options *o = in->options;
    const struct export_format *f = &export_formats[o->as];
    enum status st = check_options(o, f);

    if (st != ST_OK)
        return report_failure(st);
    if (f->kind == EXPORT_DIRECTORY && o->out == NULL)
        o->out = beside(in->args.items[0], f->name);
    held_reader(in->args.items[0], o->out);
    st = f->kind == EXPORT_DIRECTORY ? write_while_it_runs(in->args.items[0], o)
                                     : write_once(in->args.items[0], o, false);
    if (st == ST_IO && o->out == NULL && report_is_unread())
        return EXIT_FAILED; /* the reader has seen enough */
    return st == ST_OK ? EXIT_DONE : report_failure(st);
}

const struct command command_export = {
    .name = "export",
    TAKES("DIR --as FORMAT", 1, 1),
    .summary = "write a crawl as JSON lines, CSV, WACZ, Parquet or in another format",
    .example = "brood export solar --as cdxj -o solar.cdxj\n"
               "  brood export solar --as docpool --every 2m",
    OPTIONS(export_option_table, struct export_options),
    .run = export_command,
};
