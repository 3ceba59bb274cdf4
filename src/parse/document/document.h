/* document.h - documents that are no web pages, as HTML.
 *
 * In: the bytes of an ODT, DOCX or EPUB file; or what poppler's programs say of a PDF. Out: a
 * small HTML page with headings, paragraphs, lists, tables and links, which page_parse() reads
 * as it reads any other (with page_input.whole). Pure; what is read is bounded by the section
 * "documents" of limits.h. Links that lead to no http or https address are left out: what is
 * inside a document has no address.
 */
#pragma once

#include "base/buf.h"
#include "base/status.h"

/* Appends the HTML. ST_INVALID: it is none of these; ST_LIMIT: it is too large or unpacks to
 * too much. */
enum status office_html(struct str bytes, struct buf *out) MUST_USE;

/* What pdftotext, pdfinfo -isodates and pdfinfo -url wrote; and the file itself. */
struct pdf_parts {
    struct str text, info, links, bytes;
};

void pdf_html(const struct pdf_parts *pdf, struct buf *out);
