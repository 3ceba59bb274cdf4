/* start_check.c - what a command would say before it begins. SPDX-License-Identifier: MIT */
#include "cli/commands/start_check.h"

#include "cli/command.h"

static const struct command *find(const char *name)
{
    for (size_t i = 0; command_table[i]; i++)
        if (strcmp(command_table[i]->name, name) == 0)
            return command_table[i];
    return NULL;
}

void start_check(const struct text_list *argv, struct mistakes *ret)
{
    const struct command *c = argv->count > 1 ? find(argv->items[1]) : NULL;
    struct invocation in;

    if (c == NULL || c->check == NULL) {
        mistakes_note(ret, "", status_fail(ST_INTERNAL, "this cannot be started"));
        return;
    }
    command_parse_all(c, (int)argv->count - 2, argv->items + 2, &in, ret);
    c->check(&in, ret);
    invocation_clear(&in);
}
