/* stamp.h - what version control writes into a text: "$Id: x,v 1.2 2005/01/02 $". */
#pragma once

#include "base/str.h"

/* The end of a stamp that begins with the '$' at `at`, or 0: "$Word:", no '$' and
 * no end of the line, "$". *ret_word is where its name ends. */
size_t stamp_end(struct str text, size_t at, size_t *ret_word);
