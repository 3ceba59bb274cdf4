/* watch.c - brood watch: announces new pages on a topic as soon as they appear.
 * SPDX-License-Identifier: MIT */
#include "cli/commands/commands.h"

#include "agent/model.h"
#include "models/models.h"
#include "base/os/clock.h"
#include "base/os/file.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/units.h"
#include "cli/held.h"
#include "cli/commands/run_crawl.h"
#include "cli/commands/watch.h"
#include "crawl/start/check.h"
#include "crawl/start/credentials.h"
#include "crawl/watch/digest.h"
#include "crawl/watch/mailer.h"
#include "crawl/watch/pass.h"
#include "crawl/watch/push.h"
#include "crawl/watch/webhook.h"
#include "parse/date.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define ONCE_TIME (600 * US_PER_S) /* of a pass that has no other limit */

#define AT(field) .offset = offsetof(struct watch_options, crawl.field)
#define ANY       1e15
#define OPTION_ROWS_FOR_WATCH

const struct option watch_option_table[] = {
#include "crawl/option_rows.inc"
#undef AT
#define AT(field) .offset = offsetof(struct watch_options, field)
    {DURATION_OPTION("max-age", max_age, "TIME", "1d", 0, 1e9), .group = "what is news",
     .help = "announce no document that is older than this (24h, 7d; 0: any)"},
    {TEXT_OPTION("since", since, "DATE|TIME"),
     .help = "announce no document from before this date (2026-11-15, 2026-11-15T08:00Z), or "
             "from before so long ago (3d)"},
    {CHOICE_OPTION("changes", changes, "none|dated|all", "dated"),
     .help = "also announce documents whose text changed: none, those with a date of their own, "
             "or all, lists and front pages too"},
    {TEXT_OPTION("feed", feed, "FILE"), .group = "announcements",
     .help = "keep an Atom feed of the newest announcements in this file"},
    {INT_OPTION("feed-entries", feed_entries, "N", "100", 1, LIMIT_NEWS_FEED),
     .help = "entries of the feed at most"},
    {TEXT_OPTION("webhook", webhook, "URL"),
     .help = "POST every announcement there, as JSON; tried again until it is taken",
     .secret = SECRET_URL},
    {TEXT_OPTION("webhook-secret-file", webhook_secret_file, "FILE"),
     .help = "sign what is posted with the secret in this file (X-Brood-Signature)"},
    {FLAG_OPTION("webhook-private", webhook_private),
     .help = "the webhook may be at a private address, though the pages may not"},
    {TEXT_OPTION("digest", digest, "HH:MM"),
     .help = "once a day, at this local time, send all announcements to --webhook and --mail"},
    {TEXT_OPTION("mail", mail, "ADDRESS"),
     .help = "send the digest to this mail address, by the local sendmail"},
    {TEXT_OPTION("sendmail", sendmail, "PROGRAM"), .fallback = "/usr/sbin/sendmail",
     .help = "the program that sends mail"},
    {FLAG_OPTION("without-secrets", without_secrets), .help = HELP_WITHOUT_SECRETS},
    {TEXT_OPTION("callback", callback, "URL"), .group = "hubs",
     .help = "subscribe to the hubs that feeds name (WebSub, rssCloud); they reach this watch at "
             "URL, which leads to --callback-listen"},
    {TEXT_OPTION("callback-listen", callback_listen, "[ADDR:]PORT"), .fallback = "127.0.0.1:8480",
     .help = "where hubs are answered; usually behind a proxy that has the public address"},
    {FLAG_OPTION("once", once), .group = "when",
     .help = "one pass over what is known, then stop (for cron); ten minutes at most unless "
             "--for, --pages or --bytes says otherwise"},
    {FLAG_OPTION("trust", trust), .help = HELP_TRUST},
    {TEXT_OPTION("quiet-hours", quiet_hours, "HH:MM-HH:MM"),
     .help = "make no requests at this time of the day (local time)"},
    {.name = NULL},
};

/* ---- the model ----------------------------------------------------------- */

static enum status check_model(const char *name)
{
    const struct model_ops *ops = model_find(str_of(name));
    LOCAL_BUF fit = BUF_INIT(1000);

    if (ops == NULL || model_watches(ops))
        return ST_OK; /* an unknown model is reported when it is made */
    for (const struct model_ops *const *m = model_registry(); *m; m++)
        if (model_watches(*m) && !(*m)->lab_only)
            buf_addf(&fit, "%s%s", fit.len ? ", " : "", (*m)->name);
    return status_fail(ST_USAGE, "the model '%s' looks at no page twice; those that do: %s", name,
                       fit.data);
}

static bool is_set(const struct text_list *set, struct str name)
{
    for (size_t i = 0; i < set->count; i++) {
        struct str rest = str_of(set->items[i]), key;

        if (str_cut(&rest, '=', &key) && str_eq(str_trim(key), name))
            return true;
    }
    return false;
}

static void offer(struct watch_options *o, const char *name, const char *value)
{
    const struct model_ops *ops = model_find(str_of(o->crawl.model));
    LOCAL_BUF text = BUF_INIT(200);

    if (ops == NULL || ops->options == NULL || option_find(ops->options, str_of(name)) == NULL ||
        is_set(&o->crawl.set, str_of(name)))
        return;
    buf_addf(&text, "%s=%s", name, value);
    text_list_add(&o->crawl.set, buf_str(&text));
}

/* A model that has these options gets the values of the watch, and never gives up. */
static void tell_model(struct watch_options *o)
{
    char text[40];

    offer(o, "patience", "0");
    (void)snprintf(text, sizeof text, "%g", o->crawl.relevant);
    offer(o, "relevant", text);
    (void)snprintf(text, sizeof text, "%llds", (long long)(o->max_age / US_PER_S));
    if (o->max_age > 0)
        offer(o, "max_age", text);
}

/* ---- the rest ------------------------------------------------------------ */

/* "3d" becomes the moment three days ago, once and for all. */
static enum status fix_since(struct watch_options *o, int64_t now)
{
    int64_t at, before;
    char text[CLOCK_TEXT];

    if (o->since == NULL || date_any(str_of(o->since), &at))
        return ST_OK;
    if (units_duration(str_of(o->since), &before) != ST_OK || before < 0)
        return status_fail(ST_USAGE,
                           "--since '%s' is neither a date (2026-11-15, 2026-11-15T08:00:00Z) nor "
                           "a time (12h, 3d)",
                           o->since);
    clock_format(now - before, 0, text);
    free(o->since);
    o->since = str_dup(str_of(text));
    return ST_OK;
}

static void check(struct invocation *in, struct watch_options *o, struct mistakes *ret)
{
    struct quiet quiet;

    run_crawl_check(in, &o->crawl, ret);
    if (o->quiet_hours && quiet_parse(str_of(o->quiet_hours), &quiet) != ST_OK)
        mistakes_note(ret, "quiet-hours", status_prefix(ST_USAGE, "--quiet-hours"));
    mistakes_note(ret, "since", fix_since(o, clock_now()));
}

static enum status check_feed(const char *path)
{
    LOCAL_HEAP char *folder = file_folder(path);
    struct stat there;
    enum status st = ST_OK;

    if (access(folder, W_OK | X_OK) != 0)
        st = status_fail(ST_USAGE, "--feed: %s: %s", folder, strerror(errno));
    else if (stat(path, &there) == 0 && S_ISDIR(there.st_mode))
        st = status_fail(ST_USAGE, "--feed: %s is a folder, not a file", path);
    return st;
}

static enum status check_digest(const struct watch_options *o)
{
    int minute;

    if (digest_parse(str_of(o->digest), &minute) != ST_OK)
        return status_prefix(ST_USAGE, "--digest");
    return o->mail || o->webhook
               ? ST_OK
               : status_fail(ST_USAGE, "--digest goes to --webhook or --mail, and "
                                       "neither is given");
}

static enum status check_mail(const struct watch_options *o)
{
    return o->digest
               ? mailer_check(o->sendmail, o->mail)
               : status_fail(ST_USAGE,
                             "--mail needs --digest HH:MM, the time of the day when mail is sent");
}

/* Is the option on the command line? */
static bool is_given(const struct text_list *given, const char *name)
{
    for (size_t i = 0; i < given->count; i++)
        if (strcmp(given->items[i], name) == 0)
            return true;
    return false;
}

/* It has a default, so only the command line shows whether the user wants it. */
static enum status check_listen(const struct text_list *given, const struct watch_options *o)
{
    return o->callback || !is_given(given, "callback-listen")
               ? ST_OK
               : status_fail(ST_USAGE, "--callback-listen is where hubs arrive that were told "
                                       "--callback, which is not given");
}

/* Mail is sent with the digest only, and so ends with it. */
static void end_mail(const struct text_list *given, struct watch_options *o)
{
    if (o->digest || !is_given(given, "digest") || is_given(given, "mail"))
        return;
    free(o->mail);
    o->mail = NULL;
}

/* Options that cannot work are reported before anything is made. */
static void check_outlets(const struct text_list *given, const struct watch_options *o,
                          struct mistakes *ret)
{
    bool private_too = o->webhook_private || o->crawl.allow_private;
    enum status st = ST_OK;

    if (o->feed)
        mistakes_note(ret, "feed", check_feed(o->feed));
    if (o->digest)
        mistakes_note(ret, "digest", check_digest(o));
    if (o->mail)
        mistakes_note(ret, "mail", check_mail(o));
    if (o->callback)
        mistakes_note(ret, "callback", push_check(o->callback));
    mistakes_note(ret, "callback-listen", check_listen(given, o));
    if (o->webhook)
        mistakes_note(ret, "webhook", webhook_check(o->webhook, private_too));
    if (o->webhook_secret_file && access(o->webhook_secret_file, R_OK) != 0)
        st = status_fail(ST_USAGE, "--webhook-secret-file: %s: %s", o->webhook_secret_file,
                         strerror(errno));
    else if (o->webhook_secret_file && o->webhook == NULL)
        st = status_fail(ST_USAGE, "--webhook-secret-file signs what is posted to --webhook, "
                                   "which is not given");
    mistakes_note(ret, "webhook-secret-file", st);
}

/* Checks a new watch. Mistakes are noted in the most useful order. */
static void watch_command_check(struct invocation *in, struct mistakes *ret)
{
    struct watch_options *o = in->options;

    check(in, o, ret);
    mistakes_note(ret, "model", check_model(o->crawl.model));
    if (o->crawl.words == NULL && o->crawl.topic.count == 0)
        mistakes_note(ret, "words",
                      status_fail(ST_USAGE,
                                  "%s%swhat is the topic? brood watch \"WORDS\" or --topic FILE",
                                  o->crawl.out ? o->crawl.out : "",
                                  o->crawl.out ? " has no watch to go on with: " : ""));
    check_outlets(&in->given, o, ret);
    crawl_check(&o->crawl, ret);
}

/* The child that runs sendmail is made first: later this process may not run programs. */
static enum status hold(struct watch_options *o)
{
    enum status st = o->mail ? mailer_open(o->sendmail, o->mail, &o->mailer) : ST_OK;

    o->crawl.listens = o->callback != NULL;
    held_crawl(&o->crawl, watch_option_table, &o->confine);
    if (o->crawl.confine && o->feed)
        held_beside(&o->confine, o->feed);
    return st;
}

static enum status begin(struct watch_options *o, struct crawl **ret)
{
    tell_model(o);
    TRY(hold(o));
    return crawl_new(&o->crawl, ret);
}

/* The directory of a watch holds no secrets: the user gives them again, or leaves them out. */
static enum status secrets_again(struct watch_options *o)
{
    TRY(credentials_again(&o->crawl, NULL, NULL, o->without_secrets));
    if (o->webhook == NULL || !secret_is_hidden(SECRET_URL, str_of(o->webhook)))
        return ST_OK;
    if (!o->without_secrets)
        return status_fail(ST_USAGE,
                           "secrets are not stored: give --webhook again (it was '%s'), or "
                           "--without-secrets to go on without it",
                           o->webhook);
    free(o->webhook);
    o->webhook = NULL;
    return ST_OK;
}

static enum status go_on(struct invocation *in, struct watch_options *o, struct crawl **ret)
{
    struct mistakes mistakes = {0};
    enum status st;

    check(in, o, &mistakes);
    st = mistakes_status(&mistakes);
    if (st == ST_OK)
        st = watch_restore(o->crawl.out, &in->given, o);
    end_mail(&in->given, o);
    if (st == ST_OK)
        st = secrets_again(o);
    if (st == ST_OK) {
        mistakes_note(&mistakes, "model", check_model(o->crawl.model));
        check_outlets(&in->given, o, &mistakes);
        st = mistakes_status(&mistakes);
    }
    mistakes_clear(&mistakes);
    if (st == ST_OK) {
        run_crawl_forget(&o->crawl);
        tell_model(o);
        st = hold(o);
    }
    if (st == ST_OK)
        st = crawl_resume(o->crawl.out, &o->crawl, ret);
    return st;
}

static int watch(struct invocation *in, struct watch_options *o)
{
    bool is_there = false;
    struct crawl *c = NULL;
    enum status st = ST_OK;

    watch_switch_off(o);
    o->crawl.no_index = true; /* a pass must not pay for it: `search` does it when first asked */
    if (o->crawl.out)
        st = watch_find(o->crawl.out, &is_there);
    if (st == ST_OK && !is_there)
        st = invocation_check(in);
    if (st == ST_OK)
        st = is_there ? go_on(in, o, &c) : begin(o, &c);
    if (st != ST_OK)
        return report_failure(st);
    if (o->once && o->crawl.duration == 0 && o->crawl.pages == 0 && o->crawl.bytes == 0)
        o->crawl.duration = ONCE_TIME;
    return watch_run(c, o);
}

static int watch_command(struct invocation *in)
{
    struct watch_options *o = in->options;
    int code = watch(in, o);

    mailer_close(o->mailer);
    free(o->crawl.topic_text); /* of an existing watch; not in the table */
    return code;
}

const struct command command_watch = {
    .name = "watch",
    TAKES("\"TOPIC\" --seed URL...", 0, 1),
    .summary = "announce what is new on a topic, until you stop it: JSON lines, a feed, a webhook",
    .details =
        "Visits pages again and again, politely, and announces every new document of the topic "
        "once: a JSON line on standard output, an entry of the feed, a POST to the webhook, a row "
        "of the table news in the results. Runs until it is stopped (Ctrl-C: 130, SIGTERM: 0); the "
        "same command goes on where it was, also after kill -9, without repeating itself. "
        "docs/watch.md says what counts as new.",
    .example = "brood watch \"solar energy\" --seed https://example.org/news/ --out solar --feed "
               "solar.xml --contact you@example.org\n"
               "  brood watch --out solar --once --quiet",
    OPTIONS(watch_option_table, struct watch_options),
    .not_taken = crawl_option_table,
    .run = watch_command,
    .check = watch_command_check,
};
