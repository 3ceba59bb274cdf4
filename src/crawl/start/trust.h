/* trust.h - is a crawl directory the user's own?
 *
 * A directory may come from somebody else: unpacked, downloaded, copied. Its stored options may
 * lower a guard (--allow-private, --proxy …), and they were chosen by the person who made it, not
 * by the user who resumes it. So these options are signed (HMAC-SHA-256) with a key of the user,
 * $XDG_STATE_HOME/brood/key or ~/.local/state/brood/key, which is made when it is first needed. The
 * inode number of crawl.db is signed with them: a copy is another file, and needs the user's
 * consent (--trust) again.
 */
#pragma once

#include "base/buf.h"
#include "base/option.h"

struct query;

#define TRUST_KEY "signature" /* crawl(key, value) */

/* Reads the user's key, once in a process; to be called before a crawl confines itself. Returns
 * false if there is none. */
bool trust_ready(void);

/* Can this option lower a guard, or lead to files and addresses that another person chose? */
bool trust_is_guard(const char *option);

/* Adds a stored option to what is signed. */
void trust_add(struct buf *what, const char *option, struct str value);

/* Gets the signature of what was added, for DIR's crawl.db; empty if the user's key can be neither
 * read nor made. */
void trust_sign(const char *dir, struct str what, struct buf *ret);

/* ST_USAGE, with the names of the options, if the directory is not the user's own and has options
 * that lower a guard and that the user has not given again (`said`; may be NULL). */
enum status trust_check(const char *dir, struct query *q, const struct text_list *said) MUST_USE;
