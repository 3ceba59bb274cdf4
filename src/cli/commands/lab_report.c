/* cmd_lab_report.c - brood lab report: tables, tests and verdicts of an experiment.
 * SPDX-License-Identifier: MIT */
#include "cli/commands/commands.h"

#include "base/limits.h"
#include "lab/report/report.h"

#include <stdio.h>

struct lab_report_options {
    char *html;
    bool json;
};

static const struct option lab_report_option_table[] = {
    {.name = "html",
     .type = OPTION_TEXT,
     .metavar = "FILE",
     .help = "write the report with its curves to this file too",
     .offset = offsetof(struct lab_report_options, html)},
    {.name = "json",
     .type = OPTION_FLAG,
     .help = "as JSON",
     .offset = offsetof(struct lab_report_options, json)},
    {.name = NULL},
};

static enum status write_html(const struct results *r, const char *path)
{
    struct buf command = BUF_INIT(LIMIT_CONFIG_FILE);
    enum status st;

    report_command(r, &command);
    st = report_html(r, command.data, path);
    buf_free(&command);
    return st;
}

static int lab_report_command(struct invocation *in)
{
    const struct lab_report_options *o = in->options;
    struct buf out = BUF_INIT(LIMIT_REPORT);
    struct results *r;
    enum status st = results_load(in->args.items[0], &r);

    if (st != ST_OK)
        return report_failure(st);
    if (o->html)
        st = write_html(r, o->html);
    if (st == ST_OK && o->json)
        report_json(r, &out);
    else if (st == ST_OK)
        report_terminal(r, &out);
    results_free(r);
    if (st == ST_OK)
        return report_out(&out);
    buf_free(&out);
    return report_failure(st);
}

const struct command command_lab_report = {
    .name = "lab report",
    .args = "DIR",
    .summary = "what an experiment found: tables, paired tests, claims",
    .details = "DIR is what 'brood lab run' made. Models are compared topic by topic: means with "
               "their 95 % intervals, paired t tests and Wilcoxon's signed ranks (corrected after "
               "Holm), and the plan's claims: reproduced, not reproduced or mixed. A plan that was "
               "stopped is reported as far as it got.",
    .example = "brood lab report results/baselines --html baselines.html",
    .options = lab_report_option_table,
    .options_size = sizeof(struct lab_report_options),
    .min_args = 1,
    .max_args = 1,
    .run = lab_report_command,
};
