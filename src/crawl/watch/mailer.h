/* mailer.h - mail by the local sendmail, from a process that may run no programs.
 *
 * A child is made before the process confines itself (base/os/confine.h) and before it has
 * threads. It can do one thing: give a message to sendmail, for the one address it was made with.
 * It ends when its parent does. Messages are at most LIMIT_MAIL long; one at a time.
 */
#pragma once

#include "base/status.h"
#include "base/str.h"

struct mailer;

/* ST_USAGE: this is no address, or there is no such program. */
enum status mailer_check(const char *program, const char *address) MUST_USE;
enum status mailer_open(const char *program, const char *address, struct mailer **ret) MUST_USE;
void mailer_close(struct mailer *m); /* waits for what is under way; NULL is fine */

/* Hands a message over. False: one is under way, or it is too long. */
bool mailer_send(struct mailer *m, struct str message);

/* How it went with the one under way; MAILER_NONE: nothing is, or it is not known yet. */
enum mailer_state { MAILER_NONE, MAILER_SENT, MAILER_FAILED };
enum mailer_state mailer_take(struct mailer *m);
