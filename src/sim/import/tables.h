/* tables.h - the tables that an import reads: labels, manifests, events.
 *
 * Lines of fields separated by tabs. Line ends may be CR LF, a byte order mark
 * may come first, empty lines are skipped, and a first line that begins with '#' is a heading.
 * Pure: the files that the tables name are opened elsewhere.
 *
 *   labels     wp/a/Aardvark.htm TAB Science.Biology,Africa
 *   manifest   a/1.html TAB http://x.example/one TAB Science   (labels may be missing)
 *   events     821204925 TAB A|M|D TAB blob TAB path           (seconds since 1970)
 */
#pragma once

#include "base/str.h"

struct tsv {
    struct str rest; /* lines to come */
    uint32_t line;   /* number of the last line returned, from 1 */
};

struct tsv table_of(struct str text);
bool table_next(struct tsv *t, struct str *ret_line);

struct label_row {
    struct str name;   /* a path, or a URL */
    struct str labels; /* separated by commas */
};

struct manifest_row {
    struct str file, url;
    struct str labels; /* may be empty */
};

struct event_row {
    int64_t at;      /* us since 1970 */
    char kind;       /* 'A' appears, 'M' changes, 'D' is gone */
    struct str blob; /* name of the content: letters and digits */
    struct str path;
};

/* Reads a line into its row. Returns NULL, or a sentence that says what is wrong. The strings of
 * the row point into the line. */
const char *label_row(struct str line, struct label_row *ret);
const char *manifest_row(struct str line, struct manifest_row *ret);
const char *event_row(struct str line, struct event_row *ret);

/* Gets the next label of a list, trimmed; skips empty ones. Returns false at the end. */
bool label_next(struct str *list, struct str *ret);
