/* utf8.h - UTF-8, one code point at a time, never failing on bad bytes. */
#pragma once

#include "base/buf.h"

#define UTF8_BAD 0xfffdu /* what an ill-formed sequence decodes to */

/* Returns the code point at *at and moves *at past it. An ill-formed sequence gives U+FFFD, and *at
 * moves past its maximal valid prefix (WHATWG decoding). Needs *at < s.len. */
uint32_t utf8_next(struct str s, size_t *at);

/* Writes a code point and returns its length, 1 to 4. Surrogates and values above U+10FFFF are
 * written as U+FFFD. */
size_t utf8_put(uint32_t cp, char ret[4]);

bool utf8_is_valid(struct str s);

/* Is it a control character? C0, DEL and C1 (terminals act on them), marks that
 * change the direction of text, and line separators. */
bool utf8_is_control(uint32_t cp);

/* Writes text from the web to a terminal, without its control characters and ill-formed bytes.
 * Writes at most `width` columns, with an ellipsis if it cuts, and returns how many. Limit: every
 * character counts as one column. */
size_t utf8_add_safe(struct buf *out, struct str text, size_t width);

/* The columns of valid text, counted in the same way. */
size_t utf8_columns(struct str text);
