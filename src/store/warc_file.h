/* warc_file.h - the files of the archive: their folder and their names.
 *
 * A name in a database may have been written by anybody. Only names of these forms are accepted:
 *     brood-20261115100000-00001.warc.gz      time stamp and serial
 *     brood-20261115100000-00001-f2.warc.gz   rewritten by `forget`
 * While a file is being written, ".open" is added, so that *.warc.gz never matches half
 * a file. All other code uses the final name, and these functions find the file under
 * either. A name is safe on the disk after dir_sync(folder).
 */
#pragma once

#include "base/status.h"
#include "base/str.h"

#include <stdint.h>

/* Opens the folder DIR/warc, to be closed by the caller. `make`: makes it if it is missing. */
enum status warc_folder(const char *dir, bool make, int *ret_fd) MUST_USE;

/* Opens a file in it with dir_file(). ST_CORRUPT if the name is not of our form. */
enum status warc_file_open(int folder, struct str name, int flags, int *ret_fd) MUST_USE;
enum status warc_file_remove(int folder, struct str name) MUST_USE;

/* Opens a new file for writing, or an old one to append to. warc_file_done() gives it its
 * final name; calling it again does nothing. */
enum status warc_file_begin(int folder, struct str name, int *ret_fd) MUST_USE;
enum status warc_file_go_on(int folder, struct str name, int *ret_fd) MUST_USE;
enum status warc_file_done(int folder, struct str name) MUST_USE;

/* Is this the name of a file that is being written? If so, cuts *name to its final name. */
bool warc_file_is_open(struct str *name);

/* Returns the serial number in a name of our form, 0 for any other name. */
uint64_t warc_serial(struct str name);
