/* queue.h - a bounded queue of pointers between threads.
 *
 * Threads exchange data only through queues. Any number of threads may add and
 * take; order is first in, first out. If the queue is full, queue_add() waits
 * (back-pressure). After queue_close() nothing can be added; takers get what is
 * left, then nothing.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct queue;

struct queue *queue_new(size_t capacity);
/* Call it after all threads that use the queue have ended: queue_add() may still be waking a taker
 * when its item is already taken. Items left inside are not freed. */
void queue_free(struct queue *q);

bool queue_add(struct queue *q, void *item); /* false: closed */

/* Takes up to `max` items and returns how many. Waits up to wait_us for the first one (0: not at
 * all; negative: until there is one or the queue is closed). */
size_t queue_take(struct queue *q, void **ret_items, size_t max, int64_t wait_us);

/* Wakes one waiting taker, which returns 0 items. */
void queue_poke(struct queue *q);

void queue_close(struct queue *q);
size_t queue_count(struct queue *q);
