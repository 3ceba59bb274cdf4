/* merge.c - brood merge: one crawl of several directories. SPDX-License-Identifier: MIT */
#include "cli/commands/commands.h"

#include "base/json.h"
#include "cli/held.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "crawl/merged.h"

struct merge_command_options {
    char *out;
    bool link, no_index, quiet, json;
};

#define AT(field) .offset = offsetof(struct merge_command_options, field)

static const struct option merge_option_table[] = {
    {TEXT_OPTION("out", out, "DIR"), .letter = 'o', .help = "the directory to make"},
    {FLAG_OPTION("link", link),
     .help = "hard links to the archives instead of copies, where the file system allows it"},
    {FLAG_OPTION("no-index", no_index),
     .help = "do not index the full text; the first search will do it"},
    {FLAG_OPTION("quiet", quiet), .help = "do not show progress"},
    {FLAG_OPTION("json", json), .help = "as JSON"},
    {.name = NULL},
};

static bool on_progress(void *ctx, const char *what, uint64_t done, uint64_t total)
{
    progress_count(ctx, what, done, total);
    return !interrupted();
}

static int say_merged(const struct merge_command_options *o, size_t dirs,
                      const struct merge_result *r)
{
    struct buf out = BUF_INIT(64 << 10);
    struct json j;

    json_init(&j, &out);
    if (o->json) {
        json_open_object(&j, NULL);
        json_put_z(&j, "out", o->out);
        json_put_int(&j, "directories", (int64_t)dirs);
        json_put_int(&j, "pages", (int64_t)r->pages);
        json_put_int(&j, "urls", (int64_t)r->urls);
        json_put_int(&j, "agents", (int64_t)r->agents);
        json_put_int(&j, "stored_twice", (int64_t)r->twice);
        json_put_int(&j, "versions", (int64_t)r->versions);
        json_put_int(&j, "renamed", (int64_t)r->renamed);
        json_close(&j);
        buf_add_char(&out, '\n');
        return report_out(&out);
    }
    report_count(&out, r->pages, "page");
    buf_addf(&out, " of %zu directories in %s", dirs, o->out);
    if (r->twice > 0)
        buf_addf(&out, "; %llu that several had stored %s kept once", (unsigned long long)r->twice,
                 r->twice == 1 ? "is" : "are");
    if (r->versions > 0)
        buf_addf(&out, "; %llu %s of a URL that another had with other content",
                 (unsigned long long)r->versions,
                 r->versions == 1 ? "is a version" : "are versions");
    if (r->renamed > 0)
        buf_addf(&out, "; %llu agent%s a new name, because another has the same",
                 (unsigned long long)r->renamed, r->renamed == 1 ? " has" : "s have");
    buf_add_char(&out, '\n');
    return report_out(&out);
}

static void check_merge(struct invocation *in, struct mistakes *ret)
{
    const struct merge_command_options *o = in->options;

    if (o->out == NULL)
        mistakes_note(ret, "out",
                      status_fail(ST_USAGE, "which directory is to be made? Give -o DIR"));
}

static int merge_command(struct invocation *in)
{
    struct merge_command_options *o = in->options;
    struct merged_wish wish = {
        .archive = o->link ? MERGE_LINK : MERGE_COPY, .judge = true, .index = !o->no_index};
    struct merge_result result = {0};
    struct progress progress;
    enum status st = invocation_check(in);

    if (st != ST_OK)
        return report_failure(st);
    held_readers(&in->args, o->out, in->args.items[0]);
    progress_init(&progress, o->quiet);
    interrupt_catch();
    st = merged_make(&in->args, o->out, &wish, on_progress, &progress, &result);
    progress_clear(&progress);
    if (st == ST_STOPPED)
        report_say("brood: %s was not made\n", o->out);
    if (st != ST_OK)
        return report_failure(st);
    if (result.topics_differ)
        report_say("brood: the directories have different topics: all pages are ranked by that of "
                   "%s\n",
                   in->args.items[0]);
    return say_merged(o, in->args.count, &result);
}

const struct command command_merge = {
    .name = "merge",
    TAKES("DIR DIR… -o DIR", 2, SIZE_MAX),
    .summary = "make one crawl of several directories",
    .details =
        "For the nodes of a crawl on several machines, and for other crawls of one topic. Pages, "
        "links, agents, messages, marks, curves and archives of all directories are in the new "
        "one; all pages are judged once more, together. A page that several directories stored "
        "is kept once, or as versions where its content differs. The directories are not changed, "
        "and may be in use. The new one can be read by all commands, but not resumed.\n\n"
        "The new directory appears when it is complete: a merge that is stopped leaves nothing.",
    .example = "brood merge reefs-1 reefs-2 reefs-3 -o reefs",
    OPTIONS(merge_option_table, struct merge_command_options),
    .run = merge_command,
    .check = check_merge,
};
