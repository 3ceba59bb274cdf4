/* resume.c - brood resume: goes on with a stopped or killed crawl, to its old limits or to new
 * ones; brood retry: tries again what failed. SPDX-License-Identifier: MIT */
#include "cli/commands/commands.h"

#include "base/json.h"
#include "base/limits.h"
#include "base/mem.h"
#include "cli/commands/run_crawl.h"
#include "cli/commands/watch.h"
#include "cli/held.h"
#include "crawl/enough.h"
#include "crawl/retry.h"
#include "crawl/start/check.h"
#include "crawl/start/credentials.h"
#include "crawl/start/seed.h"

#include <stdlib.h>
#include <string.h>

/* ---- resume ----------------------------------------------------------------- */

struct resume_options {
    struct crawl_options crawl; /* first: the rows of a crawl */
    bool without_secrets, trust;
};

#define AT(field) .offset = offsetof(struct resume_options, crawl.field)
#define ANY       1e15

static const struct option resume_option_table[] = {
#define OPTION_ROWS_FOR_RESUME
#include "crawl/option_rows.inc"
#undef OPTION_ROWS_FOR_RESUME
#undef AT
#define AT(field) .offset = offsetof(struct resume_options, field)
    {FLAG_OPTION("without-secrets", without_secrets), .group = "what the directory lacks",
     .help = HELP_WITHOUT_SECRETS},
    {FLAG_OPTION("trust", trust), .help = HELP_TRUST},
    {.name = NULL},
};

/* ---- which options may change ---------------------------------------------
 *
 * All may, but for those that would make what is stored untrue. Those that say how a run is
 * shown (--quiet, --json, --dashboard) count for this run alone. */

#define SCORED  "the pages that are stored were scored by it"
#define LEARNED "the model goes on with the state that it saved"
#define BEGUN   "the crawl has begun already; --seed adds places to start"

/* Why an option cannot change; NULL: it can. */
static const char *resume_fixed(const char *option)
{
    static const char *const fixed[][2] = {
        {"words", SCORED},         {"topic", SCORED},      {"idf", SCORED},
        {"relevant", SCORED},      {"model", LEARNED},     {"set", LEARNED},
        {"seeds-are", LEARNED},    {"rng", LEARNED},       {"search", BEGUN},
        {"seeds-from", BEGUN},     {"base-from", BEGUN},   {"out", "the crawl is where it is"},
        {"seeds-from-cdx", BEGUN}, {"seeds-only", BEGUN},  {"seeds-most", BEGUN},
        {"search-queries", BEGUN}, {"search-hits", BEGUN},
    };

    for (size_t i = 0; i < ARRAY_LEN(fixed); i++)
        if (strcmp(option, fixed[i][0]) == 0)
            return fixed[i][1];
    return NULL;
}

static bool is_given(const struct text_list *given, const char *option)
{
    for (size_t i = 0; i < given->count; i++)
        if (strcmp(given->items[i], option) == 0)
            return true;
    return false;
}

/* Other options are given for each run, or are secrets (credentials_again()). */
static bool is_kept(const char *option)
{
    static const char *const others[] = {"quiet",   "json",   "dashboard", "no-confine",
                                         "no-wait", "config", "proxy",     "header"};

    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        if (strcmp(option, others[i]) == 0)
            return false;
    return true;
}

static enum status change(const char *dir, const struct option *op, struct str now, struct str then,
                          struct crawl_options *o)
{
    const char *why = resume_fixed(op->name);

    if (str_eq(now, then))
        return ST_OK;
    if (why)
        return status_fail(ST_USAGE,
                           "--%s cannot change, because %s: another crawl needs another "
                           "directory (--seeds-from %s starts at the best pages of this one)",
                           op->name, why, dir);
    if (op->type == OPTION_LIST && strcmp(op->name, "seed") != 0)
        text_list_free((struct text_list *)((char *)o + op->offset));
    return crawl_option_restore(op, o, now);
}

/* Applies the options that are given to those with which the directory was crawled. `said` was
 * filled from the command line, a file and the environment, and has no defaults. ST_USAGE if one of
 * them cannot change. New seeds are added to the old ones. */
static enum status resume_changes(const char *dir, const struct text_list *given,
                                  const struct crawl_options *said, struct crawl_options *o)
{
    struct crawl_options none;
    enum status st = ST_OK;

    crawl_options_init_empty(&none);
    for (const struct option *op = crawl_option_table; st == ST_OK && op->name; op++) {
        struct buf now = BUF_INIT(1 << 20), then = BUF_INIT(1 << 20), unsaid = BUF_INIT(100);

        crawl_option_text(op, said, &now);
        crawl_option_text(op, o, &then);
        crawl_option_text(op, &none, &unsaid);
        if (is_kept(op->name) &&
            (is_given(given, op->name) || !str_eq(buf_str(&now), buf_str(&unsaid))))
            st = change(dir, op, buf_str(&now), buf_str(&then), o);
        buf_free(&now);
        buf_free(&then);
        buf_free(&unsaid);
    }
    if (st == ST_OK)
        st = memory_check(o);
    return st == ST_OK ? enough_check(o) : st;
}

static void say_found(const struct crawl *c)
{
    LOCAL_BUF text = BUF_INIT(8192);

    crawl_found(c, &text);
    report_say("%.*s\n", STR_ARG(buf_str(&text)));
}

/* Gets the options of the crawl, with those of this run. Free them in any case. */
static enum status resume_options(struct invocation *in, struct crawl_options *ret)
{
    const struct resume_options *r = in->options;
    const char *dir = in->args.items[0];
    enum status st;

    crawl_options_init_empty(ret);
    st = crawl_options_read(dir, r->trust, &in->given, ret);
    if (st == ST_OK)
        run_crawl_forget(ret);
    if (st == ST_OK)
        st = credentials_again(ret, &r->crawl.header, r->crawl.proxy, r->without_secrets);
    if (st == ST_OK)
        st = resume_changes(dir, &in->given, &r->crawl, ret);
    free(ret->dashboard);
    ret->dashboard = r->crawl.dashboard ? str_dup(str_of(r->crawl.dashboard)) : NULL;
    ret->quiet = r->crawl.quiet;
    ret->json = r->crawl.json;
    ret->no_wait = r->crawl.no_wait;
    ret->no_confine = r->crawl.no_confine;
    return st;
}

/* Adds new seeds. It is not a failure if all of them are known already. */
static enum status more_seeds(struct crawl *c, const struct crawl_options *said)
{
    LOCAL_LIST seeds = {0};
    size_t taken = 0;
    enum status st = seeds_given(&said->seed, said->seeds, &seeds);

    if (st == ST_OK && seeds.count > 0 && crawl_more_seeds(c, &seeds, &taken) != ST_OK)
        report_say("note: %s\n", status_text());
    return st;
}

static int resume_command(struct invocation *in)
{
    const struct resume_options *r = in->options;
    const char *dir = in->args.items[0];
    struct confine confine;
    struct crawl_options o;
    struct crawl *c = NULL;
    enum status st;
    bool is_watch;
    int code;

    if (watch_find(dir, &is_watch) == ST_OK && is_watch)
        return report_failure(status_fail(
            ST_USAGE, "%s is a watch: 'brood watch --out %s' goes on with it", dir, dir));
    st = resume_options(in, &o);
    if (st == ST_OK) {
        held_crawl(&o, crawl_option_table, &confine);
        st = crawl_resume(dir, &o, &c);
    }
    if (st == ST_OK)
        st = more_seeds(c, &r->crawl);
    if (st == ST_OK && !o.quiet)
        say_found(c);
    code = st == ST_OK ? run_crawl(c, &o) : report_failure(st);
    if (st != ST_OK && c) /* closing would replace the reason that was reported */
        (void)!crawl_close(c, NULL, NULL);
    crawl_options_free(&o);
    return code;
}

const struct command command_resume = {
    .name = "resume",
    TAKES("DIR", 1, 1),
    .summary = "continue a crawl that was stopped or killed, to its old limits or to new ones",
    .details =
        "Needs only the directory: topic, model, scope and network options are read from it. "
        "Options that are given replace those of the crawl from now on, and --seed adds places to "
        "start. Options that the stored pages depend on cannot change (topic, model, --relevant "
        "and a few more): a message says why. "
        "Secrets (a header such as Authorization, a proxy's password) are not stored there: give "
        "them again. "
        "Every host first waits its full delay.",
    .example = "brood resume solar\n  brood resume solar --pages 20000 --delay 2s --seed "
               "https://example.org/more/",
    OPTIONS(resume_option_table, struct resume_options),
    .not_taken = crawl_option_table,
    .run = resume_command,
};

/* ---- retry ---------------------------------------------------------------- */

/* The user gives the secrets again, since the directory does not store them
 * (crawl/start/credentials.h). */
struct again {
    bool quiet, no_confine, without_secrets, trust;
    struct text_list header;
    char *proxy;
};

#define AT_AGAIN(field) .offset = offsetof(struct again, field)
#define AGAIN_ROWS                                                                                 \
    {.name = "quiet", .type = OPTION_FLAG, .help = "no progress, only errors", AT_AGAIN(quiet)},   \
        {.name = "no-confine",                                                                     \
         .type = OPTION_FLAG,                                                                      \
         .help = "do not confine the process: it could touch other files and run programs",        \
         AT_AGAIN(no_confine)},                                                                    \
        {.name = "header",                                                                         \
         .type = OPTION_LIST,                                                                      \
         .metavar = "'[HOST ]NAME: VALUE'",                                                        \
         .group = "secrets",                                                                       \
         .help = "a secret header of the crawl, given again; VALUE may be @FILE; may be repeated", \
         .secret = SECRET_HEADER,                                                                  \
         AT_AGAIN(header)},                                                                        \
        {.name = "proxy",                                                                          \
         .type = OPTION_TEXT,                                                                      \
         .metavar = "URL",                                                                         \
         .help = "the proxy of the crawl, with its password again",                                \
         .secret = SECRET_URL,                                                                     \
         AT_AGAIN(proxy)},                                                                         \
        {.name = "without-secrets",                                                                \
         .type = OPTION_FLAG,                                                                      \
         .help = HELP_WITHOUT_SECRETS,                                                             \
         AT_AGAIN(without_secrets)},                                                               \
    {                                                                                              \
        .name = "trust", .type = OPTION_FLAG, .help = HELP_TRUST, AT_AGAIN(trust)                  \
    }

/* The options of a crawl, read back, with its secrets. Free them in any case. */
static enum status read_back(const char *dir, const struct again *a, struct crawl_options *ret)
{
    enum status st;

    crawl_options_init_empty(ret);
    st = crawl_options_read(dir, a->trust, NULL, ret);
    if (st == ST_OK)
        run_crawl_forget(ret);
    if (st == ST_OK)
        st = credentials_again(ret, &a->header, a->proxy, a->without_secrets);
    ret->quiet = a->quiet;
    ret->no_confine = a->no_confine;
    return st;
}

struct retry_options {
    struct again again; /* first: AGAIN_ROWS */
    struct text_list reason;
    int64_t pages;
    int64_t duration;
    bool dry_run, json;
};

#undef AT
#define AT(field) .offset = offsetof(struct retry_options, field)

static const struct option retry_option_table[] = {
    {LIST_OPTION("reason", reason, "REASON"),
     .help = "only what failed for this reason (timeout, network, host-dead …, as 'brood stats' "
             "names them), with this status (503, 5xx), or all; may be repeated"},
    {FLAG_OPTION("dry-run", dry_run), .help = "only list them"},
    {INT_OPTION("pages", pages, "N", "0", 0, 4e9),
     .help = "a limit of pages, counted from the crawl's beginning (0: all are tried)"},
    {DURATION_OPTION("for", duration, "TIME", NULL, 0, 0), .help = "stop after this time from now"},
    {FLAG_OPTION("json", json),
     .help = "each stored page as a JSON line; with --dry-run the list as JSON"},
    AGAIN_ROWS,
    {.name = NULL},
};

struct retry_listing {
    bool as_json;
    size_t count;
    struct buf out;
    struct json json;
};

static enum status list_one(void *ctx, const struct query_failed *f)
{
    struct retry_listing *l = ctx;

    l->count++;
    if (l->as_json) {
        json_open_object(&l->json, NULL);
        json_put_str(&l->json, "url", f->href);
        json_put_z(&l->json, "reason", drop_name(f->why));
        if (f->status)
            json_put_int(&l->json, "status", f->status);
        if (f->error.len)
            json_put_str(&l->json, "error", f->error);
        if (f->at)
            json_put_time(&l->json, "at", f->at);
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

static void say_none(const char *dir, const struct text_list *reasons)
{
    report_say("%s: nothing failed%s that a further try could mend\n", dir,
               reasons->count ? " for this reason" : "");
}

static int list_all(const char *dir, const struct retry_options *o)
{
    struct retry_listing l = {.as_json = o->json, .out = BUF_INIT(1 << 30)};
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
    } else if (l.count == 0) {
        say_none(dir, &o->reason);
    }
    return report_out(&l.out);
}

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
    st = read_back(dir, &r->again, &o);
    if (st == ST_OK) {
        o.pages = r->pages;
        if (r->duration > 0)
            o.duration = r->duration;
        o.json = r->json;
        held_crawl(&o, crawl_option_table, &confine);
        st = crawl_retry(dir, &o, &r->reason, &c, &count);
    }
    if (st == ST_OK && !o.quiet && count == 0)
        say_none(dir, &r->reason);
    else if (st == ST_OK && !o.quiet)
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
    TAKES("DIR", 1, 1),
    .summary = "try again what failed in a crawl",
    .details =
        "Without --reason: what found no connection or no answer in time, hosts that were given "
        "up, and the statuses 429 and 5xx. Ends when these were tried; links of the new pages "
        "wait for 'brood resume'. What 'brood forget' removed stays forgotten, and style sheets, "
        "images and fonts (--requisites) are not tried again.",
    .example = "brood retry solar --dry-run\n  brood retry solar --reason timeout --reason 5xx",
    OPTIONS(retry_option_table, struct retry_options),
    .not_taken = crawl_option_table,
    .run = retry_command,
};
