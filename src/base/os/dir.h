/* dir.h - the files of one directory, by its descriptor, and no others.
 *
 * A directory from another person may hold links, pipes and devices, and
 * names that lead elsewhere. Here a name is one component without a slash,
 * links are never followed, and only regular files are opened: whatever lies
 * in the directory, nothing outside it is read, written or removed.
 *
 * The caller owns every descriptor given out. New files have mode 0600, new
 * folders 0700: a crawl may hold data that only its user may see.
 */
#pragma once

#include "base/status.h"
#include "base/str.h"
#include <dirent.h>

/* A descriptor that is closed where its block ends: LOCAL_FD fd = -1; */
#define LOCAL_FD __attribute__((cleanup(fd_drop))) int
void fd_drop(int *fd);

/* The directory itself, as the user named it: links in `path` are followed.
 * ST_MISSING where there is none, ST_INVALID where it is something else. */
enum status dir_open(const char *path, int *ret_fd) MUST_USE;

/* Opens a folder in it; with `make`, a missing one is created. */
enum status dir_folder(int dir, const char *name, bool make, int *ret_fd) MUST_USE;

/* Opens a regular file in it. `flags` are open(2)'s; O_TRUNC empties it only after it is
 * known to be a regular file. ST_MISSING, ST_EXISTS (O_EXCL), ST_INVALID (a name that may
 * lead elsewhere, a link, a pipe …; when writing, also a file with a second hard link,
 * which may lie elsewhere), ST_IO. */
enum status dir_file(int dir, struct str name, int flags, int *ret_fd) MUST_USE;

/* The same check without opening the file (closing any descriptor of a file drops
 * SQLite's locks on it). */
enum status dir_check(int dir, struct str name, bool write) MUST_USE;

/* Opens a new file for writing. If the name exists, it is removed first, not written into. */
enum status dir_file_new(int dir, struct str name, int *ret_fd) MUST_USE;

/* The same by a path: its folder is opened as the user named it, its last component by the rules
 * above. */
enum status dir_file_of(const char *path, int flags, int *ret_fd) MUST_USE;

/* Opens it to read its names with readdir(3) and closedir(3). NULL if it cannot be read. */
DIR *dir_list(int dir);

/* Removes a file (or a link, never what it leads to). ST_MISSING: there is none. */
enum status dir_remove(int dir, struct str name) MUST_USE;

/* Renames a file, replacing any file of the new name. */
enum status dir_rename(int dir, struct str from, struct str to) MUST_USE;

/* Removes a directory of ours with everything in it; links are not followed. */
void dir_remove_all(const char *path);

/* Makes names durable: files that were created, renamed or removed stay so after a power cut. */
enum status dir_sync(int dir) MUST_USE;

/* The same for the one name `path`, of a new directory or of a file. */
enum status dir_sync_name(const char *path) MUST_USE;

/* May this be the name of a file of ours? Letters, digits, '-', '_' and '.', which may not come
 * first. */
bool dir_is_name(struct str name);

/* ---- a directory that is built under another name ----
 *
 * It is moved to its own name when it is complete, so nothing half-made is ever found there. */

/* Gives "DIR.part" (free it) if DIR may be created: it does not exist, or is empty. ST_EXISTS if
 * DIR has files, or if another process is building it; ST_USAGE if `dir` is not a name. */
enum status part_begin(const char *dir, char **ret_part) MUST_USE;

/* Before part_begin(): removes the DIR.part of a process that was killed. Only for callers that
 * hold a lock (flock) on DIR.part while they build it. ST_EXISTS: another process is building
 * it. */
enum status part_clear(const char *dir) MUST_USE;

/* Moves it to its place, or removes it after a failure (`st`). Returns `st`, or why the move
 * failed. Frees `part`. */
enum status part_end(char *part, const char *dir, enum status st) MUST_USE;

/* The same two steps for a DIR that was built in this way and is built again: readers always see
 * either the old one or the new one, complete. */
enum status part_begin_anew(const char *dir, char **ret_part) MUST_USE;
enum status part_end_anew(char *part, const char *dir, enum status st) MUST_USE;
