/* part.h - a directory that is made beside its place and moved there when it is
 * complete: whatever happens, nothing half-made stands under its name. */
#pragma once

#include "base/status.h"

/* "DIR.part" (free it), once DIR is free to be made: not there, or empty.
 * ST_EXISTS where it is not, or where somebody else is at work on it; ST_USAGE: no
 * name. */
enum status part_begin(const char *dir, char **ret_part) MUST_USE;

/* Moves it to its place, or removes it after a fault (`st`, which is returned).
 * Frees `part`. */
enum status part_end(char *part, const char *dir, enum status st) MUST_USE;
