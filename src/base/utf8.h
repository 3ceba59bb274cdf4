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

/* Text from the web for a terminal: no control character and no ill-formed byte of it is written.
 * At most `width` columns, with an ellipsis where it is cut; returns how many. Chinese, Japanese and
 * Korean characters and most pictures take two columns, marks on other characters none. Limit:
 * pictures that a terminal joins into one count as several. */
size_t utf8_add_safe(struct buf *out, struct str text, size_t width);

/* The columns of text, by the same measure. */
size_t utf8_columns(struct str text);
