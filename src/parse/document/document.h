/* document.h - turns documents that are not web pages into HTML.
 *
 * In: the bytes of an ODT, DOCX or EPUB file; or what poppler's programs print for a PDF. Out:
 * a small HTML page with headings, paragraphs, lists, tables and links, which page_parse()
 * reads as it reads any other (with page_input.whole). Pure; the section "documents" of
 * limits.h bounds what is read. Only links to http and https addresses are kept: a place
 * inside a document has no address.
 */
#pragma once

#include "base/buf.h"
#include "base/status.h"

/* Appends the HTML. Returns ST_INVALID if it is none of these formats, ST_LIMIT if it is too
 * large or unpacks to too much. */
enum status office_html(struct str bytes, struct buf *out) MUST_USE;

/* What pdftotext, pdfinfo -isodates and pdfinfo -url printed, and the bytes of the file. */
struct pdf_parts {
    struct str text, info, links, bytes;
};

void pdf_html(const struct pdf_parts *pdf, struct buf *out);
