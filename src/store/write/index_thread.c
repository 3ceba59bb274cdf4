/* index_thread.c - the thread that writes the full-text index while a crawl runs. See
 * index_thread.h.
 *
 * It waits until a hundredth of the pages is new, or until new pages have waited for LAG: each
 * batch leaves a segment, and the more segments there are, the more often a word is copied as they
 * are merged. So a page in a large crawl costs little more than in a small one.
 * SPDX-License-Identifier: MIT */
#include "store/write/index_thread.h"

#include "base/mem.h"
#include "store/write/index.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PAGES_LEAST 1000 /* enough for a batch at once … */
#define PAGES_MOST  8000 /* … in a large crawl */
#define LAG         3    /* seconds */

struct index_thread {
    struct index *index;
    pthread_t thread;
    pthread_mutex_t mutex; /* over what follows */
    pthread_cond_t news;
    uint64_t committed;
    bool stop; /* also read without the mutex; atomic */
};

static uint64_t worth(uint64_t done)
{
    uint64_t pages = done / 100;

    return pages < PAGES_LEAST ? PAGES_LEAST : pages < PAGES_MOST ? pages : PAGES_MOST;
}

/* Waits for work; returns false if the thread should end. */
static bool wait_for_pages(struct index_thread *x, uint64_t done, uint64_t *ret)
{
    struct timespec until;
    bool stop, late = false;

    (void)pthread_mutex_lock(&x->mutex);
    while (!x->stop && x->committed == done)
        (void)pthread_cond_wait(&x->news, &x->mutex);
    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += LAG;
    while (!x->stop && !late && x->committed - done < worth(done))
        late = pthread_cond_timedwait(&x->news, &x->mutex, &until) != 0;
    *ret = x->committed;
    stop = x->stop;
    (void)pthread_mutex_unlock(&x->mutex);
    return !stop;
}

/* A failure here is repeated, and reported, when the store is closed. */
static void *thread_main(void *ctx)
{
    struct index_thread *x = ctx;
    uint64_t done = 0, pages = 0;
    enum status st = ST_OK;

    (void)pthread_setname_np(pthread_self(), "index");
    while (st == ST_OK && wait_for_pages(x, done, &done))
        do
            st = index_step(x->index, &x->stop, &pages);
        while (st == ST_OK && pages > 0 && !__atomic_load_n(&x->stop, __ATOMIC_RELAXED));
    return NULL;
}

static void thread_free(struct index_thread *x)
{
    (void)pthread_cond_destroy(&x->news);
    (void)pthread_mutex_destroy(&x->mutex);
    index_close(x->index);
    free(x);
}

enum status index_thread_start(const char *dir, struct index_thread **ret)
{
    struct index_thread *x = MEM_NEW(struct index_thread);
    pthread_condattr_t attr;
    enum status st = index_open(dir, &x->index);
    int rc = 0;

    (void)pthread_mutex_init(&x->mutex, NULL);
    (void)pthread_condattr_init(&attr);
    (void)pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&x->news, &attr);
    (void)pthread_condattr_destroy(&attr);
    if (st == ST_OK)
        rc = pthread_create(&x->thread, NULL, thread_main, x);
    if (rc != 0)
        st = status_fail(ST_IO, "no thread for the full-text index: %s", strerror(rc));
    if (st == ST_OK)
        *ret = x;
    else
        thread_free(x);
    return st;
}

void index_thread_tell(struct index_thread *x, uint64_t committed)
{
    (void)pthread_mutex_lock(&x->mutex);
    if (x->committed != committed) {
        x->committed = committed;
        (void)pthread_cond_signal(&x->news);
    }
    (void)pthread_mutex_unlock(&x->mutex);
}

void index_thread_end(struct index_thread *x)
{
    if (x == NULL)
        return;
    (void)pthread_mutex_lock(&x->mutex);
    __atomic_store_n(&x->stop, true, __ATOMIC_RELAXED);
    (void)pthread_cond_signal(&x->news);
    (void)pthread_mutex_unlock(&x->mutex);
    (void)pthread_join(x->thread, NULL);
    thread_free(x);
}
