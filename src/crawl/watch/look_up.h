/* look_up.h - a page that was visited, once more: model_ctx.look_up.
 *
 * Only for models that say so (model_ops.walks, or .returns, whose visits are
 * compared with the one before: crawl/watch/refresh.h); the others cost nothing.
 * wire.c and wire_sim.c say which of the two keeps the pages:
 *
 *   look_up_archive  from the shelf (crawl/watch/shelf.h); what is not there any more from the
 *                    archive, where the page was committed and archived
 *                    (crawl/watch/reread.h). After a resume the shelf is empty
 *   look_up_web      from the simulated web itself, in the version that was fetched
 *
 * The marks are made again: numbers are those the links have, verdicts and `taken`
 * those of now, scores NAN; nothing is new.
 */
#pragma once

#include "flow.h"

struct crawl;
struct web;
struct look_up;

/* What is kept of a stored page to compare with. Lent until the next call. */
struct kept {
    uint32_t page, first;
    int64_t date;
    uint64_t hash;                  /* of the decoded payload */
    struct str etag, last_modified; /* empty: it has to be asked for as if it were new */
    const struct shingles *main;    /* NULL: unknown, or texts are not compared */
};

struct look_up_ops {
    void (*free)(struct look_up *l);
    /* A page came, and its links are marked. `first` is the first version of its URL,
     * page itself where it is that. */
    void (*keep)(struct crawl *c, const struct arrival *a, uint32_t page, uint32_t first,
                 int64_t date);
    /* All but the marks, and the page's ROBOTS_*. False: it is not to be had. */
    bool (*lend)(struct crawl *c, uint32_t url, struct percept *ret, unsigned *ret_robots);
    /* False: nothing is known of the page. */
    bool (*kept)(struct crawl *c, uint32_t page, struct kept *ret);
    /* Is what came another text than what is kept? */
    bool (*changed)(const struct crawl *c, const struct arrival *a, const struct kept *kept);
    /* The page was looked at again and still stands, but answers to these validators now. */
    void (*confirm)(struct crawl *c, uint32_t page, const struct arrival *a);
};

/* The beginning of what an implementation keeps. */
struct look_up {
    const struct look_up_ops *ops;
    struct link_mark *marks; /* lent last */
    size_t marks_cap;
};

/* The shelf has at most this many bytes; `compares`: the shingles of texts are kept too. */
struct look_up *look_up_archive_new(size_t max_bytes, bool compares);
struct look_up *look_up_web_new(const struct web *web); /* lent */
void look_up_free(struct look_up *l);

/* model_ctx.look_up; `engine` is the crawl. */
bool look_up_page(void *engine, uint32_t url, struct percept *ret);

/* Of a live crawl: bytes of the shelf, now; memory is scarce, so it is emptied. */
size_t look_up_bytes(const struct crawl *c);
void look_up_spare(struct crawl *c);
/* The page of this crawl that was lent last; 0: none. And a committed one with its text, as
 * it came; release it. NULL: it is not to be had. */
uint32_t look_up_lent(const struct crawl *c);
struct arrival *look_up_whole(struct crawl *c, uint32_t page);
