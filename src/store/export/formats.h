/* formats.h - THE table of export formats: name, whether it is a file or a directory, and what
 * `brood export --help` says of it. The writer of a row NAME is export_NAME() in NAME.c.
 *
 * Help, choices of --as, completions and the command's dispatch come from these rows, and so
 * does the list of source files (meson.build): a row is a line that begins with F(. */
#pragma once

#define EXPORT_FORMATS(F)                                                              \
    F(jsonl, EXPORT_FILE, "pages with their texts")                                    \
    F(csv, EXPORT_FILE, "pages")                                                       \
    F(cdxj, EXPORT_FILE, "index of the archive")                                       \
    F(graphml, EXPORT_FILE, "pages and links")                                         \
    F(xml, EXPORT_FILE, "the family tree of the agents, their paths, what they found") \
    F(docpool, EXPORT_DIRECTORY, "a directory of texts with tables of stems")
