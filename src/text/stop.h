/* stop.h - words too common to say what a text is about, by language. */
#pragma once

#include "base/str.h"

/* The stop words of a language ("en"): lower case, separated by single spaces.
 * Empty where there is no list. */
struct str stop_words(struct str lang);
