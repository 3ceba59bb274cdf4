/* unicode.h - what kind of character a code point is, and its lower case.
 *
 * The tables are made by tools/make-unicode; docs/adr/0017 says why
 * libunistring is not used. Unassigned code points and everything that is not
 * part of a word are CHAR_OTHER.
 */
#pragma once

#include "base/buf.h"

enum char_class {
    CHAR_OTHER = 0,
    CHAR_LETTER, /* of a script that separates words */
    CHAR_MARK,   /* combines with the character before it */
    CHAR_DIGIT,  /* decimal digits of any script */
    CHAR_SOLO,   /* Han, kana, Thai, Lao, Khmer, Myanmar: a word of its own */
    CHAR_JOINER, /* invisible inside a word: soft hyphen, joiners */
};

enum char_class unicode_class(uint32_t cp);

/* The simple lower-case mapping, or the code point itself if it has none. */
uint32_t unicode_lower(uint32_t cp);

/* Appends a text in lower case. Ill-formed bytes become U+FFFD. */
enum status unicode_lower_text(struct str text, struct buf *out);
