/* several.c - a reading command over several directories. See several.h.
 * SPDX-License-Identifier: MIT */
#include "cli/several.h"

#include "base/mem.h"
#include "cli/commands/commands.h"
#include "cli/gather.h"
#include "cli/held.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "crawl/merged.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static bool is_crawl(const char *dir)
{
    struct buf path = BUF_INIT(1 << 16);
    struct stat info;
    bool is;

    buf_addf(&path, "%s/crawl.db", dir);
    is = !path.full && stat(path.data, &info) == 0;
    buf_free(&path);
    return is;
}

/* How many of the arguments are directories: what follows them may be left out in some commands. */
static size_t count_dirs(const struct invocation *in)
{
    const struct command *c = in->command;
    size_t count = in->args.count, more = c->max_args - 1;

    if (c->min_args < c->max_args && (count == 1 || is_crawl(in->args.items[count - 1])))
        more = 0;
    return count - more;
}

static bool on_progress(void *ctx, const char *what, uint64_t done, uint64_t total)
{
    progress_count(ctx, what, done, total);
    return !interrupted();
}

/* stats needs no verdict on each page; only stats and search need the full-text index. */
static struct merged_wish wish_of(const struct command *c)
{
    return (struct merged_wish){.archive = MERGE_NAMES,
                                .judge = c != &command_stats,
                                .index = c == &command_stats || c == &command_search};
}

/* The merged crawl instead of the directories. */
static void replace(struct text_list *args, size_t ndirs, const char *dir)
{
    struct text_list now = {0};

    text_list_add(&now, str_of(dir));
    for (size_t i = ndirs; i < args->count; i++)
        text_list_add(&now, str_of(args->items[i]));
    text_list_free(args);
    *args = now;
}

static int run_merged(struct invocation *in, size_t ndirs)
{
    struct text_list dirs = {.items = in->args.items, .count = ndirs};
    struct merged_wish wish = wish_of(in->command);
    const char *scratch = getenv("TMPDIR");
    struct progress progress;
    char *dir = NULL;
    enum status st;
    int code;

    scratch = scratch && *scratch ? scratch : "/tmp";
    held_readers(&dirs, NULL, scratch);
    progress_init(&progress, false);
    interrupt_catch();
    st = merged_for_now(&dirs, scratch, &wish, on_progress, &progress, &dir);
    progress_clear(&progress);
    if (st != ST_OK)
        return report_failure(st);
    replace(&in->args, ndirs, dir);
    code = in->command->run(in);
    merged_remove(dir);
    return code;
}

/* `brood search DIR queen swarm`: the words stand where directories may stand, and are none. */
static enum status check_quotes(const struct text_list *args)
{
    struct buf words = BUF_INIT(1 << 12);
    struct stat info;
    size_t first = 0;
    enum status st = ST_OK;

    while (first + 1 < args->count && stat(args->items[first], &info) == 0)
        first++;
    for (size_t i = first; i < args->count; i++)
        buf_addf(&words, "%s%s", i > first ? " " : "", args->items[i]);
    if (first > 0 && first + 1 < args->count)
        st = status_fail(ST_USAGE,
                         "there is no directory '%s'. If it is a word to search for, quote all "
                         "words together: brood search %s '%.*s'",
                         args->items[first], args->items[0], STR_ARG(buf_str(&words)));
    buf_free(&words);
    return st;
}

int several_run(struct invocation *in)
{
    size_t ndirs;

    if (in->command->several && gather_is_asked(in))
        return gather_run(in);
    ndirs = in->command->several ? count_dirs(in) : 1;
    if (ndirs > 1 && in->command == &command_search && check_quotes(&in->args) != ST_OK)
        return report_failure(ST_USAGE);
    if (ndirs > 1)
        return run_merged(in, ndirs);
    if (in->command->reads_dir)
        held_reader(in->args.items[0], NULL);
    return in->command->run(in);
}
