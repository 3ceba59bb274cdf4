/* lang.h - in which language is a text written?
 *
 * If only one language uses a script (Greek, Thai, Hangul …), the script decides; Han with kana
 * is Japanese, without kana Chinese. Among languages of one script the short words and the letter
 * triples of a table decide (tools/make-lang). A language's score is the sum of its weights for
 * the words and triples of the text: a naive Bayes classifier, whose weights are logarithms in
 * steps of 1/2. Pure; the table is made once in a process, on the first call.
 */
#pragma once

#include "flow.h"

struct lang_found {
    struct str code; /* "de"; empty: too few letters, or of an unknown script */
    bool sure;       /* the text is long and clear enough to overrule a declared language */
};

/* In which language is the main text of a page written (all its text, where it has no main text)?
 * Code is left out. */
struct lang_found lang_found_in(const struct page *page);

/* The language of a page: that of its text, if it is sure; otherwise the declared one. The
 * declared language also stays if it is more precise ("de-at" and "de"), or is one that the table
 * does not have ("gl"). Borrowed from the page, or static. */
struct str lang_of_page(const struct page *page);
