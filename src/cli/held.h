/* held.h - commands that confine themselves (base/os/confine.h): what each may still touch.
 *
 * A crawl may read the files that its options name, and write in its directory; it confines
 * itself when the directory exists (crawl/held.c). A command that reads a crawl may touch only
 * its directory, and no network: a hostile directory can reach nothing else.
 */
#pragma once

#include "base/os/confine.h"
#include "base/option.h"

struct crawl_options;

/* For a crawl with these options, whose table begins with a crawl's: sets o->confine, or leaves
 * it NULL with --no-confine. `ret` is lent to the crawl. */
void held_crawl(struct crawl_options *o, const struct option *table, struct confine *ret);
/* Also allows it to write in the folder of this file. */
void held_beside(struct confine *c, const char *file);

/* From here on the process is confined to this directory, and to the folder of a file that it
 * writes; NULL: it writes none. Commands with .reads_dir are, to their first argument. */
void held_reader(const char *dir, const char *file);
/* The same for several directories; what SQLite needs for a moment goes to `scratch`. */
void held_readers(const struct text_list *dirs, const char *file, const char *scratch);
