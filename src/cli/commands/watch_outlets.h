/* watch_outlets.h - where announcements go, and what else a watch does beside crawling. Private to
 * watch_run.c, watch_digest.c and watch_hubs.c. */
#pragma once

#include "cli/commands/watch.h"
#include "crawl/watch/atom.h"
#include "crawl/watch/pass.h"
#include "crawl/watch/push.h"
#include "crawl/watch/webhook.h"

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
    bool deaf;          /* nobody reads standard output any more */
    uint64_t announced; /* in this run */
    uint64_t failures;  /* of the webhook, when it was last complained about */
    int64_t said_at;    /* when an outlet was last complained about */
    int64_t feed_at;    /* a feed that could not be written is tried again then */
    char trouble[400];  /* what stops the watch; empty: nothing */
    struct buf line;
    struct webhook_counts counts; /* when it ended */
};

/* What an outlet says went wrong: in the log, and on standard error once a minute. */
void outlets_complain(struct outlets *x, int64_t now, const char *what, const char *why);

/* ---- watch_digest.c: once a day ---- */

enum status outlets_open_digest(struct outlets *x) MUST_USE;
void outlets_tell_digest(struct outlets *x, int64_t now);
/* Hears of the mail under way. True: it still is. */
bool outlets_hear_mail(struct outlets *x, int64_t now);

/* ---- watch_hubs.c: --callback ---- */

enum status outlets_open_hubs(struct outlets *x) MUST_USE;
void outlets_hear_hubs(struct outlets *x, int64_t now);
void outlets_close_hubs(struct outlets *x); /* what was counted stays in x->push */
