/* formats.h - the one table of export formats: the name, its writer in NAME.c, whether it is a file
 * or a directory, and its help text in `brood export --help`.
 *
 * Help, choices of --as, completions and the command's dispatch come from these rows, and so
 * does the list of source files (meson.build): a row is a line that begins with F(. */
#pragma once

#define EXPORT_FORMATS(F)                                                                          \
    F(jsonl, export_jsonl, EXPORT_FILE, "pages with their texts")                                  \
    F(md, export_md, EXPORT_DIRECTORY, "a directory of main texts as Markdown")                    \
    F(csv, export_csv, EXPORT_FILE, "pages")                                                       \
    F(cdxj, export_cdxj, EXPORT_FILE, "index of the archive")                                      \
    F(wacz, export_wacz, EXPORT_FILE, "the archive with its index, to be replayed")                \
    F(parquet, export_parquet, EXPORT_FILE, "pages with their main texts, in columns")             \
    F(bulk, export_bulk, EXPORT_DIRECTORY, "a directory for OpenSearch and Elasticsearch")         \
    F(graphml, export_graphml, EXPORT_FILE, "pages and links")                                     \
    F(xml, export_xml, EXPORT_FILE, "the family tree of the agents, their paths, what they found") \
    F(docpool, export_docpool, EXPORT_DIRECTORY, "a directory of texts with tables of stems")
