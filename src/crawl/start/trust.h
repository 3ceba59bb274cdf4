/* trust.h - is a crawl directory the user's own?
 *
 * A directory may come from another person: unpacked, downloaded, copied. Its stored
 * options may lower a guard (--allow-private, --proxy …), and whoever made it chose
 * them, not the user who goes on with it. So these options are signed (HMAC-SHA-256)
 * with a key of the user, $XDG_STATE_HOME/brood/key or ~/.local/state/brood/key, which
 * is made when it is first needed. The inode number of crawl.db is signed with them:
 * a copy is another file, and needs the user's consent (--trust) again.
 */
#pragma once

#include "base/buf.h"
#include "base/option.h"

struct query;

#define TRUST_KEY "signature" /* crawl(key, value) */

/* Reads the user's key, once in a process; call it before a crawl confines itself.
 * False: there is none. */
bool trust_ready(void);

/* Can this option lower a guard, or lead to files and addresses that another person chose? */
bool trust_is_guard(const char *option);

/* Adds a stored option to what is signed. */
void trust_add(struct buf *what, const char *option, struct str value);

/* The signature of what was added, for DIR's crawl.db; empty where the user's
 * key can be neither read nor made. */
void trust_sign(const char *dir, struct str what, struct buf *ret);

/* ST_USAGE, with the names of the options, where the directory is not the user's own and
 * has options that lower a guard and that the user did not give now (`said`; may be NULL). */
enum status trust_check(const char *dir, struct query *q, const struct text_list *said) MUST_USE;
