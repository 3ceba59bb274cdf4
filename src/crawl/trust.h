/* trust.h - is a crawl directory the user's own?
 *
 * A directory can be received: unpacked, downloaded, copied. What it was crawled
 * with may lower a guard (--allow-private, --proxy …), and whoever made it chose
 * that, not who goes on with it. So the options are signed (HMAC-SHA-256) with a
 * secret of the user, $XDG_STATE_HOME/brood/key or ~/.local/state/brood/key, that
 * is made when it is first needed. The number of the file crawl.db is signed with
 * them: a copy is another file, and its options are asked for again.
 */
#ifndef CRAWL_TRUST_H
#define CRAWL_TRUST_H

#include "base/buf.h"
#include "base/option.h"

struct query;

#define TRUST_KEY "signature" /* crawl(key, value) */

/* Reads the user's secret, once a process; to be called before a crawl confines
 * itself. False: there is none. */
bool trust_ready(void);

/* Can it lower a guard, or lead to files and addresses that somebody else chose? */
bool trust_is_guard(const char *option);

/* Adds a stored option to what is signed. */
void trust_add(struct buf *what, const char *option, struct str value);

/* The signature of what was added, for DIR's crawl.db; empty where the user's
 * secret can be neither read nor made. */
void trust_sign(const char *dir, struct str what, struct buf *ret);

/* ST_USAGE, naming the options, where the directory is not the user's own and was
 * stored with options that lower a guard and that are not `said` (may be NULL). */
enum status trust_check(const char *dir, struct query *q, const struct text_list *said) MUST_USE;

#endif
