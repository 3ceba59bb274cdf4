/* warc_file.h - the archive's files: their folder and their names.
 *
 * A name from a database may have been written by anybody. Only names of the
 * form that we write are files of the archive:
 *     brood-20261115100000-00001.warc.gz      time stamp and serial
 *     brood-20261115100000-00001-f2.warc.gz   rewritten by `forget`
 * While a file is being written, ".open" is added, so that *.warc.gz never matches half
 * a file. All other code uses the final name, and these functions find the file under
 * either. A name is durable after dir_sync(folder).
 */
#pragma once

#include "base/status.h"
#include "base/str.h"

#include <stdint.h>

/* Opens the folder DIR/warc; close it. `make`: it is made where it is missing. */
enum status warc_folder(const char *dir, bool make, int *ret_fd) MUST_USE;

/* Opens a file in it with dir_file(). ST_CORRUPT: this is not a name of ours. */
enum status warc_file_open(int folder, struct str name, int flags, int *ret_fd) MUST_USE;
enum status warc_file_remove(int folder, struct str name) MUST_USE;

/* Opens a new file for writing, or an old one to append to. warc_file_done() gives it its
 * final name; a second call does nothing. */
enum status warc_file_begin(int folder, struct str name, int *ret_fd) MUST_USE;
enum status warc_file_go_on(int folder, struct str name, int *ret_fd) MUST_USE;
enum status warc_file_done(int folder, struct str name) MUST_USE;

/* Is this the name of a file that is being written? Cuts it to its own name. */
bool warc_file_is_open(struct str *name);

/* The serial in a name of ours, 0 for any other name. */
uint64_t warc_serial(struct str name);
