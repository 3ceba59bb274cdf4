/* queue.c - a bounded queue of pointers between threads: a ring under a mutex.
 *
 * At some thousand items a second a lock costs nothing measurable; a lock-free
 * ring would buy nothing and could not block. A waiting thread is woken after
 * the lock is released; otherwise it would wake up only to wait for the lock.
 * SPDX-License-Identifier: MIT */
#include "base/os/queue.h"

#include "base/mem.h"
#include "base/ring.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

struct queue {
    pthread_mutex_t lock;
    pthread_cond_t not_empty, not_full;
    struct ring items; /* void *, oldest first */
    size_t capacity;
    bool closed;
    bool poked; /* a taker must return even without an item */
};

struct queue *queue_new(size_t capacity)
{
    struct queue *q = MEM_NEW(struct queue);
    pthread_condattr_t attr;

    q->capacity = capacity ? capacity : 1;
    pthread_mutex_init(&q->lock, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&q->not_empty, &attr);
    pthread_cond_init(&q->not_full, &attr);
    pthread_condattr_destroy(&attr);
    return q;
}

void queue_free(struct queue *q)
{
    if (q == NULL)
        return;
    pthread_cond_destroy(&q->not_empty);
    pthread_cond_destroy(&q->not_full);
    pthread_mutex_destroy(&q->lock);
    ring_free(&q->items);
    free(q);
}

bool queue_add(struct queue *q, void *item)
{
    bool ok;

    pthread_mutex_lock(&q->lock);
    while (!q->closed && q->items.count == q->capacity)
        pthread_cond_wait(&q->not_full, &q->lock);
    ok = !q->closed;
    if (ok)
        *RING_ADD(&q->items, void *) = item;
    pthread_mutex_unlock(&q->lock);
    if (ok)
        pthread_cond_signal(&q->not_empty);
    return ok;
}

static void wait_for_item(struct queue *q, int64_t wait_us)
{
    struct timespec until;

    if (wait_us > 0) {
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_sec += wait_us / 1000000;
        until.tv_nsec += (wait_us % 1000000) * 1000;
        if (until.tv_nsec >= 1000000000) {
            until.tv_nsec -= 1000000000;
            until.tv_sec++;
        }
    }
    while (q->items.count == 0 && !q->closed && !q->poked) {
        if (wait_us < 0)
            pthread_cond_wait(&q->not_empty, &q->lock);
        else if (pthread_cond_timedwait(&q->not_empty, &q->lock, &until) != 0)
            break;
    }
    q->poked = false;
}

size_t queue_take(struct queue *q, void **ret_items, size_t max, int64_t wait_us)
{
    size_t n = 0;

    pthread_mutex_lock(&q->lock);
    if (q->items.count == 0 && wait_us != 0)
        wait_for_item(q, wait_us);
    while (n < max && q->items.count > 0)
        ret_items[n++] = *RING_TAKE(&q->items, void *);
    pthread_mutex_unlock(&q->lock);
    if (n > 0)
        pthread_cond_broadcast(&q->not_full);
    return n;
}

void queue_poke(struct queue *q)
{
    pthread_mutex_lock(&q->lock);
    q->poked = true;
    pthread_mutex_unlock(&q->lock);
    pthread_cond_signal(&q->not_empty);
}

void queue_close(struct queue *q)
{
    pthread_mutex_lock(&q->lock);
    q->closed = true;
    pthread_cond_broadcast(&q->not_empty);
    pthread_cond_broadcast(&q->not_full);
    pthread_mutex_unlock(&q->lock);
}

size_t queue_count(struct queue *q)
{
    size_t n;

    pthread_mutex_lock(&q->lock);
    n = q->items.count;
    pthread_mutex_unlock(&q->lock);
    return n;
}
