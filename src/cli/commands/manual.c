/* manual.c - manual pages and shell completions, written from the tables.
 * SPDX-License-Identifier: MIT */
#include "cli/commands/commands.h"

#include "base/os/file.h"
#include "dash/dash.h"

#include <errno.h>
#include <sys/stat.h>

struct manual_options {
    char *out;
    bool api;
};

#define AT(field) .offset = offsetof(struct manual_options, field)

static const struct option manual_option_table[] = {
    {TEXT_OPTION("out", out, "DIR"), .letter = 'o',
     .help = "write one file a command into this directory"},
    {FLAG_OPTION("api", api), .help = "the dashboard's API instead (docs/api.md)"},
    {.name = NULL},
};

static enum status write_page(const char *dir, const struct command *c)
{
    LOCAL_BUF text = BUF_INIT(1 << 20), path = BUF_INIT(4096);

    help_man(c, &text);
    buf_addf(&path, "%s/brood", dir);
    for (const char *p = c ? c->name : ""; *p; p++)
        buf_addf(&path, "%s%c", p == c->name ? "-" : "", *p == ' ' ? '-' : *p);
    buf_add_z(&path, ".1");
    return file_write(path.data, buf_str(&text));
}

static int manual_command(struct invocation *in)
{
    const struct manual_options *o = in->options;
    struct buf text = BUF_INIT(1 << 20);
    enum status st;

    if (o->api) {
#ifdef BROOD_DASH
        dash_manual(&text);
#endif
        return report_out(&text);
    }
    if (o->out == NULL) {
        help_man(NULL, &text);
        return report_out(&text);
    }
    if (mkdir(o->out, 0777) != 0 && errno != EEXIST)
        return report_failure(status_fail(ST_IO, "%s: %s", o->out, strerror(errno)));
    st = write_page(o->out, NULL);
    for (size_t i = 0; st == ST_OK && command_table[i]; i++)
        st = write_page(o->out, command_table[i]);
    return st == ST_OK ? EXIT_DONE : report_failure(st);
}

const struct command command_manual = {
    .name = "manual",
    .args = "",
    .summary = "print a manual page, or write all of them into a directory",
    .example = "brood manual | man -l -",
    OPTIONS(manual_option_table, struct manual_options),
    .run = manual_command,
};

static int completion_command(struct invocation *in)
{
    struct buf text = BUF_INIT(1 << 20);
    enum status st = help_completion(in->args.count ? in->args.items[0] : "bash", &text);

    return st == ST_OK ? report_out(&text) : report_failure(st);
}

const struct command command_completion = {
    .name = "completion",
    TAKES("[bash|zsh|fish]", 0, 1),
    .summary = "print completions for a shell",
    .example = "brood completion > ~/.local/share/bash-completion/completions/brood\n"
               "  brood completion fish > ~/.config/fish/completions/brood.fish",
    .run = completion_command,
};
