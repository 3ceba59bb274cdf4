/* held.h - commands that confine themselves (base/os/confine.h), and what each may still access.
 *
 * A crawl may read the files that its options name, and write in its directory; it confines
 * itself when the directory exists (crawl/held.c). A command that reads a crawl may access only its
 * directory, and no network, so a malicious directory can do no harm elsewhere.
 */
#pragma once

#include "base/os/confine.h"
#include "base/option.h"

struct crawl_options;

/* For a crawl with these options (`table` begins with those of a crawl): sets o->confine, or leaves
 * it NULL with --no-confine. `ret` is lent to the crawl. */
void held_crawl(struct crawl_options *o, const struct option *table, struct confine *ret);
/* Also allows it to write in the folder of this file. */
void held_beside(struct confine *c, const char *file);

/* Confines the process to this directory, and to the folder of a file that it writes (NULL: none).
 * Commands with .reads_dir are confined to their first argument. */
void held_reader(const char *dir, const char *file);
/* The same for several directories; SQLite's temporary files go to `scratch`. */
void held_readers(const struct text_list *dirs, const char *file, const char *scratch);
