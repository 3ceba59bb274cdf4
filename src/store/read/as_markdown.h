/* as_markdown.h - a stored page's main text as Markdown (parse/markdown.h).
 *
 * The archived reply is read and parsed again; the crawl has already decided which passages are
 * main text. For a page that is not in the archive only the text and the kinds of its passages are
 * known: its Markdown has no links, and its lists and headings have one level only.
 */
#pragma once

#include "store/read/query.h"

struct as_markdown;
struct as_markdown *as_markdown_new(struct query *q); /* lent until the end */
void as_markdown_free(struct as_markdown *m);

/* Appends the Markdown of a page. ST_MISSING if the page has no text. */
enum status as_markdown_add(struct as_markdown *m, const struct query_page *row,
                            struct buf *ret) MUST_USE;
