/* document_int.h - what the readers of documents share. Inside parse/document/ only. */
#pragma once

#include "base/limits.h"
#include "parse/document/document.h"

/* ---- HTML that we write ---------------------------------------------------- */

/* What a document states about itself; empty if it does not. */
struct doc_facts {
    struct str title, lang;
    struct str created, changed; /* dates */
};

void doc_begin(struct buf *out, const struct doc_facts *facts);
void doc_end(struct buf *out);
void doc_text(struct buf *out, struct str text); /* escaped */
/* Opens an <a>. Returns false, and writes nothing, if the address is not on the web. */
bool doc_link(struct buf *out, struct str href);

/* ---- the files of a zip archive ------------------------------------------- */

struct zip_part {
    char *name;
    struct buf bytes;
};

struct zip {
    struct zip_part *parts;
    size_t count, cap;
};

/* Unpacks the parts that are markup, and `mimetype`. Call zip_clear() even if this fails. */
enum status zip_read(struct str bytes, struct zip *ret) MUST_USE;
void zip_clear(struct zip *z);
struct str zip_part(const struct zip *z, struct str name); /* {NULL, 0} if it is not there */

/* ---- converting markup into HTML ------------------------------------------- */

/* What an element means. */
enum doc_do {
    DO_NOTHING,  /* the element is ignored, its content is read */
    DO_SKIP,     /* the element and its content are ignored */
    DO_TEXT,     /* only the text in it is read */
    DO_TAG,      /* it becomes this tag */
    DO_CELL,     /* the same, and paragraphs in it become lines */
    DO_ITEM,     /* paragraphs in it become list items */
    DO_BLOCK,    /* a paragraph */
    DO_HEADING,  /* a heading, its level in the attribute outline-level */
    DO_STYLE,    /* inside a paragraph: names its style in the attribute val */
    DO_NUMBERED, /* inside a paragraph: makes it a list item */
    DO_LINK,     /* a link: its address is in the attribute href, or behind its id */
    DO_GAP,      /* separates words */
};

struct doc_rule {
    struct str name; /* without its prefix */
    enum doc_do act;
    const char *tag; /* DO_TAG, DO_CELL */
};

/* Returns the address that belongs to an id (DOCX). May be NULL. */
typedef struct str doc_target_fn(void *ctx, struct str id);

struct doc_markup {
    const struct doc_rule *rules;
    size_t nrules;
    doc_target_fn *target;
    void *ctx;
};

/* Appends the text of an XML file by these rules. */
void doc_markup(struct str xml, const struct doc_markup *how, struct buf *out);
