/* run_crawl.h - what `crawl`, `resume` and `watch` have in common: signals, progress,
 * JSON lines, the summary, the exit code. */
#pragma once

#include "crawl/crawl.h"

/* Help of options that `resume`, `retry` and `watch` have. */
#define HELP_WITHOUT_SECRETS "go on without the secrets that you do not give again"
#define HELP_TRUST           "accept stored options that lower a guard, though another user chose them"

struct invocation;
struct mistakes;

/* Checks words, contact and dashboard. The topic's words are the first argument. */
void run_crawl_check(struct invocation *in, struct crawl_options *o, struct mistakes *ret);

/* Leaves out stored settings of options that only an older version of the model had, and prints a
 * line about it. */
void run_crawl_forget(struct crawl_options *o);

/* Runs a crawl to its end and closes it. Returns the exit code. */
int run_crawl(struct crawl *c, const struct crawl_options *o);

/* Additional calls for `watch`. */
struct run_hooks {
    void *ctx;
    void (*tick)(void *ctx, const struct crawl_status *s); /* some five times a second */
    enum status (*ended)(void *ctx);                       /* before the crawl is closed */
    void (*summary)(void *ctx, const struct crawl_status *s, const char *dir);
};
/* *ret_signal gets the signal that stopped it; 0 if there was none. */
int run_crawl_with(struct crawl *c, const struct crawl_options *o, const struct run_hooks *hooks,
                   int *ret_signal);
