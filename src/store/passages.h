/* passages.h - the main text of a page, as the database keeps it: a list of places in its text.
 *
 * A passage is two numbers: how many bytes lie between the previous passage and this one, and its
 * length times eight plus its kind (flow.h). A number is written with seven bits in each byte, the
 * lowest first; the eighth bit says that more follow. So the main text costs some four bytes a line
 * besides the text.
 *
 * The bytes that are read may come from anybody: reading ends at a passage that does not lie inside
 * the text.
 */
#pragma once

#include "flow.h"

/* Passages without length are left out. */
void passages_write(const struct page *page, struct buf *out);

struct passages {
    struct str rest;  /* what is not yet read */
    size_t at, total; /* bytes: the end of the last passage, the text */
};

/* `packed` is lent until the last call. */
static inline struct passages passages_of(struct str packed, size_t text_len)
{
    return (struct passages){packed, 0, text_len};
}

bool passages_next(struct passages *p, struct passage *ret);

/* Appends the passages of a text, one a line. */
void passages_add(struct str packed, struct str text, struct buf *out);

/* Appends the text between the passages: menus, notices, footers. */
void passages_add_rest(struct str packed, struct str text, struct buf *out);
