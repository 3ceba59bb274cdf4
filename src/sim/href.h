/* href.h - finds, and may replace, the links in the bytes of an HTML document.
 *
 * Finds the href of every <a> and <area> with the tokenizer that parse/ uses,
 * so that it can be replaced and the rest of the document stays as it is. Works
 * on the bytes as sent, in any encoding whose tags are ASCII; in other encodings no link is found.
 * It also finds links that parse/ leaves out, such as those in templates: callers have to compare.
 */
#pragma once

#include "base/buf.h"

/* Called for each href that is a URL of http or https, with the normalised URL (lent). Returns the
 * text that replaces the href; empty to leave it as it is. */
typedef struct str href_fn(void *ctx, struct str url);

/* `base`: the URL against which relative links are resolved (struct page). `out` gets the document
 * (NULL: nothing is written). ST_LIMIT if it became too large for `out`. */
enum status href_each(struct str document, struct str base, href_fn *fn, void *ctx,
                      struct buf *out) MUST_USE;
