/* export_int.h - what the files of the export share. Inside store/ only. */
#pragma once

#include "base/limits.h"
#include "store/export/export.h"
#include "store/read/query_int.h"

/* For formats with one line for each row: a line is built in `line` and written by
 * export_line(). */
struct export_lines {
    struct query *q;
    const struct export_to *to;
    FILE *out;
    struct buf line; /* used again for every row */
    struct buf text;
    uint64_t done, total; /* pages */
};

#define EXPORT_LINES(query, where)                                                             \
    {                                                                                          \
        .q = (query), .to = (where), .out = (where)->out, .line = BUF_INIT(LIMIT_DECODED * 8), \
        .text = BUF_INIT(LIMIT_DECODED * 2)                                                    \
    }

/* A page is done: reports the progress. */
void export_step(struct export_lines *l);
enum status export_put(FILE *out, struct str s) MUST_USE;
/* Ends the line and writes it. */
enum status export_line(struct export_lines *l) MUST_USE;
/* Frees the buffers; returns `st`. */
enum status export_end(struct export_lines *l, enum status st) MUST_USE;

/* Appends a text for XML 1.0: escaped, and without the characters that XML forbids. */
void export_xml_str(struct buf *out, struct str s);
