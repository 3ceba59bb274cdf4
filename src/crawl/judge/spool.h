/* spool.h - the words of stored pages, kept until the end of the crawl that judges them.
 *
 * All pages are judged at the end (appraise.h), and that needs their terms, which the fetch threads
 * found when the pages came. Reading the stored texts again and splitting them into words took a
 * seventh of a crawl's CPU time; the spool takes a fiftieth of that. It holds what profile_copy()
 * keeps of a page, about 2 KB, in an unlinked file in the crawl's directory, which disappears with
 * the process. A page that is not in it (from an earlier run, or because the disk was full) is read
 * from the database, with the same result.
 *
 * Pages are added in ascending order of their numbers; then they are read in that order, once or
 * several times. Thread: the mind.
 */
#pragma once

#include "text/appraisal.h"

struct spool;

struct spooled {
    struct profile profile; /* lent until the next call; not judged by a topic */
    struct text_extent extent;
};

struct spool *spool_new(const char *dir);
void spool_free(struct spool *s); /* NULL is fine */

/* Adds a page as it is stored. */
void spool_add(struct spool *s, uint32_t id, const struct arrival *a);

/* Begins to read at the first page. No page may be added after that. */
void spool_rewind(struct spool *s);
/* Gets a page; returns false if it is not in the spool. */
bool spool_find(struct spool *s, uint32_t id, struct spooled *ret);
