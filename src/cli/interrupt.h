/* interrupt.h - notes Ctrl-C during long work, which then ends by itself. */
#pragma once

#include <stdbool.h>

/* From now on SIGINT and SIGTERM only set a flag. */
void interrupt_catch(void);

bool interrupted(void);

/* Returns the flag itself, 0 or 1, which several threads may read (atomic). */
const int *interrupt_flag(void);
