/* html.h - HTML as a stream of tokens, by the WHATWG tokenization rules.
 *
 * In: a whole document in memory, UTF-8 (bad bytes pass through). Out:
 * tokens one by one, in one pass, without copies: names, texts and values
 * are raw slices of the input. The caller decodes what it needs with
 * html_decode(); the rest costs nothing. There is no tree: after a start
 * tag the caller says how its content is to be read (html_enter), as the
 * standard's tree construction would.
 *
 *     html_init(&h, input);
 *     while ((kind = html_next(&h)) != HTML_EOF)
 *         ... h.token ...
 *
 * Parse errors are not reported. Every byte sequence is a document.
 */
#pragma once

#include "base/str.h"
#include "base/limits.h"

enum html_kind { HTML_EOF, HTML_TEXT, HTML_START, HTML_END, HTML_COMMENT, HTML_DOCTYPE };

/* How content is read. RCDATA, RAWTEXT and SCRIPT end at the end tag of the
 * name given to html_enter(), CDATA at "]]>", PLAINTEXT never. */
enum html_state {
    HTML_DATA,
    HTML_RCDATA,
    HTML_RAWTEXT,
    HTML_SCRIPT,
    HTML_PLAINTEXT,
    HTML_CDATA,
};

/* What html_decode() does besides turning CR LF and CR into LF. */
#define HTML_REFS       1u /* decode character references */
#define HTML_VALUE      2u /* by the rules for attribute values */
#define HTML_NUL        4u /* U+0000 becomes U+FFFD */
#define HTML_LOWER      8u /* ASCII to lower case */

#define HTML_AS_NAME    (HTML_NUL | HTML_LOWER)             /* tags, attributes, doctype */
#define HTML_AS_VALUE   (HTML_REFS | HTML_VALUE | HTML_NUL) /* attribute values */
#define HTML_AS_COMMENT HTML_NUL                            /* and doctype identifiers */

struct html_attr {
    struct str name;  /* as written; of two equal names the first counts */
    struct str value; /* as written, without quotes */
};

struct html_token {
    enum html_kind kind;
    unsigned how;            /* HTML_TEXT: what html_decode() needs */
    bool is_blank;           /* HTML_TEXT: it is white space, for certain; some is not noticed */
    struct str text;         /* raw: characters, comment, name of tag or doctype */
    struct html_attr *attrs; /* HTML_START and HTML_END */
    uint32_t nattrs;         /* at most LIMIT_ATTRIBUTES; the rest is skipped */
    bool self_closing;
    bool quirks;                 /* HTML_DOCTYPE: the standard's force-quirks flag */
    bool has_public, has_system; /* HTML_DOCTYPE: the identifiers are there */
    struct str public_id, system_id;
};

struct html {
    const char *at, *end; /* input that is not yet read */
    const char *looks_to; /* tokens that begin before this are read by looks; NULL: none are */
    enum html_state state;
    struct str content_of;   /* the element whose end tag ends the state */
    bool foreign;            /* the caller is in SVG or MathML, where CDATA is allowed */
    struct html_token token; /* the last token */
    struct html_attr attrs[LIMIT_ATTRIBUTES];
};

void html_init(struct html *h, struct str input);

/* Reads the next token into h->token, which is valid until the next call. Text may come in several
 * tokens in a row, but never in an empty one. */
enum html_kind html_next(struct html *h);

/* Says that the content of `name` follows, to be read in `state`. */
void html_enter(struct html *h, enum html_state state, struct str name);

/* Gives the raw value of the first attribute of that (lower-case) name. Returns false
 * if there is none. */
bool html_attr(const struct html_token *t, struct str name, struct str *ret_value);

/* Decodes a raw slice into `out`, which needs room for 3 times its length (1.5 times without
 * HTML_NUL). Returns the length. */
size_t html_decode(struct str raw, unsigned how, char *out);

/* Would html_decode() leave every byte unchanged, HTML_LOWER aside? */
bool html_is_plain(struct str raw);
