/* watch_run.c - sends announcements to their outlets (lines, feed, webhook, mail), and talks to
 * hubs.
 *
 * An announcement is sent when it is committed, and is never withdrawn. Lines are printed
 * immediately and once: a line that was committed but not printed at the moment of a kill is not
 * printed later (it is in the feed, at the webhook and in the table `news`). The feed is made again
 * from the database when a watch starts; the webhook reads from there.
 * SPDX-License-Identifier: MIT */
#include "cli/commands/watch.h"

#include "base/os/clock.h"
#include "base/os/file.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/os/log.h"
#include "bus/bus.h"
#include "cli/command.h"
#include "cli/commands/run_crawl.h"
#include "crawl/identity.h"
#include "crawl/watch/atom.h"
#include "crawl/watch/digest.h"
#include "crawl/watch/mailer.h"
#include "crawl/watch/pass.h"
#include "crawl/watch/prompt.h"
#include "crawl/watch/push.h"
#include "crawl/watch/webhook.h"
#include "dash/callback.h"
#include "parse/date.h"
#include "text/topic.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>

#define DIGEST_KEY  "watch.digested" /* when the last one was made; "watch.digest" is the option */
#define MAILED_KEY  "watch.mailed"   /* the last announcement that was mailed */
#define MAIL_STEP   (600 * US_PER_S) /* after a failure */
#define SAMPLE_STEP (60 * US_PER_S)  /* between rows of samples, at most … */
#define SAMPLES     100              /* … and at first the time so far : this */
#define LAST_WAIT   (10 * US_PER_S)  /* for the webhook, when the watch ends */
#define LAST_LOOK   (20 * US_PER_MS)
#define SAID_STEP   (60 * US_PER_S) /* between two complaints about one outlet */

struct outlets {
    struct crawl *crawl;
    const struct watch_options *options;
    struct news *news;
    struct atom *feed;       /* NULL: none */
    struct webhook *webhook; /* NULL: none */
    struct push *push;       /* NULL: hubs are not asked */
    struct callback *callback;
    struct quiet quiet;
    struct {
        int minute;       /* of the day */
        int64_t at;       /* when the last one was made */
        uint32_t last;    /* announcement in it */
        uint32_t mailed;  /* the last one that was mailed */
        uint32_t mailing; /* the last one in the mail under way; 0: none is */
        int64_t mail_at;  /* not before */
    } digest;
    struct pass pass;
    bool quiet_now;     /* said so */
    bool over;          /* the pass: we stopped it ourselves */
    bool deaf;          /* the reader of standard output has gone */
    uint64_t announced; /* in this run */
    uint64_t failures;  /* of the webhook, when it was last complained about */
    int64_t said_at;    /* when an outlet was last complained about */
    int64_t feed_at;    /* a feed that could not be written is tried again then */
    char trouble[400];  /* what stops the watch; empty: nothing */
    struct buf line;
    struct webhook_counts counts; /* when it ended */
};

/* ---- saying -------------------------------------------------------------- */

/* Reports the failure of an outlet: in the log, and at most once a minute on standard error. */
static void complain(struct outlets *x, int64_t now, const char *what, const char *why)
{
    log_line(crawl_log(x->crawl), LOG_WARN, now, "%s: %s", what, why);
    if (now - x->said_at < SAID_STEP)
        return;
    x->said_at = now;
    report_say("brood: %s: %s\n", what, why);
}

/* ---- outlets ------------------------------------------------------------- */

static void print_line(struct outlets *x, const struct news_item *item)
{
    buf_clear(&x->line);
    news_json(item, &x->line);
    buf_add_char(&x->line, '\n');
    if (fwrite(x->line.data, 1, x->line.len, stdout) == x->line.len && fflush(stdout) == 0)
        return;
    if (!x->deaf) { /* as with Ctrl-C, but with a sentence */
        (void)snprintf(x->trouble, sizeof x->trouble, "standard output: %s", strerror(errno));
        crawl_stop(x->crawl);
    }
    x->deaf = true;
}

static void announce(struct outlets *x, uint64_t committed)
{
    struct news_item item;

    while (!x->deaf && news_take(x->news, committed, &item)) {
        print_line(x, &item);
        if (x->feed)
            atom_add(x->feed, &item);
        x->announced++;
    }
}

static void write_feed(struct outlets *x, int64_t now)
{
    if (x->feed == NULL || now < x->feed_at || atom_write(x->feed, now) == ST_OK)
        return;
    x->feed_at = now + US_PER_S;
    complain(x, now, "the feed cannot be written", status_text());
}

static void pump(struct outlets *x, int64_t now)
{
    struct webhook_counts counts;

    if (x->webhook == NULL)
        return;
    (void)webhook_pump(x->webhook, x->options->digest ? x->digest.last : news_last(x->news), now);
    counts = webhook_counts(x->webhook);
    if (counts.failures + counts.refused > x->failures)
        complain(x, now, "webhook", counts.trouble);
    x->failures = counts.failures + counts.refused;
}

/* ---- once a day: webhook and mail ----------------------------------------
 *
 * The database notes what was sent only after the receiver has accepted it, so a digest may come
 * twice after a kill. */

static void keep_number(struct outlets *x, const char *key, int64_t number, int64_t now)
{
    struct event e = {.kind = EVENT_KEY, .at = now, .key = {.name = str_of(key)}};
    char text[24];

    (void)snprintf(text, sizeof text, "%lld", (long long)number);
    e.key.value = str_of(text);
    bus_post(crawl_bus(x->crawl), &e);
}

static uint64_t kept_number(struct query *q, const char *key)
{
    LOCAL_BUF text = BUF_INIT(100);
    uint64_t number = 0;

    if (query_key(q, key, &text) != ST_OK || !str_to_u64(buf_str(&text), &number))
        number = 0;
    return number;
}

/* A new watch has nothing to report from before its beginning. */
static enum status open_digest(struct outlets *x)
{
    LOCAL_QUERY *q = NULL;
    int64_t now = clock_now();

    TRY(digest_parse(str_of(x->options->digest), &x->digest.minute));
    TRY(query_open(crawl_dir(x->crawl), &q));
    x->digest.at = (int64_t)kept_number(q, DIGEST_KEY);
    x->digest.mailed = (uint32_t)kept_number(q, MAILED_KEY);
    if (x->digest.at == 0) {
        x->digest.at = now;
        keep_number(x, DIGEST_KEY, now, now);
    }
    return ST_OK;
}

static void mail_digest(struct outlets *x, int64_t now)
{
    LOCAL_BUF mail = BUF_INIT(LIMIT_MAIL);
    struct str topic = topic_source(crawl_topic(x->crawl)), first = STR("");
    LOCAL_QUERY *q = NULL;
    enum status st = query_open(crawl_dir(x->crawl), &q);

    (void)str_cut(&topic, '\n', &first);
    buf_addf(&mail, "To: %s\n", x->options->mail);
    if (st == ST_OK)
        st = digest_mail(q, x->digest.mailed, x->digest.last, first, &mail, &x->digest.mailing);
    if (st == ST_MISSING)
        x->digest.mailed = x->digest.last;
    else if (st == ST_OK && !mailer_send(x->options->mailer, buf_str(&mail)))
        st = status_fail(ST_IO, "the mail could not be passed to sendmail");
    if (st != ST_OK && st != ST_MISSING) {
        x->digest.mail_at = now + MAIL_STEP;
        complain(x, now, "mail", status_text());
    }
}

/* Checks the mail under way. Returns true if it still is. */
static bool hear_mail(struct outlets *x, int64_t now)
{
    enum mailer_state went;

    if (x->options->mailer == NULL)
        return false;
    went = mailer_take(x->options->mailer);
    if (went == MAILER_SENT) {
        x->digest.mailed = x->digest.mailing;
        keep_number(x, MAILED_KEY, x->digest.mailed, now);
    } else if (went == MAILER_FAILED) {
        x->digest.mail_at = now + MAIL_STEP;
        complain(x, now, "mail", "sendmail did not accept the mail; it is tried again later");
    }
    if (went != MAILER_NONE)
        x->digest.mailing = 0;
    return x->digest.mailing != 0;
}

static void tell_digest(struct outlets *x, int64_t now)
{
    if (x->options->digest == NULL)
        return;
    if (digest_is_due(x->digest.minute, x->digest.at, now)) {
        x->digest.at = now;
        x->digest.last = news_last(x->news);
        keep_number(x, DIGEST_KEY, now, now);
    }
    if (x->options->mailer == NULL)
        return;
    if (!hear_mail(x, now) && x->digest.mailed < x->digest.last && now >= x->digest.mail_at)
        mail_digest(x, now);
}

/* ---- hubs that say when a feed changed, and the server that they reach ---- */

#ifdef BROOD_DASH
static enum status open_hubs(struct outlets *x)
{
    const struct watch_options *o = x->options;

    TRY(push_new(o->callback, &o->crawl, false, &x->push));
    TRY(callback_open(o->callback_listen, x->push, &x->callback));
    bus_join(crawl_bus(x->crawl), push_event, x->push);
    if (!o->crawl.quiet)
        report_say("waiting for hubs at port %d\n", callback_port(x->callback));
    return ST_OK;
}

/* Closes the hubs; the counts stay in x->push. */
static void close_hubs(struct outlets *x)
{
    callback_close(x->callback); /* first: it uses x->push */
    x->callback = NULL;
}

static void sweep_callback(struct outlets *x)
{
    callback_sweep(x->callback);
}
#else
static enum status open_hubs(struct outlets *x)
{
    (void)x;
    return status_fail(ST_USAGE, "--callback: this brood was built without a server: "
                                 "libmicrohttpd was missing");
}

static void close_hubs(struct outlets *x)
{
    (void)x;
}

static void sweep_callback(struct outlets *x)
{
    (void)x;
}
#endif

/* In quiet hours no request is sent, and messages of hubs wait. */
static void hear_hubs(struct outlets *x, int64_t now)
{
    LOCAL_BUF url = BUF_INIT(LIMIT_URL + 1);

    if (x->push == NULL || x->quiet_now)
        return;
    sweep_callback(x);
    push_pump(x->push, now);
    while (push_take(x->push, now, &url)) {
        if (prompts_look(x->crawl, buf_str(&url)))
            log_line(crawl_log(x->crawl), LOG_INFO, now, "a hub says that %.*s changed",
                     STR_ARG(buf_str(&url)));
        buf_clear(&url);
    }
}

/* ---- time ---------------------------------------------------------------- */

static void keep_quiet(struct outlets *x, int64_t now)
{
    int64_t until = quiet_until(&x->quiet, now);
    char text[CLOCK_TEXT];

    crawl_pause(x->crawl, until);
    if ((until != 0) == x->quiet_now)
        return;
    x->quiet_now = until != 0;
    clock_format(until, 0, text);
    log_line(crawl_log(x->crawl), LOG_INFO, now, until ? "quiet until %s" : "quiet hours are over",
             text);
    if (!x->options->crawl.quiet && until)
        report_say("brood: quiet hours: nothing is asked for until %s\n", text);
}

/* A row a second while there is nothing to see yet, a row a minute after two hours: some
 * 500 rows more than always a minute. */
static int64_t sample_step(int64_t elapsed)
{
    int64_t step = elapsed / SAMPLES;

    return step < US_PER_S ? US_PER_S : step > SAMPLE_STEP ? SAMPLE_STEP : step;
}

static void on_tick(void *ctx, const struct crawl_status *s)
{
    struct outlets *x = ctx;
    bool busy = s->waiting + s->in_flight > 0;

    crawl_sample_every(x->crawl, sample_step(s->elapsed));
    announce(x, s->committed);
    write_feed(x, s->now);
    tell_digest(x, s->now);
    pump(x, s->now);
    keep_quiet(x, s->now);
    hear_hubs(x, s->now);
    if (x->options->once && !x->over && (x->quiet_now || pass_is_over(&x->pass, busy, s->now))) {
        x->over = true;
        crawl_stop(x->crawl);
    }
}

/* ---- the end ------------------------------------------------------------- */

/* Announces the last commit too; the webhook gets some seconds. */
static enum status on_end(void *ctx)
{
    struct outlets *x = ctx;
    int64_t until = clock_now() + LAST_WAIT;
    enum status st = crawl_settle(x->crawl);

    if (st != ST_OK)
        return st;
    close_hubs(x);
    announce(x, UINT64_MAX);
    write_feed(x, clock_now());
    tell_digest(x, clock_now());
    while (x->webhook &&
           webhook_pump(x->webhook, x->options->digest ? x->digest.last : news_last(x->news),
                        clock_now()) &&
           clock_now() < until && webhook_counts(x->webhook).trouble[0] == '\0')
        clock_sleep(LAST_LOOK);
    while (hear_mail(x, clock_now()) && clock_now() < until)
        clock_sleep(LAST_LOOK);
    if (x->options->mailer)
        st = crawl_settle(x->crawl);
    if (x->webhook) {
        st = crawl_settle(x->crawl); /* commits how far the outlets got */
        x->counts = webhook_counts(x->webhook);
        webhook_free(x->webhook); /* nothing may read the database while it is closed */
        x->webhook = NULL;
    }
    return st == ST_OK && x->trouble[0] ? status_fail(ST_IO, "%s", x->trouble) : st;
}

static void on_summary(void *ctx, const struct crawl_status *s, const char *dir)
{
    const struct outlets *x = ctx;
    LOCAL_BUF text = BUF_INIT(1000);

    report_count(&text, x->announced, "document");
    buf_addf(&text, " announced, %llu pages and versions known", (unsigned long long)s->pages);
    if (x->options->webhook)
        buf_addf(&text, "; webhook: %llu taken, %llu refused, %u waiting",
                 (unsigned long long)x->counts.sent, (unsigned long long)x->counts.refused,
                 x->counts.waiting);
    if (x->push) {
        struct push_counts c = push_counts(x->push);

        buf_addf(&text, "; hubs: %u of %u feeds, %llu messages, %llu refused", c.active, c.topics,
                 (unsigned long long)c.told, (unsigned long long)c.refused);
    }
    report_say("%.*s: %s\nto go on: brood watch --out %s\n", STR_ARG(buf_str(&text)),
               x->over ? "the pass is over" : crawl_end_sentence(s->end), dir);
}

/* ---- the beginning ------------------------------------------------------- */

static enum status feed_row(void *ctx, const struct query_news *row)
{
    struct outlets *x = ctx;
    LOCAL_BUF text = BUF_INIT(KIB(4));
    LOCAL_QUERY *q = NULL;
    struct news_item item;

    TRY(query_open(crawl_dir(x->crawl), &q));
    item = news_of_row(q, row, &text);
    atom_add(x->feed, &item);
    return ST_OK;
}

static enum status open_feed(struct outlets *x)
{
    const struct watch_options *o = x->options;
    LOCAL_BUF title = BUF_INIT(KIB(4)), began = BUF_INIT(100);
    uint32_t last = news_last(x->news), most = (uint32_t)o->feed_entries;
    struct str topic = topic_source(crawl_topic(x->crawl)), first;
    LOCAL_QUERY *q = NULL;
    enum status st = query_open(crawl_dir(x->crawl), &q);

    if (st == ST_OK && query_key(q, "started_at", &began) != ST_OK)
        buf_add_z(&began, crawl_dir(x->crawl));
    if (st == ST_OK) {
        (void)str_cut(&topic, '\n', &first);
        buf_addf(&title, "new on %.*s", STR_ARG(str_sub(first, 0, 200)));
        x->feed = atom_new(o->feed, buf_str(&title), STR(BROOD_SOFTWARE),
                           hash_str(buf_str(&began)) ^ hash_str(first), most);
        st = query_news(q, last > most ? last - most : 0, most, feed_row, x);
    }
    if (st == ST_OK)
        st = atom_write(x->feed, clock_now());
    if (st != ST_OK)
        st = status_prefix(ST_USAGE, "--feed");
    return st;
}

static enum status open_webhook(struct outlets *x)
{
    const struct watch_options *o = x->options;
    LOCAL_BUF secret = BUF_INIT(KIB(64));
    enum status st = ST_OK;

    if (o->webhook_secret_file) {
        st = file_read(o->webhook_secret_file, &secret);
        if (st != ST_OK)
            st = status_prefix(ST_USAGE, "--webhook-secret-file");
    }
    if (st == ST_OK)
        st = webhook_new(&(struct webhook_config){.url = o->webhook,
                                                  .secret = str_trim(buf_str(&secret)),
                                                  .digest = o->digest != NULL,
                                                  .private_too = o->webhook_private,
                                                  .options = &o->crawl,
                                                  .dir = crawl_dir(x->crawl),
                                                  .bus = crawl_bus(x->crawl)},
                         &x->webhook);
    return st;
}

static enum status outlets_open(struct outlets *x)
{
    const struct watch_options *o = x->options;
    struct news_rules rules = {.max_age = o->max_age,
                               .relevant = o->crawl.relevant,
                               .changes = (enum news_changes)o->changes};
    enum status st;

    watch_mark(x->crawl);
    if (o->since)
        (void)date_any(str_of(o->since), &rules.since);
    if (o->quiet_hours)
        (void)!quiet_parse(str_of(o->quiet_hours), &x->quiet);
    st = crawl_settle(x->crawl); /* from here on it is a watch */
    if (st == ST_OK)
        st = news_open(&rules, crawl_bus(x->crawl), crawl_dir(x->crawl), &x->news);
    if (st == ST_OK)
        st = crawl_count_looks(x->crawl);
    if (st == ST_OK && o->feed)
        st = open_feed(x);
    if (st == ST_OK && o->digest)
        st = open_digest(x);
    if (st == ST_OK && o->webhook)
        st = open_webhook(x);
    if (st == ST_OK && o->callback)
        st = open_hubs(x);
    if (st == ST_OK)
        watch_keep(x->crawl, o);
    bus_join(crawl_bus(x->crawl), pass_event, &x->pass);
    return st;
}

/* Stopping is the normal end of a watch: SIGTERM and a pass that is over are 0; Ctrl-C is
 * 130, as of every command. */
static int exit_of(const struct outlets *x, int code, int number)
{
    return code == EXIT_INTERRUPTED && (x->over || number == SIGTERM) ? EXIT_DONE : code;
}

int watch_run(struct crawl *c, const struct watch_options *o)
{
    struct outlets x = {.crawl = c, .options = o, .line = BUF_INIT(KIB(256))};
    struct run_hooks hooks = {&x, on_tick, on_end, on_summary};
    int code, number = 0;
    enum status st;

    pass_init(&x.pass);
    st = outlets_open(&x);
    if (st == ST_OK) {
        keep_quiet(&x, clock_now());
        code = run_crawl_with(c, &o->crawl, &hooks, &number);
        code = exit_of(&x, code, number);
    } else {
        code = report_failure(st);
        (void)!crawl_close(c, NULL, NULL);
    }
    news_close(x.news);
    atom_free(x.feed);
    webhook_free(x.webhook);
    close_hubs(&x);
    push_free(x.push);
    pass_clear(&x.pass);
    buf_free(&x.line);
    return code;
}
