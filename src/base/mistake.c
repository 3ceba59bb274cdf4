/* mistake.c - all that is wrong. See mistake.h. SPDX-License-Identifier: MIT */
#include "base/mistake.h"

#include "base/str.h"

#include <stdlib.h>

void mistakes_note(struct mistakes *f, const char *name, enum status st)
{
    if (st == ST_OK || f->count == MISTAKES_MOST)
        return;
    for (size_t i = 0; i < f->count; i++)
        if (strcmp(f->items[i].name, name) == 0)
            return;
    f->items[f->count++] = (struct mistake){
        .name = str_dup(str_of(name)),
        .sentence = str_dup(str_of(status_text())),
        .status = st,
    };
}

enum status mistakes_status(const struct mistakes *f)
{
    return f->count ? status_fail(f->items[0].status, "%s", f->items[0].sentence) : ST_OK;
}

void mistakes_clear(struct mistakes *f)
{
    for (size_t i = 0; i < f->count; i++) {
        free(f->items[i].name);
        free(f->items[i].sentence);
    }
    f->count = 0;
}
