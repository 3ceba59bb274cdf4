/* entities.h - character references of HTML: &amp; &#38; &#x26;
 *
 * In: the bytes behind an '&'. Out: UTF-8. By the WHATWG rules, the longest
 * known name wins, about a hundred old names are valid without their semicolon,
 * and numbers of the C1 range mean windows-1252.
 */
#pragma once

#include "base/str.h"

#define ENTITY_VALUE_MAX 8 /* bytes a reference expands to, at most */

/* Reads the reference whose '&' stands just before `p`. Writes its value and returns how many bytes
 * of [p, end) it takes, or 0 if it is not a reference and the '&' stands for itself. In an
 * attribute, a name that has no semicolon and is followed by '=' or an alphanumeric is not a
 * reference. The value is never longer than 1.2 times the reference. */
size_t entity_decode(const char *p, const char *end, bool in_attribute, char ret[ENTITY_VALUE_MAX],
                     size_t *ret_len);
