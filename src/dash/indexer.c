/* indexer.c - the thread that works ahead. See indexer.h. SPDX-License-Identifier: MIT */
#include "dash/indexer.h"

#include "base/os/clock.h"
#include "base/limits.h"

#define SLICE       (10 * US_PER_MS)
#define REST        (4 * US_PER_MS)
#define IDLE        (100 * US_PER_MS)
#define SCAN_EVERY  (5 * US_PER_S)
#define WARM_EVERY  (5 * US_PER_S)
#define WARM_SHARE  300             /* of the time, for a running crawl that no browser shows */
#define ASKED_SINCE (60 * US_PER_S) /* after the last search an index is fed so long */
#define WARM_CRAWLS 64              /* of the list; each has files open */
#define WARM_PAGES  500000          /* in tables made ahead, of all crawls together */

static bool is_stopping(struct indexer *x)
{
    return __atomic_load_n(&x->stopping, __ATOMIC_RELAXED);
}

/* Is there memory for the tables of the i-th as well? */
static bool has_room(const struct indexer *x, size_t i)
{
    uint64_t sum = 0;

    for (size_t k = 0; k <= i; k++)
        sum += x->pages[k];
    return sum <= WARM_PAGES;
}

static bool warm(struct indexer *x, size_t i, struct dash_crawl *c)
{
    int64_t began = clock_now(), pause;
    bool more, hurry = false;

    if (i >= WARM_CRAWLS || began < x->due_at[i])
        return false;
    more = crawl_warm(c, has_room(x, i), &x->pages[i], &hurry);
    if (more && (hurry || !x->passed[i]))
        return true;
    x->passed[i] = x->passed[i] || !more;
    pause = hurry ? 0 : (clock_now() - began) * WARM_SHARE;
    x->due_at[i] = began + (pause > WARM_EVERY ? pause : WARM_EVERY);
    return false;
}

static bool feed(struct dash_crawl *c)
{
    struct word_index *text = crawl_text(c, clock_now() - ASKED_SINCE);
    bool more = false;

    if (text && word_index_feed(text, SLICE, &more) != ST_OK)
        more = false;
    word_index_release(text);
    return more;
}

/* One slice for each crawl that needs one. True: some need more. */
static bool work(struct indexer *x)
{
    struct dash_crawl *c;
    bool more = false;

    for (size_t i = 0; (c = crawls_at(x->crawls, i)) != NULL && !is_stopping(x); i++) {
        bool worked = warm(x, i, c);

        worked = feed(c) || worked;
        if (worked)
            clock_sleep(REST);
        more = more || worked;
    }
    return more;
}

static void *run(void *ctx)
{
    struct indexer *x = ctx;
    int64_t scanned_at = clock_now();

    while (!is_stopping(x)) {
        if (clock_now() - scanned_at >= SCAN_EVERY) {
            crawls_scan(x->crawls, true);
            scanned_at = clock_now();
        }
        if (!work(x))
            clock_sleep(IDLE);
    }
    return NULL;
}

enum status indexer_start(struct indexer *x, struct crawls *crawls)
{
    x->crawls = crawls;
    x->running = pthread_create(&x->thread, NULL, run, x) == 0;
    return x->running ? ST_OK : status_fail(ST_IO, "the dashboard's thread does not start");
}

void indexer_stop(struct indexer *x)
{
    __atomic_store_n(&x->stopping, 1, __ATOMIC_RELAXED);
    if (x->running)
        (void)pthread_join(x->thread, NULL);
    x->running = false;
}
