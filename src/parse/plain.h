/* plain.h - the words of a snippet of HTML, as in feeds. */
#pragma once

#include "base/arena.h"

/* The snippet without tags, comments, scripts and styles, character references
 * decoded; where `is_markup` is false it is text already. White space is folded
 * to single spaces. At most `max` bytes, cut between characters. Ends in NUL, in
 * `arena`; {NULL, 0} where that is full. */
struct str plain_text(struct str snippet, bool is_markup, size_t max, struct arena *arena);

/* Does this element separate words? "p", "BR", "td", ... */
bool plain_is_block(struct str tag);
