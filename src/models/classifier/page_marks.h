/* page_marks.h - pages that the user called relevant or not, as examples.
 *
 * One a URL, in the order of the first mark; when there are too many, the oldest goes.
 * Terms are copied. Not part of a checkpoint: the crawl tells them again from its
 * database. Thread: the mind only.
 */
#pragma once

#include "text/classify.h"

#define PAGE_MARKS_MOST 1000

struct page_marks {
    struct classify_example *items; /* terms owned */
    uint32_t *urls;
    size_t count;
};

/* 1 relevant, 0 not, -1: neither any more. True: something is different now. */
bool page_marks_set(struct page_marks *m, uint32_t url, const struct term *terms, size_t nterms,
                    int relevant);
void page_marks_clear(struct page_marks *m); /* frees everything */

/* Is there one with these very terms? */
bool page_marks_has(const struct classify_example *marks, size_t n, const struct term *terms,
                    size_t nterms);
