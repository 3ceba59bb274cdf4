/* watch.h - brood watch: its options, and its run.
 *
 *   watch.c         the table of options; starts or resumes a watch
 *   watch_resume.c  the options with which an existing watch was begun
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

/* Is there a watch in the directory (true), or was none begun (false)? ST_USAGE if it has a crawl
 * that is not a watch. */
enum status watch_find(const char *dir, bool *ret) MUST_USE;

/* Clears options with an empty value (--digest ''), which switches off the value of an earlier
 * run. */
void watch_switch_off(struct watch_options *o);

/* Sets options that are not given, except limits, to their values when the watch was last started.
 * `given`: names of the options on the command line. ST_USAGE if topic, model or seeds differ. */
enum status watch_restore(const char *dir, const struct text_list *given,
                          struct watch_options *o) MUST_USE;

/* watch_mark() stores that the crawl is a watch; the other function stores its options for the next
 * time. */
void watch_mark(struct crawl *c);
void watch_keep(struct crawl *c, const struct watch_options *o);

/* ---- watch_run.c ---- */

/* Runs a watch until it is stopped, and closes it. Returns the exit code. */
int watch_run(struct crawl *c, const struct watch_options *o);
