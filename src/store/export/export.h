/* export.h - a crawl in formats that other programs read.
 *
 *   jsonl    one page a line, with its text
 *   md       a directory: the main text of each page as Markdown, with YAML before it
 *   csv      one page a line, RFC 4180, a header line
 *   cdxj     one archived answer a line, sorted by SURT and time (pywb)
 *   graphml  pages and links
 *   xml      the family tree of the agents, their paths, what they found (docs/family.md)
 *   bulk     a directory: bodies for OpenSearch and Elasticsearch, and a mapping
 *   wacz     the archive in one file, with index and pages (WACZ 1.1.1)
 *   parquet  pages with their main text, in columns
 *   docpool  a directory: texts, and how often each stem occurs in each of them (docs/docpool.md)
 *
 * No format contains hidden pages. The table of formats is in formats.h.
 */
#pragma once

#include "store/export/formats.h"
#include "store/read/query.h"

#include <stdio.h>

/* Where an export is written, and how its caller watches and stops it. */
struct export_to {
    FILE *out; /* EXPORT_FILE: stays open, is not flushed */
    const char
        *dir; /* EXPORT_DIRECTORY: does not exist yet; after a failure the caller removes it */
    const int *stop; /* directories: ends with ST_STOPPED when it becomes 1; may be NULL */
    void (*progress)(void *ctx, uint64_t done, uint64_t total); /* pages; may be NULL */
    void *ctx;
};

typedef enum status export_fn(struct query *q, const struct export_to *to);

#define DECLARE(name, write, kind, help) export_fn write;
EXPORT_FORMATS(DECLARE)
#undef DECLARE

struct export_format {
    const char *name;
    enum { EXPORT_FILE, EXPORT_DIRECTORY } kind;
    export_fn *write;
};

extern const struct export_format export_formats[]; /* in the order of EXPORT_FORMATS */

/* For an option: "jsonl|csv|…", and "jsonl (pages with their texts), csv (pages), …". */
#define EXPORT_CHOICE(name, write, kind, help) "|" #name
#define EXPORT_CHOICES                         (EXPORT_FORMATS(EXPORT_CHOICE) "" + 1)
#define EXPORT_PHRASE(name, write, kind, help) ", " #name " (" help ")"
#define EXPORT_HELP                            (EXPORT_FORMATS(EXPORT_PHRASE) "" + 2)

/* The sort key of a URL: "com,example)/path?q" (Heritrix's SURT, lower case,
 * no scheme, no www). It is appended. */
void export_surt(struct str url, struct buf *out);
