/* open_world.h - worlds that must open. */
#ifndef TESTS_OPEN_WORLD_H
#define TESTS_OPEN_WORLD_H

#include "support/support.h"

#include "sim/world.h"

static inline struct world *opened(const char *dir)
{
    struct world *w = NULL;

    if (world_open(dir, &w) != ST_OK)
        fail_msg("%s", status_text());
    return w;
}

#endif
