/* queue.h - a bounded queue of pointers between threads.
 *
 * The only place where threads meet. Any number of threads may add and take;
 * order is first in, first out. A full queue is back-pressure: queue_add()
 * waits. After queue_close() nothing can be added and takers get what is left,
 * then nothing.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct queue;

struct queue *queue_new(size_t capacity);
/* Call it after all threads that use the queue have ended: a call that gave an item may still be
 * waking a taker. What is left inside is not freed. */
void queue_free(struct queue *q);

bool queue_add(struct queue *q, void *item); /* false: closed */

/* Takes up to `max` items; waits up to wait_us for the first one (0: not at
 * all, negative: until there is one or the queue is closed). */
size_t queue_take(struct queue *q, void **ret_items, size_t max, int64_t wait_us);

/* Wakes one waiting taker, which returns 0 items. */
void queue_poke(struct queue *q);

void queue_close(struct queue *q);
size_t queue_count(struct queue *q);
