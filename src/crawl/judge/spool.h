/* spool.h - the words of stored pages, kept until the end of the crawl that judges them.
 *
 * All pages are judged at the end (appraise.h), and that needs their terms, which the fetch threads
 * found when the pages came. Reading the stored texts once more and cutting them into words took a
 * seventh of a crawl's CPU time; the spool takes a fiftieth of that. It is what profile_copy()
 * keeps of a page, about 2 KB, in a file without a name in the crawl's directory: it goes with the
 * process. A page that is not in it (of an earlier run, or the disk was full) is read as before,
 * and both ways give the same answers.
 *
 * Pages are added in ascending order of their numbers; then they are asked for, in that order, once
 * or several times. Thread: the mind.
 */
#pragma once

#include "text/appraisal.h"

struct spool;

struct spooled {
    struct profile profile; /* lent until the next call; without what a topic says */
    struct text_extent extent;
};

struct spool *spool_new(const char *dir);
void spool_free(struct spool *s); /* NULL is fine */

/* A page as it is stored. */
void spool_add(struct spool *s, uint32_t id, const struct arrival *a);

/* Begins at the first page. Nothing is added any more. */
void spool_rewind(struct spool *s);
/* false: it is not there. */
bool spool_find(struct spool *s, uint32_t id, struct spooled *ret);
