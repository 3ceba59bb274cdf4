/* page_text.h - the visible text of a page and its words, as they come in.
 *
 * White space is folded: words are parted by one space, blocks by one newline,
 * and nothing stands at either end. Inline markup does not part words, so the
 * last word may still grow; page_text_words() takes that into account.
 */
#pragma once

#include "flow.h"

struct page_text {
    char *data;         /* the text; reused from page to page */
    size_t len, cap;    /* bytes */
    struct word *words; /* of data, in order */
    size_t nwords, words_cap;
    size_t scanned; /* bytes of data already cut into words */
    size_t counted; /* data's length at the last count */
    char gap;       /* separator due before the next character: 0, ' ', '\n' */
    bool grows;     /* the last word may become longer */
    bool cut;       /* LIMIT_WORDS was reached */
};

void page_text_clear(struct page_text *t); /* empties it, keeps the memory */
void page_text_free(struct page_text *t);

/* Adds characters; with `refs` character references in them are decoded. */
void page_text_add(struct page_text *t, struct str raw, bool refs);

/* Parts what follows from what stands there: ' ' words, '\n' blocks. */
static inline void page_text_gap(struct page_text *t, char gap)
{
    if (t->gap != '\n')
        t->gap = gap;
}

/* How many words begin before this place. */
uint32_t page_text_words(struct page_text *t);

/* Copies text and words into the arena; false where it is full. */
bool page_text_take(struct page_text *t, struct arena *arena, struct page *page);
