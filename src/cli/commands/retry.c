/* cmd_retry.c - brood retry: what failed, again. SPDX-License-Identifier: MIT */
#include "cli/commands/commands.h"

#include "base/os/clock.h"
#include "base/json.h"
#include "cli/commands/again.h"
#include "cli/held.h"
#include "cli/commands/run_crawl.h"
#include "crawl/retry.h"

#include <stdio.h>

struct retry_options {
    struct text_list reason;
    int64_t pages;
    int64_t duration;
    bool dry_run, json, quiet, no_confine, trust;
    struct again again;
};

#define AT(field) .offset = offsetof(struct retry_options, field)

static const struct option retry_option_table[] = {
    {.name = "reason",
     .type = OPTION_LIST,
     .metavar = "REASON",
     .help = "only what failed for this reason (timeout, network, host-dead …, as 'brood stats' "
             "names them), with this status (503, 5xx), or all; may be repeated",
     AT(reason)},
    {.name = "dry-run", .type = OPTION_FLAG, .help = "only list them", AT(dry_run)},
    {.name = "pages",
     .type = OPTION_INT,
     .metavar = "N",
     .fallback = "0",
     .min = 0,
     .max = 4e9,
     .help = "a limit of pages, counted from the crawl's beginning (0: all are tried)",
     AT(pages)},
    {.name = "for",
     .type = OPTION_DURATION,
     .metavar = "TIME",
     .help = "stop after this time from now",
     AT(duration)},
    {.name = "json",
     .type = OPTION_FLAG,
     .help = "each stored page as a JSON line; with --dry-run the list as JSON",
     AT(json)},
    {.name = "quiet", .type = OPTION_FLAG, .help = "no progress, only errors", AT(quiet)},
    {.name = "no-confine",
     .type = OPTION_FLAG,
     .help = "do not confine the process: it could touch other files and run programs",
     AT(no_confine)},
    AGAIN_ROWS(struct retry_options),
    {.name = "trust",
     .type = OPTION_FLAG,
     .help = "accept stored options that lower a guard, though somebody else chose them",
     AT(trust)},
    {.name = NULL},
};

/* ---- the list ------------------------------------------------------------ */

struct listing {
    bool as_json;
    struct buf out;
    struct json json;
};

static enum status list_one(void *ctx, const struct query_failed *f)
{
    struct listing *l = ctx;
    char at[CLOCK_TEXT] = "";

    if (l->as_json) {
        json_open_object(&l->json, NULL);
        json_put_str(&l->json, "url", f->href);
        json_put_z(&l->json, "reason", drop_name(f->why));
        if (f->status)
            json_put_int(&l->json, "status", f->status);
        if (f->error.len)
            json_put_str(&l->json, "error", f->error);
        if (f->at) {
            clock_format(f->at, 3, at);
            json_put_z(&l->json, "at", at);
        }
        json_close(&l->json);
        return ST_OK;
    }
    if (f->status)
        buf_addf(&l->out, "%-10s %d  ", drop_name(f->why), f->status);
    else
        buf_addf(&l->out, "%-10s -    ", drop_name(f->why));
    report_text(&l->out, f->href, SIZE_MAX);
    buf_add_char(&l->out, '\n');
    return ST_OK;
}

static int list_all(const char *dir, const struct retry_options *o)
{
    struct listing l = {.as_json = o->json, .out = BUF_INIT(1 << 30)};
    enum status st;

    json_init(&l.json, &l.out);
    if (o->json)
        json_open_array(&l.json, NULL);
    st = retry_list(dir, &o->reason, list_one, &l);
    if (st != ST_OK) {
        buf_free(&l.out);
        return report_failure(st);
    }
    if (o->json) {
        json_close(&l.json);
        buf_add_char(&l.out, '\n');
    }
    return report_out(&l.out);
}

/* ---- the visits ---------------------------------------------------------- */

static int retry_command(struct invocation *in)
{
    const struct retry_options *r = in->options;
    const char *dir = in->args.items[0];
    struct confine confine;
    struct crawl_options o;
    struct crawl *c = NULL;
    size_t count = 0;
    enum status st;
    int code = EXIT_DONE;

    if (r->dry_run)
        return list_all(dir, r);
    crawl_options_init_empty(&o);
    st = crawl_options_read(dir, r->trust, &o);
    if (st == ST_OK)
        st = again_fill(&o, &r->again);
    if (st == ST_OK) {
        o.pages = r->pages;
        if (r->duration > 0)
            o.duration = r->duration;
        o.json = r->json;
        o.quiet = r->quiet;
        o.no_confine = r->no_confine;
        held_crawl(&o, crawl_option_table, &confine);
        st = crawl_retry(dir, &o, &r->reason, &c, &count);
    }
    if (st == ST_OK && !o.quiet)
        report_say("%s: %zu URL%s that failed %s tried again\n", dir, count, count == 1 ? "" : "s",
                   count == 1 ? "is" : "are");
    if (st != ST_OK)
        code = report_failure(st);
    else if (c != NULL)
        code = run_crawl(c, &o);
    crawl_options_free(&o);
    return code;
}

const struct command command_retry = {
    .name = "retry",
    .args = "DIR",
    .summary = "try again what failed in a crawl",
    .details =
        "Without --reason: what found no connection or no answer in time, hosts that were given "
        "up, and the statuses 429 and 5xx. Ends when these were tried; links of the new pages "
        "wait for 'brood resume'. What 'brood forget' removed stays forgotten.",
    .example = "brood retry solar --dry-run\n  brood retry solar --reason timeout --reason 5xx",
    .options = retry_option_table,
    .options_size = sizeof(struct retry_options),
    .min_args = 1,
    .max_args = 1,
    .run = retry_command,
};
