/* look_up.h - a page that was visited, once more: model_ctx.look_up.
 *
 * Only for models that say so (model_ops.walks, or .returns, whose visits are
 * compared with the one before: crawl/watch/refresh.h); the others cost nothing.
 *
 *   live       from the shelf (crawl/watch/shelf.h); what is not there any more from the
 *              archive, where the page was committed and archived (crawl/watch/reread.h).
 *              After a resume the shelf is empty
 *   simulated  from the web itself, in the version that was fetched
 *
 * The marks are made again: numbers are those the links have, verdicts and `taken`
 * those of now, scores NAN; nothing is new.
 */
#pragma once

#include "flow.h"

struct crawl;
struct look_up;

struct look_up *look_up_new(size_t max_bytes); /* of the shelf */
size_t look_up_bytes(const struct look_up *l); /* of the shelf, now */
void look_up_spare(struct look_up *l);         /* memory is scarce: it is emptied */
void look_up_free(struct look_up *l);
void look_up_compares(struct look_up *l); /* main texts are kept too, for look_up_kept() */

/* A page came, and its links are marked. `first` is the first version of its URL,
 * page itself where it is that. */
void look_up_keep(struct crawl *c, const struct arrival *a, uint32_t page, uint32_t first,
                  int64_t date);

/* The page of this crawl that was lent last; 0: none. And a committed one with its text, as
 * it came; release it. NULL: it is not to be had. */
uint32_t look_up_lent(const struct crawl *c);
struct arrival *look_up_whole(struct crawl *c, uint32_t page);

/* What is kept of a stored page to compare with. Lent until the next call. */
struct kept {
    uint32_t page, first;
    int64_t date;
    uint64_t hash;                  /* of the decoded payload */
    struct str etag, last_modified; /* empty: it has to be asked for as if it were new */
    const struct shingles *main;    /* NULL: unknown, or simulated */
    uint32_t version;               /* simulated: of the web */
};

/* False: nothing is known of it. */
bool look_up_kept(struct crawl *c, uint32_t page, struct kept *ret);
/* It was looked at again and still stands, but answers to these validators now. */
void look_up_confirm(struct crawl *c, uint32_t page, const struct arrival *a);

/* The calls of struct model_ctx; `engine` is the crawl. */
bool look_up_live(void *engine, uint32_t url, struct percept *ret);
bool look_up_simulated(void *engine, uint32_t url, struct percept *ret);
bool look_up_page(struct crawl *c, uint32_t url, struct percept *ret); /* either */
