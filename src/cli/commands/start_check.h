/* start_check.h - what `brood ARGUMENTS` would say before it begins: for the dashboard's
 * form, whose crawls are processes of this program. */
#ifndef CLI_START_CHECK_H
#define CLI_START_CHECK_H

#include "base/mistake.h"
#include "base/option.h"

/* argv[0] is the program, argv[1] a command that has a check. Faults are named by options;
 * "" where it is none. From any thread. */
void start_check(const struct text_list *argv, struct mistakes *ret);

#endif
