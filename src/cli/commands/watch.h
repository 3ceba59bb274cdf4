/* watch.h - brood watch: its options, and its run.
 *
 *   watch.c         the table; a new watch, or one that goes on
 *   watch_resume.c  what a watch that is there was begun with
 *   watch_run.c     announcements to their outlets: lines, feed, webhook, mail; hubs
 */
#pragma once

#include "base/os/confine.h"
#include "crawl/crawl.h"

struct watch_options {
    struct crawl_options crawl; /* first: the table of a crawl fills it too */
    int64_t max_age;            /* us */
    char *since;                /* a date or a duration; kept as a date */
    int changes;                /* enum news_changes */
    char *feed;
    int64_t feed_entries;
    char *webhook, *webhook_secret_file;
    bool webhook_private, once, trust, without_secrets;
    char *callback, *callback_listen;
    char *digest, *mail, *sendmail;
    struct mailer *mailer; /* NULL: none; not in the table */
    char *quiet_hours;
    struct confine confine; /* how the process is confined; not in the table */
};

extern const struct option watch_option_table[];

/* ---- watch_resume.c ---- */

/* Is there a watch in the directory (true), or nothing that was begun (false)? ST_USAGE
 * where a crawl is there that is no watch. */
enum status watch_find(const char *dir, bool *ret) MUST_USE;

/* An empty value (--digest '') switches off what an earlier run was given. */
void watch_switch_off(struct watch_options *o);

/* An option that is not given has its value of when the watch was last started, limits apart.
 * `given`: names of the options on the command line. ST_USAGE where topic, model or
 * seeds are others. */
enum status watch_restore(const char *dir, const struct text_list *given,
                          struct watch_options *o) MUST_USE;

/* The crawl is a watch; then: with these options, for the next time. */
void watch_mark(struct crawl *c);
void watch_keep(struct crawl *c, const struct watch_options *o);

/* ---- watch_run.c ---- */

/* Runs it until it is stopped and closes it; the exit code. `since`: us, 0: any. */
int watch_run(struct crawl *c, const struct watch_options *o);
