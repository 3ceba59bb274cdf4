/* reader.h - a process beside the crawl, in which other programs read documents.
 *
 * A crawl may run no program (base/os/confine.h), and a PDF is best read by poppler's. So the
 * reader is forked before the crawl confines itself. For each document it forks a process, which
 * runs pdftotext and pdfinfo for a PDF, and our own code (parse/document/) for other documents.
 * Each such process sees only the document and what it writes, both in memory; it has no network,
 * no files but those of the system, and limits of time, memory and output (the section
 * "documents" of limits.h). A crash or an endless loop costs one page.
 *
 *     reader_start(&r);                 before threads and confinement
 *     reader_read(r, DOCUMENT_PDF, bytes, NULL, &html);      any thread; waits for the result
 *     reader_stop(r);
 *
 * The reader ends with the crawl: its socket closes. Limit: where the kernel has no Landlock,
 * a program that reads a document could read files of the user.
 */
#pragma once

#include "base/buf.h"
#include "flow.h"

#include <stdatomic.h>

enum document_kind { DOCUMENT_PDF, DOCUMENT_OFFICE };

struct reader;

/* Starts the reader. ST_IO if its process cannot be made. */
enum status reader_start(struct reader **ret) MUST_USE;
void reader_stop(struct reader *r);

/* Are the programs that read PDFs in $PATH, in a folder from which a confined process may run
 * them? */
bool reader_has_pdf(void);

/* Appends the document as HTML. DROP_UNREADABLE: it is broken or locked, reading it took too
 * much time or memory, or *stop became true (`stop` may be NULL). */
enum drop reader_read(struct reader *r, enum document_kind kind, struct str bytes,
                      const atomic_bool *stop, struct buf *ret_html);
