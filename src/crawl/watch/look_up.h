/* look_up.h - gives a model a visited page again: model_ctx.look_up.
 *
 * Only for models that have model_ops.walks or .returns, whose visits are compared with the
 * previous one (crawl/watch/refresh.h); for others it costs nothing. wire.c and wire_sim.c choose
 * which of the two keeps the pages:
 *
 *   look_up_archive  from the shelf (crawl/watch/shelf.h); what is not there any more from the
 *                    archive, where the page was committed and archived
 *                    (crawl/watch/reread.h). After a resume the shelf is empty
 *   look_up_web      from the simulated web itself, in the version that was fetched
 *
 * The marks are made again: the links have the same numbers, verdicts and `taken` are the current
 * ones, scores are NAN, and no link is new.
 */
#pragma once

#include "flow.h"

struct crawl;
struct web;
struct look_up;

/* What is kept of a stored page for comparisons. Lent until the next call. */
struct kept {
    uint32_t page, first;
    int64_t date;
    uint64_t hash;                  /* of the decoded payload */
    struct str etag, last_modified; /* empty: it has to be requested without a condition */
    const struct shingles *main;    /* NULL: unknown, or texts are not compared */
};

struct look_up_ops {
    void (*free)(struct look_up *l);
    /* A page has arrived, and its links are marked. `first` is the first version of its URL, which
     * may be `page` itself. */
    void (*keep)(struct crawl *c, const struct arrival *a, uint32_t page, uint32_t first,
                 int64_t date);
    /* Gets everything but the marks, and the page's ROBOTS_*. Returns false if the page is not
     * available. */
    bool (*lend)(struct crawl *c, uint32_t url, struct percept *ret, unsigned *ret_robots);
    /* Returns false if nothing is known of the page. */
    bool (*kept)(struct crawl *c, uint32_t page, struct kept *ret);
    /* Does the text of the arrival differ from the text that is kept? */
    bool (*changed)(const struct crawl *c, const struct arrival *a, const struct kept *kept);
    /* The page was visited again and has not changed, but now has these validators. */
    void (*confirm)(struct crawl *c, uint32_t page, const struct arrival *a);
};

/* The beginning of what an implementation keeps. */
struct look_up {
    const struct look_up_ops *ops;
    struct link_mark *marks; /* lent last */
    size_t marks_cap;
};

/* Makes one with a shelf of at most this many bytes; `compares`: keeps the shingles of texts
 * too. */
struct look_up *look_up_archive_new(size_t max_bytes, bool compares);
struct look_up *look_up_web_new(const struct web *web); /* lent */
void look_up_free(struct look_up *l);

/* model_ctx.look_up; `engine` is the crawl. */
bool look_up_page(void *engine, uint32_t url, struct percept *ret);

/* For a live crawl: look_up_bytes() returns the bytes of the shelf; the other function empties it
 * because memory is scarce. */
size_t look_up_bytes(const struct crawl *c);
void look_up_spare(struct crawl *c);
/* look_up_lent() returns the page of this crawl that was lent last; 0 if none. The other function
 * returns a committed page with its text, as it arrived, to be released; NULL if it is not
 * available. */
uint32_t look_up_lent(const struct crawl *c);
struct arrival *look_up_whole(struct crawl *c, uint32_t page);
