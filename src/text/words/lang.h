/* lang.h - in which language is a text written?
 *
 * The script decides where only one language uses it (Greek, Thai, Hangul …); Han with
 * kana is Japanese, without it Chinese. Among languages of one script the short words and the
 * letter triples of a table decide (tools/make-lang). Each language scores the sum of the weights
 * that the words and triples of the text have in it: a naive Bayes classifier, whose weights are
 * logarithms in steps of 1/2. Pure; the table is made once in a process, on the first call.
 */
#pragma once

#include "flow.h"

struct lang_found {
    struct str code; /* "de"; empty: too few letters, or of a script we do not know */
    bool sure;       /* the text is long and clear enough to contradict what a page declares */
};

/* In which language is the main text of a page written (all its text, where it has no main text)?
 * Code is left out. */
struct lang_found lang_found_in(const struct page *page);

/* The language of a page: that of its text, where that is sure; else what it declares. What it
 * declares stays too where it says more ("de-at" and "de"), or names a language that the table does
 * not know ("gl"). Borrows from the page or is static. */
struct str lang_of_page(const struct page *page);
