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

struct lang_found lang_of_text(struct str text);

/* The language of a page: that of its main text, or of all its text if there is no main text
 * (code is left out), if it is sure; otherwise the declared one. The declared language also stays
 * if it is more precise ("de-at" and "de"), or is one that the table does not have ("gl").
 * Borrowed from the page, or static. */
struct str lang_of_page(const struct page *page);
