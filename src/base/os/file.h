/* file.h - whole files, bounded. */
#pragma once

#include "base/buf.h"

/* Appends the bytes of a file ("-" is standard input) to `out`, whose ceiling limits the size of
 * the file. The error names the file. */
enum status file_read(const char *path, struct buf *out) MUST_USE;

/* Writes a whole file, replacing an old one at once (temporary name, fsync,
 * rename). */
enum status file_write(const char *path, struct str data) MUST_USE;

/* Returns the folder that a path lies in, as a path that can be opened: "a" for "a/b/", "." for
 * "a". Free it. */
char *file_folder(const char *path);
