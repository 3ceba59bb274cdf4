/* plain.h - the plain text of a snippet of HTML, as in feeds. */
#pragma once

#include "base/arena.h"

/* Returns the snippet without tags, comments, scripts and styles, with character references
 * decoded; if `is_markup` is false it is already plain text. White space is folded to single
 * spaces. The result has at most `max` bytes, is cut between characters, and ends in NUL;
 * {NULL, 0} if `arena` is full. */
struct str plain_text(struct str snippet, bool is_markup, size_t max, struct arena *arena);

/* Does this element separate words? "p", "BR", "td", ... */
bool plain_is_block(struct str tag);
