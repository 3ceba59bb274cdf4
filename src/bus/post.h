/* post.h - messages between agents, from the moment they are sent until delivered.
 *
 * In-process: first sent, first delivered, none is lost, and none waits longer than
 * a turn of the wheel (LIMIT_POST apart). Saved with a checkpoint, so that a crawl killed in the middle
 * of a negotiation goes on with what had been said. Thread: the mind.
 */
#pragma once

#include "flow.h"

struct post;

struct post *post_new(void);
void post_free(struct post *p);

/* Copies the message. False: more is waiting than LIMIT_POST; it is not sent. */
bool post_send(struct post *p, const struct message *msg);

/* Hands over what was sent before this call; answers sent meanwhile wait for the
 * next one. Returns how many. */
typedef void post_fn(void *ctx, const struct message *msg);
size_t post_deliver(struct post *p, post_fn *fn, void *ctx);

size_t post_waiting(const struct post *p);
size_t post_bytes(const struct post *p); /* memory */

void post_save(const struct post *p, struct buf *out);
enum status post_load(struct post *p, struct cursor *from) MUST_USE;
