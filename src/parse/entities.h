/* entities.h - character references of HTML: &amp; &#38; &#x26;
 *
 * In: the bytes behind an '&'. Out: UTF-8. After the WHATWG rules: the longest
 * known name wins, about a hundred old names count without their semicolon,
 * and numbers of the C1 range mean windows-1252.
 */
#pragma once

#include "base/str.h"

#define ENTITY_VALUE_MAX 8 /* bytes a reference expands to, at most */

/* Reads the reference whose '&' stands just before `p`. Writes its value and
 * returns how many bytes of [p, end) it takes; 0 where it is none and the '&'
 * stands for itself. In an attribute a name without semicolon before '=' or an
 * alphanumeric is none. The value is never longer than 1.2 times the reference. */
size_t entity_decode(const char *p, const char *end, bool in_attribute, char ret[ENTITY_VALUE_MAX],
                     size_t *ret_len);
