/* several.h - a reading command over several directories.
 *
 * `brood top A B C` answers as `brood merge A B C -o D; brood top D` would: a merged crawl is made
 * among the temporary files ($TMPDIR, /tmp), asked and removed. That takes as long as a merge
 * without its archive. Whoever asks often merges once.
 */
#pragma once

#include "cli/command.h"

/* Runs a command: over one directory, or where it may (command.several) over all that are named. */
int several_run(struct invocation *in);
