/* markdown.h - the main text of a page as Markdown.
 *
 * It is CommonMark with GitHub's tables. A parser of these gives the page's main text back,
 * character by character: characters that could be taken for markup are escaped, and
 * emphasis that a parser would not recognise is left out. A block is a paragraph; blank
 * lines separate blocks. The same page gives the same bytes.
 */
#pragma once

#include "flow.h"

/* Appends the Markdown. With page->marks (page_input.marks), links, emphasis, lists, quotes, tables
 * and code are as on the page; without them only the kinds of passages are known. */
void markdown_write(const struct page *page, struct buf *out);
