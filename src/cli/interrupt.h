/* interrupt.h - Ctrl-C on long work: noted, and the work ends by itself. */
#pragma once

#include <stdbool.h>

/* From now on SIGINT and SIGTERM only set a flag. */
void interrupt_catch(void);

bool interrupted(void);

/* The flag itself, 0 or 1, for those who look at it from several threads (atomic). */
const int *interrupt_flag(void);
