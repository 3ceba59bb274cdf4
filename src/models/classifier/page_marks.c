/* page_marks.c - pages that the user called relevant or not, as examples.
 * SPDX-License-Identifier: MIT */
#include "models/classifier/page_marks.h"

#include "agent/page_memory.h"
#include "base/mem.h"

#include <stdlib.h>

static void drop_at(struct page_marks *m, size_t i)
{
    free((void *)m->items[i].terms);
    m->count--;
    memmove(&m->items[i], &m->items[i + 1], (m->count - i) * sizeof *m->items);
    memmove(&m->urls[i], &m->urls[i + 1], (m->count - i) * sizeof *m->urls);
}

static size_t place_of(const struct page_marks *m, uint32_t url)
{
    size_t i = 0;

    while (i < m->count && m->urls[i] != url)
        i++;
    return i;
}

static void add(struct page_marks *m, uint32_t url, const struct term *terms, size_t nterms,
                bool positive)
{
    struct term *own = mem_alloc(nterms * sizeof *own);

    if (m->items == NULL) {
        m->items = mem_zero(PAGE_MARKS_MOST, sizeof *m->items);
        m->urls = mem_zero(PAGE_MARKS_MOST, sizeof *m->urls);
    }
    if (m->count == PAGE_MARKS_MOST)
        drop_at(m, 0);
    memcpy(own, terms, nterms * sizeof *own);
    m->urls[m->count] = url;
    m->items[m->count++] =
        (struct classify_example){.terms = own, .nterms = nterms, .is_positive = positive};
}

bool page_marks_set(struct page_marks *m, uint32_t url, const struct term *terms, size_t nterms,
                    int relevant)
{
    size_t at = place_of(m, url);
    bool known = at < m->count;

    if (relevant < 0) {
        if (known)
            drop_at(m, at);
        return known;
    }
    if (known && m->items[at].is_positive == (relevant > 0))
        return false;
    if (known)
        m->items[at].is_positive = relevant > 0;
    else if (nterms > 0 && nterms <= PAGE_MEMORY_TERMS)
        add(m, url, terms, nterms, relevant > 0);
    else
        return false;
    return true;
}

void page_marks_clear(struct page_marks *m)
{
    for (size_t i = 0; i < m->count; i++)
        free((void *)m->items[i].terms);
    free(m->items);
    free(m->urls);
    *m = (struct page_marks){0};
}

bool page_marks_has(const struct classify_example *marks, size_t n, const struct term *terms,
                    size_t nterms)
{
    for (size_t i = 0; i < n; i++)
        if (marks[i].nterms == nterms && memcmp(marks[i].terms, terms, nterms * sizeof *terms) == 0)
            return true;
    return false;
}
