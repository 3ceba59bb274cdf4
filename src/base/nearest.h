/* nearest.h - did you mean …? */
#pragma once

#include "base/str.h"

/* The name nearest to a misspelt one, or NULL where none is near. nth() gives the i-th
 * name, NULL after the last. */
const char *nearest_name(struct str name, const char *(*nth)(const void *ctx, size_t i),
                         const void *ctx);
