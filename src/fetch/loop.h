/* loop.h - one fetch thread: a libuv loop that drives libcurl and c-ares.
 *
 * Requests come in by loop_submit() from the mind's thread, arrivals go out
 * into the queue that all loops share; the threads exchange nothing else.
 */
#pragma once

#include "fetch/fetch.h"

struct headers;
struct queue;
struct resolve_rules;

/* Lent to the loop until loop_stop(). */
struct loop_setup {
    const struct fetch_config *config;
    const struct resolve_rules *rules;
    const struct headers *headers;
    struct queue *batches; /* out: struct arrival_batch; its taker frees it; has
                            * room for as many as there are requests */
};

/* Arrivals travel in batches: waking the mind costs more than an arrival. */
#define BATCH_MAX 16

struct arrival_batch {
    size_t count;
    struct arrival *arrivals[BATCH_MAX];
};

struct loop;

/* Starts thread number `index`. */
enum status loop_start(const struct loop_setup *setup, unsigned index, struct loop **ret) MUST_USE;

/* Takes the request; the thread sees it after the next loop_wake(). The caller keeps the number of
 * requests under way at or below config->connections. */
void loop_submit(struct loop *l, struct request *r);
void loop_wake(struct loop *l);

/* Adds this loop's figures to *sum. */
void loop_count(struct loop *l, struct fetch_counts *sum);

/* Asks the thread to end; loop_join() waits for it and frees the loop. Requests under way are
 * released without an arrival. */
void loop_stop(struct loop *l);
void loop_join(struct loop *l);
