/* mailer.h - sends mail with the local sendmail, from a process that may not run programs.
 *
 * A child process is made before the process confines itself (base/os/confine.h) and before it has
 * threads. All it can do is give a message to sendmail, for the one address with which it was made.
 * It ends when its parent does. Messages are at most LIMIT_MAIL long; one at a time.
 */
#pragma once

#include "base/status.h"
#include "base/str.h"

struct mailer;

/* ST_USAGE if this is not an address, or if there is no such program. */
enum status mailer_check(const char *program, const char *address) MUST_USE;
enum status mailer_open(const char *program, const char *address, struct mailer **ret) MUST_USE;
void mailer_close(struct mailer *m); /* waits for the message under way; NULL is fine */

/* Passes a message to the child. Returns false if another is under way, or if it is too long. */
bool mailer_send(struct mailer *m, struct str message);

/* The result of the message under way; MAILER_NONE if there is none, or no result yet. */
enum mailer_state { MAILER_NONE, MAILER_SENT, MAILER_FAILED };
enum mailer_state mailer_take(struct mailer *m);
