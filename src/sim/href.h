/* href.h - the links of an HTML document, where they stand in its bytes.
 *
 * Finds the href of every <a> and <area> with the tokenizer that parse/ uses,
 * so that it can be replaced and the rest of the document stays as it is. Works
 * on the bytes as sent, in any encoding whose tags are ASCII; in others nothing
 * is found. Which of the links parse/ counts (templates hide theirs) is for the
 * caller to compare.
 */
#pragma once

#include "base/buf.h"

/* Asked for each href that is a URL of http or https, normalised (lent). What it
 * returns takes its place; empty: it stays. */
typedef struct str href_fn(void *ctx, struct str url);

/* `base`: what relative ones are resolved against (struct page). `out` gets the
 * document; NULL: nothing is written. ST_LIMIT: it became too large for `out`. */
enum status href_each(struct str document, struct str base, href_fn *fn, void *ctx,
                      struct buf *out) MUST_USE;
