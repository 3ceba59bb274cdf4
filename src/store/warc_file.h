/* warc_file.h - the archive's files: their folder and their names.
 *
 * A name from a database may have been written by anybody. Only names of the
 * form that we write are files of the archive:
 *     brood-20261115100000-00001.warc.gz      time stamp and serial
 *     brood-20261115100000-00001-f2.warc.gz   written anew by a forgetting
 * each with ".open" behind it while it is being written: who takes *.warc.gz never
 * takes half a file. Everywhere else a file has its own name only, and is found
 * under the other one as well. A name is durable after dir_sync(folder).
 */
#ifndef STORE_WARC_FILE_H
#define STORE_WARC_FILE_H

#include "base/status.h"
#include "base/str.h"

#include <stdint.h>

/* The folder DIR/warc, to be closed; `make`: made where it is missing. */
enum status warc_folder(const char *dir, bool make, int *ret_fd) MUST_USE;

/* A file in it, by dir_file(). ST_CORRUPT: this is no name of one. */
enum status warc_file_open(int folder, struct str name, int flags, int *ret_fd) MUST_USE;
enum status warc_file_remove(int folder, struct str name) MUST_USE;

/* A new file to be written, or an old one to be written on; it gets its name back
 * when it is done (again: nothing happens). */
enum status warc_file_begin(int folder, struct str name, int *ret_fd) MUST_USE;
enum status warc_file_go_on(int folder, struct str name, int *ret_fd) MUST_USE;
enum status warc_file_done(int folder, struct str name) MUST_USE;

/* Is this the name of a file that is being written? Cuts it to its own name. */
bool warc_file_is_open(struct str *name);

/* The serial in a name of ours, 0 for any other name. */
uint64_t warc_serial(struct str name);

#endif
