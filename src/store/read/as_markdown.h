/* as_markdown.h - a stored page's main text as Markdown (parse/markdown.h).
 *
 * The archived reply is read and parsed once more; which passages are main text is what the
 * crawl said. Of a page that is not in the archive only text and kinds of passages are known:
 * its Markdown has no links, and lists and headings of one level.
 */
#pragma once

#include "store/read/query.h"

struct as_markdown;
struct as_markdown *as_markdown_new(struct query *q); /* lent until the end */
void as_markdown_free(struct as_markdown *m);

/* Appends; ST_MISSING where the page has no text. */
enum status as_markdown_add(struct as_markdown *m, const struct query_page *row,
                            struct buf *ret) MUST_USE;
