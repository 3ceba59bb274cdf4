/* start_check.h - what `brood ARGUMENTS` would say before it begins: for the dashboard's
 * form, whose crawls are processes of this program. */
#pragma once

#include "base/status.h"
#include "base/option.h"

/* argv[0] is the program, argv[1] a command that has a check. Faults are named by options;
 * "" where it is none. From any thread. */
void start_check(const struct text_list *argv, struct mistakes *ret);
