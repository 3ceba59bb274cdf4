/* watch_digest.c - announcements once a day, to the webhook and as a mail.
 *
 * The database notes what was sent only after the receiver has accepted it, so a digest may come
 * twice after a kill.
 * SPDX-License-Identifier: MIT */
#include "cli/commands/watch_outlets.h"

#include "base/limits.h"
#include "base/os/clock.h"
#include "bus/bus.h"
#include "crawl/watch/digest.h"
#include "crawl/watch/mailer.h"
#include "text/topic.h"

#include <stdio.h>

#define DIGEST_KEY "watch.digested" /* when the last one was made; "watch.digest" is the option */
#define MAILED_KEY "watch.mailed"   /* the last announcement that was mailed */
#define MAIL_STEP  (600 * US_PER_S) /* after a failure */

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
    struct buf text = BUF_INIT(100);
    uint64_t number = 0;

    if (query_key(q, key, &text) != ST_OK || !str_to_u64(buf_str(&text), &number))
        number = 0;
    buf_free(&text);
    return number;
}

/* A new watch has nothing to report from before its beginning. */
enum status outlets_open_digest(struct outlets *x)
{
    struct query *q = NULL;
    int64_t now = clock_now();
    enum status st = digest_parse(str_of(x->options->digest), &x->digest.minute);

    if (st == ST_OK)
        st = query_open(crawl_dir(x->crawl), &q);
    if (st != ST_OK)
        return st;
    x->digest.at = (int64_t)kept_number(q, DIGEST_KEY);
    x->digest.mailed = (uint32_t)kept_number(q, MAILED_KEY);
    if (x->digest.at == 0) {
        x->digest.at = now;
        keep_number(x, DIGEST_KEY, now, now);
    }
    query_close(q);
    return ST_OK;
}

static void mail_digest(struct outlets *x, int64_t now)
{
    struct buf mail = BUF_INIT(LIMIT_MAIL);
    struct str topic = topic_source(crawl_topic(x->crawl)), first = STR("");
    struct query *q = NULL;
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
        outlets_complain(x, now, "mail", status_text());
    }
    query_close(q);
    buf_free(&mail);
}

bool outlets_hear_mail(struct outlets *x, int64_t now)
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
        outlets_complain(x, now, "mail",
                         "sendmail did not accept the mail; it is tried again later");
    }
    if (went != MAILER_NONE)
        x->digest.mailing = 0;
    return x->digest.mailing != 0;
}

void outlets_tell_digest(struct outlets *x, int64_t now)
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
    if (!outlets_hear_mail(x, now) && x->digest.mailed < x->digest.last && now >= x->digest.mail_at)
        mail_digest(x, now);
}
