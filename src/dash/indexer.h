/* indexer.h - the thread that works ahead, so that a click finds everything ready.
 *
 * It opens the crawls and brings their views up to date (store/read/view.h) when the
 * dashboard begins and when one is found; then every few seconds while a browser shows them.
 * While none does and a crawl runs, it follows with a three-hundredth of the time, enough
 * for some hundred pages a second; a faster crawl is caught up with at the first click or
 * when it ends. And it feeds the index of words of a crawl that is searched and has none of
 * its own yet (store/read/view.h), for as long as searches come. All this is done in
 * slices of some 10 ms with a rest in between: a request waits for one slice.
 *
 * Tables of a view are memory: they are made for as many pages as WARM_PAGES says; the
 * other crawls have them from the first click on.
 */
#pragma once

#include "dash/crawls.h"

struct indexer {
    struct crawls *crawls;
    pthread_t thread;
    bool running;
    int stopping;                      /* atomic */
    int64_t due_at[LIMIT_DASH_CRAWLS]; /* when to look at each again; of the thread alone */
    bool passed[LIMIT_DASH_CRAWLS];    /* it was up to date once */
    uint64_t pages[LIMIT_DASH_CRAWLS]; /* that it had, of the first WARM_CRAWLS */
};

enum status indexer_start(struct indexer *x, struct crawls *crawls) MUST_USE;
void indexer_stop(struct indexer *x);
