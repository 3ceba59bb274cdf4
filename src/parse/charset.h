/* charset.h - from bytes in some encoding to UTF-8, never failing.
 *
 * In: a payload and the charset of its Content-Type. Out: UTF-8 and the name of the encoding.
 * Sources of the encoding, the most trusted first: a byte order mark, the header, a meta element or
 * XML declaration near the start (the WHATWG prescan), the bytes themselves (valid UTF-8, else
 * uchardet), windows-1252. Bad bytes become U+FFFD. Valid UTF-8, the common case, is not copied.
 *
 * Source: WHATWG Encoding (labels, BOM), HTML 13.2.3.2 (prescan). We differ: UTF-32, and what
 * uchardet knows beyond the standard's list (IBM855, Johab, EUC-TW ...), are read too if no
 * label names another encoding.
 */
#pragma once

#include "base/str.h"

/* How bytes become characters. */
enum charset_form {
    CHARSET_UTF8,    /* used as it is */
    CHARSET_SINGLE,  /* one byte a character: a table, filled by iconv */
    CHARSET_DOUBLE,  /* one or two bytes: iconv */
    CHARSET_ESCAPES, /* escape sequences: iconv */
    CHARSET_WIDE_16, /* UTF-16: iconv */
    CHARSET_WIDE_32, /* UTF-32: iconv */
    CHARSET_NOTHING, /* "replacement": one U+FFFD for any bytes */
    CHARSET_USER,    /* x-user-defined: 80..ff are U+F780..F7FF */
};

struct charset {
    const char *name;  /* as the WHATWG standard writes it */
    const char *iconv; /* iconv's name of it */
    enum charset_form form;
    const char *labels; /* lower case, each followed by a space; "" if it can only be detected */
};

/* The encoding of a label ("latin1", " UTF8 "), or NULL. */
const struct charset *charset_of_label(struct str label);

/* The same, but also knows the names that only a detector gives. */
const struct charset *charset_of_name(struct str name);

/* Returns the encoding of a byte order mark at the start, and its length; NULL if there is none. */
const struct charset *charset_of_bom(struct str bytes, size_t *ret_len);

/* Returns the encoding that the document itself declares in its first
 * `limit` bytes, or NULL. The standard looks at CHARSET_PRESCAN bytes; a
 * browser that finds a meta element later decodes the document again, so we
 * look for one up to CHARSET_LATE. */
#define CHARSET_PRESCAN 1024
#define CHARSET_LATE    (16 * 1024)
const struct charset *charset_prescan(struct str bytes, size_t limit);

/* Keeps converters, tables and memory from text to text. Each thread has its own. */
struct charset_reader;
struct charset_reader *charset_reader_new(void);
void charset_reader_free(struct charset_reader *r);

/* Decides by all of these sources; never returns NULL. *ret_bom is the length of the
 * byte order mark. */
const struct charset *charset_decide(struct charset_reader *r, struct str bytes,
                                     struct str header_label, size_t *ret_bom);

/* Returns the text in UTF-8: a part of `bytes`, or memory of the reader that is valid
 * until its next use. */
struct str charset_decode(struct charset_reader *r, const struct charset *c, struct str bytes);
