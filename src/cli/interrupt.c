/* interrupt.c - notes Ctrl-C during long work, which then ends by itself.
 * SPDX-License-Identifier: MIT */
#include "cli/interrupt.h"

#include <signal.h>

static int stopped;

static void on_signal(int number)
{
    (void)number;
    __atomic_store_n(&stopped, 1, __ATOMIC_RELAXED);
}

void interrupt_catch(void)
{
    (void)signal(SIGINT, on_signal);
    (void)signal(SIGTERM, on_signal);
}

bool interrupted(void)
{
    return __atomic_load_n(&stopped, __ATOMIC_RELAXED) != 0;
}

const int *interrupt_flag(void)
{
    return &stopped;
}
