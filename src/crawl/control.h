/* control.h - the only way to give commands to a running crawl: DIR/control, a Unix socket (mode
 * 0600).
 *
 * A client sends one line of JSON and gets one back, {"ok":true, …} or {"error":"sentence"}:
 *   {"do":"status"}                     paused, trouble, pages, for (us), bytes: its limits
 *   {"do":"pause"} {"do":"continue"}    no new request is made; timers, messages and what
 *                                       is under way go on, and so does --for
 *   {"do":"stop"}                       as Ctrl-C once
 *   {"do":"limits","pages":N,"for":us,"bytes":N}   those named change; 0: none. A limit that
 *                                       is reached already ends the crawl, losing nothing
 *   {"do":"seeds","urls":[…]}           more places to start
 *   {"do":"mark","url":U,"relevant":true|false|null}   a label, kept at once;
 *                                       taught: the model learns from it (crawl/judge/marks.h)
 *   {"do":"agent","id":N}               `told`: what a living agent is made of (crawl/tell/nature.h)
 *
 * Thread: the mind, which looks at the socket once a turn and at most every 50 ms, and
 * never waits for it. Clients, lines and answers are bounded (base/limits.h).
 */
#pragma once

#include "base/buf.h"
#include "base/limits.h"
#include "base/status.h"

struct control;
struct crawl;

/* Opens the socket. If the directory does not allow sockets, that is logged and the crawl runs
 * without it. */
void control_open(struct crawl *c);
void control_poll(struct crawl *c);
void control_close(struct crawl *c);

/* Executes the command of one line, and writes the answer to `out`, which is empty. */
#define CONTROL_ANSWER_MAX (LIMIT_TOLD + KIB(4))
void control_answer(struct crawl *c, struct str line, struct buf *out);
