/* looks.h - fetches what stored pages need to be shown as they looked (--requisites): style sheets,
 * images, fonts.
 *
 * The code calls these files requisites. They are not pages: they are not counted or listed as
 * pages, and their links are not followed. The same frontier asks for them as for pages
 * (robots.txt, scope, delays). The requisites of one page are fetched one after the other, those
 * that a style sheet names last. Each is archived as a resource, once in a crawl. They use nothing
 * of a host's budget of pages. Ceilings: LIMIT_REQUISITES_*.
 *
 * With --wishes, each host that gave a page is asked for its tdmrep.json (parse/tdmrep.h) in the
 * same way. Its rules are stored in the table `crawl`, under the key "tdm.HOST".
 *
 * Thread: the mind.
 */
#pragma once

#include "frontier/frontier.h"

struct crawl;
struct looks;

struct looks *looks_new(void);
void looks_free(struct looks *l);

/* A page was stored: requests its requisites. */
void looks_page(struct crawl *c, const struct arrival *a, uint32_t page);

/* Handles the reply to a choice that is a requisite (choice_is_requisite()), or the end of such a
 * choice without a reply. */
void looks_arrived(struct crawl *c, struct arrival *a, struct reply_verdict v);
void looks_dropped(struct crawl *c, const struct choice *choice, enum drop why);

/* looks_open() returns how many requisites the frontier has; the others how many were stored, and
 * their bytes. */
uint32_t looks_open(const struct looks *l);
uint64_t looks_count(const struct looks *l, uint64_t *ret_bytes);

/* Can any requisite still arrive soon? */
bool looks_wait(const struct crawl *c);

void looks_save(const struct looks *l, struct buf *out);
enum status looks_load(struct looks *l, struct cursor *from) MUST_USE;
