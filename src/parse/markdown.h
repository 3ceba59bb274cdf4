/* markdown.h - the main text of a page as Markdown.
 *
 * CommonMark with the tables of GitHub. Read by a parser of these, it gives the page's main
 * text again, character by character: what could be taken for markup is escaped, and
 * emphasis that a parser would not see as such is left out. A block is a paragraph; a blank
 * line stands between blocks. The same page gives the same bytes.
 */
#pragma once

#include "flow.h"

/* Appends. With page->marks (page_input.marks) links, emphasis, lists, quotes, tables and code
 * are as on the page; without them only the kinds of passages are known. */
void markdown_write(const struct page *page, struct buf *out);
