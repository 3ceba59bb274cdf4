/* watch_run.c - announcements to their outlets: lines, feed, webhook.
 *
 * An announcement leaves when it is committed, and is never taken back. Lines are printed
 * at once and once: what was committed in the moment of a kill and not printed is not
 * printed later (it is in the feed, at the webhook and in the table `news`). The feed is
 * made again from the database when a watch starts; the webhook reads from there.
 * SPDX-License-Identifier: MIT */
#include "cli/commands/watch_outlets.h"

#include "base/os/clock.h"
#include "base/os/file.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/os/log.h"
#include "base/mem.h"
#include "bus/bus.h"
#include "cli/command.h"
#include "cli/commands/run_crawl.h"
#include "crawl/identity.h"
#include "parse/date.h"
#include "text/topic.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SAMPLE_STEP (60 * US_PER_S) /* between rows of samples, at most … */
#define SAMPLES     100             /* … and at first the time so far : this */
#define LAST_WAIT   (10 * US_PER_S) /* for the webhook, when the watch ends */
#define LAST_LOOK   (20 * US_PER_MS)
#define SAID_STEP   (60 * US_PER_S) /* between two complaints about one outlet */

/* ---- saying -------------------------------------------------------------- */

void outlets_complain(struct outlets *x, int64_t now, const char *what, const char *why)
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
    outlets_complain(x, now, "the feed cannot be written", status_text());
}

static void pump(struct outlets *x, int64_t now)
{
    struct webhook_counts counts;

    if (x->webhook == NULL)
        return;
    (void)webhook_pump(x->webhook, x->options->digest ? x->digest.last : news_last(x->news), now);
    counts = webhook_counts(x->webhook);
    if (counts.failures + counts.refused > x->failures)
        outlets_complain(x, now, "webhook", counts.trouble);
    x->failures = counts.failures + counts.refused;
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
    outlets_tell_digest(x, s->now);
    pump(x, s->now);
    keep_quiet(x, s->now);
    outlets_hear_hubs(x, s->now);
    if (x->options->once && !x->over && (x->quiet_now || pass_is_over(&x->pass, busy, s->now))) {
        x->over = true;
        crawl_stop(x->crawl);
    }
}

/* ---- the end ------------------------------------------------------------- */

/* What is committed last is announced too; the webhook gets some seconds. */
static enum status on_end(void *ctx)
{
    struct outlets *x = ctx;
    int64_t until = clock_now() + LAST_WAIT;
    enum status st = crawl_settle(x->crawl);

    if (st != ST_OK)
        return st;
    outlets_close_hubs(x);
    announce(x, UINT64_MAX);
    write_feed(x, clock_now());
    outlets_tell_digest(x, clock_now());
    while (x->webhook &&
           webhook_pump(x->webhook, x->options->digest ? x->digest.last : news_last(x->news),
                        clock_now()) &&
           clock_now() < until && webhook_counts(x->webhook).trouble[0] == '\0')
        clock_sleep(LAST_LOOK);
    while (outlets_hear_mail(x, clock_now()) && clock_now() < until)
        clock_sleep(LAST_LOOK);
    if (x->options->mailer)
        st = crawl_settle(x->crawl);
    if (x->webhook) {
        st = crawl_settle(x->crawl); /* how far it got */
        x->counts = webhook_counts(x->webhook);
        webhook_free(x->webhook); /* nothing may read the database while it is closed */
        x->webhook = NULL;
    }
    return st == ST_OK && x->trouble[0] ? status_fail(ST_IO, "%s", x->trouble) : st;
}

static void on_summary(void *ctx, const struct crawl_status *s, const char *dir)
{
    const struct outlets *x = ctx;
    struct buf text = BUF_INIT(1000);

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
    buf_free(&text);
}

/* ---- the beginning ------------------------------------------------------- */

static enum status feed_row(void *ctx, const struct query_news *row)
{
    struct outlets *x = ctx;
    struct buf text = BUF_INIT(KIB(4));
    struct query *q = NULL;
    struct news_item item;
    enum status st = query_open(crawl_dir(x->crawl), &q);

    if (st == ST_OK) {
        item = news_of_row(q, row, &text);
        atom_add(x->feed, &item);
    }
    query_close(q);
    buf_free(&text);
    return st;
}

static enum status open_feed(struct outlets *x)
{
    const struct watch_options *o = x->options;
    struct buf title = BUF_INIT(KIB(4)), began = BUF_INIT(100);
    uint32_t last = news_last(x->news), most = (uint32_t)o->feed_entries;
    struct str topic = topic_source(crawl_topic(x->crawl)), first;
    struct query *q = NULL;
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
    query_close(q);
    buf_free(&title);
    buf_free(&began);
    return st;
}

static enum status open_webhook(struct outlets *x)
{
    const struct watch_options *o = x->options;
    struct buf secret = BUF_INIT(KIB(64));
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
    buf_free(&secret);
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
        st = outlets_open_digest(x);
    if (st == ST_OK && o->webhook)
        st = open_webhook(x);
    if (st == ST_OK && o->callback)
        st = outlets_open_hubs(x);
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
    outlets_close_hubs(&x);
    push_free(x.push);
    pass_clear(&x.pass);
    buf_free(&x.line);
    return code;
}
