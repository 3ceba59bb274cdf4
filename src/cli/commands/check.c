/* check.c - brood check and brood forget: check that a crawl is consistent, and remove something
 * from it. SPDX-License-Identifier: MIT */
#include "cli/commands/commands.h"

#include "base/os/clock.h"
#include "base/json.h"
#include "store/write/check.h"
#include "store/write/forget.h"

struct check_options {
    bool json, mend;
};

#define AT(field) .offset = offsetof(struct check_options, field)

static const struct option check_option_table[] = {
    {FLAG_OPTION("mend", mend), .help = "repair what can be repaired"},
    {FLAG_OPTION("json", json), .help = "as JSON"},
    {.name = NULL},
};

struct report {
    bool json;
    struct buf out;
    struct json writer;
};

static void on_issue(void *ctx, const struct check_issue *i)
{
    struct report *r = ctx;

    if (r->json) {
        json_open_object(&r->writer, NULL);
        json_put_z(&r->writer, "kind", check_kind_name(i->kind));
        json_put_str(&r->writer, "text", i->text);
        json_put_bool(&r->writer, "mendable", i->mendable);
        json_put_bool(&r->writer, "mended", i->mended);
        json_close(&r->writer);
        return;
    }
    buf_addf(&r->out, "%-10s ", check_kind_name(i->kind));
    report_text(&r->out, i->text, 2000);
    buf_add_z(&r->out, i->mended ? " (mended)\n" : i->mendable ? " (--mend repairs it)\n" : "\n");
}

static int check_command(struct invocation *in)
{
    const struct check_options *o = in->options;
    struct report r = {.json = o->json, .out = BUF_INIT(256 << 20)};
    struct check_result result;
    enum status st;
    int code;

    json_init(&r.writer, &r.out);
    if (o->json) {
        json_open_object(&r.writer, NULL);
        json_open_array(&r.writer, "issues");
    }
    st = check_run(in->args.items[0], o->mend, on_issue, &r, &result);
    if (st != ST_OK) {
        buf_free(&r.out);
        return report_failure(st);
    }
    if (o->json) {
        json_close(&r.writer);
        json_put_int(&r.writer, "pages", (int64_t)result.pages);
        json_put_int(&r.writer, "records", (int64_t)result.records);
        json_put_int(&r.writer, "files", (int64_t)result.files);
        json_put_int(&r.writer, "unindexed", (int64_t)result.unindexed);
        json_put_int(&r.writer, "lost", (int64_t)result.lost);
        json_put_int(&r.writer, "mended", (int64_t)result.mended);
        json_close(&r.writer);
        buf_add_char(&r.out, '\n');
    } else {
        report_count(&r.out, result.pages, "page");
        buf_add_z(&r.out, ", ");
        report_count(&r.out, result.records, "archive record");
        buf_add_z(&r.out, " in ");
        report_count(&r.out, result.files, "file");
        buf_add_z(&r.out, result.issues ? ": " : ": everything agrees\n");
        if (result.issues)
            buf_addf(&r.out, "%llu disagreement%s, %llu mended\n",
                     (unsigned long long)result.issues, result.issues == 1 ? "" : "s",
                     (unsigned long long)result.mended);
        if (result.lost)
            buf_addf(&r.out, "%llu page%s lost from the archive; the text is still in crawl.db%s\n",
                     (unsigned long long)result.lost, result.lost == 1 ? " is" : "s are",
                     o->mend ? "" : ", and --mend marks these pages as not archived");
        if (result.unindexed)
            buf_addf(&r.out, "%llu page%s to be indexed: the next 'brood search' does\n",
                     (unsigned long long)result.unindexed, result.unindexed == 1 ? " is" : "s are");
    }
    code = report_out(&r.out);
    return result.issues > result.mended ? EXIT_FAILED : code;
}

const struct command command_check = {
    .name = "check",
    TAKES("DIR", 1, 1),
    .summary = "check whether database, full-text index and archive agree",
    .details =
        "Exit status 1 where something disagrees and was not mended. Pages whose text was not "
        "indexed yet are no disagreement.",
    OPTIONS(check_option_table, struct check_options),
    .reads_dir = true,
    .run = check_command,
};

/* ---- forget -------------------------------------------------------------- */

static int forget_command(struct invocation *in)
{
    struct buf out = BUF_INIT(4096);
    struct forget_result r;
    enum status st = forget_run(in->args.items[0], str_of(in->args.items[1]), clock_now(), &r);

    if (st != ST_OK)
        return report_failure(st);
    buf_add_z(&out, "forgotten: ");
    report_count(&out, r.urls, "URL");
    buf_add_z(&out, ", ");
    report_count(&out, r.pages, "page");
    buf_add_z(&out, ", ");
    report_count(&out, r.records, "archive record");
    buf_add_z(&out, " (");
    report_count(&out, r.files, "file");
    buf_add_z(&out, " rewritten)\n");
    return report_out(&out);
}

const struct command command_forget = {
    .name = "forget",
    TAKES("DIR URL|HOST", 2, 2),
    .summary = "remove a page or a whole host from database, index and archive",
    .example = "brood forget solar private.example.org",
    .reads_dir = true,
    .run = forget_command,
};
