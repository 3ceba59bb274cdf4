/* export.h - a crawl in the forms others read.
 *
 *   jsonl    one page a line, with its text
 *   csv      one page a line, RFC 4180, a header line
 *   cdxj     one archived answer a line, sorted by SURT and time (pywb)
 *   graphml  pages and links
 *   xml      the family tree of the agents, their paths, what they found (docs/family.md)
 *   docpool  a directory: texts, and how often which stem stands in which (docs/docpool.md)
 *
 * Hidden pages are in none of them.
 */
#pragma once

#include "store/read/query.h"

#include <stdio.h>

/* The names, for help: "jsonl, csv, cdxj, graphml, xml, docpool". */
extern const char export_formats[];

/* ST_USAGE for an unknown format. */
enum status export_check(struct str format) MUST_USE;

/* Writes to `out`, which stays open. ST_USAGE for an unknown format, and for docpool. */
enum status export_run(struct query *q, struct str format, FILE *out) MUST_USE;

/* Is it a directory that this format makes? */
bool export_is_directory(struct str format);

struct export_watch {
    const int *stop; /* ends with ST_STOPPED when it becomes 1; may be NULL */
    void (*progress)(void *ctx, uint64_t done, uint64_t total); /* may be NULL */
    void *ctx;
};

/* Makes `dir`, which is not there. What a fault leaves of it is the caller's. */
enum status export_docpool(struct query *q, const char *dir,
                           const struct export_watch *watch) MUST_USE;

/* The sort key of a URL: "com,example)/path?q" (Heritrix's SURT, lower case,
 * no scheme, no www). Appended. */
void export_surt(struct str url, struct buf *out);
